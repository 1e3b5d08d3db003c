//! `superflip coords`: the catalogue, the coordinates of a cube, one coordinate, one value.

mod argument_kind;

use std::fmt::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use self::argument_kind::{ArgumentKind, argument_kind};
use super::args::Coords;
use super::input::{cube_forms, text_of};
use super::{Failure, configure, load, log_for_people, print, print_json};
use crate::api::problem::coordinates::{expression_problem, space_problem};
use crate::api::problem::{Code, Problem};
use crate::api::request::coords::{checked, split_names, turn_not_valid};
use crate::api::types::{
    AliasBody, ApplyBody, Catalogue, CoordinateBody, CoordinateValue, CoordsResponse, DirectionBody, IndexCubeBody,
    Leads, TransformBody, ValueBody,
};
use crate::cube::input::{parse_turns, to_facelets};
use crate::cube::{Cube, Symmetry};
use crate::service::config::Config;
use crate::service::spaces::Spaces;
use crate::space::catalogue::CATALOGUE;
use crate::space::expression::{self, ExpressionError, Plan};
use crate::space::{Space, SpaceLimits};
use crate::tables::Tables;

/// Shows the catalogue, a cube, a coordinate or a value.
///
/// # Errors
/// Returns an error if the name, the value or the cube is invalid, the tables are not available, or the space is too large.
pub fn run(args: &Coords) -> Result<(), Failure> {
    let config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    let command = Command { config, json: args.json };
    command.run(args).or_else(|refusal| match refusal {
        Refusal::Problem(problem) if args.json => {
            print_json(problem.document())?;
            Err(Failure::Reported(2))
        }
        Refusal::Problem(problem) => Err(Failure::Input(problem.document().detail.clone())),
        Refusal::Failure(failure) => Err(failure),
    })
}

/// The reason why the command failed.
enum Refusal {
    /// Invalid request, reported as the service reports it.
    Problem(Problem),
    /// Another failure.
    Failure(Failure),
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

struct Command {
    config: Config,
    json: bool,
}

impl Command {
    fn run(&self, args: &Coords) -> Result<(), Refusal> {
        let Some(what) = &args.what else {
            let catalogue = Catalogue::new(self.limits());
            return self.print(&catalogue, catalogue_text);
        };
        let Some(value) = &args.value else {
            return match expression::plan(what) {
                Ok(plan) => self.print(&CoordinateBody::from(&self.space(plan, &self.tables()?)?), coordinate_text),
                // --names is valid with a cube only.
                Err(_) if args.names.is_some() => self.cube(what, args.names.as_deref()),
                Err(error) => match argument_kind(what) {
                    ArgumentKind::Coordinate => Err(self.invalid(&error).into()),
                    ArgumentKind::Cube => self.cube(what, None),
                    ArgumentKind::Either => Err(self.neither(what, &error)),
                },
            };
        };
        let plan = self.plan(what)?;
        let moves = args.apply.as_deref().map(parse_turns).transpose().map_err(Problem::from)?;
        let value: u64 = value
            .parse()
            .map_err(|_| Failure::Input(format!("`{value}` is not a value; expected an integer from 0")))?;
        let space = self.space(plan, &self.tables()?)?;
        let at = checked(&space, value)?;
        if let Some(moves) = moves {
            let walked = ApplyBody::new(&space, at, &moves);
            let walked = walked.map_err(|number| turn_not_valid(&space, moves[number].name(), number))?;
            return self.print(&walked, apply_text);
        }
        if let Some(index) = args.transform {
            let s = Symmetry::try_from_index(index as usize);
            let s = s.ok_or_else(|| {
                Failure::Input(format!("there is no symmetry {index}; expected an integer from 0 to 47"))
            })?;
            let seen = space.transform(at, s).map_err(|error| space_problem(error.into(), self.catalogue()))?;
            return self.print(&TransformBody::new(&space, at, s, seen), transform_text);
        }
        self.print(&ValueBody::new(&space, at), value_text)
    }

    fn cube(&self, text: &str, names: Option<&str>) -> Result<(), Refusal> {
        let cube = cube_forms(&text_of(text)?).cube()?;
        let tables = self.tables()?;
        let answer = match names {
            None => CoordsResponse {
                facelets: to_facelets(&cube),
                coordinates: CATALOGUE.iter().map(|entry| CoordinateValue::named(entry, &tables, &cube)).collect(),
                directions: Some(tables.inspect(&cube).iter().map(DirectionBody::from).collect()),
                index_cube: Some((&cube).into()),
            },
            Some(names) => {
                let plans = split_names(names).iter().map(|name| self.plan(name)).collect::<Result<Vec<_>, _>>()?;
                let index_cube = plans.iter().any(Plan::is_of_index_cube).then(|| (&cube).into());
                let values = plans.into_iter().map(|plan| self.coordinate(plan, &tables, &cube));
                CoordsResponse {
                    facelets: to_facelets(&cube),
                    coordinates: values.collect::<Result<_, _>>()?,
                    directions: None,
                    index_cube,
                }
            }
        };
        self.print(&answer, cube_text)
    }

    fn coordinate(&self, plan: Plan, tables: &Arc<Tables>, cube: &Cube) -> Result<CoordinateValue, Refusal> {
        Ok(match plan.entry {
            Some(entry) => CoordinateValue::named(entry, tables, cube),
            None => CoordinateValue::composed(&self.space(plan, tables)?, cube),
        })
    }

    fn plan(&self, text: &str) -> Result<Plan, Problem> {
        expression::plan(text).map_err(|error| self.invalid(&error))
    }

    fn invalid(&self, error: &ExpressionError) -> Problem {
        expression_problem(error, self.catalogue())
    }

    /// Returns the source of the catalogue for messages. With `--json`, messages are those of the service.
    fn catalogue(&self) -> &'static str {
        if self.json { "GET /coords" } else { "`superflip coords`" }
    }

    /// Returns the failure for a text that is neither a coordinate nor a cube.
    fn neither(&self, text: &str, error: &ExpressionError) -> Refusal {
        let coordinate = self.invalid(error);
        match cube_forms(text).cube() {
            Ok(_) => coordinate.into(),
            Err(cube) => {
                let (first, second) = (&coordinate.document().detail, &cube.document().detail);
                let detail = format!(
                    "`{text}` is neither a coordinate nor a cube. As a coordinate: {first} As a scramble: {second}"
                );
                Problem::new(Code::UnknownCoordinate, detail).into()
            }
        }
    }

    fn limits(&self) -> SpaceLimits {
        Spaces::new(&self.config.coords).limits()
    }

    fn tables(&self) -> Result<Arc<Tables>, Failure> {
        load::tables(&self.config, &AtomicBool::new(false)).map(Arc::new)
    }

    fn space(&self, plan: Plan, tables: &Arc<Tables>) -> Result<Space, Refusal> {
        let built = Space::new(plan, self.limits(), tables, &AtomicBool::new(false), &|_, _| ());
        built.map_err(|error| space_problem(error.into(), self.catalogue()).into())
    }

    fn print<T: Serialize>(&self, answer: &T, text: fn(&T) -> String) -> Result<(), Refusal> {
        let printed = if self.json { print_json(answer) } else { print(&text(answer)) };
        printed.map_err(Refusal::Failure)
    }
}

/// Returns the width of a column whose texts have the given lengths.
fn width(lengths: impl Iterator<Item = usize>) -> usize {
    lengths.max().unwrap_or(0)
}

fn or_dash(value: Option<impl std::fmt::Display>) -> String {
    value.map_or("-".into(), |value| value.to_string())
}

fn catalogue_text(catalogue: &Catalogue) -> String {
    let width = width(catalogue.coordinates.iter().map(|c| c.name.len()).chain(["coordinate".len()]));
    let mut out = format!("{:width$} {:>13} {:>10}  subgroup\n", "coordinate", "values", "classes");
    for c in &catalogue.coordinates {
        let _ = writeln!(out, "{:width$} {:>13} {:>10}  {}", c.name, c.size, or_dash(c.classes), c.subgroup);
    }
    out.push_str("\nExpressions:\n");
    let width = self::width(catalogue.constructions.iter().map(|c| c.syntax.len()));
    for c in &catalogue.constructions {
        let _ = writeln!(out, "{:width$}  {}", c.syntax, c.meaning);
    }
    let groups = catalogue.groups.iter().map(|group| group.name).collect::<Vec<_>>().join(" ");
    let _ = writeln!(out, "\nGroups: {groups}\n--json shows more of each.");
    out
}

fn coordinate_text(c: &CoordinateBody) -> String {
    let s = &c.summary;
    let mut out = format!("{}\n  subgroup  {}\n  values    {}", s.name, s.subgroup, s.size);
    if let (Some(classes), Some(group)) = (s.classes, s.group) {
        let _ = write!(out, "\n  classes   {classes} of {} raw values under {group}", s.raw_size);
    }
    if let Some(slots) = &s.slots {
        let _ = write!(out, "\n  slots     {}", slots.join(" "));
    }
    let named = |alias: &AliasBody| {
        if alias.same_numbers { alias.name.to_owned() } else { format!("{} (other numbers)", alias.name) }
    };
    let aliases = s.aliases.iter().map(named).collect::<Vec<_>>().join(", ");
    if !aliases.is_empty() {
        let _ = write!(out, "\n  also      {aliases}");
    }
    for (name, note) in s.aliases.iter().filter_map(|alias| Some((alias.name, alias.note?))) {
        let _ = write!(out, "\n            {name}: {note}");
    }
    out.push('\n');
    match &c.depth_histogram {
        None => {
            let _ = writeln!(out, "  no distances: {}", c.depth_reason.unwrap_or_default());
        }
        Some(counts) => {
            out.push_str("  turns     states\n");
            for (depth, count) in counts.iter().enumerate() {
                let _ = writeln!(out, "  {depth:>5} {count:>12}");
            }
        }
    }
    out
}

fn cube_text(answer: &CoordsResponse) -> String {
    let mut out = format!("{}\n", answer.facelets);
    let width = width(answer.coordinates.iter().map(|c| c.name.len()));
    for c in &answer.coordinates {
        let value = c.value.map_or_else(|| format!("- {}", c.reason.as_deref().unwrap_or_default()), |v| v.to_string());
        let class = c.class.zip(c.symmetry).map(|(class, s)| format!("  class {class}, symmetry {s}"));
        let _ = writeln!(out, "{:width$}  {value}{}", c.name, class.unwrap_or_default());
    }
    if let Some(index_cube) = &answer.index_cube {
        out.push_str(&index_cube_text(index_cube));
    }
    for d in answer.directions.iter().flatten() {
        let axis = d.axis.name();
        let side = if d.inverse { "inverse" } else { "cube" };
        let _ = writeln!(
            out,
            "{side:8}{axis}  twist {:<4} flip {:<4} slice {:<4} turns to phase 2: {}",
            d.twist, d.flip, d.slice, d.phase_one_distance
        );
    }
    out
}

/// Formats the last row of each matrix, below the names of the slots.
fn index_cube_text(IndexCubeBody { edges, corners }: &IndexCubeBody) -> String {
    let row = |title: &str, cells: &[String]| {
        cells.iter().fold(format!("  {title:22}"), |line, cell| line + &format!(" {cell:>3}")) + "\n"
    };
    let names = |slots: &[&str]| slots.iter().map(|&slot| slot.to_owned()).collect::<Vec<_>>();
    let numbers = |list: &[u8]| list.iter().map(u8::to_string).collect::<Vec<_>>();
    let lower = |matrix: &[Vec<u8>]| matrix.last().map(|row| numbers(row)).unwrap_or_default();
    [
        row("IndexCube edges", &names(&edges.slots)),
        row("goes to slot", &lower(&edges.permutation)),
        row("holds edge", &lower(&edges.inverse)),
        row("flip along z", &numbers(&edges.flip_z)),
        row("IndexCube corners", &names(&corners.slots)),
        row("goes to slot", &lower(&corners.permutation)),
        row("holds corner", &lower(&corners.inverse)),
        row("axis of L or R sticker", &numbers(&corners.orientation)),
    ]
    .concat()
}

fn value_text(v: &ValueBody) -> String {
    let mut out = format!("{} {}\n  a cube    {}\n", v.name, v.value, v.facelets);
    if let Some(equivalent) = v.equivalent.as_ref().filter(|values| values.len() > 1) {
        let values = equivalent.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
        let _ = writeln!(out, "  the same  {values}");
    }
    if let Some(note) = v.offset_note {
        let _ = writeln!(out, "  note      {note}");
    }
    match (v.distance, &v.to_solved) {
        (Some(distance), Some(maneuver)) => {
            let _ = writeln!(out, "  distance  {distance}  {maneuver}");
        }
        _ => {
            let _ = writeln!(out, "  distance  - {}", v.distance_reason.unwrap_or_default());
        }
    }
    if let Some(class) = &v.class {
        let number = class.class.map_or(String::new(), |class| format!("{class}, "));
        let _ = writeln!(
            out,
            "  class     {number}{} values under {}; representative {}, symmetry {}",
            class.orbit, class.group, class.representative, class.symmetry
        );
    }
    for n in &v.neighbours {
        let leads = match n.leads {
            Some(Leads::Nearer) => "nearer",
            Some(Leads::Level) => "level",
            Some(Leads::Farther) => "farther",
            None => "",
        };
        let _ = writeln!(out, "  {:3} {:>12} {:>3}  {leads}", n.turn, or_dash(n.value), or_dash(n.distance));
    }
    out
}

fn apply_text(walk: &ApplyBody) -> String {
    let mut out = format!("{}\n      {:>12} {:>3}\n", walk.name, walk.value, or_dash(walk.distance));
    if let Some(note) = walk.offset_note {
        let _ = writeln!(out, "  note: {note}");
    }
    for step in &walk.steps {
        let _ = write!(out, "  {:3} {:>12} {:>3}", step.turn, step.value, or_dash(step.distance));
        if let Some(rule) = &step.rule {
            let (a, b, c) = (&rule.sym_move, &rule.move_table, &rule.sym_mult);
            let _ = write!(
                out,
                "  SymMove[{}, {}] = {}  MoveTable[{}, {}] = ({}, {})",
                a.i, a.m, a.m1, b.j, b.m1, b.j1, b.i1
            );
            if let Some(s) = &rule.second {
                let _ = write!(
                    out,
                    "  second: MoveTable[{}, {}] = {}  Trans[{}, {}] = {}",
                    s.c, s.m1, s.turned, s.turned, s.i1, s.transformed
                );
            }
            let _ = write!(out, "  SymMult[{}, {}] = {}", c.i1, c.i, c.product);
            let d = &rule.canonical;
            if d.t != 0 {
                let _ = write!(out, "  SymMult[{}, {}] = {}", d.t, d.product, d.symmetry);
                if let (Some(s), Some(second)) = (&rule.second, d.second) {
                    let _ = write!(out, "  second: Trans[{}, {}] = {second}", s.transformed, d.t);
                }
            }
        }
        out.push('\n');
    }
    out
}

fn transform_text(t: &TransformBody) -> String {
    format!(
        "{} {} transformed by symmetry {} ({}): {}\n",
        t.name, t.value, t.symmetry.index, t.symmetry.description, t.transformed
    )
}
