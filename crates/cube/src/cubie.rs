//! The cube as pieces in slots, and how two such cubes compose.
#![allow(clippy::cast_possible_truncation)] // numbers of stickers are below 54

use std::fmt;

use rand::seq::SliceRandom;
use rand::{Rng, RngExt};

use super::face::Face;
use super::geometry::{CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS, FACELETS};
use super::piece::kind::parity;
use super::piece::{Corner, Edge};

/// A cube: which piece is in which slot, and its orientation. The centres are at home.
///
/// Arrays are "replaced-by": `corners[i]` is the piece in slot `i`. Twists are clockwise thirds 0..3: the reference
/// sticker of the piece is on facelet number `twist` of its slot. Flips are 0..2 likewise. The arrays are always
/// permutations with orientations in range. Whether moves can reach the cube is checked by the parsers in
/// [`verify`](super::verify).
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Move};
///
/// let cube = Cube::SOLVED.after(&[Move::R, Move::U]);
/// assert!(!cube.is_solved());
/// assert!(cube.then(&cube.inverse()).is_solved());
/// assert!(cube.after(&[Move::Ui, Move::Ri]).is_solved());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cube {
    corners: [Corner; 8],
    twists: [u8; 8],
    edges: [Edge; 12],
    flips: [u8; 12],
}

impl Cube {
    /// The solved cube.
    pub const SOLVED: Self = Self { corners: Corner::ALL, twists: [0; 8], edges: Edge::ALL, flips: [0; 12] };

    /// Assembles a cube from arrays that must be permutations with orientations in range. Moves need not reach it.
    pub const fn assemble(corners: [Corner; 8], twists: [u8; 8], edges: [Edge; 12], flips: [u8; 12]) -> Self {
        Self { corners, twists, edges, flips }
    }

    /// Returns the corner piece in each slot.
    #[inline]
    pub const fn corners(&self) -> &[Corner; 8] {
        &self.corners
    }

    /// Returns the clockwise twist 0..3 of the corner in each slot.
    #[inline]
    pub const fn twists(&self) -> &[u8; 8] {
        &self.twists
    }

    /// Returns the edge piece in each slot.
    #[inline]
    pub const fn edges(&self) -> &[Edge; 12] {
        &self.edges
    }

    /// Returns the flip 0..2 of the edge in each slot.
    #[inline]
    pub const fn flips(&self) -> &[u8; 12] {
        &self.flips
    }

    /// Returns the composition: first `self`, then `next`.
    #[inline]
    #[must_use]
    pub const fn then(&self, next: &Self) -> Self {
        let mut out = Self::SOLVED;
        let mut i = 0;
        while i < 8 {
            let from = next.corners[i].index();
            out.corners[i] = self.corners[from];
            out.twists[i] = (self.twists[from] + next.twists[i]) % 3;
            i += 1;
        }
        let mut i = 0;
        while i < 12 {
            let from = next.edges[i].index();
            out.edges[i] = self.edges[from];
            out.flips[i] = self.flips[from] ^ next.flips[i];
            i += 1;
        }
        out
    }

    /// Returns the inverse: `a.then(&a.inverse())` is solved.
    #[must_use]
    pub const fn inverse(&self) -> Self {
        let mut out = Self::SOLVED;
        let mut i = 0;
        while i < 8 {
            let at = self.corners[i].index();
            out.corners[at] = Corner::ALL[i];
            out.twists[at] = (3 - self.twists[i]) % 3;
            i += 1;
        }
        let mut i = 0;
        while i < 12 {
            let at = self.edges[i].index();
            out.edges[at] = Edge::ALL[i];
            out.flips[at] = self.flips[i];
            i += 1;
        }
        out
    }

    /// Returns whether every piece is at home.
    #[inline]
    pub fn is_solved(&self) -> bool {
        *self == Self::SOLVED
    }

    /// Returns, for each facelet, the facelet (0..54) of the solved cube whose sticker is there now.
    pub const fn to_facelet_permutation(&self) -> [u8; FACELETS] {
        let mut out = [0; FACELETS];
        let mut i = 0;
        while i < 6 {
            out[CENTRE_FACELETS[i]] = CENTRE_FACELETS[i] as u8;
            i += 1;
        }
        let mut i = 0;
        while i < 8 {
            let home = CORNER_FACELETS[self.corners[i].index()];
            let mut k = 0;
            while k < 3 {
                out[CORNER_FACELETS[i][(k + self.twists[i] as usize) % 3]] = home[k] as u8;
                k += 1;
            }
            i += 1;
        }
        let mut i = 0;
        while i < 12 {
            let home = EDGE_FACELETS[self.edges[i].index()];
            let mut k = 0;
            while k < 2 {
                out[EDGE_FACELETS[i][(k + self.flips[i] as usize) % 2]] = home[k] as u8;
                k += 1;
            }
            i += 1;
        }
        out
    }

    /// Returns the face of the colour of each facelet.
    pub fn to_stickers(&self) -> [Face; FACELETS] {
        self.to_facelet_permutation().map(|from| Face::ALL[from as usize / 9])
    }

    /// Returns the cube with these stickers, each named by the face of its colour. Centres are ignored. Moves need not reach the
    /// cube. Returns `None` if a slot shows no piece, or if a piece occurs twice.
    pub const fn from_stickers(faces: &[Option<Face>; FACELETS]) -> Option<Self> {
        let mut out = Self::SOLVED;
        let mut seen = 0_u32;
        let mut i = 0;
        while i < 8 {
            let [a, b, c] = CORNER_FACELETS[i];
            let Some((piece, twist)) = Corner::showing([faces[a], faces[b], faces[c]]) else { return None };
            (out.corners[i], out.twists[i]) = (piece, twist);
            seen |= 1 << piece.index();
            i += 1;
        }
        i = 0;
        while i < 12 {
            let [a, b] = EDGE_FACELETS[i];
            let Some((piece, flip)) = Edge::showing([faces[a], faces[b]]) else { return None };
            (out.edges[i], out.flips[i]) = (piece, flip);
            seen |= 1 << (8 + piece.index());
            i += 1;
        }
        if seen.count_ones() == 20 { Some(out) } else { None }
    }

    /// Reads the pieces off a facelet permutation that keeps centres at home and pieces whole; the inverse of
    /// [`Cube::to_facelet_permutation`].
    ///
    /// # Panics
    /// When a slot shows no piece. Only permutations derived from cubes are passed here.
    pub(crate) const fn from_facelet_permutation(from: &[u8; FACELETS]) -> Self {
        let mut faces = [None; FACELETS];
        let mut i = 0;
        while i < FACELETS {
            faces[i] = Some(Face::ALL[from[i] as usize / 9]);
            i += 1;
        }
        Self::from_stickers(&faces).expect("every slot shows a piece")
    }

    /// Returns the sum of the twists modulo 3. It is 0 on every cube that moves can reach.
    pub fn twist_sum(&self) -> u8 {
        self.twists.iter().sum::<u8>() % 3
    }

    /// Returns the sum of the flips modulo 2. It is 0 on every cube that moves can reach.
    pub fn flip_sum(&self) -> u8 {
        self.flips.iter().sum::<u8>() % 2
    }

    /// Returns whether the permutations of corners and of edges have the same parity, as on every cube that moves can reach.
    pub fn has_equal_parities(&self) -> bool {
        parity(&self.corners.map(Corner::index)) == parity(&self.edges.map(Edge::index))
    }

    /// Returns whether moves can reach the cube.
    pub fn is_reachable(&self) -> bool {
        self.twist_sum() == 0 && self.flip_sum() == 0 && self.has_equal_parities()
    }
}

/// The stickers as 54 letters `URFDLB`, faces in this order, each row by row as seen from outside.
impl fmt::Display for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.to_stickers().map(|face| face.letter() as u8);
        f.pad(&String::from_utf8_lossy(&letters))
    }
}

/// The stickers, as [`Display`](fmt::Display) writes them.
impl fmt::Debug for Cube {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Cube({self})")
    }
}

impl Default for Cube {
    fn default() -> Self {
        Self::SOLVED
    }
}

/// Returns a random cube, uniformly distributed over the 43 252 003 274 489 856 000 reachable ones. `rng` is a generator of
/// `rand` 0.10.
pub fn random_cube(rng: &mut (impl Rng + ?Sized)) -> Cube {
    let mut corners = Corner::ALL;
    let mut edges = Edge::ALL;
    corners.shuffle(rng);
    edges.shuffle(rng);
    // Exchanging two edges pairs up the arrangements of either parity, so the distribution stays uniform.
    if parity(&corners.map(Corner::index)) != parity(&edges.map(Edge::index)) {
        edges.swap(0, 1);
    }
    // All orientations but the last are free; the last one corrects the sum.
    let mut twists: [u8; Corner::COUNT] = std::array::from_fn(|_| rng.random_range(0..3));
    twists[7] = (3 - twists[..7].iter().sum::<u8>() % 3) % 3;
    let mut flips: [u8; Edge::COUNT] = std::array::from_fn(|_| rng.random_range(0..2));
    flips[11] = flips[..11].iter().sum::<u8>() % 2;
    Cube::assemble(corners, twists, edges, flips)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;
    use crate::Move;

    #[test]
    fn inverse_undoes_and_composition_is_associative() {
        let a = Move::ALL.iter().fold(Cube::SOLVED, |cube, m| cube.then(m.cube()));
        let b = a.then(Move::R.cube()).then(&a);
        assert!(a.then(&a.inverse()).is_solved());
        assert!(a.inverse().then(&a).is_solved());
        assert_eq!(a.then(&b).then(&a), a.then(&b.then(&a)));
    }

    #[test]
    fn facelet_permutations_round_trip_and_compose() {
        let a = Move::F.cube().then(Move::U.cube());
        let map = a.to_facelet_permutation();
        assert_eq!(Cube::from_facelet_permutation(&map), a);
        let f = Move::F.cube().to_facelet_permutation();
        let u = Move::U.cube().to_facelet_permutation();
        for i in 0..FACELETS {
            assert_eq!(map[i], f[u[i] as usize]);
        }
    }

    #[test]
    fn every_piece_comes_to_every_slot_about_equally_often() {
        const CUBES: usize = 24_000;
        let mut rng = StdRng::seed_from_u64(1);
        let mut corners = [[[0_usize; 3]; 8]; 8];
        let mut edges = [[[0_usize; 2]; 12]; 12];
        let mut odd = 0_usize;
        for _ in 0..CUBES {
            let cube = random_cube(&mut rng);
            assert_eq!(cube.twists().iter().sum::<u8>() % 3, 0);
            assert_eq!(cube.flips().iter().sum::<u8>() % 2, 0);
            let parities = (parity(&cube.corners().map(Corner::index)), parity(&cube.edges().map(Edge::index)));
            assert_eq!(parities.0, parities.1);
            odd += usize::from(parities.0 == Some(true));
            for i in 0..8 {
                corners[i][cube.corners()[i].index()][usize::from(cube.twists()[i])] += 1;
            }
            for i in 0..12 {
                edges[i][cube.edges()[i].index()][usize::from(cube.flips()[i])] += 1;
            }
        }
        // Each of the 24 cases is expected 1000 times with a standard deviation of 31.
        let counts = corners.iter().flatten().flatten().chain(edges.iter().flatten().flatten());
        assert!(counts.into_iter().all(|n| n.abs_diff(CUBES / 24) < 160));
        assert!(odd.abs_diff(CUBES / 2) < 400);
    }
}
