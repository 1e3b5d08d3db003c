//! Four arrays to be checked, and the verdict on them.

use crate::api::contract::ToSchema;
use serde::{Deserialize, Serialize};

use crate::api::types::{ConventionName, FourArraysBody};
use crate::cube::Move;
use crate::cube::four_arrays::{ArrayName, Convention};
use crate::cube::move_check::{Choice, Difference, Finding, FindingCode, Given, Matches, Reference, Report};

/// Four arrays that should be a face turn. Wrong lengths and numbers out of range are findings, not errors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveCheckRequest {
    /// What the entries mean (default: both are tried, with one report each).
    pub convention: Option<ConventionName>,
    /// The face turn that the arrays should be, such as `F`, `F2` or `F'` (default: any of the 18).
    #[schema(example = "F")]
    pub r#move: Option<String>,
    /// Should be a permutation of 0 to 7, one entry for each of URF UFL ULB UBR DFR DLF DBL DRB.
    #[schema(example = json!([1, 5, 2, 3, 0, 4, 6, 7]))]
    pub corner_perm: Vec<i64>,
    /// Should be clockwise thirds 0 to 2, one for each corner slot.
    #[schema(example = json!([1, 2, 0, 0, 2, 1, 0, 0]))]
    pub corner_orient_delta: Vec<i64>,
    /// Should be a permutation of 0 to 11, one entry for each of UR UF UL UB DR DF DL DB FR FL BL BR.
    #[schema(example = json!([0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11]))]
    pub edge_perm: Vec<i64>,
    /// Should be flips 0 or 1, one for each edge slot.
    #[schema(example = json!([0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]))]
    pub edge_orient_delta: Vec<i64>,
}

impl MoveCheckRequest {
    /// The arrays alone.
    pub fn given(&self) -> Given<'_> {
        Given {
            corner_perm: &self.corner_perm,
            corner_orient_delta: &self.corner_orient_delta,
            edge_perm: &self.edge_perm,
            edge_orient_delta: &self.edge_orient_delta,
        }
    }
}

macro_rules! finding_names {
    ($($(#[$doc:meta])+ $name:ident,)+) => {
        /// What is wrong, as a word that does not change.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        #[schema(as = FindingCode)]
        pub enum FindingName { $($(#[$doc])+ $name,)+ }

        impl From<FindingCode> for FindingName {
            fn from(code: FindingCode) -> Self {
                match code { $(FindingCode::$name => Self::$name,)+ }
            }
        }
    };
}

finding_names! {
    /// As a whole the arrays are another move than the named one; often its inverse.
    OtherMove,
    /// In the other convention the arrays are the named move; in this one they are its inverse.
    OtherConvention,
    /// The arrays are no move, and no move is clearly nearest.
    NotAMove,
    /// The array has not 8 or 12 entries.
    WrongArrayLength,
    /// Entries that are no slot, twist or flip.
    ValueOutOfRange,
    /// No permutation: some values are there more than once.
    DuplicateValue,
    /// No permutation: some values are not there.
    MissingValue,
    /// Done and undone by the inverse computed from it, the array does not restore these entries.
    InverseFails,
    /// Not one 4-cycle where a quarter turn has one, or not two swaps where a half turn has them.
    WrongCycles,
    /// The pieces of this kind turn as in the inverse of the move.
    WrongDirection,
    /// Entries differ from those of the move in some further way.
    PermutationDiffers,
    /// Twists that do not add up to a multiple of 3, or flips that do not add up to an even number.
    OrientationSum,
    /// Deltas that differ from those of the move.
    OrientationDiffers,
    /// Corners are permuted oddly and edges evenly, or the other way round.
    ParityDiffers,
    /// Repeated, the arrays come to nothing after another number of times than the move: 4, or 2 for a half turn.
    WrongOrder,
}

/// An entry that is not what it should be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Difference)]
pub struct DifferenceBody {
    /// Which entry, from 0.
    pub index: usize,
    /// The slot it belongs to.
    pub slot: &'static str,
    /// What is there.
    pub got: i64,
    /// What should be there.
    pub expected: u8,
}

impl From<Difference> for DifferenceBody {
    fn from(difference: Difference) -> Self {
        let Difference { index, slot, got, expected } = difference;
        Self { index, slot, got, expected }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Finding)]
pub struct FindingBody {
    /// What, as a word that does not change.
    pub code: FindingName,
    /// What, in a sentence or two.
    pub message: String,
    /// The array concerned; null when it is about several.
    #[schema(example = "edge_perm")]
    pub array: Option<&'static str>,
    /// The entries concerned, from 0; empty when none can be singled out.
    pub indices: Vec<usize>,
    /// Entry by entry what is there and what should be; empty where nothing is compared with a move.
    pub differences: Vec<DifferenceBody>,
}

impl From<Finding> for FindingBody {
    fn from(finding: Finding) -> Self {
        let Finding { code, message, array, indices, differences } = finding;
        Self {
            code: code.into(),
            message,
            array: array.map(ArrayName::name),
            indices,
            differences: differences.into_iter().map(Into::into).collect(),
        }
    }
}

/// How the move was chosen that the arrays are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReferenceChoice)]
pub enum ChosenAs {
    /// The request names it.
    Named,
    /// Fewer entries differ from it than from any other move, and at most 8 of 40.
    Nearest,
}

/// The move that the arrays are compared with.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ReferenceMove)]
pub struct ReferenceBody {
    /// The move.
    pub r#move: &'static str,
    /// How it was chosen.
    pub chosen_as: ChosenAs,
    /// The same in a sentence.
    pub reason: String,
    /// How many of the 40 entries differ from it; entries too many or too few count too.
    pub differing: usize,
}

impl From<Reference> for ReferenceBody {
    fn from(reference: Reference) -> Self {
        let Reference { turn, choice, differing } = reference;
        let (chosen_as, reason) = match choice {
            Choice::Named => (ChosenAs::Named, format!("The request names {turn}.")),
            Choice::Nearest(next, more) => {
                let reason =
                    format!("{differing} of 40 entries differ from {turn}, from the next move, {next}, {more}.");
                (ChosenAs::Nearest, reason)
            }
        };
        Self { r#move: turn.name(), chosen_as, reason, differing }
    }
}

/// The verdict on the arrays in one convention.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveCheckReport {
    /// The convention in which they were read.
    pub convention: ConventionName,
    /// Whether they are the named move, or without a name any face turn: `findings` is empty.
    pub valid: bool,
    /// The face turn that they are, named or not; null when they are none.
    pub is: Option<&'static str>,
    /// The face turn that they are in the other convention, which is the inverse of `is`; null when they are none.
    pub is_in_other_convention: Option<&'static str>,
    /// The verdict in one sentence.
    #[schema(example = "Not F in the goes_to convention: corners turn as F', edges are two swaps.")]
    pub summary: String,
    /// Everything that is wrong.
    pub findings: Vec<FindingBody>,
    /// How the corners move from slot to slot; null when `corner_perm` is no permutation.
    pub corner_cycles: Option<Vec<String>>,
    /// How the edges move from slot to slot; null when `edge_perm` is no permutation.
    pub edge_cycles: Option<Vec<String>>,
    /// How often they must be repeated to come to nothing; null when that cannot be told.
    pub order: Option<u64>,
    /// The move that they are compared with; null when none is named and none is clearly nearest.
    pub reference: Option<ReferenceBody>,
    /// The arrays of that move in this convention; null when nothing is wrong.
    pub corrected: Option<FourArraysBody>,
}

impl From<Report> for MoveCheckReport {
    fn from(report: Report) -> Self {
        Self {
            convention: report.convention.into(),
            valid: report.is_valid(),
            is: report.is.map(Move::name),
            is_in_other_convention: report.is_elsewhere().map(Move::name),
            corrected: report.corrected().map(Into::into),
            summary: report.summary,
            findings: report.findings.into_iter().map(Into::into).collect(),
            corner_cycles: report.corner_cycles,
            edge_cycles: report.edge_cycles,
            order: report.order,
            reference: report.reference.map(Into::into),
        }
    }
}

/// Which face turns the arrays are in one convention, as a whole and in parts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveMatches)]
pub struct MatchesBody {
    /// The convention.
    pub convention: ConventionName,
    /// The turn that all four arrays are.
    pub whole: Option<&'static str>,
    /// The turns that both arrays of the corners are.
    pub corners: Vec<&'static str>,
    /// The turns that both arrays of the edges are.
    pub edges: Vec<&'static str>,
    /// The turns that this array alone is.
    pub corner_perm: Vec<&'static str>,
    /// The turns that this array alone is; several, because a turn and its inverse twist alike and turns of U and D twist nothing.
    pub corner_orient_delta: Vec<&'static str>,
    /// The turns that this array alone is.
    pub edge_perm: Vec<&'static str>,
    /// The turns that this array alone is.
    pub edge_orient_delta: Vec<&'static str>,
}

impl MatchesBody {
    /// What the arrays are in this convention.
    pub fn new(given: &Given<'_>, convention: Convention) -> Self {
        let names = |moves: Vec<Move>| moves.into_iter().map(Move::name).collect();
        let Matches { convention, whole, corners, edges, arrays } = Matches::new(given, convention);
        let [corner_perm, corner_orient_delta, edge_perm, edge_orient_delta] = arrays.map(names);
        Self {
            convention: convention.into(),
            whole: whole.map(Move::name),
            corners: names(corners),
            edges: names(edges),
            corner_perm,
            corner_orient_delta,
            edge_perm,
            edge_orient_delta,
        }
    }
}

/// What is wrong with four arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveCheck)]
pub struct MoveCheckResponse {
    /// The conventions, among those asked for, in which nothing is wrong.
    pub valid_in: Vec<ConventionName>,
    /// One for each convention asked for.
    pub reports: Vec<MoveCheckReport>,
    /// What the arrays are, as a whole and in parts, in each convention, whichever was asked for.
    pub matches: Vec<MatchesBody>,
}
