//! The table look-ups of a two-phase search, as a trait.

pub(crate) mod mapped;
mod tiny;

use super::path::MovePath;
use super::roots::Root;
use crate::search::phase_one::{PhaseOneNode, PhaseOneTables};
use crate::tables::pruning::phase_two::EdgeEntries;
use superflip_cube::{ByteCube, Move};

/// Phase-2 coordinates that a node of phase 1 carries: corner permutation and sorted slice. Profiles that compute them
/// only at arrivals leave them at 0.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Carried {
    pub(crate) corners: u16,
    pub(crate) slice: u16,
}

/// What the end of a phase 1 carries, and what the end of its twin would.
pub(crate) type Ends = [Carried; 2];

/// A cube of G1, in the phase-2 coordinates of a profile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Inside {
    pub(crate) corners: u16,
    pub(crate) edges: u16,
    pub(crate) slice: u16,
    /// With `tiny`: slots of the U corners and of the S edges, one byte each; else 0.
    pub(crate) places: u16,
}

/// A child of a node of phase 2.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Child {
    /// Number of the move in [`Move::PHASE_TWO`].
    pub(crate) number: u8,
    pub(crate) inside: Inside,
    pub(crate) entries: EdgeEntries,
}

/// Children of a node of phase 2.
pub(crate) type Children = [Child; Move::PHASE_TWO.len()];

/// The tables of a profile, as the two-phase search reads them.
pub(crate) trait PhaseTables: Copy + Sync {
    /// The tables of phase 1.
    type PhaseOne: PhaseOneTables;

    /// Returns the level from which roots with one pre-move are searched.
    fn one_premove_from(&self) -> u8;

    /// Returns the tables of phase 1.
    fn phase_one(&self) -> Self::PhaseOne;

    /// Returns whether no canonical maneuver of `moves_left` moves enters G1 with its last move. It may be true for a
    /// node with such a maneuver if another node leads to the same solutions.
    fn leads_nowhere(&self, node: PhaseOneNode, moves_left: u8) -> bool;

    /// Returns the phase-2 coordinates that the root of a cube carries.
    fn carried(&self, cube: &ByteCube) -> Carried;

    /// Returns the coordinates after one of the 18 moves.
    fn carried_after(&self, carried: Carried, mv: usize) -> Carried;

    /// Prefetches what [`PhaseTables::carried_after`] reads.
    fn prefetch_carried(&self, carried: Carried);

    /// Computes what a twin carries, and prefetches the bounds that [`PhaseTables::arrivals`] reads.
    fn prefetch_bounds(&self, root: &Root, carried: Carried) -> Ends;

    /// Returns the phase-2 nodes at the end of `path`: of the cube, and of its twin. Each has a lower bound on the length of
    /// phase 2. A node whose bound exceeds `left` is `None`.
    fn arrivals(&self, root: &Root, path: MovePath, ends: Ends, left: u8) -> [Option<(Inside, u8)>; 2];

    /// Prefetches what [`PhaseTables::prefetch_inside`] reads.
    fn prefetch_index(&self, inside: Inside);

    /// Finds and prefetches the entries that [`PhaseTables::inside_bound`] reads.
    fn prefetch_inside(&self, inside: Inside) -> EdgeEntries;

    /// Returns the lower bound that [`PhaseTables::children`] has not applied; 0 if it applied all.
    fn inside_bound(&self, entries: EdgeEntries) -> u8;

    /// Returns whether the cube is solved.
    fn is_solved(&self, inside: Inside) -> bool;

    /// Stores the children after the phase-2 moves in the mask `allowed` whose lower bound is below `moves_left`, and returns
    /// their number. The lower bound of the node itself is at most `moves_left`. A child may still be ruled out by [`PhaseTables::inside_bound`].
    fn children(&self, inside: Inside, allowed: u32, moves_left: u8, out: &mut Children) -> usize;
}
