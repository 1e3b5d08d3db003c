//! The two-phase algorithm (Kociemba 1992), with every read of the large tables prefetched.
//!
//! Phase 1 enumerates the maneuvers that lead into the subgroup G1; each that arrives hands the cube to phase 2, which
//! looks for the rest inside G1. A bound on the whole length, tight from the start, cuts both, and falls with every
//! solution found. The starts (`root`) are six directions and what pre-moves make of them; a *level* is the number of turns
//! outside of G1, and the levels are searched one after another:
//!
//! ```text
//!   level n:  phase 1 of n turns            from   6 directions
//!             phase 1 of n - 1 turns        from  24 roots with one pre-move    (from level ONE_TURN_FROM on)
//!             phase 1 of n - 2 turns        from 312 roots with two             (from level TWO_TURNS_FROM on)
//! ```
//!
//! Every solution splits, in each direction, into its longest tail of G1 turns and the rest, whose last turn enters G1.
//! So once phase 1 has been through n turns from *one* direction, any solution left has more than n turns: that is how
//! the lower bound rises, and when it meets the best solution the search is over.

mod finish;
mod goal;
mod ground;
mod orbits;
mod parallel;
mod root;
mod twin;
mod walker;

use std::time::Instant;

use goal::Goal;
use ground::Ground;
use orbits::Orbits;
use root::Root;
use walker::{Job, Step, Walker};

use super::directions::Direction;
use super::solution::Found;
use super::stop::{Halt, Stop};
use crate::tables::Tables;

/// Roots with one pre-move join in at this level.
const ONE_TURN_FROM: u8 = 9;
/// Roots with two join in at this level.
const TWO_TURNS_FROM: u8 = 11;
/// Shallower levels take less time than starting a thread.
const PARALLEL_FROM: u8 = 10;
/// Longest phase 1 that a path holds.
const LEVELS: u8 = 24;
/// Nodes after which the hunt for any solution gives up a second phase: the next maneuver of phase 1 costs less.
const QUICK_PHASE_TWO: u64 = 10_000;
/// Nodes between two looks at the clock: some 30 to 200 microseconds of work.
const PERIOD: u64 = 1024;

/// Makes what searches share, so that the first need not.
pub fn prepare() {
    twin::prepare();
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest solution of use at first.
    pub at_most: u8,
    /// Ends when there are as many solutions as wanted of at most this many turns.
    pub target: u8,
    /// How many.
    pub wanted: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// When to give up if nothing was found.
    pub empty_deadline: Option<Instant>,
    /// How many threads to use.
    pub threads: usize,
}

/// Hears of a solution and of the number of nodes so far.
pub type News<'n> = &'n mut dyn FnMut(&Found, u64);

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// There is more to do.
    Going,
    /// Everything wanted was found, or nothing better exists.
    Over,
    /// It was halted.
    Halted(Halt),
}

/// Memory that one search has no more use for, and the next has. There are ten kilobytes of it and more, which an allocator that several
/// threads share would be asked for and given back with each cube.
#[derive(Default)]
pub struct Spare {
    roots: Vec<Root>,
    steps: Vec<Step>,
}

/// A two-phase search over one cube, to be advanced slice by slice so that several can share a core.
pub struct TwoPhase<'t> {
    tables: &'t Tables,
    ground: Ground<'t>,
    goal: Goal,
    directions: [Direction; 6],
    orbits: Orbits,
    roots: Vec<Root>,
    walker: Walker,
    level: u8,
    lower_bound: u8,
    deadline: Option<Instant>,
    empty_deadline: Option<Instant>,
    threads: usize,
    look_at: u64,
    loaded: bool,
}

impl<'t> TwoPhase<'t> {
    /// A search that has found nothing yet; no solution is known to be shorter than `lower_bound`.
    pub fn new(
        tables: &'t Tables,
        directions: [Direction; 6],
        lower_bound: u8,
        limits: Limits,
        stop: Stop,
        spare: Spare,
    ) -> Self {
        let orbits = Orbits::new(&directions);
        let Spare { mut roots, steps } = spare;
        roots.clear();
        Root::add_all(&mut roots, tables, &directions, &orbits, 0);
        Self {
            tables,
            ground: Ground::new(tables),
            goal: Goal::new(limits.target, limits.wanted, limits.at_most, stop),
            directions,
            orbits,
            roots,
            walker: Walker::new(steps),
            level: 0,
            lower_bound,
            deadline: limits.deadline,
            empty_deadline: limits.empty_deadline,
            threads: limits.threads,
            look_at: PERIOD,
            loaded: false,
        }
    }

    /// Ends it, for another to begin with.
    pub fn into_spare(self) -> Spare {
        Spare { roots: self.roots, steps: self.walker.into_steps() }
    }

    /// The solutions so far, shortest first.
    pub fn found(&self) -> Vec<Found> {
        self.goal.found().clone()
    }

    /// Whether there is any.
    pub fn has_found(&self) -> bool {
        self.goal.best() != u8::MAX
    }

    /// A solution from elsewhere.
    pub fn offer(&self, found: Found) {
        self.goal.offer(found);
    }

    /// No solution is shorter than this.
    pub fn lower_bound(&self) -> u8 {
        self.lower_bound.min(self.goal.best())
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.walker.nodes
    }

    /// Starts again from the first level for any solution of at most `at_most` turns, with `deadline` instead of the
    /// one before; what was proven stays.
    pub fn hurry(&mut self, at_most: u8, deadline: Option<Instant>, give_up_soon: bool) {
        self.goal.settle_for(at_most);
        self.walker.reset(if give_up_soon { QUICK_PHASE_TWO } else { u64::MAX });
        self.deadline = deadline;
        self.empty_deadline = None;
        self.level = 0;
        self.loaded = false;
    }

    /// Works for some microseconds, with several threads until the level is done; `news` hears of each solution that is
    /// shorter than those before, and of the number of nodes.
    pub fn advance(&mut self, news: News<'_>) -> Progress {
        if !self.loaded {
            if self.level > self.goal.at_most().min(LEVELS) || self.goal.is_reached() {
                return Progress::Over;
            }
            self.load();
        }
        let job = Job {
            ground: &self.ground,
            roots: &self.roots,
            directions: &self.directions,
            goal: &self.goal,
            deadline: self.deadline,
        };
        if self.threads > 1 && self.level >= PARALLEL_FROM {
            parallel::walk(&mut self.walker, self.threads, &job, news);
        } else {
            self.walker.slice(&job);
        }
        if let Some(found) = self.goal.improvement() {
            news(&found, self.walker.nodes);
        }
        if self.goal.is_reached() {
            return Progress::Over;
        }
        if let Some(halt) = self.walker.halted {
            return Progress::Halted(halt);
        }
        if self.walker.is_idle() {
            // A hunt that gives up second phases proves nothing.
            if self.walker.is_thorough() {
                self.lower_bound = self.lower_bound.max(self.level + 1);
            }
            self.level += 1;
            self.loaded = false;
        }
        if self.walker.nodes >= self.look_at {
            self.look_at = self.walker.nodes + PERIOD;
            let deadline = self.empty_deadline.filter(|_| !self.has_found()).or(self.deadline);
            if let Some(halt) = self.goal.halt(deadline) {
                return Progress::Halted(halt);
            }
        }
        Progress::Going
    }

    /// Puts the starts of this level before the walker.
    fn load(&mut self) {
        self.loaded = true;
        for (length, from) in [(1, ONE_TURN_FROM), (2, TWO_TURNS_FROM)] {
            if self.level == from && self.roots.iter().all(|root| root.tail.len() != length) {
                Root::add_all(&mut self.roots, self.tables, &self.directions, &self.orbits, length);
            }
        }
        for (index, root) in self.roots.iter_mut().enumerate() {
            let length = root.tail.len();
            let Some(depth) = self.level.checked_sub(length) else { continue };
            let from = [0, ONE_TURN_FROM, TWO_TURNS_FROM][usize::from(length)];
            if self.level < from || root.start.distance > depth {
                continue;
            }
            // Roots that join in late catch up.
            let first = if self.level == from { root.start.distance } else { depth };
            if first == root.start.distance {
                root.begin();
            }
            for depth in first..=depth {
                self.walker.start(index as u16, root, depth, &self.ground);
            }
        }
    }
}
