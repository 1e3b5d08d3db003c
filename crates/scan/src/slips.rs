//! Finds what a machine or a person did wrongly, from the cube before, the moves or actions that were sent, and the stickers afterwards.
//!
//! A step is a move, or an action of a machine that turns faces or rotates the whole cube. A *slip* is one step with another motion:
//!
//! | sent | made | kind |
//! | --- | --- | --- |
//! | any motion | nothing | missed |
//! | a motion that is not its own inverse | the same motion twice | doubled |
//! | a motion that is not its own inverse | its inverse | reversed |
//! | a half turn of one face, or of the whole cube | a quarter turn, in either direction | half made |
//!
//! All cubes after up to [`MAX_SLIPS`] slips are compared with the stickers, some of which may be unknown. If no cube has them, the
//! cubes that differ in one sticker are listed: this sticker was misread.

use std::collections::HashMap;

use superflip_cube::{Cube, Holding, Motion, Move, Stickers};

use crate::repair::Costs;
use crate::repair::weights::Weights;

/// Greatest number of slips of an explanation.
pub const MAX_SLIPS: usize = 2;

/// Greatest number of ways listed for one cube.
pub const MAX_WAYS: usize = 10;

/// A move or an action that was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it does to the cube.
    pub motion: Motion,
    /// Whether the inverse motion is a possible slip. A machine that flips the cube in one direction only cannot reverse a flip.
    pub is_reversible: bool,
}

impl From<Move> for Step {
    fn from(mv: Move) -> Self {
        Self { motion: mv.into(), is_reversible: true }
    }
}

/// A step that was not made as it was sent.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Slip {
    /// Index of the step, from 0.
    pub index: usize,
    /// Kind of the slip.
    pub kind: SlipKind,
    /// Motion that was sent.
    pub sent: Motion,
    /// Motion that was made instead; an empty motion if nothing moved.
    pub made: Motion,
}

/// Kind of a slip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlipKind {
    /// Nothing moved.
    Missed,
    /// The motion was made in the other direction.
    Reversed,
    /// The motion was made twice: a quarter turn became a half turn.
    Doubled,
    /// A half turn became a quarter turn.
    HalfMade,
}

impl SlipKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Missed, Self::Reversed, Self::Doubled, Self::HalfMade];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Reversed => "reversed",
            Self::Doubled => "doubled",
            Self::HalfMade => "half_made",
        }
    }
}

impl Slip {
    /// Returns the slips of the step at this index: none if it moves nothing.
    fn of(index: usize, Step { motion, is_reversible }: &Step) -> Vec<Self> {
        if motion.is_none() {
            return Vec::new();
        }
        let mut made = vec![(SlipKind::Missed, Motion::default())];
        let inverse = motion.inverse();
        if inverse != *motion {
            made.push((SlipKind::Doubled, motion.then(motion)));
            made.extend(is_reversible.then_some((SlipKind::Reversed, inverse)));
        }
        made.extend(motion.halves().into_iter().map(|half| (SlipKind::HalfMade, half)));
        made.into_iter().map(|(kind, made)| Self { index, kind, sent: motion.clone(), made }).collect()
    }
}

/// A cube that the slips may have led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The cube now, as it is held.
    pub cube: Cube,
    /// How it is held, from how it was held before the steps.
    pub holding: Holding,
    /// Sticker that must have been misread: 0 to 53 in the order U R F D L B.
    pub misread: Option<u8>,
    /// Least number of slips that lead to it; 0 if all steps were made.
    pub slips: usize,
    /// Number of ways, each with this number of slips, that lead to this cube. There are several if moves repeat or commute.
    pub total: usize,
    /// The first ways, at most [`MAX_WAYS`], in the order of the steps.
    pub ways: Vec<Vec<Slip>>,
}

/// The explanations of the stickers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanations {
    /// Distinct cubes that have the known stickers, or else all but one of them: those after the fewest slips first, then in the order of the
    /// steps. Empty if at most [`MAX_SLIPS`] slips and one misread sticker do not explain the stickers.
    pub found: Vec<Explanation>,
    /// Whether there are more than listed.
    pub truncated: bool,
}

/// Finds the slips of moves. It does the same as [`explain_steps`] for moves.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Moves, Stickers};
/// use superflip_scan::slips::{SlipKind, explain_slips};
///
/// let (before, sent) = (Cube::from_scramble("F2 L D")?, "R U2 F' R".parse::<Moves>()?);
/// let now = Cube::from_scramble("F2 L D R U F' R")?;
/// let explanations = explain_slips(&before, &sent, &Stickers::parse(&now.to_string())?, 3);
/// let [explanation] = explanations.found.as_slice() else { return Err("several".into()) };
/// let slip = &explanation.ways[0][0];
/// assert_eq!((slip.index, slip.made.to_string(), slip.kind), (1, "U".to_owned(), SlipKind::HalfMade));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_slips(before: &Cube, sent: &[Move], seen: &Stickers, limit: usize) -> Explanations {
    let steps: Vec<Step> = sent.iter().map(|mv| (*mv).into()).collect();
    let none = Explanations { found: Vec::new(), truncated: false };
    // Nothing stops the search.
    explain_steps(before, &steps, seen, limit, || false).unwrap_or(none)
}

/// Finds the slips after which the cube has the known stickers, and lists at most `limit` cubes. It counts every way to the listed cubes,
/// even if there are more cubes. If no cube has the stickers, it lists the cubes that differ in one sticker. The stickers are those of the cube
/// as it is held after the steps: a rotation that was missed shows in its centres, or in the places of all other stickers.
///
/// The time grows with the square of the number of steps: 200 moves take some tens of milliseconds. `is_stopped` is called some hundred times.
/// Once it returns true, the result is `None`.
pub fn explain_steps(
    before: &Cube,
    steps: &[Step],
    seen: &Stickers,
    limit: usize,
    mut is_stopped: impl FnMut() -> bool,
) -> Option<Explanations> {
    let course = Course::new(before, steps);
    let exact = course.search(Search::new(seen, limit, 0), &mut is_stopped)?;
    if exact.found.is_empty() { course.search(Search::new(seen, limit, 1), &mut is_stopped) } else { Some(exact) }
}

/// A cube as it is held.
#[derive(Clone, Copy)]
struct Held {
    cube: Cube,
    holding: Holding,
}

impl Held {
    fn after(&self, turns: &Cube, rotation: Holding) -> Self {
        let cube = self.cube.then(turns);
        if rotation == Holding::HOME {
            return Self { cube, holding: self.holding };
        }
        Self { cube: rotation.from_home(&cube), holding: self.holding.then(rotation) }
    }
}

/// A motion with the product of its turns.
struct Effect {
    turns: Cube,
    rotation: Holding,
}

impl Effect {
    fn of(motion: &Motion) -> Self {
        Self { turns: Cube::SOLVED.after(motion.turns()), rotation: motion.rotation() }
    }

    fn then(&self, next: &Self) -> Self {
        let turns = self.turns.then(&self.rotation.to_home(&next.turns));
        Self { turns, rotation: self.rotation.then(next.rotation) }
    }

    fn after(&self, held: &Held) -> Held {
        held.after(&self.turns, self.rotation)
    }
}

/// The steps as they were sent, and their slips.
struct Course {
    steps: Vec<Effect>,
    /// The slips of each step, with what each does.
    slips: Vec<Vec<(Slip, Effect)>>,
    /// The cube before each step, and after the last one.
    reached: Vec<Held>,
    /// What the steps from each one on do together.
    rest: Vec<Effect>,
}

impl Course {
    fn new(before: &Cube, steps: &[Step]) -> Self {
        let effects: Vec<Effect> = steps.iter().map(|step| Effect::of(&step.motion)).collect();
        let with_effect = |slip: Slip| {
            let effect = Effect::of(&slip.made);
            (slip, effect)
        };
        let slips = steps.iter().enumerate();
        let slips = slips.map(|(index, step)| Slip::of(index, step).into_iter().map(with_effect).collect()).collect();
        let mut reached = vec![Held { cube: *before, holding: Holding::HOME }];
        let mut rest = vec![Effect::of(&Motion::default())];
        for (effect, from_end) in effects.iter().zip(effects.iter().rev()) {
            reached.push(effect.after(&reached[reached.len() - 1]));
            rest.push(from_end.then(&rest[rest.len() - 1]));
        }
        rest.reverse();
        Self { steps: effects, slips, reached, rest }
    }

    /// Compares the cubes after up to two slips. Returns `None` if it was stopped.
    fn search(&self, mut search: Search<'_>, is_stopped: &mut impl FnMut() -> bool) -> Option<Explanations> {
        search.compare(&self.reached[self.steps.len()], &[]);
        for (index, slips) in self.slips.iter().enumerate() {
            for (slip, effect) in slips {
                search.compare(&self.rest[index + 1].after(&effect.after(&self.reached[index])), &[slip]);
            }
        }
        // When the list is full, the ways to its cubes are still counted.
        for (index, slips) in self.slips.iter().enumerate() {
            for (first, effect) in slips {
                if is_stopped() {
                    return None;
                }
                let mut held = effect.after(&self.reached[index]);
                for later in index + 1..self.steps.len() {
                    for (second, effect) in &self.slips[later] {
                        search.compare(&self.rest[later + 1].after(&effect.after(&held)), &[first, second]);
                    }
                    held = self.steps[later].after(&held);
                }
            }
        }
        Some(Explanations { found: search.found, truncated: search.truncated })
    }
}

struct Search<'s> {
    seen: &'s Stickers,
    /// Number of known stickers from which a placement of a piece differs.
    differing: Weights<u8>,
    /// Number of stickers that were misread.
    misread: u8,
    limit: usize,
    found: Vec<Explanation>,
    /// Index of each cube in `found`.
    indices: HashMap<(Cube, Holding), usize>,
    truncated: bool,
}

impl<'s> Search<'s> {
    fn new(seen: &'s Stickers, limit: usize, misread: u8) -> Self {
        // A piece has at most three stickers.
        let differing = Costs::of_stickers(seen).0.map(|differing| u8::try_from(differing.0).unwrap_or(u8::MAX));
        Self { seen, differing, misread, limit, found: Vec::new(), indices: HashMap::new(), truncated: false }
    }

    /// Adds a way to a cube, if the cube has the known stickers, but for those that were misread.
    fn compare(&mut self, Held { cube, holding }: &Held, way: &[&Slip]) {
        if !self.is_possible(cube) {
            return;
        }
        let listed = || way.iter().map(|slip| (*slip).clone()).collect();
        if let Some(&index) = self.indices.get(&(*cube, *holding)) {
            let explanation = &mut self.found[index];
            if explanation.slips == way.len() {
                explanation.total += 1;
                if explanation.ways.len() < MAX_WAYS {
                    explanation.ways.push(listed());
                }
            }
        } else if self.found.len() < self.limit {
            self.indices.insert((*cube, *holding), self.found.len());
            let misread = self.seen.differences(cube).first().copied();
            let (slips, ways) = (way.len(), vec![listed()]);
            self.found.push(Explanation { cube: *cube, holding: *holding, misread, slips, total: 1, ways });
        } else {
            self.truncated = true;
        }
    }

    fn is_possible(&self, cube: &Cube) -> bool {
        let Weights { corners, edges } = &self.differing;
        let (twisted, flipped) = (cube.corners().iter().zip(cube.twists()), cube.edges().iter().zip(cube.flips()));
        let of_corners = twisted.zip(corners).map(|((piece, twist), slot)| slot[piece.index()][usize::from(*twist)]);
        let of_edges = flipped.zip(edges).map(|((piece, flip), slot)| slot[piece.index()][usize::from(*flip)]);
        let mut misread = 0;
        of_corners.chain(of_edges).all(|differing| {
            misread += differing;
            misread <= self.misread
        })
    }
}
