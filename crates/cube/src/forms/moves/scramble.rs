//! Reads scrambles, with what programs append to them.

use crate::cubie::Cube;
use crate::forms::error::Fault;
use crate::forms::found::{Found, Parsed};
use crate::forms::holding::Holding;
use crate::input::InputError;
use crate::input::notation::parse_held;
use crate::input::reid::is_reid;

/// Reads a scramble in any notation of [`parse_scramble`](crate::input::parse_scramble), without a length at its end.
pub(crate) fn read(text: &str) -> Parsed {
    if is_reid(text) {
        let message = "20 names of pieces in a row are a Reid string, not turns: name the form `reid`.";
        return Err(Fault::at(0, message));
    }
    let (cube, holding) = held_scramble(text)?;
    Ok(Found::held(cube, holding))
}

/// Parses a maneuver as [`parse_scramble`](crate::input::parse_scramble), without a length at its end. Returns the cube and
/// how it is held in the end.
///
/// # Examples
/// ```
/// use superflip_cube::forms::{Holding, held_scramble};
/// use superflip_cube::input::parse_scramble;
///
/// assert_eq!(held_scramble("R U F (3f)")?, (parse_scramble("R U F")?, Some(Holding::HOME)));
/// assert_eq!(held_scramble("x R")?.1, Holding::from_name("FD"));
/// # Ok::<(), superflip_cube::input::InputError>(())
/// ```
///
/// # Errors
/// Returns the errors of [`parse_scramble`](crate::input::parse_scramble).
pub fn held_scramble(text: &str) -> Result<(Cube, Option<Holding>), InputError> {
    let (cube, centres) = parse_held(without_length(text))?;
    Ok((cube, Holding::from_centres(centres)))
}

/// Returns the text without a length in parentheses at its end, as Kociemba's programs write it: `(19f)`, `(18f*)`, or another
/// metric, `(18q)`, `(18s)`, `(18h)`. Although `(3f)` could be a turn, it is always a length.
///
/// # Examples
/// ```
/// use superflip_cube::forms::without_length;
///
/// assert_eq!(without_length("R3 U2 F1 (18f*)"), "R3 U2 F1 ");
/// assert_eq!(without_length("R (U F)"), "R (U F)");
/// ```
pub fn without_length(text: &str) -> &str {
    let before = || {
        let (before, inside) = text.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let number = inside.trim_end_matches('*').strip_suffix(['f', 'q', 's', 'h'])?;
        let is_length = (1..=4).contains(&number.len()) && number.chars().all(|digit| digit.is_ascii_digit());
        is_length.then_some(before)
    };
    before().unwrap_or(text)
}
