//! Reads and writes Reid strings, also called Singmaster's positional notation.
//!
//! Twenty words name the piece in each slot, edges first, by the stickers in the order of the slot's name. The solved
//! cube is `UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR`. The prefix `SING ` is permitted, as in
//! cube20src. The second and third letter of a corner may be exchanged, as in cubing.js: the first letter decides the
//! orientation. Six centres in the order U L F R B D may follow, as cubing.js writes them; letters of pieces then name
//! centres, not places.
//!
//! `KPattern` and Twizzle binary number slots and pieces in the same order. A piece has orientation k if its name, rotated left
//! by k letters, is what the slot shows. Published with Reid's optimal solver and used by cubing.js (`3x3x3.kpuzzle.json`).
#![allow(clippy::cast_possible_truncation)] // indices of pieces are below 12

use super::codec::{Codec, Recognised};
use super::codec::{Parsed, Symbol, words};
use super::error::{FormError, Violation, shown};
use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::{CENTRE_FACELETS, FACELETS, slots};
use crate::holding::Holding;
use crate::notation::is_dash;
use crate::piece::{Corner, Edge};
use crate::verify::{InputForm, ReadPieces, verify};

use Face::{B, D, F, L, R, U};

/// Names of the edges in order.
const EDGES: [[Face; 2]; Edge::COUNT] =
    [[U, F], [U, R], [U, B], [U, L], [D, F], [D, R], [D, B], [D, L], [F, R], [F, L], [B, R], [B, L]];

/// Names of the corners in order.
const CORNERS: [[Face; 3]; Corner::COUNT] =
    [[U, F, R], [U, R, B], [U, B, L], [U, L, F], [D, R, F], [D, F, L], [D, L, B], [D, B, R]];

/// Centres in order.
pub(crate) const CENTRES: [Face; Face::COUNT] = [U, L, F, R, B, D];

/// Facelets of each edge slot, in the order of its name.
const EDGE_PLACES: [[usize; 2]; Edge::COUNT] = slots(EDGES);

/// Facelets of each corner slot, in the order of its name.
const CORNER_PLACES: [[usize; 3]; Corner::COUNT] = slots(CORNERS);

/// The number of the edge or corner with these faces, in any order; 0 if there is none.
const BY_FACES: [u8; 1 << Face::COUNT] = {
    let mut out = [0; 1 << Face::COUNT];
    let mut i = 0;
    while i < Edge::COUNT {
        out[mask(&EDGES[i])] = i as u8;
        i += 1;
    }
    let mut i = 0;
    while i < Corner::COUNT {
        out[mask(&CORNERS[i])] = i as u8;
        i += 1;
    }
    out
};

const fn mask(faces: &[Face]) -> usize {
    let mut out = 0;
    let mut i = 0;
    while i < faces.len() {
        out |= 1 << faces[i].index();
        i += 1;
    }
    out
}

/// The pieces of a held cube by Reid's numbers, each with its orientation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReidPieces {
    pub(crate) edges: [(u8, u8); Edge::COUNT],
    pub(crate) corners: [(u8, u8); Corner::COUNT],
    /// The centre at each place, in the order U L F R B D.
    pub(crate) centres: [u8; Face::COUNT],
}

impl ReidPieces {
    /// Numbers the pieces of a cube. Letters of pieces name centres, and slots are places as held.
    pub(crate) fn of(cube: &Cube, holding: Holding) -> Self {
        let colours = holding.stickers(cube);
        let edges = EDGE_PLACES.map(|places| piece(&EDGES, places.map(|at| colours[at])));
        let corners = CORNER_PLACES.map(|places| piece(&CORNERS, places.map(|at| colours[at])));
        Self {
            edges,
            corners,
            centres: CENTRES.map(|place| position(&CENTRES, colours[CENTRE_FACELETS[place.index()]])),
        }
    }

    /// Returns the cube, named by places as held, and the holding. The numbers must be in range.
    pub(crate) fn read(&self) -> Result<(Cube, Holding), FormError> {
        let mut centres = Face::ALL;
        for (place, centre) in CENTRES.into_iter().zip(self.centres) {
            centres[place.index()] = CENTRES[usize::from(centre)];
        }
        let holding = holding_of(centres)?;
        let place_of = holding.places();
        let mut shown = [None; FACELETS];
        for (slot, (number, turned)) in EDGE_PLACES.iter().zip(self.edges) {
            show(&mut shown, slot, &EDGES[usize::from(number)], turned, place_of);
        }
        for (slot, (number, turned)) in CORNER_PLACES.iter().zip(self.corners) {
            show(&mut shown, slot, &CORNERS[usize::from(number)], turned, place_of);
        }
        let cube = verify(&ReadPieces::of_stickers(&shown), InputForm::Named, Vec::new())?;
        Ok((cube, holding))
    }
}

/// Puts the stickers of a piece on the facelets of a slot.
fn show(
    shown: &mut [Option<Face>; FACELETS],
    slot: &[usize],
    name: &[Face],
    turned: u8,
    place_of: [Face; Face::COUNT],
) {
    for (k, at) in slot.iter().enumerate() {
        shown[*at] = Some(place_of[name[(k + usize::from(turned)) % name.len()].index()]);
    }
}

/// Returns the number and the orientation of the piece that shows these faces.
fn piece<const N: usize>(names: &[[Face; N]], shows: [Face; N]) -> (u8, u8) {
    let number = BY_FACES[mask(&shows)];
    (number, position(&names[usize::from(number)], shows[0]))
}

/// Returns the position of a face in a list that has it.
pub(crate) fn position(faces: &[Face], face: Face) -> u8 {
    (0..).zip(faces).find(|(_, other)| **other == face).map_or(0, |(position, _)| position)
}

/// Returns the holding with these centres in the order U R F D L B.
fn holding_of(centres: [Face; Face::COUNT]) -> Result<Holding, FormError> {
    Holding::from_centres(centres).ok_or_else(|| {
        let letters: Vec<_> = centres.iter().map(|face| face.name()).collect();
        let message = format!(
            "The centres at U R F D L B are {}, but no rotation of a cube leads to that: opposite centres stay opposite, \
             and a mirror image is not possible.",
            letters.join(" ")
        );
        FormError::impossible(vec![Violation::new("impossible_centres", None, message)])
    })
}

/// Number of pieces without centres.
const PIECES: usize = Edge::COUNT + Corner::COUNT;

/// Most characters of a word that a message quotes.
const QUOTED: usize = 12;

/// The form.
pub(crate) const CODEC: Codec = Codec {
    name: "reid",
    title: "Reid's twenty pieces",
    recognised: Recognised::Certainly(|text| text.trim_start().starts_with("SING ") || is_alike(text)),
    alphabet: "URFDLB ",
    read: |text, _| read(text),
    write: Some(write),
};

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
            Err(FormError::at(end, message))
        }
        (_, 0) => Ok((pieces.read()?.0, None)),
        (_, count) => {
            for (place, word) in centres.iter().enumerate().take(Face::COUNT) {
                let [face] = named(word, PIECES + place, "a centre of one letter")?;
                pieces.centres[place] = position(&CENTRES, face);
            }
            if count != Face::COUNT {
                let position = centres.get(Face::COUNT).and_then(|word| word.first()).map_or(end, |(at, _)| *at);
                return Err(FormError::at(
                    position,
                    format!("found {count} centres after the pieces, expected none or 6"),
                ));
            }
            let (cube, holding) = pieces.read()?;
            Ok((cube, Some(holding)))
        }
    }
}

/// Returns the faces of a word of N letters that names a piece.
fn named<const N: usize>(word: &[Symbol], place: usize, wanted: &str) -> Result<[Face; N], FormError> {
    let quoted: String = word.iter().take(QUOTED).map(|(_, letter)| shown(*letter)).collect();
    let faces = faces_of(word).filter(|faces| is_piece(faces)).and_then(|faces| <[Face; N]>::try_from(faces).ok());
    faces.ok_or_else(|| {
        let wrong = word.iter().find(|(_, letter)| Face::from_letter(*letter).is_none()).or(word.first());
        let position = wrong.map_or(0, |(at, _)| *at);
        FormError::at(position, format!("found `{quoted}` as word {}, expected {wanted}", place + 1))
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

/// Message of the error for a Reid string. [`Read::of`](super::Read::of) reads it.
pub const REID_REFUSAL: &str =
    "20 names of pieces in a row look like a Reid string (`UF UR UB ...`), not like stickers or moves.";

/// Returns whether the text consists of twenty names of pieces, their letters in any order, with or without the six
/// centres. Comments and pauses are skipped.
pub(crate) fn is_reid(text: &str) -> bool {
    // The notation ignores these between moves.
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words =
        lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '.')).filter(|word| !word.is_empty());
    if words.by_ref().take(PIECES).take_while(|word| is_name(word)).count() != PIECES {
        return false;
    }
    let rest: Vec<_> = words.take(Face::COUNT + 1).collect();
    rest.is_empty() || (rest.len() == Face::COUNT && Face::ALL.iter().all(|face| rest.contains(&face.name())))
}

/// Message of the error for names of pieces in place of moves.
pub(crate) const PIECES_REFUSAL: &str = "names of pieces such as `UF UR` or `UF-UR` look like a cycle of pieces or a part of a Reid \
                                         string, not like moves. If they are moves, write a space between them: `U F U R`.";

/// Returns whether the text consists of the names of two pieces or more, with spaces, dashes, commas or parentheses between them. Their
/// letters would also be moves.
pub(crate) fn names_pieces(text: &str) -> bool {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let separates = |c: char| c.is_whitespace() || is_dash(c) || "()[],;.>→".contains(c);
    let mut words = lines.flat_map(|line| line.split(separates)).filter(|word| !word.is_empty()).peekable();
    let first = words.peek().copied().unwrap_or_default();
    let is_same = |word: &str| word.len() == first.len() && word.chars().all(|c| first.contains(c));
    let mut is_one = true;
    let are_names = words.all(|word| {
        is_one &= is_same(word);
        is_name(word)
    });
    are_names && !is_one
}

fn is_name(word: &str) -> bool {
    let names = Edge::NAMES.iter().chain(&Corner::NAMES);
    names.into_iter().any(|name| name.len() == word.len() && name.chars().all(|c| word.contains(c)))
}
