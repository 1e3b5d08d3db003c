//! Sets of face moves.

use superflip_cube::{Face, Move, Symmetry};

/// A set of face moves, one bit each.
///
/// # Examples
/// ```
/// use superflip_coords::steps::MoveSet;
/// use superflip_cube::Move;
///
/// assert_eq!(MoveSet::HALF_TURNS.iter().count(), 6);
/// assert!(!MoveSet::PHASE_TWO.contains(Move::F) && MoveSet::PHASE_TWO.contains(Move::F2));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MoveSet(u32);

impl MoveSet {
    /// All 18 moves.
    pub const ALL: Self = Self::of(&Move::ALL);
    /// The moves that keep the orientation of edges on the axis FB: all but quarter turns of F and B.
    pub(crate) const KEEPING_FLIPS: Self = {
        let quarters = (1 << Move::F as u32) | (1 << Move::Fi as u32) | (1 << Move::B as u32) | (1 << Move::Bi as u32);
        Self(Self::ALL.0 & !quarters)
    };
    /// The ten moves of phase 2: turns of U and D, and half turns.
    pub const PHASE_TWO: Self = Self::of(&Move::PHASE_TWO);
    /// The moves of phase 2 without the moves of D.
    pub(crate) const PHASE_TWO_WITHOUT_D: Self = Self(Self::PHASE_TWO.0 & !Self::face(Face::D).0);
    /// The six half turns.
    pub const HALF_TURNS: Self = Self::of(&[Move::U2, Move::R2, Move::F2, Move::D2, Move::L2, Move::B2]);

    /// The quarter turns of U and D.
    pub(crate) const UD_QUARTERS: Self = Self::of(&[Move::U, Move::Ui, Move::D, Move::Di]);

    /// Returns the set of these moves.
    pub const fn of(moves: &[Move]) -> Self {
        let mut bits = 0;
        let mut i = 0;
        while i < moves.len() {
            bits |= 1 << moves[i] as u32;
            i += 1;
        }
        Self(bits)
    }

    /// Returns the three moves of a face.
    pub(crate) const fn face(face: Face) -> Self {
        Self(7 << (3 * face as u32))
    }

    /// Returns the moves that canonical order allows after a move.
    #[inline]
    pub(crate) const fn followers(last: Move) -> Self {
        FOLLOWERS[last as usize]
    }

    /// Returns whether the set contains a move.
    pub const fn contains(self, mv: Move) -> bool {
        self.0 >> mv as u32 & 1 == 1
    }

    /// Returns whether the set has no moves.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the moves that are in both sets.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the moves that are in one of the sets.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the moves of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Iterates over the moves in index order.
    pub fn iter(self) -> impl Iterator<Item = Move> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let mv = Move::try_from_index(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(mv)
        })
    }

    /// Returns the moves as seen through a symmetry.
    #[must_use]
    pub(crate) fn seen_through(self, symmetry: Symmetry) -> Self {
        self.iter().map(|mv| symmetry.conjugate_move(mv)).collect()
    }
}

impl FromIterator<Move> for MoveSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().fold(0, |bits, mv| bits | 1 << mv as u32))
    }
}

/// For each last move, the moves that canonical order allows after it.
static FOLLOWERS: [MoveSet; Move::COUNT] = {
    let mut out = [MoveSet::ALL; Move::COUNT];
    let mut last = 0;
    while last < Move::COUNT {
        let mut mv = 0;
        while mv < Move::COUNT {
            if !Move::ALL[mv].may_follow(Move::ALL[last]) {
                out[last].0 &= !(1 << mv);
            }
            mv += 1;
        }
        last += 1;
    }
    out
};
