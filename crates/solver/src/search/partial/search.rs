//! The shortest solutions to a partial target: distances, then a depth-first search of one length after the other.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

use web_time::Instant;

use super::PartialTarget;
use super::distances::Distances;
use crate::control::{Cancelled, Clock, Control};
use crate::search::avoided_axes::AvoidedAxes;
use crate::search::goal::{Goal, between};
use crate::search::running::{Event, EventSink};
use crate::search::session::Session;
use crate::search::solution::proof::{ProofRecord, ProofSearch};
use crate::search::solution::{Found, Phases, Solution, SolveError, StoppedBy};
use crate::tables::Tables;
use superflip_cube::{Cube, Move};

/// A search to a partial target. It advances one length at a time. If the deadline passes before the distances are known, it finds some
/// way to one cube of the target instead.
pub(crate) struct PartialSearch<'t> {
    tables: &'t Tables,
    target: PartialTarget,
    start: Cube,
    goal: Goal,
    control: Control,
    started: Instant,
    /// Length of the next iteration; `None` before the distances are known.
    length: Option<u8>,
    /// Lower bound on the length.
    bound: u8,
    best: Vec<Found>,
    /// Number of shortest solutions, once they have been counted.
    shortest: Option<u64>,
    nodes: u64,
    record: Option<ProofRecord>,
    halted: Option<Cancelled>,
    /// The search for a way to one cube of the target.
    instead: Option<Session<'t>>,
}

/// Greatest length of a solution in a list.
const LONGEST: u8 = 30;

impl<'t> PartialSearch<'t> {
    pub(crate) fn new(
        tables: &'t Tables,
        target: &PartialTarget,
        start: &Cube,
        goal: &Goal,
        control: &Control,
    ) -> Self {
        Self {
            tables,
            target: target.clone(),
            start: *start,
            goal: goal.clone(),
            control: control.clone(),
            started: Instant::now(),
            length: None,
            bound: 0,
            best: Vec::new(),
            shortest: None,
            nodes: 0,
            record: None,
            halted: None,
            instead: None,
        }
    }

    /// Computes the distances, or searches one length. Returns whether the search has ended.
    pub(crate) fn advance(&mut self, sink: EventSink<'_>) -> bool {
        if let Some(session) = &mut self.instead {
            return session.advance(&mut |event, nodes| {
                // A bound of that session is one of the cube, not of the target.
                if let Event::Solution(_) = event {
                    sink(event, nodes);
                }
            });
        }
        let target = self.target.clone();
        match (target.distances(&self.control), self.length) {
            (Ok(distances), None) => self.begin(distances, sink),
            (Ok(distances), Some(length)) => return self.iterate(distances, length, sink),
            (Err(Cancelled::ByCaller), _) => {
                self.halted = Some(Cancelled::ByCaller);
                return true;
            }
            (Err(Cancelled::Deadline), _) => {
                self.halted = Some(Cancelled::Deadline);
                let cube = between(&self.start, target.example());
                let goal = Goal { max_length: self.goal.max_length, ..Goal::default() };
                self.instead = Some(Session::new(AvoidedAxes::default(), self.tables, &cube, &goal, &self.control));
            }
        }
        false
    }

    fn begin(&mut self, distances: &Distances, sink: EventSink<'_>) {
        self.bound = distances.get(self.target.values_of(&self.start));
        self.length = Some(self.bound);
        self.record = (self.goal.is_proof || self.goal.is_recorded).then(|| ProofRecord::new(self.bound));
        sink(Event::LowerBound(self.bound), self.nodes);
    }

    /// Collects the solutions of a length. Returns whether the search has ended.
    fn iterate(&mut self, distances: &Distances, length: u8, sink: EventSink<'_>) -> bool {
        let most = self.goal.max_length.unwrap_or(LONGEST);
        if length > most {
            return true;
        }
        let (wanted, counts_all) = (self.goal.solutions.max(1), self.goal.all_shortest);
        let mut walk = Walk {
            distances,
            clock: Clock::new(&self.control),
            path: Vec::with_capacity(length.into()),
            found: Vec::new(),
            count: 0,
            limit: wanted - self.best.len(),
            counts_all,
        };
        let halt = walk.from(self.target.values_of(&self.start), length).err();
        let (found, count) = (walk.found, walk.count);
        self.nodes += walk.clock.nodes();
        let is_first = self.best.is_empty();
        self.best.extend(found.into_iter().map(|moves| Found { moves: moves.into(), phases: Phases::Optimal }));
        if let Some(record) = &mut self.record {
            let best = self.best.first().map(|best| best.len() as u8);
            record.add(ProofSearch::Table, Some(length), self.bound, best, self.nodes);
            if let Some(proof) = record.news() {
                sink(Event::Proof(proof), self.nodes);
            }
        }
        if let Some(best) = self.best.first().filter(|_| is_first) {
            sink(Event::Solution(best.clone()), self.nodes);
        }
        self.halted = halt;
        self.shortest = (counts_all && halt.is_none()).then_some(count);
        self.length = Some(length + 1);
        halt.is_some() || counts_all || self.goal.is_proof || self.best.len() >= wanted
    }

    /// Returns the solution of a search that has ended.
    ///
    /// # Errors
    /// When the search was cancelled, or found nothing within `max_length`.
    pub(crate) fn solution(self) -> Result<Solution, SolveError> {
        if self.halted == Some(Cancelled::ByCaller) {
            return Err(SolveError::Cancelled { nodes: self.nodes });
        }
        if let Some(session) = self.instead {
            return match session.solution() {
                Ok(solution) => Ok(Solution { lower_bound: 0, stopped_by: StoppedBy::TimeLimit, ..solution }),
                Err(SolveError::NoneWithin { max_length, best_length, nodes, .. }) => {
                    Err(SolveError::NoneWithin { max_length, best_length, lower_bound: 0, nodes })
                }
                Err(error) => Err(error),
            };
        }
        let (nodes, lower_bound) = (self.nodes, self.bound);
        let is_full = self.best.len() >= self.goal.solutions.max(1);
        let mut best = self.best.into_iter();
        let Some(first) = best.next() else {
            let Some(max_length) = self.goal.max_length.filter(|most| *most < lower_bound) else {
                return Err(SolveError::Cancelled { nodes });
            };
            return Err(SolveError::NoneWithin { max_length, best_length: lower_bound, lower_bound, nodes });
        };
        Ok(Solution {
            stopped_by: match self.halted {
                Some(_) if !is_full => StoppedBy::TimeLimit,
                _ => StoppedBy::ProvenOptimal,
            },
            moves: first.moves,
            phases: first.phases,
            others: best.collect(),
            optimal_solutions: self.shortest,
            proof: self.record.map(ProofRecord::finish),
            metric: self.goal.metric,
            lower_bound,
            profile: self.tables.profile(),
            nodes,
            elapsed: self.started.elapsed(),
        })
    }
}

/// The depth-first search of one length.
struct Walk<'d, 'c> {
    distances: &'d Distances,
    clock: Clock<'c>,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
    count: u64,
    /// Number of solutions to keep.
    limit: usize,
    /// Whether all solutions are counted.
    counts_all: bool,
}

impl Walk<'_, '_> {
    /// Collects the solutions of exactly `left` moves from a pair of values.
    fn from(&mut self, at: [u32; 2], left: u8) -> Result<(), Cancelled> {
        self.clock.tick()?;
        if left == 0 {
            self.count += 1;
            if self.found.len() < self.limit {
                self.found.push(self.path.clone());
            }
            return Ok(());
        }
        // Moves that go on from the target make no solution of their own.
        if self.distances.get(at) == 0 {
            return Ok(());
        }
        for mv in Move::ALL {
            if self.path.last().is_some_and(|&last| !mv.may_follow(last)) {
                continue;
            }
            let next = self.distances.after(at, mv);
            if self.distances.get(next) < left {
                self.path.push(mv);
                self.from(next, left - 1)?;
                self.path.pop();
            }
            if self.found.len() >= self.limit && !self.counts_all {
                break;
            }
        }
        Ok(())
    }
}
