//! Reads the forms that list 54 stickers.

use super::layout::{Layout, NET, ULFRBD, URFDLB};
use crate::face::Face;
use crate::forms::error::Fault;
use crate::forms::format::Format;
use crate::forms::found::{Found, Parsed};
use crate::forms::holding::Holding;
use crate::forms::symbols::{Symbol, symbols};
use crate::geometry::{CENTRE_FACELETS, FACELETS};
use crate::input::Stickers;
use crate::input::{parse_facelets, shown};

/// Symbols of the faces U R F D L B in texts that name faces, and in the colours of the World Cube Association.
const MEANINGS: [&str; 4] = [FACE_LETTERS[0], FACE_LETTERS[1], "wrgyob", "WRGYOB"];

const FACE_LETTERS: [&str; 2] = ["URFDLB", "urfdlb"];

/// Reads 54 stickers in the order U R F D L B.
pub(crate) fn facelets(text: &str) -> Parsed {
    read(text, None, &MEANINGS)
}

/// Reads 54 stickers in the order U L F R B D.
pub(crate) fn ulfrbd(text: &str) -> Parsed {
    read(text, Some(&ULFRBD), &MEANINGS)
}

/// Reads the 54 stickers of an unfolded cube.
pub(crate) fn net(text: &str) -> Parsed {
    read(text, Some(&NET), &MEANINGS)
}

fn read(text: &str, layout: Option<&Layout>, meanings: &[&str]) -> Parsed {
    let given: Vec<char> = symbols(text).into_iter().map(|(_, symbol)| symbol).collect();
    if given.len() != FACELETS {
        // The parser explains the length, in whichever order the symbols are.
        let cube = parse_facelets(&given.into_iter().collect::<String>())?;
        return Ok(Found::held(cube, None));
    }
    let mut ordered = given.clone();
    for (at, symbol) in layout.into_iter().flatten().zip(&given) {
        ordered[usize::from(*at)] = *symbol;
    }
    let unknown: Vec<u8> = (0..).zip(&ordered).filter(|(_, symbol)| **symbol == '?').map(|(at, _)| at).collect();
    if !unknown.is_empty() {
        return Err(Fault::UnknownStickers(unknown));
    }
    let cube = parse_facelets(&ordered.iter().collect::<String>())?;
    let centres = CENTRE_FACELETS.map(|facelet| ordered[facelet]);
    Ok(Found::held(cube, meanings.iter().find_map(|meaning| holding(centres, meaning))))
}

/// Returns the 54 symbols of a text in the order U R F D L B, whatever they are.
///
/// Returns `None` if the text has another number of symbols, or if `format` does not list stickers.
///
/// # Examples
/// ```
/// use superflip_cube::forms::{Format, in_facelet_order};
///
/// let digits = "0111111111222222222333333333444444444555555555666666666";
/// let facelets = in_facelet_order(digits, Format::Digits);
/// assert_eq!(facelets.as_deref(), Some("111111111444444444333333333666666666222222222555555555"));
/// assert_eq!(in_facelet_order("R U F", Format::Facelets), None);
/// ```
pub fn in_facelet_order(text: &str, format: Format) -> Option<String> {
    let mut given = symbols(text);
    let layout = layout(format)?;
    if format == Format::Digits && given.len() == FACELETS + 1 && given[0].1 == '0' {
        given.remove(0);
    }
    if given.len() != FACELETS {
        return None;
    }
    let mut ordered: Vec<char> = given.iter().map(|(_, symbol)| *symbol).collect();
    for (at, (_, symbol)) in layout.iter().zip(&given) {
        ordered[usize::from(*at)] = *symbol;
    }
    Some(ordered.into_iter().collect())
}

/// Returns 54 symbols in the order U R F D L B rearranged to the order of this form; the inverse of [`in_facelet_order`].
///
/// Returns `None` if the text has another number of symbols, or if `format` does not list stickers.
///
/// # Examples
/// ```
/// use superflip_cube::forms::{Format, from_facelet_order};
///
/// let facelets = "111111111444444444333333333666666666222222222555555555";
/// let digits = from_facelet_order(facelets, Format::Digits);
/// assert_eq!(digits.as_deref(), Some("111111111222222222333333333444444444555555555666666666"));
/// ```
pub fn from_facelet_order(facelets: &str, format: Format) -> Option<String> {
    let ordered: Vec<char> = symbols(facelets).into_iter().map(|(_, symbol)| symbol).collect();
    let layout = layout(format)?;
    if ordered.len() != FACELETS {
        return None;
    }
    Some(layout.iter().map(|at| ordered[usize::from(*at)]).collect())
}

/// Returns the order in which a form lists the stickers; `None` if it lists none.
const fn layout(format: Format) -> Option<&'static Layout> {
    match format {
        Format::Facelets => Some(&URFDLB),
        Format::Ulfrbd | Format::Digits => Some(&ULFRBD),
        Format::Net => Some(&NET),
        _ => None,
    }
}

/// Returns how the cube is held, if the symbols of the centres name faces and a rotation leads to them.
fn holding(centres: [char; Face::COUNT], meaning: &str) -> Option<Holding> {
    let mut faces = Face::ALL;
    for (face, centre) in faces.iter_mut().zip(centres) {
        *face = Face::try_from_index(meaning.chars().position(|symbol| symbol == centre)?)?;
    }
    Holding::from_centres(faces)
}

/// Returns whether every symbol names a face or is an unknown sticker.
pub(crate) fn are_face_letters(symbols: &[Symbol]) -> bool {
    let names = |symbol: char| Face::from_letter(symbol.to_ascii_uppercase()).is_some();
    symbols.iter().all(|(_, symbol)| *symbol == Stickers::UNKNOWN || names(*symbol))
}

/// Returns whether the symbols of the centres are face letters to which a rotation leads, if 54 symbols are in the order of
/// this form.
pub(crate) fn are_held_centres(symbols: &[Symbol], format: Format) -> bool {
    let layout = match format {
        Format::Ulfrbd => Some(&ULFRBD),
        Format::Net => Some(&NET),
        _ => None,
    };
    let centre = |facelet: usize| {
        let at = layout.map_or(Some(facelet), |layout| layout.iter().position(|at| usize::from(*at) == facelet));
        at.and_then(|at| symbols.get(at)).map_or('?', |(_, symbol)| *symbol)
    };
    let centres = CENTRE_FACELETS.map(centre);
    FACE_LETTERS.iter().any(|meaning| holding(centres, meaning).is_some())
}

/// Reads digits in the order U L F R B D: `0` and then 54 digits of 1 to 6, or 54 digits of 0 to 5 or of 1 to 6.
pub(crate) fn digits(text: &str) -> Parsed {
    let mut given = symbols(text);
    if given.len() == FACELETS + 1 && given[0].1 == '0' {
        given.remove(0);
    }
    let text: String = given.iter().map(|(_, symbol)| *symbol).collect();
    if given.len() != FACELETS {
        // The parser explains the length.
        return read(&text, None, &[]);
    }
    let is_from_zero = text.contains('0');
    let (low, high, meaning) = if is_from_zero { ('0', '5', "032514") } else { ('1', '6', "143625") };
    if let Some((position, symbol)) = given.iter().find(|(_, symbol)| !(low..=high).contains(symbol) && *symbol != '?')
    {
        let message = format!("found `{}`, expected a digit from {low} to {high}", shown(*symbol));
        return Err(Fault::at(*position, message));
    }
    read(&text, Some(&ULFRBD), &[meaning])
}
