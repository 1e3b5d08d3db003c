//! What the log tells of a request, gathered while it is worked on.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::api::problem::{Code, Problem};
use crate::api::types::SolveResponse;
use crate::service::solver::News;
use crate::service::telemetry::metrics::PROBLEMS;

/// What is known so far of the work behind a request. Nothing of it tells which cube it was.
#[derive(Clone, Default, Debug)]
pub struct Facts {
    /// The name of the key, where one was given; never the key.
    pub key: Option<String>,
    /// Why the search ended.
    pub stopped_by: Option<&'static str>,
    /// Turns of the answer.
    pub length: Option<usize>,
    /// No solution is shorter.
    pub lower_bound: Option<u8>,
    /// Positions expanded, by all searches of the request.
    pub nodes: Option<u64>,
    /// Time of search, of all of them that have ended.
    searched: Option<Duration>,
    /// When the search began that has not ended.
    searching_since: Option<Instant>,
    /// Time of waiting; of a batch, of all its lines within it.
    waited: Option<Duration>,
    /// When the wait began that has not ended.
    waiting_since: Option<Instant>,
    /// How it was refused, or how an answer that had begun ended.
    pub problem: Option<Code>,
    /// Of a batch.
    pub lines: Option<Lines>,
}

/// How the lines of a batch were answered.
#[derive(Clone, Copy, Default, Debug)]
pub struct Lines {
    /// With a solution.
    pub solved: u64,
    /// With a problem, after a search.
    pub unsolved: u64,
    /// With a problem, before one.
    pub refused: u64,
}

/// The facts of one request; clones share them.
#[derive(Clone, Default, Debug)]
pub struct Account(Arc<Mutex<Facts>>);

impl Account {
    /// What is known now.
    pub fn facts(&self) -> Facts {
        self.lock().clone()
    }

    /// The request has the key of this name.
    pub fn key(&self, name: &str) {
        self.lock().key = Some(name.to_owned());
    }

    /// What listens to the search of one cube, which begins to wait now; it counts also when nobody waits for its end.
    pub fn listener(&self) -> impl FnMut(News<'_>) + Send + 'static + use<> {
        let account = self.clone();
        account.lock().waiting_since = Some(Instant::now());
        move |news| account.hear(news)
    }

    fn hear(&self, news: News<'_>) {
        let mut facts = self.lock();
        match news {
            News::Begun { queued } => {
                facts.waiting_since = None;
                facts.add_wait(queued);
                facts.searching_since = Some(Instant::now());
            }
            News::Event { .. } => {}
            News::Ended { nodes, elapsed } => {
                facts.searching_since = None;
                facts.add_search(nodes, elapsed);
            }
        }
    }

    /// One cube was solved, and nothing else.
    pub fn solved(&self, answer: &SolveResponse) {
        let mut facts = self.lock();
        facts.stopped_by = Some(answer.stopped_by.name());
        facts.length = Some(answer.length);
        facts.lower_bound = Some(answer.lower_bound);
    }

    /// A batch has begun.
    pub fn batch(&self) {
        self.lock().lines.get_or_insert_default();
    }

    /// A line of a batch was solved.
    pub fn line_solved(&self, answer: &SolveResponse) {
        let mut facts = self.lock();
        facts.lines.get_or_insert_default().solved += 1;
        facts.add_search(answer.nodes, Duration::from_micros(answer.elapsed_us));
        facts.add_wait(Duration::from_micros(answer.queue_us));
    }

    /// A line of a batch was searched for so long, after such a wait, and not solved.
    pub fn line_unsolved(&self, nodes: u64, elapsed: Duration, queued: Duration) {
        let mut facts = self.lock();
        facts.lines.get_or_insert_default().unsolved += 1;
        facts.add_search(nodes, elapsed);
        facts.add_wait(queued);
    }

    /// A line of a batch was refused before any search.
    pub fn line_refused(&self) {
        self.lock().lines.get_or_insert_default().refused += 1;
    }

    /// The answer is this problem, or ends with it.
    pub fn problem(&self, problem: &Problem) {
        metrics::counter!(PROBLEMS, "code" => problem.code().name()).increment(1);
        self.lock().problem = Some(problem.code());
    }

    fn lock(&self) -> MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Facts {
    /// Microseconds of search so far.
    pub fn search_us(&self) -> Option<u64> {
        so_far(self.searched, self.searching_since)
    }

    /// Microseconds of waiting so far; of a batch, of all its lines within it.
    pub fn queue_us(&self) -> Option<u64> {
        so_far(self.waited, self.waiting_since)
    }

    fn add_search(&mut self, nodes: u64, elapsed: Duration) {
        *self.nodes.get_or_insert_default() += nodes;
        *self.searched.get_or_insert_default() += elapsed;
    }

    fn add_wait(&mut self, queued: Duration) {
        *self.waited.get_or_insert_default() += queued;
    }
}

fn so_far(before: Option<Duration>, since: Option<Instant>) -> Option<u64> {
    let now = since.map(|since| since.elapsed());
    let time = before.or(now)? + before.and(now).unwrap_or_default();
    Some(time.as_micros() as u64)
}

impl<S: Sync> FromRequestParts<S> for Account {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned().unwrap_or_default())
    }
}

/// Makes the series of every code, so that the first problem of its kind is seen by `rate()`.
pub fn begin() {
    for code in Code::ALL {
        metrics::counter!(PROBLEMS, "code" => code.name()).increment(0);
    }
}
