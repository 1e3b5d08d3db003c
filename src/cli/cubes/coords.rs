//! `superflip coords`: the catalogue, the coordinates of a cube, one coordinate, one value.

use std::sync::Arc;

use serde::Serialize;

use super::input::text_of;
use crate::api::problem::{Code, Problem};
use crate::api::request::coords::{checked, split_names, turn_not_valid};
use crate::api::types::{
    ApplyBody, Catalogue, CoordinateBody, CoordinateSummary, CoordinateValue, CoordsResponse, SolveRequest,
    TransformBody, ValueBody,
};
use crate::cli::args::Coords;
use crate::cli::output::{document, or_dash, table};
use crate::cli::{Failure, configure, load, log_for_people, print, print_json, refuse};
use crate::service::config::Config;
use crate::service::spaces::{Spaces, SpacesError};
use superflip_coords::space::catalogue::CATALOGUE;
use superflip_coords::space::expression::{self, ExpressionError, Plan};
use superflip_coords::space::{Space, SpaceLimits};
use superflip_cube::{Cube, Form, Moves, Symmetry};
use superflip_solver::{Control, Tables};

/// Shows the catalogue, a cube, a coordinate or a value.
///
/// # Errors
/// Returns an error if the name, the value or the cube is invalid, the tables are not available, or the space is too large.
pub fn run(args: &Coords) -> Result<(), Failure> {
    let config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    let command = Command { config, json: args.json };
    command.run(args).map_err(|failure| match failure {
        Failure::Invalid(problem) => refuse(args.json, &problem, 2),
        failure => failure,
    })
}

struct Command {
    config: Config,
    json: bool,
}

impl Command {
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
            let walked = ApplyBody::new(&space, at, &moves);
            let walked = walked.map_err(|number| turn_not_valid(&space, moves[number].name(), number))?;
            return self.print(&walked, document);
        }
        if let Some(index) = args.transform {
            let s = Symmetry::try_from_index(index as usize);
            let s = s.ok_or_else(|| {
                Failure::Input(format!("there is no symmetry {index}; expected an integer from 0 to 47"))
            })?;
            let seen = space.transform(at, s).map_err(SpacesError::from).map_err(Problem::from)?;
            return self.print(&TransformBody::new(&space, at, s, seen), document);
        }
        self.print(&ValueBody::new(&space, at), document)
    }

    fn cube(&self, text: &str, names: Option<&str>) -> Result<(), Failure> {
        let cube = SolveRequest::of_text(text_of(text)?).cube()?;
        let tables = self.tables()?;
        let answer = match names {
            None => CoordsResponse {
                facelets: cube.to_string(),
                coordinates: CATALOGUE.iter().map(|entry| CoordinateValue::named(entry, &tables, &cube)).collect(),
                directions: Some(tables.inspect(&cube).iter().map(Into::into).collect()),
                index_cube: Some((&cube).into()),
            },
            Some(names) => {
                let plans: Result<Vec<_>, _> = split_names(names).iter().map(|name| expression::plan(name)).collect();
                let plans = plans.map_err(Problem::from)?;
                let index_cube = plans.iter().any(Plan::is_of_index_cube).then(|| (&cube).into());
                let values = plans.into_iter().map(|plan| self.coordinate(plan, &tables, &cube));
                CoordsResponse {
                    facelets: cube.to_string(),
                    coordinates: values.collect::<Result<_, _>>()?,
                    directions: None,
                    index_cube,
                }
            }
        };
        self.print(&answer, cube_text)
    }

    fn coordinate(&self, plan: Plan, tables: &Arc<Tables>, cube: &Cube) -> Result<CoordinateValue, Failure> {
        Ok(match plan.entry {
            Some(entry) => CoordinateValue::named(entry, tables, cube),
            None => CoordinateValue::composed(&self.space(plan, tables)?, cube),
        })
    }

    fn limits(&self) -> SpaceLimits {
        Spaces::new(&self.config.coords).limits()
    }

    fn tables(&self) -> Result<Arc<Tables>, Failure> {
        load::tables(&self.config, None, &Control::new()).map(Arc::new)
    }

    fn space(&self, plan: Plan, tables: &Arc<Tables>) -> Result<Space, Failure> {
        let spaces = Spaces::new(&self.config.coords);
        let built = Space::new(plan, spaces.limits(), spaces.memory(), tables, &Control::new(), &|_, _| ());
        Ok(built.map_err(SpacesError::from).map_err(Problem::from)?)
    }

    fn print<T: Serialize>(&self, answer: &T, text: fn(&T) -> Result<String, Failure>) -> Result<(), Failure> {
        if self.json { print_json(answer) } else { print(&text(answer)?) }
    }
}

/// Checks that a text, which is not a coordinate for the reason `error`, is a cube. The problem matches the likely intention:
/// `comp(twist` is an incomplete coordinate, and `R U X` an invalid scramble.
fn check_cube(text: &str, error: ExpressionError) -> Result<(), Problem> {
    let text = text.trim();
    if matches!(text, "" | "-") {
        return Ok(());
    }
    match SolveRequest::of_text(text).read() {
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
        vec![side.to_owned(), d.axis.to_string(), values, format!("turns to phase 2: {}", d.phase_one_distance)]
    });
    let (values, directions) = (table(&values.collect::<Vec<_>>()), table(&directions.collect::<Vec<_>>()));
    let index_cube = answer.index_cube.as_ref().map_or(Ok(String::new()), document)?;
    Ok(format!("{}\n{values}{index_cube}{directions}", answer.facelets))
}
