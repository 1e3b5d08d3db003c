//! Coordinates of a cube: responses of `/coords`.

use crate::contract::ToSchema;
use serde::Serialize;

use crate::api::types::{Catalogue, Direction, IndexCubeBody};
use superflip_coords::space::catalogue::Entry;
use superflip_coords::space::{Space, cube_values};
use superflip_cube::Cube;
use superflip_solver::tables::Tables;

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
    pub directions: Option<Vec<Direction>>,
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
