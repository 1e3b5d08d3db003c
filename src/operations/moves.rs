//! `/moves`: the moves as four arrays, and the check of given arrays.

use serde::{Deserialize, Serialize};

use crate::api::problem::{Code, Problem};
use crate::api::types::same_fields;
use crate::api::types::strict::{integers, objects, word};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery, PathParts};
use crate::http::json::Json;
use crate::http::operation;
use superflip_coords::four_arrays::{self, ArrayName, Convention, Part, cycles_of, order_of};
use superflip_coords::move_check::{self, Choice, FindingCode, Given, Matches};
use superflip_cube::forms::shown;
use superflip_cube::{Corner, Edge, Move, Moves};

/// Face move in short, without its arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveSummary {
    /// Index, 0 to 17, in the order U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'.
    pub index: usize,
    /// Name of the move.
    #[schema(example = "F'")]
    pub name: &'static str,
    /// Face that turns.
    pub face: &'static str,
    /// Number of clockwise quarter turns, 1 to 3.
    pub quarters: usize,
    /// Inverse move.
    pub inverse: &'static str,
    /// Path of its arrays.
    #[schema(example = "/moves/F'")]
    pub href: String,
}

impl From<Move> for MoveSummary {
    fn from(mv: Move) -> Self {
        Self {
            index: mv.index(),
            name: mv.name(),
            face: mv.face().name(),
            quarters: mv.quarters(),
            inverse: mv.inverse().name(),
            href: format!("/moves/{mv}"),
        }
    }
}

/// List of the 18 face moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveList {
    /// Moves in the order of their indices.
    pub moves: Vec<MoveSummary>,
}

/// Face move with its arrays in both conventions.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FaceMove {
    /// Name of the move.
    pub name: &'static str,
    /// Index, 0 to 17, in the order U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'.
    pub index: usize,
    /// Face that turns.
    pub face: &'static str,
    /// Number of clockwise quarter turns, 1 to 3.
    pub quarters: usize,
    /// Inverse move.
    pub inverse: &'static str,
    /// Order of the move: 4, or 2 for a half turn.
    pub order: u64,
    /// Corner slots in the order of the entries.
    pub corner_slots: [&'static str; Corner::COUNT],
    /// Edge slots in the order of the entries.
    pub edge_slots: [&'static str; Edge::COUNT],
    /// Cycles of the corners; a swap is written `URF <-> DLF`.
    pub corner_cycles: Vec<String>,
    /// Cycles of the edges.
    pub edge_cycles: Vec<String>,
    /// Arrays of the tutorial "Move tables explained": the slot to which the piece in slot i moves, and the delta of the piece that
    /// arrives in slot i.
    pub goes_to: FourArrays,
    /// Kociemba's arrays: the piece that arrives in slot i, and its delta.
    pub replaced_by: FourArrays,
}

impl From<Move> for FaceMove {
    fn from(mv: Move) -> Self {
        Self {
            name: mv.name(),
            index: mv.index(),
            face: mv.face().name(),
            quarters: mv.quarters(),
            inverse: mv.inverse().name(),
            order: order_of(mv),
            corner_slots: Corner::NAMES,
            edge_slots: Edge::NAMES,
            corner_cycles: cycles_of(mv, Part::Corners),
            edge_cycles: cycles_of(mv, Part::Edges),
            goes_to: four_arrays::FourArrays::of(mv, Convention::GoesTo).into(),
            replaced_by: four_arrays::FourArrays::of(mv, Convention::ReplacedBy).into(),
        }
    }
}

/// Move as four arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FourArrays {
    /// Permutation of 0 to 7, one entry per corner slot.
    pub corner_perm: [u8; Corner::COUNT],
    /// Clockwise twists, 0 to 2, added modulo 3 to the corner that arrives in each slot.
    pub corner_orient_delta: [u8; Corner::COUNT],
    /// Permutation of 0 to 11, one entry per edge slot.
    pub edge_perm: [u8; Edge::COUNT],
    /// Flips, 0 or 1, added modulo 2 to the edge that arrives in each slot.
    pub edge_orient_delta: [u8; Edge::COUNT],
}

same_fields! {
    four_arrays::FourArrays => FourArrays { corner_perm, corner_orient_delta, edge_perm, edge_orient_delta }
    move_check::Matches => MoveMatches { convention, whole, corners, edges, corner_perm, corner_orient_delta, edge_perm, edge_orient_delta }
    move_check::Reference => ReferenceMove { mv, choice, reason, differing }
    move_check::Difference => Difference { index, slot, got, expected }
}

/// Four arrays to check. Wrong lengths and numbers out of range are findings, not errors.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub(crate) struct MoveCheckRequest {
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
    pub(crate) fn arrays(&self) -> [(&'static str, &[i64]); 4] {
        [
            ("corner_perm", &self.corner_perm),
            ("corner_orient_delta", &self.corner_orient_delta),
            ("edge_perm", &self.edge_perm),
            ("edge_orient_delta", &self.edge_orient_delta),
        ]
    }

    /// Returns the four arrays.
    pub(crate) fn given(&self) -> Given<'_> {
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
pub(crate) struct MoveCheck {
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
pub(crate) struct MoveMatches {
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

/// Reference move: the face move with which the arrays are compared.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ReferenceMove {
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

/// Result of the check in one convention.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct MoveCheckReport {
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
    pub findings: Vec<Finding>,
    /// Cycles of the corners; null if `corner_perm` is not a permutation.
    pub corner_cycles: Option<Vec<String>>,
    /// Cycles of the edges; null if `edge_perm` is not a permutation.
    pub edge_cycles: Option<Vec<String>>,
    /// Order of the arrays as a move; null if undefined.
    pub order: Option<u64>,
    /// Reference move; null if none is named and none is clearly nearest.
    pub reference: Option<ReferenceMove>,
    /// Arrays of the reference move in this convention; null if there are no findings.
    pub corrected: Option<FourArrays>,
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
pub(crate) struct Difference {
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
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Finding {
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
    pub differences: Vec<Difference>,
}

impl From<move_check::Finding> for Finding {
    fn from(from: move_check::Finding) -> Self {
        let move_check::Finding { code, message, array, indices, differences } = from;
        Self { code, message, array, indices, differences: differences.into_iter().map(Into::into).collect() }
    }
}

/// List the 18 moves
///
/// In the order of their indices.
#[contract::path(get, path = "/moves", tag = "moves", operation_id = "moves",
    responses((status = 200, description = "The moves", body = MoveList), ListProblems))]
pub(crate) async fn list(_: NoQuery) -> Json<MoveList> {
    Json(MoveList { moves: Move::ALL.into_iter().map(Into::into).collect() })
}

/// Get a move as four arrays
///
/// `corner_perm`, `corner_orient_delta`, `edge_perm` and `edge_orient_delta` in both conventions, with the cycles in which the
/// pieces move.
#[contract::path(get, path = "/moves/{move}", tag = "moves", operation_id = "move",
    params(("move" = String, Path, description = "A face move in any notation that scrambles accept (`F`, `F2`, `F'`, `F3`), \
        or its index, 0 to 17", example = "F'")),
    responses((status = 200, description = "The move", body = FaceMove,
        example = json!(FaceMove::from(Move::F))), Problems))]
pub(crate) async fn get(PathParts(name): PathParts<String>, _: NoQuery) -> Result<Json<FaceMove>, Problem> {
    let mv = move_of(&name).ok_or_else(|| Problem::new(Code::UnknownMove, no_such_move(&name)))?;
    Ok(Json(mv.into()))
}

/// Finds a face move by its name in any notation, or by its index.
fn move_of(name: &str) -> Option<Move> {
    name.parse().ok().or_else(|| name.parse().ok().and_then(Move::try_from_index))
}

/// Check four arrays
///
/// Compares four arrays with the face moves. Errors in the arrays are findings in a response with status 200; only a body that is not
/// four arrays of integers is refused. Without `convention` both conventions are tried. Without `move` the arrays may describe any of the
/// 18 moves; the nearest one is returned as `reference`. Arrays of a face move in one convention describe its inverse in the other,
/// so the response states the intended convention only if `move` is given.
#[contract::path(post, path = "/moves/check", tag = "moves", operation_id = "move_check",
    request_body(content = MoveCheckRequest, examples(
        ("wrong" = (summary = "F as printed in a tutorial: corners turn the wrong way, edges are two swaps", value = json!({
            "convention": "goes_to", "move": "F",
            "corner_perm": [1, 5, 2, 3, 0, 4, 6, 7], "corner_orient_delta": [1, 2, 0, 0, 2, 1, 0, 0],
            "edge_perm": [0, 9, 2, 3, 4, 8, 6, 7, 5, 1, 10, 11],
            "edge_orient_delta": [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]}))),
        ("right" = (summary = "F in Kociemba's arrays", value = json!({
            "move": "F",
            "corner_perm": [1, 5, 2, 3, 0, 4, 6, 7], "corner_orient_delta": [1, 2, 0, 0, 2, 1, 0, 0],
            "edge_perm": [0, 9, 2, 3, 4, 8, 6, 7, 1, 5, 10, 11],
            "edge_orient_delta": [0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0]})))
    )),
    responses((status = 200, description = "The findings", body = MoveCheck, example = json!(documented())),
        CheckProblems))]
pub(crate) async fn check(
    _: NoQuery,
    JsonBody(request): JsonBody<MoveCheckRequest>,
) -> Result<Json<MoveCheck>, Problem> {
    if let Some((name, _)) = request.arrays().into_iter().find(|(_, array)| array.is_empty()) {
        let detail = format!("`{name}` is empty; give 8 entries for corners, or 12 for edges.");
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field(name));
    }
    let named = request.r#move.as_deref().map(named).transpose()?;
    Ok(Json(verdict(&request.given(), request.convention, named)))
}

fn verdict(given: &Given<'_>, convention: Option<Convention>, named: Option<Move>) -> MoveCheck {
    let conventions = convention.map_or_else(|| Convention::ALL.to_vec(), |convention| vec![convention]);
    let reports: Vec<_> =
        conventions.into_iter().map(|convention| move_check::check(given, convention, named)).collect();
    MoveCheck {
        valid_in: reports.iter().filter(|report| report.valid).map(|report| report.convention).collect(),
        matches: Convention::ALL.map(|convention| Matches::new(given, convention).into()).to_vec(),
        reports: reports.into_iter().map(Into::into).collect(),
    }
}

/// The response to the first documented request, computed as for a real one.
#[cfg(feature = "contract")]
fn documented() -> MoveCheck {
    let given = Given {
        corner_perm: &[1, 5, 2, 3, 0, 4, 6, 7],
        corner_orient_delta: &[1, 2, 0, 0, 2, 1, 0, 0],
        edge_perm: &[0, 9, 2, 3, 4, 8, 6, 7, 5, 1, 10, 11],
        edge_orient_delta: &[0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    };
    verdict(&given, Some(Convention::GoesTo), Some(Move::F))
}

/// Parses the move of a request body.
fn named(name: &str) -> Result<Move, Problem> {
    move_of(name)
        .ok_or_else(|| Problem::new(Code::OptionOutOfRange, format!("`move`: {}", no_such_move(name))).in_field("move"))
}

fn no_such_move(name: &str) -> String {
    // Quote at most 24 characters, so that the message stays short.
    let quoted: String = name.chars().take(24).map(shown).collect();
    format!("`{quoted}` is not a face move. Expected one of {}, or an index from 0 to 17.", Moves::from(&Move::ALL))
}

operation! {
    routes {
        "/moves": get list;
        "/moves/{move}": get get;
        "/moves/check": post check;
    }
    links {
        GET "/moves" "The 18 moves";
        GET "/moves/F" "A move as four arrays, in both conventions";
        POST "/moves/check" "Check four arrays that should be a move";
    }
    problems {
        /// Problems of `GET /moves`.
        ListProblems: NO_QUERY [];
        /// Problems of `GET /moves/{move}`.
        Problems: NO_QUERY [InvalidPath UnknownMove];
        /// Problems of `POST /moves/check`.
        CheckProblems: BODY QUERY [OptionOutOfRange];
    }
}
