//! Turns on the inverse scramble (NISS).
//!
//! In fewest-moves solving, some turns of a solution may be found on the inverse of the scramble. Programs such as nissy
//! write them in parentheses, which always mean a group here. So they are given apart: turns on the normal scramble, and
//! turns on the inverse.
//!
//! With the position `c`, normal turns `N` and turns `I` on the inverse, the position is now `I^-1 c N`: the turns `I`
//! applied to the inverse of `c N`, inverted back. It is solved exactly if `c N I^-1` is, so `N I^-1` is a solution of
//! `c` without NISS.

use crate::cubie::Cube;
use crate::moves::{Move, invert};

/// Returns the position after normal turns and turns on the inverse, as nissy applies them.
///
/// # Examples
/// ```
/// use superflip_cube::forms::{apply_niss, unniss};
/// use superflip_cube::input::parse_turns;
/// use superflip_cube::{Cube, join};
///
/// // Nissy writes this solution of R U F as `(R U) F'`.
/// let cube = Cube::SOLVED.after(&parse_turns("R U F")?);
/// let (normal, inverse) = (parse_turns("F'")?, parse_turns("R U")?);
/// assert!(apply_niss(&cube, &normal, &inverse).is_solved());
/// assert_eq!(join(&unniss(&normal, &inverse)), "F' U' R'");
/// # Ok::<(), superflip_cube::input::InputError>(())
/// ```
#[must_use]
pub fn apply_niss(cube: &Cube, normal: &[Move], inverse: &[Move]) -> Cube {
    cube.after(normal).inverse().after(inverse).inverse()
}

/// Returns the solution without NISS: the normal turns, then the inverse of the turns on the inverse.
#[must_use]
pub fn unniss(normal: &[Move], inverse: &[Move]) -> Vec<Move> {
    [normal, &invert(inverse)].concat()
}
