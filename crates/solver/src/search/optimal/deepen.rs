//! One iteration of iterative deepening, on all threads. It finds a solution of one length, or all of them, or proves
//! that there is none.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::all_solutions::Collection;
use super::fallback_bound::FallbackBound;
use super::node::Node;
use super::root_branches::{Part, root_branches};
use super::walker::{BatchWalker, NO_HALF_TURNS, PruningRules};
use crate::control::{Cancelled, Control};
use crate::search::shared_nodes::{SharedNodes, Walker, on_threads, with_idle_threads};
use crate::tables::optimal::OptimalTable;
use crate::tables::pruning::near::NearSet;
use superflip_cube::{Cube, Move, Symmetry};

/// Number of nodes into which an iteration is split for the threads.
const PARTS: usize = 1024;
/// Number of nodes that a thread takes at a time.
const TAKEN_AT_ONCE: usize = 4;
/// Batches between two checks of deadline and stop flag, about 100 microseconds.
const PERIOD: u32 = 16;

/// One cube with the tables and limits of its search.
pub(crate) struct DeepeningContext<'a> {
    pub(crate) table: &'a OptimalTable,
    /// All positions near solved.
    pub(crate) near_set: NearSet<'a>,
    pub(crate) cube: Cube,
    /// Bounds of the table for the cube and for its inverse.
    pub(crate) bounds: [u8; 2],
    /// Second pruning bound, for cubes near the solved coset.
    pub(crate) fallback: Option<FallbackBound<'a>>,
    /// Symmetries of the cube other than the identity.
    pub(crate) symmetries: Vec<Symmetry>,
    pub(crate) control: Control,
    pub(crate) threads: usize,
}

/// The result of one iteration.
pub(crate) struct Deepened {
    /// A solution, if one was wanted and found.
    pub(crate) found: Option<Vec<Move>>,
    /// Why the iteration ended early, if it did.
    pub(crate) halted: Option<Cancelled>,
    pub(crate) nodes: u64,
}

impl DeepeningContext<'_> {
    /// Looks for a solution of exactly `length` moves.
    pub(crate) fn deepen(&self, length: u8) -> Deepened {
        let found = Mutex::new(None);
        let arrive = |node: &Node| {
            let Some(here) = self.near_set.way_home(&node.sides[0].cube()) else { return false };
            *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(node.solution(&here));
            true
        };
        let mut out = Deepened { found: None, halted: None, nodes: 0 };
        for &part in Part::of_cube(&self.cube) {
            let deepened = self.walk(length, &self.symmetries, part, &arrive);
            out.nodes += deepened.nodes;
            out.halted = deepened.halted;
            out.found = found.lock().unwrap_or_else(PoisonError::into_inner).take();
            if out.found.is_some() || out.halted.is_some() {
                break;
            }
        }
        out
    }

    /// Collects the solutions of exactly `length` moves; there must be none of fewer.
    pub(crate) fn collect(&self, length: u8, collection: &Collection<'_>) -> Deepened {
        self.walk(length, &[], Part::All, &|node| {
            collection.add(node);
            false
        })
    }

    /// Visits every node of a part with as many moves left as the radius of the near set until `arrive` returns true.
    fn walk(
        &self,
        length: u8,
        symmetries: &[Symmetry],
        part: Part,
        arrive: &(dyn Fn(&Node) -> bool + Sync),
    ) -> Deepened {
        let root = Node::root(&self.cube, self.bounds, length);
        if length <= self.near_set.radius {
            arrive(&root);
            return Deepened { found: None, halted: None, nodes: 1 };
        }
        let rules = PruningRules {
            table: self.table,
            leaf: self.near_set.radius,
            half_turn: if part == Part::QuarterTurns { NO_HALF_TURNS } else { self.near_set.half_turn },
            fallback: self.fallback.as_ref(),
        };
        let mut opener = BatchWalker::new();
        opener.take_over(&root_branches(self.table, root, symmetries, part, self.near_set.radius + 1));
        let parts = opener.split(PARTS, rules, arrive);
        let is_over = AtomicBool::new(parts.is_none());
        let halted = OnceLock::new();
        let parts = SharedNodes::new(parts.unwrap_or_default(), TAKEN_AT_ONCE);
        let search = || {
            // A thread that was idle may come when the work is done.
            if parts.is_empty() {
                return 0;
            }
            let mut walker = BatchWalker::new();
            let mut batches = 0_u32;
            parts.search(&mut walker, |walker| {
                if is_over.load(Relaxed) {
                    return true;
                }
                if walker.batch(rules, arrive) {
                    is_over.store(true, Relaxed);
                }
                batches += 1;
                if batches.is_multiple_of(PERIOD)
                    && let Err(cancelled) = self.control.check()
                {
                    halted.get_or_init(|| cancelled);
                    is_over.store(true, Relaxed);
                }
                false
            });
            walker.nodes
        };
        let searched =
            if self.threads == 1 { with_idle_threads(search) } else { on_threads(self.threads, search, search) };
        let nodes = opener.nodes + searched.into_iter().sum::<u64>();
        Deepened { found: None, halted: halted.into_inner(), nodes }
    }
}
