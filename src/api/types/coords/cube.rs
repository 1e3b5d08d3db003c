//! Coordinates of a cube: responses of `/coords`.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::types::{Catalogue, IndexCubeBody};
use crate::cube::{Axis, Cube};
use crate::space::catalogue::Entry;
use crate::space::{Space, cube_values};
use crate::tables::{DirectionCoordinates, Tables};

/// Raw value and its class under the 16 symmetries that keep the axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymValue)]
pub struct SymValueBody {
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
#[schema(as = Direction)]
pub struct DirectionBody {
    /// Axis that takes the role of UD.
    #[schema(value_type = crate::api::types::enums::AxisSchema)]
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
    pub flip_slice: SymValueBody,
    /// `corner_perm` with its class, 0 to 2767.
    pub corner_class: SymValueBody,
    /// Exact number of moves to phase 2 along this axis.
    pub phase_one_distance: u32,
    /// Lower bound on the number of phase 2 moves to solved; null outside phase 2.
    pub phase_two_bound: Option<u32>,
    /// Reason why the values of phase 2 are null; null if they are not.
    pub phase_two_reason: Option<String>,
}

impl From<&DirectionCoordinates> for DirectionBody {
    fn from(direction: &DirectionCoordinates) -> Self {
        let sym = |raw, class, symmetry, representative| SymValueBody { raw, class, symmetry, representative };
        let DirectionCoordinates { flip_slice, corner, .. } = direction;
        let axis = direction.axis;
        let phase_two_reason = direction.ud_edges.is_none().then(|| {
            format!(
                "{} {axis} is not in phase 2: twist {}, flip {} and slice {} are not all 0; turns to it: {}",
                if direction.inverse { "the inverse cube along" } else { "the cube along" },
                direction.twist,
                direction.flip,
                direction.slice,
                direction.phase_one_distance
            )
        });
        Self {
            axis,
            inverse: direction.inverse,
            twist: direction.twist,
            flip: direction.flip,
            slice: direction.slice,
            slice_sorted: direction.slice_sorted,
            corner_perm: direction.corner_perm,
            u_edges: direction.u_edges,
            d_edges: direction.d_edges,
            ud_edges: direction.ud_edges,
            flip_slice: sym(flip_slice.raw, flip_slice.class, flip_slice.symmetry, flip_slice.representative),
            corner_class: sym(corner.raw, corner.class, corner.symmetry, corner.representative),
            phase_one_distance: direction.phase_one_distance,
            phase_two_bound: direction.phase_two_bound,
            phase_two_reason,
        }
    }
}

/// Coordinates of a cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CubeCoordinates)]
pub struct CoordsResponse {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// Requested coordinates, in that order, or every named one.
    pub coordinates: Vec<CoordinateValue>,
    /// Coordinates of the two-phase search, six entries: the cube along UD, RL and FB, then its inverse along them. Absent if
    /// coordinates were requested by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directions: Option<Vec<DirectionBody>>,
    /// Cube in the notation of the `IndexCube` paper; absent if coordinates were requested by name and none of them is of
    /// `IndexCube`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_cube: Option<IndexCubeBody>,
}

/// Response of `GET /coords`: the coordinates of a cube if one is given, otherwise the catalogue.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = CubeCoordinatesOrCatalogue)]
pub enum CoordsAnswer {
    /// Coordinates of the cube.
    Cube(Box<CoordsResponse>),
    /// Catalogue.
    Catalogue(Box<Catalogue>),
}

/// Value of a cube in one coordinate.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CubeCoordinate)]
pub struct CoordinateValue {
    /// Name of the coordinate.
    pub name: String,
    /// Value; null if the coordinate is undefined for the cube.
    pub value: Option<u64>,
    /// Reason why the value is null; absent if it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Raw value; only for a sym-coordinate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<u32>,
    /// Number of the class; only for a sym-coordinate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<u32>,
    /// Symmetry S for which S x S^-1 is the representative; only for a sym-coordinate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<usize>,
    /// Raw value of the representative; only for a sym-coordinate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub representative: Option<u32>,
}

impl CoordinateValue {
    /// Returns the value of a cube in a named coordinate.
    pub fn named(entry: &Entry, tables: &Tables, cube: &Cube) -> Self {
        let found = cube_values::of_cube(entry, tables, cube);
        let sym = found.and_then(|found| found.sym);
        Self {
            name: entry.name.to_owned(),
            value: found.map(|found| u64::from(found.value)),
            reason: found.is_none().then(|| outside_phase_two(cube)),
            raw: sym.map(|sym| sym.raw),
            class: sym.map(|sym| sym.class),
            symmetry: sym.map(|sym| sym.symmetry.index()),
            representative: sym.map(|sym| sym.representative),
        }
    }

    /// Returns the value of a cube in a composed coordinate.
    pub fn composed(space: &Space, cube: &Cube) -> Self {
        let state = space.state_of_cube(cube);
        let class = state.and_then(|state| space.class_of(state));
        Self {
            name: space.plan().label.clone(),
            value: state.map(|state| space.value(state)),
            reason: state.is_none().then(|| outside_phase_two(cube)),
            raw: state.map(|state| state.base),
            class: class.as_ref().and_then(|class| class.class),
            symmetry: class.as_ref().map(|class| class.symmetry.index()),
            representative: class.map(|class| class.representative),
        }
    }
}

/// Message for a cube that has no value in a coordinate of phase 2.
fn outside_phase_two(cube: &Cube) -> String {
    let strays = cube.edges()[8..].iter().filter(|piece| piece.index() < 8).count();
    format!(
        "it has a value only while the edges of the U and D layers stand in these; {strays} of them stand in the UD slice"
    )
}
