//! Parses a cube given as Kociemba's four arrays.

use super::{InputForm, ReadPieces, verify};
use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::{FormError, Violation, listed, plural};
use crate::geometry::FACELETS;
use crate::holding::Holding;
use crate::piece::kind::PieceKind;
use crate::piece::{Corner, Edge};

/// The permitted entries of one array.
struct Array {
    name: &'static str,
    slots: &'static [&'static str],
    /// Upper limit (exclusive) of the entries.
    range: u32,
    meaning: &'static str,
}

const CP: Array = Array { name: "cp", slots: &Corner::NAMES, range: 8, meaning: "corners are numbered 0 to 7" };
const CO: Array = Array { name: "co", slots: &Corner::NAMES, range: 3, meaning: "a clockwise twist is 0, 1 or 2" };
const EP: Array = Array { name: "ep", slots: &Edge::NAMES, range: 12, meaning: "edges are numbered 0 to 11" };
const EO: Array = Array { name: "eo", slots: &Edge::NAMES, range: 2, meaning: "a flip is 0 or 1" };

impl Cube {
    /// Builds the cube with these pieces in its slots, in Kociemba's order.
    ///
    /// The arrays are "replaced-by": `cp[i]` and `ep[i]` are the numbers of the pieces in slot `i`, `co[i]` and `eo[i]`
    /// their orientations.
    ///
    /// # Errors
    /// [`FormError::Impossible`] with all faults; the codes are listed in [`verify`](crate::verify).
    pub fn from_cubies(cp: &[u32], co: &[u32], ep: &[u32], eo: &[u32]) -> Result<Self, FormError> {
        Given::new(cp, co, ep, eo).read()
    }

    /// Builds the cube as [`Cube::from_cubies`] from pieces that are named by their centres, and the centres at the places U R F D L B,
    /// each by its number 0 to 5 in that order. cubejs writes such arrays after rotations and moves of middle layers.
    ///
    /// Returns the cube, named by places as held, and the holding.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, FormError, Holding};
    ///
    /// // cubejs after `M`.
    /// let (edges, flips) = ([0, 3, 2, 7, 4, 1, 6, 5, 8, 9, 10, 11], [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0]);
    /// let corners = [0, 1, 2, 3, 4, 5, 6, 7];
    /// let (cube, holding) = Cube::from_held_cubies(&corners, &[0; 8], &edges, &flips, &[5, 1, 0, 2, 4, 3])?;
    /// assert_eq!((cube, Some(holding)), (Cube::from_scramble("M")?, Holding::from_name("BU")));
    /// # Ok::<(), FormError>(())
    /// ```
    ///
    /// # Errors
    /// [`FormError::Impossible`] with all faults, and with the code `impossible_centres` if no rotation leads to the centres.
    pub fn from_held_cubies(
        cp: &[u32],
        co: &[u32],
        ep: &[u32],
        eo: &[u32],
        centres: &[u32],
    ) -> Result<(Self, Holding), FormError> {
        let given = Given::new(cp, co, ep, eo);
        let face = |number: &u32| usize::try_from(*number).ok().and_then(Face::try_from_index);
        let faces: Option<Vec<Face>> = centres.iter().map(face).collect();
        let faces = faces.and_then(|faces| <[Face; Face::COUNT]>::try_from(faces).ok());
        let holding = faces.and_then(Holding::from_centres).ok_or_else(|| {
            let message = "The centres are not those of a cube: give the numbers 0 to 5 of the centres at U R F D L B, as a rotation \
                           leaves them.";
            FormError::impossible(vec![Violation::new("impossible_centres", None, message.to_owned())])
        })?;
        // The names of the pieces, and so their orientations, change with the holding.
        let cube = if holding == Holding::HOME || !given.found.is_empty() {
            given.read()?
        } else {
            let places = holding.places();
            let mut shown = [None; FACELETS];
            show(&mut shown, &given.reading.corners, &given.reading.twists, places);
            show(&mut shown, &given.reading.edges, &given.reading.flips, places);
            verify(&ReadPieces::of_stickers(&shown), InputForm::Named, Vec::new())?
        };
        Ok((cube, holding))
    }
}

/// Puts the stickers of pieces on the facelets of their slots.
fn show<P: PieceKind>(
    shown: &mut [Option<Face>; FACELETS],
    pieces: &[Option<P>],
    turned: &[Option<u8>],
    places: [Face; Face::COUNT],
) {
    for ((slot, piece), turned) in P::ALL.iter().zip(pieces).zip(turned) {
        let (Some(piece), Some(turned)) = (piece, turned) else { continue };
        let facelets = slot.facelets();
        for (k, face) in piece.faces().enumerate() {
            shown[facelets[(k + usize::from(*turned)) % facelets.len()]] = Some(places[face.index()]);
        }
    }
}

/// Four arrays, and the faults of their lengths and entries.
struct Given {
    reading: ReadPieces,
    form: InputForm,
    found: Vec<Violation>,
}

impl Given {
    fn new(cp: &[u32], co: &[u32], ep: &[u32], eo: &[u32]) -> Self {
        let given = [(CP, cp), (CO, co), (EP, ep), (EO, eo)];
        let mut found: Vec<_> = given.iter().filter_map(|(array, entries)| wrong_length(array, entries)).collect();
        found.extend(given.iter().filter_map(|(array, entries)| out_of_range(array, entries)));
        let piece = |entries: &[u32], slot: usize| entries.get(slot).and_then(|&entry| usize::try_from(entry).ok());
        let turned = |array: &Array, entries: &[u32], slot: usize| {
            // The sum over an array of wrong length is meaningless: the slots of its entries are unknown.
            let entries = if entries.len() == array.slots.len() { entries } else { &[] };
            entries.get(slot).filter(|&&entry| entry < array.range).and_then(|&entry| u8::try_from(entry).ok())
        };
        let reading = ReadPieces {
            corners: std::array::from_fn(|slot| piece(cp, slot).and_then(Corner::try_from_index)),
            twists: std::array::from_fn(|slot| turned(&CO, co, slot)),
            edges: std::array::from_fn(|slot| piece(ep, slot).and_then(Edge::try_from_index)),
            flips: std::array::from_fn(|slot| turned(&EO, eo, slot)),
        };
        let form = InputForm::Cubies { whole_cp: cp.len() == Corner::COUNT, whole_ep: ep.len() == Edge::COUNT };
        Self { reading, form, found }
    }

    fn read(self) -> Result<Cube, FormError> {
        verify(&self.reading, self.form, self.found)
    }
}

fn wrong_length(array: &Array, entries: &[u32]) -> Option<Violation> {
    let given = entries.len();
    let wanted = array.slots.len();
    let message = format!(
        "Array {} has {given} entr{}, but there are {wanted} slots: give one entry for each of {}.",
        array.name,
        if given == 1 { "y" } else { "ies" },
        array.slots.join(" "),
    );
    (given != wanted).then(|| Violation::new("wrong_array_length", None, message))
}

fn out_of_range(array: &Array, entries: &[u32]) -> Option<Violation> {
    let wrong: Vec<_> = entries.iter().zip(array.slots).enumerate().filter(|(_, (e, _))| **e >= array.range).collect();
    if wrong.is_empty() {
        return None;
    }
    let named: Vec<_> = wrong.iter().map(|(i, (entry, _))| format!("{}[{i}] = {entry}", array.name)).collect();
    let message = format!("Value{} out of range: {}; {}.", plural(wrong.len()), listed(&named), array.meaning);
    let slots = wrong.iter().map(|(_, (_, slot))| **slot).collect();
    Some(Violation { slots, ..Violation::new("value_out_of_range", None, message) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME8: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];
    const HOME12: [u32; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

    fn codes(result: Result<Cube, FormError>) -> Vec<&'static str> {
        match result {
            Err(FormError::Impossible { violations, .. }) => violations.iter().map(|v| v.code).collect(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_faults_are_reported_at_once() {
        let mut co = [0; 8];
        co[0] = 1;
        let mut eo = [0; 12];
        eo[0] = 1;
        let mut swapped = HOME8;
        swapped.swap(0, 1);
        let found = codes(Cube::from_cubies(&swapped, &co, &HOME12, &eo));
        assert_eq!(found, ["corner_twist", "edge_flip", "permutation_parity"]);
        let found = codes(Cube::from_cubies(&[0, 0, 9], &co, &[u32::MAX; 12], &[2; 13]));
        let wanted = "wrong_array_length wrong_array_length value_out_of_range value_out_of_range value_out_of_range \
            duplicate_corner missing_edge corner_twist"
            .split(' ')
            .collect::<Vec<_>>();
        assert_eq!(found, wanted);
        assert_eq!(codes(Cube::from_cubies(&[], &[], &[], &[])), ["wrong_array_length"; 4]);
    }
}
