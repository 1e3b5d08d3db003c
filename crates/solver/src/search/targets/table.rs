//! Proofs with a coset table: one length after the other, each for all ways.

use super::{Running, Stage, TargetsSearch};
use crate::control::Cancelled;
use crate::search::goal::Goal;
use crate::search::optimal::OptimalSearch;
use crate::search::solution::proof::ProofSearch;
use crate::search::solution::{Found, SolveError};

impl TargetsSearch<'_> {
    /// Searches a way for solutions of a length with the coset table, or goes on to the next way or length.
    pub(super) fn prove(&mut self, length: u8, way: usize) {
        let Some(Running::Table(mut search)) = self.running.take() else {
            let longest = self.goal.max_length.unwrap_or(u8::MAX);
            if self.length().is_some_and(|best| best <= length) || length > longest {
                self.stage = self.when_proven();
            } else if let Some(way) = self.next_way(way, length) {
                self.begin_with_table(way, length, false);
                self.stage = Stage::Table { length, way };
            } else {
                self.add_to_record(ProofSearch::Table, Some(length));
                self.stage = Stage::Table { length: length + 1, way: 0 };
            }
            return;
        };
        if !search.advance(&mut |_, _| {}) {
            self.running = Some(Running::Table(search));
            return;
        }
        match search.solution() {
            Ok(solution) => {
                self.nodes += solution.nodes;
                self.best.clear();
                self.offer(way, Found { moves: solution.moves, phases: solution.phases });
                // All shorter lengths are exhausted for all ways.
                (0..self.ways.len()).for_each(|way| self.raise(way, length));
                self.add_to_record(ProofSearch::Table, Some(length));
                self.stage = self.when_proven();
            }
            Err(error) => self.after_table(way, length, &error, Stage::Table { length, way: way + 1 }),
        }
    }

    /// Collects all solutions of a way that are as long as the incumbent.
    pub(super) fn collect_with_table(&mut self, way: usize) {
        let length = self.lower_bound();
        let Some(Running::Table(mut search)) = self.running.take() else {
            if let Some(way) = self.next_way(way, length) {
                self.begin_with_table(way, length, true);
                self.stage = Stage::CollectWithTable { way };
            } else {
                self.add_to_record(ProofSearch::Table, Some(length));
                self.stage = Stage::Over;
            }
            return;
        };
        if !search.advance(&mut |_, _| {}) {
            self.running = Some(Running::Table(search));
            return;
        }
        match search.solution() {
            Ok(solution) => {
                self.nodes += solution.nodes;
                for moves in solution.all() {
                    self.offer(way, Found { moves: moves.into(), phases: solution.phases });
                }
                if let Some(count) = solution.optimal_solutions {
                    self.optimal_solutions = Some(self.optimal_solutions.unwrap_or(0) + count);
                    self.stage = Stage::CollectWithTable { way: way + 1 };
                } else {
                    self.optimal_solutions = None;
                    self.halt(Cancelled::Deadline);
                }
            }
            Err(error) => self.after_table(way, length, &error, Stage::CollectWithTable { way: way + 1 }),
        }
    }

    fn begin_with_table(&mut self, way: usize, length: u8, all_shortest: bool) {
        let Some(table) = self.table else {
            // Not reached: these stages follow only if there is a table.
            self.stage = Stage::Over;
            return;
        };
        if let Some(record) = &mut self.record {
            record.cite(table);
        }
        let goal = Goal { max_length: Some(length), is_proof: true, all_shortest, ..self.goal.clone() };
        let search = OptimalSearch::new(self.tables, table, &self.ways[way].cube, &goal, &self.control);
        self.running = Some(Running::Table(Box::new(search)));
    }

    /// Goes on to `next` if the way has no solution of at most `length` moves, or ends a search that was halted.
    fn after_table(&mut self, way: usize, length: u8, error: &SolveError, next: Stage) {
        self.nodes += error.nodes();
        match *error {
            SolveError::NoneWithin { lower_bound, .. } => {
                self.raise(way, lower_bound);
                self.stage = next;
                if lower_bound <= length {
                    self.optimal_solutions = None;
                    self.halt(Cancelled::Deadline);
                }
            }
            _ => self.halt(Cancelled::ByCaller),
        }
    }
}
