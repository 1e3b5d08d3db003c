//! Random cubes of a subset.

use super::draw::Draw;
use super::error::ScrambleError;
use super::subset::{States, Subset};
use super::wide_moves::WideMoves;
use superflip_cube::Holding;
use superflip_cube::{Cube, Move};

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
    subset: Subset,
    states: States,
    draw: Draw,
    /// Cubes that are not drawn.
    excluded: Vec<Cube>,
    min_length: u8,
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
        let created = Self { subset, states, draw: Draw::of(seed), excluded: excluded(min_length), min_length };
        created.check_count(1)?;
        Ok(created)
    }

    /// Returns the number of cubes that can be drawn.
    pub fn count(&self) -> u128 {
        self.states.size() - self.excluded.iter().filter(|cube| self.states.contains(cube)).count() as u128
    }

    /// Returns the next cube. Cubes may repeat.
    ///
    /// # Errors
    /// When the operating system supplies no random numbers.
    pub fn next_cube(&mut self) -> Result<Cube, ScrambleError> {
        loop {
            let cube = self.states.cube(self.draw.below(self.states.size())?);
            if !self.excluded.contains(&cube) {
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
            let (subset, min_length) = (self.subset.to_string(), self.min_length);
            return Err(ScrambleError::TooFewCubes { subset, cubes, min_length, count });
        }
        Ok(())
    }
}
