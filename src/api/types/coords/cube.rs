//! Coordinates of a cube: responses of `/coords`.

use std::ops::Deref;

use crate::contract::ToSchema;
use serde::Serialize;

use crate::api::problem::Problem;
use crate::api::types::{Catalogue, Direction, IndexCubeBody};
use superflip_coords::space::catalogue::{CATALOGUE, Entry};
use superflip_coords::space::expression::{self, Plan};
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

impl CoordsResponse {
    /// Returns every named coordinate of a cube, and its directions.
    pub fn of_all(cube: &Cube, tables: &Tables) -> Self {
        Self {
            facelets: cube.to_string(),
            coordinates: CATALOGUE.iter().map(|entry| CoordinateValue::named(entry, tables, cube)).collect(),
            directions: Some(tables.inspect(cube).iter().map(Into::into).collect()),
            index_cube: Some(cube.into()),
        }
    }

    /// Returns the coordinates of a cube that are named or composed by `names`. `space_of` returns the space of a composed one.
    ///
    /// # Errors
    /// Returns an error for an invalid name, and the errors of `space_of`.
    pub async fn of_names<S: Deref<Target = Space>, F: Future<Output = Result<S, Problem>>>(
        names: &[String],
        cube: &Cube,
        tables: &Tables,
        space_of: impl Fn(Plan) -> F,
    ) -> Result<Self, Problem> {
        let (mut coordinates, mut index_cube) = (Vec::with_capacity(names.len()), None);
        for name in names {
            let plan = expression::plan(name)?;
            if plan.is_of_index_cube() {
                index_cube = Some(cube.into());
            }
            coordinates.push(match plan.entry {
                Some(entry) => CoordinateValue::named(entry, tables, cube),
                None => CoordinateValue::composed(&*space_of(plan).await?, cube),
            });
        }
        Ok(Self { facelets: cube.to_string(), coordinates, directions: None, index_cube })
    }
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
    fn named(entry: &Entry, tables: &Tables, cube: &Cube) -> Self {
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
    fn composed(space: &Space, cube: &Cube) -> Self {
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
        "it has a value only if no edge of the U and D layers is in the UD slice; the UD slice has {strays} of them"
    )
}
