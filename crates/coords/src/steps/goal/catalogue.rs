//! The goals by name: one entry each.

use std::sync::{Mutex, OnceLock, TryLockError};
use std::time::Duration;

use super::super::move_set::MoveSet;
use super::digit::Digit;
use super::frame::Place;
use super::solver_tables::SLICE_TURNS;
use super::target::Target;
use super::teaching;
use superflip_cube::{Cube, Face, Move};
use superflip_solver::coord::{CORNER_PERM, FLIP, SLICE, TWIST, UD_EDGES};
use superflip_solver::{Cancelled, Control};

/// What a cube must have reached before a step, seen in the base frame of the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing: the goal is defined on every cube.
    Nothing,
    /// Oriented edges on the second axis of the goal.
    EdgeOrientation,
    /// Domino reduction on the axis of the goal.
    DominoReduction,
    /// The half-turn group.
    HalfTurns,
}

impl Needs {
    /// Returns what is needed, in words.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Nothing => "a value in this coordinate",
            Self::EdgeOrientation => "oriented edges (the goal `eo`)",
            Self::DominoReduction => "domino reduction (the goal `dr`)",
            Self::HalfTurns => "half-turn reduction (the goal `htr`)",
        }
    }

    /// Returns whether a cube in the base frame has reached it.
    pub(crate) fn is_met(self, cube: &Cube) -> bool {
        let is_zero = |index: Option<u32>| index == Some(0);
        let is_domino = || is_zero(FLIP.index(cube)) && is_zero(TWIST.index(cube)) && is_zero(SLICE.index(cube));
        match self {
            Self::Nothing => true,
            Self::EdgeOrientation => is_zero(FLIP.index(cube)),
            Self::DominoReduction => is_domino(),
            Self::HalfTurns => is_domino() && named("htr").is_some_and(|htr| htr.target().bound_of(cube) == 0),
        }
    }
}

/// A named goal.
pub struct Entry {
    /// Name of the goal.
    pub name: &'static str,
    /// What the step reaches.
    pub summary: &'static str,
    /// What the cube must have reached before.
    pub needs: Needs,
    /// Moves of the step in the base frame.
    pub moves: MoveSet,
    /// Whether moves on the inverse cube count too. The reached cubes form a group then. Goals of methods that solve no inverse,
    /// such as crosses and layers, are left out.
    pub is_group: bool,
    /// Places that name an image of the goal.
    pub(crate) places: &'static [Place],
    plan: fn() -> Target,
    target: OnceLock<Target>,
    /// The target while its tables are filled; what is filled stays when the work is ended.
    growing: Mutex<Option<Target>>,
    keeping: OnceLock<MoveSet>,
}

impl Entry {
    const fn new(
        name: &'static str,
        summary: &'static str,
        places: &'static [Place],
        (needs, moves, is_group): (Needs, MoveSet, bool),
        plan: fn() -> Target,
    ) -> Self {
        Self {
            name,
            summary,
            needs,
            moves,
            is_group,
            places,
            plan,
            target: OnceLock::new(),
            growing: Mutex::new(None),
            keeping: OnceLock::new(),
        }
    }

    /// A goal for teaching: on every cube, under all moves.
    const fn taught(name: &'static str, summary: &'static str, places: &'static [Place], plan: fn() -> Target) -> Self {
        Self::new(name, summary, places, (Needs::Nothing, MoveSet::ALL, false), plan)
    }

    /// A block or a set of pieces at home, which fewest-moves solvers also build on the inverse cube.
    const fn block(name: &'static str, summary: &'static str, places: &'static [Place], plan: fn() -> Target) -> Self {
        Self::new(name, summary, places, ANY, plan)
    }

    /// Returns the tables of the goal, which are built when they are first used. Only one thread builds them, and others wait. If
    /// `control` ends the work, the next call goes on where it was.
    ///
    /// # Errors
    /// When `control` ended the work, or the wait for another thread.
    pub(crate) fn prepare(&self, control: &Control) -> Result<&Target, Cancelled> {
        loop {
            if let Some(target) = self.target.get() {
                return Ok(target);
            }
            match self.growing.try_lock() {
                // Another thread may have finished just before.
                Ok(_) if self.target.get().is_some() => {}
                Ok(mut growing) => {
                    growing.get_or_insert_with(self.plan).grow(control)?;
                    growing.take().into_iter().for_each(|target| _ = self.target.set(target));
                }
                Err(TryLockError::WouldBlock) => {
                    control.check()?;
                    std::thread::sleep(WAIT);
                }
                // The tables may be half filled.
                Err(TryLockError::Poisoned(growing)) => {
                    *growing.into_inner() = None;
                    self.growing.clear_poison();
                }
            }
        }
    }

    /// Returns the size in bytes of the tables that [`Entry::prepare`] would build; 0 if another thread builds them.
    pub(crate) fn unbuilt_bytes(&self) -> u64 {
        match self.growing.try_lock() {
            Ok(_) if self.is_prepared() => 0,
            // The plan is that of the build.
            Ok(mut growing) => growing.get_or_insert_with(self.plan).bytes(),
            Err(TryLockError::WouldBlock) => 0,
            Err(TryLockError::Poisoned(_)) => (self.plan)().bytes(),
        }
    }

    /// Returns whether the tables of the goal are built.
    pub(crate) fn is_prepared(&self) -> bool {
        self.target.get().is_some()
    }

    /// Returns the tables of the goal, which are built when they are first used, however long it takes.
    pub(crate) fn target(&self) -> &Target {
        loop {
            // A control of its own does not end the work.
            if let Ok(target) = self.prepare(&Control::new()) {
                return target;
            }
        }
    }

    /// Returns the moves of the base frame after which the reached cubes are reached still. `keeps` tells it of a move.
    pub(crate) fn keeping(&self, keeps: impl Fn(&Move) -> bool) -> MoveSet {
        *self.keeping.get_or_init(|| self.moves.iter().filter(keeps).collect())
    }
}

/// Interval at which a thread looks whether another has built the tables.
const WAIT: Duration = Duration::from_millis(5);

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).field("needs", &self.needs).finish_non_exhaustive()
    }
}

fn solved(digits: Vec<Digit>, products: &[&[usize]], moves: MoveSet) -> Target {
    Target::new(digits, products, &[Cube::SOLVED], moves)
}

const ANY: (Needs, MoveSet, bool) = (Needs::Nothing, MoveSet::ALL, true);
const AXIS: &[Place] = &[Place::Axis(Face::U)];

/// Every named goal.
static CATALOGUE: [Entry; 18] = [
    Entry::new("eo", "all edges oriented on the axis", &[Place::Axis(Face::F)], ANY, || {
        solved(vec![Digit::coordinate(&FLIP)], &[&[0]], MoveSet::ALL)
    }),
    Entry::new("dr", "domino reduction on the axis", AXIS, ANY, || {
        let digits = vec![Digit::coordinate(&FLIP), Digit::slice(), Digit::coordinate(&TWIST)];
        solved(digits, &[&[0, 1], &[1, 2], &[0, 2]], MoveSet::ALL)
    }),
    Entry::new(
        "dr-eo",
        "domino reduction on the first axis, with moves that keep edges oriented on the second",
        &[Place::Axis(Face::U), Place::Axis(Face::F)],
        (Needs::EdgeOrientation, MoveSet::KEEPING_FLIPS, true),
        || solved(vec![Digit::slice(), Digit::coordinate(&TWIST)], &[&[0, 1]], MoveSet::KEEPING_FLIPS),
    ),
    Entry::new(
        "htr",
        "half-turn reduction, from domino reduction on the axis",
        AXIS,
        (Needs::DominoReduction, MoveSet::PHASE_TWO, true),
        || solved(vec![Digit::half_turn_corner_cosets(), Digit::edge_separation()], &[&[0, 1]], MoveSet::PHASE_TWO),
    ),
    Entry::new(
        "slice",
        "all pieces outside the slice of the axis solved up to a turn of that slice, from domino reduction",
        AXIS,
        (Needs::DominoReduction, MoveSet::PHASE_TWO_WITHOUT_D, false),
        || {
            // The slice may be off by quarter turns: a turn of U and D together undoes them for the other pieces.
            let goals = SLICE_TURNS.map(|moves| Cube::SOLVED.after(moves));
            let mut digits = phase_two_digits();
            digits.truncate(4);
            Target::new(digits, &[&[0, 2], &[1, 3]], &goals, MoveSet::PHASE_TWO)
        },
    ),
    Entry::new(
        "finish",
        "the solved cube, from domino reduction on the axis",
        AXIS,
        (Needs::DominoReduction, MoveSet::PHASE_TWO, false),
        || solved(phase_two_digits(), &[&[0, 4], &[1, 4], &[0, 2], &[1, 3]], MoveSet::PHASE_TWO),
    ),
    Entry::new(
        "htr-finish",
        "the solved cube, from half-turn reduction, with half turns",
        &[],
        (Needs::HalfTurns, MoveSet::HALF_TURNS, false),
        || {
            let slices = [['R', 'L'], ['U', 'D'], ['F', 'B']].map(Digit::half_turn_slice);
            let digits = std::iter::once(Digit::half_turn_corners()).chain(slices).collect();
            solved(digits, &[&[0, 1, 2, 3]], MoveSet::HALF_TURNS)
        },
    ),
    Entry::block("corners", "all corners solved, relative to the centres", &[], Target::corners),
    Entry::taught("cross", "the four edges of the face", &[Place::Face(Face::D)], teaching::cross),
    Entry::taught(
        "xcross",
        "the cross of the face, and one pair of corner and edge",
        &[Place::Face(Face::D), Place::Slot(&[Face::B, Face::L])],
        teaching::xcross,
    ),
    Entry::taught(
        "eoline",
        "all edges oriented on the axis, and the two edges of the face that lie along it",
        &[Place::Face(Face::D), Place::Axis(Face::F)],
        teaching::eoline,
    ),
    Entry::taught(
        "eocross",
        "all edges oriented on the axis, and the cross of the face",
        &[Place::Face(Face::D), Place::Axis(Face::F)],
        teaching::eocross,
    ),
    Entry::block(
        "222",
        "a block of 2x2x2 at the corner",
        &[Place::Slot(&[Face::D, Face::B, Face::L])],
        teaching::block_222,
    ),
    Entry::block("223", "a block of 2x2x3 along the edge", &[Place::Slot(&[Face::D, Face::B])], teaching::block_223),
    Entry::block(
        "roux_first_block",
        "a block of 1x2x3 on the first face, next to the second",
        &[Place::Face(Face::L), Place::Face(Face::D)],
        teaching::roux_first_block,
    ),
    Entry::block(
        "roux_blocks",
        "both blocks of 1x2x3 next to the face, on the axis",
        &[Place::Face(Face::D), Place::Axis(Face::R)],
        teaching::roux_blocks,
    ),
    Entry::taught("layer_1", "the layer of the face", &[Place::Face(Face::D)], teaching::layer_1),
    Entry::taught(
        "layer_2",
        "the layer of the face and the layer above it",
        &[Place::Face(Face::D)],
        teaching::layer_2,
    ),
];

fn phase_two_digits() -> Vec<Digit> {
    let pieces = [Digit::of_phase_two(&CORNER_PERM), Digit::of_phase_two(&UD_EDGES)];
    let sets = [Digit::edge_separation(), Digit::corner_separation(), Digit::slice_permutation()];
    pieces.into_iter().chain(sets).collect()
}

/// Returns the goal of this name.
fn named(name: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
}

/// Returns every named goal.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    CATALOGUE.iter()
}

/// A goal and an image of it under names of nissy.
const ALIASES: [(&str, &str, &str); 23] = [
    ("eoud", "eo", "ud"),
    ("eofb", "eo", "fb"),
    ("eorl", "eo", "rl"),
    ("drud", "dr", "ud"),
    ("drfb", "dr", "fb"),
    ("drrl", "dr", "rl"),
    ("drud-eofb", "dr-eo", "ud-fb"),
    ("drud-eorl", "dr-eo", "ud-rl"),
    ("drfb-eoud", "dr-eo", "fb-ud"),
    ("drfb-eorl", "dr-eo", "fb-rl"),
    ("drrl-eoud", "dr-eo", "rl-ud"),
    ("drrl-eofb", "dr-eo", "rl-fb"),
    ("htr-drud", "htr", "ud"),
    ("htr-drfb", "htr", "fb"),
    ("htr-drrl", "htr", "rl"),
    ("drudslice", "slice", "ud"),
    ("drfbslice", "slice", "fb"),
    ("drrlslice", "slice", "rl"),
    ("drudfin", "finish", "ud"),
    ("drfbfin", "finish", "fb"),
    ("drrlfin", "finish", "rl"),
    ("fin", "finish", ""),
    ("htrfin", "htr-finish", ""),
];

/// Goals that are reached sooner in smaller steps, and these.
const SMALLER_STEPS: [(&str, &str); 9] = [
    ("dr", "eo > dr"),
    ("finish", "htr > finish"),
    ("xcross", "cross > xcross"),
    ("eoline", "eo > eoline"),
    ("eocross", "eo > eoline > eocross"),
    ("223", "222 > 223"),
    ("roux_blocks", "roux_first_block > roux_blocks"),
    ("layer_1", "cross > layer_1"),
    ("layer_2", "cross > layer_1 > layer_2"),
];

/// Returns a chain of smaller steps that reaches the goal of this name.
pub fn smaller_steps(name: &str) -> Option<&'static str> {
    SMALLER_STEPS.iter().find(|(goal, _)| *goal == name).map(|(_, steps)| *steps)
}

/// Finds a goal by its name or by its name in nissy, ignoring case. A name of nissy also selects an image, such as `ud-fb`.
pub fn find(name: &str) -> Option<(&'static Entry, Option<&'static str>)> {
    if let Some(entry) = named(name) {
        return Some((entry, None));
    }
    let (_, goal, frame) = ALIASES.iter().find(|(alias, _, _)| alias.eq_ignore_ascii_case(name))?;
    Some((named(goal)?, Some(*frame).filter(|frame| !frame.is_empty())))
}

/// Returns every name that [`find`] accepts.
pub fn names() -> impl Iterator<Item = &'static str> {
    all().map(|entry| entry.name).chain(ALIASES.iter().map(|(alias, _, _)| *alias))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn fresh() -> Entry {
        of(teaching::eocross)
    }

    fn of(plan: fn() -> Target) -> Entry {
        Entry::taught("test", "a goal", &[], plan)
    }

    #[test]
    fn the_size_of_tables_is_known_before_they_are_built() {
        for (plan, bytes) in [(teaching::cross as fn() -> Target, 24_u64.pow(4)), (teaching::xcross, 2 * 24_u64.pow(5))]
        {
            let entry = of(plan);
            assert_eq!(entry.unbuilt_bytes(), bytes);
            entry.prepare(&Control::new()).unwrap();
            assert_eq!(entry.unbuilt_bytes(), 0);
        }
    }

    fn in_a_millisecond() -> Control {
        Control::new().until(Instant::now() + Duration::from_millis(1))
    }

    /// The distances of some cubes.
    fn bounds(target: &Target) -> Vec<u8> {
        let cubes = (0..2000_usize).map(|seed| {
            let moves = (0..12).map(|at| Move::ALL[(seed * 7919 + at * at * 31 + seed * at) % Move::COUNT]);
            Cube::SOLVED.after(&moves.collect::<Vec<_>>())
        });
        cubes.map(|cube| target.bound_of(&cube)).collect()
    }

    #[test]
    fn a_build_goes_on_where_it_was_ended() {
        // Three products of digits, and a product reduced by symmetry.
        for plan in [teaching::eocross, Target::corners] {
            let entry = of(plan);
            let whole = of(plan);
            let mut ended = 0;
            while entry.prepare(&in_a_millisecond()).is_err() {
                ended += 1;
                assert!(ended < 100_000);
            }
            assert!(ended > 3, "{ended}");
            assert_eq!(bounds(entry.target()), bounds(whole.target()));
            assert_eq!(entry.target().depth_histogram(), whole.target().depth_histogram());
        }
    }

    #[test]
    fn a_wait_for_the_build_of_another_ends_with_its_control() {
        let entry = fresh();
        let held = entry.growing.lock().unwrap();
        assert_eq!(entry.prepare(&in_a_millisecond()).err(), Some(Cancelled::Deadline));
        let control = Control::new();
        control.cancel();
        assert_eq!(entry.prepare(&control).err(), Some(Cancelled::ByCaller));
        drop(held);
        assert!(entry.prepare(&Control::new()).is_ok());
    }

    #[test]
    fn a_build_that_panicked_is_started_again() {
        let entry = fresh();
        std::thread::scope(|scope| {
            let panics = scope.spawn(|| {
                let _held = entry.growing.lock();
                panic!("in a test");
            });
            assert!(panics.join().is_err());
        });
        assert!(entry.prepare(&Control::new()).is_ok());
    }
}
