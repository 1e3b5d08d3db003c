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
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest > 1).then(|| {
                let mv = (rest & 31) as usize;
                rest >>= 5;
                mv
            })
        })
    }

    /// Returns the last move.
    #[inline]
    pub(crate) fn last(self) -> Option<Move> {
        self.moves_backwards().next().and_then(Move::try_from_index)
    }
}

const _: () = assert!(Move::COUNT < 32, "five bits hold a move");
