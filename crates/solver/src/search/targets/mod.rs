//! A search for the target that is reached soonest, if the goal names several.
//!
//! A *way* is one target, as the cube that the moves to this target solve. All ways share one incumbent:
//!
//! ```text
//!   near search     length 0, 1, 2 ... : every way whose lower bound allows it
//!        |          until a length has a solution, or NEAR_NODES are spent
//!        v
//!   two-phase       round 1, 2 ... : every way, each round with several times the nodes of the last one
//!        |          until the goal is met, or the deadline
//!        v          a proof runs one round only, for a short incumbent
//!   coset table     the length of the least lower bound, the next one ... : every way whose lower bound allows it
//!                   until a length has a solution
//! ```
//!
//! A length is exhausted for all ways before the next one is searched, so the first solution of the near search or of the table is
//! optimal. The lower bound of the search is the least of those of its ways. A two-phase search of a way begins anew in each
//! round, with the incumbent of all ways as its upper bound: a search that waits holds up to 200 kB, and there may be a
//! thousand.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

mod answer;
mod rounds;
mod table;

use std::collections::HashSet;

use web_time::Instant;

use super::directions::Direction;
use super::goal::{Goal, between};
use super::near::{Near, REACH};
use super::optimal::OptimalSearch;
use super::running::{Event, EventSink};
use super::session::{GODS_NUMBER, MAX_LENGTH, replay};
use super::solution::proof::{ProofRecord, ProofSearch};
use super::solution::{Found, Phases};
use super::two_phase::TwoPhase;
use crate::control::{Cancelled, Clock, Control};
use crate::tables::{OptimalTable, Tables};
use superflip_cube::{Cube, Move};

/// Nodes of the near search before the two-phase search begins, unless the goal is a proof: a few milliseconds.
const NEAR_NODES: u64 = 50_000;
/// Nodes of the first round of the two-phase search, for each way.
const ROUND_NODES: u64 = 10_000;

/// One target.
struct Way {
    /// Cube that the moves to the target solve.
    cube: Cube,
    /// Lower bound on the number of these moves.
    lower_bound: u8,
}

/// What the search does next.
#[derive(Clone, Copy)]
enum Stage {
    /// Near search of a way for solutions of a length.
    Near { length: u8, way: usize },
    /// Collection of all solutions of the least length, by the near search.
    Collect { length: u8, way: usize },
    /// Two-phase search of a way.
    Round { nodes: u64, way: usize },
    /// Two-phase search of the first way for any solution, after the deadline.
    Any,
    /// Proof with the coset table: a way, for solutions of a length.
    Table { length: u8, way: usize },
    /// Collection of all solutions of the least length, with the coset table.
    CollectWithTable { way: usize },
    /// The search has ended.
    Over,
}

const FIRST_ROUND: Stage = Stage::Round { nodes: ROUND_NODES, way: 0 };

/// The search of a way that is under way.
enum Running<'t> {
    TwoPhase(Box<TwoPhase<'t>>),
    Table(Box<OptimalSearch<'t>>),
}

/// A search for several targets. It advances in steps, as a [`Session`](super::session::Session) does.
pub(crate) struct TargetsSearch<'t> {
    tables: &'t Tables,
    table: Option<&'t OptimalTable>,
    goal: Goal,
    /// Number of solutions to keep. A proof keeps one until it collects all of the optimal length.
    wanted: usize,
    /// Length at which the search ends; 0 for a proof.
    target: u8,
    control: Control,
    started: Instant,
    /// The ways, in the order of their first lower bounds.
    ways: Vec<Way>,
    /// The best solutions so far, shortest first.
    best: Vec<Found>,
    stage: Stage,
    running: Option<Running<'t>>,
    nodes: u64,
    /// Number of optimal solutions, once they have been counted.
    optimal_solutions: Option<u64>,
    record: Option<ProofRecord>,
    halted: Option<Cancelled>,
    /// Whether the near search was not enough, and there is no coset table.
    is_unproven: bool,
    /// Length and lower bound that were reported.
    reported: (usize, u8),
}

impl<'t> TargetsSearch<'t> {
    pub(crate) fn new(
        tables: &'t Tables,
        table: Option<&'t OptimalTable>,
        start: &Cube,
        goal: &Goal,
        control: &Control,
    ) -> Self {
        let started = Instant::now();
        let mut known = HashSet::new();
        let cubes = goal.targets.iter().filter(|target| known.insert(**target)).map(|target| between(start, target));
        let way = |cube| Way { lower_bound: Direction::lower_bound(&Direction::all(tables, &cube)), cube };
        let mut ways: Vec<Way> = cubes.map(way).collect();
        ways.sort_by_key(|way| way.lower_bound);
        let first = ways.first().map_or(0, |way| way.lower_bound);
        Self {
            tables,
            table,
            goal: Goal { targets: Vec::new(), ..goal.clone() },
            wanted: if goal.is_proof { 1 } else { goal.solutions.max(1) },
            target: if goal.is_proof { 0 } else { goal.target_length },
            control: control.clone(),
            started,
            ways,
            best: Vec::new(),
            stage: Stage::Near { length: first, way: 0 },
            running: None,
            nodes: 0,
            optimal_solutions: None,
            record: (goal.is_proof || goal.is_recorded).then(|| ProofRecord::new(first)),
            halted: None,
            is_unproven: false,
            reported: (usize::MAX, 0),
        }
    }

    /// Searches one way for some time, and reports events. Returns whether the search has ended.
    pub(crate) fn advance(&mut self, sink: EventSink<'_>) -> bool {
        match self.stage {
            Stage::Near { length, way } => self.near(length, way),
            Stage::Collect { length, way } => self.collect(length, way),
            Stage::Round { nodes, way } => self.round(nodes, way),
            Stage::Any => self.any(),
            Stage::Table { length, way } => self.prove(length, way),
            Stage::CollectWithTable { way } => self.collect_with_table(way),
            Stage::Over => {}
        }
        self.report(sink);
        matches!(self.stage, Stage::Over)
    }

    /// Reports a shorter solution and a higher lower bound.
    fn report(&mut self, sink: EventSink<'_>) {
        let longest = self.goal.max_length.map_or(usize::MAX, usize::from);
        if let Some(found) = self.best.first().filter(|found| found.len() < self.reported.0 && found.len() <= longest) {
            self.reported.0 = found.len();
            sink(Event::Solution(found.clone()), self.nodes);
        }
        let bound = self.lower_bound();
        if bound > self.reported.1 {
            self.reported.1 = bound;
            sink(Event::LowerBound(bound), self.nodes);
        }
        if let Some(proof) = self.record.as_mut().and_then(ProofRecord::news) {
            sink(Event::Proof(proof), self.nodes);
        }
    }

    /// Returns the least lower bound of the ways, at most the length of the incumbent.
    fn lower_bound(&self) -> u8 {
        let least = self.ways.iter().map(|way| way.lower_bound).min().unwrap_or(0);
        least.min(self.length().unwrap_or(u8::MAX))
    }

    /// Returns the length of the incumbent.
    fn length(&self) -> Option<u8> {
        self.best.first().map(|found| found.len() as u8)
    }

    /// Returns the coset table, if the goal asks for a proof or for the shortest solution.
    fn proof_table(&self) -> Option<&'t OptimalTable> {
        self.table.filter(|_| self.target == 0 && self.wanted == 1)
    }

    /// Adds a solution of a way to the best ones.
    fn offer(&mut self, way: usize, found: Found) {
        replay(&self.ways[way].cube, &found.moves);
        if !self.best.contains(&found) {
            let at = self.best.partition_point(|known| known.len() <= found.len());
            self.best.insert(at, found);
            self.best.truncate(self.wanted);
        }
    }

    fn raise(&mut self, way: usize, lower_bound: u8) {
        let known = &mut self.ways[way].lower_bound;
        *known = (*known).max(lower_bound);
    }

    /// Returns the next way from `way` on whose lower bound allows solutions of a length.
    fn next_way(&self, way: usize, length: u8) -> Option<usize> {
        (way..self.ways.len()).find(|&way| self.ways[way].lower_bound <= length)
    }

    fn add_to_record(&mut self, search: ProofSearch, length: Option<u8>) {
        let (bound, best, nodes) = (self.lower_bound(), self.length(), self.nodes);
        if let Some(record) = &mut self.record {
            record.add(search, length, bound, best, nodes);
        }
    }

    fn near(&mut self, length: u8, way: usize) {
        let longest = self.goal.max_length.unwrap_or(u8::MAX);
        let is_enough = !self.goal.is_proof && self.nodes > NEAR_NODES;
        if length > REACH.min(longest) || is_enough {
            return self.after_near();
        }
        let Some(way) = self.next_way(way, length) else {
            self.add_to_record(ProofSearch::Near, Some(length));
            self.stage = Stage::Near { length: length + 1, way: 0 };
            return;
        };
        let cube = self.ways[way].cube;
        let mut clock = Clock::new(&self.control);
        let found = Near::new(self.tables, &cube, &Direction::all(self.tables, &cube)).of_length(length, &mut clock);
        self.nodes += clock.nodes();
        match found {
            Ok(Some(moves)) => {
                self.offer(way, near_solution(moves));
                // Shorter lengths are exhausted for all ways.
                (0..self.ways.len()).for_each(|way| self.raise(way, length));
                self.add_to_record(ProofSearch::Near, Some(length));
                self.stage = if self.wanted > 1 { self.begin_to_collect(length) } else { self.when_proven() };
            }
            Ok(None) => {
                self.raise(way, length + 1);
                self.stage = Stage::Near { length, way: way + 1 };
            }
            Err(halt) => self.halt(halt),
        }
    }

    /// Begins what follows the near search.
    fn after_near(&mut self) {
        let longest = self.goal.max_length.unwrap_or(u8::MAX);
        self.stage = if self.lower_bound() > longest {
            Stage::Any
        } else if self.goal.is_proof && self.table.is_none() {
            self.is_unproven = true;
            Stage::Over
        } else {
            FIRST_ROUND
        };
    }

    /// Ends the search early. Without a solution it first finds one, unless it was cancelled.
    fn halt(&mut self, halt: Cancelled) {
        self.halted = Some(halt);
        self.running = None;
        let has_to_find = self.best.is_empty() && halt == Cancelled::Deadline;
        self.stage = if has_to_find { Stage::Any } else { Stage::Over };
    }

    /// Returns what follows once the incumbent is proven optimal.
    fn when_proven(&mut self) -> Stage {
        match self.length().filter(|_| self.goal.all_shortest) {
            Some(length) => self.begin_to_collect(length),
            None => Stage::Over,
        }
    }

    fn begin_to_collect(&mut self, length: u8) -> Stage {
        self.wanted = self.goal.solutions.max(1);
        if length <= REACH { Stage::Collect { length, way: 0 } } else { Stage::CollectWithTable { way: 0 } }
    }

    /// Collects the solutions of a way that are as long as the incumbent.
    fn collect(&mut self, length: u8, way: usize) {
        let Some(way) = self.next_way(way, length) else {
            self.add_to_record(ProofSearch::Near, Some(length));
            let is_over = self.goal.is_proof || self.best.len() >= self.wanted;
            self.stage = if is_over { Stage::Over } else { FIRST_ROUND };
            return;
        };
        let cube = self.ways[way].cube;
        let near = Near::new(self.tables, &cube, &Direction::all(self.tables, &cube));
        let mut clock = Clock::new(&self.control);
        let (all, halt) = near.collect(length, self.wanted, &mut clock);
        self.nodes += clock.nodes();
        for moves in all.first {
            self.offer(way, near_solution(moves));
        }
        match halt {
            None => {
                let counted = self.optimal_solutions.unwrap_or(0);
                self.optimal_solutions = self.goal.all_shortest.then_some(counted + all.count);
                self.stage = Stage::Collect { length, way: way + 1 };
            }
            Some(halt) => {
                self.optimal_solutions = None;
                self.halt(halt);
            }
        }
    }

    /// Returns the upper bound: the greatest length that is an improvement.
    fn at_most(&self) -> u8 {
        let allowed = self.goal.max_length.unwrap_or(MAX_LENGTH).min(GODS_NUMBER.max(self.target));
        let worst = self.best.last().filter(|_| self.best.len() >= self.wanted);
        worst.map_or(allowed, |worst| allowed.min((worst.len() as u8).saturating_sub(1)))
    }

    /// Returns whether as many solutions as wanted have at most the target length.
    fn is_complete(&self) -> bool {
        let worst = self.best.last().filter(|_| self.best.len() >= self.wanted);
        worst.is_some_and(|worst| worst.len() <= self.target.into())
    }
}

fn near_solution(moves: Vec<Move>) -> Found {
    Found { moves: moves.into(), phases: Phases::Near }
}
