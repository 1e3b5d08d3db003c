//! Many cubes on one thread.

use std::time::{Duration, Instant};

use super::session::Session;
use super::{Options, Outcome, SearchError, Stop};
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
///
/// The searches take turns, a few nodes each, so that while one would wait for the memory the others work. Answers to
/// those under way when `stop` is set are [`SearchError::Cancelled`].
pub fn solve_many(tables: &Tables, in_flight: usize, queue: &mut dyn Queue, stop: &Stop) {
    let mut under_way: Vec<(u64, Session<'_>)> = Vec::with_capacity(in_flight.max(1));
    let mut is_open = true;
    loop {
        while is_open && under_way.len() < in_flight.max(1) && !stop.is_stopped() {
            match queue.next(under_way.is_empty()) {
                Next::Job(mut job) => {
                    job.options.deadline = job.time_limit.map(|limit| Instant::now() + limit);
                    under_way.push((job.ticket, Session::new(tables, &job.cube, &job.options, stop)));
                }
                Next::Later => break,
                Next::End => is_open = false,
            }
        }
        if under_way.is_empty() && (!is_open || stop.is_stopped()) {
            return;
        }
        let mut at = 0;
        while at < under_way.len() {
            if under_way[at].1.advance(&mut |_, _| {}) {
                let (ticket, session) = under_way.swap_remove(at);
                queue.done(ticket, session.into_outcome());
            } else {
                at += 1;
            }
        }
    }
}
