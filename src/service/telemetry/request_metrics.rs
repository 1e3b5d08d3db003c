//! Metrics of requests. Each time series is looked up by its labels once and kept, because a lookup costs as much as all other
//! metrics of a request.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use metrics::{Counter, Histogram};

use crate::service::telemetry::metrics::{REQUEST_SECONDS, REQUESTS};

/// Metrics by route. One additional route stands for all paths that match no route.
#[derive(Default)]
pub struct RequestMeters(RwLock<HashMap<String, Vec<Method>>>);

/// Metrics of one method of a route.
struct Method {
    name: &'static str,
    seconds: Histogram,
    /// Counters of responses by status.
    answers: Vec<(u16, Counter)>,
}

impl RequestMeters {
    /// Counts a response.
    pub fn count(&self, route: &str, method: &'static str, status: u16, elapsed: Duration) {
        let is_known = {
            let routes = self.0.read().unwrap_or_else(PoisonError::into_inner);
            routes.get(route).is_some_and(|methods| Self::count_known(methods, method, status, elapsed))
        };
        if !is_known {
            let mut routes = self.0.write().unwrap_or_else(PoisonError::into_inner);
            let methods = routes.entry(route.to_owned()).or_default();
            Self::register(methods, route, method, status);
            Self::count_known(methods, method, status, elapsed);
        }
    }

    /// Counts a response if its series exist, and returns whether they do.
    fn count_known(methods: &[Method], method: &str, status: u16, elapsed: Duration) -> bool {
        let Some(known) = methods.iter().find(|known| known.name == method) else { return false };
        let Some((_, counter)) = known.answers.iter().find(|(code, _)| *code == status) else { return false };
        counter.increment(1);
        known.seconds.record(elapsed);
        true
    }

    fn register(methods: &mut Vec<Method>, route: &str, method: &'static str, status: u16) {
        let at = methods.iter().position(|known| known.name == method).unwrap_or_else(|| {
            let seconds = metrics::histogram!(REQUEST_SECONDS, "route" => route.to_owned(), "method" => method);
            methods.push(Method { name: method, seconds, answers: Vec::new() });
            methods.len() - 1
        });
        let answers = &mut methods[at].answers;
        if answers.iter().all(|(code, _)| *code != status) {
            let (route, code) = (route.to_owned(), status.to_string());
            let counter = metrics::counter!(REQUESTS, "route" => route, "method" => method, "status" => code);
            answers.push((status, counter));
        }
    }
}
