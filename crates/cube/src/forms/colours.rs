//! The 54 stickers of a held cube, each named by the centre of its colour.

use super::holding::Holding;
use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::FACELETS;

/// Returns the colour of each facelet in the order U R F D L B, with the rotated centres of the holding.
pub(crate) fn colours(cube: &Cube, holding: Holding) -> [Face; FACELETS] {
    let centres = holding.centres();
    cube.to_facelet_permutation().map(|from| centres[usize::from(from) / 9])
}

/// Returns the place of each colour: the inverse of [`Holding::centres`].
pub(crate) fn places(holding: Holding) -> [Face; Face::COUNT] {
    let mut out = Face::ALL;
    for (place, centre) in Face::ALL.into_iter().zip(holding.centres()) {
        out[centre.index()] = place;
    }
    out
}
