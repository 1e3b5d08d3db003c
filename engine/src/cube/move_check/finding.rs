//! What a check of the arrays finds.

use crate::cube::four_arrays::ArrayName;

/// What is wrong, as a word that does not change; the table is in [`move_check`](self).
#[allow(missing_docs)] // each is told in the table
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
    /// Every code, in the order in which findings come.
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

/// An entry that is not what it should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Which entry, from 0.
    pub index: usize,
    /// The slot it belongs to.
    pub slot: &'static str,
    /// What is there.
    pub got: i64,
    /// What should be there.
    pub expected: u8,
}

/// One thing that is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// What, as a word.
    pub code: FindingCode,
    /// What, in a sentence or two.
    pub message: String,
    /// The array concerned, or `None` when it is about several.
    pub array: Option<ArrayName>,
    /// The entries concerned, from 0; empty when none can be singled out.
    pub indices: Vec<usize>,
    /// Entry by entry what is there and what should be; empty without a reference.
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
