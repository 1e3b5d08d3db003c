//! Searches the cubes of a batch on one or more solver threads.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::task::{Poll, ready};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::window::Window;
use super::{Adapter, Answered, Effort, Line, Solution, Unread, Unsolved};
use crate::api::request::options::Task;
use superflip_solver::search::many::{self, Next, Queue};
use superflip_solver::search::{Options, Outcome, Proof, SearchError, Stop, solve_many};
use superflip_solver::tables::Tables;

/// A cube that waits for a solver thread.
struct ParsedCube {
    line: Line,
    waiting: Waiting,
    parsed: Instant,
}

/// What waits for a solver thread.
pub(crate) enum Waiting {
    /// A cube, and how to prove its solution.
    Read(Box<Task>, Option<Proof>),
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
        let cube = ParsedCube { line, waiting, parsed: Instant::now() };
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
    /// Solves cubes on this thread, `in_flight` at a time, until the feed ends or `stop` is set.
    pub fn run(self, tables: &Tables, in_flight: usize, stop: &Stop) {
        self.run_until(None, tables, in_flight, stop);
    }

    /// Solves the cubes that have arrived, as [`Searches::run`] does. Ends when there are none, and starts no search once `must_end` says
    /// so.
    pub fn run_arrived(self, must_end: &dyn Fn() -> bool, tables: &Tables, in_flight: usize, stop: &Stop) {
        self.run_until(Some(must_end), tables, in_flight, stop);
    }

    fn run_until(self, must_end: Option<&dyn Fn() -> bool>, tables: &Tables, in_flight: usize, stop: &Stop) {
        let mut thread = SolverThread { searches: self, must_end, running: Vec::with_capacity(in_flight), next: 0 };
        solve_many(tables, in_flight, &mut thread, stop);
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
}

impl<A> Searches<A> {
    /// Answers a line that was sent to the solver threads.
    fn answer(&self, line: Line, result: Result<Solution, Unsolved>) {
        // Count before sending, so that the answer to the last search does not wait for others.
        self.window.search_ended();
        // Sending fails only when the batch is about to be stopped. The answer is then dropped.
        let _ = self.answered.send(Answered { line, result });
    }
}

/// The queue of one solver thread.
struct SolverThread<'a, A> {
    searches: Searches<A>,
    /// Whether no further search may start. Without this rule, the thread waits for cubes.
    must_end: Option<&'a dyn Fn() -> bool>,
    running: Vec<Running>,
    next: u64,
}

/// A search that has started.
struct Running {
    ticket: u64,
    line: Line,
    task: Box<Task>,
    proof: Option<Proof>,
    queued: Duration,
}

impl<A: Adapter> Queue for SolverThread<'_, A> {
    fn next(&mut self, wait: bool) -> Next {
        let (line, task, proof, parsed) = loop {
            if self.must_end.is_some_and(|must_end| must_end()) {
                return Next::End;
            }
            let ParsedCube { line, waiting, parsed } = match self.searches.take(wait && self.must_end.is_none()) {
                Ok(cube) => cube,
                Err(TryRecvError::Empty) if wait => return Next::End,
                Err(TryRecvError::Empty) => return Next::Later,
                Err(TryRecvError::Disconnected) => return Next::End,
            };
            match waiting {
                Waiting::Read(task, proof) => break (line, task, proof, parsed),
                Waiting::Unread(unread) => match unread.read() {
                    Ok(task) => {
                        let proof = self.searches.adapter.proof(&task);
                        break (line, Box::new(task), proof, parsed);
                    }
                    Err(problem) => self.searches.answer(line, Err(Unsolved { problem, effort: None })),
                },
            }
        };
        let ticket = self.next;
        self.next += 1;
        // One thread per search: the other threads search other cubes.
        let options = Options { threads: 1, ..task.options() };
        let (cube, time_limit) = (task.cube, Some(task.time_limit));
        let queued_cube = many::QueuedCube { ticket, cube, options, time_limit, proof: proof.clone() };
        self.running.push(Running { ticket, line, task, proof, queued: parsed.elapsed() });
        Next::Cube(Box::new(queued_cube))
    }

    fn done(&mut self, ticket: u64, result: Result<Outcome, SearchError>, elapsed: Duration) {
        let Some(at) = self.running.iter().position(|search| search.ticket == ticket) else { return };
        let Running { line, task, proof, queued, .. } = self.running.swap_remove(at);
        let is_cancelled = matches!(result, Err(SearchError::Cancelled { .. }));
        let nodes = result.as_ref().map_or_else(SearchError::nodes, |outcome| outcome.nodes);
        let result = match self.searches.adapter.check(proof.as_ref(), result) {
            Ok(outcome) => Ok(Solution { task, outcome, queued }),
            Err(problem) => Err(Unsolved { problem, effort: Some(Effort { nodes, queued, elapsed }) }),
        };
        // Searches are cancelled only when the batch ends. The end is reported once, so send no answer.
        if !is_cancelled {
            self.searches.answer(line, result);
        }
    }
}
