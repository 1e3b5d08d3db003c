//! Chooses the engine for a task, and maps a missing proof to a problem.

use super::AppState;
use crate::api::problem::Problem;
use crate::api::request::options::Task;
use crate::search::{Proof, SearchError};
use crate::service::solver::{Engine, News, SolveError, Solved};
use crate::service::tables::readiness::{Readiness, State};
use crate::service::telemetry::metrics::count_rejected;

impl AppState {
    /// Returns the tables and proof method for a task. If they are unavailable, the task counts as rejected.
    ///
    /// # Errors
    /// As [`AppState::tables`].
    pub fn engine_for(&self, task: &Task) -> Result<Engine, Problem> {
        Ok(Engine { tables: self.tables_for_work()?, proof: self.proof_for(task) })
    }

    /// What proves the answer, if the task asks for a proof: the table when it is there, otherwise the near search.
    pub fn proof_for(&self, task: &Task) -> Option<Proof> {
        task.optimal.then(|| match self.optimal.as_ref().map(Readiness::get) {
            Some(State::Ready(table)) => Proof::Table(table),
            _ => Proof::Near,
        })
    }

    /// Searches with `engine`, unless its tables are found damaged meanwhile.
    ///
    /// # Errors
    /// Everything for which a search is refused or has no answer.
    pub async fn search(
        &self,
        engine: &Engine,
        task: &Task,
        hear: impl FnMut(News<'_>) + Send + 'static,
    ) -> Result<Solved, Problem> {
        let search = self.solver.solve_watched(engine.clone(), task.cube, task.options(), task.time_limit, hear);
        let search = async {
            search.await.map_err(|error| match error {
                SolveError::Search(error) => self.unanswered(error),
                SolveError::Refused(refused) => refused.into(),
            })
        };
        self.while_sound(engine, search).await
    }

    /// The problem of a search without an answer. Without a proof it says why there is no table, and counts as rejected.
    pub fn unanswered(&self, error: SearchError) -> Problem {
        let SearchError::Unproven { lower_bound, .. } = error else { return error.into() };
        let problem = match self.optimal.as_ref().map(Readiness::get) {
            None => Problem::optimal_not_enabled(),
            Some(State::Starting(step)) => Problem::optimal_table_not_ready(step),
            Some(State::Mending { damage, step }) => Problem::optimal_table_damaged(&damage, step),
            Some(State::Failed { reason }) => Problem::optimal_table_failed(&reason),
            Some(State::Ready(_)) => Problem::optimal_table_just_ready(),
        };
        count_rejected(problem.code().name());
        problem.beyond_the_near_search(lower_bound)
    }
}
