//! Proven shortest solutions: iterative deepening under the coset tables (Korf 1997), on all threads.
//!
//! A quick answer comes first, from the near search and the two phases. Then every length from the lower bound up is
//! either found to hold a solution or exhausted, until the proof meets the best solution known. Both the cube and its inverse are
//! looked up, and the search goes on at the side where fewer turns are of use. Within five turns of solved the set of all
//! positions there knows the rest.

mod node;
mod walker;

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use node::Node;
use walker::Walker;

use super::solution::{Found, Outcome, Phases, SearchError, StoppedBy};
use super::stop::Stop;
use super::watch::{Event, Watch};
use super::{Options, solve_watched};
use crate::cube::{Cube, Move};
use crate::tables::near::{RADIUS, way_home};
use crate::tables::optimal::OptimalTable;
use crate::tables::{Id, Tables};

/// Time for the quick answer: enough for 19 turns, mostly, and often 18.
const QUICK: std::time::Duration = std::time::Duration::from_millis(20);
/// Nodes to share out among threads.
const PARTS: usize = 1024;
/// Nodes that a thread takes at a time.
const HELPING: usize = 4;
/// Batches between two looks at the clock, some 100 microseconds.
const PERIOD: u32 = 16;

/// Solves the cube in as few turns as it can be solved. Of the options `max_length`, `deadline` and `threads` hold; at the
/// deadline the best solution is answered, unproven.
///
/// # Errors
/// [`SearchError::Cancelled`] when `stop` was set, [`SearchError::NoSolutionWithinLimits`] when `max_length` was not met.
///
/// # Panics
/// When a solution does not solve the cube, which is a bug and must not reach anyone as an answer.
pub fn solve_optimal(
    tables: &Tables,
    table: &OptimalTable,
    cube: &Cube,
    options: &Options,
    stop: &Stop,
    watch: Watch<'_>,
) -> Result<Outcome, SearchError> {
    let started = Instant::now();
    let soon = started + QUICK;
    let quick = Options {
        target_length: 0,
        max_length: None,
        deadline: Some(options.deadline.map_or(soon, |deadline| deadline.min(soon))),
        solutions: 1,
        threads: 1,
    };
    let mut last_bound = 0;
    let mut outcome = solve_watched(tables, cube, &quick, stop, &mut |event, nodes| {
        match event {
            Event::LowerBound(bound) => last_bound = bound,
            Event::Solution(found) if options.max_length.is_some_and(|max| found.moves.len() > usize::from(max)) => {
                return;
            }
            Event::Solution(_) => {}
        }
        watch(event, nodes);
    })?;
    let mut search = Search { tables, table, cube, stop, deadline: options.deadline, threads: options.threads.max(1) };
    let known = [*cube, cube.inverse()].map(|side| table.bound_at(table.index().of_cube(&side)));
    let mut bound = known.into_iter().fold(outcome.lower_bound, u8::max);
    let mut halted = None;
    while bound < outcome.moves.len() as u8 {
        if bound > last_bound {
            last_bound = bound;
            watch(Event::LowerBound(bound), outcome.nodes);
        }
        let deepened = search.deepen(bound, known);
        outcome.nodes += deepened.nodes;
        if let Some(moves) = deepened.found {
            outcome.moves = moves;
            outcome.phases = Phases::Optimal;
            assert!(cube.after(&outcome.moves).is_solved(), "a solution was found that does not solve {cube:?}");
            let found = Found { moves: outcome.moves.clone(), phases: Phases::Optimal };
            watch(Event::Solution(&found), outcome.nodes);
            break;
        }
        if deepened.halted {
            halted = Some(());
            break;
        }
        bound += 1;
    }
    if stop.is_stopped() {
        return Err(SearchError::Cancelled);
    }
    let length = outcome.moves.len() as u8;
    outcome.lower_bound = bound.min(length);
    outcome.proven_optimal = outcome.lower_bound == length;
    if outcome.lower_bound > last_bound {
        watch(Event::LowerBound(outcome.lower_bound), outcome.nodes);
    }
    if let Some(max_length) = options.max_length.filter(|&max| length > max) {
        return Err(SearchError::NoSolutionWithinLimits {
            max_length,
            best_length: length,
            lower_bound: outcome.lower_bound,
            nodes: outcome.nodes,
        });
    }
    outcome.stopped_by = match halted {
        Some(()) if !outcome.proven_optimal => StoppedBy::TimeLimit,
        _ => StoppedBy::ProvenOptimal,
    };
    outcome.elapsed = started.elapsed();
    Ok(outcome)
}

/// What one length came to.
struct Deepened {
    found: Option<Vec<Move>>,
    halted: bool,
    nodes: u64,
}

/// One cube and what it is searched with.
struct Search<'a> {
    tables: &'a Tables,
    table: &'a OptimalTable,
    cube: &'a Cube,
    stop: &'a Stop,
    deadline: Option<Instant>,
    threads: usize,
}

impl Search<'_> {
    /// Looks for a solution of exactly `length` turns, more than [`RADIUS`].
    fn deepen(&mut self, length: u8, bounds: [u8; 2]) -> Deepened {
        let ball = self.tables.opened().u32s(Id::Near);
        let found = Mutex::new(None);
        let arrive = |node: &Node| {
            let Some(here) = way_home(ball, &node.sides[0].cube()) else { return false };
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(node.solution(&here));
            true
        };
        let mut opener = Walker::new();
        opener.take_over(&[Node::root(self.cube, bounds, length)]);
        let mut over = false;
        while !over && !opener.is_idle() && opener.len() < PARTS {
            over = opener.batch_from_below(self.table, RADIUS, &arrive);
        }
        let parts = opener.give_up();
        let (taken, halted, nodes) = (AtomicUsize::new(0), AtomicBool::new(false), AtomicU64::new(opener.nodes));
        let is_over = AtomicBool::new(over);
        let work = || {
            let mut walker = Walker::new();
            let mut batches = 0_u32;
            while !is_over.load(Relaxed) {
                if walker.is_hungry() {
                    let from = taken.fetch_add(HELPING, Relaxed).min(parts.len());
                    walker.take_over(&parts[from..(from + HELPING).min(parts.len())]);
                    if walker.is_idle() {
                        break;
                    }
                }
                if walker.batch(self.table, RADIUS, &arrive) {
                    is_over.store(true, Relaxed);
                }
                batches += 1;
                if batches.is_multiple_of(PERIOD)
                    && (self.stop.is_stopped() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline))
                {
                    halted.store(true, Relaxed);
                    is_over.store(true, Relaxed);
                }
            }
            nodes.fetch_add(walker.nodes, Relaxed);
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(work);
            }
            work();
        });
        Deepened {
            found: found.into_inner().unwrap_or_else(PoisonError::into_inner),
            halted: halted.into_inner(),
            nodes: nodes.into_inner(),
        }
    }
}
