//! The options of a search, from request to checked values.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::cube::{Reached, Start, Target};
use super::machine::machine_of;
use crate::api::problem::{Code, Problem};
use crate::api::types::{ScanDetails, SolveRequest, SolveResponse};
use crate::service::config::Config;
use crate::service::config::limits::{MAX_LENGTH, MAX_METRIC_LENGTH};
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Face, Moves, TurnSet};
use superflip_scan::repair::MAX_REPAIRS;
use superflip_solver::search::scramble::{MAX_CROSS_LENGTH, MAX_MIN_LENGTH, MAX_SCRAMBLES};
use superflip_solver::search::{MAX_CANDIDATES, MAX_SOLUTIONS, PartialTarget, usual_target};
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Goal, Solution, SolveError};

/// Returns the suffix of a range error for a maximum that the configuration of a server sets.
pub(crate) const fn of_server(config: &Config) -> &'static str {
    if config.caps_are_lifted { "" } else { ", the maximum of this server" }
}

/// Suffix of the range of a length from 0 to [`MAX_LENGTH`]: what allows greater ones.
const LONGER_LENGTHS: &str = ", or to 60 in another metric than `htm` or with `faces` or `moves`";
const _: () = assert!(MAX_METRIC_LENGTH == 60, "as the suffix says");

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
    /// Returns an error for the first option that is out of range or contradicts another, or the error of [`CubeRequest::start`](crate::api::types::CubeRequest::start).
    pub fn new(mut request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let task = Self::of_options(&request, config, &Control::new())?;
        task.of_start(request.take_cube().start()?)
    }

    /// Checks the options. The cube of the task is the solved one.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another, or if `control` ended the work on a machine.
    pub fn of_options(request: &SolveRequest, config: &Config, control: &Control) -> Result<Self, Problem> {
        check_together(request)?;
        let SolveRequest { target_length, max_length, time_limit_ms, .. } = *request;
        let (optimal, all_solutions) = (request.optimal == Some(true), request.all_solutions == Some(true));
        let Config { search, optimal: proofs, .. } = config;
        let (default_time_limit_ms, max_time_limit_ms) = if optimal {
            (proofs.default_time_limit_ms, proofs.max_time_limit_ms)
        } else {
            (search.default_time_limit_ms, search.max_time_limit_ms)
        };
        let metric = request.metric.map_or(Metric::Htm, Metric::from);
        let turns = turns(request, metric)?;
        if optimal && !turns.is_all() {
            return Err(Problem::turns_not_provable().in_field(field_of_turns(request)));
        }
        if optimal && !matches!(metric, Metric::Htm | Metric::Qtm) {
            return Err(Problem::metric_not_provable(metric));
        }
        let longest = if metric == Metric::Htm && turns.is_all() { MAX_LENGTH } else { MAX_METRIC_LENGTH };
        let why = if longest == MAX_LENGTH { LONGER_LENGTHS } else { "" };
        let length = |name, length| in_range(name, length, 0..=longest.into(), why);
        let target_length = match target_length {
            Some(target) => length("target_length", target)?,
            // No length is known that searches with these turns reach soon.
            None if !turns.is_all() => 0,
            None if metric == Metric::Htm => search.default_target_length,
            None => usual_target(metric),
        };
        let max_length = max_length.map(|most| length("max_length", most)).transpose()?;
        let time_limit_ms = time_limit_ms.unwrap_or(default_time_limit_ms);
        let time_limit_ms = in_range("time_limit_ms", time_limit_ms, 1..=max_time_limit_ms, of_server(config))?;
        let solutions = match request.solutions {
            Some(count) => in_range("solutions", count, 1..=MAX_SOLUTIONS as u64, "")?,
            None if all_solutions => MAX_SOLUTIONS,
            None => 1,
        };
        // Counting the cores is a system call, so do it only if the option is given.
        let threads = request.threads.map_or(Ok(1), |count| {
            let most = if optimal { proofs.threads() } else { search.max_threads_per_solve() };
            in_range("threads", count, 1..=most as u64, of_server(config))
        })?;
        let mut goal =
            Goal::default().target_length(target_length).max_length(max_length).solutions(solutions).threads(threads);
        (goal.metric, goal.turns) = (metric, turns);
        (goal.is_proof, goal.all_shortest) = (optimal, all_solutions);
        (goal.machine, goal.candidates) = machine_of(request, &turns.moves().collect::<Vec<_>>(), None, control)?;
        let (cube, scan, time_limit) = (Cube::SOLVED, ScanDetails::default(), Duration::from_millis(time_limit_ms));
        let max_values = config.coords.max_space_values.min(PartialTarget::MAX_VALUES);
        let (waited, target) = (Duration::ZERO, None);
        let tables_field = if turns.is_all() { "metric" } else { field_of_turns(request) };
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

/// Returns the name of the field that restricts the turns.
fn field_of_turns(request: &SolveRequest) -> &'static str {
    if request.faces.is_some() { "faces" } else { "moves" }
}

/// Reads the allowed turns.
fn turns(request: &SolveRequest, metric: Metric) -> Result<TurnSet, Problem> {
    let out_of_range = |field, detail: String| Problem::new(Code::OptionOutOfRange, detail).in_field(field);
    match (&request.faces, &request.moves) {
        (None, None) => Ok(TurnSet::ALL),
        (Some(_), Some(_)) => {
            Err(out_of_range("moves", "`moves` cannot be combined with `faces`. Remove one of them.".to_owned()))
        }
        (Some(faces), None) => turns_of_faces(faces),
        (None, Some(list)) => {
            let moves = list.text().parse::<Moves>().map_err(|error| {
                let error = error.to_string();
                let error = error.trim_end_matches('.');
                out_of_range("moves", format!("`moves` cannot be read: {error}. Expected moves such as `U U2 U'`."))
            })?;
            let turns: TurnSet = moves.iter().copied().collect();
            if let Some(lonely) = turns.without_inverse() {
                let detail =
                    format!("`moves` has {}, but not its inverse {}. Add it.", lonely.name(), lonely.inverse().name());
                return Err(Problem::new(Code::UnsupportedMoves, detail).in_field("moves"));
            }
            if StepSet::supports(metric, turns) {
                return Ok(turns);
            }
            let detail = "`moves` generate neither all cubes, nor the subgroup of phase 2 along an axis, nor the group of half turns; or they \
                          cannot be searched in two phases in this metric. Add moves, or use `faces`, which may be any.";
            Err(Problem::new(Code::UnsupportedMoves, detail).in_field("moves"))
        }
    }
}

/// Reads `faces`: the letters of the faces that may turn.
///
/// # Errors
/// Returns an error if there is no letter, or another symbol.
pub(crate) fn turns_of_faces(faces: &str) -> Result<TurnSet, Problem> {
    let letters = faces.chars().filter(|letter| !letter.is_whitespace());
    let read: Option<Vec<Face>> = letters.map(Face::from_letter).collect();
    read.filter(|faces| !faces.is_empty()).map(TurnSet::of_faces).ok_or_else(|| {
        let wrong = faces.chars().find(|letter| !letter.is_whitespace() && Face::from_letter(*letter).is_none());
        let found = wrong.map_or_else(|| "is empty".to_owned(), |letter| format!("has the symbol `{letter}`"));
        let detail =
            format!("`faces` {found}; expected one or more of the letters U, R, F, D, L and B, such as `URFDL`.");
        Problem::new(Code::OptionOutOfRange, detail).in_field("faces")
    })
}

/// Refuses options that contradict each other.
fn check_together(request: &SolveRequest) -> Result<(), Problem> {
    let is = |option: Option<bool>| option == Some(true);
    let (field, detail) = match (is(request.optimal), is(request.all_solutions)) {
        (true, _) if request.target_length.is_some() => (
            "target_length",
            "`target_length` cannot be combined with `optimal`: an optimal search stops at the shortest solution only. Remove one of them; \
             `max_length` is allowed with both.",
        ),
        (true, false) if request.solutions.is_some_and(|count| count > 1) => (
            "solutions",
            "`solutions` above 1 needs `all_solutions` when `optimal` is true. Add `\"all_solutions\": true` to find all optimal \
             solutions, or remove `solutions`.",
        ),
        (false, true) => (
            "all_solutions",
            "`all_solutions` needs `optimal`, because only a proof finds all shortest solutions. Add `\"optimal\": true`, or use \
             `solutions` for the best ones found in time.",
        ),
        _ => return Ok(()),
    };
    Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field))
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
    if matches!(option, "target_length" | "max_length") { LONGER_LENGTHS } else { "" }
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

/// Range of an integer option, for the error of a value that cannot be read. The upper end is absent if the configuration of the server
/// sets it.
pub(crate) fn range_of(option: &str) -> Option<(u64, Option<u64>)> {
    Some(match option {
        "target_length" | "max_length" => (0, Some(MAX_LENGTH.into())),
        "min_length" => (0, Some(MAX_MIN_LENGTH.into())),
        "cross_length" => (1, Some(MAX_CROSS_LENGTH.into())),
        "limit" => (1, Some(MAX_REPAIRS as u64)),
        "max_explanations" => (1, Some(MAX_EXPLANATIONS)),
        "count" => (1, Some(MAX_SCRAMBLES as u64)),
        "solutions" => (1, Some(MAX_SOLUTIONS as u64)),
        "candidates" => (1, Some(MAX_CANDIDATES as u64)),
        "time_limit_ms" | "threads" => (1, None),
        _ => return None,
    })
}
