//! The 48 symmetries of the cube: 24 rotations and 24 reflections.
//!
//! Symmetry number `16 a + 8 b + 2 c + d` (Kociemba's numbering) is a product of these factors, in this order:
//!
//! - `a` rotations by 120 degrees about the diagonal URF-DBL (U goes to R);
//! - `b` half turns about F;
//! - `c` quarter turns about U;
//! - `d` reflections left to right.
//!
//! The first 16 symmetries keep the UD axis.
#![allow(clippy::cast_possible_truncation)] // indices of symmetries and pieces are below 48

use super::cubie::Cube;
use super::face::Face;
use super::geometry::{CORNER_FACELETS, EDGE_FACELETS, Isometry};
use super::moves::Move;
use super::piece::{Corner, Edge};

/// One of the 48 symmetries, index 0..48.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Move, Symmetry};
///
/// let s = Symmetry::DIAGONAL;
/// let cube = Cube::SOLVED.after(&[Move::R]);
/// // The same position seen through the symmetry is another quarter turn.
/// assert_eq!(s.conjugate(&cube), *s.conjugate_move(Move::R).cube());
/// assert_eq!(s.inverse().conjugate(&s.conjugate(&cube)), cube);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize)]
pub struct Symmetry(u8);

const fn power(motion: Isometry, exponent: usize) -> Isometry {
    let mut out = Isometry::IDENTITY;
    let mut i = 0;
    while i < exponent {
        out = out.then(motion);
        i += 1;
    }
    out
}

/// The map of space of each symmetry.
const MOTIONS: [Isometry; Symmetry::COUNT] = {
    // U goes to R, R to F, F to U.
    let diagonal = Isometry { from: [1, 2, 0], sign: [1, 1, 1] };
    let half_f = power(Isometry::quarter_turn(Face::F), 2);
    let quarter_u = Isometry::quarter_turn(Face::U);
    let mirror = Isometry { from: [0, 1, 2], sign: [-1, 1, 1] };
    let mut out = [Isometry::IDENTITY; Symmetry::COUNT];
    let mut i = 0;
    while i < Symmetry::COUNT {
        out[i] = power(diagonal, i / 16)
            .then(power(half_f, i / 8 % 2))
            .then(power(quarter_u, i / 2 % 4))
            .then(power(mirror, i % 2));
        i += 1;
    }
    out
};

/// Returns the symmetry with this map of space.
const fn find(motion: Isometry) -> u8 {
    let mut i = 0;
    while i < Symmetry::COUNT {
        let a = MOTIONS[i];
        let b = motion;
        if a.from[0] == b.from[0]
            && a.from[1] == b.from[1]
            && a.from[2] == b.from[2]
            && a.sign[0] == b.sign[0]
            && a.sign[1] == b.sign[1]
            && a.sign[2] == b.sign[2]
        {
            return i as u8;
        }
        i += 1;
    }
    panic!("the symmetries are closed under composition")
}

const PRODUCTS: [[u8; Symmetry::COUNT]; Symmetry::COUNT] = {
    let mut out = [[0; Symmetry::COUNT]; Symmetry::COUNT];
    let mut a = 0;
    while a < Symmetry::COUNT {
        let mut b = 0;
        while b < Symmetry::COUNT {
            out[a][b] = find(MOTIONS[a].then(MOTIONS[b]));
            b += 1;
        }
        a += 1;
    }
    out
};

const INVERSES: [u8; Symmetry::COUNT] = {
    let mut out = [0; Symmetry::COUNT];
    let mut a = 0;
    while a < Symmetry::COUNT {
        let mut b = 0;
        while b < Symmetry::COUNT {
            if PRODUCTS[a][b] == 0 {
                out[a] = b as u8;
            }
            b += 1;
        }
        a += 1;
    }
    out
};

/// The effect of conjugation by one symmetry on slots, on the facelets within them and on moves.
#[derive(Clone, Copy)]
struct Action {
    corner: [Corner; 8],
    corner_facelet: [[u8; 3]; 8],
    edge: [Edge; 12],
    edge_facelet: [[u8; 2]; 12],
    moves: [Move; Move::COUNT],
}

/// Returns the slot that contains a facelet, and its number within the slot.
const fn locate<const N: usize, const K: usize>(slots: &[[usize; K]; N], facelet: usize) -> (usize, u8) {
    let mut i = 0;
    while i < N {
        let mut k = 0;
        while k < K {
            if slots[i][k] == facelet {
                return (i, k as u8);
            }
            k += 1;
        }
        i += 1;
    }
    panic!("symmetries carry corners to corners and edges to edges")
}

/// Computes the action of a symmetry. In `s * g * s^-1`, the cube `s` has at facelet `i` the sticker that the motion
/// moves there. So conjugation relabels every facelet by the inverse of the motion.
const fn action(symmetry: usize) -> Action {
    let relabel = MOTIONS[INVERSES[symmetry] as usize];
    let mut out = Action {
        corner: Corner::ALL,
        corner_facelet: [[0; 3]; 8],
        edge: Edge::ALL,
        edge_facelet: [[0; 2]; 12],
        moves: Move::ALL,
    };
    let mut i = 0;
    while i < 8 {
        let mut k = 0;
        while k < 3 {
            let (slot, number) = locate(&CORNER_FACELETS, relabel.carry(CORNER_FACELETS[i][k]));
            out.corner[i] = Corner::ALL[slot];
            out.corner_facelet[i][k] = number;
            k += 1;
        }
        i += 1;
    }
    let mut i = 0;
    while i < 12 {
        let mut k = 0;
        while k < 2 {
            let (slot, number) = locate(&EDGE_FACELETS, relabel.carry(EDGE_FACELETS[i][k]));
            out.edge[i] = Edge::ALL[slot];
            out.edge_facelet[i][k] = number;
            k += 1;
        }
        i += 1;
    }
    let mut i = 0;
    while i < Move::COUNT {
        let face = Face::from_normal(relabel.apply(Move::ALL[i].face().normal()));
        // The lowest bit is the reflection, under which clockwise becomes counter-clockwise.
        let quarters = if symmetry % 2 == 1 { 4 - Move::ALL[i].quarters() } else { Move::ALL[i].quarters() };
        out.moves[i] = Move::ALL[face.index() * 3 + quarters - 1];
        i += 1;
    }
    out
}

static ACTIONS: [Action; Symmetry::COUNT] = {
    let mut out = [action(0); Symmetry::COUNT];
    let mut i = 0;
    while i < Symmetry::COUNT {
        out[i] = action(i);
        i += 1;
    }
    out
};

impl Symmetry {
    /// Number of symmetries.
    pub const COUNT: usize = 48;
    /// Number of symmetries that keep the UD axis; they come first.
    pub const KEEPING_UD: usize = 16;
    /// The identity.
    pub const IDENTITY: Self = Self(0);
    /// The rotation by 120 degrees about the diagonal URF-DBL: U goes to R, R to F, F to U.
    pub const DIAGONAL: Self = Self(16);

    /// Iterates over every symmetry in index order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Returns the index 0..48.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the symmetry with this index, or `None` from 48 on.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// Returns the product: first `self`, then `next`. Conjugation by the product conjugates by `next` first, then by
    /// `self`.
    #[inline]
    #[must_use]
    pub const fn then(self, next: Self) -> Self {
        Self(PRODUCTS[self.index()][next.index()])
    }

    /// Returns the inverse.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self(INVERSES[self.index()])
    }

    /// Returns whether it is a reflection, which no rotation of the whole cube achieves.
    pub const fn is_reflection(self) -> bool {
        self.0 % 2 == 1
    }

    /// Returns the image of an edge slot under conjugation.
    #[inline]
    pub fn conjugate_edge(self, slot: Edge) -> Edge {
        ACTIONS[self.index()].edge[slot.index()]
    }

    /// Returns the image of a corner slot under conjugation.
    pub fn conjugate_corner(self, slot: Corner) -> Corner {
        ACTIONS[self.index()].corner[slot.index()]
    }

    /// Returns `s * m * s^-1` for a face move.
    #[inline]
    pub const fn conjugate_move(self, m: Move) -> Move {
        ACTIONS[self.index()].moves[m.index()]
    }

    /// Returns `s * g * s^-1`: the same position seen through `s`. Its distance from solved is the same.
    #[must_use]
    pub fn conjugate(self, cube: &Cube) -> Cube {
        let act = &ACTIONS[self.index()];
        let mut corners = Corner::ALL;
        let mut twists = [0; 8];
        for slot in 0..8 {
            let piece = cube.corners()[slot].index();
            let twist = usize::from(cube.twists()[slot]);
            let to = act.corner[slot].index();
            corners[to] = act.corner[piece];
            // The sticker of `piece` that becomes the reference sticker of its image, and its place.
            let reference = act.corner_facelet[piece].iter().position(|&k| k == 0).unwrap_or(0);
            twists[to] = act.corner_facelet[slot][(reference + twist) % 3];
        }
        let mut edges = Edge::ALL;
        let mut flips = [0; 12];
        for slot in 0..12 {
            let piece = cube.edges()[slot].index();
            let flip = usize::from(cube.flips()[slot]);
            let to = act.edge[slot].index();
            edges[to] = act.edge[piece];
            let reference = act.edge_facelet[piece].iter().position(|&k| k == 0).unwrap_or(0);
            flips[to] = act.edge_facelet[slot][(reference + flip) % 2];
        }
        Cube::assemble(corners, twists, edges, flips)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_form_a_group_of_48() {
        for a in Symmetry::all() {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            assert_eq!(a.then(Symmetry::IDENTITY), a);
            let images: std::collections::HashSet<_> = Symmetry::all().map(|b| a.then(b)).collect();
            assert_eq!(images.len(), 48);
            for b in Symmetry::all() {
                for c in Symmetry::all() {
                    assert_eq!(a.then(b).then(c), a.then(b.then(c)));
                }
            }
        }
    }

    #[test]
    fn conjugation_is_an_action_by_automorphisms() {
        let cube = Cube::SOLVED.after(&[Move::R, Move::Ui, Move::F2, Move::D, Move::L, Move::B]);
        for a in Symmetry::all() {
            for m in Move::ALL {
                assert_eq!(a.conjugate(m.cube()), *a.conjugate_move(m).cube(), "{a:?} {m}");
                assert_eq!(a.conjugate(&cube.then(m.cube())), a.conjugate(&cube).then(&a.conjugate(m.cube())));
            }
            for b in Symmetry::all() {
                assert_eq!(a.then(b).conjugate(&cube), a.conjugate(&b.conjugate(&cube)));
            }
        }
    }

    #[test]
    fn the_first_sixteen_keep_the_axis_and_the_diagonal_turns_it() {
        for s in Symmetry::all() {
            let image = s.conjugate_move(Move::U).face();
            assert_eq!(image == Face::U || image == Face::D, s.index() < Symmetry::KEEPING_UD);
        }
        // Turning U to R first, then turning R, then back, turns what was U.
        assert_eq!(Symmetry::DIAGONAL.conjugate_move(Move::R), Move::U);
        // A quarter turn of the whole cube about U: then F, and back, is R.
        assert_eq!(Symmetry(2).conjugate_move(Move::F), Move::R);
        assert_eq!(Symmetry(1).conjugate_move(Move::R), Move::Li);
    }
}
