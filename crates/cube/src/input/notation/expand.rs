//! Expands groups and brackets into turns, within bounds.

use super::layer_turn::{LayerTurn, MAX_TURNS};

/// The maneuver would be longer than [`MAX_TURNS`].
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Returns the inverse turns in reverse order.
pub(crate) fn inverse(turns: &[LayerTurn]) -> Vec<LayerTurn> {
    turns.iter().rev().map(|turn| turn.inverse()).collect()
}

/// Concatenates the parts and repeats them. The length is checked before anything is expanded.
pub(crate) fn repeat(parts: &[&[LayerTurn]], times: usize) -> Result<Vec<LayerTurn>, TooLong> {
    let once: usize = parts.iter().map(|part| part.len()).sum();
    match once.checked_mul(times) {
        Some(length) if length <= MAX_TURNS => Ok(parts.concat().repeat(times)),
        _ => Err(TooLong),
    }
}

/// Returns `A B A' B'`.
pub(crate) fn commutator(a: &[LayerTurn], b: &[LayerTurn]) -> Result<Vec<LayerTurn>, TooLong> {
    repeat(&[a, b, &inverse(a), &inverse(b)], 1)
}

/// Returns `A B A'`.
pub(crate) fn conjugate(a: &[LayerTurn], b: &[LayerTurn]) -> Result<Vec<LayerTurn>, TooLong> {
    repeat(&[a, b, &inverse(a)], 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Face;

    #[test]
    fn lengths_are_bounded_before_anything_is_written_out() {
        let turn = [LayerTurn { face: Face::R, layers: [true, false, false], quarters: 1, at: 0 }];
        assert_eq!(repeat(&[&turn], MAX_TURNS).map(|turns| turns.len()), Ok(MAX_TURNS));
        assert_eq!(repeat(&[&turn], MAX_TURNS + 1), Err(TooLong));
        assert_eq!(repeat(&[&turn, &turn], usize::MAX), Err(TooLong));
        assert_eq!(commutator(&turn.repeat(MAX_TURNS), &turn), Err(TooLong));
        assert_eq!(conjugate(&turn, &turn).map(|turns| turns.len()), Ok(3));
    }
}
