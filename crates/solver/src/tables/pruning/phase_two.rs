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
//! - The small profile reads `phase_two_layers` twice, once per layer, and takes the greater bound.
//!
//! The edges of one layer inside G1 are the columns of the small phase-2 table. The four edges of the U layer have 8 * 7 * 6 * 5 = 1680 placements in the eight U and D slots. The edges of the D
//! layer have as many. Half of the 16 symmetries exchange the two layers, so both layers have columns in one table:
//!
//! ```text
//! column    0 .. 1679    the values of u_edges that occur inside G1, in rising order
//! column 1680 .. 3359    the values of d_edges
//! ```

use crate::coord::{D_EDGES, Descriptor, U_EDGES, UD_EDGES};
use crate::tables::file::table::{Id, Opened};
use crate::tables::prefetch;
use crate::tables::pruning::packed;
use superflip_cube::{Cube, Face, Move, Symmetry};

/// Orders of the four slice edges inside G1.
pub const SLICE_ORDERS: usize = 24;

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
    pub(crate) fn prefetch_corners(&self, corners: u16, slice: u16) {
        let entry = usize::from(corners) * SLICE_ORDERS + usize::from(slice);
        prefetch::read(self.corners, packed::byte_of_nibble(entry));
    }

    /// Prefetches what [`PhaseTwo::prefetch`] reads: the class of the corners, and the edges in all frames.
    #[inline]
    pub(crate) fn prefetch_index(&self, corners: u16, edges: u16) {
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
                let entries =
                    [layers[at], layers[at + 1]].map(|layer| class / 16 * LAYER_COLUMNS as u32 + column(layer));
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

/// Number of placements of the edges of one layer inside G1.
pub(crate) const LAYER_WAYS: usize = 1680;
/// Number of columns: the placements of both layers.
pub const LAYER_COLUMNS: usize = 2 * LAYER_WAYS;

/// The two coordinates and their values inside G1.
struct Layers([(&'static Descriptor, Vec<u32>); 2]);

impl Layers {
    fn new() -> Self {
        Self([(&U_EDGES, 0..4), (&D_EDGES, 4..8)].map(|(coordinate, pieces)| {
            let is_inside = |value: &u32| {
                let cube = (coordinate.representative)(*value);
                cube.edges()[8..].iter().all(|piece| !pieces.contains(&piece.index()))
            };
            (coordinate, (0..coordinate.size).filter(is_inside).collect())
        }))
    }

    /// Returns the column of a value of layer 0 or 1 that occurs inside G1.
    fn column(&self, layer: usize, value: u32) -> u16 {
        (layer * LAYER_WAYS + self.0[layer].1.binary_search(&value).unwrap_or_default()) as u16
    }

    /// Returns the column of a cube whose edges of the layer are in U and D slots.
    fn of(&self, layer: usize, cube: &Cube) -> u16 {
        self.column(layer, (self.0[layer].0.index)(cube).unwrap_or_default())
    }

    /// Returns layer, value and a cube for each column.
    fn each(&self) -> impl Iterator<Item = (usize, u32, Cube)> {
        let values = self.0.iter().enumerate().flat_map(|(layer, (_, values))| values.iter().map(move |v| (layer, *v)));
        values.map(|(layer, value)| (layer, value, (self.0[layer].0.representative)(value)))
    }
}

/// Returns the columns of both layers for each permutation of the U and D edges, at `2 * ud_edges + layer`.
pub(crate) fn layers_of_ud_edges() -> Vec<u16> {
    let layers = Layers::new();
    let both = |value| {
        let cube = (UD_EDGES.representative)(value);
        [layers.of(0, &cube), layers.of(1, &cube)]
    };
    (0..UD_EDGES.size).flat_map(both).collect()
}

/// Returns the column of `S * x * S^-1`, at `16 * column + S`.
pub(crate) fn layer_conjugates() -> Vec<u16> {
    let layers = Layers::new();
    let image = |layer: usize, cube: &Cube, s: Symmetry| {
        let exchanges = s.conjugate_move(Move::U).face() == Face::D;
        layers.of(layer ^ usize::from(exchanges), &s.conjugate(cube))
    };
    let symmetries = || Symmetry::all().take(Symmetry::KEEPING_UD);
    layers
        .each()
        .flat_map(|(layer, _, cube)| symmetries().map(move |s| (layer, cube, s)))
        .map(|(l, c, s)| image(l, &c, s))
        .collect()
}

/// Returns the column after each of the ten moves of phase 2, at `10 * column + move`.
pub(crate) fn layer_moves(tables: &Opened) -> Vec<u16> {
    let layers = Layers::new();
    let moves = [tables.u16s(Id::UEdgesMove), tables.u16s(Id::DEdgesMove)];
    let after = |layer: usize, value: u32, mv: Move| {
        layers.column(layer, u32::from(moves[layer][value as usize * Move::COUNT + mv.index()]))
    };
    layers.each().flat_map(|(layer, value, _)| Move::PHASE_TWO.map(|mv| after(layer, value, mv))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_see_the_edges_of_the_permutation() {
        let (of_edges, images) = (layers_of_ud_edges(), layer_conjugates());
        assert_eq!((Layers::new().each().count(), images.len()), (LAYER_COLUMNS, 16 * LAYER_COLUMNS));
        let mut cube = Cube::SOLVED;
        for i in 0..3000 {
            cube = cube.then(Move::PHASE_TWO[(i * i + i / 7) % 10].cube());
            let pair = |cube: &Cube| {
                let at = 2 * (UD_EDGES.index)(cube).unwrap() as usize;
                [of_edges[at], of_edges[at + 1]]
            };
            for s in Symmetry::all().take(Symmetry::KEEPING_UD) {
                let mut seen = pair(&cube).map(|column| images[16 * usize::from(column) + s.index()]);
                seen.sort_unstable();
                assert_eq!(seen, pair(&s.conjugate(&cube)));
            }
        }
    }
}
