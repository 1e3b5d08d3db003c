//! Responses of `/moves`: the moves as four arrays.

mod check;

pub use check::*;

use crate::contract::ToSchema;
use serde::Serialize;

use superflip_coords::four_arrays::{Convention, FourArrays, Part, cycles_of, order_of};
use superflip_cube::{Corner, Edge, Move};

/// Face move in short, without its arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveSummary)]
pub struct MoveLink {
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

impl From<Move> for MoveLink {
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
#[schema(as = MoveList)]
pub struct MovesResponse {
    /// Moves in the order of their indices.
    pub moves: Vec<MoveLink>,
}

/// Face move with its arrays in both conventions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FaceMove)]
pub struct MoveResponse {
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
    pub goes_to: FourArraysBody,
    /// Kociemba's arrays: the piece that arrives in slot i, and its delta.
    pub replaced_by: FourArraysBody,
}

impl From<Move> for MoveResponse {
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
            goes_to: FourArrays::of(mv, Convention::GoesTo).into(),
            replaced_by: FourArrays::of(mv, Convention::ReplacedBy).into(),
        }
    }
}

/// Move as four arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FourArrays)]
pub struct FourArraysBody {
    /// Permutation of 0 to 7, one entry per corner slot.
    pub corner_perm: [u8; Corner::COUNT],
    /// Clockwise twists, 0 to 2, added modulo 3 to the corner that arrives in each slot.
    pub corner_orient_delta: [u8; Corner::COUNT],
    /// Permutation of 0 to 11, one entry per edge slot.
    pub edge_perm: [u8; Edge::COUNT],
    /// Flips, 0 or 1, added modulo 2 to the edge that arrives in each slot.
    pub edge_orient_delta: [u8; Edge::COUNT],
}

impl From<FourArrays> for FourArraysBody {
    fn from(from: FourArrays) -> Self {
        let FourArrays { corner_perm, corner_orient_delta, edge_perm, edge_orient_delta } = from;
        Self { corner_perm, corner_orient_delta, edge_perm, edge_orient_delta }
    }
}
