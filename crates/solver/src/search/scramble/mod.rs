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

mod error;
mod generate;
mod random_states;
mod subset;

pub use error::*;
pub use generate::{Scramble, ScrambleRequest, Scrambles, generate, generate_with};
pub use random_states::{Cross, GENERATOR, RandomStates, WideMoves};
pub use subset::{PieceSet, Subset};
