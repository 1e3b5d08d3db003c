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
//! - **Iterations.** The search tries one length after the other, starting at the lower bound. If a length has no
//!   solution, the lower bound rises by one. The proof is complete when the lower bound equals the length of the
//!   incumbent.
//! - **Two-phase search.** The last iteration, at the length of the optimal solution, takes most of the time. It is not
//!   needed if a solution of that length is known. So the two-phase search runs again before each iteration.
//! - **Sides.** A node stores the cube and its inverse, its two *sides*. Both are looked up. If the bound of one side
//!   equals the moves left, the node is expanded on the other side, where half turns are pruned.
//! - **Last five moves.** A look-up in the near set decides.
//! - **QTM.** Half turns count two. The parity of the corners is that of every length, so the lengths rise by two.
#![allow(clippy::cast_possible_truncation)] // indices of moves and lengths of maneuvers fit in 8 bits; the innermost loops convert them at each node

mod all_solutions;
mod deepen;
mod fallback_bound;
mod node;
mod root_branches;
mod walker;

use std::time::Duration;

use web_time::Instant;

use all_solutions::{CollectedSolutions, Collection};
use deepen::DeepeningContext;
use fallback_bound::FallbackBound;

use crate::control::{Cancelled, Control};
use crate::search::avoided_axes::AvoidedAxes;
use crate::search::goal::Goal;
use crate::search::running::{Event, EventSink};
use crate::search::session::{Session, replay};
use crate::search::solution::proof::{ProofRecord, ProofSearch};
use crate::search::solution::{Found, Phases, Solution, SolveError, StoppedBy};
use crate::tables::optimal::OptimalTable;
use crate::tables::pruning::near::{self, NearSet};
use crate::tables::{MetricTables, Tables};
use superflip_cube::{Corner, Cube, Move, parity};

/// The first two-phase search.
const QUICK: Budget = Budget { nodes: 20_000, time: Duration::from_millis(2) };
/// Expected ratio of an iteration to the previous iteration, in nodes and in time.
const GROWTH: u32 = 13;
/// The same in QTM, where an iteration has two quarter turns more.
const QTM_GROWTH: u32 = 88;
/// The two-phase search gets the expected time of the iteration divided by this number.
const SHARE: u32 = 10;

/// Limit of a two-phase search. On one thread, nodes are limited, so that a proof can be repeated. Several threads search whole levels of
/// unknown size, so time is limited.
#[derive(Clone, Copy)]
struct Budget {
    nodes: u64,
    time: Duration,
}

impl Budget {
    /// Returns a share of the next iteration, given the last one and the growth.
    fn of_next(nodes: u64, time: Duration, growth: u32) -> Self {
        Self { nodes: nodes.saturating_mul(growth.into()) / u64::from(SHARE), time: time * growth / SHARE }
    }
}

/// A proof that advances one iteration at a time. Of the goal, `max_length` and `threads` apply, and with `all_shortest`
/// also `solutions`, the number of solutions to list.
pub(crate) struct OptimalSearch<'t> {
    tables: &'t Tables,
    /// The tables of QTM, for a proof in QTM.
    qtm: Option<&'t MetricTables>,
    context: DeepeningContext<'t>,
    goal: Goal,
    started: Instant,
    /// The incumbent. Its lower bound is not kept up to date.
    best: Option<Solution>,
    /// Lower bound on the length.
    bound: u8,
    /// Last lower bound that was reported.
    reported: u8,
    /// Limit of the next two-phase search.
    budget: Budget,
    record: ProofRecord,
    /// All optimal solutions, if the goal asks for them.
    all: Option<CollectedSolutions>,
    halted: Option<Cancelled>,
}

impl<'t> OptimalSearch<'t> {
    pub(crate) fn new(
        tables: &'t Tables,
        table: &'t OptimalTable,
        cube: &Cube,
        goal: &Goal,
        control: &Control,
    ) -> Self {
        let bounds = [*cube, cube.inverse()].map(|side| table.bound_at(table.index().of_cube(&side)));
        let base = table.size().base();
        let context = DeepeningContext {
            table,
            near_set: tables.near(),
            cube: *cube,
            bounds,
            fallback: bounds.into_iter().all(|bound| bound < base).then(|| FallbackBound::new(tables, base)).flatten(),
            symmetries: root_branches::symmetries(cube),
            control: control.clone(),
            threads: goal.threads.max(1),
        };
        let (best, all, halted) = (None, None, None);
        let record = ProofRecord::new(0).with_table(table, 0);
        let (goal, started) = (goal.clone(), Instant::now());
        let qtm = None;
        Self { tables, qtm, context, goal, started, best, bound: 0, reported: 0, budget: QUICK, record, all, halted }
    }

    /// Creates a proof in QTM, with a coset table in QTM.
    pub(crate) fn in_qtm(
        tables: &'t Tables,
        qtm: &'t MetricTables,
        table: &'t OptimalTable,
        cube: &Cube,
        goal: &Goal,
        control: &Control,
    ) -> Self {
        let mut search = Self::new(tables, table, cube, goal, control);
        let (context, base) = (&mut search.context, table.size().base());
        context.near_set = NearSet { words: &near::IN_QTM, radius: near::RADIUS, half_turn: 2 };
        let is_near = context.bounds.into_iter().all(|bound| bound < base);
        context.fallback = is_near.then(|| FallbackBound::in_metric(qtm, base));
        Self { qtm: Some(qtm), ..search }
    }

    /// Returns the lower bound with the parity that every solution has. In QTM it is that of the corners.
    fn of_parity(&self, bound: u8) -> u8 {
        if self.qtm.is_none() {
            return bound;
        }
        let is_odd = parity(&self.context.cube.corners().map(Corner::index)) == Some(true);
        bound + u8::from((bound % 2 == 1) != is_odd)
    }

    fn length_of(&self, moves: &[Move]) -> u8 {
        self.goal.metric.length(moves) as u8
    }

    /// Runs the first two-phase search, or an iteration, or collects all solutions. Returns whether the proof has ended.
    pub(crate) fn advance(&mut self, sink: EventSink<'_>) -> bool {
        let most = self.goal.max_length.unwrap_or(u8::MAX);
        if self.best.is_none() {
            self.two_phases(0, sink);
            self.raise(self.context.bounds.into_iter().fold(0, u8::max), sink);
        // If the bound exceeds `max_length`, no acceptable solution exists.
        } else if self.bound < self.length() && self.bound <= most {
            self.iterate(sink);
        } else if self.goal.all_shortest && self.length() <= most {
            let collection = Collection::new(self.context.near_set, self.goal.solutions);
            let deepened = self.context.collect(self.length(), &collection);
            self.count(deepened.nodes);
            self.halted = deepened.halted;
            self.all = Some(collection.finish());
            self.add_to_record(ProofSearch::Table, Some(self.length()));
        }
        let has_more = self.bound < self.length() || (self.goal.all_shortest && self.all.is_none());
        let is_over = self.halted.is_some() || self.bound.min(self.length()) > most || !has_more;
        if is_over {
            self.raise(self.bound, sink);
        }
        let nodes = self.nodes();
        if let Some(proof) = self.record.news().filter(|_| self.goal.is_proof) {
            sink(Event::Proof(proof), nodes);
        }
        is_over
    }

    /// Looks for a solution of the length of the lower bound, or raises the bound.
    fn iterate(&mut self, sink: EventSink<'_>) {
        if self.budget.nodes > QUICK.nodes {
            self.two_phases(self.bound, sink);
            if self.halted.is_some() || self.bound >= self.length() {
                return;
            }
        }
        let (length, began) = (self.bound, Instant::now());
        let deepened = self.context.deepen(length);
        let growth = if self.qtm.is_some() { QTM_GROWTH } else { GROWTH };
        self.budget = Budget::of_next(deepened.nodes, began.elapsed(), growth);
        self.count(deepened.nodes);
        self.halted = deepened.halted;
        match deepened.found {
            Some(moves) => self.improve(Found { moves: moves.into(), phases: Phases::Optimal }, sink),
            None if self.halted.is_none() => self.raise(length + 1, sink),
            None => {}
        }
        self.add_to_record(ProofSearch::Table, Some(length));
    }

    fn add_to_record(&mut self, search: ProofSearch, length: Option<u8>) {
        self.record.add(search, length, self.bound, Some(self.length()), self.nodes());
    }

    /// Returns the length of the incumbent.
    fn length(&self) -> u8 {
        self.best.as_ref().map_or(u8::MAX, |best| self.length_of(&best.moves))
    }

    fn count(&mut self, nodes: u64) {
        if let Some(best) = &mut self.best {
            best.nodes += nodes;
        }
    }

    fn nodes(&self) -> u64 {
        self.best.as_ref().map_or(0, |best| best.nodes)
    }

    /// Runs the two-phase search within the budget, or until it finds a solution of `target` moves. If no solution is known, it continues
    /// until there is one.
    fn two_phases(&mut self, target: u8, sink: EventSink<'_>) {
        let threads = self.context.threads;
        let (control, mut most_nodes) = match threads {
            1 => (self.context.control.clone(), self.budget.nodes),
            _ => (self.context.control.until(Instant::now() + self.budget.time), u64::MAX),
        };
        let (before, known, max_length) = (self.nodes(), self.length(), self.goal.max_length.unwrap_or(u8::MAX));
        let is_first = self.best.is_none();
        let metric = self.goal.metric;
        let mut goal = Goal::default().target_length(target).threads(threads).metric(metric);
        goal.is_proof = is_first;
        let mut session = match self.qtm {
            Some(qtm) => Session::in_metric(self.tables, qtm, &self.context.cube, &goal, &control),
            None => Session::new(AvoidedAxes::default(), self.tables, &self.context.cube, &goal, &control),
        };
        if let Some(record) = session.take_record() {
            self.record = record.with_table(self.context.table, self.context.bounds.into_iter().fold(0, u8::max));
        }
        let reported = &mut self.reported;
        while !session.advance(&mut |event, nodes| {
            let is_news = match &event {
                Event::LowerBound(bound) => *bound > *reported,
                Event::Solution(found) => {
                    metric.length(&found.moves) < usize::from(known.min(max_length.saturating_add(1)))
                }
                Event::Proof(_) => false,
            };
            if let Event::LowerBound(bound) = &event {
                *reported = (*reported).max(*bound);
            }
            if is_news {
                sink(event, before + nodes);
            }
        }) {
            if session.nodes() < most_nodes {
                continue;
            }
            if session.has_found() || !is_first {
                break;
            }
            session.any();
            most_nodes = u64::MAX;
        }
        self.bound = self.of_parity(self.bound.max(session.lower_bound()));
        let nodes = before + session.nodes();
        if let Ok(solution) = session.solution() {
            if self.length_of(&solution.moves) < known {
                self.best = Some(solution);
            }
        } else if is_first {
            // A first session without a solution was cancelled.
            self.halted = Some(Cancelled::ByCaller);
        }
        if let Some(best) = &mut self.best {
            best.nodes = nodes;
            self.bound = self.bound.min(self.length());
            self.add_to_record(ProofSearch::TwoPhase, None);
        }
    }

    /// Replaces the incumbent by a shorter solution.
    fn improve(&mut self, found: Found, sink: EventSink<'_>) {
        replay(&self.context.cube, &found.moves);
        if let Some(best) = &mut self.best {
            (best.moves, best.phases) = (found.moves.clone(), found.phases);
        }
        if self.goal.max_length.is_none_or(|max| self.length_of(&found.moves) <= max) {
            sink(Event::Solution(found), self.nodes());
        }
    }

    /// Raises the lower bound.
    fn raise(&mut self, bound: u8, sink: EventSink<'_>) {
        self.bound = self.of_parity(self.bound.max(bound)).min(self.length());
        if self.bound > self.reported {
            self.reported = self.bound;
            sink(Event::LowerBound(self.bound), self.nodes());
        }
    }

    /// Returns the solution of a proof that has ended, with all optimal solutions if the goal asks for them. If the proof
    /// was halted, some of them are missing.
    pub(crate) fn solution(self) -> Result<Solution, SolveError> {
        let nodes = self.nodes();
        let metric = self.goal.metric;
        let mut solution = self.best.ok_or(SolveError::Cancelled { nodes })?;
        if self.halted == Some(Cancelled::ByCaller) {
            return Err(SolveError::Cancelled { nodes });
        }
        let best_length = metric.length(&solution.moves) as u8;
        solution.lower_bound = self.bound.min(best_length);
        if let Some(max_length) = self.goal.max_length.filter(|&max| best_length > max) {
            let lower_bound = solution.lower_bound;
            return Err(SolveError::NoneWithin { max_length, best_length, lower_bound, nodes });
        }
        if let Some(CollectedSolutions { count, first }) = self.all {
            let mut found = first.into_iter().map(|moves| Found { moves: moves.into(), phases: Phases::Optimal });
            if let Some(first) = found.next() {
                (solution.moves, solution.phases) = (first.moves, first.phases);
            }
            solution.others = found.collect();
            solution.all().for_each(|moves| replay(&self.context.cube, moves));
            solution.optimal_solutions = self.halted.is_none().then_some(count);
        }
        solution.stopped_by = if self.halted.is_some() { StoppedBy::TimeLimit } else { StoppedBy::ProvenOptimal };
        solution.elapsed = self.started.elapsed();
        solution.proof = self.goal.is_proof.then(|| self.record.finish());
        Ok(solution)
    }
}
