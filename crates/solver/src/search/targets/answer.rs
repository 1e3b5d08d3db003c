//! The answer of a search for several targets.

use super::TargetsSearch;
use crate::control::Cancelled;
use crate::search::solution::proof::ProofRecord;
use crate::search::solution::{Solution, SolveError, StoppedBy};

impl TargetsSearch<'_> {
    /// Returns the solution of a search that has ended.
    ///
    /// # Errors
    /// When the search was cancelled, found nothing within `max_length`, or cannot prove.
    pub(crate) fn solution(self) -> Result<Solution, SolveError> {
        let (lower_bound, nodes, is_complete) = (self.lower_bound(), self.nodes, self.is_complete());
        if self.is_unproven {
            return Err(SolveError::Unproven { lower_bound, nodes });
        }
        let (halted, goal) = (self.halted, self.goal);
        let mut best = self.best.into_iter();
        let Some(first) = best.next().filter(|_| halted != Some(Cancelled::ByCaller)) else {
            return Err(SolveError::Cancelled { nodes });
        };
        let best_length = u8::try_from(first.len()).unwrap_or(u8::MAX);
        if let Some(max_length) = goal.max_length.filter(|&max| best_length > max) {
            return Err(SolveError::NoneWithin { max_length, best_length, lower_bound, nodes });
        }
        let is_optimal = best_length == lower_bound;
        Ok(Solution {
            stopped_by: match halted {
                _ if is_optimal && goal.solutions <= 1 => StoppedBy::ProvenOptimal,
                _ if is_complete && !goal.is_proof => StoppedBy::TargetLength,
                Some(_) => StoppedBy::TimeLimit,
                None => StoppedBy::ProvenOptimal,
            },
            moves: first.moves,
            phases: first.phases,
            others: best.collect(),
            optimal_solutions: self.optimal_solutions,
            proof: self.record.map(ProofRecord::finish),
            metric: goal.metric,
            lower_bound,
            profile: self.tables.profile(),
            nodes,
            elapsed: self.started.elapsed(),
        })
    }
}
