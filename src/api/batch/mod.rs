//! Batches: many cubes, one on each line, solved and answered while further lines arrive.
//!
//! ```text
//!   chunks --Reader: split, parse--> Feed --channel--> Searches on solver threads --channel--> Answers: order, write --> chunks
//!                 |_________________________ invalid lines _______________________________________^
//! ```
//!
//! `POST /solve/batch` and `superflip solve --batch` share this module and read the same lines (`line`). They differ in an [`Adapter`],
//! which chooses proofs and checks results, and in a [`Writer`], which formats answers.
//!
//! The [`Window`](window::Window) alone bounds the memory: a line acquires a permit before it is parsed, and releases it when its answer is
//! taken. So the channels need no bounds. A client that does not read its answers gets no permits and stalls its own batch, nothing else.
//! The service reads the body ahead of the permits, into a file (`read_ahead`).

pub mod answers;
pub(crate) mod line;
pub mod lines;
pub(crate) mod read_ahead;
pub(crate) mod search;
pub mod window;

use std::time::{Duration, Instant};

use crate::api::problem::{Code, Problem};
use crate::api::request::options::Task;
use crate::api::types::{CubeAndTarget, LineId, SolveRequest, SolveResult};
use crate::service::config::Config;
use superflip_solver::{Control, Solution, SolveError, Solver};
use window::Permit;

/// Pause of a line before it asks again for the memory of its machine.
const MEMORY_PAUSE: Duration = Duration::from_millis(5);

/// The steps that differ between the service and the command line.
pub trait Adapter: Send + Sync + 'static {
    /// Parses a line. Returns `None` if the line is to be skipped.
    fn parse(&self, number: usize, text: &str) -> Option<Parsed>;

    /// Returns the solver for a task that asks for a proof, with the coset table if it is loaded. `solver` is that of the other tasks.
    fn prover(&self, task: &Task, solver: &Solver) -> Solver;

    /// Checks the result of the search of a task on its solver thread. Called for cancelled searches too.
    ///
    /// # Errors
    /// Returns the problem with which the line is answered.
    fn check(&self, task: &Task, result: Result<Solution, SolveError>) -> Result<Solution, Problem>;
}

/// The content of a line.
pub struct Parsed {
    /// `id` of the line, if it has one.
    pub id: Option<LineId>,
    /// The checked request.
    pub task: LineTask,
}

/// The request of a line.
pub enum LineTask {
    /// The checked request, or its problem.
    Ready(Result<Box<Task>, Problem>),
    /// Work of some milliseconds, for a solver thread.
    Unread(Unread),
}

/// A line that is not read to the end.
pub enum Unread {
    /// Options with a machine, whose routes take long to compute, and a cube.
    Machine(Box<(SolveRequest, Config)>),
    /// Checked options, and a cube that takes long to read.
    Cube(Box<(Task, CubeAndTarget)>),
    /// The problem of an impossible cube, without repairs.
    Repairs(Problem),
}

impl Unread {
    /// Reads the cube, or finds the repairs. `control` ends the work on a machine and the wait for its memory, and so does the time limit of the
    /// line.
    pub(crate) fn read(self, control: &Control) -> Result<Task, Problem> {
        match self {
            Self::Machine(unread) => {
                let (mut request, config) = *unread;
                let control = control.until(Instant::now() + request.limits.time_limit(&config));
                let task = loop {
                    match Task::of_options(&request, &config, &control) {
                        // The machines of other lines use the memory.
                        Err(problem) if problem.code() == Code::Overloaded && control.check().is_ok() => {
                            std::thread::sleep(MEMORY_PAUSE);
                        }
                        task => break task?,
                    }
                };
                task.of_start(request.take_ends().start().map_err(Problem::with_repairs)?)
            }
            Self::Cube(unread) => {
                let (task, request) = *unread;
                task.of_start(request.start().map_err(Problem::with_repairs)?)
            }
            Self::Repairs(problem) => Err(problem.with_repairs()),
        }
    }
}

impl LineTask {
    /// Checks the options, and reads the cube if that takes microseconds.
    pub fn new(mut request: SolveRequest, config: &Config) -> Self {
        if request.machine.machine.is_some() {
            return Self::Unread(Unread::Machine(Box::new((request, config.clone()))));
        }
        let task = match Task::of_options(&request, config, &Control::new()) {
            Ok(task) => task,
            Err(problem) => return problem.into(),
        };
        let request = request.take_ends();
        if !request.is_quick() {
            return Self::Unread(Unread::Cube(Box::new((task, request))));
        }
        match request.start() {
            Ok(start) => Self::Ready(task.of_start(start).map(Box::new)),
            Err(problem) if problem.is_repairable() => Self::Unread(Unread::Repairs(problem)),
            Err(problem) => problem.into(),
        }
    }
}

impl From<Problem> for LineTask {
    fn from(problem: Problem) -> Self {
        Self::Ready(Err(problem))
    }
}

/// A line that has a permit.
pub(crate) struct Line {
    /// Number of preceding lines that were not skipped.
    ordinal: u64,
    /// Number in the input, from 1.
    number: usize,
    id: Option<LineId>,
    permit: Permit,
}

/// A line with its result.
pub struct Answered {
    line: Line,
    result: Result<SolvedLine, Unsolved>,
}

/// A solved line. It does not keep the task, whose machine may have megabytes.
pub struct SolvedLine {
    /// The answer.
    pub answer: Box<SolveResult>,
    /// The effort of the search.
    pub effort: Effort,
    /// Whether a proof was asked for and is missing.
    pub is_unproven: bool,
}

/// The reason why a line has no solution.
pub struct Unsolved {
    /// Problem with which the line is answered.
    pub problem: Problem,
    /// The effort of the search; `None` if there was none.
    pub effort: Option<Effort>,
}

/// The effort of one search.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Number of nodes expanded.
    pub nodes: u64,
    /// Time between parsing and the start of the search.
    pub queued: Duration,
    /// Time that the search used its thread.
    pub elapsed: Duration,
}

/// Writes the answers of a batch.
pub trait Writer {
    /// Writes the answer to line number `line`.
    fn answer(&mut self, number: usize, id: Option<LineId>, result: Result<SolvedLine, Unsolved>, text: &mut Vec<u8>);

    /// Writes the problem that ended the batch before its last line.
    fn failed(&mut self, problem: Problem, text: &mut Vec<u8>);
}
