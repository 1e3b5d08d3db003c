//! The forms that list 54 stickers: facelets in two orders, nets, digits.
#![allow(clippy::cast_possible_truncation)] // numbers of stickers are below 54

use super::Form;
use super::codec::{Codec, Recognised};
use super::codec::{Parsed, Symbol, symbols};
use super::error::{FormError, shown};
use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::{CENTRE_FACELETS, FACELETS};
use crate::holding::Holding;
use crate::verify::Stickers;

/// The facelet (0..54, order U R F D L B) at each position of a text.
type Layout = [u8; FACELETS];

/// Faces in the order U R F D L B, row by row.
const URFDLB: Layout = by_faces(Face::ALL);

/// Faces in the order U L F R B D, row by row.
const ULFRBD: Layout = by_faces([Face::U, Face::L, Face::F, Face::R, Face::B, Face::D]);

/// The rows of an unfolded cube: three of U, three of L F R B side by side, three of D.
const NET: Layout = {
    let mut out = ULFRBD;
    let band = [Face::L, Face::F, Face::R, Face::B];
    let mut row = 0;
    while row < 3 {
        let mut column = 0;
        while column < 12 {
            let face = band[column / 3].index();
            out[9 + 12 * row + column] = (9 * face + 3 * row + column % 3) as u8;
            column += 1;
        }
        row += 1;
    }
    out
};

const fn by_faces(faces: [Face; Face::COUNT]) -> Layout {
    let mut out = [0; FACELETS];
    let mut at = 0;
    while at < FACELETS {
        out[at] = (9 * faces[at / 9].index() + at % 9) as u8;
        at += 1;
    }
    out
}

/// Symbols of the faces U R F D L B in texts that name faces, and in the colours of the World Cube Association.
const MEANINGS: [&str; 4] = [FACE_LETTERS[0], FACE_LETTERS[1], COLOUR_LETTERS[0], COLOUR_LETTERS[1]];

const FACE_LETTERS: [&str; 2] = ["URFDLB", "urfdlb"];

/// Letters of the usual colours on U R F D L B.
const COLOUR_LETTERS: [&str; 2] = ["wrgyob", "WRGYOB"];

/// Facelets.
pub(crate) const FACELETS_CODEC: Codec = Codec {
    name: "facelets",
    title: "54 stickers, faces in the order U R F D L B",
    recognised: Recognised::ByCounts,
    alphabet: "",
    read: |text, _| read(text, &URFDLB),
    write: Some(|cube, holding| letters(&ordered(cube, holding, &URFDLB))),
};

/// Facelets in the other order.
pub(crate) const ULFRBD_CODEC: Codec = Codec {
    name: "ulfrbd",
    title: "54 stickers, faces in the order U L F R B D",
    read: |text, _| read(text, &ULFRBD),
    write: Some(|cube, holding| letters(&ordered(cube, holding, &ULFRBD))),
    ..FACELETS_CODEC
};

/// A net.
pub(crate) const NET_CODEC: Codec = Codec {
    name: "net",
    title: "an unfolded cube",
    read: |text, _| read(text, &NET),
    write: Some(|cube, holding| net(&ordered(cube, holding, &NET))),
    ..FACELETS_CODEC
};

/// Digits.
pub(crate) const DIGITS_CODEC: Codec = Codec {
    name: "digits",
    title: "54 digits, faces in the order U L F R B D",
    alphabet: "0123456",
    read: |text, _| digits(text),
    write: Some(|cube, holding| write_digits(&ordered(cube, holding, &ULFRBD))),
    ..FACELETS_CODEC
};

/// Reads 54 stickers in this order.
fn read(text: &str, layout: &Layout) -> Parsed {
    read_in(text, Some(layout), &MEANINGS)
}

fn read_in(text: &str, layout: Option<&Layout>, meanings: &[&str]) -> Parsed {
    let given: Vec<char> = symbols(text).into_iter().map(|(_, symbol)| symbol).collect();
    if given.len() != FACELETS {
        // The parser explains the length, in whichever order the symbols are.
        return Ok((Cube::from_facelets(&given.into_iter().collect::<String>())?, None));
    }
    let mut ordered = given.clone();
    for (at, symbol) in layout.into_iter().flatten().zip(&given) {
        ordered[usize::from(*at)] = *symbol;
    }
    let unknown: Vec<u8> = (0..).zip(&ordered).filter(|(_, symbol)| **symbol == '?').map(|(at, _)| at).collect();
    if !unknown.is_empty() {
        return Err(FormError::UnknownStickers { formats: Vec::new(), stickers: unknown });
    }
    let cube = Cube::from_facelets(&ordered.iter().collect::<String>())?;
    let centres = CENTRE_FACELETS.map(|facelet| ordered[facelet]);
    Ok((cube, meanings.iter().find_map(|meaning| holding(centres, meaning))))
}

/// Returns the 54 symbols of a text in the order U R F D L B, whatever they are.
///
/// Returns `None` if the text has another number of symbols, or if `format` does not list stickers.
///
/// # Examples
/// ```
/// use superflip_cube::forms::{Form, in_facelet_order};
///
/// let digits = "0111111111222222222333333333444444444555555555666666666";
/// let facelets = in_facelet_order(digits, Form::Digits);
/// assert_eq!(facelets.as_deref(), Some("111111111444444444333333333666666666222222222555555555"));
/// assert_eq!(in_facelet_order("R U F", Form::Facelets), None);
/// ```
pub fn in_facelet_order(text: &str, format: Form) -> Option<String> {
    let mut given = symbols(text);
    let layout = layout(format)?;
    if format == Form::Digits && given.len() == FACELETS + 1 && given[0].1 == '0' {
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
/// use superflip_cube::forms::{Form, from_facelet_order};
///
/// let facelets = "111111111444444444333333333666666666222222222555555555";
/// let digits = from_facelet_order(facelets, Form::Digits);
/// assert_eq!(digits.as_deref(), Some("111111111222222222333333333444444444555555555666666666"));
/// ```
pub fn from_facelet_order(facelets: &str, format: Form) -> Option<String> {
    let ordered: Vec<char> = symbols(facelets).into_iter().map(|(_, symbol)| symbol).collect();
    let layout = layout(format)?;
    if ordered.len() != FACELETS {
        return None;
    }
    Some(layout.iter().map(|at| ordered[usize::from(*at)]).collect())
}

/// Returns the order in which a form lists the stickers; `None` if it lists none.
const fn layout(format: Form) -> Option<&'static Layout> {
    match format {
        Form::Facelets => Some(&URFDLB),
        Form::Ulfrbd | Form::Digits => Some(&ULFRBD),
        Form::Net => Some(&NET),
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

/// The symbols of the centres of U R F D L B, if 54 symbols are in the order of a form.
pub(crate) struct Centres([char; Face::COUNT]);

impl Centres {
    pub(crate) fn of(symbols: &[Symbol], format: Form) -> Self {
        let centre = |facelet: usize| {
            let at = layout(format)?.iter().position(|at| usize::from(*at) == facelet)?;
            symbols.get(at).map(|(_, symbol)| *symbol)
        };
        Self(CENTRE_FACELETS.map(|facelet| centre(facelet).unwrap_or(Stickers::UNKNOWN)))
    }

    /// Returns whether a rotation leads to these letters of faces or of the usual colours, which speaks for this order.
    pub(crate) fn are_held(&self) -> bool {
        MEANINGS.iter().any(|meaning| holding(self.0, meaning).is_some())
    }

    /// Returns whether they are face letters to which a rotation leads.
    pub(crate) fn are_held_faces(&self) -> bool {
        FACE_LETTERS.iter().any(|meaning| holding(self.0, meaning).is_some())
    }

    /// Returns them if they are the six face letters, in any arrangement.
    pub(crate) fn are_face_letters(&self) -> Option<[char; Face::COUNT]> {
        let has_all = |meaning: &&str| meaning.chars().all(|letter| self.0.contains(&letter));
        FACE_LETTERS.iter().any(has_all).then_some(self.0)
    }

    /// Returns whether they are the letters of the usual colours as in a mirror: white is opposite yellow, red opposite orange and green
    /// opposite blue, but no rotation leads to them.
    pub(crate) fn are_mirrored_colours(&self) -> bool {
        // Opposite colours are three places apart.
        let are_opposite_colours = COLOUR_LETTERS.iter().any(|letters| {
            let place = self.0.map(|symbol| letters.chars().position(|letter| letter == symbol));
            let are_opposite =
                |at: usize| matches!((place[at], place[at + 3]), (Some(a), Some(b)) if a.abs_diff(b) == 3);
            let has_all = letters.chars().all(|letter| self.0.contains(&letter));
            has_all && (0..3).all(are_opposite)
        });
        are_opposite_colours && !self.are_held()
    }
}

/// Reads digits in the order U L F R B D: `0` and then 54 digits of 1 to 6, or 54 digits of 0 to 5 or of 1 to 6.
fn digits(text: &str) -> Parsed {
    let mut given = symbols(text);
    if given.len() == FACELETS + 1 && given[0].1 == '0' {
        given.remove(0);
    }
    let text: String = given.iter().map(|(_, symbol)| *symbol).collect();
    if given.len() != FACELETS {
        // The parser explains the length.
        return read_in(&text, None, &[]);
    }
    let is_from_zero = text.contains('0');
    let (low, high, meaning) = if is_from_zero { ('0', '5', "032514") } else { ('1', '6', "143625") };
    if let Some((position, symbol)) = given.iter().find(|(_, symbol)| !(low..=high).contains(symbol) && *symbol != '?')
    {
        let message = format!("found `{}`, expected a digit from {low} to {high}", shown(*symbol));
        return Err(FormError::at(*position, message));
    }
    read_in(&text, Some(&ULFRBD), &[meaning])
}

/// Returns the colours of the stickers in this order.
fn ordered(cube: &Cube, holding: Holding, layout: &Layout) -> [Face; FACELETS] {
    let colours = holding.stickers(cube);
    layout.map(|at| colours[usize::from(at)])
}

fn letters(ordered: &[Face; FACELETS]) -> String {
    ordered.iter().map(|colour| colour.letter()).collect()
}

/// Writes `0` and 54 digits: U1 L2 F3 R4 B5 D6.
fn write_digits(ordered: &[Face; FACELETS]) -> String {
    let digit = |colour: Face| ['1', '4', '3', '6', '2', '5'][colour.index()];
    std::iter::once('0').chain(ordered.map(digit)).collect()
}

/// Writes nine lines: U above F, then L F R B side by side, then D below F.
fn net(ordered: &[Face; FACELETS]) -> String {
    const WIDTH: usize = "LLL FFF RRR BBB\n".len();
    let mut text = String::with_capacity(9 * WIDTH);
    for (position, colour) in ordered.iter().enumerate() {
        let is_in_band = (9..45).contains(&position);
        let column = if is_in_band { (position - 9) % 12 } else { position % 3 };
        match column {
            0 if position > 0 => text.push('\n'),
            3 | 6 | 9 => text.push(' '),
            _ => {}
        }
        if column == 0 && !is_in_band {
            text.push_str("    ");
        }
        text.push(colour.letter());
    }
    text
}
