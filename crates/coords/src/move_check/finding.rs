//! Findings of a check of the four arrays.

use serde::Serialize;

use crate::four_arrays::ArrayName;

/// Kind of the finding, as a stable word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingCode {
    /// The arrays describe another move than the named one, often its inverse.
    OtherMove,
    /// The arrays describe the named move in the other convention, and its inverse in this one.
    OtherConvention,
    /// The arrays describe no move, and no move is clearly nearest.
    NotAMove,
    /// The array does not have 8 or 12 entries, as required.
    WrongArrayLength,
    /// Entries are out of range for a slot, twist or flip.
    ValueOutOfRange,
    /// Not a permutation: some values occur more than once.
    DuplicateValue,
    /// Not a permutation: some values are missing.
    MissingValue,
    /// The array, followed by the inverse computed from it, does not restore these entries.
    InverseFails,
    /// The cycles are not one 4-cycle, as for a quarter turn, or not two swaps, as for a half turn.
    WrongCycles,
    /// The pieces of this kind move as in the inverse move.
    WrongDirection,
    /// Entries differ from the entries of the move in another way.
    PermutationDiffers,
    /// The sum of the twists is not a multiple of 3, or the sum of the flips is odd.
    OrientationSum,
    /// Deltas differ from the deltas of the move.
    OrientationDiffers,
    /// The permutations of corners and edges have different parity.
    ParityDiffers,
    /// The order differs from that of the move: 4, or 2 for a half turn.
    WrongOrder,
}

impl FindingCode {
    /// Every code, in the order of findings.
    pub const ALL: [Self; 15] = [
        Self::OtherMove,
        Self::OtherConvention,
        Self::NotAMove,
        Self::WrongArrayLength,
        Self::ValueOutOfRange,
        Self::DuplicateValue,
        Self::MissingValue,
        Self::InverseFails,
        Self::WrongCycles,
        Self::WrongDirection,
        Self::PermutationDiffers,
        Self::OrientationSum,
        Self::OrientationDiffers,
        Self::ParityDiffers,
        Self::WrongOrder,
    ];
}

/// Wrong entry of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Index of the entry, from 0.
    pub index: usize,
    /// Slot of the entry.
    pub slot: &'static str,
    /// Given value.
    pub got: i64,
    /// Expected value.
    pub expected: u8,
}

/// Error found in the arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Kind of the finding, as a stable word.
    pub code: FindingCode,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Array concerned; null if there are several.
    pub array: Option<ArrayName>,
    /// Indices of the entries concerned, from 0; empty if none can be singled out.
    pub indices: Vec<usize>,
    /// Given and expected values of wrong entries; empty if the finding does not compare the array with a move.
    pub differences: Vec<Difference>,
}

impl Finding {
    pub(crate) fn new(code: FindingCode, array: Option<ArrayName>, message: String) -> Self {
        Self { code, message, array, indices: Vec::new(), differences: Vec::new() }
    }

    pub(crate) fn at(self, indices: Vec<usize>) -> Self {
        Self { indices, ..self }
    }

    pub(crate) fn differing(self, differences: Vec<Difference>) -> Self {
        let indices = differences.iter().map(|difference| difference.index).collect();
        Self { indices, differences, ..self }
    }
}
