//! Proofs with a coset table: one length after the other, each for all ways.

use super::{OptimalSearch, Running, Stage, TargetsSearch};
use crate::control::Cancelled;
use crate::search::goal::Goal;
use crate::search::incumbent::Incumbent;
use crate::search::solution::proof::ProofSearch;
use crate::search::solution::{Solution, SolveError};

impl TargetsSearch<'_> {
    /// Searches a way for solutions of a length with the coset table, or goes on to the next way or length.
    pub(super) fn prove(&mut self, length: u8, way: usize, incumbent: &mut Incumbent) {
        if self.running.is_none() {
            if incumbent.best.best() <= length || length > incumbent.longest() {
                self.stage = Self::when_proven(incumbent);
            } else if let Some(way) = self.next_way(way, length) {
                self.begin_with_table(way, length, false, incumbent);
                self.stage = Stage::Table { length, way };
            } else {
                incumbent.record(ProofSearch::Table, Some(length));
                self.stage = Stage::Table { length: length + 1, way: 0 };
            }
        } else if let Some(answer) = self.advance_with_table(incumbent) {
            match answer {
                Ok(solution) => {
                    incumbent.offer(solution.moves.into(), solution.phases);
                    self.raise_all(length, incumbent);
                    incumbent.record(ProofSearch::Table, Some(length));
                    self.stage = Self::when_proven(incumbent);
                }
                Err(error) => self.after_table(way, length, &error, Stage::Table { length, way: way + 1 }, incumbent),
            }
        }
    }

    /// Collects all solutions of a way that are as long as the incumbent.
    pub(super) fn collect_with_table(&mut self, way: usize, incumbent: &mut Incumbent) {
        let length = incumbent.lower_bound();
        let next = Stage::CollectWithTable { way: way + 1 };
        if self.running.is_none() {
            if let Some(way) = self.next_way(way, length) {
                self.begin_with_table(way, length, true, incumbent);
                self.stage = Stage::CollectWithTable { way };
            } else {
                incumbent.record(ProofSearch::Table, Some(length));
                self.stage = Stage::Over;
            }
        } else if let Some(answer) = self.advance_with_table(incumbent) {
            match answer {
                Ok(solution) => {
                    let all = solution.all().map(<[_]>::to_vec).collect();
                    incumbent.collect(all, solution.phases, solution.optimal_solutions.unwrap_or(0));
                    self.stage = next;
                    if solution.optimal_solutions.is_none() {
                        self.halt(Cancelled::Deadline, incumbent);
                    }
                }
                Err(error) => self.after_table(way, length, &error, next, incumbent),
            }
        }
    }

    fn begin_with_table(&mut self, way: usize, length: u8, all_shortest: bool, incumbent: &mut Incumbent) {
        let Some(table) = self.table else {
            // Not reached: these stages follow only if there is a table.
            self.stage = Stage::Over;
            return;
        };
        incumbent.cite(table, 0);
        let Goal { solutions, threads, .. } = *incumbent.goal();
        let goal = Goal { all_shortest, ..Goal::proof().max_length(length).solutions(solutions).threads(threads) };
        let cube = &self.ways[way].cube;
        let search = OptimalSearch::new(self.tables, table, cube, threads, &self.control);
        self.running = Some(Running::Table(Box::new((search, incumbent.part(cube, goal)))));
    }

    /// Advances the proof of a way. Returns its answer if it has ended.
    fn advance_with_table(&mut self, incumbent: &mut Incumbent) -> Option<Result<Solution, SolveError>> {
        let Some(Running::Table(mut running)) = self.running.take() else { return None };
        let (search, own) = &mut *running;
        if !search.advance(own, &mut |_, _| {}) {
            self.running = Some(Running::Table(running));
            return None;
        }
        incumbent.nodes += own.nodes;
        Some(running.1.answer())
    }

    /// Goes on to `next` if the way has no solution of at most `length` moves, or ends a search that was halted.
    fn after_table(&mut self, way: usize, length: u8, error: &SolveError, next: Stage, incumbent: &mut Incumbent) {
        match *error {
            SolveError::NoneWithin { lower_bound, .. } => {
                self.raise(way, lower_bound, incumbent);
                self.stage = next;
                if lower_bound <= length {
                    self.halt(Cancelled::Deadline, incumbent);
                }
            }
            _ => self.halt(Cancelled::ByCaller, incumbent),
        }
    }
}
