//! Solves the cubes of a batch on one or more solver threads.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::window::Window;
use super::{Adapter, Answered, Effort, Line, SolvedLine, Unread, Unsolved};
use crate::api::problem::Problem;
use crate::api::request::options::Task;
use superflip_solver::search::Interleaved;
use superflip_solver::{Control, Search, Solution, SolveError, Solver};

/// A cube that waits for a solver thread.
struct ParsedCube {
    line: Line,
    waiting: Waiting,
    parsed: Instant,
    /// Whether the search may begin although the solver of the thread lacks tables: these were waited for.
    is_prepared: bool,
}

/// A cube that was read, taken by [`Searches::take_read`].
pub struct ReadCube {
    line: Line,
    /// The checked request.
    pub task: Box<Task>,
    parsed: Instant,
}

/// What waits for a solver thread.
pub(crate) enum Waiting {
    /// A cube.
    Read(Box<Task>),
    /// A cube to be read first.
    Unread(Unread),
}

/// Sends cubes to the solver threads; dropping it ends the batch once they are solved.
pub(crate) struct Feed {
    cubes: UnboundedSender<ParsedCube>,
    window: Window,
}

/// Error: all solver threads have ended.
pub(crate) struct Closed;

impl Feed {
    pub(crate) fn send(&self, line: Line, waiting: Waiting) -> Result<(), Closed> {
        self.window.search_begins();
        let cube = ParsedCube { line, waiting, parsed: Instant::now(), is_prepared: false };
        self.cubes.send(cube).map_err(|_| Closed)
    }

    /// Waits until all solver threads have ended.
    pub(crate) async fn closed(&self) {
        self.cubes.closed().await;
    }
}

/// The cubes of a batch that wait for a solver thread.
struct WaitingCubes {
    received: UnboundedReceiver<ParsedCube>,
    /// A cube that [`Searches::arrived`] has taken from the channel.
    first: Option<ParsedCube>,
}

/// The searches of one batch; each clone is for one solver thread.
pub struct Searches<A> {
    cubes: Arc<Mutex<WaitingCubes>>,
    adapter: Arc<A>,
    window: Window,
    answered: UnboundedSender<Answered>,
}

impl<A> Clone for Searches<A> {
    fn clone(&self) -> Self {
        let Self { cubes, adapter, window, answered } = self;
        Self {
            cubes: Arc::clone(cubes),
            adapter: Arc::clone(adapter),
            window: window.clone(),
            answered: answered.clone(),
        }
    }
}

pub(crate) fn channel<A: Adapter>(
    adapter: Arc<A>,
    window: Window,
    answered: UnboundedSender<Answered>,
) -> (Feed, Searches<A>) {
    let (sender, receiver) = unbounded_channel();
    let feed = Feed { cubes: sender, window: window.clone() };
    let cubes = Arc::new(Mutex::new(WaitingCubes { received: receiver, first: None }));
    (feed, Searches { cubes, adapter, window, answered })
}

impl<A: Adapter> Searches<A> {
    /// Solves cubes on this thread, `in_flight` at a time, until the feed ends or `control` is cancelled.
    pub fn run(self, solver: &Solver, in_flight: usize, control: &Control) {
        self.solve(None, solver, in_flight, control);
    }

    /// Solves the cubes that have arrived, as [`Searches::run`] does. Ends when there are none, and starts no search once `must_end` says
    /// so. Ends too at a cube that needs tables which `solver` lacks, unless it was [prepared](Self::put_prepared).
    pub(crate) fn run_arrived(self, must_end: &dyn Fn() -> bool, solver: &Solver, in_flight: usize, control: &Control) {
        self.solve(Some(must_end), solver, in_flight, control);
    }

    /// Solves cubes until the feed ends, `control` is cancelled, or `must_end` returns true.
    fn solve(&self, must_end: Option<&dyn Fn() -> bool>, solver: &Solver, in_flight: usize, control: &Control) {
        let (mut running, mut alone, mut is_open) = (Interleaved::default(), None, true);
        loop {
            if let Some(started) = alone.take_if(|_| running.is_empty()) {
                self.finish(started, solver, control);
            }
            while alone.is_none() && is_open && running.len() < in_flight.max(1) && !control.is_cancelled() {
                match self.start(running.is_empty(), must_end, solver, control) {
                    Ok(started) if started.runs_alone() => alone = Some(started),
                    Ok(started) => {
                        let search = started.search(solver, control);
                        running.push(started, search);
                    }
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => is_open = false,
                }
            }
            if running.is_empty() && alone.is_none() && (!is_open || control.is_cancelled()) {
                return;
            }
            running.advance(|started, result, elapsed| self.end(started, result, elapsed));
        }
    }

    fn finish(&self, started: Started, solver: &Solver, control: &Control) {
        let prover = started.task.goal.is_proof.then(|| self.adapter.prover(&started.task, solver));
        let begun = Instant::now();
        let result = started.search(prover.as_ref().unwrap_or(solver), control).finish();
        self.end(started, result, begun.elapsed());
    }

    /// Takes the next cube and reads it. `waits` says that no other search runs on this thread, so the call may block. The error is `Empty` if there is no cube yet,
    /// and `Disconnected` if no further search may start.
    fn start(
        &self,
        waits: bool,
        must_end: Option<&dyn Fn() -> bool>,
        solver: &Solver,
        control: &Control,
    ) -> Result<Started, TryRecvError> {
        loop {
            if must_end.is_some_and(|must_end| must_end()) {
                return Err(TryRecvError::Disconnected);
            }
            let ParsedCube { line, waiting, parsed, is_prepared } = match self.take(waits && must_end.is_none()) {
                Err(TryRecvError::Empty) if waits => return Err(TryRecvError::Disconnected),
                taken => taken?,
            };
            let task = match waiting {
                Waiting::Read(task) => task,
                Waiting::Unread(unread) => match unread.read(control) {
                    Ok(task) => Box::new(task),
                    // As for a cancelled search, there is no answer, and the line stays in the count.
                    Err(_) if control.is_cancelled() => return Err(TryRecvError::Disconnected),
                    Err(problem) => {
                        self.answer(line, Err(Unsolved { problem, effort: None }));
                        continue;
                    }
                },
            };
            if must_end.is_some() && !is_prepared && lacks_tables(solver, &task) {
                // The caller waits for the tables, which holds no thread.
                self.put_back(ParsedCube { line, waiting: Waiting::Read(task), parsed, is_prepared });
                return Err(TryRecvError::Disconnected);
            }
            return Ok(Started { line, task, queued: parsed.elapsed() });
        }
    }

    /// Answers a line whose search has ended.
    fn end(&self, Started { line, task, queued }: Started, result: Result<Solution, SolveError>, elapsed: Duration) {
        let is_cancelled = matches!(result, Err(SolveError::Cancelled { .. }));
        let nodes = result.as_ref().map_or_else(SolveError::nodes, |outcome| outcome.nodes);
        let effort = Effort { nodes, queued, elapsed };
        let result = match self.adapter.check(&task, result) {
            Ok(outcome) => {
                let is_unproven = task.goal.is_proof && !outcome.is_optimal();
                let effort = Effort { elapsed: outcome.elapsed, ..effort };
                Ok(SolvedLine { answer: Box::new(task.answer(&outcome, queued)), effort, is_unproven })
            }
            Err(problem) => Err(Unsolved { problem, effort: Some(effort) }),
        };
        // Searches are cancelled only when the batch ends. The end is reported once, so send no answer.
        if !is_cancelled {
            self.answer(line, result);
        }
    }

    /// Returns the adapter.
    pub(crate) fn adapter(&self) -> &A {
        &self.adapter
    }

    /// Waits until a cube has arrived. Returns `false` when the feed has ended.
    pub async fn arrived(&self) -> bool {
        poll_fn(|context| {
            let mut cubes = self.cubes.lock().unwrap_or_else(PoisonError::into_inner);
            if cubes.first.is_none() {
                cubes.first = ready!(cubes.received.poll_recv(context));
            }
            Poll::Ready(cubes.first.is_some())
        })
        .await
    }

    /// Takes the cube that has arrived, if it was read and needs tables of a metric or of some turns.
    pub(crate) fn take_read(&self) -> Option<ReadCube> {
        let mut cubes = self.cubes.lock().unwrap_or_else(PoisonError::into_inner);
        let is_read =
            |cube: &mut ParsedCube| matches!(&cube.waiting, Waiting::Read(task) if task.needs_further_tables());
        match cubes.first.take_if(is_read)? {
            ParsedCube { line, waiting: Waiting::Read(task), parsed, .. } => Some(ReadCube { line, task, parsed }),
            ParsedCube { waiting: Waiting::Unread(_), .. } => None,
        }
    }

    /// Puts a cube back whose tables were waited for. Its search begins next.
    pub(crate) fn put_prepared(&self, ReadCube { line, task, parsed }: ReadCube) {
        self.put_back(ParsedCube { line, waiting: Waiting::Read(task), parsed, is_prepared: true });
    }

    /// Answers a cube without a search.
    pub fn refuse(&self, cube: ReadCube, problem: Problem) {
        self.answer(cube.line, Err(Unsolved { problem, effort: None }));
    }

    fn put_back(&self, cube: ParsedCube) {
        self.cubes.lock().unwrap_or_else(PoisonError::into_inner).first = Some(cube);
    }

    /// Takes the next cube. With `wait` it blocks until there is one or the feed ends.
    fn take(&self, wait: bool) -> Result<ParsedCube, TryRecvError> {
        let mut cubes = match self.cubes.try_lock() {
            Ok(cubes) => cubes,
            // Another thread holds the lock while it waits for a cube, so no cube is available.
            Err(TryLockError::WouldBlock) if !wait => return Err(TryRecvError::Empty),
            Err(_) => self.cubes.lock().unwrap_or_else(PoisonError::into_inner),
        };
        match cubes.first.take() {
            Some(first) => Ok(first),
            None if wait => cubes.received.blocking_recv().ok_or(TryRecvError::Disconnected),
            None => cubes.received.try_recv(),
        }
    }

    /// Answers a line that was sent to the solver threads.
    fn answer(&self, line: Line, result: Result<SolvedLine, Unsolved>) {
        // Count before sending, so that the answer to the last search does not wait for others.
        self.window.search_ended();
        // Sending fails only when the batch is about to be stopped. The answer is then dropped.
        let _ = self.answered.send(Answered { line, result });
    }
}

/// Returns whether the search of a task needs tables that the solver may lack. A proof gets a solver of its own.
fn lacks_tables(solver: &Solver, task: &Task) -> bool {
    let (metric, turns) = (task.goal.metric, task.goal.turns);
    let has_tables = || solver.serving(metric, turns).is_some();
    task.needs_further_tables() && (task.goal.is_proof || !has_tables())
}

/// A cube whose search has started.
struct Started {
    line: Line,
    task: Box<Task>,
    queued: Duration,
}

impl Started {
    /// Returns whether no other search runs beside this one: a proof may use its thread for seconds, and a machine may have megabytes.
    fn runs_alone(&self) -> bool {
        self.task.goal.is_proof || self.task.goal.machine.as_ref().is_some_and(|machine| machine.states() > 1)
    }

    /// Returns the search, whose time starts now. It uses one thread: the other threads search other cubes.
    fn search<'s>(&self, solver: &'s Solver, control: &Control) -> Search<'s> {
        let Task { cube, goal, time_limit, .. } = &*self.task;
        solver.search(cube, &goal.clone().threads(1)).controlled_by(&control.until(Instant::now() + *time_limit))
    }
}
