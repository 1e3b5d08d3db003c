//! Random cubes of a subset.

use super::draw::Draw;
use super::error::ScrambleError;
use super::subset::{States, Subset};
use super::wide_turns::WideTurns;
use crate::cube::forms::Holding;
use crate::cube::{Cube, Move};

/// Draws cubes that need at least two turns, each with the same probability.
///
/// # Examples
/// ```
/// use superflip_engine::search::scramble::{RandomStates, Subset};
///
/// let mut states = RandomStates::new(Subset::LAST_LAYER, None)?;
/// assert!(Subset::LAST_LAYER.contains(&states.next_cube()?));
/// # Ok::<(), superflip_engine::search::scramble::ScrambleError>(())
/// ```
pub struct RandomStates {
    subset: Subset,
    states: States,
    draw: Draw,
}

/// Solved and the 18 cubes one turn away, which WCA regulation 4b3 excludes.
fn excluded() -> impl Iterator<Item = &'static Cube> {
    std::iter::once(&Cube::SOLVED).chain(Move::ALL.into_iter().map(Move::cube))
}

impl RandomStates {
    /// Creates a source of cubes from a seed, or from the operating system without one.
    ///
    /// # Errors
    /// When no cube of the subset needs two turns or more.
    pub fn new(subset: Subset, seed: Option<&str>) -> Result<Self, ScrambleError> {
        let states = subset.states();
        if let (Subset::Pieces(set), 1) = (subset, states.size()) {
            return Err(ScrambleError::NothingMoves { pieces: set.to_string() });
        }
        let created = Self { subset, states, draw: Draw::of(seed) };
        created.check_count(1)?;
        Ok(created)
    }

    /// Returns the number of cubes that can be drawn.
    pub fn count(&self) -> u128 {
        self.states.size() - excluded().filter(|cube| self.states.contains(cube)).count() as u128
    }

    /// Returns the next cube. Cubes may repeat.
    ///
    /// # Errors
    /// When the operating system supplies no random numbers.
    pub fn next_cube(&mut self) -> Result<Cube, ScrambleError> {
        loop {
            let cube = self.states.cube(self.draw.below(self.states.size())?);
            if excluded().all(|near| *near != cube) {
                return Ok(cube);
            }
        }
    }

    /// Returns random wide turns; every holding after them is equally likely.
    pub(super) fn next_wide_turns(&mut self) -> Result<WideTurns, ScrambleError> {
        let index = self.draw.below(Holding::COUNT as u128)?;
        Ok(WideTurns::try_from_index(index as usize).unwrap_or_default())
    }

    /// Checks that there are this many distinct cubes.
    pub(super) fn check_count(&self, count: usize) -> Result<(), ScrambleError> {
        let cubes = self.count();
        if cubes < count as u128 {
            return Err(ScrambleError::TooFewCubes { subset: self.subset.to_string(), cubes, count });
        }
        Ok(())
    }
}
