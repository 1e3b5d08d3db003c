//! A request for scrambles.

use super::error::ScrambleError;
use super::kind::ScrambleKind;
use super::limits::{
    DEFAULT_MAX_LENGTH, DEFAULT_MIN_LENGTH, MAX_MAX_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES, MAX_SEED_BYTES,
    MIN_MAX_LENGTH,
};
use super::random_states::RandomStates;
use super::subset::Subset;
use superflip_cube::Cube;

/// A request for scrambles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScrambleRequest {
    /// The kind of all scrambles.
    pub kind: ScrambleKind,
    /// Number of scrambles, 1 to [`MAX_SCRAMBLES`]. Their cubes are distinct.
    pub count: usize,
    /// Greatest number of random moves, [`MIN_MAX_LENGTH`] to [`MAX_MAX_LENGTH`]. As in the official program, the six fixed
    /// moves of `333fm` and the wide moves of `333ni` do not count.
    pub max_length: u8,
    /// Cubes with a known solution of fewer moves are drawn again, 0 to [`MAX_MIN_LENGTH`]. Up to [`PROVEN_MIN_LENGTH`](super::PROVEN_MIN_LENGTH), no cube has
    /// a shorter solution. Above it, the scramble has at least this length, without the moves that do not count for `max_length`.
    pub min_length: u8,
    /// Cubes to draw from.
    pub subset: Subset,
    /// Seed of 1 to [`MAX_SEED_BYTES`] bytes. An integer is written as its decimal digits. Without a seed the cubes are random.
    pub seed: Option<String>,
    /// Cube that the only scramble leads to. No cube is drawn then, so only `kind`, without wide moves, and `max_length` have an effect.
    pub cube: Option<Cube>,
}

impl Default for ScrambleRequest {
    /// One random `333` scramble.
    fn default() -> Self {
        Self {
            kind: ScrambleKind::default(),
            count: 1,
            max_length: DEFAULT_MAX_LENGTH,
            min_length: DEFAULT_MIN_LENGTH,
            subset: Subset::default(),
            seed: None,
            cube: None,
        }
    }
}

impl ScrambleRequest {
    /// Checks everything that [`generate`](super::generate()) checks before it searches.
    ///
    /// # Errors
    /// The first field that is outside its limits, or that the subset has too few cubes.
    pub fn check(&self) -> Result<(), ScrambleError> {
        if !(1..=MAX_SCRAMBLES).contains(&self.count) {
            return Err(ScrambleError::Count { given: self.count });
        }
        if !(MIN_MAX_LENGTH..=MAX_MAX_LENGTH).contains(&self.max_length) {
            return Err(ScrambleError::MaxLength { given: self.max_length });
        }
        if self.cube.is_some() {
            return Ok(());
        }
        if self.min_length > MAX_MIN_LENGTH {
            return Err(ScrambleError::MinLength { given: self.min_length });
        }
        if let Some(length) = self.seed.as_deref().map(str::len).filter(|length| !(1..=MAX_SEED_BYTES).contains(length))
        {
            return Err(ScrambleError::Seed { length });
        }
        RandomStates::new(self.subset, self.seed.as_deref(), self.min_length)?.check_count(self.count)
    }
}
