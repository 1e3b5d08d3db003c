//! Reid's order of slots, in which Reid strings, `KPattern` and Twizzle binary number the pieces.
//!
//! Slots are listed edges first; stickers of a slot in the order of its name. A piece has orientation k if its name,
//! rotated left by k letters, is what the slot shows. Published with Reid's optimal solver and used by cubing.js
//! (`3x3x3.kpuzzle.json`).

use super::assemble::{Pieces, holding_of};
use crate::PieceKind;
use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::colours::{colours, places};
use crate::forms::error::Fault;
use crate::forms::holding::Holding;
use crate::geometry::{CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS, FACELETS};
use crate::piece::{Corner, Edge};

use Face::{B, D, F, L, R, U};

/// Names of the edges in order.
pub(crate) const EDGES: [[Face; 2]; Edge::COUNT] =
    [[U, F], [U, R], [U, B], [U, L], [D, F], [D, R], [D, B], [D, L], [F, R], [F, L], [B, R], [B, L]];

/// Names of the corners in order.
pub(crate) const CORNERS: [[Face; 3]; Corner::COUNT] =
    [[U, F, R], [U, R, B], [U, B, L], [U, L, F], [D, R, F], [D, F, L], [D, L, B], [D, B, R]];

/// Centres in order.
pub(crate) const CENTRES: [Face; Face::COUNT] = [U, L, F, R, B, D];

/// Facelets of each edge slot, in the order of its name.
const EDGE_PLACES: [[usize; 2]; Edge::COUNT] = {
    let mut out = [[0; 2]; Edge::COUNT];
    let mut i = 0;
    while i < Edge::COUNT {
        out[i] = facelets_of(EDGES[i]);
        i += 1;
    }
    out
};

/// Facelets of each corner slot, in the order of its name.
const CORNER_PLACES: [[usize; 3]; Corner::COUNT] = {
    let mut out = [[0; 3]; Corner::COUNT];
    let mut i = 0;
    while i < Corner::COUNT {
        out[i] = facelets_of(CORNERS[i]);
        i += 1;
    }
    out
};

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

/// Returns the facelets of the slot with these faces.
const fn facelets_of<const N: usize>(faces: [Face; N]) -> [usize; N] {
    let mut out = [0; N];
    let mut i = 0;
    while i < FACELETS {
        let mut slot = 0;
        // The facelet belongs to the slot whose other facelets lie on the other faces.
        while slot < 12 {
            let shown: &[usize] = if N == 2 {
                &EDGE_FACELETS[slot]
            } else if slot < 8 {
                &CORNER_FACELETS[slot]
            } else {
                &[]
            };
            let mut on = 0;
            let mut has = false;
            let mut k = 0;
            while k < shown.len() {
                on |= 1 << (shown[k] / 9);
                has |= shown[k] == i;
                k += 1;
            }
            if has && on == mask(&faces) {
                let mut k = 0;
                while k < N {
                    if faces[k].index() == i / 9 {
                        out[k] = i;
                    }
                    k += 1;
                }
            }
            slot += 1;
        }
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
        let colours = colours(cube, holding);
        let edges = EDGE_PLACES.map(|places| piece(&EDGES, places.map(|at| colours[at])));
        let corners = CORNER_PLACES.map(|places| piece(&CORNERS, places.map(|at| colours[at])));
        let number = |face: Face| CENTRES.iter().position(|other| *other == face).unwrap_or(0) as u8;
        Self { edges, corners, centres: CENTRES.map(|place| number(colours[CENTRE_FACELETS[place.index()]])) }
    }

    /// Returns the cube, named by places as held, and the holding. The numbers must be in range.
    pub(crate) fn read(&self) -> Result<(Cube, Holding), Fault> {
        let mut centres = Face::ALL;
        for (place, centre) in CENTRES.into_iter().zip(self.centres) {
            centres[place.index()] = CENTRES[usize::from(centre)];
        }
        let holding = holding_of(centres)?;
        let place_of = places(holding);
        let mut shown = [Face::U; FACELETS];
        for (slot, (number, turned)) in EDGE_PLACES.iter().zip(self.edges) {
            show(&mut shown, slot, &EDGES[usize::from(number)], turned, place_of);
        }
        for (slot, (number, turned)) in CORNER_PLACES.iter().zip(self.corners) {
            show(&mut shown, slot, &CORNERS[usize::from(number)], turned, place_of);
        }
        let pieces = Pieces {
            corners: Corner::ALL.map(|slot| seen(slot, CORNER_FACELETS[slot.index()].map(|at| shown[at]))),
            edges: Edge::ALL.map(|slot| seen(slot, EDGE_FACELETS[slot.index()].map(|at| shown[at]))),
        };
        Ok((pieces.verify()?, holding))
    }
}

/// Puts the stickers of a piece on the facelets of a slot.
fn show(shown: &mut [Face; FACELETS], slot: &[usize], name: &[Face], turned: u8, place_of: [Face; Face::COUNT]) {
    for (k, at) in slot.iter().enumerate() {
        shown[*at] = place_of[name[(k + usize::from(turned)) % name.len()].index()];
    }
}

/// Returns the number and the orientation of the piece that shows these faces.
pub(crate) fn piece<const N: usize>(names: &[[Face; N]], shows: [Face; N]) -> (u8, u8) {
    let number = BY_FACES[mask(&shows)];
    let turned = names[usize::from(number)].iter().position(|face| *face == shows[0]).unwrap_or(0);
    (number, turned as u8)
}

/// Returns the piece that shows these faces, clockwise, with its orientation by Kociemba. The faces are those of a piece.
fn seen<P: PieceKind, const N: usize>(slot: P, shows: [Face; N]) -> (P, u8) {
    P::showing(&shows.map(Some)).unwrap_or((slot, 0))
}
