//! The face turns, each as four arrays.

use crate::api::contract::ToSchema;
use serde::{Deserialize, Serialize};

use crate::cube::four_arrays::{Convention, FourArrays, Part, cycles_of, order_of};
use crate::cube::{Corner, Edge, Move};

/// What the entries of a move's arrays mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Convention)]
pub enum ConventionName {
    /// `perm[i]` is the slot to which the piece of slot i goes; the delta at i is added to the piece that arrives in slot i.
    GoesTo,
    /// `perm[i]` is the piece that comes to stand in slot i; the delta at i is added to the piece that arrives in slot i.
    ReplacedBy,
}

impl From<ConventionName> for Convention {
    fn from(name: ConventionName) -> Self {
        match name {
            ConventionName::GoesTo => Self::GoesTo,
            ConventionName::ReplacedBy => Self::ReplacedBy,
        }
    }
}

impl From<Convention> for ConventionName {
    fn from(convention: Convention) -> Self {
        match convention {
            Convention::GoesTo => Self::GoesTo,
            Convention::ReplacedBy => Self::ReplacedBy,
        }
    }
}

/// A move as four arrays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FourArrays)]
pub struct FourArraysBody {
    /// A permutation of 0 to 7, one entry for each corner slot.
    pub corner_perm: [u8; Corner::COUNT],
    /// Clockwise thirds, 0 to 2, that are added modulo 3 to the corner that arrives in each slot.
    pub corner_orient_delta: [u8; Corner::COUNT],
    /// A permutation of 0 to 11, one entry for each edge slot.
    pub edge_perm: [u8; Edge::COUNT],
    /// Flips, 0 or 1, that are added modulo 2 to the edge that arrives in each slot.
    pub edge_orient_delta: [u8; Edge::COUNT],
}

impl From<FourArrays> for FourArraysBody {
    fn from(arrays: FourArrays) -> Self {
        let FourArrays { corner_perm, corner_orient_delta, edge_perm, edge_orient_delta } = arrays;
        Self { corner_perm, corner_orient_delta, edge_perm, edge_orient_delta }
    }
}

/// A face turn by its names.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveSummary)]
pub struct MoveLink {
    /// 0 to 17 in the order U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'.
    pub index: usize,
    /// As it is written.
    #[schema(example = "F'")]
    pub name: &'static str,
    /// The face that turns.
    pub face: &'static str,
    /// Clockwise quarter turns, 1 to 3.
    pub quarters: usize,
    /// The turn that undoes it.
    pub inverse: &'static str,
    /// Where its arrays are.
    #[schema(example = "/moves/F'")]
    pub href: String,
}

impl From<Move> for MoveLink {
    fn from(turn: Move) -> Self {
        Self {
            index: turn.index(),
            name: turn.name(),
            face: turn.face().name(),
            quarters: turn.quarters(),
            inverse: turn.inverse().name(),
            href: format!("/moves/{turn}"),
        }
    }
}

/// The 18 face turns.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = MoveList)]
pub struct MovesResponse {
    /// In index order.
    pub moves: Vec<MoveLink>,
}

/// A face turn with its arrays in both conventions.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = FaceTurn)]
pub struct MoveResponse {
    /// As it is written.
    pub name: &'static str,
    /// 0 to 17 in the order U U2 U' R R2 R' F F2 F' D D2 D' L L2 L' B B2 B'.
    pub index: usize,
    /// The face that turns.
    pub face: &'static str,
    /// Clockwise quarter turns, 1 to 3.
    pub quarters: usize,
    /// The turn that undoes it.
    pub inverse: &'static str,
    /// How often it must be repeated to come to nothing: 4, or 2 for a half turn.
    pub order: u64,
    /// The corner slots in the order of the entries.
    pub corner_slots: [&'static str; Corner::COUNT],
    /// The edge slots in the order of the entries.
    pub edge_slots: [&'static str; Edge::COUNT],
    /// How the corners move from slot to slot; a swap is written `URF <-> DLF`.
    pub corner_cycles: Vec<String>,
    /// How the edges move from slot to slot.
    pub edge_cycles: Vec<String>,
    /// The arrays of the tutorial "Move tables explained": where the piece of slot i goes, and what is added to the piece that
    /// arrives in slot i.
    pub goes_to: FourArraysBody,
    /// Kociemba's arrays: which piece comes to stand in slot i, and what is added to it.
    pub replaced_by: FourArraysBody,
}

impl From<Move> for MoveResponse {
    fn from(turn: Move) -> Self {
        Self {
            name: turn.name(),
            index: turn.index(),
            face: turn.face().name(),
            quarters: turn.quarters(),
            inverse: turn.inverse().name(),
            order: order_of(turn),
            corner_slots: Corner::NAMES,
            edge_slots: Edge::NAMES,
            corner_cycles: cycles_of(turn, Part::Corners),
            edge_cycles: cycles_of(turn, Part::Edges),
            goes_to: FourArrays::of(turn, Convention::GoesTo).into(),
            replaced_by: FourArrays::of(turn, Convention::ReplacedBy).into(),
        }
    }
}
