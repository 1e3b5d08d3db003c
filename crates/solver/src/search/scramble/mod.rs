//! Random-state scrambles by the rules of the World Cube Association (WCA).
//!
//! [`generate()`] draws each cube with equal probability from all cubes of a [`Subset`] that need at least `min_length` moves (two by
//! default, WCA regulation 4b3), solves it with the two-phase search, and returns the inverse of the solution. Official competitions must use the
//! official program (4f), so these scrambles are for training.
//!
//! | step | module |
//! | --- | --- |
//! | random integers, from the operating system or from a seed; cubes whose cross takes a given number of moves | `random_states` |
//! | the cube with a given number in a subset | `subset` |
//! | a maneuver from solved to that cube, under the rules of the [`ScrambleKind`] | `generate` |
//!
//! # Uniformity
//!
//! A cube of a subset is drawn by one uniform integer below its size. Numbers outside the range are rejected, not reduced, so every cube is
//! equally likely. Cubes that can be solved in fewer than `min_length` moves are
//! drawn again, and so are cubes that the same request already has. The default of two excludes solved and the 18 cubes one move away.
//! Up to [`PROVEN_MIN_LENGTH`], the near search decides. Above it, a cube is also drawn again if its scramble is too short.
//!
//! With [`ScrambleRequest::turns`], the cubes are the members of the group that the turns generate. The algorithm of Schreier and Sims numbers
//! them ([`TurnGroup::member`](superflip_cube::TurnGroup::member)), and the scrambles use these turns only. With [`ScrambleRequest::cross`], cubes with another length of the cross are drawn again.
//!
//! # Seeds
//!
//! With a seed, the integers come from a generator with the name [`GENERATOR`]. For one kind, subset, set of turns, cross and
//! `min_length`, a seed gives the same cubes and wide moves in every release; a change of the method would change the name. A smaller
//! count gives the first cubes of a larger one. The moves may differ between releases and between profiles of tables, and so may the cubes
//! with a `min_length` above [`PROVEN_MIN_LENGTH`], because another search may find another maneuver to the same cube.
//!
//! The generator is SHA-256 in counter mode. Block `i` of its output is the hash of three parts: the name in ASCII, `i` as eight
//! bytes with the most significant first, and the seed in UTF-8. The blocks are concatenated. An integer below `n` takes 16 bytes,
//! reads them with the most significant first, and keeps the `b` lowest bits, where `b` is the number of bits of `n - 1`. If the
//! result is `n` or more, the next 16 bytes are taken. Each scramble takes one integer for its cube, after possible rejections, and
//! for `333ni` one below 24 for its wide moves. A scramble that is too short takes both and is left out.

mod generate;
mod random_states;
mod subset;

pub use generate::{Scramble, ScrambleRequest, Scrambles, generate, generate_with};
pub use random_states::{Cross, GENERATOR, RandomStates, WideMoves};
pub use subset::{PieceSet, Subset};

use std::str::FromStr;

use crate::search::near::REACH;
use crate::search::solution::SolveError;
use superflip_cube::Move;
use superflip_cube::forms::plural;

/// Greatest number of characters that a message repeats of a wrong name.
const SHOWN: usize = 40;

/// A name that is not understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum NameError {
    /// No kind has this name.
    #[error("`{}` is not a kind of scramble; expected one of: 333, 333oh, 333ni, 333fm", shortened(given))]
    UnknownKind { given: String },
    /// No subset has this name.
    #[error(
        "`{}` is not a subset; expected one of: all, edges, corners, after_cross, last_slot, last_layer, zbll, pll, eo, eo_ud, eo_rl, eo_fb, dr, dr_ud, dr_rl, dr_fb, htr, or pieces such as `UF UB URF`",
        shortened(given)
    )]
    UnknownSubset { given: String },
    /// No piece has this name.
    #[error(
        "`{}` is not a piece; a piece is named by its faces, such as UF for an edge and URF for a corner",
        shortened(given)
    )]
    UnknownPiece { given: String },
    /// A piece was named twice.
    #[error("the piece `{given}` is named twice; name each piece once")]
    RepeatedPiece { given: String },
    /// No piece was named.
    #[error("no piece is named; name at least two corners or two edges, such as `UF UB`")]
    NoPieces,
}

fn shortened(text: &str) -> String {
    let mut out: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push_str("...");
    }
    out
}

/// Why there are no scrambles.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum ScrambleError {
    /// The number of scrambles is outside its limits.
    #[error("the number of scrambles is {given}; it must be from 1 to {MAX_SCRAMBLES}")]
    Count { given: usize },
    /// The greatest length is outside its limits.
    #[error(
        "the greatest length is {given}; it must be from {MIN_MAX_LENGTH} to {MAX_MAX_LENGTH}, because some cubes need 20 moves"
    )]
    MaxLength { given: u8 },
    /// The least length is outside its limits.
    #[error("the least length is {given}; it must be from 0 to {MAX_MIN_LENGTH}, because no cube needs more moves")]
    MinLength { given: u8 },
    /// The length of the seed is outside its limits.
    #[error("the seed has {length} bytes; it must have 1 to {MAX_SEED_BYTES}")]
    Seed { length: usize },
    /// The pieces cannot move: there is at most one corner and at most one edge.
    #[error("the pieces {pieces} cannot be moved while all others stay solved; name at least two corners or two edges")]
    NothingMoves { pieces: String },
    /// The subset has fewer distinct cubes than scrambles were requested.
    #[error(
        "the subset `{subset}` has at most {cubes} cubes with a scramble of at least {min_length} moves, but {count} were requested; request fewer scrambles, a lower minimum, or a larger subset"
    )]
    TooFewCubes {
        subset: String,
        /// Upper bound on the number of its cubes that need at least `min_length` moves.
        cubes: u128,
        min_length: u8,
        count: usize,
    },
    /// The operating system supplied no random numbers.
    #[error("the operating system supplied no random numbers: {reason}; try again, or give a seed")]
    NoRandomness { reason: String },
    /// The deadline passed.
    #[error(
        "{done} of {count} scrambles were found within the time limit; request fewer, or allow shorter or longer ones"
    )]
    TimeLimit {
        /// Number of scrambles that were found.
        done: usize,
        count: usize,
    },
    /// No maneuver to a cube keeps the rules of the kind within the greatest length.
    #[error(
        "found no maneuver of at most {max_length} move{} to one of the cubes that cancels with nothing before or after it; allow a greater length",
        plural(usize::from(*.max_length))
    )]
    NoManeuver { max_length: u8 },
    /// There are fewer maneuvers to the cube than scrambles were requested.
    #[error(
        "there are only {found} maneuvers of at most {max_length} moves to the cube; request fewer scrambles, or allow a greater length"
    )]
    TooFewManeuvers { found: usize, max_length: u8 },
    /// The length of the cross is outside its limits.
    #[error(
        "the length of the cross is {given}; it must be from 1 to {MAX_CROSS_LENGTH}, because no cross needs more moves, and the subset `after_cross` has those that are solved"
    )]
    CrossLength { given: u8 },
    /// Two fields of the request contradict each other.
    #[error("{reason}")]
    Contradiction {
        /// The field that is wrong, by its name in the query.
        field: &'static str,
        /// What is wrong, and how to mend it.
        reason: &'static str,
    },
    /// The turns do not reach the cube, or their tables are missing.
    #[error(transparent)]
    Search(SolveError),
    /// The search was cancelled.
    #[error("the search for scrambles was cancelled")]
    Cancelled,
}

/// Greatest number of scrambles of one request.
pub const MAX_SCRAMBLES: usize = 100;

/// Least permitted `max_length`. Every cube can be solved in 20 moves and some need them (Rokicki, Kociemba, Davidson, Dethridge 2010).
/// A lower limit would exclude cubes, so scrambles would no longer be uniform.
pub const MIN_MAX_LENGTH: u8 = 20;

/// Default `max_length`, as in the official scramble program.
pub const DEFAULT_MAX_LENGTH: u8 = 21;

/// Greatest permitted `max_length`: that of the two-phase search.
pub const MAX_MAX_LENGTH: u8 = 30;

/// Default `max_length` of scrambles with some faces only, whose cubes may need more than 20 moves of these faces.
pub const DEFAULT_MAX_LENGTH_OF_FACES: u8 = 25;

/// Greatest length of a cross: every cross can be solved in eight moves.
pub const MAX_CROSS_LENGTH: u8 = 8;

/// Default `min_length`. WCA regulation 4b3 excludes cubes that can be solved in fewer than two moves.
pub const DEFAULT_MIN_LENGTH: u8 = 2;

/// Greatest permitted `min_length`. No cube needs more moves.
pub const MAX_MIN_LENGTH: u8 = 20;

/// Greatest `min_length` for which it is proven that a cube has no shorter solution: the near search covers all shorter ones.
pub const PROVEN_MIN_LENGTH: u8 = REACH + 1;

/// Greatest length of a seed, in bytes of UTF-8.
pub const MAX_SEED_BYTES: usize = 200;

/// Moves before and after each scramble for fewest moves: `R' U' F`, as in the official program.
const PADDING: [Move; 3] = [Move::Ri, Move::Ui, Move::F];

/// The kind of a scramble.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScrambleKind {
    /// `333`: face moves only.
    #[default]
    Normal,
    /// `333oh`: one-handed; the same as `333`.
    OneHanded,
    /// `333ni`: no inspection, for blindfolded solving. Up to two wide moves at the end change the [`Holding`](superflip_cube::Holding).
    NoInspection,
    /// `333fm`: fewest moves. The scramble begins and ends with `R' U' F`, so that its inverse is no useful solution.
    FewestMoves,
}

impl ScrambleKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Normal, Self::OneHanded, Self::NoInspection, Self::FewestMoves];

    /// Names of the kinds, in the order of [`ScrambleKind::ALL`].
    pub const NAMES: [&'static str; 4] = ["333", "333oh", "333ni", "333fm"];

    /// Returns its name: the event of the WCA, with `ni` for the blindfolded ones.
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the moves before and after each scramble.
    pub const fn padding(self) -> &'static [Move] {
        if matches!(self, Self::FewestMoves) { &PADDING } else { &[] }
    }
}

impl FromStr for ScrambleKind {
    type Err = NameError;

    /// Reads a name such as `333fm`.
    fn from_str(text: &str) -> Result<Self, NameError> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| NameError::UnknownKind { given: text.to_owned() })
    }
}
