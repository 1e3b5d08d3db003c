//! A search for the target that is reached soonest, if the goal names several.
//!
//! A *way* is one target, as the cube that the moves to this target solve. All ways share one incumbent:
//!
//! ```text
//!   near search     length 0, 1, 2 ... : every way whose lower bound allows it
//!        |          until a length has a solution, or NEAR_NODES are spent
//!        v
//!   two-phase       round 1, 2 ... : every way, each round with several times the nodes of the last
//!        |          until the goal is met, or the deadline
//!        v          a proof runs one round only, for a short incumbent
//!   coset table     the length of the least lower bound, the next one ... : every way whose lower bound allows it
//!                   until a length has a solution
//! ```
//!
//! A length is exhausted for all ways before the next one is searched, so the first solution of the near search or of the table is
//! optimal. The lower bound of the search is the least lower bound of its ways. A two-phase search of a way begins anew in each
//! round, with the incumbent of all ways as its upper bound: a search that waits holds up to 200 kB, and there may be a
//! thousand.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

mod partial;
mod rounds;
mod table;

use std::collections::HashSet;

pub(crate) use partial::PartialSearch;

use super::directions::Direction;
use super::goal::between;
use super::incumbent::{EventSink, Incumbent};
use super::near::{Near, REACH};
use super::optimal::OptimalSearch;
use super::solution::Phases;
use super::solution::proof::ProofSearch;
use super::two_phase::TwoPhase;
use crate::control::{Cancelled, Clock, Control};
use crate::tables::{OptimalTable, Tables};
use superflip_cube::Cube;

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
    Table(Box<(OptimalSearch<'t>, Incumbent)>),
}

/// A search for several targets. It advances in steps, as a [`Session`](super::session::Session) does.
pub(crate) struct TargetsSearch<'t> {
    tables: &'t Tables,
    table: Option<&'t OptimalTable>,
    control: Control,
    /// The ways, in the order of their first lower bounds.
    ways: Vec<Way>,
    stage: Stage,
    running: Option<Running<'t>>,
}

impl<'t> TargetsSearch<'t> {
    pub(crate) fn new(
        tables: &'t Tables,
        table: Option<&'t OptimalTable>,
        control: &Control,
        incumbent: &mut Incumbent,
    ) -> Self {
        let start = incumbent.best.start();
        let targets = &incumbent.goal().targets;
        let mut known = HashSet::new();
        let cubes = targets.iter().filter(|target| known.insert(**target)).map(|target| between(start, target));
        let way = |cube| Way { lower_bound: Direction::lower_bound(&Direction::all(tables, &cube)), cube };
        let mut ways: Vec<Way> = cubes.map(way).collect();
        ways.sort_by_key(|way| way.lower_bound);
        let length = ways.first().map_or(0, |way| way.lower_bound);
        incumbent.begin_record(length);
        Self { tables, table, control: control.clone(), ways, stage: Stage::Near { length, way: 0 }, running: None }
    }

    /// Searches one way for some time, and reports events. Returns whether the search has ended.
    pub(crate) fn advance(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> bool {
        match self.stage {
            Stage::Near { length, way } => self.near(length, way, incumbent),
            Stage::Collect { length, way } => self.collect(length, way, incumbent),
            Stage::Round { nodes, way } => self.round(nodes, way, incumbent, sink),
            Stage::Any => self.any(incumbent, sink),
            Stage::Table { length, way } => self.prove(length, way, incumbent),
            Stage::CollectWithTable { way } => self.collect_with_table(way, incumbent),
            Stage::Over => {}
        }
        incumbent.report(sink);
        matches!(self.stage, Stage::Over)
    }

    /// Raises the lower bound of a way, and with it that of the search: the least of all ways.
    fn raise(&mut self, way: usize, lower_bound: u8, incumbent: &mut Incumbent) {
        let known = &mut self.ways[way].lower_bound;
        *known = (*known).max(lower_bound);
        incumbent.raise(self.ways.iter().map(|way| way.lower_bound).min().unwrap_or(0));
    }

    /// Raises the lower bounds of all ways, because shorter lengths are exhausted.
    fn raise_all(&mut self, lower_bound: u8, incumbent: &mut Incumbent) {
        self.ways.iter_mut().for_each(|way| way.lower_bound = way.lower_bound.max(lower_bound));
        incumbent.raise(lower_bound);
    }

    /// Returns the next way from `way` on whose lower bound allows solutions of a length.
    fn next_way(&self, way: usize, length: u8) -> Option<usize> {
        (way..self.ways.len()).find(|&way| self.ways[way].lower_bound <= length)
    }

    /// Returns the near search of a way.
    fn near_of(&self, way: usize) -> Near<'t> {
        let cube = &self.ways[way].cube;
        Near::new(self.tables, cube, &Direction::all(self.tables, cube))
    }

    fn near(&mut self, length: u8, way: usize, incumbent: &mut Incumbent) {
        let is_enough = !incumbent.goal().is_proof && incumbent.nodes > NEAR_NODES;
        if length > REACH.min(incumbent.longest()) || is_enough {
            return self.after_near(incumbent);
        }
        let Some(way) = self.next_way(way, length) else {
            incumbent.record(ProofSearch::Near, Some(length));
            self.stage = Stage::Near { length: length + 1, way: 0 };
            return;
        };
        let mut clock = Clock::new(&self.control);
        let found = self.near_of(way).of_length(length, &mut clock);
        incumbent.nodes += clock.nodes();
        match found {
            Ok(Some(moves)) => {
                incumbent.offer(moves, Phases::Near);
                self.raise_all(length, incumbent);
                incumbent.record(ProofSearch::Near, Some(length));
                let lists_several = incumbent.best.wants_several() || incumbent.goal().all_shortest;
                self.stage = if lists_several { Stage::Collect { length, way: 0 } } else { Stage::Over };
            }
            Ok(None) => {
                self.raise(way, length + 1, incumbent);
                self.stage = Stage::Near { length, way: way + 1 };
            }
            Err(halt) => self.halt(halt, incumbent),
        }
    }

    /// Begins what follows the near search.
    fn after_near(&mut self, incumbent: &mut Incumbent) {
        self.stage = if incumbent.lower_bound() > incumbent.longest() {
            Stage::Any
        } else if incumbent.goal().is_proof && self.table.is_none() {
            incumbent.leave_unproven();
            Stage::Over
        } else {
            FIRST_ROUND
        };
    }

    /// Ends the search early. Without a solution it first finds one, unless it was cancelled.
    fn halt(&mut self, halt: Cancelled, incumbent: &mut Incumbent) {
        incumbent.halt(halt);
        self.running = None;
        let has_to_find = !incumbent.is_found() && halt == Cancelled::Deadline;
        self.stage = if has_to_find { Stage::Any } else { Stage::Over };
    }

    /// Returns what follows once the incumbent is proven optimal.
    fn when_proven(incumbent: &Incumbent) -> Stage {
        if !incumbent.goal().all_shortest || !incumbent.is_found() {
            return Stage::Over;
        }
        match incumbent.best.best() {
            length if length <= REACH => Stage::Collect { length, way: 0 },
            _ => Stage::CollectWithTable { way: 0 },
        }
    }

    /// Collects the solutions of a way that are as long as the incumbent.
    fn collect(&mut self, length: u8, way: usize, incumbent: &mut Incumbent) {
        let wanted = incumbent.goal().kept();
        let Some(way) = self.next_way(way, length) else {
            incumbent.record(ProofSearch::Near, Some(length));
            let is_over = incumbent.goal().is_proof || incumbent.best.found().len() >= wanted;
            self.stage = if is_over { Stage::Over } else { FIRST_ROUND };
            return;
        };
        let mut clock = Clock::new(&self.control);
        let (all, halt) = self.near_of(way).collect(length, wanted, &mut clock);
        incumbent.nodes += clock.nodes();
        incumbent.collect(all.first, Phases::Near, all.count);
        match halt {
            None => self.stage = Stage::Collect { length, way: way + 1 },
            Some(halt) => self.halt(halt, incumbent),
        }
    }
}
