//! The moves of a phase-1 maneuver, packed into one word.

use superflip_cube::Move;

/// The moves of a phase-1 maneuver: five bits each, the last move lowest, below a leading 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MovePath(u128);

impl Default for MovePath {
    fn default() -> Self {
        Self::NONE
    }
}

impl MovePath {
    pub(crate) const NONE: Self = Self(1);

    #[inline]
    pub(crate) fn with(self, mv: u8) -> Self {
        Self(self.0 << 5 | u128::from(mv))
    }

    /// Returns the number of moves.
    #[inline]
    pub(crate) fn len(self) -> u8 {
        (self.0.ilog2() / 5) as u8
    }

    /// Returns the moves in order.
    pub(crate) fn moves(self) -> impl Iterator<Item = usize> {
        (0..self.len()).rev().map(move |back| (self.0 >> (5 * back) & 31) as usize)
    }

    /// Returns the moves in reverse order.
    #[inline]
    pub(crate) fn moves_backwards(self) -> impl Iterator<Item = usize> {
        // Few paths are longer than twelve moves, so the upper half is nearly always 0.
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        std::iter::from_fn(move || {
            if high == 0 && low <= 1 {
                return None;
            }
            let mv = (low & 31) as usize;
            low >>= 5;
            if high != 0 {
                low |= high << 59;
                high >>= 5;
            }
            Some(mv)
        })
    }

    /// Returns the last move.
    #[inline]
    pub(crate) fn last(self) -> Option<Move> {
        self.moves_backwards().next().and_then(Move::try_from_index)
    }
}

const _: () = assert!(Move::COUNT < 32, "five bits hold a move");
