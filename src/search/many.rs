//! Many cubes on one thread.

use std::time::{Duration, Instant};

use super::{Options, Outcome, SearchError, Stop, solve};
use crate::cube::Cube;
use crate::tables::Tables;

/// A cube in the queue.
#[derive(Clone, Debug)]
pub struct Job {
    /// What the queue knows it by; comes back with the answer.
    pub ticket: u64,
    /// The cube to solve.
    pub cube: Cube,
    /// Its limits; the deadline is set when its search begins.
    pub options: Options,
    /// Time for its search.
    pub time_limit: Option<Duration>,
}

/// What a queue has.
#[derive(Debug)]
pub enum Next {
    /// A cube.
    Job(Box<Job>),
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
pub fn solve_many(tables: &Tables, in_flight: usize, queue: &mut dyn Queue, stop: &Stop) {
    let _ = in_flight;
    while !stop.is_stopped() {
        let Next::Job(mut job) = queue.next(true) else { return };
        job.options.deadline = job.time_limit.map(|limit| Instant::now() + limit);
        let answer = solve(tables, &job.cube, &job.options, stop);
        queue.done(job.ticket, answer);
    }
}
