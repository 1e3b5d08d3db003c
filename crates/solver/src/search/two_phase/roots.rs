//! The roots of phase 1: directions with up to two pre-moves.
//!
//! Let `s t` be a solution of the cube C. Then `s` solves `t C`. So a phase 1 that starts from `t C` finds solutions of
//! C that end with `t`, outside G1. The moves `t` are *pre-moves* (from Shuang Chen's min2phase):
//!
//! ```text
//!   solution   = phase 1 of t C | inside G1 | t
//!   level      = phase 1        +             t      moves that are not inside G1
//! ```
//!
//! If the first move of `t` is replaced by its inverse, `t` changes by a half turn, which is in G1. Both variants have
//! the same phase 1. They are *twins* and share one root; each arrival starts two phase-2 searches.

use super::premove::Premoves;
use super::symmetry_reduction::SymmetryReduction;
use crate::search::directions::Direction;
use crate::search::phase_one::PhaseOneNode;
use crate::tables::Tables;
use crate::tables::pruning::phase_one::ALL_MOVES;
use superflip_cube::Cube;

/// Number of roots whose coordinates are looked up together, so that their memory accesses overlap.
const TOGETHER: usize = 64;

/// One root of phase 1.
#[derive(Clone, Debug)]
pub(crate) struct Root {
    /// Index of the direction, 0..6.
    pub(crate) direction: usize,
    /// Pre-moves before the cube.
    pub(crate) premoves: Premoves,
    /// Phase-1 coordinates.
    pub(crate) start: PhaseOneNode,
    /// Moves allowed first, as a mask.
    pub(crate) first_moves: u32,
    /// Coordinates for phase 2, computed when phase 1 starts at this root.
    pub(crate) parts: Parts,
    /// The cube after the pre-moves.
    pub(crate) cube: Cube,
}

/// Coordinates of a root that phase 1 does not use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    /// Corner permutation.
    pub(crate) corners: u16,
    /// Sorted slice.
    pub(crate) slice: u16,
    /// U-layer edges.
    pub(crate) u_edges: u16,
    /// D-layer edges.
    pub(crate) d_edges: u16,
}

impl Root {
    /// Adds the roots of all directions with pre-moves of `length` moves, without symmetric duplicates.
    pub(crate) fn add_all(
        roots: &mut Vec<Self>,
        tables: &Tables,
        directions: &[Direction; 6],
        reduction: &SymmetryReduction,
        length: u8,
    ) {
        let premoves = Premoves::of_length(length);
        let before = roots.len();
        for (index, direction) in directions.iter().enumerate().filter(|(index, _)| reduction.has_direction(*index)) {
            // A root with pre-moves is not symmetric.
            let first_moves = if length == 0 { reduction.first_moves(index) } else { ALL_MOVES };
            roots.extend(reduction.premoves(index, &premoves).map(|premoves| {
                let made = premoves.moves(false).fold(Cube::SOLVED, |cube, mv| cube.then(mv.cube()));
                let (cube, start, parts) = (made.then(&direction.cube), direction.start, Parts::default());
                Self { direction: index, premoves, start, first_moves, parts, cube }
            }));
        }
        if length == 0 {
            return;
        }
        let (mut cubes, mut nodes) = ([Cube::SOLVED; TOGETHER], [PhaseOneNode::default(); TOGETHER]);
        for some in roots[before..].chunks_mut(TOGETHER) {
            let (cubes, nodes) = (&mut cubes[..some.len()], &mut nodes[..some.len()]);
            cubes.iter_mut().zip(&*some).for_each(|(cube, root)| *cube = root.cube);
            PhaseOneNode::of_each(tables, cubes, nodes);
            some.iter_mut().zip(nodes).for_each(|(root, node)| root.start = *node);
        }
    }
}
