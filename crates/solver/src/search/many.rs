//! Solves many cubes on one thread by interleaving their searches.

use std::time::{Duration, Instant};

use super::options::Options;
use super::proof::Proof;
use super::session::Session;
use super::solution::{Outcome, SearchError};
use super::stop::Stop;
use super::two_phase::SearchBuffers;
use crate::tables::Tables;
use superflip_cube::Cube;

/// Number of advances in a time slice. Reading the clock after each would cost some percent of the time.
const ADVANCES: usize = 4;

/// A cube to solve, with its options.
#[derive(Clone)]
pub struct QueuedCube {
    /// Identifies the cube; returned with the answer.
    pub ticket: u64,
    /// The cube to solve.
    pub cube: Cube,
    /// Options of the search. The deadline is set when the search begins.
    pub options: Options,
    /// Time limit, counted from the start of the search.
    pub time_limit: Option<Duration>,
    /// Means of proof, if the answer must be proven optimal.
    pub proof: Option<Proof>,
}

/// The result of [`Queue::next`].
pub enum Next {
    /// A cube.
    Cube(Box<QueuedCube>),
    /// No cube at the moment. Not allowed in reply to a call with `wait`.
    Later,
    /// The queue is closed.
    End,
}

/// Source of cubes and sink of answers; both are called on the searching thread.
pub trait Queue {
    /// Returns the next cube. With `wait` the call may block until there is a cube or the queue is closed.
    fn next(&mut self, wait: bool) -> Next;

    /// Receives an answer and the time that its search used the thread, which [`Outcome::elapsed`] has too. Answers come
    /// in the order in which searches end.
    fn done(&mut self, ticket: u64, answer: Result<Outcome, SearchError>, elapsed: Duration);
}

/// Solves every cube of the queue on this thread, with up to `in_flight` searches at a time. Returns when the queue is
/// closed or `stop` is set.
///
/// The searches are interleaved, a few nodes at a time. The time of each is the sum of its time slices. Searches that
/// run when `stop` is set end with [`SearchError::Cancelled`].
///
/// A proof with a table uses its thread for seconds. It starts when the running searches have ended, and no search
/// starts before it has ended.
pub fn solve_many(tables: &Tables, in_flight: usize, queue: &mut dyn Queue, stop: &Stop) {
    let mut under_way: Vec<Running<'_>> = Vec::with_capacity(in_flight.max(1));
    let mut buffers: Vec<SearchBuffers> = Vec::with_capacity(in_flight.max(1));
    let mut is_open = true;
    let mut alone: Option<Box<QueuedCube>> = None;
    loop {
        if let Some(job) = alone.take_if(|_| under_way.is_empty()) {
            prove(tables, *job, queue, stop);
        }
        while alone.is_none() && is_open && under_way.len() < in_flight.max(1) && !stop.is_stopped() {
            match queue.next(under_way.is_empty()) {
                Next::Cube(job) if matches!(job.proof, Some(Proof::Table(_))) => alone = Some(job),
                Next::Cube(job) if job.proof.is_some() => {
                    prove(tables, *job, queue, stop);
                    // Continue the running searches before the next such cube.
                    break;
                }
                Next::Cube(mut job) => {
                    let begun = Instant::now();
                    job.options.deadline = job.time_limit.map(|limit| begun + limit);
                    let buffers = buffers.pop().unwrap_or_default();
                    let session = Session::new(tables, &job.cube, &job.options, stop, buffers);
                    under_way.push(Running { ticket: job.ticket, session, elapsed: begun.elapsed() });
                }
                Next::Later => break,
                Next::End => is_open = false,
            }
        }
        if under_way.is_empty() && alone.is_none() && (!is_open || stop.is_stopped()) {
            return;
        }
        let (mut at, mut begun) = (0, Instant::now());
        while at < under_way.len() {
            let running = &mut under_way[at];
            let is_over = (0..ADVANCES).any(|_| running.session.advance(&mut |_, _| {}));
            let now = Instant::now();
            running.elapsed += now - begun;
            begun = now;
            if is_over {
                let Running { ticket, session, elapsed } = under_way.swap_remove(at);
                queue.done(ticket, session.outcome().map(|outcome| Outcome { elapsed, ..outcome }), elapsed);
                buffers.push(session.into_buffers());
                begun = Instant::now();
            } else {
                at += 1;
            }
        }
    }
}

/// A search that shares the thread with others.
struct Running<'t> {
    ticket: u64,
    session: Session<'t>,
    /// Sum of its time slices.
    elapsed: Duration,
}

/// Runs a proof from start to end.
fn prove(tables: &Tables, job: QueuedCube, queue: &mut dyn Queue, stop: &Stop) {
    let QueuedCube { ticket, cube, mut options, time_limit, proof } = job;
    let begun = Instant::now();
    options.deadline = time_limit.map(|limit| begun + limit);
    let answer = match proof {
        Some(proof) if !stop.is_stopped() => proof.solve(tables, &cube, &options, stop, &mut |_, _| {}),
        _ => Err(SearchError::Cancelled { nodes: 0 }),
    };
    queue.done(ticket, answer, begun.elapsed());
}
