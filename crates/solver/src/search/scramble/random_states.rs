//! Random cubes of a subset, random wide moves, and the uniform random integers behind them, from the operating system or from a seed.

use std::sync::LazyLock;

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use crate::control::Control;
use crate::search::partial::PartialTarget;
use crate::search::scramble::subset::{States, Subset};
use crate::search::scramble::{MAX_CROSS_LENGTH, ScrambleError};
use superflip_cube::forms::Read;
use superflip_cube::{Cube, Edge, Face, Holding, Move, TurnGroup, TurnSet};

/// Draws cubes with equal probability. Of those that need fewer than `min_length` moves, it excludes solved and the 18 cubes one move away.
///
/// # Examples
/// ```
/// use superflip_solver::search::scramble::{RandomStates, Subset};
///
/// let mut states = RandomStates::new(Subset::LAST_LAYER, None, 2)?;
/// assert!(Subset::LAST_LAYER.contains(&states.next_cube()?));
/// # Ok::<(), superflip_solver::search::scramble::ScrambleError>(())
/// ```
pub struct RandomStates {
    /// Name of the cubes, for errors.
    name: String,
    cubes: Numbered,
    draw: Draw,
    /// Cubes that are not drawn.
    excluded: Vec<Cube>,
    /// If the cross must take a given number of moves: the cubes that are drawn.
    cross: Option<CrossCubes>,
    min_length: u8,
}

/// Cubes with numbers.
enum Numbered {
    Subset(States),
    /// The cubes that some turns reach.
    Group(TurnGroup),
}

impl Numbered {
    fn size(&self) -> u128 {
        match self {
            Self::Subset(states) => states.size(),
            Self::Group(group) => group.order(),
        }
    }

    /// Returns the cube with a number below the size.
    fn cube(&self, number: u128) -> Cube {
        match self {
            Self::Subset(states) => states.cube(number),
            Self::Group(group) => group.member(number).unwrap_or(Cube::SOLVED),
        }
    }

    fn contains(&self, cube: &Cube) -> bool {
        match self {
            Self::Subset(states) => states.contains(cube),
            Self::Group(group) => group.contains(cube),
        }
    }
}

/// Returns the cubes that need fewer than `min_length` moves, of those that need fewer than two.
fn excluded(min_length: u8) -> Vec<Cube> {
    let near = Move::ALL.into_iter().map(|mv| *mv.cube());
    std::iter::once(Cube::SOLVED)
        .chain(near)
        .take(match min_length {
            0 => 0,
            1 => 1,
            _ => 1 + Move::COUNT,
        })
        .collect()
}

impl RandomStates {
    /// Creates a source of cubes from a seed, or from the operating system without one.
    ///
    /// # Errors
    /// When no cube of the subset can be drawn, or only the solved one.
    pub fn new(subset: Subset, seed: Option<&str>, min_length: u8) -> Result<Self, ScrambleError> {
        let states = subset.states();
        if let (Subset::Pieces(set), 1) = (subset, states.size()) {
            return Err(ScrambleError::NothingMoves { pieces: set.to_string() });
        }
        Self::of(Numbered::Subset(states), subset.to_string(), seed, min_length)
    }

    /// Creates a source of the cubes that some turns reach.
    ///
    /// # Errors
    /// When no such cube can be drawn.
    pub fn of_turns(turns: TurnSet, seed: Option<&str>, min_length: u8) -> Result<Self, ScrambleError> {
        Self::of(Numbered::Group(TurnGroup::new(turns)), format!("faces {turns}"), seed, min_length)
    }

    fn of(cubes: Numbered, name: String, seed: Option<&str>, min_length: u8) -> Result<Self, ScrambleError> {
        let draw = Draw::of(seed);
        let excluded = excluded(min_length);
        let created = Self { name, cubes, draw, excluded, cross: None, min_length };
        created.check_count(1)?;
        Ok(created)
    }

    /// Draws only cubes whose cross takes a given number of moves.
    #[must_use]
    pub fn with_cross(self, cross: Option<Cross>) -> Self {
        Self { cross: cross.map(CrossCubes::of), ..self }
    }

    /// Returns the number of cubes that can be drawn, whatever their cross.
    pub fn count(&self) -> u128 {
        self.cubes.size() - self.excluded.iter().filter(|cube| self.cubes.contains(cube)).count() as u128
    }

    /// Returns the next cube. Cubes may repeat.
    ///
    /// # Errors
    /// When the operating system supplies no random numbers.
    pub fn next_cube(&mut self) -> Result<Cube, ScrambleError> {
        loop {
            let cube = self.cubes.cube(self.draw.below(self.cubes.size())?);
            if !self.excluded.contains(&cube) && self.cross.as_ref().is_none_or(|cross| cross.contains(&cube)) {
                return Ok(cube);
            }
        }
    }

    /// Returns random wide moves; every holding after them is equally likely.
    pub(super) fn next_wide_moves(&mut self) -> Result<WideMoves, ScrambleError> {
        let index = self.draw.below(Holding::COUNT as u128)?;
        Ok(WideMoves::try_from_index(index as usize).unwrap_or_default())
    }

    /// Checks that there are this many distinct cubes.
    pub(super) fn check_count(&self, count: usize) -> Result<(), ScrambleError> {
        let cubes = self.count();
        if cubes < count as u128 {
            let (subset, min_length) = (self.name.clone(), self.min_length);
            return Err(ScrambleError::TooFewCubes { subset, cubes, min_length, count });
        }
        Ok(())
    }
}

/// The cross on a face, and the number of moves that solve it: its four edges come home.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cross {
    /// The face.
    pub face: Face,
    /// Least number of moves, 1 to [`MAX_CROSS_LENGTH`].
    pub length: u8,
}

/// The cubes whose cross takes a given number of moves.
pub(super) struct CrossCubes {
    target: PartialTarget,
    length: u8,
}

impl Cross {
    /// Checks the length.
    pub(super) fn check(self) -> Result<(), ScrambleError> {
        let Self { length, .. } = self;
        if (1..=MAX_CROSS_LENGTH).contains(&length) {
            Ok(())
        } else {
            Err(ScrambleError::CrossLength { given: length })
        }
    }
}

impl CrossCubes {
    pub(super) fn of(Cross { face, length }: Cross) -> Self {
        let is_of_cross = |edge: Edge| edge.faces().contains(&face);
        let target = PartialTarget::new(
            Cube::SOLVED,
            |_, _, _| true,
            |slot, edge, flip| if is_of_cross(slot) { slot == edge && flip == 0 } else { !is_of_cross(edge) },
        );
        Self { target, length }
    }

    /// Returns whether the cube is one of them. The first call computes the distances of all crosses, which takes milliseconds.
    pub(super) fn contains(&self, cube: &Cube) -> bool {
        // Nothing cancels this control.
        self.target.distance(cube, &Control::new()).is_ok_and(|distance| distance == self.length)
    }
}

/// The first wide move: the face it is named after, and its clockwise quarter turns.
const FIRST: [(Face, usize); 6] = [(Face::R, 0), (Face::R, 1), (Face::R, 2), (Face::R, 3), (Face::F, 1), (Face::F, 3)];

/// Up to two wide moves at the end of a scramble, one way for each [`Holding`]. Index 0..24; 0 is none.
///
/// A wide move turns two layers. It is a move of the opposite face and a rotation of the whole cube: `Rw` is `L x`, `Uw` is `D y`
/// and `Fw` is `B z`. The first move decides which face is up, the second which side is in front.
///
/// # Examples
/// ```
/// use superflip_solver::search::scramble::WideMoves;
///
/// let [none, some] = [0, 5].map(|index| WideMoves::try_from_index(index).expect("an index below 24"));
/// assert_eq!((none.names().join(" "), some.names().join(" ")), (String::new(), "Rw Uw".to_owned()));
/// assert_eq!(some.holding().name(), "FR");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WideMoves(u8);

/// What wide moves do.
struct Effect {
    names: Vec<String>,
    moves: Vec<Move>,
    holding: Holding,
}

static EFFECTS: LazyLock<[Effect; Holding::COUNT]> = LazyLock::new(|| std::array::from_fn(effect));

fn effect(index: usize) -> Effect {
    let mut effect = Effect { names: Vec::new(), moves: Vec::new(), holding: Holding::HOME };
    for (face, quarters) in [FIRST[index / 4], (Face::U, index % 4)] {
        // The move is named by places; the centre there names it in the holding at the start.
        let centre = effect.holding.centres()[face.opposite().index()];
        let (Some(named), Some(moved)) = (Move::of(face, quarters), Move::of(centre, quarters)) else { continue };
        effect.names.push(format!("{face}w{}", &named.name()[1..]));
        effect.moves.push(moved);
        let held = Read::of_scramble(&effect.names.join(" ")).ok().and_then(|read| read.holding);
        effect.holding = held.unwrap_or_default();
    }
    effect
}

#[allow(clippy::cast_possible_truncation)] // there are 24
impl WideMoves {
    /// Iterates over every choice in index order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Holding::COUNT as u8).map(Self)
    }

    /// Returns the index 0..24.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the wide moves with this index, or `None` from 24 on.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < Holding::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// Returns their names: one of none, `Rw`, `Rw2`, `Rw'`, `Fw`, `Fw'`, then one of none, `Uw`, `Uw2`, `Uw'`.
    pub fn names(self) -> &'static [String] {
        &EFFECTS[self.index()].names
    }

    /// Returns the face moves among them, named in the holding at the start: `Rw Uw` contains `L B`.
    pub fn moves(self) -> &'static [Move] {
        &EFFECTS[self.index()].moves
    }

    /// Returns the holding after them.
    pub fn holding(self) -> Holding {
        EFFECTS[self.index()].holding
    }
}

/// Name and version of the generator behind seeds. The module documentation of [`scramble`](super) defines it.
pub const GENERATOR: &str = "superflip-scramble-1";

/// Number of bytes that one attempt at an integer takes.
const BYTES: usize = 16;

/// A source of random integers.
pub(super) enum Draw {
    /// The random number generator of the operating system.
    System,
    /// The generator [`GENERATOR`].
    Seeded(Box<Blocks>),
}

impl Draw {
    /// Returns the source for a seed, or the operating system without one.
    pub(super) fn of(seed: Option<&str>) -> Self {
        seed.map_or(Self::System, |seed| Self::Seeded(Box::new(Blocks::new(seed))))
    }

    /// Returns an integer from 0 to `bound` - 1, each with the same probability. `bound` is at least 1.
    pub(super) fn below(&mut self, bound: u128) -> Result<u128, ScrambleError> {
        let mask = u128::MAX.checked_shr((bound - 1).leading_zeros()).unwrap_or(0);
        loop {
            let number = u128::from_be_bytes(self.bytes()?) & mask;
            if number < bound {
                return Ok(number);
            }
        }
    }

    /// Puts the items in a random order. All orders have the same probability (Fisher-Yates).
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) -> Result<(), ScrambleError> {
        for last in (1..items.len()).rev() {
            // Below the length, so it fits.
            let other = usize::try_from(self.below(last as u128 + 1)?).unwrap_or(last);
            items.swap(last, other);
        }
        Ok(())
    }

    fn bytes(&mut self) -> Result<[u8; BYTES], ScrambleError> {
        let mut bytes = [0; BYTES];
        match self {
            Self::System => {
                SysRng.try_fill_bytes(&mut bytes).map_err(|e| ScrambleError::NoRandomness { reason: e.to_string() })?;
            }
            Self::Seeded(blocks) => blocks.fill(&mut bytes),
        }
        Ok(bytes)
    }
}

/// SHA-256 in counter mode.
pub(super) struct Blocks {
    seed: String,
    /// Number of the next block.
    next: u64,
    block: [u8; 32],
    /// Number of bytes of the block that were taken.
    taken: usize,
}

impl Blocks {
    fn new(seed: &str) -> Self {
        Self { seed: seed.to_owned(), next: 0, block: [0; 32], taken: 32 }
    }

    fn fill(&mut self, bytes: &mut [u8; BYTES]) {
        // A block is two draws long.
        if self.taken == self.block.len() {
            let hash = Sha256::new().chain_update(GENERATOR).chain_update(self.next.to_be_bytes());
            self.block = hash.chain_update(&self.seed).finalize().into();
            self.next += 1;
            self.taken = 0;
        }
        bytes.copy_from_slice(&self.block[self.taken..self.taken + BYTES]);
        self.taken += BYTES;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected bytes are `hashlib.sha256(b"superflip-scramble-1" + i.to_bytes(8, "big") + b"abc")` of Python for i = 0 and 1.
    #[test]
    fn the_generator_is_sha_256_in_counter_mode() {
        let mut draw = Draw::of(Some("abc"));
        assert_eq!([(); 3].map(|()| u128::from_be_bytes(draw.bytes().unwrap())), EXPECTED);
    }

    const EXPECTED: [u128; 3] = [
        0x0a62_75a6_561d_3781_0225_b4cd_59ab_b7c2,
        0x0cc9_a941_5887_9c2d_23b5_542e_718c_2ddd,
        0x4d96_1215_d0ad_1502_5a4a_0150_039b_6d1f,
    ];

    #[test]
    fn integers_are_below_the_bound_and_reach_all_values() {
        for mut draw in [Draw::System, Draw::of(Some("1"))] {
            for bound in [1_u128, 2, 3, 8, 24] {
                let mut seen = std::collections::HashSet::new();
                for _ in 0..2000 {
                    seen.insert(draw.below(bound).unwrap());
                }
                assert_eq!(seen.len() as u128, bound);
                assert!(seen.iter().all(|number| *number < bound));
            }
        }
        assert!((0..100).any(|_| Draw::System.below(u128::MAX).unwrap() > u128::MAX / 2));
    }

    #[test]
    fn every_order_is_drawn() {
        for mut draw in [Draw::System, Draw::of(Some("1"))] {
            let mut seen = std::collections::HashSet::new();
            for _ in 0..1000 {
                let mut items = [1, 2, 3, 4];
                draw.shuffle(&mut items).unwrap();
                seen.insert(items);
            }
            assert_eq!(seen.len(), 24);
        }
    }

    #[test]
    fn the_system_does_not_repeat_itself() {
        let first: Vec<u128> = (0..4).map(|_| Draw::System.below(u128::MAX).unwrap()).collect();
        let second: Vec<u128> = (0..4).map(|_| Draw::System.below(u128::MAX).unwrap()).collect();
        assert!(first.iter().all(|number| !second.contains(number)));
    }
}
