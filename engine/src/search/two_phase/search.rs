//! The levels of a two-phase search, one after another.

use std::time::Instant;

use super::context::{PERIOD, SearchContext};
use super::incumbent::{Incumbent, SolutionCallback};
use super::roots::Root;
use super::symmetry_reduction::SymmetryReduction;
use super::table_views::TableViews;
use super::walker::{PendingNode, PhaseOneWalker};
use super::{parallel, premove};
use crate::search::directions::Direction;
use crate::search::solution::Found;
use crate::search::stop::{Halt, Stop};
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

/// Makes what searches share, so that the first need not.
pub fn prepare() {
    premove::prepare();
}

/// What to look for.
#[derive(Clone, Copy, Debug)]
pub struct TwoPhaseLimits {
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

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TwoPhaseStatus {
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
pub struct SearchBuffers {
    roots: Vec<Root>,
    steps: Vec<PendingNode>,
}

/// A two-phase search over one cube, to be advanced slice by slice so that several can share a core.
pub struct TwoPhase<'t> {
    tables: &'t Tables,
    views: TableViews<'t>,
    incumbent: Incumbent,
    directions: [Direction; 6],
    reduction: SymmetryReduction,
    roots: Vec<Root>,
    walker: PhaseOneWalker,
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
        limits: TwoPhaseLimits,
        stop: Stop,
        buffers: SearchBuffers,
    ) -> Self {
        let reduction = SymmetryReduction::new(&directions);
        let SearchBuffers { mut roots, steps } = buffers;
        roots.clear();
        Root::add_all(&mut roots, tables, &directions, &reduction, 0);
        Self {
            tables,
            views: TableViews::new(tables),
            incumbent: Incumbent::new(limits.target, limits.wanted, limits.at_most, stop),
            directions,
            reduction,
            roots,
            walker: PhaseOneWalker::new(steps),
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
    pub fn into_buffers(self) -> SearchBuffers {
        SearchBuffers { roots: self.roots, steps: self.walker.into_steps() }
    }

    /// The solutions so far, shortest first.
    pub fn found(&self) -> Vec<Found> {
        self.incumbent.found().clone()
    }

    /// Whether there is any.
    pub fn has_found(&self) -> bool {
        self.incumbent.best() != u8::MAX
    }

    /// A solution from elsewhere.
    pub fn offer(&self, found: Found) {
        self.incumbent.offer(found);
    }

    /// No solution is shorter than this.
    pub fn lower_bound(&self) -> u8 {
        self.lower_bound.min(self.incumbent.best())
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.walker.effort.nodes
    }

    /// Starts again from the first level for any solution of at most `at_most` turns, with `deadline` instead of the
    /// one before; what was proven stays.
    pub fn hurry(&mut self, at_most: u8, deadline: Option<Instant>, give_up_soon: bool) {
        self.incumbent.settle_for(at_most);
        self.walker.reset(if give_up_soon { QUICK_PHASE_TWO } else { u64::MAX });
        self.deadline = deadline;
        self.empty_deadline = None;
        self.level = 0;
        self.loaded = false;
    }

    /// Works for some microseconds, with several threads until the level is done; `news` hears of each solution that is
    /// shorter than those before, and of the number of nodes.
    pub fn advance(&mut self, news: SolutionCallback<'_>) -> TwoPhaseStatus {
        if !self.loaded {
            if self.level > self.incumbent.at_most().min(LEVELS) || self.incumbent.is_reached() {
                return TwoPhaseStatus::Over;
            }
            self.load();
        }
        let context = SearchContext {
            views: &self.views,
            roots: &self.roots,
            directions: &self.directions,
            incumbent: &self.incumbent,
            deadline: self.deadline,
        };
        if self.threads > 1 && self.level >= PARALLEL_FROM {
            parallel::walk(&mut self.walker, self.threads, &context, news);
        } else {
            self.walker.slice(&context);
        }
        if let Some(found) = self.incumbent.improvement() {
            news(&found, self.walker.effort.nodes);
        }
        if self.incumbent.is_reached() {
            return TwoPhaseStatus::Over;
        }
        if let Some(halt) = self.walker.effort.halted {
            return TwoPhaseStatus::Halted(halt);
        }
        if self.walker.is_idle() {
            // A hunt that gives up second phases proves nothing.
            if self.walker.is_thorough() {
                self.lower_bound = self.lower_bound.max(self.level + 1);
            }
            self.level += 1;
            self.loaded = false;
        }
        if self.walker.effort.nodes >= self.look_at {
            self.look_at = self.walker.effort.nodes + PERIOD;
            let deadline = self.empty_deadline.filter(|_| !self.has_found()).or(self.deadline);
            if let Some(halt) = self.incumbent.halt(deadline) {
                return TwoPhaseStatus::Halted(halt);
            }
        }
        TwoPhaseStatus::Going
    }

    /// Puts the starts of this level before the walker.
    fn load(&mut self) {
        self.loaded = true;
        for (length, from) in [(1, ONE_TURN_FROM), (2, TWO_TURNS_FROM)] {
            if self.level == from && self.roots.iter().all(|root| root.premoves.len() != length) {
                Root::add_all(&mut self.roots, self.tables, &self.directions, &self.reduction, length);
            }
        }
        for (index, root) in self.roots.iter_mut().enumerate() {
            let length = root.premoves.len();
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
                self.walker.start(index as u16, root, depth, &self.views);
            }
        }
    }
}
