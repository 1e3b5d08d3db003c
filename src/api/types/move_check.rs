//! Request and response of `/moves/check`.

use crate::contract::ToSchema;
use serde::{Deserialize, Serialize};

use superflip_coords::four_arrays::Convention;
use superflip_coords::move_check::{Given, Matches, Report};

/// Four arrays to check. Wrong lengths and numbers out of range are findings, not errors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveCheckRequest {
    /// Meaning of the entries (default: both conventions are tried, with one report each).
    pub convention: Option<Convention>,
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
    pub valid_in: Vec<Convention>,
    /// One report for each requested convention.
    pub reports: Vec<Report>,
    /// Matching moves in both conventions, whichever was requested.
    pub matches: Vec<Matches>,
}
