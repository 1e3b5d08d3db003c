//! `superflip coords`: the catalogue, the coordinates of a cube, one coordinate, one value.

use std::future::ready;
use std::sync::Arc;

use futures_util::FutureExt as _;
use serde::Serialize;

use super::input::text_of;
use crate::api::problem::{Code, Problem};
use crate::api::request::coords::{checked, split_names};
use crate::api::types::{
    ApplyBody, Catalogue, CoordinateBody, CoordinateSummary, CoordsResponse, CubeRequest, TransformBody, ValueBody,
};
use crate::cli::args::{Configuration, Coords};
use crate::cli::output::{document, or_dash, table};
use crate::cli::{Failure, configure, log_for_people, print, print_json, refuse, tables_for_one};
use crate::service::config::Config;
use crate::service::spaces::Spaces;
use superflip_coords::space::expression::{self, ExpressionError, Plan};
use superflip_coords::space::{Space, SpaceLimits};
use superflip_cube::{Form, Moves, Symmetry};
use superflip_solver::{Control, Tables};

/// Shows the catalogue, a cube, a coordinate or a value.
///
/// # Errors
/// Returns an error if the name, the value or the cube is invalid, the tables are not available, or the space is too large.
pub fn run(args: &Coords) -> Result<(), Failure> {
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
    fn run(&self, args: &Coords) -> Result<(), Failure> {
        let Some(what) = &args.what else {
            let catalogue = Catalogue::new(self.limits());
            return self.print(&catalogue, |catalogue| Ok(catalogue_text(catalogue)));
        };
        let Some(value) = &args.value else {
            return match expression::plan(what) {
                Ok(plan) => self.print(&CoordinateBody::from(&self.space(plan, &self.tables()?)?), document),
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
            return self.print(&ApplyBody::new(&space, at, &moves)?, document);
        }
        if let Some(index) = args.transform {
            let s = Symmetry::try_from_index(index as usize);
            let s = s.ok_or_else(|| {
                Failure::Input(format!("there is no symmetry {index}; expected an integer from 0 to 47"))
            })?;
            return self.print(&TransformBody::new(&space, at, s).map_err(Problem::from)?, document);
        }
        self.print(&ValueBody::new(&space, at), document)
    }

    fn cube(&self, text: &str, names: Option<&str>) -> Result<(), Failure> {
        let cube = CubeRequest::of_text(text_of(text)?).cube()?;
        let tables = self.tables()?;
        let answer = match names.map(split_names) {
            None => CoordsResponse::of_all(&cube, &tables),
            Some(names) => {
                let space = |plan| ready(self.space(plan, &tables).map(Arc::new));
                let answer = CoordsResponse::of_names(&names, &cube, &tables, space).now_or_never();
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
        tables_for_one(self.configuration, &self.config, None, &Control::new()).map(Arc::new)
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

fn cube_text(answer: &CoordsResponse) -> Result<String, Failure> {
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
