//! The options of a search, from request to checked values.

use std::time::Duration;

use crate::api::problem::{Code, Problem};
use crate::api::types::{ScanDetails, SolveRequest, SolveResponse};
use crate::service::config::Config;
use crate::service::config::limits::MAX_LENGTH;
use superflip_cube::Cube;
use superflip_solver::search::MAX_SOLUTIONS;
use superflip_solver::{Goal, Solution};

/// A checked request to solve a cube.
pub struct Task {
    /// Cube to solve.
    pub cube: Cube,
    /// What counts as an answer.
    pub goal: Goal,
    /// Time limit for the wait and the search.
    pub time_limit: Duration,
    /// What a scan adds to the response.
    pub scan: ScanDetails,
}

impl Task {
    /// Checks the options, then the cube.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another, or the error of [`SolveRequest::cube`].
    pub fn new(request: SolveRequest, config: &Config) -> Result<Self, Problem> {
        let task = Self::of_options(&request, config)?;
        Ok(task.of_cube(request.cube_and_scan()?))
    }

    /// Checks the options. The cube of the task is the solved one.
    ///
    /// # Errors
    /// Returns an error for the first option that is out of range or contradicts another.
    pub fn of_options(request: &SolveRequest, config: &Config) -> Result<Self, Problem> {
        check_together(request)?;
        let SolveRequest { target_length, max_length, time_limit_ms, .. } = *request;
        let (optimal, all_solutions) = (request.optimal == Some(true), request.all_solutions == Some(true));
        let Config { search, optimal: proofs, .. } = config;
        let (default_time_limit_ms, max_time_limit_ms) = if optimal {
            (proofs.default_time_limit_ms, proofs.max_time_limit_ms)
        } else {
            (search.default_time_limit_ms, search.max_time_limit_ms)
        };
        let target_length = match target_length {
            Some(length) => checked_length("target_length", length)?,
            None => search.default_target_length,
        };
        let max_length = max_length.map(|length| checked_length("max_length", length)).transpose()?;
        let time_limit_ms = time_limit_ms.unwrap_or(default_time_limit_ms);
        if !(1..=max_time_limit_ms).contains(&time_limit_ms) {
            let reason = format!("from 1 to {max_time_limit_ms}, the maximum of this server");
            return Err(out_of_range("time_limit_ms", time_limit_ms, &reason));
        }
        let solutions = match request.solutions {
            Some(count) => checked_count("solutions", count, MAX_SOLUTIONS, "")?,
            None if all_solutions => MAX_SOLUTIONS,
            None => 1,
        };
        // Counting the cores is a system call, so do it only if the option is given.
        let threads = request.threads.map_or(Ok(1), |count| {
            let most = if optimal { proofs.threads() } else { search.max_threads_per_solve() };
            checked_count("threads", count, most, ", the maximum of this server")
        })?;
        let mut goal =
            Goal::default().target_length(target_length).max_length(max_length).solutions(solutions).threads(threads);
        (goal.is_proof, goal.all_shortest) = (optimal, all_solutions);
        let (cube, scan, time_limit) = (Cube::SOLVED, ScanDetails::default(), Duration::from_millis(time_limit_ms));
        Ok(Self { cube, goal, time_limit, scan })
    }

    /// Replaces the cube, and the details of its scan.
    #[must_use]
    pub fn of_cube(self, (cube, scan): (Cube, ScanDetails)) -> Self {
        Self { cube, scan, ..self }
    }

    /// Returns the response for a solution.
    pub fn answer(&self, outcome: &Solution, queued: Duration) -> SolveResponse {
        let is_list = self.goal.solutions > 1 || self.goal.all_shortest;
        let answer = SolveResponse::new(&self.cube, outcome, queued).listing(is_list, outcome);
        let ScanDetails { scan, faces } = self.scan.clone();
        SolveResponse { scan, faces, ..answer }
    }
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

fn checked_length(name: &str, length: u32) -> Result<u8, Problem> {
    let checked = u8::try_from(length).ok().filter(|length| *length <= MAX_LENGTH);
    checked.ok_or_else(|| out_of_range(name, u64::from(length), &format!("from 0 to {MAX_LENGTH}")))
}

fn checked_count(name: &str, count: u32, most: usize, why: &str) -> Result<usize, Problem> {
    let in_range = (1..=most).contains(&(count as usize)).then_some(count as usize);
    in_range.ok_or_else(|| out_of_range(name, u64::from(count), &format!("from 1 to {most}{why}")))
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

/// Returns the problem for an option out of range. `range` completes the words "it must be".
pub(crate) fn out_of_range(name: &str, value: u64, range: &str) -> Problem {
    let detail = format!("`{name}` is {value}; it must be {range}.");
    Problem::new(Code::OptionOutOfRange, detail).in_field(name)
}
