//! Reads and writes the binary form of cubing.js (`cubing/protocol/binary/binary3x3x3.ts`).
//!
//! 88 bits, the highest first: number of the edge permutation in lexicographic order (29 bits), flips (12), number of
//! the corner permutation (16), twists to the base 3 (13), the centre on top (3) and on the left (2), whether rotations
//! of centres are known (1), rotations of centres (12). Pieces have Reid's numbers, relative to the centres. 7 in place
//! of the centre on top: the holding is not known. The rotations of centres are read but not kept.
#![allow(clippy::cast_possible_truncation)] // digits, ranks and bit fields of at most 32 bits

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::codec::{Codec, Recognised};
use super::codec::{Parsed, symbols};
use super::error::{FormError, shown};
use super::reid::{CENTRES, ReidPieces, position};
use crate::cubie::Cube;
use crate::face::Face;
use crate::holding::Holding;

/// Number of bytes.
pub(crate) const BYTES: usize = 11;

/// Length in base64 with padding.
const BASE64: usize = 16;

const HOME_CENTRES: [u8; Face::COUNT] = [0, 1, 2, 3, 4, 5];

/// The form.
pub(crate) const CODEC: Codec = Codec {
    name: "twizzle",
    title: "Twizzle binary",
    recognised: Recognised::Perhaps(|text, _| is_alike(text)),
    alphabet: "0123456789abcdef",
    read: |text, _| read(text),
    write: Some(write),
};

/// Returns whether the text looks like the bytes as hexadecimal digits or as base64 with padding.
pub(crate) fn is_alike(text: &str) -> bool {
    let symbols = symbols(text);
    let are = |is: fn(&char) -> bool| symbols.iter().all(|(_, symbol)| is(symbol));
    let has_digit = symbols.iter().any(|(_, symbol)| symbol.is_ascii_digit());
    let is_hex = symbols.len().abs_diff(2 * BYTES) <= 2 && are(char::is_ascii_hexdigit) && has_digit;
    is_hex || is_base64(text)
}

fn is_base64(text: &str) -> bool {
    let text = text.trim();
    text.len() == BASE64 && text.find('=') == Some(BASE64 - 1)
}

/// Reads the bytes: 22 hexadecimal digits, with or without spaces, or base64 (standard or for addresses).
pub(crate) fn read(text: &str) -> Parsed {
    let given = symbols(text);
    let end = text.chars().count();
    let mut bytes = [0_u8; BYTES];
    let is_hex = given.len() == 2 * BYTES || given.iter().all(|(_, symbol)| symbol.is_ascii_hexdigit());
    if is_base64(text) || (!is_hex && given.len() == BASE64 - 1) {
        let compact: String = given.iter().map(|(_, symbol)| *symbol).collect();
        let decoded = [alphabet::STANDARD, alphabet::URL_SAFE].into_iter().find_map(|alphabet| {
            let config = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
            GeneralPurpose::new(&alphabet, config).decode(&compact).ok()
        });
        bytes = decoded.and_then(|bytes| bytes.try_into().ok()).ok_or_else(|| {
            let wrong = given.iter().find(|(_, symbol)| !symbol.is_ascii_alphanumeric() && !"+/-_=".contains(*symbol));
            FormError::at(wrong.map_or(end, |(at, _)| *at), "found text that is not base64 of 11 bytes")
        })?;
    } else {
        for (place, (position, symbol)) in given.iter().enumerate() {
            let digit = symbol.to_digit(16).filter(|_| place < 2 * BYTES).ok_or_else(|| {
                let message =
                    format!("found `{}`, expected 22 hexadecimal digits or 16 characters of base64", shown(*symbol));
                FormError::at(*position, message)
            })?;
            bytes[place / 2] |= (digit as u8) << (4 * (1 - place % 2));
        }
        if given.len() < 2 * BYTES {
            return Err(FormError::at(end, format!("found {} hexadecimal digits, expected 22", given.len())));
        }
    }
    // Positions of digits are known for hexadecimal digits only.
    cube(bytes, |bit| given.get(bit / 4).filter(|_| given.len() == 2 * BYTES).map_or(0, |(at, _)| *at))
}

/// Takes fields off the bits, the highest first.
struct Bits {
    bits: u128,
    left: usize,
}

impl Bits {
    fn take(&mut self, width: usize) -> u32 {
        self.left -= width;
        (self.bits >> self.left) as u32 & ((1 << width) - 1)
    }
}

fn cube(bytes: [u8; BYTES], position_of: impl Fn(usize) -> usize) -> Parsed {
    let bits = bytes.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
    let mut bits = Bits { bits, left: 8 * BYTES };
    let mut field = |width: usize, limit: u32, what: &str| {
        let at = 8 * BYTES - bits.left;
        let value = bits.take(width);
        let fault = || FormError::at(position_of(at), format!("{what} is {value}, expected less than {limit}"));
        if value < limit { Ok(value) } else { Err(fault()) }
    };
    let edges = permutation::<12>(field(29, 479_001_600, "the number of the edge permutation")?);
    let flips = digits::<12>(field(12, 1 << 12, "the flips")?, 2);
    let corners = permutation::<8>(field(16, 40_320, "the number of the corner permutation")?);
    let twists = digits::<8>(field(13, 6561, "the number of the twists")?, 3);
    let up = field(3, 8, "the centre on top")?;
    let left = field(2, 4, "the centre on the left")?;
    if up == 6 {
        return Err(FormError::at(position_of(70), "the centre on top is 6, expected 0 to 5, or 7 if it is not known"));
    }
    let pieces = ReidPieces {
        edges: std::array::from_fn(|slot| (edges[slot], flips[slot])),
        corners: std::array::from_fn(|slot| (corners[slot], twists[slot])),
        centres: HOME_CENTRES,
    };
    let (home, _) = pieces.read()?;
    let Some(up) = CENTRES.get(up as usize).copied() else { return Ok((home, None)) };
    let sides: Vec<Face> = CENTRES.into_iter().filter(|face| face.axis() != up.axis()).collect();
    let left = sides[left as usize];
    let holding = Holding::ALL.into_iter().find(|held| held.up() == up && held.centres()[Face::L.index()] == left);
    let holding = holding.unwrap_or_default();
    Ok((holding.from_home(&home), Some(holding)))
}

/// Writes 22 hexadecimal digits in pairs. Rotations of centres are written as not known.
pub(crate) fn write(cube: &Cube, holding: Holding) -> String {
    let pieces = ReidPieces::of(&holding.to_home(cube), Holding::HOME);
    let mut bits = 0_u128;
    let mut push = |width: usize, value: u32| bits = bits << width | u128::from(value);
    push(29, rank(&pieces.edges.map(|(piece, _)| piece)));
    push(12, pieces.edges.iter().fold(0, |mask, (_, flip)| 2 * mask + u32::from(*flip)));
    push(16, rank(&pieces.corners.map(|(piece, _)| piece)));
    push(13, pieces.corners.iter().fold(0, |mask, (_, twist)| 3 * mask + u32::from(*twist)));
    let left = holding.centres()[Face::L.index()];
    let index = |face: Face| u32::from(position(&CENTRES, face));
    let before = CENTRES.iter().take(index(left) as usize).filter(|face| face.axis() != holding.up().axis()).count();
    push(3, index(holding.up()));
    push(2, before as u32);
    push(13, 0);
    let mut text = String::with_capacity(3 * BYTES);
    for digit in (0..2 * BYTES).rev() {
        text.push(char::from(b"0123456789abcdef"[(bits >> (4 * digit)) as usize & 15]));
        if digit % 2 == 0 && digit > 0 {
            text.push(' ');
        }
    }
    text
}

/// Returns the number of a permutation in lexicographic order.
fn rank(permutation: &[u8]) -> u32 {
    let smaller = |at: usize| permutation[at + 1..].iter().filter(|later| **later < permutation[at]).count();
    (0..permutation.len()).fold(0, |rank, at| rank * (permutation.len() - at) as u32 + smaller(at) as u32)
}

/// Returns the permutation with this number, which must be less than N factorial.
fn permutation<const N: usize>(mut rank: u32) -> [u8; N] {
    let mut out = [0; N];
    for at in (0..N).rev() {
        let choices = (N - at) as u32;
        out[at] = (rank % choices) as u8;
        rank /= choices;
        for later in at + 1..N {
            out[later] += u8::from(out[later] >= out[at]);
        }
    }
    out
}

/// Returns the digits of a number, the highest first.
fn digits<const N: usize>(mut number: u32, base: u32) -> [u8; N] {
    let mut out = [0; N];
    for digit in out.iter_mut().rev() {
        *digit = (number % base) as u8;
        number /= base;
    }
    out
}
