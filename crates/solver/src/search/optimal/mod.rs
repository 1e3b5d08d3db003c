//! Optimal solutions with proof: IDA* with the coset tables (Korf 1997), on all threads.
//!
//! ```text
//!   near search and a short two-phase search --> length = lower bound
//!                    .-----------------------------'
//!                    v
//!   two-phase search, a share of the expected time --> exhaust the length --> length + 1 ...
//!                    until the length equals that of the incumbent
//! ```
//!
//! The section "Proofs" of `docs/search.md` explains iterations, sides and the search in QTM.
#![allow(clippy::cast_possible_truncation)] // indices of moves and lengths of maneuvers fit in 8 bits; the innermost loops convert them at each node

mod deepen;
mod walker;

use std::time::Duration;

use deepen::{Collection, DeepeningContext, symmetries};
use web_time::Instant;

use crate::control::{Cancelled, Control};
use crate::search::goal::Goal;
use crate::search::incumbent::{EventSink, Incumbent};
use crate::search::optimal::walker::FallbackBound;
use crate::search::session::Session;
use crate::search::solution::{Phases, ProofSearch};
use crate::search::two_phase::{of_parity, parity_of};
use crate::tables::optimal::OptimalTable;
use crate::tables::pruning::near::{self, NearSet};
use crate::tables::{MetricTables, Tables};
use superflip_cube::Cube;

/// The first two-phase search.
const QUICK: Budget = Budget { nodes: 20_000, time: Duration::from_millis(2) };
/// Expected ratio of an iteration to the previous iteration, in nodes and in time.
const GROWTH: u32 = 13;
/// The same in QTM, where an iteration has two quarter turns more.
const QTM_GROWTH: u32 = 88;
/// The two-phase search gets the expected time of the iteration divided by this number.
const SHARE: u32 = 10;

/// Nodes of a two-phase search before an iteration that is divided into rounds: such an iteration is expected to have a million nodes.
const LONG: u64 = 1_000_000 / SHARE as u64;

/// Limit of a two-phase search. On one thread, nodes are limited, so that a proof can be repeated. Several threads search whole levels of
/// unknown size, so time is limited.
#[derive(Clone, Copy)]
struct Budget {
    nodes: u64,
    time: Duration,
}

/// A proof that advances one iteration at a time. Of the goal, `max_length` and `threads` apply, and with `all_shortest`
/// also `solutions`, the number of solutions to list.
pub(crate) struct OptimalSearch<'t> {
    tables: &'t Tables,
    /// The tables of QTM, for a proof in QTM.
    qtm: Option<&'t MetricTables>,
    context: DeepeningContext<'t>,
    /// Limit of the next two-phase search.
    budget: Budget,
    /// Whether all optimal solutions were collected.
    is_collected: bool,
}

impl<'t> OptimalSearch<'t> {
    pub(crate) fn new(
        tables: &'t Tables,
        table: &'t OptimalTable,
        cube: &Cube,
        threads: usize,
        control: &Control,
    ) -> Self {
        let bounds = [*cube, cube.inverse()].map(|side| table.bound_at(table.index().of_cube(&side)));
        let base = table.base();
        let context = DeepeningContext {
            table,
            near_set: tables.near(),
            cube: *cube,
            bounds,
            fallback: bounds.into_iter().all(|bound| bound < base).then(|| FallbackBound::new(tables, base)).flatten(),
            symmetries: symmetries(cube),
            control: control.clone(),
            threads: threads.max(1),
        };
        Self { tables, qtm: None, context, budget: QUICK, is_collected: false }
    }

    /// Creates a proof in QTM, with a coset table in QTM.
    pub(crate) fn in_qtm(
        tables: &'t Tables,
        qtm: &'t MetricTables,
        table: &'t OptimalTable,
        cube: &Cube,
        threads: usize,
        control: &Control,
    ) -> Self {
        let mut search = Self::new(tables, table, cube, threads, control);
        let base = table.base();
        let context = &mut search.context;
        context.near_set = NearSet { words: &near::IN_QTM, radius: near::RADIUS, half_turn: 2 };
        let is_near = context.bounds.into_iter().all(|bound| bound < base);
        context.fallback = is_near.then(|| FallbackBound::in_metric(qtm, base));
        Self { qtm: Some(qtm), ..search }
    }

    /// Returns the least length from `bound` on that a solution may have.
    fn of_parity(&self, bound: u8) -> u8 {
        of_parity(bound, self.qtm.and_then(|qtm| parity_of(qtm.metric(), &self.context.cube)))
    }

    /// Returns the bound of the coset table.
    fn table_bound(&self) -> u8 {
        self.context.bounds.into_iter().fold(0, u8::max)
    }

    /// Runs the first two-phase search, or an iteration, or collects all solutions. Returns whether the proof has ended.
    pub(crate) fn advance(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> bool {
        let longest = incumbent.longest();
        let counts_all = incumbent.goal().all_shortest;
        if !incumbent.is_found() {
            self.two_phases(0, incumbent, sink);
            incumbent.raise(self.of_parity(self.table_bound()));
        // If the bound exceeds `max_length`, no acceptable solution exists.
        } else if incumbent.lower_bound() < incumbent.best.best() && incumbent.lower_bound() <= longest {
            self.iterate(incumbent, sink);
        } else if counts_all && incumbent.best.best() <= longest {
            let length = incumbent.best.best();
            let collection = Collection::new(self.context.near_set, incumbent.goal().kept());
            let deepened = self.context.collect(length, &collection);
            let (count, first) = collection.finish();
            incumbent.nodes += deepened.nodes;
            incumbent.collect(first, Phases::Optimal, count);
            if let Some(halted) = deepened.halted {
                incumbent.halt(halted);
            }
            self.is_collected = true;
            incumbent.record(ProofSearch::Table, Some(length));
        }
        incumbent.report(sink);
        let bound = incumbent.lower_bound();
        let has_more = bound < incumbent.best.best() || (counts_all && !self.is_collected);
        incumbent.halted().is_some() || bound > longest || !has_more
    }

    /// Looks for a solution of the length of the lower bound, or raises the bound.
    fn iterate(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) {
        if self.budget.nodes > QUICK.nodes {
            self.two_phases(incumbent.lower_bound(), incumbent, sink);
            if incumbent.halted().is_some() || incumbent.lower_bound() >= incumbent.best.best() {
                return;
            }
        }
        let length = incumbent.lower_bound();
        let began = Instant::now();
        let deepened = self.context.deepen(length, self.budget.nodes >= LONG);
        let growth = if self.qtm.is_some() { QTM_GROWTH } else { GROWTH };
        self.budget = Budget {
            nodes: deepened.nodes.saturating_mul(growth.into()) / u64::from(SHARE),
            time: began.elapsed() * growth / SHARE,
        };
        incumbent.nodes += deepened.nodes;
        match (deepened.found, deepened.halted) {
            (Some(moves), _) => incumbent.offer(moves, Phases::Optimal),
            (None, Some(halted)) => incumbent.halt(halted),
            (None, None) => incumbent.raise(self.of_parity(length + 1)),
        }
        incumbent.record(ProofSearch::Table, Some(length));
    }

    /// Runs the two-phase search within the budget, or until it finds a solution of `target` moves. If no solution is known, it continues
    /// until there is one.
    fn two_phases(&mut self, target: u8, incumbent: &mut Incumbent, sink: EventSink<'_>) {
        let threads = self.context.threads;
        let (control, mut most_nodes) = match threads {
            1 => (self.context.control.clone(), self.budget.nodes),
            _ => (self.context.control.until(Instant::now() + self.budget.time), u64::MAX),
        };
        let before = incumbent.nodes;
        let is_first = !incumbent.is_found();
        let cube = &self.context.cube;
        let Goal { metric, is_proof, is_recorded, .. } = *incumbent.goal();
        let goal = Goal { is_recorded: is_proof || is_recorded, ..Goal::default() };
        let mut found = incumbent.part(cube, goal.target_length(target).threads(threads).metric(metric));
        let mut session = match self.qtm {
            Some(qtm) => Session::in_metric(qtm, cube, &control, &mut found),
            None => Session::new(self.tables, cube, &control, &mut found),
        };
        if is_first {
            incumbent.continue_record(&mut found);
            incumbent.cite(self.context.table, self.table_bound());
        }
        while !session.advance(&mut found, &mut |event, nodes| incumbent.hear(event, before + nodes, sink)) {
            if found.nodes < most_nodes {
                continue;
            }
            if found.is_found() || !is_first {
                break;
            }
            session.any(&mut found);
            most_nodes = u64::MAX;
        }
        incumbent.nodes = before + found.nodes;
        incumbent.raise(self.of_parity(found.lower_bound()));
        if found.is_cancelled() {
            incumbent.halt(Cancelled::ByCaller);
        }
        incumbent.record(ProofSearch::TwoPhase, None);
    }
}
