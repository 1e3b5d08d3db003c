//! `/coords` and `superflip coords`: the coordinates of a cube, the catalogue, one coordinate, one value.

pub mod coordinate;
pub mod value;

use std::future::ready;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::State;
use clap::Args;
use futures_util::FutureExt as _;
use serde::Serialize;

use self::coordinate::{Catalogue, Coordinate, CoordinateSummary};
use self::value::{AppliedManeuver, CoordinateValue, TransformedValue, checked};
use crate::api::problem::{Code, Problem};
use crate::api::request::read::split_names;
use crate::api::types::fields::{InQuery, fields};
use crate::api::types::strict::Names;
use crate::api::types::{CubeRequest, Direction};
use crate::cli::args::{Configuration, EXIT_CODES, examples};
use crate::cli::input::text_of;
use crate::cli::output::{document, or_dash, table};
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, solver_for_one};
use crate::contract::{self, ToSchema};
use crate::http::extract::{JsonBody, NoQuery, QueryString};
use crate::http::json::Json;
use crate::http::{AppState, operation};
use crate::service::config::Config;
use crate::service::spaces::Spaces;
use superflip_coords::space::catalogue::{CATALOGUE, Entry};
use superflip_coords::space::expression::{self, ExpressionError, Plan};
use superflip_coords::space::{Space, SpaceLimits, cube_values};
use superflip_cube::metric::Metric;
use superflip_cube::{Corner, Cube, Edge, Form, Moves, Symmetry};
use superflip_solver::Control;
use superflip_solver::coord::index_cube::{
    self, corner_axes, corner_permutation, edge_permutation, flip_bits, inverse,
};
use superflip_solver::coord::{Descriptor, INDEX_FLIP_X, INDEX_FLIP_Y, INDEX_FLIP_Z};
use superflip_solver::tables::Tables;
use superflip_solver::tables::metric::StepSet;

fields! {
    /// A cube in exactly one of its forms, and the coordinates to return.
    pub struct Request as CoordsRequest {
        ..cube: CubeRequest,
        /// Coordinates to return, by name, alias or expression (default: every named coordinate, and the two-phase coordinates along
        /// each axis as `directions`). In a query, they are separated by commas.
        #[schema(value_type = Option<Vec<String>>, example = json!(["twist", "flip_slice_class", "comp(twist,slice)"]), max_items = 32)]
        pub names: Option<Names>,
    }
}

/// Coordinates of a cube.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CubeCoordinates {
    /// Cube, as 54 letters URFDLB.
    pub facelets: String,
    /// Requested coordinates, in that order, or every named one.
    pub coordinates: Vec<CubeCoordinate>,
    /// Coordinates of the two-phase search, six entries: the cube along UD, RL and FB, then its inverse along them. Absent if
    /// coordinates were requested by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directions: Option<Vec<Direction>>,
    /// Cube in the notation of the `IndexCube` paper; absent if coordinates were requested by name and none of them is of
    /// `IndexCube`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_cube: Option<IndexCube>,
}

impl CubeCoordinates {
    /// Returns every named coordinate of a cube, and its directions.
    pub fn of_all(cube: &Cube, tables: &Tables) -> Self {
        Self {
            facelets: cube.to_string(),
            coordinates: CATALOGUE.iter().map(|entry| CubeCoordinate::named(entry, tables, cube)).collect(),
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
                Some(entry) => CubeCoordinate::named(entry, tables, cube),
                None => CubeCoordinate::composed(&*space_of(plan).await?, cube),
            });
        }
        Ok(Self { facelets: cube.to_string(), coordinates, directions: None, index_cube })
    }
}

/// Response of `GET /coords`: the coordinates of a cube if one is given, otherwise the catalogue.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum CubeCoordinatesOrCatalogue {
    /// Coordinates of the cube.
    Cube(Box<CubeCoordinates>),
    /// Catalogue.
    Catalogue(Box<Catalogue>),
}

/// Value of a cube in one coordinate.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CubeCoordinate {
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

impl CubeCoordinate {
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

/// Cube in the notation of the `IndexCube` paper.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCube {
    /// Edges.
    pub edges: IndexCubeEdges,
    /// Corners.
    pub corners: IndexCubeCorners,
}

/// Edges of a cube in the numbering of the paper.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCubeEdges {
    /// Slots in the order of their numbers; a piece has the number of its home slot.
    #[schema(min_items = 12, max_items = 12)]
    pub slots: Vec<&'static str>,
    /// Two-row matrix of the permutation: pieces above, their slots below.
    #[schema(min_items = 2, max_items = 2)]
    pub permutation: Vec<Vec<u8>>,
    /// Two-row matrix of the inverse: slots above, their pieces below.
    #[schema(min_items = 2, max_items = 2)]
    pub inverse: Vec<Vec<u8>>,
    /// For each slot, 1 when its edge is flipped along the x axis, else 0.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_x: Vec<u8>,
    /// For each slot, 1 when its edge is flipped along the y axis, else 0.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_y: Vec<u8>,
    /// For each slot, 1 when its edge is flipped along the z axis, else 0: the edge orientation of the paper.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_z: Vec<u8>,
}

/// The corners of a cube in the paper's numbering.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCubeCorners {
    /// Slots in the order of their numbers; a piece has the number of its home slot.
    #[schema(min_items = 8, max_items = 8)]
    pub slots: Vec<&'static str>,
    /// Two-row matrix of the permutation: pieces above, their slots below.
    #[schema(min_items = 2, max_items = 2)]
    pub permutation: Vec<Vec<u8>>,
    /// Two-row matrix of the inverse: slots above, their pieces below.
    #[schema(min_items = 2, max_items = 2)]
    pub inverse: Vec<Vec<u8>>,
    /// For each slot, the axis along which the L or R sticker of its corner points: 0 x, 1 y, 2 z.
    #[schema(min_items = 8, max_items = 8)]
    pub orientation: Vec<u8>,
}

/// The two-row matrix with 0, 1, 2 ... above.
fn two_rows<const N: usize>(lower: [u8; N]) -> Vec<Vec<u8>> {
    vec![(0..).take(N).collect(), lower.to_vec()]
}

impl From<&Cube> for IndexCube {
    fn from(cube: &Cube) -> Self {
        let (edges, corners) = (edge_permutation(cube), corner_permutation(cube));
        let flips = |coordinate: &Descriptor| flip_bits((coordinate.index)(cube).unwrap_or_default()).to_vec();
        Self {
            edges: IndexCubeEdges {
                slots: index_cube::edge_slots().map(Edge::name).to_vec(),
                permutation: two_rows(edges),
                inverse: two_rows(inverse(&edges)),
                flip_x: flips(&INDEX_FLIP_X),
                flip_y: flips(&INDEX_FLIP_Y),
                flip_z: flips(&INDEX_FLIP_Z),
            },
            corners: IndexCubeCorners {
                slots: index_cube::corner_slots().map(Corner::name).to_vec(),
                permutation: two_rows(corners),
                inverse: two_rows(inverse(&corners)),
                orientation: corner_axes(cube).to_vec(),
            },
        }
    }
}

/// Maximum number of coordinates in a request.
const MAX_NAMES: usize = 32;

/// Get the coordinates of a cube
///
/// Returns every named coordinate, or the coordinates in `names`. Without `names`, `directions` has the coordinates of the two-phase search along each axis,
/// of the cube and of its inverse: raw values, class, symmetry, representative and pruning distances. Values that are defined only in
/// phase 2 are null elsewhere, with the reason. `index_cube` has the permutation matrices and orientations of the `IndexCube` paper; it is
/// present without `names`, and if one of them is or contains an `index_cube` coordinate.
#[contract::path(post, path = "/coords", tag = "coordinates", operation_id = "coords",
    request_body(content = Request, examples(
        ("scramble" = (summary = "One move", value = json!({"scramble": "F"}))),
        ("facelets" = (summary = "The superflip",
            value = json!({"facelets": "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB"}))),
        ("names" = (summary = "Some coordinates, one of them composed",
            value = json!({"scramble": "F", "names": ["twist", "flip_slice_class", "comp(twist,slice)"]})))
    )),
    responses((status = 200, description = "The coordinates", body = CubeCoordinates), Problems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    _: NoQuery,
    JsonBody(request): JsonBody<Request>,
) -> Result<Json<CubeCoordinates>, Problem> {
    answer(&state, request).await.map(Json)
}

/// Get the coordinates of a cube, or the catalogue
///
/// With a cube: its coordinates, as POST /coords. Without one: all named coordinates, and ways to compose others.
#[contract::path(get, path = "/coords", tag = "coordinates", operation_id = "coords_query", params(Request),
    responses((status = 200, description = "As POST /coords, or the catalogue", body = CubeCoordinatesOrCatalogue), QueryProblems))]
pub(crate) async fn get(
    State(state): State<AppState>,
    QueryString(InQuery(request)): QueryString<InQuery<Request>>,
) -> Result<Json<CubeCoordinatesOrCatalogue>, Problem> {
    if request.names.is_none() && request.cube.has_no_cube() {
        return Ok(Json(CubeCoordinatesOrCatalogue::Catalogue(Box::new(Catalogue::new(state.spaces.limits())))));
    }
    let answer = answer(&state, request).await?;
    Ok(Json(CubeCoordinatesOrCatalogue::Cube(Box::new(answer))))
}

async fn answer(state: &AppState, Request { cube, names }: Request) -> Result<CubeCoordinates, Problem> {
    let names = names.map(|Names(names)| names);
    let count = names.as_ref().map_or(1, Vec::len);
    if !(1..=MAX_NAMES).contains(&count) {
        let detail = format!("`names` has {count} entries; it must have from 1 to {MAX_NAMES}.");
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("names"));
    }
    let cube = state.read(cube, CubeRequest::cube).await?;
    let tables = state.tables_for_work()?;
    match names {
        // Do not use the queue: a few table look-ups take microseconds.
        None => Ok(CubeCoordinates::of_all(&cube, &tables)),
        Some(names) => CubeCoordinates::of_names(&names, &cube, &tables, |plan| state.space(plan)).await,
    }
}

operation! {
    routes {
        "/coords": post post, get get;
        "/coords/{name}": get coordinate::get;
        "/coords/{name}/raw": get coordinate::raw;
        "/coords/{name}/{value}": get value::get;
        "/coords/{name}/{value}/apply": get value::apply;
        "/coords/{name}/{value}/transform": get value::transform;
    }
    links {
        GET "/coords" "Catalogue of coordinates";
        GET "/coords/twist/1236" "One value of a coordinate";
        GET "/coords/twist/1236/apply?moves=R%20U" "Apply moves to a value";
        POST "/coords" "The coordinates of a cube";
        GET "/coords?scramble=F" "The coordinates of one move";
    }
    problems {
        /// Problems of `POST /coords`.
        Problems: BODY QUERY CUBE SPACE TABLES [OptionOutOfRange];
        /// Problems of `GET /coords`.
        QueryProblems: QUERY CUBE SPACE TABLES [OptionOutOfRange];
        /// Problems of `GET /coords/{name}`.
        CoordinateProblems: NO_QUERY SPACE TABLES [InvalidPath];
        /// Problems of `GET /coords/{name}/raw`.
        RawProblems: NO_QUERY SPACE TABLES [InvalidPath NoDistances PreconditionFailed RangeNotSatisfiable];
        /// Problems of `GET /coords/{name}/{value}`.
        ValueProblems: NO_QUERY VALUE SPACE TABLES [];
        /// Problems of `GET /coords/{name}/{value}/apply`.
        ApplyProblems: VALUE SPACE QUERY TABLES [Notation MoveNotValid OptionOutOfRange];
        /// Problems of `GET /coords/{name}/{value}/transform`.
        TransformProblems: VALUE SPACE QUERY TABLES [OptionOutOfRange];
    }
}

/// Show coordinates
///
/// Without arguments: lists all coordinates. With a cube (in any form, or - for standard input): shows its value in each of
/// them. With the name of a coordinate, or an expression: shows its distribution. With a value as well: shows a cube with this value,
/// its class, its distance from solved and its neighbours.
#[derive(Args, Debug)]
#[command(
    help_template = examples!("
  superflip coords
  superflip coords \"R U F\"
  superflip coords \"R U F\" --names \"twist,comp(twist,slice)\" --json
  superflip coords flip_slice
  superflip coords twist 1236
  superflip coords flip_slice_class 0 --apply \"F R\"
  superflip coords slice 33 --transform 2
  superflip coords \"symcomp(sym(corner_perm,UD16),twist)\""),
    after_long_help = EXIT_CODES
)]
pub struct Flags {
    /// A cube, the name of a coordinate, or an expression
    // A maneuver never starts with a hyphen, so this only lets `-` through.
    #[arg(value_name = "CUBE|NAME", allow_hyphen_values = true)]
    pub what: Option<String>,
    /// A value of the coordinate
    #[arg(value_name = "VALUE")]
    pub value: Option<String>,
    /// With a cube: show these coordinates only, separated by commas
    #[arg(long, value_name = "NAMES", conflicts_with = "value", requires = "what")]
    pub names: Option<String>,
    /// With a value: show the values after each of these moves
    #[arg(long, value_name = "MOVES", requires = "value", conflicts_with = "transform")]
    pub apply: Option<String>,
    /// With a value: show the value of the cube transformed by this symmetry, 0 to 47
    #[arg(long, value_name = "SYMMETRY", requires = "value")]
    pub transform: Option<u32>,
    /// Write JSON as GET /coords does, errors too
    #[arg(long)]
    pub json: bool,
    /// The location of the tables.
    #[command(flatten)]
    pub configuration: Configuration,
}

/// Shows the catalogue, a cube, a coordinate or a value.
///
/// # Errors
/// Returns an error if the name, the value or the cube is invalid, the tables are not available, or the space is too large.
pub fn run(args: &Flags) -> Result<(), Failure> {
    let config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    let command = CoordsCommand { configuration: &args.configuration, config, json: args.json };
    command.run(args).map_err(|failure| match failure {
        Failure::Invalid(problem) => refuse(args.json, &problem, 2),
        failure => failure,
    })
}

struct CoordsCommand<'a> {
    configuration: &'a Configuration,
    config: Config,
    json: bool,
}

impl CoordsCommand<'_> {
    fn run(&self, args: &Flags) -> Result<(), Failure> {
        let Some(what) = &args.what else {
            let catalogue = Catalogue::new(self.limits());
            return self.print(&catalogue, |catalogue| Ok(catalogue_text(catalogue)));
        };
        let Some(value) = &args.value else {
            return match expression::plan(what) {
                Ok(plan) => self.print(&Coordinate::from(&self.space(plan, &self.tables()?)?), document),
                // --names is valid with a cube only.
                Err(_) if args.names.is_some() => self.cube(what, args.names.as_deref()),
                Err(error) => {
                    check_cube(what, error)?;
                    self.cube(what, None)
                }
            };
        };
        let plan = expression::plan(what).map_err(Problem::from)?;
        let moves = args.apply.as_deref().map(str::parse::<Moves>).transpose().map_err(Problem::from)?;
        let value: u64 = value
            .parse()
            .map_err(|_| Failure::Input(format!("`{value}` is not a value; expected an integer from 0")))?;
        let space = self.space(plan, &self.tables()?)?;
        let at = checked(&space, value)?;
        if let Some(moves) = moves {
            return self.print(&AppliedManeuver::new(&space, at, &moves)?, document);
        }
        if let Some(index) = args.transform {
            let s = Symmetry::try_from_index(index as usize);
            let s = s.ok_or_else(|| {
                Failure::Input(format!("there is no symmetry {index}; expected an integer from 0 to 47"))
            })?;
            return self.print(&TransformedValue::new(&space, at, s).map_err(Problem::from)?, document);
        }
        self.print(&CoordinateValue::new(&space, at), document)
    }

    fn cube(&self, text: &str, names: Option<&str>) -> Result<(), Failure> {
        let cube = CubeRequest::of_text(text_of(text)?).cube()?;
        let tables = self.tables()?;
        let answer = match names.map(split_names) {
            None => CubeCoordinates::of_all(&cube, &tables),
            Some(names) => {
                let space = |plan| ready(self.space(plan, &tables).map(Arc::new));
                let answer = CubeCoordinates::of_names(&names, &cube, &tables, space).now_or_never();
                // Not reached: `space` does not wait.
                answer.unwrap_or_else(|| Err(Problem::internal()))?
            }
        };
        self.print(&answer, cube_text)
    }

    fn limits(&self) -> SpaceLimits {
        Spaces::new(&self.config.coords).limits()
    }

    fn tables(&self) -> Result<Arc<Tables>, Failure> {
        let steps = StepSet::of_metric(Metric::Htm);
        let solver = solver_for_one(self.configuration, &self.config, steps, None, &Control::new())?;
        Ok(Arc::clone(solver.tables()))
    }

    fn space(&self, plan: Plan, tables: &Arc<Tables>) -> Result<Space, Problem> {
        let spaces = Spaces::new(&self.config.coords);
        Ok(Space::new(plan, spaces.limits(), spaces.memory(), tables, &Control::new())?)
    }

    fn print<T: Serialize>(&self, answer: &T, text: fn(&T) -> Result<String, Failure>) -> Result<(), Failure> {
        if self.json { print_json(answer) } else { print(&text(answer)?) }
    }
}

/// Checks that a text, which is not a coordinate for the reason `error`, is a cube. The problem matches the likely intention:
/// `comp(twist` is an incomplete coordinate, and `R U Q` an invalid scramble.
fn check_cube(text: &str, error: ExpressionError) -> Result<(), Problem> {
    let text = text.trim();
    if matches!(text, "" | "-") {
        return Ok(());
    }
    match CubeRequest::of_text(text).read() {
        // A misspelt name can also be read as letters of corners.
        Ok(read) if read.format == Some(Form::Speffz) && !text.contains('.') => Err(error.into()),
        Ok(_) => Ok(()),
        Err(cube) if matches!(cube.code(), Code::ImpossibleCube | Code::UnknownStickers) => Err(cube),
        Err(cube) if text.contains(' ') && cube.document().position != Some(0) => Err(cube),
        Err(_) => Err(error.into()),
    }
}

fn catalogue_text(catalogue: &Catalogue) -> String {
    let mut rows = vec![["coordinate", "values", "classes", "subgroup"].map(str::to_owned).to_vec()];
    let row = |c: &CoordinateSummary| vec![c.name.clone(), c.size.to_string(), or_dash(c.classes), c.subgroup.clone()];
    rows.extend(catalogue.coordinates.iter().map(row));
    let constructions = catalogue.constructions.iter().map(|c| vec![c.syntax.to_owned(), c.meaning.to_owned()]);
    let groups = catalogue.groups.iter().map(|group| group.name).collect::<Vec<_>>().join(" ");
    let (named, composed) = (table(&rows), table(&constructions.collect::<Vec<_>>()));
    format!("{named}\nExpressions:\n{composed}\nGroups: {groups}\n--json shows more of each.\n")
}

fn cube_text(answer: &CubeCoordinates) -> Result<String, Failure> {
    let values = answer.coordinates.iter().map(|c| {
        let class = c.class.zip(c.symmetry).map(|(class, s)| format!("class {class}, symmetry {s}"));
        vec![c.name.clone(), or_dash(c.value), class.or_else(|| c.reason.clone()).unwrap_or_default()]
    });
    let directions = answer.directions.iter().flatten().map(|d| {
        let side = if d.inverse { "inverse" } else { "cube" };
        let values = format!("twist {}  flip {}  slice {}", d.twist, d.flip, d.slice);
        vec![side.to_owned(), d.axis.to_string(), values, format!("moves to phase 2: {}", d.phase_one_distance)]
    });
    let (values, directions) = (table(&values.collect::<Vec<_>>()), table(&directions.collect::<Vec<_>>()));
    let index_cube = answer.index_cube.as_ref().map_or(Ok(String::new()), document)?;
    Ok(format!("{}\n{values}{index_cube}{directions}", answer.facelets))
}
