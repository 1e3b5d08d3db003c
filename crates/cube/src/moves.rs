//! The 18 moves, derived from geometry.

use std::fmt;
use std::ops::Deref;

use super::byte_cube::{ByteCube, ByteMove};
use super::cubie::Cube;
use super::face::Face;
use super::geometry::layer_move;
use super::simd::{Kernel, Simd, dispatch};

/// A move of one face. Index 0..18 in the order `U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'`.
///
/// # Examples
/// ```
/// use superflip_cube::{Face, Move};
///
/// assert_eq!(Move::of(Face::R, 3), Some(Move::Ri));
/// assert_eq!(Move::Ri.name(), "R'");
/// assert_eq!("R3".parse(), Ok(Move::Ri));
/// ```
#[allow(missing_docs)] // each is named as cubers write it: `U2` is a half turn, `Ui` a counter-clockwise quarter (U')
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Move {
    U,
    U2,
    Ui,
    R,
    R2,
    Ri,
    F,
    F2,
    Fi,
    D,
    D2,
    Di,
    L,
    L2,
    Li,
    B,
    B2,
    Bi,
}

static MOVE_CUBES: [Cube; Move::COUNT] = {
    let mut out = [Cube::SOLVED; Move::COUNT];
    let mut i = 0;
    while i < Move::COUNT {
        let mv = layer_move(Face::ALL[i / 3], [true, false, false], i % 3 + 1);
        out[i] = Cube::from_facelet_permutation(&mv);
        i += 1;
    }
    out
};

impl Move {
    /// Number of moves.
    pub const COUNT: usize = 18;

    /// Every move in index order.
    #[rustfmt::skip]
    pub const ALL: [Self; Self::COUNT] = [
        Self::U, Self::U2, Self::Ui, Self::R, Self::R2, Self::Ri, Self::F, Self::F2, Self::Fi,
        Self::D, Self::D2, Self::Di, Self::L, Self::L2, Self::Li, Self::B, Self::B2, Self::Bi,
    ];

    /// The ten moves that generate the phase-2 subgroup G1 = <U, D, R2, L2, F2, B2>, in index order.
    pub const PHASE_TWO: [Self; 10] =
        [Self::U, Self::U2, Self::Ui, Self::R2, Self::F2, Self::D, Self::D2, Self::Di, Self::L2, Self::B2];

    /// Returns the index 0..18.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the move with this index, or `None` from 18 on.
    #[inline]
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// Returns the move of `face` by `quarters` clockwise quarter turns (modulo 4), or `None` for no move.
    pub const fn of(face: Face, quarters: usize) -> Option<Self> {
        match quarters % 4 {
            0 => None,
            q => Some(Self::ALL[face.index() * 3 + q - 1]),
        }
    }

    /// Returns the face that turns.
    #[inline]
    pub const fn face(self) -> Face {
        Face::ALL[self.index() / 3]
    }

    /// Returns the number of clockwise quarter turns, 1..4.
    #[inline]
    pub const fn quarters(self) -> usize {
        self.index() % 3 + 1
    }

    /// Returns the inverse move.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self::ALL[self.face().index() * 3 + 3 - self.quarters()]
    }

    /// Returns the move as a cube; `cube.then(m.cube())` applies it.
    #[inline]
    pub const fn cube(self) -> &'static Cube {
        &MOVE_CUBES[self.index()]
    }

    /// Returns its notation: `U`, `U2`, `U'`.
    pub const fn name(self) -> &'static str {
        #[rustfmt::skip]
        const NAMES: [&str; Move::COUNT] = [
            "U", "U2", "U'", "R", "R2", "R'", "F", "F2", "F'", "D", "D2", "D'", "L", "L2", "L'", "B", "B2", "B'",
        ];
        NAMES[self.index()]
    }

    /// Returns whether canonical order allows `self` directly after `last`. The same face never turns twice in a row.
    /// Of two opposite faces, the one with the smaller index turns first.
    #[inline]
    pub const fn may_follow(self, last: Self) -> bool {
        let a = last.face();
        let b = self.face();
        a as u8 != b as u8 && !(a as u8 == b.opposite() as u8 && (a as u8) > (b as u8))
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The notation.
impl serde::Serialize for Move {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A maneuver: face moves in the order in which they are made.
///
/// It parses from the notation of scrambles, groups and commutators included, as long as all moves are face moves. It is
/// written in Singmaster's notation with one space between moves.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Move, Moves};
///
/// let moves: Moves = "[R, U] F3".parse()?;
/// assert_eq!(moves.to_string(), "R U R' U' F'");
/// assert_eq!(moves.inverse().to_string(), "F U R U' R'");
/// assert_eq!((moves.len(), moves[0]), (5, Move::R));
/// assert!(Cube::SOLVED.after(&moves).after(&moves.inverse()).is_solved());
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Moves(Vec<Move>);

impl Moves {
    /// Returns the inverse maneuver: inverse moves in reverse order.
    #[must_use]
    pub fn inverse(&self) -> Self {
        self.iter().rev().map(|mv| mv.inverse()).collect()
    }
}

impl Deref for Moves {
    type Target = [Move];

    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl AsRef<[Move]> for Moves {
    fn as_ref(&self) -> &[Move] {
        self
    }
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(self.len() * "R2 ".len());
        for (place, mv) in self.iter().enumerate() {
            if place > 0 {
                text.push(' ');
            }
            text.push_str(mv.name());
        }
        f.pad(&text)
    }
}

impl FromIterator<Move> for Moves {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl From<Vec<Move>> for Moves {
    fn from(moves: Vec<Move>) -> Self {
        Self(moves)
    }
}

impl<T: AsRef<[Move]> + ?Sized> From<&T> for Moves {
    fn from(moves: &T) -> Self {
        Self(moves.as_ref().to_vec())
    }
}

impl From<Moves> for Vec<Move> {
    fn from(moves: Moves) -> Self {
        moves.0
    }
}

impl IntoIterator for Moves {
    type Item = Move;
    type IntoIter = std::vec::IntoIter<Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Moves {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A cube after some moves.
struct After<'a> {
    cube: &'a Cube,
    moves: &'a [Move],
}

impl Kernel for After<'_> {
    type Output = Cube;

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> Cube {
        let mut bytes = ByteCube::of(self.cube);
        let effects = ByteMove::all();
        for mv in self.moves {
            bytes = bytes.then(simd, &effects[mv.index()]);
        }
        bytes.cube()
    }
}

impl Cube {
    /// Returns the cube after these moves.
    #[must_use]
    pub fn after(&self, moves: &[Move]) -> Self {
        dispatch(After { cube: self, moves })
    }

    /// Returns the cube after these moves on its inverse, inverted back (NISS).
    ///
    /// In fewest-moves solving, some moves of a solution may be found on the inverse of the scramble. Programs such as nissy
    /// write them in parentheses, which always mean a group here. With the position `c`, normal moves `N` and moves `I` on the
    /// inverse, the position is `I^-1 c N`. It is solved exactly if `c N I^-1` is, so `N I^-1` is a solution of `c` without NISS.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, FormError, Moves};
    ///
    /// // Nissy writes this solution of R U F as `(R U) F'`.
    /// let cube: Cube = "R U F".parse()?;
    /// let (normal, inverse): (Moves, Moves) = ("F'".parse()?, "R U".parse()?);
    /// assert!(cube.after(&normal).after_on_inverse(&inverse).is_solved());
    /// assert!(cube.after(&normal).after(&inverse.inverse()).is_solved());
    /// # Ok::<(), FormError>(())
    /// ```
    #[must_use]
    pub fn after_on_inverse(&self, moves: &[Move]) -> Self {
        self.inverse().after(moves).inverse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Corner, Edge};

    #[test]
    fn every_move_has_its_order_and_inverse() {
        for m in Move::ALL {
            let twice = m.cube().then(m.cube());
            assert_eq!(twice.is_solved(), m.quarters() == 2);
            assert!(twice.then(&twice).is_solved());
            assert!(m.cube().then(m.inverse().cube()).is_solved());
            assert_eq!(Move::of(m.face(), m.quarters()), Some(m));
        }
    }

    #[test]
    fn the_single_moves_agree_with_kociemba() {
        use Corner::{Dfr, Dlf, Ufl, Urf};
        use Edge::{Df, Fl, Fr, Uf};
        let f = Move::F.cube();
        assert_eq!([f.corners()[0], f.corners()[1], f.corners()[5], f.corners()[4]], [Ufl, Dlf, Dfr, Urf]);
        assert_eq!(f.twists(), &[1, 2, 0, 0, 2, 1, 0, 0]);
        assert_eq!([f.edges()[1], f.edges()[9], f.edges()[5], f.edges()[8]], [Fl, Df, Fr, Uf]);
        assert_eq!(f.flips(), &[0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]);
        assert_eq!(Move::U.cube().corners()[0], Corner::Ubr);
    }

    #[test]
    fn canonical_order_keeps_one_of_two_opposite_moves() {
        assert!(Move::D.may_follow(Move::U) && !Move::U.may_follow(Move::D2));
        assert!(!Move::U2.may_follow(Move::U) && Move::R.may_follow(Move::U));
    }
}
