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

use super::premove::{AppliedPremoves, Premoves};
use super::symmetry_reduction::SymmetryReduction;
use super::views::Carried;
use crate::search::directions::Direction;
use crate::search::phase_one::PhaseOneNode;
use crate::tables::Tables;
use crate::tables::pruning::phase_one::ALL_MOVES;
use superflip_cube::ByteCube;
use superflip_cube::simd::{Kernel, Simd, dispatch};

/// Number of roots whose coordinates are looked up together, so that their memory accesses overlap.
const TOGETHER: usize = 64;

/// One root of phase 1.
#[derive(Clone, Copy, Debug)]
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
    pub(crate) carried: Carried,
    /// The cube after the pre-moves.
    pub(crate) cube: ByteCube,
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
            let plain = Self {
                direction: index,
                premoves: Premoves::NONE,
                start: direction.start,
                first_moves,
                carried: Carried::default(),
                cube: direction.cube,
            };
            if length == 0 {
                roots.push(plain);
            } else {
                dispatch(Prepended { plain, premoves: reduction.premoves(index, premoves), roots });
            }
        }
        if length > 0 {
            for some in roots[before..].chunks_mut(TOGETHER) {
                PhaseOneNode::of_each(tables, some, |root| (&root.cube, &mut root.start));
            }
        }
    }
}

/// The roots of a direction with each of some pre-moves.
struct Prepended<'a, P> {
    /// The root without pre-moves.
    plain: Root,
    premoves: P,
    roots: &'a mut Vec<Root>,
}

impl<'a, P: Iterator<Item = &'a AppliedPremoves>> Kernel for Prepended<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) {
        for AppliedPremoves { premoves, effect } in self.premoves {
            let cube = self.plain.cube.with_before(simd, effect);
            self.roots.push(Root { premoves: *premoves, cube, ..self.plain });
        }
    }
}
