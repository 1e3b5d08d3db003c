//! What the driver, the walker and phase 2 must know of an alphabet, and what they share with it.

use std::cell::RefCell;
use std::thread::LocalKey;

use crate::control::{Cancelled, Control};
use crate::search::incumbent::BestSolutions;
use crate::search::phase_one::{Direction, PhaseOneNode};
use crate::tables::pruning::phase_one::Neighbours;
use crate::tables::pruning::phase_two::EdgeEntries;
use superflip_cube::metric::Metric;
use superflip_cube::{Corner, Cube, Move, parity};

/// Number of nodes between two checks of deadline and stop flag: some 30 to 200 microseconds of work.
pub(crate) const PERIOD: u64 = 1024;

/// The letters that make up maneuvers, as views of the tables that a search reads for them. A letter of phase 1 has length 1.
///
/// It is copied out of the [`Context`] before loops, so that the compiler keeps addresses of tables in registers.
pub(crate) trait Alphabet: Copy + Sync {
    /// The directions of the cube, and all else that is computed once for a search.
    type Facts: Sync;
    /// What a root has in this alphabet only.
    type Own: Sync + 'static;
    /// Memory for the children of a node of phase 2.
    type Children: Default + AsMut<[Child]>;

    /// The value of [`Node::last`] at a root.
    const NO_LAST: u8;
    /// Level from which several threads are used. Lower levels take less time than starting a thread.
    const PARALLEL_FROM: u8;

    /// Returns the unused buffers of this thread.
    fn buffers() -> &'static LocalKey<RefCell<Vec<Buffers<Self::Own>>>>;

    /// Returns the directions: first the directions of the cube, then the directions of its inverse.
    fn directions(facts: &Self::Facts) -> &[Direction];

    /// Returns the parity of the length of every solution, if all lengths have the same parity.
    fn parity(&self) -> Option<u8> {
        None
    }

    /// Returns whether phase 1 has work to do. If not, no other arrival comes after one whose phase 2 is given up.
    fn has_phase_one(&self) -> bool {
        true
    }

    /// Returns the levels from which roots with one and with two pre-moves are searched.
    fn premoves_from(&self) -> [u8; 2];

    /// Adds the roots with `count` pre-moves of `length` in all, which join at a level.
    fn add_roots(&self, facts: &Self::Facts, count: u8, length: u8, joins: u8, roots: &mut Vec<Root<Self::Own>>);

    /// Returns the phase-2 coordinates that a root carries.
    fn carried(&self, root: &Root<Self::Own>) -> Carried;

    /// Prefetches what [`Alphabet::expand`] reads.
    fn prefetch(&self, node: &Node);

    /// Returns whether [`Alphabet::expand`] wants neighbours.
    #[inline(always)]
    fn has_neighbours(&self) -> bool {
        false
    }

    /// Finds and prefetches the neighbours of a node halfway through the ring.
    #[inline(always)]
    fn prefetch_neighbours(&self, _: &Node, _: &mut Neighbours) {}

    /// Adds the children of a node that is not an arrival, and its arrivals. Its last letter must enter G1.
    fn expand(&self, node: Node, neighbours: Option<&Neighbours>, context: &Context<'_, Self>, out: &mut Frontier);

    /// Returns a node of G1 as an arrival, and prefetches what [`Alphabet::enter`] reads.
    fn arrive(&self, node: &Node, context: &Context<'_, Self>) -> Arrival;

    /// Adds the starts of phase 2 for which an arrival stands and which a small table does not rule out within the upper bound. Prefetches
    /// what [`Alphabet::prefetch_entries`] reads.
    fn enter(&self, arrival: Arrival, context: &Context<'_, Self>, out: &mut Vec<PhaseTwoStart>);

    /// Finds and prefetches the entries that [`Alphabet::bound`] reads.
    fn prefetch_entries(&self, start: &mut PhaseTwoStart);

    /// Returns what [`Alphabet::children`] takes as the last letter, where phase 2 follows the last letter of phase 1.
    fn boundary(facts: &Self::Facts, last: u8) -> u8;

    /// Returns the length of a letter of phase 2.
    fn length(facts: &Self::Facts, letter: u8) -> u8;

    /// Stores the children after the letters that may follow `last` and fit in `left`, and returns their number. A child may still be
    /// ruled out by [`Alphabet::bound`].
    fn children(&self, facts: &Self::Facts, inside: Inside, last: u8, left: u8, out: &mut Self::Children) -> usize;

    /// Returns the lower bound on the length of phase 2 that [`Alphabet::children`] and [`Alphabet::enter`] have not applied; 0 if they
    /// applied all.
    fn bound(&self, inside: Inside, entries: EdgeEntries, left: u8) -> u8;

    /// Returns whether the cube is solved.
    fn is_solved(&self, inside: Inside) -> bool;

    /// Returns the moves of a solution whose phase 2 has the letters `way`, and the number of its pre-moves.
    fn write(&self, start: &PhaseTwoStart, way: &[u8], context: &Context<'_, Self>) -> (Vec<Move>, u8);
}

/// A root: a position where phase 1 starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Root<T> {
    /// Index of the direction.
    pub(crate) direction: u8,
    /// Length of the pre-moves.
    pub(crate) length: u8,
    /// Level from which the root is searched. At this level, all smaller depths are searched too.
    pub(crate) joins: u8,
    /// Phase-1 coordinates, after the pre-moves.
    pub(crate) start: PhaseOneNode,
    /// Coordinates for phase 2, computed when phase 1 starts at this root.
    pub(crate) carried: Carried,
    pub(crate) own: T,
}

/// Phase-2 coordinates that a node of phase 1 carries: corner permutation and sorted slice. Alphabets that compute them
/// only at arrivals leave them at 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried {
    pub(crate) corners: u16,
    pub(crate) slice: u16,
}

/// A cube of G1, in the phase-2 coordinates of an alphabet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inside {
    pub(crate) corners: u16,
    pub(crate) edges: u16,
    pub(crate) slice: u16,
    /// With `tiny`: slots of the U corners and of the S edges, one byte each; else 0.
    pub(crate) places: u16,
}

/// A cube in G1 whose bound from the small table is not above the length left.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhaseTwoStart {
    pub(crate) path: Path,
    pub(crate) root: u16,
    /// As in the last [`Node`].
    pub(crate) last: u8,
    /// Which of the cubes for which the arrival stands.
    pub(crate) variant: u8,
    /// Length of phase 1 and pre-moves.
    pub(crate) used: u8,
    /// Lower bound on the length of phase 2.
    pub(crate) bound: u8,
    pub(crate) inside: Inside,
    pub(crate) entries: EdgeEntries,
}

/// A child of a node of phase 2.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Child {
    pub(crate) letter: u8,
    pub(crate) inside: Inside,
    pub(crate) entries: EdgeEntries,
}

/// Data that all walkers of a search share.
pub(crate) struct Context<'a, A: Alphabet> {
    pub(crate) alphabet: A,
    pub(crate) facts: &'a A::Facts,
    pub(crate) roots: &'a [Root<A::Own>],
    pub(crate) best: &'a BestSolutions,
    pub(crate) control: &'a Control,
    /// The control while nothing was found.
    pub(crate) empty_control: &'a Control,
}

impl<A: Alphabet> Context<'_, A> {
    /// Returns a root by its index.
    #[inline(always)]
    pub(crate) fn root(&self, index: u16) -> &Root<A::Own> {
        &self.roots[usize::from(index)]
    }

    /// Checks whether the search must end.
    pub(crate) fn check(&self) -> Result<(), Cancelled> {
        let is_empty = self.best.best() == u8::MAX;
        if is_empty { self.empty_control.check() } else { self.control.check() }
    }

    /// Returns whether a walker must stop.
    #[inline]
    pub(crate) fn is_over(&self, effort: &NodeCount) -> bool {
        self.best.is_reached() || effort.halted.is_some()
    }
}

/// Node count and node limit of a walker, and why it ended early.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeCount {
    /// Number of nodes expanded, of both phases.
    pub(crate) nodes: u64,
    /// Reason for ending early, if it did.
    pub(crate) halted: Option<Cancelled>,
    /// Greatest number of nodes that one phase 2 may expand.
    pub(crate) phase_two_nodes: u64,
}

/// The letters of a phase-1 maneuver: six bits each, the last letter lowest, below a leading 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path(u128);

impl Path {
    /// Greatest number of letters.
    pub(crate) const CAPACITY: u8 = 20;

    #[inline]
    pub(crate) fn with(self, letter: u8) -> Self {
        Self(self.0 << 6 | u128::from(letter))
    }

    /// Returns the number of letters.
    #[inline]
    pub(crate) fn len(self) -> u8 {
        (self.0.ilog2() / 6) as u8
    }

    /// Returns the letters in order.
    pub(crate) fn letters(self) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.len()).rev().map(move |back| (self.0 >> (6 * back) & 63) as usize)
    }

    /// Returns the letters in reverse order.
    #[inline]
    pub(crate) fn letters_backwards(self) -> impl Iterator<Item = usize> {
        // Few paths are longer than ten letters, so the upper half is nearly always 0.
        let (mut low, mut high) = (self.0 as u64, (self.0 >> 64) as u64);
        std::iter::from_fn(move || {
            if high == 0 && low <= 1 {
                return None;
            }
            let letter = (low & 63) as usize;
            low >>= 6;
            if high != 0 {
                low |= high << 58;
                high >>= 6;
            }
            Some(letter)
        })
    }
}

impl Default for Path {
    fn default() -> Self {
        Self(1)
    }
}

/// A node of phase 1 and the path to it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Node {
    pub(crate) path: Path,
    pub(crate) position: PhaseOneNode,
    pub(crate) carried: Carried,
    pub(crate) root: u16,
    /// Number of letters left.
    pub(crate) left: u8,
    /// What the canonical order must know of the path: its last move, or its last run.
    pub(crate) last: u8,
}

/// A node in G1, whose bound is not known yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) path: Path,
    /// Of the node, and of its twin if it has one.
    pub(crate) carried: [Carried; 2],
    pub(crate) root: u16,
    pub(crate) last: u8,
}

/// What an expansion adds to.
#[derive(Default)]
pub(crate) struct Frontier {
    /// The stack.
    pub(crate) nodes: Vec<Node>,
    /// Arrivals, for which the entry of the table of corners and slice edges was prefetched.
    pub(crate) arrivals: Vec<Arrival>,
}

/// Memory of a walker, which the next one can use.
#[derive(Default)]
pub(crate) struct Memory {
    pub(super) frontier: Frontier,
    /// Of each slot, what is known when its node has passed half of the ring.
    pub(super) neighbours: Vec<Neighbours>,
    /// Starts of phase 2, for which the index of the entry of the large table was prefetched.
    pub(super) bounded: Vec<PhaseTwoStart>,
    /// Those whose entry of the large table was prefetched.
    pub(super) ready: Vec<PhaseTwoStart>,
}

impl Memory {
    pub(super) fn clear(&mut self) {
        self.frontier.nodes.clear();
        self.frontier.arrivals.clear();
        self.bounded.clear();
        self.ready.clear();
    }

    pub(super) fn has_arrivals(&self) -> bool {
        !(self.frontier.arrivals.is_empty() && self.bounded.is_empty() && self.ready.is_empty())
    }
}

/// Buffers of more than ten kilobytes. A search hands them to the next one on its thread, which spares the shared allocator.
pub(crate) struct Buffers<T> {
    pub(super) roots: Vec<Root<T>>,
    pub(super) walker: Memory,
}

/// Returns the parity of the length of every solution, if all lengths have the same parity: in QTM the parity of the corners.
pub(crate) fn parity_of(metric: Metric, cube: &Cube) -> Option<u8> {
    (metric == Metric::Qtm).then(|| u8::from(parity(&cube.corners().map(Corner::index)) == Some(true)))
}

/// Returns the least length from `bound` on that has the parity.
pub(crate) fn of_parity(bound: u8, parity: Option<u8>) -> u8 {
    bound + u8::from(parity.is_some_and(|parity| bound % 2 != parity))
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
