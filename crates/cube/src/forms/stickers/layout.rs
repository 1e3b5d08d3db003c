//! Orders in which texts list the 54 stickers.

use crate::face::Face;
use crate::geometry::FACELETS;

/// The facelet (0..54, order U R F D L B) at each position of a text.
pub(crate) type Layout = [u8; FACELETS];

/// Faces in the order U R F D L B, row by row.
pub(crate) const URFDLB: Layout = by_faces(Face::ALL);

/// Faces in the order U L F R B D, row by row.
pub(crate) const ULFRBD: Layout = by_faces([Face::U, Face::L, Face::F, Face::R, Face::B, Face::D]);

/// The rows of an unfolded cube: three of U, three of L F R B side by side, three of D.
pub(crate) const NET: Layout = {
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
