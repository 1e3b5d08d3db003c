//! Metrics of requests. Each time series is looked up by its labels once and kept, because a lookup costs as much as all other
//! metrics of a request.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use prometheus::{Histogram, IntCounter};

use crate::service::telemetry::metrics::{REQUEST_SECONDS, REQUESTS};

/// Metrics by route. One additional route stands for all paths that match no route.
#[derive(Default)]
pub struct RequestMeters(RwLock<HashMap<String, Vec<Series>>>);

/// Metrics of the responses of a route with one method and status.
struct Series {
    method: &'static str,
    status: u16,
    responses: IntCounter,
    /// Shared by all statuses.
    seconds: Histogram,
}

impl RequestMeters {
    /// Counts a response.
    pub fn count(&self, route: &str, method: &'static str, status: u16, elapsed: Duration) {
        {
            let routes = self.0.read().unwrap_or_else(PoisonError::into_inner);
            let mut known = routes.get(route).into_iter().flatten();
            if let Some(series) = known.find(|series| series.method == method && series.status == status) {
                return series.count(elapsed);
            }
        }
        let series = Series::new(route, method, status);
        series.count(elapsed);
        let mut routes = self.0.write().unwrap_or_else(PoisonError::into_inner);
        routes.entry(route.to_owned()).or_default().push(series);
    }
}

impl Series {
    fn new(route: &str, method: &'static str, status: u16) -> Self {
        let responses = REQUESTS.with([route, method, &status.to_string()]);
        Self { method, status, responses, seconds: REQUEST_SECONDS.with([route, method]) }
    }

    fn count(&self, elapsed: Duration) {
        self.responses.inc();
        self.seconds.observe(elapsed.as_secs_f64());
    }
}
