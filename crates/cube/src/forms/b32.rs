//! Reads and writes cubes as nissy does (nissy-core, `README.md`, "Cube format").
//!
//! Eight letters for the corners, `=`, twelve letters for the edges, `=`, one letter for the holding. `A` to `Z` and `a`
//! to `f` are the numbers 0 to 31. A corner is its number, plus 8 if twisted clockwise and 16 if twisted
//! counter-clockwise; an edge is its number, plus 16 if flipped. The pieces are named relative to the centres, and the
//! last letter is the number of the holding in [`Holding::ALL`].

use super::codec::{Codec, Recognised};
use super::codec::{Parsed, Symbol, symbols};
use super::error::{FormError, shown};
use super::twizzle;
use crate::cubie::Cube;
use crate::holding::Holding;
use crate::piece::{Corner, Edge};
use crate::verify::{InputForm, ReadPieces, verify};

/// Corners in the order of nissy: UFR UBL DFL DBR UFL UBR DFR DBL.
const CORNERS: [Corner; Corner::COUNT] =
    [Corner::Urf, Corner::Ulb, Corner::Dlf, Corner::Drb, Corner::Ufl, Corner::Ubr, Corner::Dfr, Corner::Dbl];

/// Edges in the order of nissy: UF UB DB DF UR UL DL DR FR FL BL BR.
const EDGES: [Edge; Edge::COUNT] = [
    Edge::Uf,
    Edge::Ub,
    Edge::Db,
    Edge::Df,
    Edge::Ur,
    Edge::Ul,
    Edge::Dl,
    Edge::Dr,
    Edge::Fr,
    Edge::Fl,
    Edge::Bl,
    Edge::Br,
];

const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef";

/// Number of characters.
const LENGTH: usize = 23;

/// The form.
pub(crate) const CODEC: Codec = Codec {
    name: "b32",
    title: "letters of nissy",
    recognised: Recognised::Certainly(|text| is_alike(text) && !twizzle::is_alike(text)),
    alphabet: "=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef",
    read: |text, _| read(text),
    write: Some(write),
};

/// Returns whether the text looks like this form, even with a wrong letter.
pub(crate) fn is_alike(text: &str) -> bool {
    let symbols = symbols(text);
    let signs = symbols.iter().filter(|(_, symbol)| *symbol == '=').count();
    let is_letter = |(_, symbol): &Symbol| *symbol == '=' || symbol.is_ascii_alphabetic();
    let letters = symbols.iter().filter(|symbol| is_letter(symbol)).count();
    (1..=3).contains(&signs) && symbols.len().abs_diff(LENGTH) <= 2 && letters + 2 >= symbols.len()
}

/// Reads the letters.
pub(crate) fn read(text: &str) -> Parsed {
    let given = symbols(text);
    let end = text.chars().count();
    let mut numbers = [0_u8; LENGTH];
    for (place, number) in numbers.iter_mut().enumerate() {
        let wanted = match place {
            8 | 21 => "`=`",
            22 => "a letter from A to X for the holding",
            9.. => "a letter for an edge: A to L, Q to Z, a or b",
            _ => "a letter for a corner: A to X",
        };
        let Some((position, symbol)) = given.get(place) else {
            return Err(FormError::at(
                end,
                format!("the text ends here, expected {wanted} as character {} of {LENGTH}", place + 1),
            ));
        };
        let value =
            LETTERS.iter().position(|letter| char::from(*letter) == *symbol).and_then(|value| u8::try_from(value).ok());
        let found = match place {
            8 | 21 => (*symbol == '=').then_some(0),
            9..21 => value.filter(|value| value % 16 < 12),
            _ => value.filter(|value| *value < 24),
        };
        *number =
            found.ok_or_else(|| FormError::at(*position, format!("found `{}`, expected {wanted}", shown(*symbol))))?;
    }
    if let Some((position, symbol)) = given.get(LENGTH) {
        return Err(FormError::at(
            *position,
            format!("found `{}`, expected the end after {LENGTH} characters", shown(*symbol)),
        ));
    }
    let mut reading = ReadPieces::default();
    for (slot, number) in CORNERS.iter().zip(&numbers[..8]) {
        reading.corners[slot.index()] = Some(CORNERS[usize::from(number % 8)]);
        reading.twists[slot.index()] = Some(number / 8);
    }
    for (slot, number) in EDGES.iter().zip(&numbers[9..21]) {
        reading.edges[slot.index()] = Some(EDGES[usize::from(number % 16)]);
        reading.flips[slot.index()] = Some(number / 16);
    }
    let holding = Holding::ALL[usize::from(numbers[22])];
    let home = verify(&reading, InputForm::Named, Vec::new())?;
    Ok((holding.from_home(&home), Some(holding)))
}

/// Writes the letters.
pub(crate) fn write(cube: &Cube, holding: Holding) -> String {
    let home = holding.to_home(cube);
    let mut text = String::with_capacity(LENGTH);
    let mut push = |number: usize| text.push(LETTERS.get(number).map_or('?', |letter| char::from(*letter)));
    let number = |piece: Corner| CORNERS.iter().position(|other| *other == piece).unwrap_or(0);
    CORNERS.map(Corner::index).iter().for_each(|&slot| {
        push(number(home.corners()[slot]) + 8 * usize::from(home.twists()[slot]));
    });
    let number = |piece: Edge| EDGES.iter().position(|other| *other == piece).unwrap_or(0);
    EDGES.map(Edge::index).iter().for_each(|&slot| {
        push(number(home.edges()[slot]) + 16 * usize::from(home.flips()[slot]));
    });
    push(holding.index());
    text.insert(20, '=');
    text.insert(8, '=');
    text
}
