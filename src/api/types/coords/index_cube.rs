//! A cube as the paper of `IndexCube` writes it: permutation matrices, their inverses, and orientations.

use crate::api::contract::ToSchema;
use serde::Serialize;

use crate::coord::index_cube::{self, corner_axes, corner_permutation, edge_permutation, flip_bits, inverse};
use crate::coord::{Descriptor, INDEX_FLIP_X, INDEX_FLIP_Y, INDEX_FLIP_Z};
use crate::cube::{Corner, Cube, Edge};

/// A cube as the paper of `IndexCube` writes it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IndexCube)]
pub struct IndexCubeBody {
    /// The edges.
    pub edges: IndexCubeEdges,
    /// The corners.
    pub corners: IndexCubeCorners,
}

/// The edges of a cube in the paper's numbering.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCubeEdges {
    /// The slots in the order of their numbers; a piece has the number of the slot in which it is at home.
    #[schema(min_items = 12, max_items = 12)]
    pub slots: Vec<&'static str>,
    /// The two-row matrix of the permutation: pieces above, the slot to which each goes below.
    #[schema(min_items = 2, max_items = 2)]
    pub permutation: Vec<Vec<u8>>,
    /// The two-row matrix of the inverse: slots above, the piece that stands in each below.
    #[schema(min_items = 2, max_items = 2)]
    pub inverse: Vec<Vec<u8>>,
    /// For each slot, 1 when its edge is flipped along the x axis, else 0.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_x: Vec<u8>,
    /// The same along the y axis.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_y: Vec<u8>,
    /// The same along the z axis: the edge orientation of the paper.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_z: Vec<u8>,
}

/// The corners of a cube in the paper's numbering.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCubeCorners {
    /// The slots in the order of their numbers; a piece has the number of the slot in which it is at home.
    #[schema(min_items = 8, max_items = 8)]
    pub slots: Vec<&'static str>,
    /// The two-row matrix of the permutation: pieces above, the slot to which each goes below.
    #[schema(min_items = 2, max_items = 2)]
    pub permutation: Vec<Vec<u8>>,
    /// The two-row matrix of the inverse: slots above, the piece that stands in each below.
    #[schema(min_items = 2, max_items = 2)]
    pub inverse: Vec<Vec<u8>>,
    /// For each slot, the axis along which the L or R sticker of its corner points: 0 x, 1 y, 2 z.
    #[schema(min_items = 8, max_items = 8)]
    pub orientation: Vec<u8>,
}

/// The two-row matrix with 0, 1, 2 ... above.
fn two_rows<const N: usize>(lower: [u8; N]) -> Vec<Vec<u8>> {
    vec![(0..N as u8).collect(), lower.to_vec()]
}

impl From<&Cube> for IndexCubeBody {
    fn from(cube: &Cube) -> Self {
        let (edges, corners) = (edge_permutation(cube), corner_permutation(cube));
        let flips = |coordinate: &Descriptor| flip_bits((coordinate.index)(cube).unwrap_or_default()).to_vec();
        Self {
            edges: IndexCubeEdges {
                slots: index_cube::edge_slots().map(Edge::name).to_vec(),
                permutation: two_rows(edges),
                inverse: two_rows(inverse(&edges)),
                flip_x: flips(&INDEX_FLIP_X),
                flip_y: flips(&INDEX_FLIP_Y),
                flip_z: flips(&INDEX_FLIP_Z),
            },
            corners: IndexCubeCorners {
                slots: index_cube::corner_slots().map(Corner::name).to_vec(),
                permutation: two_rows(corners),
                inverse: two_rows(inverse(&corners)),
                orientation: corner_axes(cube).to_vec(),
            },
        }
    }
}
