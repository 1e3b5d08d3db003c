//! Reads the cubes and the machines of requests: quick ones at once, others on the worker threads.
//!
//! Most cubes are read within microseconds. Colours, unknown stickers and the search for repairs take up to some tens of milliseconds, so they run
//! as jobs of the quick lane, with its admission control. So do machines; one with many states takes up to seconds, and runs in the long lane.

use std::time::{Duration, Instant};

use super::AppState;
use crate::api::problem::Problem;
use crate::api::request::cube::Start;
use crate::api::request::options::Task;
use crate::api::types::{CubeAndTarget, CubeRequest, SolveRequest};
use crate::service::pool::Deadline;
use superflip_solver::Control;

/// Greatest size of a machine whose routes take some milliseconds.
const QUICK_ROUTES: usize = 10_000;

/// Cubes of a request, as they are given.
pub trait Given: Send + 'static {
    /// Returns whether they are read within microseconds.
    fn is_quick(&self) -> bool;
}

impl Given for CubeRequest {
    fn is_quick(&self) -> bool {
        self.is_quick()
    }
}

impl Given for CubeAndTarget {
    fn is_quick(&self) -> bool {
        self.is_quick()
    }
}

impl AppState {
    /// Checks a request to solve a cube.
    ///
    /// # Errors
    /// Returns the errors of [`Task::new`], with repairs, and an error if a scan or a machine is refused by the queue.
    pub async fn task(&self, request: SolveRequest) -> Result<Task, Problem> {
        self.task_started(request, Task::of_start).await
    }

    /// Checks the options of a request, reads its cube, and hands both to `start`.
    ///
    /// # Errors
    /// Returns the errors of [`AppState::task`], and those of `start`.
    pub(crate) async fn task_started<T>(
        &self,
        request: SolveRequest,
        start: impl FnOnce(Task, Start) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        let (arrived, state) = (Instant::now(), self.clone());
        let check = move |request: SolveRequest, control: &Control| {
            let task = Task::of_options(&request, &state.config, control)?;
            Ok((request, task))
        };
        let (mut request, mut task) = self.with_machine(request, check).await?;
        let read = self.read_within(task.time_limit, request.take_ends(), CubeAndTarget::start).await?;
        task.time_limit = task.time_limit.saturating_sub(arrived.elapsed());
        start(task, read)
    }

    /// Calls `check`, on a worker thread and within the time limit if the request has a machine, whose routes it finds.
    ///
    /// # Errors
    /// Returns the error of `check`, and an error if the queue refuses it.
    pub(crate) async fn with_machine<T: Send + 'static>(
        &self,
        request: SolveRequest,
        check: impl FnOnce(SolveRequest, &Control) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let lane = match &request.machine.machine {
            None => return check(request, &Control::new()),
            Some(machine) if machine.size() <= QUICK_ROUTES => self.lanes.quick(),
            Some(_) => self.lanes.long(),
        };
        let (deadline, state) = (Instant::now() + request.limits.time_limit(&self.config), self.clone());
        let check = move |control: &Control| check(request, &state.in_memory(control).until(deadline));
        lane.run_for_answer(Deadline::EndBy(deadline), check).await?
    }

    /// Reads a cube with `read`, on a worker thread if that takes long.
    ///
    /// # Errors
    /// Returns the errors of `read`, with repairs, and an error if a scan is refused by the queue.
    pub async fn read<T: Send + 'static, C: Given>(
        &self,
        request: C,
        read: impl FnOnce(C) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.read_within(self.default_time_limit(), request, read).await
    }

    async fn read_within<T: Send + 'static, C: Given>(
        &self,
        time_limit: Duration,
        request: C,
        read: impl FnOnce(C) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if !request.is_quick() {
            return self.work_within(time_limit, move || read(request).map_err(Problem::with_repairs)).await;
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
        self.work_within(self.default_time_limit(), work).await
    }

    /// Runs `work` on a worker thread. `work` ends early when its [`Control`] says so.
    ///
    /// # Errors
    /// Returns the error of `work`, and an error if the queue refuses it.
    pub(crate) async fn work_under<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Control) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let deadline = Deadline::StartBy(Instant::now() + self.default_time_limit());
        self.lanes.quick().run(deadline, work).await?
    }

    fn default_time_limit(&self) -> Duration {
        Duration::from_millis(self.config.search.default_time_limit_ms)
    }

    async fn work_within<T: Send + 'static>(
        &self,
        time_limit: Duration,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let deadline = Deadline::StartBy(Instant::now() + time_limit);
        self.lanes.quick().run(deadline, move |_| work()).await?
    }

    /// Adds repairs to a problem, if a worker thread is free.
    async fn with_repairs(&self, problem: Problem) -> Problem {
        let quick = self.lanes.quick();
        if !quick.has_free_thread() {
            return problem;
        }
        let (repairable, deadline) = (problem.clone(), Deadline::StartBy(Instant::now()));
        quick.run(deadline, move |_| repairable.with_repairs()).await.unwrap_or(problem)
    }
}
