//! Reads the cubes of requests: quick ones at once, scans on the worker threads.
//!
//! Most cubes are read within microseconds. Colours, unknown stickers and the search for repairs take up to some tens of milliseconds, so they run
//! as jobs of the quick lane, with its admission control.

use std::time::{Duration, Instant};

use super::AppState;
use crate::api::problem::Problem;
use crate::api::request::options::Task;
use crate::api::types::SolveRequest;
use crate::service::pool::Deadline;

impl AppState {
    /// Checks a request to solve a cube.
    ///
    /// # Errors
    /// Returns the errors of [`Task::new`], with repairs, and an error if a scan is refused by the queue.
    pub async fn task(&self, request: SolveRequest) -> Result<Task, Problem> {
        let task = Task::of_options(&request, &self.config)?;
        Ok(task.of_cube(self.read(request, SolveRequest::cube_and_scan).await?))
    }

    /// Reads a cube with `read`, on a worker thread if that takes long.
    ///
    /// # Errors
    /// Returns the errors of `read`, with repairs, and an error if a scan is refused by the queue.
    pub async fn read<T: Send + 'static>(
        &self,
        request: SolveRequest,
        read: impl FnOnce(SolveRequest) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if !request.is_quick() {
            return self.work(move || read(request).map_err(Problem::with_repairs)).await;
        }
        match read(request) {
            Err(problem) if problem.is_repairable() => Err(self.with_repairs(problem).await),
            read => read,
        }
    }

    /// Runs `work`, which takes some milliseconds, on a worker thread.
    ///
    /// # Errors
    /// Returns the error of `work`, and an error if the queue refuses it.
    pub async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let time_limit = Duration::from_millis(self.config.search.default_time_limit_ms);
        let deadline = Deadline::StartBy(Instant::now() + time_limit);
        self.solver.quick().run(deadline, move |_| work()).await?.value
    }

    /// Adds repairs to a problem, if a worker thread is free.
    async fn with_repairs(&self, problem: Problem) -> Problem {
        let repairable = problem.clone();
        let repaired = self.solver.quick().run(Deadline::IfIdle, move |_| repairable.with_repairs()).await;
        repaired.map_or(problem, |finished| finished.value)
    }
}
