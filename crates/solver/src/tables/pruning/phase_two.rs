//! The phase-2 pruning tables: lower bounds on the distance of a cube of G1 from solved.
//!
//! | table | parts | entries | in |
//! | --- | --- | --- | --- |
//! | `phase_two` | corner classes (2768) x permutation of the U and D edges (40320) | 111 605 760 | `standard` |
//! | `phase_two_corners` | corner permutation (40320) x order of the slice edges (24) | 967 680 | both |
//! | `phase_two_layers` | corner classes (2768) x edges of the U or of the D layer (2 x 1680) | 9 300 480 | `small` |
//!
//! - `phase_two` and `phase_two_corners` store exact distances for their parts, in four bits; distances above 15 are
//!   stored as 15. `phase_two_layers` has two bits per entry, which distinguish the four [`LEVELS`].
//! - `phase_two_corners` has half a megabyte and stays in the cache. It prunes most candidates before the large table
//!   is read.
//! - The small profile reads `phase_two_layers` twice, once per layer ([`super::layers`]), and takes the greater bound.

use super::layers::COLUMNS;
use super::packed;
use crate::coord::UD_EDGES;
use crate::tables::catalogue::id::Id;
use crate::tables::file::table::Opened;
use crate::tables::prefetch;

/// Orders of the four slice edges inside G1.
pub const SLICE_ORDERS: usize = 24;
/// Greatest distance that four bits hold.
pub(crate) const CAP: u8 = 15;

/// Lower bounds that the entries of `phase_two_layers` stand for. Phase 2 usually has about ten moves left, and few
/// distances are below eight. So the bounds lie between these.
pub const LEVELS: [u8; 4] = [0, 8, 10, 11];

/// Returns the index of the greatest bound in [`LEVELS`] that the distance reaches.
pub fn level(distance: u8) -> u8 {
    LEVELS.iter().rposition(|&level| level <= distance).unwrap_or_default() as u8
}

/// Indices of the entries of corners and U and D edges: one, or in `small` one for each layer.
#[derive(Clone, Copy, Debug, Default)]
pub struct EdgeEntries([u32; 2]);

/// Views of the phase-2 tables of `standard` or `small`.
#[derive(Clone, Copy)]
pub struct PhaseTwo<'t> {
    corners: &'t [u8],
    edges: Edges<'t>,
}

#[derive(Clone, Copy)]
enum Edges<'t> {
    ByLayer { distances: &'t [u8], classes: &'t [u32], layers: &'t [u16], conjugates: &'t [u16] },
    WithCorners { distances: &'t [u8], classes: &'t [u32], conjugates: &'t [u16] },
}

impl<'t> PhaseTwo<'t> {
    /// Takes the views of the opened tables.
    pub(crate) fn new(opened: &'t Opened) -> Self {
        Self {
            corners: opened.bytes(Id::PhaseTwoCorners),
            edges: match opened.get(Id::PhaseTwo) {
                Some(distances) => Edges::WithCorners {
                    distances: distances.bytes(),
                    classes: opened.u32s(Id::CornerClass),
                    conjugates: opened.u16s(Id::UdEdgesConjugate),
                },
                None => Edges::ByLayer {
                    distances: opened.bytes(Id::PhaseTwoLayers),
                    classes: opened.u32s(Id::CornerClass),
                    layers: opened.u16s(Id::UdEdgesLayers),
                    conjugates: opened.u16s(Id::LayerEdgesConjugate),
                },
            },
        }
    }
}

impl PhaseTwo<'_> {
    /// Returns whether [`PhaseTwo::edge_bound`] is the exact distance of these pieces, up to `CAP`.
    pub fn is_exact(&self) -> bool {
        matches!(self.edges, Edges::WithCorners { .. })
    }

    /// Returns the number of phase-2 moves that corners (0..40320) and slice edges (0..24) need, from the small table.
    #[inline]
    pub fn corner_bound(&self, corners: u16, slice: u16) -> u8 {
        packed::nibble(self.corners, usize::from(corners) * SLICE_ORDERS + usize::from(slice))
    }

    /// Returns a lower bound from the entries of corners (0..40320) and U and D edges (0..40320): all edges together in `standard`,
    /// layer by layer in `small`.
    #[inline]
    pub fn bound_of(&self, entries: EdgeEntries) -> u8 {
        let [first, second] = entries.0.map(|index| index as usize);
        match self.edges {
            Edges::ByLayer { distances, .. } => {
                LEVELS[usize::from(packed::pair(distances, first).max(packed::pair(distances, second)))]
            }
            Edges::WithCorners { distances, .. } => packed::nibble(distances, first),
        }
    }

    /// Prefetches the entry that [`PhaseTwo::corner_bound`] reads.
    #[inline]
    pub fn prefetch_corners(&self, corners: u16, slice: u16) {
        let entry = usize::from(corners) * SLICE_ORDERS + usize::from(slice);
        prefetch::read(self.corners, packed::byte_of_nibble(entry));
    }

    /// Prefetches what [`PhaseTwo::prefetch`] reads: the class of the corners, and the edges in all frames.
    #[inline]
    pub fn prefetch_index(&self, corners: u16, edges: u16) {
        match self.edges {
            Edges::ByLayer { classes, layers, .. } => {
                prefetch::read(classes, usize::from(corners));
                prefetch::read(layers, 2 * usize::from(edges));
            }
            Edges::WithCorners { classes, conjugates, .. } => {
                prefetch::read(classes, usize::from(corners));
                prefetch::read(conjugates, usize::from(edges) * 16);
            }
        }
    }

    /// Finds and prefetches the entries of corners and U and D edges.
    #[inline]
    pub fn prefetch(&self, corners: u16, edges: u16) -> EdgeEntries {
        let (Edges::ByLayer { classes, conjugates, .. } | Edges::WithCorners { classes, conjugates, .. }) = self.edges;
        let class = classes[usize::from(corners)];
        let column = |edges: u16| u32::from(conjugates[usize::from(edges) * 16 + class as usize % 16]);
        match self.edges {
            Edges::ByLayer { distances, layers, .. } => {
                let at = 2 * usize::from(edges);
                let entries = [layers[at], layers[at + 1]].map(|layer| class / 16 * COLUMNS as u32 + column(layer));
                for entry in entries {
                    prefetch::read(distances, packed::byte_of_pair(entry as usize));
                }
                EdgeEntries(entries)
            }
            Edges::WithCorners { distances, .. } => {
                let entry = class / 16 * UD_EDGES.size + column(edges);
                prefetch::read(distances, packed::byte_of_nibble(entry as usize));
                EdgeEntries([entry, 0])
            }
        }
    }

    /// Returns a lower bound from corners (0..40320) and U and D edges (0..40320), as [`PhaseTwo::bound_of`] does.
    #[inline]
    pub fn edge_bound(&self, corners: u16, edges: u16) -> u8 {
        self.bound_of(self.prefetch(corners, edges))
    }

    /// Returns a lower bound on the number of phase-2 moves to solved.
    pub fn bound(&self, corners: u16, edges: u16, slice: u16) -> u8 {
        self.corner_bound(corners, slice).max(self.edge_bound(corners, edges))
    }
}
