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

mod best_solutions;

use web_time::Instant;

pub use best_solutions::BestSolutions;
pub(crate) use best_solutions::{GODS_NUMBER, MAX_LENGTH, NodesCallback};

use super::goal::Goal;
use super::solution::proof::{Proof, ProofRecord, ProofSearch};
use super::solution::{Found, Phases, Solution, SolveError, StoppedBy};
use crate::control::Cancelled;
use crate::tables::{OptimalTable, Profile};
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
