//! Axes that the ends of a maneuver must avoid, so that no move cancels with moves before or after it.

use superflip_cube::{Axis, Move};

/// Axes that the first and the last move of a maneuver must avoid. The default avoids none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AvoidedAxes {
    /// Axis that the first move must avoid.
    pub first: Option<Axis>,
    /// Axis that the last move must avoid.
    pub last: Option<Axis>,
}

impl AvoidedAxes {
    /// Returns the axes of the moves next to a maneuver between others.
    pub fn between(before: &[Move], after: &[Move]) -> Self {
        let axis = |mv: &Move| mv.face().axis();
        Self { first: before.last().map(axis), last: after.first().map(axis) }
    }

    /// Returns the rule for the inverse maneuver.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self { first: self.last, last: self.first }
    }

    /// Returns whether a maneuver avoids them. An empty one does.
    pub fn are_avoided_by(self, moves: &[Move]) -> bool {
        let meets =
            |mv: Option<&Move>, axis: Option<Axis>| mv.zip(axis).is_some_and(|(mv, axis)| mv.face().axis() == axis);
        !meets(moves.first(), self.first) && !meets(moves.last(), self.last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_ends_count() {
        let avoided = AvoidedAxes::between(&[Move::U, Move::F], &[Move::R, Move::U]);
        assert_eq!(avoided, AvoidedAxes { first: Some(Axis::Fb), last: Some(Axis::Rl) });
        assert!(avoided.are_avoided_by(&[]));
        assert!(avoided.are_avoided_by(&[Move::R, Move::L, Move::F2, Move::B]));
        assert!(!avoided.are_avoided_by(&[Move::Bi, Move::U]));
        assert!(!avoided.are_avoided_by(&[Move::U, Move::L2]));
        assert!(!avoided.inverse().are_avoided_by(&[Move::L2, Move::U]));
        assert!(AvoidedAxes::default().are_avoided_by(&[Move::F]));
    }
}
