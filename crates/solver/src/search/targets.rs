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
//!
//! A set of cubes that is given by what each slot may hold has a search of its own ([`PartialSearch`]): distances, then a depth-first search
//! of one length after the other.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

use std::collections::HashSet;

use crate::control::{Cancelled, Clock, Control};
use crate::search::goal::{Goal, between};
use crate::search::incumbent::{EventSink, Incumbent, MAX_LENGTH};
use crate::search::near::{Near, REACH, ShortestSolutions};
use crate::search::optimal::OptimalSearch;
use crate::search::partial::{Distances, PartialTarget};
use crate::search::phase_one::Direction;
use crate::search::session::Session;
use crate::search::solution::{Phases, ProofSearch, Solution, SolveError};
use crate::search::two_phase::{TwoPhase, TwoPhaseStatus};
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
    Table(Box<(OptimalSearch<'t>, Incumbent)>),
}

/// A search for several targets. It advances in steps, as a [`Session`] does.
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

/// Ratio of the nodes of a round to the nodes of the last round.
const ROUND_GROWTH: u64 = 4;

impl<'t> TargetsSearch<'t> {
    /// Starts the two-phase search of a way.
    fn two_phase(&self, way: usize, incumbent: &Incumbent) -> Box<TwoPhase<'t>> {
        let Way { cube, lower_bound } = &self.ways[way];
        let directions = Direction::all(self.tables, cube);
        Box::new(TwoPhase::new(self.tables, directions, &incumbent.best, *lower_bound, None, &self.control))
    }

    /// Searches a way within the budget of the round.
    pub(super) fn round(&mut self, budget: u64, way: usize, incumbent: &mut Incumbent, sink: EventSink<'_>) {
        let Some(Running::TwoPhase(mut search)) = self.running.take() else {
            return self.begin_in_round(budget, way, incumbent);
        };
        let status = search.advance_within(incumbent, sink);
        let next = Stage::Round { nodes: budget, way: way + 1 };
        match status {
            TwoPhaseStatus::Halted(halt) => self.halt(halt, incumbent),
            _ if incumbent.best.is_complete() => self.stage = Self::when_proven(incumbent),
            TwoPhaseStatus::Going if search.nodes() < budget => self.running = Some(Running::TwoPhase(search)),
            TwoPhaseStatus::Going => {
                self.raise(way, search.lower_bound(), incumbent);
                self.stage = next;
            }
            // All solutions of the way that would improve the list are known.
            TwoPhaseStatus::Over => {
                self.raise(way, incumbent.best.at_most().saturating_add(1), incumbent);
                self.stage = next;
            }
        }
    }

    /// Starts the search of the next way in a round, or the next round.
    fn begin_in_round(&mut self, budget: u64, way: usize, incumbent: &mut Incumbent) {
        if let Err(halt) = self.control.check() {
            return self.halt(halt, incumbent);
        }
        let at_most = incumbent.best.at_most();
        if let Some(way) = self.next_way(way, at_most) {
            self.running = Some(Running::TwoPhase(self.two_phase(way, incumbent)));
            self.stage = Stage::Round { nodes: budget, way };
            return;
        }
        incumbent.record(ProofSearch::TwoPhase, None);
        self.stage = if self.next_way(0, at_most).is_none() {
            // No way has an improvement.
            if incumbent.is_found() { Self::when_proven(incumbent) } else { Stage::Any }
        } else if self.table.is_some() && incumbent.best.wants_shortest() {
            Stage::Table { length: incumbent.lower_bound(), way: 0 }
        } else {
            Stage::Round { nodes: budget.saturating_mul(ROUND_GROWTH), way: 0 }
        };
    }

    /// Finds any solution of the first way.
    pub(super) fn any(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) {
        let Some(Running::TwoPhase(mut search)) = self.running.take() else {
            let mut search = self.two_phase(0, incumbent);
            search.restart(&mut incumbent.best, MAX_LENGTH, &self.control.with_deadline(None), true);
            self.running = Some(Running::TwoPhase(search));
            return;
        };
        match search.advance_within(incumbent, sink) {
            TwoPhaseStatus::Halted(halt) => incumbent.halt(halt),
            TwoPhaseStatus::Going if !incumbent.is_found() => {
                self.running = Some(Running::TwoPhase(search));
                return;
            }
            TwoPhaseStatus::Going | TwoPhaseStatus::Over => {}
        }
        self.stage = Stage::Over;
    }
}

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

/// A search to a partial target. It advances one length at a time. If the deadline passes before the distances are known, it finds some
/// way to one cube of the target instead.
pub(crate) struct PartialSearch<'t> {
    tables: &'t Tables,
    target: PartialTarget,
    control: Control,
    /// Length of the next iteration; `None` before the distances are known.
    length: Option<u8>,
    /// The search for a way to one cube of the target.
    instead: Option<Box<(Session<'t>, Incumbent)>>,
}

impl<'t> PartialSearch<'t> {
    pub(crate) fn new(tables: &'t Tables, target: &PartialTarget, control: &Control) -> Self {
        Self { tables, target: target.clone(), control: control.clone(), length: None, instead: None }
    }

    /// Computes the distances, or searches one length. Returns whether the search has ended.
    pub(crate) fn advance(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> bool {
        let is_over = self.advance_silently(incumbent);
        incumbent.report(sink);
        is_over
    }

    fn advance_silently(&mut self, incumbent: &mut Incumbent) -> bool {
        if let Some((session, found)) = self.instead.as_deref_mut() {
            // A bound of that session is one of the cube, not of the target.
            let is_over = session.advance(found, &mut |_, _| {});
            found.best.found().drain(..).for_each(|found| incumbent.best.offer(found));
            incumbent.nodes = found.nodes;
            return is_over;
        }
        let target = self.target.clone();
        match (target.distances(&self.control), self.length) {
            (Ok(distances), None) => {
                let distance = distances.get(target.values_of(incumbent.best.start()));
                incumbent.begin_record(distance);
                incumbent.exists(distance);
                self.length = Some(distance);
                false
            }
            (Ok(distances), Some(length)) => self.iterate(distances, length, incumbent),
            (Err(halted), _) => {
                incumbent.halt(halted);
                if halted == Cancelled::Deadline {
                    let cube = between(incumbent.best.start(), target.example());
                    let goal = Goal { max_length: incumbent.goal().max_length, ..Goal::default() };
                    let mut found = incumbent.part(&cube, goal);
                    let session = Session::new(self.tables, &cube, &self.control, &mut found);
                    self.instead = Some(Box::new((session, found)));
                }
                halted == Cancelled::ByCaller
            }
        }
    }

    /// Collects the solutions of a length. Returns whether the search has ended.
    fn iterate(&mut self, distances: &Distances, length: u8, incumbent: &mut Incumbent) -> bool {
        let goal = incumbent.goal();
        if length > goal.max_length.unwrap_or(MAX_LENGTH) {
            return true;
        }
        let (wanted, is_proof, counts_all) = (goal.kept(), goal.is_proof, goal.all_shortest);
        let mut walk = Walk {
            distances,
            clock: Clock::new(&self.control),
            path: Vec::with_capacity(length.into()),
            found: ShortestSolutions::new(wanted - incumbent.best.found().len()),
            counts_all,
        };
        let halted = walk.from(self.target.values_of(incumbent.best.start()), length).err();
        incumbent.nodes += walk.clock.nodes();
        if is_proof || counts_all {
            incumbent.collect(walk.found.first, Phases::Optimal, walk.found.count);
        } else {
            walk.found.first.into_iter().for_each(|moves| incumbent.offer(moves, Phases::Optimal));
        }
        if let Some(halted) = halted {
            incumbent.halt(halted);
        }
        incumbent.record(ProofSearch::Table, Some(length));
        self.length = Some(length + 1);
        halted.is_some() || counts_all || is_proof || incumbent.best.found().len() >= wanted
    }
}

/// The depth-first search of one length.
struct Walk<'d, 'c> {
    distances: &'d Distances,
    clock: Clock<'c>,
    path: Vec<Move>,
    found: ShortestSolutions,
    /// Whether all solutions are counted.
    counts_all: bool,
}

impl Walk<'_, '_> {
    /// Collects the solutions of exactly `left` moves from a pair of values.
    fn from(&mut self, at: [u32; 2], left: u8) -> Result<(), Cancelled> {
        self.clock.tick()?;
        if left == 0 {
            self.found.add(&self.path);
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
            if self.found.is_full() && !self.counts_all {
                break;
            }
        }
        Ok(())
    }
}
