//! Request and response of `/moves/check`.

use crate::api::contract::ToSchema;
use serde::{Deserialize, Serialize};

use crate::api::types::{ConventionName, FourArraysBody};
use crate::cube::Move;
use crate::cube::four_arrays::{ArrayName, Convention};
use crate::cube::move_check::{Choice, Difference, Finding, FindingCode, Given, Matches, Reference, Report};

/// Four arrays to check. Wrong lengths and numbers out of range are findings, not errors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveCheckRequest {
    /// Meaning of the entries (default: both conventions are tried, with one report each).
    pub convention: Option<ConventionName>,
    /// Face turn that the arrays should describe, such as `F`, `F2` or `F'` (default: any of the 18).
    #[schema(example = "F")]
    pub r#move: Option<String>,
    /// Permutation of 0 to 7, one entry for each of URF UFL ULB UBR DFR DLF DBL DRB.
    #[schema(example = json!([1, 5, 2, 3, 0, 4, 6, 7]))]
    pub corner_perm: Vec<i64>,
    /// Clockwise twists, 0 to 2, one for each corner slot.
    #[schema(example = json!([1, 2, 0, 0, 2, 1, 0, 0]))]
    pub corner_orient_delta: Vec<i64>,
    /// Permutation of 0 to 11, one entry for each of UR UF UL UB DR DF DL DB FR FL BL BR.
    #[schema(example = json!([0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11]))]
    pub edge_perm: Vec<i64>,
    /// Flips, 0 or 1, one for each edge slot.
    #[schema(example = json!([0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]))]
    pub edge_orient_delta: Vec<i64>,
}

impl MoveCheckRequest {
    /// Returns the four arrays.
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
        /// Kind of the finding, as a stable word.
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
    /// Entries differ from those of the move in another way.
    PermutationDiffers,
    /// The sum of the twists is not a multiple of 3, or the sum of the flips is odd.
    OrientationSum,
    /// Deltas differ from those of the move.
    OrientationDiffers,
    /// The permutations of corners and edges have different parity.
    ParityDiffers,
    /// The order differs from that of the move: 4, or 2 for a half turn.
    WrongOrder,
}

/// Wrong entry of an array.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Difference)]
pub struct DifferenceBody {
    /// Index of the entry, from 0.
    pub index: usize,
    /// Slot of the entry.
    pub slot: &'static str,
    /// Given value.
    pub got: i64,
    /// Expected value.
    pub expected: u8,
}

impl From<Difference> for DifferenceBody {
    fn from(difference: Difference) -> Self {
        let Difference { index, slot, got, expected } = difference;
        Self { index, slot, got, expected }
    }
}

/// Error found in the arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Finding)]
pub struct FindingBody {
    /// Kind of the finding, as a stable word.
    pub code: FindingName,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Array concerned; null if there are several.
    #[schema(example = "edge_perm")]
    pub array: Option<&'static str>,
    /// Indices of the entries concerned, from 0; empty if none can be singled out.
    pub indices: Vec<usize>,
    /// Given and expected values of wrong entries; empty if the finding does not compare the array with a move.
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

/// Reason for the choice of the reference move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ReferenceChoice)]
pub enum ChosenAs {
    /// The request names it.
    Named,
    /// At most 8 of 40 entries differ from it, fewer than from any other move.
    Nearest,
}

/// Reference move: the one with which the arrays are compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ReferenceMove)]
pub struct ReferenceBody {
    /// Move.
    pub r#move: &'static str,
    /// Reason for the choice.
    pub chosen_as: ChosenAs,
    /// Reason for the choice, in a sentence.
    pub reason: String,
    /// Number of entries, of 40, that differ from it; surplus and missing entries count.
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

/// Result of the check in one convention.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveCheckReport {
    /// Convention in which the arrays were read.
    pub convention: ConventionName,
    /// Whether the arrays describe the named move or, if none is named, any face turn. If so, `findings` is empty.
    pub valid: bool,
    /// Face turn that the arrays describe; null if there is none.
    pub is: Option<&'static str>,
    /// Face turn that they describe in the other convention, the inverse of `is`; null if there is none.
    pub is_in_other_convention: Option<&'static str>,
    /// Result in one sentence.
    #[schema(example = "Not F in the goes_to convention: corners turn as F', edges are two swaps.")]
    pub summary: String,
    /// All findings.
    pub findings: Vec<FindingBody>,
    /// Cycles of the corners; null if `corner_perm` is not a permutation.
    pub corner_cycles: Option<Vec<String>>,
    /// Cycles of the edges; null if `edge_perm` is not a permutation.
    pub edge_cycles: Option<Vec<String>>,
    /// Order of the arrays as a move; null if undefined.
    pub order: Option<u64>,
    /// Reference move; null if none is named and none is clearly nearest.
    pub reference: Option<ReferenceBody>,
    /// Arrays of the reference move in this convention; null if there are no findings.
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

/// Face turns that the arrays match in one convention, as a whole and in parts.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveMatches)]
pub struct MatchesBody {
    /// Convention.
    pub convention: ConventionName,
    /// Move that all four arrays match.
    pub whole: Option<&'static str>,
    /// Moves that both corner arrays match.
    pub corners: Vec<&'static str>,
    /// Moves that both edge arrays match.
    pub edges: Vec<&'static str>,
    /// Moves that this array matches.
    pub corner_perm: Vec<&'static str>,
    /// Moves that this array matches. There may be several: a move and its inverse have equal twists, and moves of U and D have none.
    pub corner_orient_delta: Vec<&'static str>,
    /// Moves that this array matches.
    pub edge_perm: Vec<&'static str>,
    /// Moves that this array matches.
    pub edge_orient_delta: Vec<&'static str>,
}

impl MatchesBody {
    /// Compares the arrays with every face turn in `convention`.
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

/// Result of the check of four arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveCheck)]
pub struct MoveCheckResponse {
    /// Requested conventions in which the arrays are valid.
    pub valid_in: Vec<ConventionName>,
    /// One report for each requested convention.
    pub reports: Vec<MoveCheckReport>,
    /// Matching moves in both conventions, whichever was requested.
    pub matches: Vec<MatchesBody>,
}
