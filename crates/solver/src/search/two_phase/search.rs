//! Drives a two-phase search through its levels.

use std::cell::RefCell;
use web_time::Instant;

use super::context::{PERIOD, SearchContext};
use super::roots::Root;
use super::symmetry_reduction::SymmetryReduction;
use super::views::PhaseTables;
use super::views::mapped::TableViews;
use super::walker::{PhaseOneWalker, WalkerBuffers};
use super::{parallel, premove};
use crate::control::{Cancelled, Control};
use crate::search::avoided_axes::AvoidedAxes;
use crate::search::directions::Direction;
use crate::search::incumbent::{BestSolutions, NodesCallback};
use crate::search::shared_nodes::Walker;
use crate::tables::loaded::ByProfile;
use crate::tables::tiny::Tiny;
use crate::tables::{Profile, Tables};

/// Level from which roots with two pre-moves are searched.
const TWO_PREMOVES_FROM: u8 = 11;

/// Level from which several threads are used. Lower levels take less time than starting a thread.
const PARALLEL_FROM: u8 = 10;

/// Number of passes over the ring of the walker between two returns to the caller.
const PASSES: usize = 4;

/// Greatest number of phase-1 moves that a path holds.
const LEVELS: u8 = 24;

/// Greatest number of nodes of each phase 2 in the search for any solution. Beyond it, the next arrival is more likely
/// to succeed sooner.
const QUICK_PHASE_TWO: u64 = 10_000;

/// Computes the static tables of the search. Otherwise the first search computes them.
pub fn prepare(profile: Profile) {
    if profile != Profile::Tiny {
        premove::prepare();
    }
}

/// The status of a two-phase search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TwoPhaseStatus {
    /// There is more to search.
    Going,
    /// All wanted solutions were found, or nothing better exists.
    Over,
    /// The search ended early.
    Halted(Cancelled),
}

/// Buffers of more than ten kilobytes.
#[derive(Default)]
struct SearchBuffers {
    roots: Vec<Root>,
    walker: WalkerBuffers,
}

/// Greatest number of unused buffers that a thread keeps.
const MAX_KEPT: usize = 16;

thread_local! {
    /// Unused buffers. A search hands them to the next one on its thread, which spares the shared allocator.
    static BUFFERS: RefCell<Vec<SearchBuffers>> = const { RefCell::new(Vec::new()) };
}

/// The tables of a profile.
#[derive(Clone, Copy)]
#[allow(clippy::large_enum_variant)] // one for each search, which is larger
enum Views<'t> {
    Mapped(TableViews<'t>),
    Tiny(&'t Tiny),
}

impl Views<'_> {
    /// Returns the first level that can have nodes. The level at which roots with pre-moves are added is not left out.
    fn first_level(&self, directions: &[Direction; 6]) -> u8 {
        let one_premove_from = match self {
            Self::Mapped(tables) => tables.one_premove_from(),
            Self::Tiny(tables) => tables.one_premove_from(),
        };
        directions.iter().map(|direction| direction.start.distance).fold(one_premove_from, u8::min)
    }
}

/// A two-phase search for one cube. It runs in time slices, so that several searches can share a core.
pub struct TwoPhase<'t> {
    tables: &'t Tables,
    views: Views<'t>,
    directions: [Direction; 6],
    reduction: SymmetryReduction,
    roots: Vec<Root>,
    walker: PhaseOneWalker,
    level: u8,
    lower_bound: u8,
    control: Control,
    /// The control while nothing was found.
    empty_control: Control,
    look_at: u64,
    loaded: bool,
}

impl<'t> TwoPhase<'t> {
    /// Creates a search that adds to `best`. `lower_bound` is a known lower bound on the length, and `empty_deadline` the time at which
    /// to stop if nothing was found.
    pub fn new(
        tables: &'t Tables,
        directions: [Direction; 6],
        best: &BestSolutions,
        lower_bound: u8,
        empty_deadline: Option<Instant>,
        control: &Control,
    ) -> Self {
        let is_reduced = best.avoided() == AvoidedAxes::default() && !best.wants_several();
        let reduction = if is_reduced { SymmetryReduction::new(&directions) } else { SymmetryReduction::none() };
        let SearchBuffers { mut roots, walker } = BUFFERS.with_borrow_mut(Vec::pop).unwrap_or_default();
        roots.clear();
        Root::add_all(&mut roots, tables, &directions, &reduction, 0);
        let views = match tables.by_profile() {
            ByProfile::Mapped { phase_one, phase_two, opened } => {
                Views::Mapped(TableViews::new(phase_one, phase_two, opened))
            }
            ByProfile::Tiny(tiny) => Views::Tiny(tiny),
        };
        let first_level = views.first_level(&directions);
        Self {
            tables,
            views,
            directions,
            reduction,
            roots,
            walker: PhaseOneWalker::new(walker),
            level: first_level,
            lower_bound: lower_bound.max(first_level),
            empty_control: empty_deadline.map_or_else(|| control.clone(), |deadline| control.until(deadline)),
            control: control.clone(),
            look_at: PERIOD,
            loaded: false,
        }
    }

    /// Returns the lower bound on the length.
    pub fn lower_bound(&self) -> u8 {
        self.lower_bound
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> u64 {
        self.walker.effort.nodes
    }

    /// Restarts from the first level with a new control, for any solution of at most `at_most` moves. The lower bound
    /// is kept. With `give_up_soon`, each phase 2 expands at most 10 000 nodes.
    pub(crate) fn restart_relaxed(
        &mut self,
        best: &mut BestSolutions,
        at_most: u8,
        control: &Control,
        give_up_soon: bool,
    ) {
        best.settle_for(at_most);
        self.walker.reset(if give_up_soon { QUICK_PHASE_TWO } else { u64::MAX });
        self.control = control.clone();
        self.empty_control = control.clone();
        self.level = self.views.first_level(&self.directions);
        self.loaded = false;
    }

    /// Searches for some microseconds, or with several threads until the level is done. Meanwhile, `notify` is told the number of nodes.
    pub fn advance(&mut self, best: &BestSolutions, notify: NodesCallback<'_>) -> TwoPhaseStatus {
        match self.views {
            Views::Mapped(tables) => self.advance_with(tables, best, notify),
            Views::Tiny(tables) => self.advance_with(tables, best, notify),
        }
    }

    fn advance_with(
        &mut self,
        tables: impl PhaseTables,
        best: &BestSolutions,
        notify: NodesCallback<'_>,
    ) -> TwoPhaseStatus {
        if !self.loaded {
            if self.level > best.at_most().min(LEVELS) || best.is_reached() {
                return TwoPhaseStatus::Over;
            }
            self.load(tables);
        }
        let context = SearchContext {
            tables,
            roots: &self.roots,
            directions: &self.directions,
            best_solutions: best,
            control: &self.control,
            empty_control: &self.empty_control,
        };
        let threads = best.goal().threads;
        if threads > 1 && self.level >= PARALLEL_FROM {
            parallel::walk(&mut self.walker, threads, &context, notify);
        } else {
            for _ in 0..PASSES {
                self.walker.advance(&context);
                if self.walker.is_idle() || best.is_reached() || self.walker.effort.halted.is_some() {
                    break;
                }
            }
        }
        if best.is_reached() {
            return TwoPhaseStatus::Over;
        }
        if let Some(halt) = self.walker.effort.halted {
            return TwoPhaseStatus::Halted(halt);
        }
        if self.walker.is_idle() {
            // If phase 2 is cut short, an exhausted level proves nothing. Solutions longer than the shortest one may be missing.
            if self.walker.is_thorough() {
                self.lower_bound = self.lower_bound.max(best.best().min(self.level + 1));
            }
            self.level += 1;
            self.loaded = false;
        }
        if self.walker.effort.nodes >= self.look_at {
            self.look_at = self.walker.effort.nodes + PERIOD;
            if let Err(halt) = context.check() {
                return TwoPhaseStatus::Halted(halt);
            }
        }
        TwoPhaseStatus::Going
    }

    /// Pushes the roots of this level to the walker.
    fn load(&mut self, tables: impl PhaseTables) {
        self.loaded = true;
        let one_premove_from = tables.one_premove_from();
        for (length, from) in [(1, one_premove_from), (2, TWO_PREMOVES_FROM)] {
            if self.level == from && self.roots.iter().all(|root| root.premoves.len() != length) {
                Root::add_all(&mut self.roots, self.tables, &self.directions, &self.reduction, length);
            }
        }
        for (index, root) in self.roots.iter_mut().enumerate() {
            let length = root.premoves.len();
            let Some(depth) = self.level.checked_sub(length) else { continue };
            let from = [0, one_premove_from, TWO_PREMOVES_FROM][usize::from(length)];
            if self.level < from || root.start.distance > depth {
                continue;
            }
            // Roots that are added at this level also search all smaller depths.
            let first = if self.level == from { root.start.distance } else { depth };
            if first == root.start.distance {
                root.carried = tables.carried(&root.cube);
            }
            for depth in first..=depth {
                self.walker.start(index as u16, root, depth);
            }
        }
    }
}

impl Drop for TwoPhase<'_> {
    fn drop(&mut self) {
        let (roots, walker) = (std::mem::take(&mut self.roots), self.walker.take_buffers());
        // Without the storage of the thread, which is ending, the buffers are dropped.
        let _ = BUFFERS.try_with(|kept| {
            let mut kept = kept.borrow_mut();
            if kept.len() < MAX_KEPT {
                kept.push(SearchBuffers { roots, walker });
            }
        });
    }
}
