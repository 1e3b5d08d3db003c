//! Positions of the 54 facelets in space.
//!
//! Moves, symmetries and sticker positions are derived, not entered as numbers. A move or a symmetry is a map of space
//! that maps facelets to facelets. The cubie arrays are computed from that map.
//!
//! ```text
//!              +---------+
//!              | 0  1  2 |            each face is numbered row by row as seen from outside;
//!              | 3  U  5 |            the net folds up to the cube with U on top and F in front
//!              | 6  7  8 |
//!    +---------+---------+---------+---------+
//!    |36 37 38 |18 19 20 | 9 10 11 |45 46 47 |
//!    |39  L 41 |21  F 23 |12  R 14 |48  B 50 |
//!    |42 43 44 |24 25 26 |15 16 17 |51 52 53 |
//!    +---------+---------+---------+---------+
//!              |27 28 29 |
//!              |30  D 32 |
//!              |33 34 35 |
//!              +---------+
//! ```
#![allow(clippy::cast_possible_truncation)] // numbers of stickers are below 54, and constants cannot use TryFrom

use super::face::{Face, Vector};
use super::piece::{Corner, Edge};

/// Number of facelets.
pub const FACELETS: usize = 54;

/// A facelet in space: the cell of its cubie (coordinates -1, 0 or 1) and its outward direction.
#[derive(Clone, Copy)]
pub(crate) struct FaceletPlace {
    pub(crate) cell: Vector,
    pub(crate) normal: Vector,
}

/// Returns the position of facelet `index` (0..54).
pub(crate) const fn place(index: usize) -> FaceletPlace {
    let face = Face::ALL[index / 9];
    let down = (index % 9 / 3) as i8 - 1;
    let right = (index % 3) as i8 - 1;
    let cell = match face {
        Face::U => [right, 1, down],
        Face::R => [1, -down, -right],
        Face::F => [right, -down, 1],
        Face::D => [right, -1, -down],
        Face::L => [-1, -down, right],
        Face::B => [-right, -down, -1],
    };
    FaceletPlace { cell, normal: face.normal() }
}

/// Returns the facelet (0..54) at this position; the inverse of [`place`].
pub(crate) const fn facelet_at(wanted: FaceletPlace) -> usize {
    let first = Face::from_normal(wanted.normal).index() * 9;
    let mut index = first;
    while index < first + 9 {
        let cell = place(index).cell;
        if cell[0] == wanted.cell[0] && cell[1] == wanted.cell[1] && cell[2] == wanted.cell[2] {
            return index;
        }
        index += 1;
    }
    panic!("no facelet there")
}

/// Returns the facelets of the slots that touch these faces, in the order of the faces.
pub(crate) const fn slots<const N: usize, const SLOTS: usize>(faces: [[Face; N]; SLOTS]) -> [[usize; N]; SLOTS] {
    let mut out = [[0; N]; SLOTS];
    let mut slot = 0;
    while slot < SLOTS {
        let mut cell = [0; 3];
        let mut i = 0;
        while i < N {
            let n = faces[slot][i].normal();
            cell = [cell[0] + n[0], cell[1] + n[1], cell[2] + n[2]];
            i += 1;
        }
        i = 0;
        while i < N {
            out[slot][i] = facelet_at(FaceletPlace { cell, normal: faces[slot][i].normal() });
            i += 1;
        }
        slot += 1;
    }
    out
}

/// The three facelets of each corner slot, reference facelet first, then clockwise.
pub const CORNER_FACELETS: [[usize; 3]; Corner::COUNT] = slots(Corner::FACES);

/// The two facelets of each edge slot, reference facelet first.
pub const EDGE_FACELETS: [[usize; 2]; Edge::COUNT] = slots(Edge::FACES);

/// The centre facelet of each face.
pub const CENTRE_FACELETS: [usize; Face::COUNT] = [4, 13, 22, 31, 40, 49];

/// A linear map of space that carries the cube to itself: coordinate `i` of the image is `sign[i] * v[from[i]]`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Isometry {
    pub(crate) from: [usize; 3],
    pub(crate) sign: [i8; 3],
}

impl Isometry {
    pub(crate) const IDENTITY: Self = Self { from: [0, 1, 2], sign: [1, 1, 1] };

    pub(crate) const fn apply(self, v: Vector) -> Vector {
        let Self { from, sign } = self;
        [sign[0] * v[from[0]], sign[1] * v[from[1]], sign[2] * v[from[2]]]
    }

    /// Returns the composition: first `self`, then `next`.
    pub(crate) const fn then(self, next: Self) -> Self {
        let mut out = Self::IDENTITY;
        let mut i = 0;
        while i < 3 {
            out.from[i] = self.from[next.from[i]];
            out.sign[i] = next.sign[i] * self.sign[next.from[i]];
            i += 1;
        }
        out
    }

    /// Returns the quarter turn about `face`, clockwise as seen from outside.
    pub(crate) const fn quarter_turn(face: Face) -> Self {
        match face {
            Face::U => Self { from: [2, 1, 0], sign: [-1, 1, 1] },
            Face::R => Self { from: [0, 2, 1], sign: [1, 1, -1] },
            Face::F => Self { from: [1, 0, 2], sign: [1, -1, 1] },
            Face::D | Face::L | Face::B => {
                let back = Self::quarter_turn(face.opposite());
                back.then(back).then(back)
            }
        }
    }

    /// Returns the image of facelet `index`.
    pub(crate) const fn carry(self, index: usize) -> usize {
        let FaceletPlace { cell, normal } = place(index);
        facelet_at(FaceletPlace { cell: self.apply(cell), normal: self.apply(normal) })
    }
}

/// Turns layers of one axis, from the layer at `face` (depth 0) to the opposite one (depth 2).
///
/// Returns, for each facelet, the facelet whose sticker is there after the move ("replaced-by"), for `quarters`
/// clockwise quarter turns of the layers marked in `layers`.
pub const fn layer_move(face: Face, layers: [bool; 3], quarters: usize) -> [u8; FACELETS] {
    let mut motion = Isometry::IDENTITY;
    let mut q = 0;
    while q < quarters % 4 {
        motion = motion.then(Isometry::quarter_turn(face));
        q += 1;
    }
    let normal = face.normal();
    let mut out = [0; FACELETS];
    let mut i = 0;
    while i < FACELETS {
        let cell = place(i).cell;
        let height = cell[0] * normal[0] + cell[1] * normal[1] + cell[2] * normal[2];
        let layer = (1 - height).unsigned_abs() as usize;
        let to = if layers[layer] { motion.carry(i) } else { i };
        out[to] = i as u8;
        i += 1;
    }
    out
}

/// Facelet `i` of a face after `quarters` clockwise quarter turns of the whole face shows what facelet `TURNED_FACE[quarters][i]`
/// showed.
pub const TURNED_FACE: [[usize; 9]; 4] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8],
    [6, 3, 0, 7, 4, 1, 8, 5, 2],
    [8, 7, 6, 5, 4, 3, 2, 1, 0],
    [2, 5, 8, 1, 4, 7, 0, 3, 6],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facelets_and_places_agree() {
        for index in 0..FACELETS {
            assert_eq!(facelet_at(place(index)), index);
        }
    }

    #[test]
    fn quarter_turns_have_order_four_and_keep_their_face() {
        for face in Face::ALL {
            let q = Isometry::quarter_turn(face);
            assert_eq!(q.apply(face.normal()), face.normal());
            assert!(q != Isometry::IDENTITY && q.then(q) != Isometry::IDENTITY);
            assert!(q.then(q).then(q).then(q) == Isometry::IDENTITY);
        }
        // Clockwise: U carries F to L, R carries F to U, F carries U to R.
        for (face, from, to) in [(Face::U, Face::F, Face::L), (Face::R, Face::F, Face::U), (Face::F, Face::U, Face::R)]
        {
            assert_eq!(Isometry::quarter_turn(face).apply(from.normal()), to.normal());
        }
    }

    #[test]
    fn corner_facelets_match_the_published_numbers() {
        // Kociemba's cornerFacelet and edgeFacelet lists, here as numbers 0..54.
        assert_eq!(CORNER_FACELETS[0], [8, 9, 20]);
        assert_eq!(CORNER_FACELETS[7], [35, 17, 51]);
        assert_eq!(EDGE_FACELETS[0], [5, 10]);
        assert_eq!(EDGE_FACELETS[11], [48, 14]);
    }
}
