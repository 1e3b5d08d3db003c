//! Random cubes of a subset.

use super::cross::{Cross, CrossCubes};
use super::draw::Draw;
use super::error::ScrambleError;
use super::subset::{States, Subset};
use super::wide_moves::WideMoves;
use superflip_cube::Holding;
use superflip_cube::{Cube, Move, TurnGroup, TurnSet};

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
