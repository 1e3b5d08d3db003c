//! The edges of one layer inside G1, as the columns of the small phase-2 table.
//!
//! The four edges of the U layer have 8 * 7 * 6 * 5 = 1680 placements in the eight U and D slots. The edges of the D
//! layer have as many. Half of the 16 symmetries exchange the two layers, so both layers have columns in one table:
//!
//! ```text
//! column    0 .. 1679    the values of u_edges that occur inside G1, in rising order
//! column 1680 .. 3359    those of d_edges
//! ```

use crate::coord::{D_EDGES, Descriptor, U_EDGES, UD_EDGES};
use crate::tables::catalogue::id::Id;
use crate::tables::file::table::Opened;
use superflip_cube::{Cube, Face, Move, Symmetry};

/// Number of placements of the edges of one layer inside G1.
pub const WAYS: usize = 1680;
/// Number of columns: the placements of both layers.
pub const COLUMNS: usize = 2 * WAYS;

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
        (layer * WAYS + self.0[layer].1.binary_search(&value).unwrap_or_default()) as u16
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
pub(crate) fn columns_of_ud_edges() -> Vec<u16> {
    let layers = Layers::new();
    let both = |value| {
        let cube = (UD_EDGES.representative)(value);
        [layers.of(0, &cube), layers.of(1, &cube)]
    };
    (0..UD_EDGES.size).flat_map(both).collect()
}

/// Returns the column of `S * x * S^-1`, at `16 * column + S`.
pub fn conjugates() -> Vec<u16> {
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
pub fn moves(tables: &Opened) -> Vec<u16> {
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
        let (of_edges, images) = (columns_of_ud_edges(), conjugates());
        assert_eq!((Layers::new().each().count(), images.len()), (COLUMNS, 16 * COLUMNS));
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
