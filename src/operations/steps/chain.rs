//! The steps of a request: how they are written, their checks, and the chain that they make.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

use super::StepsLimits;
use super::answer::{StepsResult, StepsStoppedBy};
use crate::api::problem::{Code, Problem};
use crate::api::request::options::{MAX_STEP_COUNT, MAX_STEP_LENGTH, in_range, of_server};
use crate::api::request::read::short;
use crate::api::types::strict::{integers, objects, values, word};
use crate::contract::ToSchema;
use crate::service::config::Config;
use crate::service::lanes::FoundSteps;
use crate::service::micros;
use crate::service::nearest;
use crate::service::pool::Refused;
use superflip_coords::space::Space;
use superflip_coords::space::expression::Plan;
use superflip_coords::steps::{self, Chain, ChainSolutions, Goal, MoveSet, SideMoves, Step, StepError, catalogue};
use superflip_cube::{Cube, Moves};

/// The steps of a request.
#[derive(Clone, Debug)]
pub enum StepList {
    /// A text in the grammar of chains.
    Text(String),
    /// One object for each step.
    List(Vec<StepRequest>),
}

values! { others StepList }

impl Default for StepList {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl<'de> Deserialize<'de> for StepList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrList;

        impl<'de> Visitor<'de> for TextOrList {
            type Value = StepList;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string or a list of steps")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<StepList, E> {
                Ok(StepList::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, steps: A) -> Result<StepList, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(steps)).map(StepList::List)
            }
        }

        deserializer.deserialize_any(TextOrList)
    }
}

/// Steps as a text, or as a list.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[schema(as = StepList)]
#[serde(untagged)]
pub enum StepListSchema {
    /// Steps separated by `>`. Each is a goal, and in brackets its options, separated by semicolons.
    Text(String),
    /// One object for each step.
    List(Vec<StepRequest>),
}

/// One step.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct StepRequest {
    /// What the step reaches: a name of GET /steps, a name of nissy such as `eofb` or `drud-eofb`, or a coordinate such as
    /// `sym(flip_slice,UD16)`, whose value must become that of the solved cube.
    #[schema(example = "eo")]
    pub goal: String,
    /// Axes, faces or slots of the goal that may be reached, separated by commas, such as `ud,fb` (default: all).
    #[schema(example = "ud")]
    pub axis: Option<String>,
    /// Least number of moves (default: 0).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub min: Option<u32>,
    /// Greatest number of moves (default: 30).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub max: Option<u32>,
    /// Moves that may be made, such as `R L U2 D2` (default: all moves of the goal).
    #[schema(example = "U R F")]
    pub moves: Option<String>,
    /// Sides on which moves may be made (default: `normal`; in a text `mixed` where the goal allows it).
    #[serde(default, deserialize_with = "word")]
    pub side: Option<Side>,
    /// Greatest number of solutions of this step for each branch of the steps before it (default: any).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 1, maximum = 10_000)]
    pub count: Option<u32>,
    /// Greatest number of moves above the shortest solution of this step for the same branch (default: any).
    #[serde(default, deserialize_with = "integers")]
    #[schema(minimum = 0, maximum = 30)]
    pub over_best: Option<u32>,
    /// Whether to list only one of the solutions that differ in the direction of their last turn, such as `R U F` and `R U F'`: the clockwise
    /// one (default: false).
    pub one_ending: Option<bool>,
    /// Solutions of this step to leave out; moves on the inverse cube stand in parentheses, as in `R U (F2)`.
    #[schema(max_items = 100)]
    pub exclude: Option<Vec<String>>,
    /// Subsets that a domino reduction may be in, such as `4a1` or `4a1 4e` (default: all).
    #[schema(example = json!(["4a1"]))]
    pub subsets: Option<Vec<String>>,
}

objects! { StepRequest }

/// Sides on which the moves of a step are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The cube.
    Normal,
    /// The inverse of the cube.
    Inverse,
    /// One of the two sides, for all moves of the step.
    Linear,
    /// Both sides (NISS).
    Mixed,
}

impl From<Side> for steps::Side {
    fn from(name: Side) -> Self {
        match name {
            Side::Normal => Self::Normal,
            Side::Inverse => Self::Inverse,
            Side::Linear => Self::Linear,
            Side::Mixed => Self::Mixed,
        }
    }
}

/// Maximum number of steps.
const MAX_STEPS: usize = 10;
/// Maximum number of solutions to leave out of a step.
const MAX_EXCLUDED: usize = 100;
/// Maximum number of solutions of a chain.
const MAX_SOLUTIONS: u64 = 100;
/// Maximum number of characters of steps as a text.
const MAX_CHARACTERS: usize = 2000;
/// Greatest number of branches after a step. Up to eight times as many are ranked at a time.
const WIDTH: usize = 1 << 14;

/// A checked request without its cube.
pub struct StepsTask {
    steps: CheckedSteps,
    /// Number of solutions to list.
    pub solutions: usize,
    /// Time limit for the wait and the search.
    pub time_limit: Duration,
}

/// The steps of a request.
enum CheckedSteps {
    /// Those of a text.
    Chain(Chain),
    /// Those of a list.
    List(Vec<CheckedStep>),
}

/// A checked step of a list.
struct CheckedStep {
    /// The step; that of a composed goal has another goal until its coordinate is built.
    step: Step,
    /// The coordinate of a composed goal.
    plan: Option<Plan>,
    place: Place,
}

/// The number of a step in the list.
#[derive(Clone, Copy)]
struct Place(usize);

impl Place {
    /// Attributes a problem to a field of the step.
    fn problem(self, code: Code, field: &str, detail: &str) -> Problem {
        let field = format!("steps[{}].{field}", self.0);
        Problem::new(code, format!("`{field}`: {detail}.")).in_field(&field)
    }

    fn of_error(self, error: &StepError) -> Problem {
        let field = match error {
            StepError::UnknownAxis { .. } => "axis",
            StepError::EmptyRange { .. } => "min",
            StepError::NoMoves { .. } => "moves",
            StepError::NoInverse { .. } => "side",
            StepError::NoSubsets { .. } | StepError::UnknownSubset { .. } => "subsets",
            _ => "goal",
        };
        self.problem(code_of(error), field, &error.to_string())
    }
}

/// Returns the code of the problem of an error.
fn code_of(error: &StepError) -> Code {
    if matches!(error, StepError::NotReady { .. }) { Code::UnpreparedStep } else { Code::OptionOutOfRange }
}

impl StepsTask {
    /// Checks the steps and the options.
    ///
    /// # Errors
    /// Returns an error that names the first invalid field.
    pub fn new(steps: StepList, limits: &StepsLimits, config: &Config) -> Result<Self, Problem> {
        let steps = match steps {
            StepList::Text(text) => CheckedSteps::Chain(chain_of(&text)?),
            StepList::List(list) => {
                check_count(list.len())?;
                let checked = |(number, step)| CheckedStep::new(step, Place(number));
                CheckedSteps::List(list.into_iter().enumerate().map(checked).collect::<Result<_, _>>()?)
            }
        };
        let (solutions, time_limit) = Self::options(limits, config)?;
        Ok(Self { steps, solutions, time_limit })
    }

    /// Returns the steps of a query with a cube.
    ///
    /// # Errors
    /// Returns an error with an example if there are none.
    pub fn of_query(steps: Option<String>) -> Result<StepList, Problem> {
        steps.map(StepList::Text).ok_or_else(|| {
            let detail = "`steps` is missing; add steps to the query, such as `steps=EO+%3E+DR+%3E+HTR+%3E+FIN`.";
            Problem::new(Code::OptionOutOfRange, detail).in_field("steps")
        })
    }

    /// Checks the number of solutions and the time limit.
    ///
    /// # Errors
    /// Returns an error that names the first invalid option.
    pub fn options(
        StepsLimits { solutions, time_limit_ms }: &StepsLimits,
        config: &Config,
    ) -> Result<(usize, Duration), Problem> {
        let solutions = in_range("solutions", solutions.unwrap_or(1), 1..=MAX_SOLUTIONS, "")?;
        let search = &config.search;
        let time_limit_ms = time_limit_ms.unwrap_or(search.default_time_limit_ms);
        let most = search.max_time_limit_ms;
        let time_limit_ms = in_range("time_limit_ms", time_limit_ms, 1..=most, of_server(config))?;
        Ok((solutions, Duration::from_millis(time_limit_ms)))
    }

    /// Returns the coordinates that the chain needs, each with the number of its step, from 0.
    pub(crate) fn plans(&self) -> impl Iterator<Item = (usize, &Plan)> {
        self.list().iter().filter_map(|step| Some((step.place.0, step.plan.as_ref()?)))
    }

    fn list(&self) -> &[CheckedStep] {
        match &self.steps {
            CheckedSteps::Chain(_) => &[],
            CheckedSteps::List(list) => list,
        }
    }

    /// Makes the chain. `spaces` are the coordinates of `StepsTask::plans`.
    ///
    /// # Errors
    /// Returns an error that names the step that cannot be searched.
    pub fn chain(&self, spaces: Vec<Arc<Space>>) -> Result<Chain, Problem> {
        let mut chain = match &self.steps {
            CheckedSteps::Chain(chain) => chain.clone(),
            CheckedSteps::List(list) => {
                let (mut spaces, mut steps) = (spaces.into_iter(), Vec::new());
                for CheckedStep { step, plan, place } in list {
                    let mut step = step.clone();
                    if plan.is_some() {
                        let space = spaces.next().ok_or_else(Problem::internal)?;
                        step.goal = Goal::composed(space).map_err(|error| place.of_error(&error))?;
                    }
                    step.check().map_err(|error| place.of_error(&error))?;
                    steps.push(step);
                }
                Chain::new(steps).map_err(|error| self.problem(&error))?
            }
        };
        (chain.count, chain.last_width) = (self.solutions, WIDTH);
        Ok(chain)
    }

    /// Returns the problem for an error of the search, which is one of the first step.
    pub fn problem(&self, error: &StepError) -> Problem {
        match (error, self.list().first()) {
            (StepError::Cancelled(_), _) => Refused::ShuttingDown.into(),
            (error, Some(step)) => step.place.of_error(error),
            (error, None) => in_text(error),
        }
    }
}

/// Parses a chain.
fn chain_of(text: &str) -> Result<Chain, Problem> {
    if text.chars().count() > MAX_CHARACTERS {
        let detail = format!("`steps` has more than {MAX_CHARACTERS} characters.");
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("steps"));
    }
    let chain = Chain::parse(text).map_err(|error| match &error {
        StepError::UnknownGoal { name } => {
            let detail = format!("`steps`: {}.", unknown_goal(name));
            Problem::new(Code::OptionOutOfRange, detail).in_field("steps")
        }
        error => in_text(error),
    })?;
    check_count(chain.steps().len())?;
    Ok(chain)
}

/// Returns the problem for an error of steps as a text.
fn in_text(error: &StepError) -> Problem {
    Problem::new(code_of(error), format!("`steps`: {error}.")).in_field("steps")
}

fn check_count(steps: usize) -> Result<(), Problem> {
    if (1..=MAX_STEPS).contains(&steps) {
        return Ok(());
    }
    let detail = format!("`steps` has {steps} entries; it must have from 1 to {MAX_STEPS}.");
    Err(Problem::new(Code::OptionOutOfRange, detail).in_field("steps"))
}

impl CheckedStep {
    fn new(request: StepRequest, place: Place) -> Result<Self, Problem> {
        let StepRequest { goal, axis, min, max, moves, side, count, over_best, one_ending, exclude, subsets } = request;
        let (mut step, plan) = match Step::named(&goal) {
            Ok(step) => (step, None),
            Err(error) => match Goal::plan(&goal) {
                Ok(plan) => (Step::named("eo").map_err(|_| place.of_error(&error))?, Some(plan)),
                Err(expression) if goal.contains('(') => {
                    let problem = Problem::from(expression);
                    let detail = problem.document().detail.trim_end_matches('.').to_owned();
                    return Err(place.problem(problem.code(), "goal", &detail));
                }
                Err(_) => return Err(place.problem(Code::OptionOutOfRange, "goal", &unknown_goal(&goal))),
            },
        };
        let range = |field: &str, value: Option<u32>, range: std::ops::RangeInclusive<u64>| {
            let value = value.map(|value| in_range::<u64>(field, value, range, ""));
            value.transpose().map_err(|problem| {
                let detail = problem.document().detail.trim_end_matches('.').to_owned();
                place.problem(problem.code(), field, &detail)
            })
        };
        let byte = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
        if let Some(axis) = axis {
            step.axes = axis.split(',').map(|axis| axis.trim().to_owned()).collect();
        }
        if let Some(min) = range("min", min, 0..=MAX_STEP_LENGTH)? {
            step.min = byte(min);
        }
        if let Some(max) = range("max", max, 0..=MAX_STEP_LENGTH)? {
            step.max = byte(max);
        }
        if let Some(text) = moves {
            step.moves = Some(moves_of(&text, place)?);
        }
        if let Some(side) = side {
            step.side = side.into();
        }
        let count = range("count", count, 1..=MAX_STEP_COUNT)?;
        step.count = count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX));
        step.subsets = subsets.unwrap_or_default();
        step.over_best = range("over_best", over_best, 0..=MAX_STEP_LENGTH)?.map(byte);
        step.one_ending = one_ending.unwrap_or_default();
        let exclude = exclude.unwrap_or_default();
        if exclude.len() > MAX_EXCLUDED {
            let detail = format!("it has {} entries; it must have at most {MAX_EXCLUDED}", exclude.len());
            return Err(place.problem(Code::OptionOutOfRange, "exclude", &detail));
        }
        let read = |(number, text): (usize, &String)| on_both_sides(text, &format!("exclude[{number}]"), place);
        step.exclude = exclude.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        if plan.is_none() {
            step.check().map_err(|error| place.of_error(&error))?;
        }
        Ok(Self { step, plan, place })
    }
}

/// Steps of cubelib that have no goal here.
const UNSUPPORTED: [&str; 4] = ["RZP", "AR", "FR", "VR"];

/// Returns the detail for an unknown goal.
fn unknown_goal(goal: &str) -> String {
    let known: Vec<String> = catalogue::all().map(|entry| format!("`{}`", entry.name)).collect();
    let hint =
        nearest(goal, catalogue::names()).map_or_else(|| ".".to_owned(), |name| format!("; did you mean `{name}`?"));
    if UNSUPPORTED.iter().any(|name| goal.eq_ignore_ascii_case(name)) {
        return format!("the step `{goal}` of cubelib is not supported; the goals are {}", known.join(", "));
    }
    format!(
        "no goal is called `{}`{hint} Expected one of {}, or a name of nissy or cubelib; in a list of steps also an expression of coordinates, such \
         as `[{{\"goal\": \"sym(flip_slice,UD16)\"}}]`",
        short(goal),
        known.join(", ")
    )
}

/// Parses the moves that a step may use.
fn moves_of(text: &str, place: Place) -> Result<MoveSet, Problem> {
    let moves = text.parse::<Moves>().map_err(|error| notation(&error, "moves", place))?;
    Ok(moves.iter().copied().collect())
}

fn notation(error: &superflip_cube::FormError, field: &str, place: Place) -> Problem {
    let detail = error.to_string();
    place.problem(Code::Notation, field, detail.trim_end_matches('.'))
}

/// Parses moves on both sides: those in parentheses are on the inverse cube. `field` is the field of the step that has the text.
fn on_both_sides(text: &str, field: &str, place: Place) -> Result<SideMoves, Problem> {
    let without_partner = || {
        let detail = format!("in `{}` a parenthesis has no partner", short(text));
        place.problem(Code::Notation, field, &detail)
    };
    let (mut sides, mut is_inverse) = ([String::new(), String::new()], false);
    for symbol in text.chars() {
        match symbol {
            '(' if !is_inverse => is_inverse = true,
            ')' if is_inverse => is_inverse = false,
            '(' | ')' => return Err(without_partner()),
            symbol => {
                // A space on the other side keeps the positions in error messages as in the text.
                sides[usize::from(is_inverse)].push(symbol);
                sides[usize::from(!is_inverse)].push(' ');
                continue;
            }
        }
        for side in &mut sides {
            side.push(' ');
        }
    }
    if is_inverse {
        return Err(without_partner());
    }
    let [normal, inverse] = sides.map(|side| side.parse::<Moves>());
    let moves = |parsed: Result<Moves, _>| parsed.map_err(|error| notation(&error, field, place));
    Ok(SideMoves { normal: moves(normal)?, inverse: moves(inverse)? })
}

impl StepsResult {
    /// Creates the response.
    pub fn new(cube: &Cube, answer: &FoundSteps) -> Self {
        let FoundSteps { found, is_overloaded, searched, queued } = answer;
        let stopped_by = match found {
            _ if *is_overloaded => StepsStoppedBy::Overloaded,
            ChainSolutions { stopped: Some(_), .. } => StepsStoppedBy::TimeLimit,
            ChainSolutions { is_exhausted: true, .. } => StepsStoppedBy::Exhausted,
            ChainSolutions { is_short_of_memory: true, .. } => StepsStoppedBy::Memory,
            _ => StepsStoppedBy::Width,
        };
        Self {
            facelets: cube.to_string(),
            solutions: found.solutions.iter().map(Into::into).collect(),
            stopped_by,
            width: found.width,
            elapsed_us: micros(*searched),
            queue_us: micros(*queued),
            unreached: found.unreached.as_ref().map(Into::into),
        }
    }
}
