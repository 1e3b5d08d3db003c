//! The options of a search, from request to checked values. Each group of fields stands beside its checks.

mod limits;
mod proofs;
mod search;

use std::ops::RangeInclusive;
use std::time::Duration;

pub use limits::LimitOptions;
pub use proofs::{ProofOptions, ThreadOptions};
pub use search::SearchOptions;
pub(crate) use search::turns_of_faces;

use super::cube::{Reached, Start, Target};
use super::machine::MachineOptions;
use crate::api::problem::{Code, Problem};
use crate::api::types::{ScanDetails, SolveRequest, SolveResponse};
use crate::service::config::Config;
use superflip_cube::Cube;
use superflip_cube::metric::Metric;
use superflip_scan::repair::MAX_REPAIRS;
use superflip_solver::search::PartialTarget;
use superflip_solver::search::scramble::{MAX_CROSS_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES};
use superflip_solver::{Control, Goal, Solution, SolveError};

/// Returns the suffix of a range error for a maximum that the configuration of a server sets.
pub(crate) const fn of_server(config: &Config) -> &'static str {
    if config.caps_are_lifted { "" } else { ", the maximum of this server" }
}

/// Maximum number of explanations of `/diagnose`, each of which is solved.
pub(crate) const MAX_EXPLANATIONS: u64 = 10;

/// A checked request to solve a cube.
pub struct Task {
    /// Cube to solve.
    pub cube: Cube,
    /// What counts as an answer.
    pub goal: Goal,
    /// Time limit for the wait and the search.
    pub time_limit: Duration,
    /// Time that the request has waited for tables.
    pub waited: Duration,
    /// What a scan adds to the response.
    pub scan: ScanDetails,
    /// The target; `None` for the solved cube.
    pub target: Option<Target>,
    /// Greatest number of values of the coordinate of a target.
    pub max_values: u64,
    /// Name of the field that asks for further tables, if the task needs them: `faces`, `moves` or `metric`.
    pub tables_field: &'static str,
}

impl Task {
    /// Checks the options, then the cube.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another, or the error of [`CubeAndTarget::start`](crate::api::types::CubeAndTarget::start).
    pub fn new(mut request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let task = Self::of_options(&request, config, &Control::new())?;
        task.of_start(request.take_ends().start()?)
    }

    /// Checks the options. The cube of the task is the solved one.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another, or if `control` ended the work on a machine.
    pub fn of_options(request: &SolveRequest, config: &Config, control: &Control) -> Result<Self, Problem> {
        let SolveRequest { limits, search, machine, threads, proofs, .. } = request;
        proofs.check(limits, search)?;
        let mut goal = Goal::default();
        goal.metric = limits.metric();
        goal.turns = search.turns(goal.metric)?;
        proofs.set(&mut goal, search)?;
        let time_limit = limits.set(&mut goal, config)?;
        search.set(&mut goal)?;
        threads.set(&mut goal, config)?;
        machine.set(&mut goal, control)?;
        let (cube, scan) = (Cube::SOLVED, ScanDetails::default());
        let max_values = config.coords.max_space_values.min(PartialTarget::MAX_VALUES);
        let (waited, target) = (Duration::ZERO, None);
        let tables_field = if goal.turns.is_all() { "metric" } else { search.field_of_turns() };
        Ok(Self { cube, goal, time_limit, waited, scan, target, max_values, tables_field })
    }

    /// Replaces the cube, the details of its scan, and the target, for a search.
    ///
    /// # Errors
    /// Returns an error for a target that is too open, and for one that contradicts the metric or the turns.
    pub fn of_start(self, start: Start) -> Result<Self, Problem> {
        let task = self.without_search(start)?;
        task.goal.check().map_err(|error| task.refused(error))?;
        Ok(task)
    }

    /// Replaces them for a given solution.
    ///
    /// # Errors
    /// Returns an error for a target that is too open.
    pub fn without_search(self, Start { cube, scan, target }: Start) -> Result<Self, Problem> {
        let partial = target.as_ref().map(|target| target.partial(self.max_values)).transpose()?.flatten().cloned();
        let mut goal = self.goal.to(target.iter().flat_map(Target::cubes));
        goal.partial = partial;
        Ok(Self { cube, goal, scan, target, ..self })
    }

    /// Returns the problem of an error of the search, with the field that was sent.
    pub fn refused(&self, error: SolveError) -> Problem {
        let field = self.tables_field;
        match error {
            SolveError::SeveralTargets { .. } => Problem::from(error).in_field(field),
            SolveError::Outside { .. } => Problem::from(error).in_field(field).with(|document| {
                document.detail = format!("{} Add turns in `{field}`, or check the cube.", document.detail);
            }),
            _ => error.into(),
        }
    }

    /// Returns whether the search needs tables of a metric or of some turns, beside those of the profile.
    pub fn needs_further_tables(&self) -> bool {
        self.goal.metric != Metric::Htm || !self.goal.turns.is_all()
    }

    /// Returns the response for a solution.
    pub fn answer(&self, outcome: &Solution, queued: Duration) -> SolveResponse {
        let is_list = self.goal.solutions > 1 || self.goal.all_shortest;
        let machine = self.goal.machine.as_deref();
        let answer = SolveResponse::new(&self.cube, outcome, self.waited + queued)
            .listing(is_list, outcome)
            .executed(outcome, machine);
        let ScanDetails { scan, faces } = self.scan.clone();
        let reached = self.target.as_ref().map(|target| target.reached(&self.cube.after(&outcome.moves)));
        let Reached { facelets: target, holding: target_holding, turn: target_turn } = reached.unwrap_or_default();
        SolveResponse { target, target_holding, target_turn, scan, faces, ..answer }
    }
}

/// Adds the maximum of this server to the problem of a number that cannot be read or is out of range, if the configuration sets it.
#[must_use]
pub fn with_maximum(problem: Problem, Config { search, optimal, .. }: &Config) -> Problem {
    let is_of_value = matches!(problem.code(), Code::InvalidField | Code::OptionOutOfRange);
    let (of_search, of_proof) = match problem.document().field.as_deref().filter(|_| is_of_value) {
        Some("time_limit_ms") => (search.max_time_limit_ms, optimal.max_time_limit_ms),
        Some("threads") => (search.max_threads_per_solve() as u64, optimal.threads() as u64),
        _ => return problem,
    };
    problem.with(|document| {
        let detail = &document.detail;
        document.detail = format!("{detail} The maximum of this server is {of_search}, with `optimal` {of_proof}.");
    })
}

/// Checks an integer option. `why` follows the range in the error.
///
/// # Errors
/// Returns an error for a value out of range.
pub(crate) fn in_range<N: TryFrom<u64>>(
    name: &str,
    value: impl Into<u64>,
    range: RangeInclusive<u64>,
    why: &str,
) -> Result<N, Problem> {
    let value = value.into();
    let checked = N::try_from(value).ok().filter(|_| range.contains(&value));
    checked.ok_or_else(|| {
        let detail = format!("`{name}` is {value}; it must be from {} to {}{why}.", range.start(), range.end());
        Problem::new(Code::OptionOutOfRange, detail).in_field(name)
    })
}

/// Returns the suffix of the range of an integer option, for the same error.
pub(crate) fn after_range_of(option: &str) -> &'static str {
    LimitOptions::after_range_of(option)
}

/// Maximum length of a step of `/steps`.
pub(crate) const MAX_STEP_LENGTH: u64 = superflip_coords::steps::MAX_LENGTH as u64;
/// Maximum number of solutions of a step.
pub(crate) const MAX_STEP_COUNT: u64 = superflip_coords::steps::MAX_COUNT as u64;

/// Returns the range of an integer option of a step.
pub(crate) fn range_of_step(option: &str) -> Option<(u64, Option<u64>)> {
    Some(match option {
        "min" | "max" | "over_best" => (0, Some(MAX_STEP_LENGTH)),
        "count" => (1, Some(MAX_STEP_COUNT)),
        _ => return None,
    })
}

/// Range of an integer option. The upper end is absent if the configuration of the server sets it.
pub(crate) type Range = (u64, Option<u64>);

/// Range of an integer option, for the error of a value that cannot be read.
pub(crate) fn range_of(option: &str) -> Option<Range> {
    const OTHERS: [(&str, Range); 5] = [
        ("min_length", (0, Some(MAX_MIN_LENGTH as u64))),
        ("cross_length", (1, Some(MAX_CROSS_LENGTH as u64))),
        ("limit", (1, Some(MAX_REPAIRS as u64))),
        ("max_explanations", (1, Some(MAX_EXPLANATIONS))),
        ("count", (1, Some(MAX_SCRAMBLES as u64))),
    ];
    let of_groups: [&[(&str, Range)]; 4] =
        [&LimitOptions::RANGES, &SearchOptions::RANGES, &MachineOptions::RANGES, &ThreadOptions::RANGES];
    let mut ranges = of_groups.into_iter().flatten().chain(&OTHERS);
    ranges.find(|(name, _)| *name == option).map(|(_, range)| *range)
}
