//! The arrays to check, as received.

use crate::four_arrays::{ArrayName, FourArrays};

/// Four arrays to check: any length, any values.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Expected: a permutation of 0..8.
    pub corner_perm: &'a [i64],
    /// Expected: 8 numbers 0..3.
    pub corner_orient_delta: &'a [i64],
    /// Expected: a permutation of 0..12.
    pub edge_perm: &'a [i64],
    /// Expected: 12 numbers 0..2.
    pub edge_orient_delta: &'a [i64],
}

impl<'a> Given<'a> {
    /// Returns the entries of one array.
    pub const fn get(&self, array: ArrayName) -> &'a [i64] {
        match array {
            ArrayName::CornerPerm => self.corner_perm,
            ArrayName::CornerOrientDelta => self.corner_orient_delta,
            ArrayName::EdgePerm => self.edge_perm,
            ArrayName::EdgeOrientDelta => self.edge_orient_delta,
        }
    }

    /// Returns whether an array holds exactly these entries.
    pub(crate) fn is(&self, array: ArrayName, wanted: &FourArrays) -> bool {
        self.get(array).iter().copied().eq(wanted.get(array).iter().map(|&entry| i64::from(entry)))
    }
}
