//! Facts about a request for the request log, collected while it is processed.

use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName};

use crate::api::batch::Effort;
use crate::api::problem::{Code, Problem};
use crate::api::types::SolveResult;
use crate::service::lanes::SearchNotice;
use crate::service::micros;
use crate::service::telemetry::metrics::{LineOutcome, PROBLEMS};

/// Preferences of the client (RFC 7240).
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// Facts about one request so far. No fact reveals the cube.
#[derive(Clone, Default, Debug)]
pub(crate) struct Facts {
    /// Name of the API key, if one was sent; never the key itself.
    pub key: Option<String>,
    /// Reason why the search ended.
    pub stopped_by: Option<&'static str>,
    /// Length of the solution.
    pub length: Option<usize>,
    /// Proven lower bound of the length.
    pub lower_bound: Option<u8>,
    /// Number of nodes expanded by all searches of the request.
    pub nodes: Option<u64>,
    /// Total time of the searches that have ended.
    searched: Option<Duration>,
    /// Start of the current search.
    searching_since: Option<Instant>,
    /// Total time in the queue; of a batch, that of the line that waited longest.
    waited: Option<Duration>,
    /// Start of the current wait.
    waiting_since: Option<Instant>,
    /// Code of the problem that is the response or ends it.
    pub problem: Option<Code>,
    /// Number of lines of a batch by [`LineOutcome`].
    pub lines: Option<[u64; 3]>,
    /// Time that the client waits for tables, beside the time limit of its search.
    wait: Duration,
}

/// Handle to the facts of one request. Clones share the facts. Handlers extract it.
#[derive(Clone, Default, Debug)]
pub(crate) struct RequestFacts(Arc<Mutex<Facts>>);

impl RequestFacts {
    /// Returns a copy of the current facts.
    pub(crate) fn get(&self) -> Facts {
        self.lock().clone()
    }

    /// Returns the time that the client waits for tables, beside the time limit of its search: `Prefer: wait=SECONDS` (RFC 7240).
    pub(crate) fn wait(&self) -> Duration {
        self.lock().wait
    }

    /// Records the name of the API key.
    pub(crate) fn key(&self, name: &str) {
        self.lock().key = Some(name.to_owned());
    }

    /// Returns a callback for the notices of one search. The wait of the search starts now.
    pub(crate) fn listener(&self) -> impl FnMut(SearchNotice<'_>) + Send + 'static + use<> {
        let facts = self.clone();
        facts.lock().waiting_since = Some(Instant::now());
        move |notice| facts.record(notice)
    }

    fn record(&self, notice: SearchNotice<'_>) {
        let mut facts = self.lock();
        match notice {
            SearchNotice::Begun { queued } => {
                facts.waiting_since = None;
                facts.add_wait(queued);
                facts.searching_since = Some(Instant::now());
            }
            SearchNotice::Waiting => facts.waiting_since = Some(Instant::now()),
            SearchNotice::Event { .. } => {}
            SearchNotice::Ended { nodes, elapsed } => {
                facts.searching_since = None;
                // A search that was answered without its second job.
                if let Some(since) = facts.waiting_since.take() {
                    facts.add_wait(since.elapsed());
                }
                facts.add_search(nodes, elapsed);
            }
        }
    }

    /// Records the solution of a request for one cube.
    pub(crate) fn solved(&self, answer: &SolveResult) {
        let mut facts = self.lock();
        facts.stopped_by = Some(answer.stopped_by.name());
        facts.length = Some(answer.length);
        facts.lower_bound = Some(answer.lower_bound);
    }

    /// Records the start of a batch.
    pub(crate) fn batch(&self) {
        self.lock().lines.get_or_insert_default();
    }

    /// Records a line of a batch, and its search if there was one.
    pub(crate) fn line(&self, outcome: LineOutcome, effort: Option<Effort>) {
        let mut facts = self.lock();
        facts.lines.get_or_insert_default()[outcome as usize] += 1;
        if let Some(Effort { nodes, elapsed, queued }) = effort {
            facts.add_search(nodes, elapsed);
            facts.waited = facts.waited.max(Some(queued));
        }
    }

    /// Records and counts the problem that is the response or ends it.
    pub(crate) fn problem(&self, problem: &Problem) {
        PROBLEMS.with([problem.code().name()]).inc();
        self.lock().problem = Some(problem.code());
    }

    fn lock(&self) -> MutexGuard<'_, Facts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Facts {
    /// Returns the search time so far in microseconds, including the current search.
    pub(crate) fn search_us(&self) -> Option<u64> {
        so_far(self.searched, self.searching_since)
    }

    /// Returns the time in the queue so far in microseconds, including the current wait.
    pub(crate) fn queue_us(&self) -> Option<u64> {
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
    Some(micros(time))
}

impl<S: Sync> FromRequestParts<S> for RequestFacts {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let facts = parts.extensions.get::<Self>().cloned().unwrap_or_default();
        facts.lock().wait = preferred_wait(&parts.headers);
        Ok(facts)
    }
}

/// Reads `Prefer: wait=SECONDS`. As the standard has it, a preference that cannot be read is ignored.
fn preferred_wait(headers: &HeaderMap) -> Duration {
    let preferences = headers.get_all(PREFER).into_iter().filter_map(|value| value.to_str().ok());
    let seconds = preferences.flat_map(|list| list.split([',', ';'])).find_map(|preference| {
        let (name, value) = preference.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| value.trim().trim_matches('"').parse::<u32>().ok())?
    });
    Duration::from_secs(seconds.unwrap_or_default().into())
}

/// Creates the time series of every problem code, so that `rate()` sees the first problem of each.
pub(crate) fn register_metrics() {
    for code in Code::ALL {
        PROBLEMS.with([code.name()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_is_that_of_rfc_7240() {
        for (value, seconds) in [
            ("wait=10", 10),
            ("respond-async, wait=10", 10),
            ("Wait = \"7\"", 7),
            ("respond-async; foo=1, wait=3", 3),
            ("wait", 0),
            ("wait=-1", 0),
            ("wait=soon", 0),
            ("waiting=5", 0),
            ("", 0),
        ] {
            let headers = HeaderMap::from_iter([(PREFER, value.parse().unwrap())]);
            assert_eq!(preferred_wait(&headers), Duration::from_secs(seconds), "{value}");
        }
        assert_eq!(preferred_wait(&HeaderMap::new()), Duration::ZERO);
    }
}
