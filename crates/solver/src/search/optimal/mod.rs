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
//!   equals the turns left, the node is expanded on the other side, where half turns are pruned.
//! - **Last five turns.** A look-up in the near set decides.

mod all_solutions;
mod deepen;
mod fallback_bound;
mod node;
mod root_branches;
mod walker;

use std::time::{Duration, Instant};

use all_solutions::{CollectedSolutions, Collection};
use deepen::DeepeningContext;
use fallback_bound::FallbackBound;

use crate::search::observer::{SearchEvent, SearchObserver};
use crate::search::options::Options;
use crate::search::session::solve_watched;
use crate::search::solution::{Found, Outcome, Phases, SearchError, StoppedBy};
use crate::search::stop::Stop;
use crate::tables::optimal::OptimalTable;
use crate::tables::{Id, Tables};
use superflip_cube::{Cube, Move};

/// Time for the first two-phase search.
const QUICK: Duration = Duration::from_millis(2);
/// Expected ratio of the time of an iteration to that of the previous iteration.
const GROWTH: u32 = 13;
/// The two-phase search gets the expected time of the iteration divided by this number.
const SHARE: u32 = 10;

/// Finds an optimal solution and proves it. Of the options, `max_length`, `deadline` and `threads` apply, and with
/// `all_optimal` also `solutions`, the number of solutions to list. At the deadline the incumbent is returned without
/// proof.
///
/// # Errors
/// [`SearchError::Cancelled`] when `stop` was set, [`SearchError::NoSolutionWithinLimits`] when `max_length` was not met.
///
/// # Panics
/// When a solution does not solve the cube, which is a bug.
///
/// # Examples
/// ```no_run
/// use std::path::Path;
/// use std::sync::atomic::AtomicBool;
///
/// use superflip_cube::Cube;
/// use superflip_solver::search::{Options, Stop, solve_optimal};
/// use superflip_solver::tables::{OptimalTable, Profile, Quiet, Size, Tables};
///
/// let (folder, never) = (Path::new("tables"), AtomicBool::new(false));
/// let tables = Tables::open_or_build(folder, Profile::Standard, &Quiet, &never)?;
/// let table = OptimalTable::open_or_build(folder, Size::S, &Quiet, &never)?;
/// let cube = Cube::from_scramble("R U R' U' F2 D L2 B'")?;
/// let outcome = solve_optimal(&tables, &table, &cube, &Options::default(), &Stop::default(), &mut |_, _| {})?;
/// assert!(outcome.proven_optimal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_optimal(
    tables: &Tables,
    table: &OptimalTable,
    cube: &Cube,
    options: &Options,
    stop: &Stop,
    observer: SearchObserver<'_>,
) -> Result<Outcome, SearchError> {
    let started = Instant::now();
    let bounds = [*cube, cube.inverse()].map(|side| table.bound_at(table.index().of_cube(&side)));
    let base = table.size().base();
    let context = DeepeningContext {
        table,
        near_set: tables.opened().u32s(Id::Near),
        cube,
        bounds,
        fallback: bounds.into_iter().all(|bound| bound < base).then(|| FallbackBound::new(tables, base)),
        symmetries: root_branches::symmetries(cube),
        stop,
        deadline: options.deadline,
        threads: options.threads.max(1),
    };
    let mut proof = ProofState { tables, context: &context, options, observer, best: None, bound: 0, reported: 0 };
    proof.two_phases(0, QUICK)?;
    proof.raise(context.bounds.into_iter().fold(0, u8::max));
    let mut halted = false;
    let mut last = Duration::ZERO;
    let most = options.max_length.unwrap_or(u8::MAX);
    // If the bound exceeds `max_length`, no acceptable solution exists.
    while !halted && proof.bound < proof.length() && proof.bound <= most {
        let budget = last * GROWTH / SHARE;
        if budget > QUICK {
            proof.two_phases(proof.bound, budget)?;
            if proof.bound >= proof.length() {
                break;
            }
        }
        let began = Instant::now();
        let deepened = context.deepen(proof.bound);
        last = began.elapsed();
        proof.count(deepened.nodes);
        halted = deepened.halted;
        match deepened.found {
            Some(moves) => proof.improve(Found { moves, phases: Phases::Optimal }),
            None if !halted => proof.raise(proof.bound + 1),
            None => {}
        }
    }
    let mut all = None;
    if options.all_optimal && proof.bound == proof.length() && proof.length() <= most {
        let collection = Collection::new(context.near_set, options.solutions);
        let deepened = context.collect(proof.length(), &collection);
        proof.count(deepened.nodes);
        halted = deepened.halted;
        all = Some(collection.finish());
    }
    if stop.is_stopped() {
        return Err(SearchError::Cancelled { nodes: proof.nodes() });
    }
    proof.answer(all, halted, started)
}

/// Incumbent and lower bound, with the observer of both.
struct ProofState<'a, 'w> {
    tables: &'a Tables,
    context: &'a DeepeningContext<'a>,
    options: &'a Options,
    observer: SearchObserver<'w>,
    /// The incumbent. Its lower bound is not kept up to date.
    best: Option<Outcome>,
    /// Lower bound on the length.
    bound: u8,
    /// Last lower bound reported to the observer.
    reported: u8,
}

impl ProofState<'_, '_> {
    /// Returns the length of the incumbent.
    fn length(&self) -> u8 {
        self.best.as_ref().map_or(u8::MAX, |best| best.moves.len() as u8)
    }

    fn count(&mut self, nodes: u64) {
        if let Some(best) = &mut self.best {
            best.nodes += nodes;
        }
    }

    fn nodes(&self) -> u64 {
        self.best.as_ref().map_or(0, |best| best.nodes)
    }

    /// Runs the two-phase search for `budget`, or until it finds a solution of `target` turns.
    fn two_phases(&mut self, target: u8, budget: Duration) -> Result<(), SearchError> {
        let soon = Instant::now() + budget;
        let options = Options {
            target_length: target,
            deadline: Some(self.options.deadline.map_or(soon, |deadline| deadline.min(soon))),
            threads: self.context.threads,
            ..Options::default()
        };
        let (before, known, mut reported) = (self.nodes(), self.length(), self.reported);
        let max_length = self.options.max_length.unwrap_or(u8::MAX);
        let observer = &mut *self.observer;
        let outcome =
            solve_watched(self.tables, self.context.cube, &options, self.context.stop, &mut |event, nodes| {
                let is_news = match event {
                    SearchEvent::LowerBound(bound) => bound > reported,
                    SearchEvent::Solution(found) => {
                        found.moves.len() < usize::from(known.min(max_length.saturating_add(1)))
                    }
                };
                if is_news {
                    observer(event, before + nodes);
                    if let SearchEvent::LowerBound(bound) = event {
                        reported = bound;
                    }
                }
            });
        let outcome = outcome.map_err(|error| match error {
            SearchError::Cancelled { nodes } => SearchError::Cancelled { nodes: before + nodes },
            other @ (SearchError::NoSolutionWithinLimits { .. } | SearchError::Unproven { .. }) => other,
        })?;
        self.reported = reported;
        self.bound = self.bound.max(outcome.lower_bound);
        let nodes = before + outcome.nodes;
        if outcome.moves.len() < usize::from(known) {
            self.best = Some(outcome);
        }
        if let Some(best) = &mut self.best {
            best.nodes = nodes;
        }
        Ok(())
    }

    /// Replaces the incumbent by a shorter solution.
    fn improve(&mut self, found: Found) {
        self.check(&found.moves);
        if self.options.max_length.is_none_or(|max| found.moves.len() <= usize::from(max)) {
            let nodes = self.nodes();
            (self.observer)(SearchEvent::Solution(&found), nodes);
        }
        if let Some(best) = &mut self.best {
            (best.moves, best.phases) = (found.moves, found.phases);
        }
    }

    fn check(&self, moves: &[Move]) {
        let cube = self.context.cube;
        assert!(cube.after(moves).is_solved(), "a solution was found that does not solve {cube:?}");
    }

    /// Raises the lower bound.
    fn raise(&mut self, bound: u8) {
        self.bound = self.bound.max(bound).min(self.length());
        if self.bound > self.reported {
            self.reported = self.bound;
            let nodes = self.nodes();
            (self.observer)(SearchEvent::LowerBound(self.bound), nodes);
        }
    }

    /// Returns the outcome, with the optimal solutions if they were requested. If the search ended early, some of them
    /// are missing.
    fn answer(
        mut self,
        all: Option<CollectedSolutions>,
        halted: bool,
        started: Instant,
    ) -> Result<Outcome, SearchError> {
        self.raise(self.bound);
        let mut outcome = self.best.take().ok_or(SearchError::Cancelled { nodes: self.nodes() })?;
        let length = outcome.moves.len() as u8;
        outcome.lower_bound = self.bound.min(length);
        outcome.proven_optimal = outcome.lower_bound == length;
        if let Some(max_length) = self.options.max_length.filter(|&max| length > max) {
            return Err(SearchError::NoSolutionWithinLimits {
                max_length,
                best_length: length,
                lower_bound: outcome.lower_bound,
                nodes: outcome.nodes,
            });
        }
        if let Some(CollectedSolutions { count, first }) = all {
            for moves in &first {
                self.check(moves);
            }
            let mut found = first.into_iter().map(|moves| Found { moves, phases: Phases::Optimal });
            if let Some(first) = found.next() {
                (outcome.moves, outcome.phases) = (first.moves, first.phases);
            }
            outcome.others = found.collect();
            outcome.optimal_solutions = (!halted).then_some(count);
        }
        outcome.stopped_by = if halted { StoppedBy::TimeLimit } else { StoppedBy::ProvenOptimal };
        outcome.elapsed = started.elapsed();
        Ok(outcome)
    }
}
