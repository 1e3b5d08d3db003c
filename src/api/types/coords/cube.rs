//! Coordinates of a cube.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::api::types::{Catalogue, IndexCubeBody};
use crate::cube::{Axis, Cube};
use crate::space::catalogue::Entry;
use crate::space::{Space, cube_values};
use crate::tables::{DirectionCoordinates, Tables};

/// A raw value and its class under the 16 symmetries that keep the axis.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SymValue)]
pub struct SymValueBody {
    /// The raw value.
    pub raw: u32,
    /// The number of its class.
    pub class: u32,
    /// The symmetry S, 0 to 15, for which S x S^-1 is the representative.
    pub symmetry: u32,
    /// The raw value of the representative.
    pub representative: u32,
}

/// The two-phase coordinates along one axis, of the cube or of its inverse.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Direction)]
pub struct DirectionBody {
    /// The axis that plays the part of UD.
    #[schema(value_type = crate::api::types::enums::AxisSchema)]
    pub axis: Axis,
    /// Whether these are the coordinates of the inverse cube.
    pub inverse: bool,
    /// Corner orientation, 0 to 2186.
    pub twist: u32,
    /// Edge orientation, 0 to 2047.
    pub flip: u32,
    /// Which slots hold the four edges of the middle layer, 0 to 494.
    pub slice: u32,
    /// The same with their order, 0 to 11879.
    pub slice_sorted: u32,
    /// Corner permutation, 0 to 40319.
    pub corner_perm: u32,
    /// Where the edges of the first face of the axis stand, with their order, 0 to 11879.
    pub u_edges: u32,
    /// Where the edges of its other face stand, with their order, 0 to 11879.
    pub d_edges: u32,
    /// Permutation of the eight edges outside the middle layer, 0 to 40319; null outside phase 2.
    pub ud_edges: Option<u32>,
    /// `2048 * slice + flip` with its class, 0 to 64429.
    pub flip_slice: SymValueBody,
    /// `corner_perm` with its class, 0 to 2767.
    pub corner_class: SymValueBody,
    /// Turns to phase 2 along this axis, exact.
    pub phase_one_distance: u32,
    /// At least this many turns of phase 2 to the solved cube; null outside phase 2.
    pub phase_two_bound: Option<u32>,
    /// Why the values of phase 2 are null; null where they are not.
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

/// The coordinates of a cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CubeCoordinates)]
pub struct CoordsResponse {
    /// The cube, in the letters URFDLB.
    pub facelets: String,
    /// The coordinates that were asked for, in that order, or every named one.
    pub coordinates: Vec<CoordinateValue>,
    /// What the two-phase search sees: six entries, the cube along UD, RL and FB, then its inverse along them; absent when
    /// coordinates were asked for by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directions: Option<Vec<DirectionBody>>,
    /// The cube as the paper of `IndexCube` writes it; absent when coordinates were asked for by name and none of them is
    /// of `IndexCube`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_cube: Option<IndexCubeBody>,
}

/// What `GET /coords` answers: the coordinates of a cube when one is given, the catalogue when none is.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
#[schema(as = CubeCoordinatesOrCatalogue)]
pub enum CoordsAnswer {
    /// The coordinates of the cube.
    Cube(Box<CoordsResponse>),
    /// Every coordinate.
    Catalogue(Box<Catalogue>),
}

/// The value of a cube in one coordinate.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CubeCoordinate)]
pub struct CoordinateValue {
    /// The coordinate.
    pub name: String,
    /// Its value; null where the cube has none.
    pub value: Option<u64>,
    /// Why it is null; absent where it is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// For a coordinate of classes: the raw value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<u32>,
    /// For a coordinate of classes: the number of the class.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<u32>,
    /// For a coordinate of classes: the symmetry S for which S x S^-1 is the representative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symmetry: Option<usize>,
    /// For a coordinate of classes: the raw value of the representative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub representative: Option<u32>,
}

impl CoordinateValue {
    /// The value of a cube in a named coordinate.
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

    /// The value of a cube in a composed coordinate.
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

/// Why a cube has no value in a coordinate of phase 2.
fn outside_phase_two(cube: &Cube) -> String {
    let strays = cube.edges()[8..].iter().filter(|piece| piece.index() < 8).count();
    format!(
        "it has a value only while the edges of the U and D layers stand in these; {strays} of them stand in the UD slice"
    )
}
