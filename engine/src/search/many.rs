//! Many cubes on one thread.

use std::time::{Duration, Instant};

use super::options::Options;
use super::proof::Proof;
use super::session::Session;
use super::solution::{Outcome, SearchError};
use super::stop::Stop;
use super::two_phase::SearchBuffers;
use crate::cube::Cube;
use crate::tables::Tables;

/// A cube in the queue.
#[derive(Clone)]
pub struct QueuedCube {
    /// What the queue knows it by; comes back with the answer.
    pub ticket: u64,
    /// The cube to solve.
    pub cube: Cube,
    /// Its limits; the deadline is set when its search begins.
    pub options: Options,
    /// Time for its search.
    pub time_limit: Option<Duration>,
    /// With it the answer is proven shortest.
    pub proof: Option<Proof>,
}

/// What a queue has.
pub enum Next {
    /// A cube.
    Cube(Box<QueuedCube>),
    /// Nothing now, perhaps later; only when asked not to wait.
    Later,
    /// Nothing ever again.
    End,
}

/// Where cubes come from and answers go, both on the thread that searches.
pub trait Queue {
    /// The next cube. With `wait` there is nothing else to do, so it may block until there is one or the end.
    fn next(&mut self, wait: bool) -> Next;

    /// An answer. Answers come in the order in which searches end.
    fn done(&mut self, ticket: u64, answer: Result<Outcome, SearchError>);
}

/// Solves everything in the queue on this thread, up to `in_flight` searches at a time, until its end or until `stop`.
///
/// The searches take turns, a few nodes each, so that while one would wait for the memory the others work. Answers to
/// those under way when `stop` is set are [`SearchError::Cancelled`].
///
/// A search that proves its answer with a table is one of the few that fill a thread by themselves; it waits until those under way
/// have ended, so that it takes nothing of their time.
pub fn solve_many(tables: &Tables, in_flight: usize, queue: &mut dyn Queue, stop: &Stop) {
    let mut under_way: Vec<(u64, Session<'_>)> = Vec::with_capacity(in_flight.max(1));
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
                    // Return to the running searches before the next such job.
                    break;
                }
                Next::Cube(mut job) => {
                    job.options.deadline = job.time_limit.map(|limit| Instant::now() + limit);
                    let buffers = buffers.pop().unwrap_or_default();
                    under_way.push((job.ticket, Session::new(tables, &job.cube, &job.options, stop, buffers)));
                }
                Next::Later => break,
                Next::End => is_open = false,
            }
        }
        if under_way.is_empty() && alone.is_none() && (!is_open || stop.is_stopped()) {
            return;
        }
        let mut at = 0;
        while at < under_way.len() {
            if under_way[at].1.advance(&mut |_, _| {}) {
                let (ticket, session) = under_way.swap_remove(at);
                queue.done(ticket, session.outcome());
                buffers.push(session.into_buffers());
            } else {
                at += 1;
            }
        }
    }
}

/// Runs a search that proves its answer, from start to end.
fn prove(tables: &Tables, job: QueuedCube, queue: &mut dyn Queue, stop: &Stop) {
    let QueuedCube { ticket, cube, mut options, time_limit, proof } = job;
    options.deadline = time_limit.map(|limit| Instant::now() + limit);
    let answer = match proof {
        Some(proof) if !stop.is_stopped() => proof.solve(tables, &cube, &options, stop, &mut |_, _| {}),
        _ => Err(SearchError::Cancelled { nodes: 0 }),
    };
    queue.done(ticket, answer);
}
