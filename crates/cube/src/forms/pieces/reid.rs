//! Reads and writes Reid strings, also called Singmaster's positional notation.
//!
//! Twenty words name the piece in each slot, edges first, by the stickers in the order of the slot's name. The solved
//! cube is `UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR`. The prefix `SING ` is permitted, as in
//! cube20src. The second and third letter of a corner may be exchanged, as in cubing.js: the first letter decides the
//! orientation. Six centres in the order U L F R B D may follow, as cubing.js writes them; letters of pieces then name
//! centres, not places.

use super::slots::{CENTRES, CORNERS, EDGES, ReidPieces, piece};
use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::error::Fault;
use crate::forms::found::{Found, Parsed};
use crate::forms::holding::Holding;
use crate::forms::symbols::{Symbol, words};
use crate::input::shown;
use crate::piece::{Corner, Edge};

/// Number of pieces without centres.
const PIECES: usize = Edge::COUNT + Corner::COUNT;

/// Most characters of a word that a message quotes.
const QUOTED: usize = 12;

/// Returns whether the text looks like a Reid string, even one with a few wrong words.
pub(crate) fn is_alike(text: &str) -> bool {
    let words = words(text);
    let is_name = |word: &&Vec<Symbol>| word.len() > 1 && faces_of(word).is_some_and(|faces| is_piece(&faces));
    let names = words.iter().filter(is_name).count();
    (PIECES - 2..=PIECES + Face::COUNT + 2).contains(&words.len()) && names + 4 >= PIECES
}

/// Reads the pieces and centres.
pub(crate) fn read(text: &str) -> Parsed {
    let mut words = words(text);
    if words.first().is_some_and(|word| word.iter().map(|(_, letter)| letter).eq(['S', 'I', 'N', 'G'].iter())) {
        words.remove(0);
    }
    let end = text.chars().count();
    let mut pieces = ReidPieces { edges: [(0, 0); 12], corners: [(0, 0); 8], centres: [0, 1, 2, 3, 4, 5] };
    for (place, word) in words.iter().enumerate().take(PIECES) {
        if place < Edge::COUNT {
            pieces.edges[place] = piece(&EDGES, named(word, place, "an edge of two letters, such as `UF`")?);
        } else {
            let wanted = "a corner of three letters, such as `UFR`";
            pieces.corners[place - Edge::COUNT] = piece(&CORNERS, named(word, place, wanted)?);
        }
    }
    let centres = words.get(PIECES..).unwrap_or_default();
    match (words.len(), centres.len()) {
        (..PIECES, _) => {
            let message = format!("the text has {} names of pieces, expected {PIECES} or {}", words.len(), PIECES + 6);
            Err(Fault::at(end, message))
        }
        (_, 0) => Ok(Found::held(pieces.read()?.0, None)),
        (_, count) => {
            for (place, word) in centres.iter().enumerate().take(Face::COUNT) {
                let [face] = named(word, PIECES + place, "a centre of one letter")?;
                pieces.centres[place] = CENTRES.iter().position(|other| *other == face).unwrap_or(0) as u8;
            }
            if count != Face::COUNT {
                let position = centres.get(Face::COUNT).and_then(|word| word.first()).map_or(end, |(at, _)| *at);
                return Err(Fault::at(position, format!("found {count} centres after the pieces, expected none or 6")));
            }
            let (cube, holding) = pieces.read()?;
            Ok(Found::held(cube, Some(holding)))
        }
    }
}

/// Returns the faces of a word of N letters that names a piece.
fn named<const N: usize>(word: &[Symbol], place: usize, wanted: &str) -> Result<[Face; N], Fault> {
    let quoted: String = word.iter().take(QUOTED).map(|(_, letter)| shown(*letter)).collect();
    let faces = faces_of(word).filter(|faces| is_piece(faces)).and_then(|faces| <[Face; N]>::try_from(faces).ok());
    faces.ok_or_else(|| {
        let wrong = word.iter().find(|(_, letter)| Face::from_letter(*letter).is_none()).or(word.first());
        let position = wrong.map_or(0, |(at, _)| *at);
        Fault::at(position, format!("found `{quoted}` as word {}, expected {wanted}", place + 1))
    })
}

fn faces_of(word: &[Symbol]) -> Option<Vec<Face>> {
    if word.len() > 3 {
        return None;
    }
    word.iter().map(|(_, letter)| Face::from_letter(*letter)).collect()
}

/// Returns whether these are faces of one piece: on different axes.
fn is_piece(faces: &[Face]) -> bool {
    (1..faces.len()).all(|at| faces[..at].iter().all(|face| face.axis() != faces[at].axis()))
}

/// Writes the pieces, and the centres if the cube is not held with U on top and F in front.
pub(crate) fn write(cube: &Cube, holding: Holding) -> String {
    let pieces = ReidPieces::of(cube, holding);
    let mut text = String::with_capacity(80);
    for (number, turned) in pieces.edges {
        push(&mut text, &EDGES[usize::from(number)], turned);
    }
    for (number, turned) in pieces.corners {
        push(&mut text, &CORNERS[usize::from(number)], turned);
    }
    if holding != Holding::HOME {
        pieces.centres.iter().for_each(|centre| push(&mut text, &[CENTRES[usize::from(*centre)]], 0));
    }
    text
}

/// Appends a name rotated left.
fn push(text: &mut String, name: &[Face], turned: u8) {
    if !text.is_empty() {
        text.push(' ');
    }
    let (behind, ahead) = name.split_at(usize::from(turned));
    text.extend(ahead.iter().chain(behind).map(|face| face.letter()));
}
