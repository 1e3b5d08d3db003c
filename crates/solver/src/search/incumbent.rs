//! The incumbent of a running search: its best solutions, its lower bound, and why it ended. The answer is made here.
//!
//! ```text
//!   engine --offer(solution)--> best solutions --upper bound--> engine
//!   engine --raise(bound)-----> lower bound --.
//!   engine --record, halt                     +--report--> events
//!                                             '--answer--> Solution or SolveError
//! ```
//!
//! The engines (near search, two-phase search, proofs, targets) borrow the incumbent of their search, and own no solutions. Threads share
//! the part of it that changes while they run, [`BestSolutions`]. A search that needs another one for a part of its question, such as a
//! proof that runs two-phase searches, gives it an incumbent of its own ([`Incumbent::part`]), and [hears](Incumbent::hear) of its
//! solutions and bounds.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU8};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use web_time::Instant;

use crate::control::Cancelled;
use crate::search::goal::{AvoidedAxes, Goal};
use crate::search::machine::{Cost, Machine};
use crate::search::solution::{Found, Phases, Proof, ProofRecord, ProofSearch, Solution, SolveError, StoppedBy};
use crate::tables::{OptimalTable, Profile};
use superflip_cube::metric::in_one_order;
use superflip_cube::{Cube, Move};

/// Progress of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A solution shorter than all before. It has been replayed on the cube. It is proven shortest when a
    /// lower bound, reported before or after it, equals its length.
    Solution(Found),
    /// A lower bound on the length, greater than all before.
    LowerBound(u8),
    /// The iterations so far, one more than before, if the goal is a proof or asks for them.
    Proof(Proof),
}

/// Receives each [`Event`] in order, with the number of nodes so far.
pub type EventSink<'w> = &'w mut dyn FnMut(Event, u64);

/// The best known answer of a search.
pub(crate) struct Incumbent {
    /// The question and the best solutions.
    pub(crate) best: BestSolutions,
    /// Number of nodes so far.
    pub(crate) nodes: u64,
    profile: Profile,
    started: Instant,
    /// Lower bound on the length of every solution.
    bound: u8,
    /// Length of a solution that exists but was not searched.
    existing: Option<u8>,
    /// The iterations, if the goal is a proof or asks for them.
    record: Option<ProofRecord>,
    /// Number of shortest solutions collected so far; `None` if they were not collected, or not all.
    counted: Option<u64>,
    halted: Option<Cancelled>,
    /// Whether the goal is a proof that needs a coset table, and there is none.
    is_unproven: bool,
    reported: Reported,
}

/// What was reported last.
struct Reported {
    length: u8,
    bound: u8,
}

impl Reported {
    /// Reports the shortest solution if it is shorter than all before. If it is longer than `max_length`, the error contains its length
    /// instead.
    #[inline]
    fn solution(&mut self, best: &BestSolutions, nodes: u64, sink: EventSink<'_>) {
        if best.best() >= self.length {
            return;
        }
        let Some(found) = best.found().first().cloned() else { return };
        self.length = best.length_of(&found);
        if best.goal().max_length.is_none_or(|longest| self.length <= longest) {
            sink(Event::Solution(found), nodes);
        }
    }
}

impl Incumbent {
    /// Starts without a solution.
    pub(crate) fn new(profile: Profile, start: &Cube, goal: Goal) -> Self {
        Self {
            best: BestSolutions::new(start, goal),
            nodes: 0,
            profile,
            started: Instant::now(),
            bound: 0,
            existing: None,
            record: None,
            counted: None,
            halted: None,
            is_unproven: false,
            reported: Reported { length: u8::MAX, bound: 0 },
        }
    }

    /// Returns the incumbent of a search for a part of the question.
    pub(crate) fn part(&self, cube: &Cube, goal: Goal) -> Self {
        Self::new(self.profile, cube, goal)
    }

    /// Starts the clock again, before the first node.
    pub(crate) fn restart_clock(&mut self) {
        self.started = Instant::now();
    }

    /// Returns when the search started.
    pub(crate) const fn started(&self) -> Instant {
        self.started
    }

    /// Returns the goal.
    pub(crate) const fn goal(&self) -> &Goal {
        self.best.goal()
    }

    /// Returns the greatest length that the goal accepts; 255 for no limit.
    pub(crate) fn longest(&self) -> u8 {
        self.goal().max_length.unwrap_or(u8::MAX)
    }

    /// Returns whether there is a solution.
    pub(crate) fn is_found(&self) -> bool {
        self.best.best() != u8::MAX
    }

    /// Returns why the search ended early, if it did.
    pub(crate) const fn halted(&self) -> Option<Cancelled> {
        self.halted
    }

    /// Returns whether the caller cancelled the search.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.halted == Some(Cancelled::ByCaller)
    }

    /// Returns the lower bound, at most the length of the shortest solution.
    #[inline]
    pub(crate) fn lower_bound(&self) -> u8 {
        self.bound.min(self.best.best())
    }

    /// Raises the lower bound.
    #[inline]
    pub(crate) fn raise(&mut self, bound: u8) {
        self.bound = self.bound.max(bound);
    }

    /// Says that there is a solution of this length. Then a smaller `max_length` is refused without a search.
    pub(crate) fn exists(&mut self, length: u8) {
        self.existing = Some(length);
    }

    /// Offers the solution that a search of one kind found.
    pub(crate) fn offer(&self, moves: Vec<Move>, phases: Phases) {
        self.best.offer(Found { moves: moves.into(), phases });
    }

    /// Adds the shortest solutions of one collection, and their number. A proof lists the first ones in the order of moves, so they replace
    /// its incumbent, which is one of them.
    pub(crate) fn collect(&mut self, solutions: Vec<Vec<Move>>, phases: Phases, count: u64) {
        self.best.keep_all();
        let before = self.counted.unwrap_or(0);
        if self.goal().is_proof && before == 0 && !solutions.is_empty() {
            self.best.clear();
        }
        self.counted = Some(before + count);
        for moves in solutions {
            self.offer(moves, phases);
        }
    }

    /// Ends the search early. A collection that was halted has no count.
    pub(crate) fn halt(&mut self, halted: Cancelled) {
        (self.halted, self.counted) = (Some(halted), None);
    }

    /// Ends a proof for which a coset table is missing. It reports nothing more, so that a stream can be refused before its first event.
    pub(crate) fn leave_unproven(&mut self) {
        (self.is_unproven, self.reported.bound, self.record) = (true, u8::MAX, None);
    }

    /// Starts the record of iterations, if the goal has one, at the lower bound of the tables.
    pub(crate) fn begin_record(&mut self, first_bound: u8) {
        let is_recorded = self.goal().is_proof || self.goal().is_recorded;
        self.record = is_recorded.then(|| ProofRecord::new(first_bound));
        self.raise(first_bound);
    }

    /// Continues the record of the search that ran first.
    pub(crate) fn continue_record(&mut self, first: &mut Self) {
        self.record = first.record.take();
    }

    /// Adds to the record a coset table and its lower bound, which was looked up before the first iteration.
    pub(crate) fn cite(&mut self, table: &OptimalTable, bound: u8) {
        if let Some(record) = &mut self.record {
            record.cite(table, bound);
        }
    }

    /// Adds an iteration that has just ended to the record, unless it expanded no node.
    pub(crate) fn record(&mut self, search: ProofSearch, length: Option<u8>) {
        let (bound, best, nodes) = (self.lower_bound(), self.best.best(), self.nodes);
        if let Some(record) = &mut self.record {
            record.add(search, length, bound, (best != u8::MAX).then_some(best), nodes);
        }
    }

    /// Takes over an event of a search for a part of the question, and reports it if it is news.
    pub(crate) fn hear(&mut self, event: Event, nodes: u64, sink: EventSink<'_>) {
        self.nodes = nodes;
        match event {
            Event::Solution(found) => self.best.offer(found),
            Event::LowerBound(bound) => self.raise(bound),
            Event::Proof(_) => {}
        }
        self.report_best(sink);
    }

    /// Reports a higher lower bound, then a shorter solution, then iterations.
    #[inline]
    pub(crate) fn report(&mut self, sink: EventSink<'_>) {
        self.report_best(sink);
        if let Some(record) = &mut self.record
            && let Some(proof) = record.news()
        {
            sink(Event::Proof(proof), self.nodes);
        }
    }

    #[inline]
    fn report_best(&mut self, sink: EventSink<'_>) {
        let bound = self.lower_bound();
        if bound > self.reported.bound {
            self.reported.bound = bound;
            sink(Event::LowerBound(bound), self.nodes);
        }
        self.reported.solution(&self.best, self.nodes, sink);
    }

    /// Returns the best solutions for the threads of a search, and what reports a shorter one while they run. It is called with the
    /// number of nodes since now.
    #[inline]
    pub(crate) fn share<'i>(&'i mut self, sink: EventSink<'i>) -> (&'i BestSolutions, impl FnMut(u64) + 'i) {
        let Self { best, reported, nodes, .. } = self;
        let (best, nodes) = (&*best, *nodes);
        (best, move |more| reported.solution(best, nodes + more, sink))
    }

    /// Returns the answer of a search that has ended.
    ///
    /// # Errors
    /// When the search was cancelled, found nothing within `max_length`, or cannot prove.
    pub(crate) fn answer(self) -> Result<Solution, SolveError> {
        let (lower_bound, is_cancelled, is_found) = (self.lower_bound(), self.is_cancelled(), self.is_found());
        let Self { best, nodes, profile, started, existing, record, counted, halted, is_unproven, .. } = self;
        if is_unproven {
            return Err(SolveError::Unproven { lower_bound, nodes });
        }
        let goal = best.goal();
        let shortest = is_found.then(|| best.best()).or(existing);
        let Some(best_length) = shortest.filter(|_| !is_cancelled) else {
            return Err(SolveError::Cancelled { nodes });
        };
        if let Some(max_length) = goal.max_length.filter(|&longest| best_length > longest) {
            return Err(SolveError::NoneWithin { max_length, best_length, lower_bound, nodes });
        }
        let mut answers = best.answers().into_iter();
        let first = answers.next().ok_or(SolveError::Cancelled { nodes })?;
        // The reason refers to all that was asked for: one solution, a list, or the count of all shortest ones.
        let is_list = best.wants_several() || (goal.is_proof && goal.all_shortest);
        let solution = Solution {
            stopped_by: match halted {
                _ if !is_list && best_length == lower_bound => StoppedBy::ProvenOptimal,
                _ if best.is_complete() && !goal.is_proof => StoppedBy::TargetLength,
                Some(_) => StoppedBy::TimeLimit,
                None => StoppedBy::ProvenOptimal,
            },
            moves: first.moves,
            phases: first.phases,
            others: answers.collect(),
            optimal_solutions: counted.filter(|_| goal.all_shortest),
            proof: record.map(ProofRecord::finish),
            metric: goal.metric,
            lower_bound,
            profile,
            nodes,
            elapsed: started.elapsed(),
        };
        Ok(match &goal.machine {
            Some(machine) => solution.cheapest_first(machine, goal.solutions),
            None => solution,
        })
    }
}

/// Greatest length in HTM that any search accepts. It is far above the 20 moves that suffice, so that a solution is found at once.
pub(crate) const MAX_LENGTH: u8 = 30;

/// Number of moves that suffice for every cube (Rokicki, Kociemba, Davidson, Dethridge 2010).
pub(crate) const GODS_NUMBER: u8 = 20;

/// The question of a search, its best solutions so far, and the upper bound that they set. Each solution is replayed when it is offered.
#[derive(Debug)]
pub struct BestSolutions {
    /// The cube at the start.
    start: Cube,
    goal: Goal,
    /// Axes that the ends of a solution avoid.
    avoided: AvoidedAxes,
    /// Greatest length at which the search ends; 0 if it ends at a proof.
    target: u8,
    /// Number of solutions to keep. A proof keeps one until it collects all of the optimal length.
    wanted: usize,
    /// Whether any one solution ends the search.
    is_settled: bool,
    /// Upper bound: greatest length of a solution that is accepted.
    at_most: AtomicU8,
    /// Length of the shortest solution; 255 if there is none.
    best: AtomicU8,
    reached: AtomicBool,
    /// Shortest first.
    found: Mutex<Vec<Found>>,
    pricing: Option<Pricing>,
}

/// The cheapest solutions on a machine, of all that were ever among the best.
#[derive(Debug)]
struct Pricing {
    machine: Arc<Machine>,
    kept: usize,
    /// Whether solutions longer than the shortest one and than the target are left out.
    shortest_only: bool,
    /// Cheapest first.
    cheapest: Mutex<Vec<(Cost, Found)>>,
}

impl Pricing {
    /// Adds a solution if it is among the cheapest.
    fn offer(&self, solution: &Found) {
        let Some(cost) = self.machine.cost(&solution.moves) else { return };
        let mut cheapest = self.cheapest.lock().unwrap_or_else(PoisonError::into_inner);
        let at = cheapest.partition_point(|(known, _)| *known <= cost);
        if at < self.kept {
            cheapest.insert(at, (cost, solution.clone()));
            cheapest.truncate(self.kept);
        }
    }
}

impl BestSolutions {
    /// Creates an empty list for a goal.
    pub fn new(start: &Cube, goal: Goal) -> Self {
        // The solutions to a set of cubes come in the order of their lengths.
        let target = if goal.is_proof || goal.partial.is_some() { 0 } else { goal.target_length };
        Self {
            start: *start,
            avoided: AvoidedAxes::default(),
            target,
            wanted: if goal.is_proof { 1 } else { goal.kept() },
            is_settled: false,
            at_most: AtomicU8::new(goal.max_length.unwrap_or(MAX_LENGTH).min(GODS_NUMBER.max(target))),
            best: AtomicU8::new(u8::MAX),
            reached: AtomicBool::new(false),
            found: Mutex::new(Vec::new()),
            pricing: None,
            goal,
        }
    }

    /// Returns the goal.
    pub(crate) const fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Returns the cube at the start.
    pub(crate) const fn start(&self) -> &Cube {
        &self.start
    }

    /// Accepts only solutions whose ends avoid the axes.
    pub fn avoid(&mut self, avoided: AvoidedAxes) {
        self.avoided = avoided;
    }

    /// Returns the axes that the ends of a solution avoid.
    pub(crate) const fn avoided(&self) -> AvoidedAxes {
        self.avoided
    }

    /// Also keeps the cheapest solutions on a machine. With some turns only, once a solution is known, longer ones are accepted up to
    /// the target only: there solutions are rare, and many long candidates cost more than they save.
    pub(crate) fn price(&mut self, machine: Arc<Machine>) {
        let kept = self.goal.solutions.max(1);
        let shortest_only = !self.goal.turns.is_all();
        let pricing = Pricing { machine, kept, shortest_only, cheapest: Mutex::default() };
        self.found().iter().for_each(|found| pricing.offer(found));
        self.pricing = Some(pricing);
    }

    /// Returns the solutions to answer with: the cheapest ones, or without a machine all that are kept, shortest first.
    pub(super) fn answers(&self) -> Vec<Found> {
        let cheapest =
            self.pricing.as_ref().map(|pricing| pricing.cheapest.lock().unwrap_or_else(PoisonError::into_inner));
        match cheapest.filter(|cheapest| !cheapest.is_empty()) {
            Some(cheapest) => cheapest.iter().map(|(_, found)| found.clone()).collect(),
            None => self.found().clone(),
        }
    }

    /// Returns the upper bound: the greatest length of a solution that is accepted.
    #[inline]
    pub(crate) fn at_most(&self) -> u8 {
        self.at_most.load(Relaxed)
    }

    /// Sets the upper bound at the start.
    pub(crate) fn accept(&mut self, at_most: u8) {
        self.at_most = AtomicU8::new(at_most);
    }

    /// Returns the length of the shortest solution; 255 if there is none.
    #[inline]
    pub(crate) fn best(&self) -> u8 {
        self.best.load(Relaxed)
    }

    /// Ends the search at the first solution of at most this many moves. Called when there is no solution yet.
    pub(crate) fn settle_for(&mut self, at_most: u8) {
        self.accept(at_most);
        self.is_settled = true;
    }

    /// Keeps as many solutions as the goal lists, also in a proof.
    pub(crate) fn keep_all(&mut self) {
        self.wanted = self.goal.kept();
    }

    /// Removes the solutions, before others of the same length are offered.
    pub(super) fn clear(&mut self) {
        self.found().clear();
    }

    /// Returns whether more than one solution is wanted.
    pub(crate) fn wants_several(&self) -> bool {
        self.wanted > 1
    }

    /// Returns whether the shortest solution is wanted, and no other.
    pub(crate) const fn wants_shortest(&self) -> bool {
        self.target == 0 && self.wanted <= 1
    }

    /// Returns whether all wanted solutions were found.
    #[inline]
    pub(crate) fn is_reached(&self) -> bool {
        self.reached.load(Relaxed)
    }

    /// Returns whether there are as many solutions of at most the target length as wanted.
    pub(crate) fn is_complete(&self) -> bool {
        let found = self.found();
        found.len() >= self.wanted && found.last().is_some_and(|worst| self.length_of(worst) <= self.target)
    }

    /// Returns the solutions so far, shortest first.
    pub fn found(&self) -> MutexGuard<'_, Vec<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the length of a solution in the metric of the goal.
    pub(super) fn length_of(&self, found: &Found) -> u8 {
        self.goal.metric.length(&found.moves) as u8
    }

    /// Adds a solution if it is acceptable and among the best.
    ///
    /// # Panics
    /// When it does not lead from the start to a target, which is a bug.
    pub(crate) fn offer(&self, solution: Found) {
        if !self.avoided.are_avoided_by(&solution.moves) {
            return;
        }
        let mut found = self.found();
        let length = self.length_of(&solution);
        let is_worst = found.last().is_some_and(|worst| self.length_of(worst) <= length);
        if (found.len() >= self.wanted && is_worst) || found.iter().any(|known| same(&known.moves, &solution.moves)) {
            return;
        }
        let is_target = self.goal.is_target(&self.start.after(&solution.moves));
        assert!(is_target, "the solution {solution} does not lead from {:?} to a target", self.start);
        if let Some(pricing) = &self.pricing {
            pricing.offer(&solution);
        }
        let at = found.partition_point(|known| self.length_of(known) <= length);
        found.insert(at, solution);
        found.truncate(self.wanted);
        if at == 0 {
            self.best.store(length, Relaxed);
        }
        if self.pricing.as_ref().is_some_and(|pricing| pricing.shortest_only) {
            let shortest = found.first().map_or(0, |first| self.length_of(first));
            self.at_most.fetch_min(shortest.max(self.target), Relaxed);
        }
        if found.len() == self.wanted || self.is_settled {
            let worst = found.last().map_or(0, |worst| self.length_of(worst));
            self.at_most.fetch_min(worst.saturating_sub(1), Relaxed);
            if worst <= self.target || worst == 0 || self.is_settled {
                self.reached.store(true, Relaxed);
            }
        }
    }
}

/// Returns whether two solutions differ at most in the order of adjacent moves of opposite faces.
fn same(a: &[Move], b: &[Move]) -> bool {
    a.len() == b.len() && in_one_order(a) == in_one_order(b)
}

/// Is told from time to time, while several threads search, how many nodes the search has expanded so far.
pub(crate) type NodesCallback<'n> = &'n mut dyn FnMut(u64);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::machine::Costs;
    use crate::search::solution::Phases;
    use superflip_cube::{Face, Moves, TurnSet};

    #[test]
    fn longer_candidates_are_left_out_where_only_the_shortest_count() {
        let costs = Costs(Move::ALL.map(|mv| (mv.to_string(), 1.0)).to_vec());
        let machine = Arc::new(costs.machine(&Move::ALL).unwrap());
        for (turns, target, at_most) in
            [(TurnSet::ALL, 0, 20), (TurnSet::without(Face::B), 0, 3), (TurnSet::without(Face::B), 4, 4)]
        {
            let goal = Goal { turns, ..Goal::default().target_length(target) }.on_machine(Arc::clone(&machine));
            let mut best = BestSolutions::new(Move::R.cube(), goal.candidates(10));
            best.price(Arc::clone(&machine));
            for moves in ["R' U F F' U'", "R2 R U2 U2", "R' U U'"] {
                let moves: Moves = moves.parse().unwrap();
                best.offer(Found { moves, phases: Phases::Optimal });
            }
            assert_eq!(best.at_most(), at_most);
        }
    }

    #[test]
    #[should_panic(expected = "does not lead")]
    fn a_solution_that_does_not_solve_is_not_accepted() {
        let best = BestSolutions::new(Move::R.cube(), Goal::default());
        best.offer(Found { moves: [Move::R].to_vec().into(), phases: Phases::Optimal });
    }
}
