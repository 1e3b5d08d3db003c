//! Coordinates along an axis, and symmetries, as several responses have them.

use serde::Serialize;

use crate::contract::ToSchema;
use superflip_coords::space::group::{self, GROUPS};
use superflip_cube::{self as cube, Axis, Move};
use superflip_solver::tables::{self, DirectionCoordinates};

/// Raw value and its class under the 16 symmetries that keep the axis.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct SymValue {
    /// Raw value.
    pub raw: u32,
    /// Number of the class.
    pub class: u32,
    /// Symmetry S, 0 to 15, for which S x S^-1 is the representative.
    pub symmetry: u32,
    /// Raw value of the representative.
    pub representative: u32,
}

/// Two-phase coordinates along one axis, of the cube or of its inverse.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Direction {
    /// Axis that takes the role of UD.
    #[schema(value_type = crate::api::types::described::Axis)]
    pub axis: Axis,
    /// Whether these are the coordinates of the inverse cube.
    pub inverse: bool,
    /// Corner orientation, 0 to 2186.
    pub twist: u32,
    /// Edge orientation, 0 to 2047.
    pub flip: u32,
    /// Set of slots that hold the four edges of the middle layer, 0 to 494.
    pub slice: u32,
    /// Slots and order of these edges, 0 to 11879.
    pub slice_sorted: u32,
    /// Corner permutation, 0 to 40319.
    pub corner_perm: u32,
    /// Slots and order of the edges of the first face of the axis, 0 to 11879.
    pub u_edges: u32,
    /// Slots and order of the edges of the other face, 0 to 11879.
    pub d_edges: u32,
    /// Permutation of the eight edges outside the middle layer, 0 to 40319; null outside phase 2.
    pub ud_edges: Option<u32>,
    /// `2048 * slice + flip` with its class, 0 to 64429.
    pub flip_slice: SymValue,
    /// `corner_perm` with its class, 0 to 2767.
    pub corner_class: SymValue,
    /// Exact number of moves to phase 2 along this axis.
    pub phase_one_distance: u32,
    /// Lower bound on the number of phase 2 moves to solved; null outside phase 2.
    pub phase_two_bound: Option<u32>,
    /// Reason why the values of phase 2 are null; null if they are not.
    pub phase_two_reason: Option<String>,
}

same_fields! {
    tables::SymValue => SymValue { raw, class, symmetry, representative }
}

impl From<&DirectionCoordinates> for Direction {
    fn from(direction: &DirectionCoordinates) -> Self {
        Self {
            axis: direction.axis,
            inverse: direction.inverse,
            twist: direction.twist,
            flip: direction.flip,
            slice: direction.slice,
            slice_sorted: direction.slice_sorted,
            corner_perm: direction.corner_perm,
            u_edges: direction.u_edges,
            d_edges: direction.d_edges,
            ud_edges: direction.ud_edges,
            phase_one_distance: direction.phase_one_distance,
            phase_two_bound: direction.phase_two_bound,
            flip_slice: direction.flip_slice.into(),
            corner_class: direction.corner_class.into(),
            phase_two_reason: direction.phase_two_reason.clone(),
        }
    }
}

/// Symmetry of the cube, one of 48.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Symmetry {
    /// Kociemba's index: 16 a + 8 b + 2 c + d.
    pub index: usize,
    /// Description.
    pub description: String,
    /// Index of the inverse.
    pub inverse: usize,
    /// Images s m s^-1 of the moves `U U2 U' R ... B'`.
    pub moves: Vec<&'static str>,
    /// Named groups that contain it.
    pub groups: Vec<&'static str>,
}

impl From<cube::Symmetry> for Symmetry {
    fn from(s: cube::Symmetry) -> Self {
        Self {
            index: s.index(),
            description: group::describe(s),
            inverse: s.inverse().index(),
            moves: Move::ALL.iter().map(|&mv| s.conjugate_move(mv).name()).collect(),
            groups: GROUPS.iter().filter(|group| group.position(s).is_some()).map(|group| group.name).collect(),
        }
    }
}
