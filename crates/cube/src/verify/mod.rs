//! Checks whether moves can reach a cube, and finds all its faults otherwise.
//!
//! A cube that no moves can reach is rejected with all its faults, in this order:
//!
//! | code | Kociemba | meaning | reported |
//! | --- | --- | --- | --- |
//! | `reid_string` | 1 | twenty names of pieces in place of 54 symbols | alone |
//! | `wrong_length` | 1 | not 54 symbols | always; then only `too_many_symbols` and `too_few_symbols` are checked in addition |
//! | `too_many_symbols` | 1 | more than six distinct symbols | always |
//! | `too_few_symbols` | 1 | fewer than six distinct symbols | unless the missing symbols could correct it |
//! | `symbol_count` | 1 | a symbol does not occur nine times; names the misread sticker if correcting it alone makes the cube possible | with 54 symbols |
//! | `repeated_centre` | 1 | one symbol on several centres | with 54 symbols, once for each such symbol |
//! | `wrong_array_length` | | an array of cubies has not 8 or 12 entries | always, once for each array |
//! | `value_out_of_range` | | an entry is not a piece, twist or flip | always, once for each array |
//! | `impossible_corner` | 4 | a slot shows no corner of this cube, or with nine of each symbol the mirror image of one | with six distinct centres, once for each slot |
//! | `impossible_edge` | 2 | a slot shows no edge of this cube | likewise |
//! | `duplicate_corner` | 4 | one corner in several slots | with six distinct centres, once for each piece |
//! | `missing_corner` | 4 | corners that are in no slot | likewise, all in one; not if `cp` has a wrong length |
//! | `duplicate_edge`, `missing_edge` | 2 | the same for edges | likewise |
//! | `corner_twist` | 5 | the twists do not add up to a multiple of 3 | if all eight twists are known |
//! | `edge_flip` | 3 | the flips do not add up to an even number | if all twelve flips are known |
//! | `permutation_parity` | 6 | two pieces are exchanged | if every corner and every edge occurs exactly once; not if `cp` or `ep` has a wrong length |

mod cubies;
mod facelets;
mod scanned;

use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::{FormError, Violation, listed, plural, shown};
use crate::geometry::FACELETS;
use crate::piece::kind::{PieceKind, parity};
use crate::piece::{Corner, Edge};

pub use scanned::Stickers;

/// Names of corners and edges in faults.
pub(crate) trait NamedKind: PieceKind {
    const WORD: &'static str;
    /// Name of its permutation array.
    const ARRAY: &'static str;
    const IMPOSSIBLE: &'static str;
    const DUPLICATE: &'static str;
    const MISSING: &'static str;
    const KOCIEMBA: u8;
}

macro_rules! named {
    ($kind:ident, $word:literal, $array:literal, $kociemba:literal) => {
        impl NamedKind for $kind {
            const WORD: &'static str = $word;
            const ARRAY: &'static str = $array;
            const IMPOSSIBLE: &'static str = concat!("impossible_", $word);
            const DUPLICATE: &'static str = concat!("duplicate_", $word);
            const MISSING: &'static str = concat!("missing_", $word);
            const KOCIEMBA: u8 = $kociemba;
        }
    };
}

named!(Corner, "corner", "cp", 4);
named!(Edge, "edge", "ep", 2);

/// The pieces and orientations read from the input, as far as they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadPieces {
    pub(crate) corners: [Option<Corner>; Corner::COUNT],
    pub(crate) twists: [Option<u8>; Corner::COUNT],
    pub(crate) edges: [Option<Edge>; Edge::COUNT],
    pub(crate) flips: [Option<u8>; Edge::COUNT],
}

impl ReadPieces {
    /// Reads the piece and its orientation in each slot, where the stickers show one.
    pub(crate) fn of_stickers(faces: &[Option<Face>; FACELETS]) -> Self {
        let (corners, twists) = slots_of_kind(faces);
        let (edges, flips) = slots_of_kind(faces);
        Self { corners, twists, edges, flips }
    }
}

fn slots_of_kind<P: PieceKind, const N: usize>(faces: &[Option<Face>; FACELETS]) -> ([Option<P>; N], [Option<u8>; N]) {
    let mut pieces = [None; N];
    let mut turned = [None; N];
    for (i, slot) in P::ALL.iter().enumerate() {
        (pieces[i], turned[i]) = slot.piece_in(|facelet| faces[facelet]).unzip();
    }
    (pieces, turned)
}

/// The form of the input, so that messages can refer to it.
#[derive(Clone, Copy)]
pub(crate) enum InputForm {
    /// Facelets, with the symbol of each centre.
    Facelets([char; Face::COUNT]),
    /// Arrays, and whether `cp` and `ep` have their full lengths.
    Cubies { whole_cp: bool, whole_ep: bool },
    /// Names, letters or numbers of pieces in another form; messages give Kociemba's names.
    Named,
}

impl InputForm {
    /// Names a piece by its faces, and by its symbols if they differ.
    fn piece<P: NamedKind>(self, piece: P) -> String {
        match self {
            Self::Facelets(symbols) if symbols != Face::ALL.map(Face::letter) => {
                let symbols = piece.faces().map(|face| shown(symbols[face.index()])).collect::<Vec<_>>();
                format!("{} ({})", piece.name(), symbols.join(" "))
            }
            Self::Facelets(_) | Self::Named => piece.name().to_owned(),
            Self::Cubies { .. } => format!("{} (number {})", piece.name(), piece.index()),
        }
    }

    /// Names the place of a slot in the input.
    fn slot<P: NamedKind>(self, slot: P) -> String {
        match self {
            Self::Facelets(_) => format!("{} ({})", slot.name(), stickers(slot)),
            Self::Cubies { .. } => format!("{} ({}[{}])", slot.name(), P::ARRAY, slot.index()),
            Self::Named => slot.name().to_owned(),
        }
    }

    /// Returns the facelets of these slots, if the input was facelets.
    fn facelets<P: NamedKind>(self, slots: &[P]) -> impl Iterator<Item = usize> {
        let slots = if matches!(self, Self::Facelets(_)) { slots } else { &[] };
        slots.iter().flat_map(|slot| slot.facelets()).copied()
    }

    const fn how_to_mend(self) -> &'static str {
        match self {
            Self::Facelets(_) => "read these stickers again",
            Self::Cubies { .. } => "give each number once",
            Self::Named => "give each piece once",
        }
    }
}

/// Names the stickers of a slot, numbered 1..=9 on each face: `U9 R1 F3`.
pub(crate) fn stickers<P: NamedKind>(slot: P) -> String {
    slot.facelets().iter().map(|&facelet| sticker(facelet)).collect::<Vec<_>>().join(" ")
}

/// Names one facelet, 0 to 53, by its face and its number from 1 to 9 there: `U9`.
pub fn sticker(facelet: usize) -> String {
    format!("{}{}", Face::ALL[facelet / 9], facelet % 9 + 1)
}

/// Returns the cube, or all its faults, appended to those `found` by the parser.
pub(crate) fn verify(reading: &ReadPieces, form: InputForm, mut found: Vec<Violation>) -> Result<Cube, FormError> {
    let (whole_cp, whole_ep) = match form {
        InputForm::Facelets(_) | InputForm::Named => (true, true),
        InputForm::Cubies { whole_cp, whole_ep } => (whole_cp, whole_ep),
    };
    strays(&reading.corners, form, whole_cp, &mut found);
    strays(&reading.edges, form, whole_ep, &mut found);
    let corners = whole(reading.corners);
    let edges = whole(reading.edges);
    let twists = whole(reading.twists);
    let flips = whole(reading.flips);
    found.extend(twists.and_then(|twists| corner_twist(twists, form)));
    found.extend(flips.and_then(|flips| edge_flip(flips, form)));
    // With an extra entry, the stray one is unknown, and so is the parity.
    if let (Some(corners), Some(edges), true) = (corners, edges, whole_cp && whole_ep) {
        found.extend(permutation_parity(corners, edges));
    }
    match (corners, twists, edges, flips) {
        (Some(corners), Some(twists), Some(edges), Some(flips)) if found.is_empty() => {
            Ok(Cube::assemble(corners, twists, edges, flips))
        }
        _ => Err(FormError::impossible(found)),
    }
}

/// Returns the array without its `Option`s, if every entry is known.
fn whole<T: Copy, const N: usize>(entries: [Option<T>; N]) -> Option<[T; N]> {
    let mut known = [entries.first().copied().flatten()?; N];
    for (known, entry) in known.iter_mut().zip(entries) {
        *known = entry?;
    }
    Some(known)
}

fn slots_of<P: NamedKind>(pieces: &[Option<P>], wanted: Option<P>) -> Vec<P> {
    P::ALL.iter().zip(pieces).filter(|&(_, &piece)| piece == wanted).map(|(&slot, _)| slot).collect()
}

/// Finds pieces in several slots or, if every slot is known, in none.
fn strays<P: NamedKind, const N: usize>(
    pieces: &[Option<P>; N],
    form: InputForm,
    is_whole: bool,
    found: &mut Vec<Violation>,
) {
    let there = pieces.iter().flatten().fold(0_u32, |there, piece| there | 1 << piece.index());
    // If there are as many pieces as slots, each is in one.
    if there.count_ones() as usize != N {
        found.extend(duplicates(pieces, form));
        found.extend(missing(pieces, form).filter(|_| is_whole));
    }
}

fn duplicates<P: NamedKind>(pieces: &[Option<P>], form: InputForm) -> Vec<Violation> {
    let mut found = Vec::new();
    for &piece in P::ALL {
        if pieces.iter().filter(|&&other| other == Some(piece)).count() > 1 {
            let slots = slots_of(pieces, Some(piece));
            let named: Vec<_> = slots.iter().map(|&slot| form.slot(slot)).collect();
            let message = format!(
                "{} {} stands in {} slots, {}, but a cube has it once: {}.",
                capital(P::WORD),
                form.piece(piece),
                slots.len(),
                listed(&named),
                form.how_to_mend(),
            );
            found.push(Violation {
                slots: slots.iter().map(|slot| slot.name()).collect(),
                pieces: vec![piece.name()],
                ..Violation::new(P::DUPLICATE, Some(P::KOCIEMBA), message).about(form.facelets(&slots))
            });
        }
    }
    found
}

fn missing<P: NamedKind>(pieces: &[Option<P>], form: InputForm) -> Option<Violation> {
    let gone: Vec<P> = P::ALL.iter().copied().filter(|&piece| !pieces.contains(&Some(piece))).collect();
    if gone.is_empty() {
        return None;
    }
    let named: Vec<_> = gone.iter().map(|&piece| form.piece(piece)).collect();
    let unread: Vec<_> = slots_of(pieces, None).iter().map(|slot| slot.name()).collect();
    let remedy = if unread.is_empty() {
        format!("look for a slot where another {} was given in place of it", P::WORD)
    } else {
        format!("correct slot{} {} first", plural(unread.len()), listed(&unread))
    };
    let message = format!(
        "{}{} {} {} in no slot: {remedy}.",
        capital(P::WORD),
        plural(gone.len()),
        listed(&named),
        if gone.len() == 1 { "is" } else { "are" },
    );
    let names = gone.iter().map(|piece| piece.name()).collect();
    Some(Violation { pieces: names, ..Violation::new(P::MISSING, Some(P::KOCIEMBA), message) })
}

fn corner_twist(twists: [u8; Corner::COUNT], form: InputForm) -> Option<Violation> {
    let (excess, turned, back) = match twists.iter().sum::<u8>() % 3 {
        0 => return None,
        1 => (1, "clockwise", "counter-clockwise"),
        _ => (2, "counter-clockwise", "clockwise"),
    };
    let remedy = match form {
        InputForm::Facelets(_) => {
            format!("If the stickers were read correctly, turn any one corner in its place by a third {back}.")
        }
        InputForm::Cubies { .. } => "Make the entries of co add up to a multiple of 3.".to_owned(),
        InputForm::Named => format!("Turn any one corner in its place by a third {back}."),
    };
    let message = format!(
        "The twists of the corners add up to {excess} modulo 3 in place of 0, as if one corner had been turned {turned} \
         by hand. {remedy}"
    );
    Some(Violation::new("corner_twist", Some(5), message))
}

fn edge_flip(flips: [u8; Edge::COUNT], form: InputForm) -> Option<Violation> {
    if flips.iter().sum::<u8>() % 2 == 0 {
        return None;
    }
    let remedy = match form {
        InputForm::Facelets(_) => {
            "If the stickers were read correctly, take out any one edge and put it back the other way round."
        }
        InputForm::Cubies { .. } => "Make the entries of eo add up to an even number.",
        InputForm::Named => "Flip any one edge in its place.",
    };
    let message = format!("The number of flipped edges is odd, as if one edge had been flipped by hand. {remedy}");
    Some(Violation::new("edge_flip", Some(3), message))
}

fn permutation_parity(corners: [Corner; Corner::COUNT], edges: [Edge; Edge::COUNT]) -> Option<Violation> {
    // With a piece missing, the arrangement is not a permutation and has no parity.
    let corners = parity(&corners.map(Corner::index))?;
    let edges = parity(&edges.map(Edge::index))?;
    if corners == edges {
        return None;
    }
    let word = |odd| if odd { "odd" } else { "even" };
    let message = format!(
        "The corners are arranged by an {} permutation and the edges by an {} one, as if two pieces had been exchanged: \
         look for two pieces given in each other's slots, or take out any two edges and exchange them.",
        word(corners),
        word(edges),
    );
    Some(Violation::new("permutation_parity", Some(6), message))
}

pub(crate) fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
