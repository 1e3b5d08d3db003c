//! A request for scrambles.

use super::cross::Cross;
use super::error::ScrambleError;
use super::kind::ScrambleKind;
use super::limits::{
    DEFAULT_MAX_LENGTH, DEFAULT_MIN_LENGTH, MAX_MAX_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES, MAX_SEED_BYTES,
    MIN_MAX_LENGTH,
};
use super::random_states::RandomStates;
use super::subset::Subset;
use superflip_cube::{Cube, TurnSet};

/// A request for scrambles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScrambleRequest {
    /// The kind of all scrambles.
    pub kind: ScrambleKind,
    /// Number of scrambles, 1 to [`MAX_SCRAMBLES`]. Their cubes are distinct, or with `cubes` the scrambles are.
    pub count: usize,
    /// Greatest number of random moves, [`MIN_MAX_LENGTH`] to [`MAX_MAX_LENGTH`]. As in the official program, the six fixed
    /// moves of `333fm` and the wide moves of `333ni` do not count.
    pub max_length: u8,
    /// Cubes with a known solution of fewer moves are drawn again, 0 to [`MAX_MIN_LENGTH`]. Up to [`PROVEN_MIN_LENGTH`](super::PROVEN_MIN_LENGTH), no cube has
    /// a shorter solution. Above it, the scramble has at least this length, without the moves that do not count for `max_length`.
    pub min_length: u8,
    /// Cubes to draw from.
    pub subset: Subset,
    /// Turns of the scrambles. The cubes are drawn from all that these turns reach, and `subset` must be the default. The turns
    /// need their tables in HTM.
    pub turns: TurnSet,
    /// Cross that the cubes must have, drawn from all cubes.
    pub cross: Option<Cross>,
    /// Seed of 1 to [`MAX_SEED_BYTES`] bytes. An integer is written as its decimal digits. Without a seed the cubes are random.
    pub seed: Option<String>,
    /// Cubes that the scrambles lead to, if any are given: to each of them equally many or one more, in random order. Only `kind`, without wide
    /// moves, `count`, `max_length` and `turns` have an effect then. Cubes that the turns do not reach are left out if they reach others.
    pub cubes: Vec<Cube>,
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
            turns: TurnSet::ALL,
            cross: None,
            seed: None,
            cubes: Vec::new(),
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
        self.check_together()?;
        if !self.cubes.is_empty() {
            return Ok(());
        }
        if self.min_length > MAX_MIN_LENGTH {
            return Err(ScrambleError::MinLength { given: self.min_length });
        }
        if let Some(length) = self.seed.as_deref().map(str::len).filter(|length| !(1..=MAX_SEED_BYTES).contains(length))
        {
            return Err(ScrambleError::Seed { length });
        }
        self.states()?.check_count(self.count)
    }

    /// Returns the source of the cubes.
    pub(super) fn states(&self) -> Result<RandomStates, ScrambleError> {
        let seed = self.seed.as_deref();
        let states = if self.turns.is_all() {
            RandomStates::new(self.subset, seed, self.min_length)
        } else {
            RandomStates::of_turns(self.turns, seed, self.min_length)
        };
        // A source counts one scramble.
        let of_request = |mut error| {
            if let ScrambleError::TooFewCubes { count, .. } = &mut error {
                *count = self.count;
            }
            error
        };
        Ok(states.map_err(of_request)?.with_cross(self.cross))
    }

    /// Checks that no field contradicts another.
    fn check_together(&self) -> Result<(), ScrambleError> {
        let (restricts, draws_subset) = (!self.turns.is_all(), self.subset != Subset::ALL);
        let has_other_moves = matches!(self.kind, ScrambleKind::NoInspection | ScrambleKind::FewestMoves);
        let found = [
            (
                restricts && has_other_moves,
                "kind",
                "with `faces`, the kind must be `333` or `333oh`, because the other kinds turn other faces too",
            ),
            (
                restricts && draws_subset,
                "subset",
                "with `faces`, the cubes are all that these faces reach; remove `subset` or `faces`",
            ),
            (
                self.cross.is_some() && (restricts || draws_subset),
                "cross_length",
                "with `cross_length`, the cubes are drawn from all cubes; remove `cross_length`, or remove `subset` and `faces`",
            ),
            // A search for several solutions may enumerate those that cancel with the fixed moves without end.
            (
                !self.cubes.is_empty() && self.count > self.cubes.len() && self.kind == ScrambleKind::FewestMoves,
                "count",
                "with the kind `333fm`, there is one scramble to each given cube; lower `count`, or use the kind `333`",
            ),
        ];
        if let Some((_, field, reason)) = found.into_iter().find(|(is_wrong, ..)| *is_wrong) {
            return Err(ScrambleError::Contradiction { field, reason });
        }
        self.cross.map_or(Ok(()), Cross::check)
    }
}
