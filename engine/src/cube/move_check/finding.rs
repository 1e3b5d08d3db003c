//! Findings of a check of the four arrays.

use crate::cube::four_arrays::ArrayName;

/// The kind of a finding, as a stable code. The table is in [`move_check`](super).
#[allow(missing_docs)] // each is described in the table
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FindingCode {
    OtherMove,
    OtherConvention,
    NotAMove,
    WrongArrayLength,
    ValueOutOfRange,
    DuplicateValue,
    MissingValue,
    InverseFails,
    WrongCycles,
    WrongDirection,
    PermutationDiffers,
    OrientationSum,
    OrientationDiffers,
    ParityDiffers,
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

/// A wrong entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Index of the entry.
    pub index: usize,
    /// Slot of the entry.
    pub slot: &'static str,
    /// Given value.
    pub got: i64,
    /// Expected value.
    pub expected: u8,
}

/// One fault of the arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Code of the fault.
    pub code: FindingCode,
    /// Description in a sentence or two.
    pub message: String,
    /// Affected array; `None` if there are several.
    pub array: Option<ArrayName>,
    /// Indices of the affected entries; empty if they cannot be determined.
    pub indices: Vec<usize>,
    /// Differing entries; empty without a reference.
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
