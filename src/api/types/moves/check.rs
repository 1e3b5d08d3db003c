//! Request and response of `/moves/check`.

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use super::FourArraysBody;
use crate::api::types::strict::{integers, objects, word};
use superflip_coords::four_arrays::ArrayName;
use superflip_coords::four_arrays::Convention;
use superflip_coords::move_check::{self, Choice, FindingCode, Given};
use superflip_cube::Move;

/// Four arrays to check. Wrong lengths and numbers out of range are findings, not errors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct MoveCheckRequest {
    /// Meaning of the entries (default: both conventions are tried, with one report each).
    #[serde(default, deserialize_with = "word")]
    #[schema(value_type = Option<crate::api::types::described::Convention>)]
    pub convention: Option<Convention>,
    /// Face move that the arrays should describe, such as `F`, `F2` or `F'` (default: any of the 18).
    #[schema(example = "F")]
    pub r#move: Option<String>,
    /// Permutation of 0 to 7, one entry for each of URF UFL ULB UBR DFR DLF DBL DRB.
    #[schema(example = json!([1, 5, 2, 3, 0, 4, 6, 7]))]
    #[serde(deserialize_with = "integers")]
    pub corner_perm: Vec<i64>,
    /// Clockwise twists, 0 to 2, one for each corner slot.
    #[schema(example = json!([1, 2, 0, 0, 2, 1, 0, 0]))]
    #[serde(deserialize_with = "integers")]
    pub corner_orient_delta: Vec<i64>,
    /// Permutation of 0 to 11, one entry for each of UR UF UL UB DR DF DL DB FR FL BL BR.
    #[schema(example = json!([0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11]))]
    #[serde(deserialize_with = "integers")]
    pub edge_perm: Vec<i64>,
    /// Flips, 0 or 1, one for each edge slot.
    #[schema(example = json!([0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]))]
    #[serde(deserialize_with = "integers")]
    pub edge_orient_delta: Vec<i64>,
}

objects! { MoveCheckRequest }

impl MoveCheckRequest {
    /// Returns the names of the four arrays with their entries.
    pub fn arrays(&self) -> [(&'static str, &[i64]); 4] {
        [
            ("corner_perm", &self.corner_perm),
            ("corner_orient_delta", &self.corner_orient_delta),
            ("edge_perm", &self.edge_perm),
            ("edge_orient_delta", &self.edge_orient_delta),
        ]
    }

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

/// Result of the check of four arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveCheck)]
pub struct MoveCheckResponse {
    /// Requested conventions in which the arrays are valid.
    #[schema(value_type = Vec<crate::api::types::described::Convention>)]
    pub valid_in: Vec<Convention>,
    /// One report for each requested convention.
    pub reports: Vec<MoveCheckReport>,
    /// Matching moves in both conventions, whichever was requested.
    pub matches: Vec<MoveMatches>,
}

/// Face moves that the arrays match in one convention, as a whole and in parts.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveMatches {
    /// Convention in which the arrays were read.
    #[schema(value_type = crate::api::types::described::Convention)]
    pub convention: Convention,
    /// Face move that all four arrays match; null if there is none.
    #[schema(value_type = Option<String>)]
    pub whole: Option<Move>,
    /// Face moves that both corner arrays match.
    #[schema(value_type = Vec<String>)]
    pub corners: Vec<Move>,
    /// Face moves that both edge arrays match.
    #[schema(value_type = Vec<String>)]
    pub edges: Vec<Move>,
    /// Face moves that `corner_perm` matches.
    #[schema(value_type = Vec<String>)]
    pub corner_perm: Vec<Move>,
    /// Face moves that `corner_orient_delta` matches. There may be several. A move and its inverse have equal twists. Half turns, and all
    /// moves of U and D, have none.
    #[schema(value_type = Vec<String>)]
    pub corner_orient_delta: Vec<Move>,
    /// Face moves that `edge_perm` matches.
    #[schema(value_type = Vec<String>)]
    pub edge_perm: Vec<Move>,
    /// Face moves that `edge_orient_delta` matches.
    #[schema(value_type = Vec<String>)]
    pub edge_orient_delta: Vec<Move>,
}

impl From<move_check::Matches> for MoveMatches {
    fn from(from: move_check::Matches) -> Self {
        let move_check::Matches {
            convention,
            whole,
            corners,
            edges,
            corner_perm,
            corner_orient_delta,
            edge_perm,
            edge_orient_delta,
        } = from;
        Self { convention, whole, corners, edges, corner_perm, corner_orient_delta, edge_perm, edge_orient_delta }
    }
}

/// Reference move: the face move with which the arrays are compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReferenceMove {
    /// Name of the face move.
    #[serde(rename = "move")]
    #[schema(value_type = String)]
    pub mv: Move,
    /// Reason for the choice.
    #[serde(rename = "chosen_as")]
    #[schema(value_type = crate::api::types::described::ReferenceChoice)]
    pub choice: Choice,
    /// Reason for the choice, in a sentence.
    pub reason: String,
    /// Number of entries, of 40, that differ from those of this move; surplus and missing entries count.
    pub differing: usize,
}

impl From<move_check::Reference> for ReferenceMove {
    fn from(from: move_check::Reference) -> Self {
        let move_check::Reference { mv, choice, reason, differing } = from;
        Self { mv, choice, reason, differing }
    }
}

/// Result of the check in one convention.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveCheckReport {
    /// Convention in which the arrays were read.
    #[schema(value_type = crate::api::types::described::Convention)]
    pub convention: Convention,
    /// Whether the arrays describe the named move or, if none is named, any face move. If so, `findings` is empty.
    pub valid: bool,
    /// Face move that the arrays describe; null if there is none.
    #[schema(value_type = Option<String>)]
    pub is: Option<Move>,
    /// Face move that they describe in the other convention, the inverse of `is`; null if there is none.
    #[schema(value_type = Option<String>)]
    pub is_in_other_convention: Option<Move>,
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
    pub reference: Option<ReferenceMove>,
    /// Arrays of the reference move in this convention; null if there are no findings.
    pub corrected: Option<FourArraysBody>,
}

impl From<move_check::Report> for MoveCheckReport {
    fn from(from: move_check::Report) -> Self {
        let move_check::Report {
            convention,
            valid,
            is,
            is_in_other_convention,
            summary,
            findings,
            corner_cycles,
            edge_cycles,
            order,
            reference,
            corrected,
        } = from;
        Self {
            convention,
            valid,
            is,
            is_in_other_convention,
            summary,
            findings: findings.into_iter().map(Into::into).collect(),
            corner_cycles,
            edge_cycles,
            order,
            reference: reference.map(Into::into),
            corrected: corrected.map(Into::into),
        }
    }
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

impl From<move_check::Difference> for DifferenceBody {
    fn from(from: move_check::Difference) -> Self {
        let move_check::Difference { index, slot, got, expected } = from;
        Self { index, slot, got, expected }
    }
}

/// Error found in the arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Finding)]
pub struct FindingBody {
    /// Kind of the finding, as a stable word.
    #[schema(value_type = crate::api::types::described::FindingCode)]
    pub code: FindingCode,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Array concerned; null if there are several.
    #[schema(value_type = Option<String>, example = "edge_perm")]
    pub array: Option<ArrayName>,
    /// Indices of the entries concerned, from 0; empty if none can be singled out.
    pub indices: Vec<usize>,
    /// Given and expected values of wrong entries; empty if the finding does not compare the array with a move.
    pub differences: Vec<DifferenceBody>,
}

impl From<move_check::Finding> for FindingBody {
    fn from(from: move_check::Finding) -> Self {
        let move_check::Finding { code, message, array, indices, differences } = from;
        Self { code, message, array, indices, differences: differences.into_iter().map(Into::into).collect() }
    }
}
