//! A cube in the notation of the `IndexCube` paper: permutation matrices, their inverses, and orientations.

use crate::contract::ToSchema;
use serde::Serialize;

use superflip_cube::{Corner, Cube, Edge};
use superflip_solver::coord::index_cube::{
    self, corner_axes, corner_permutation, edge_permutation, flip_bits, inverse,
};
use superflip_solver::coord::{Descriptor, INDEX_FLIP_X, INDEX_FLIP_Y, INDEX_FLIP_Z};

/// Cube in the notation of the `IndexCube` paper.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = IndexCube)]
pub struct IndexCubeBody {
    /// Edges.
    pub edges: IndexCubeEdges,
    /// Corners.
    pub corners: IndexCubeCorners,
}

/// Edges of a cube in the numbering of the paper.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCubeEdges {
    /// Slots in the order of their numbers; a piece has the number of its home slot.
    #[schema(min_items = 12, max_items = 12)]
    pub slots: Vec<&'static str>,
    /// Two-row matrix of the permutation: pieces above, their slots below.
    #[schema(min_items = 2, max_items = 2)]
    pub permutation: Vec<Vec<u8>>,
    /// Two-row matrix of the inverse: slots above, their pieces below.
    #[schema(min_items = 2, max_items = 2)]
    pub inverse: Vec<Vec<u8>>,
    /// For each slot, 1 when its edge is flipped along the x axis, else 0.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_x: Vec<u8>,
    /// For each slot, 1 when its edge is flipped along the y axis, else 0.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_y: Vec<u8>,
    /// For each slot, 1 when its edge is flipped along the z axis, else 0: the edge orientation of the paper.
    #[schema(min_items = 12, max_items = 12)]
    pub flip_z: Vec<u8>,
}

/// The corners of a cube in the paper's numbering.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct IndexCubeCorners {
    /// Slots in the order of their numbers; a piece has the number of its home slot.
    #[schema(min_items = 8, max_items = 8)]
    pub slots: Vec<&'static str>,
    /// Two-row matrix of the permutation: pieces above, their slots below.
    #[schema(min_items = 2, max_items = 2)]
    pub permutation: Vec<Vec<u8>>,
    /// Two-row matrix of the inverse: slots above, their pieces below.
    #[schema(min_items = 2, max_items = 2)]
    pub inverse: Vec<Vec<u8>>,
    /// For each slot, the axis along which the L or R sticker of its corner points: 0 x, 1 y, 2 z.
    #[schema(min_items = 8, max_items = 8)]
    pub orientation: Vec<u8>,
}

/// The two-row matrix with 0, 1, 2 ... above.
fn two_rows<const N: usize>(lower: [u8; N]) -> Vec<Vec<u8>> {
    vec![(0..).take(N).collect(), lower.to_vec()]
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
