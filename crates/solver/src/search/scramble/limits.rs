//! Limits of a request for scrambles.

use crate::search::near::REACH;

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
