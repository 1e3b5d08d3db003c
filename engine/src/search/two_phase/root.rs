//! Where phase 1 starts: a direction, with up to two of the last turns of the solution made in advance.
//!
//! If `t` are the last turns of a solution `s t` of the cube `C`, then `s` solves `t C`. So phase 1 may as well start from
//! `t C` (a *pre-move*, Shuang Chen's idea in min2phase) and find solutions that end outside of G1:
//!
//! ```text
//!   solution   = phase 1 of t C | inside G1 | t
//!   level      = phase 1        +             t      turns that are not inside G1
//! ```
//!
//! A clockwise and an anticlockwise first turn of `t` differ by a half turn of that face, which is in G1: both have the same
//! phase 1, and are two arrivals for the price of one walk. They are one root with a *twin*.

use super::orbits::Orbits;
use super::twin::Twin;
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, SLICE_SORTED, U_EDGES};
use crate::cube::{Cube, Face, Move};
use crate::search::directions::{Direction, Node};
use crate::tables::Tables;
use crate::tables::phase_one::ALL_TURNS;

/// The last turns of a solution, made in advance: none, or a clockwise quarter turn that leads out of G1 and at most one more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tail {
    first: Option<Move>,
    second: Option<Move>,
}

impl Tail {
    /// No turn.
    pub(super) const NONE: Self = Self { first: None, second: None };

    /// The tails of `length` turns, 0 to 2, each of which is another coset of G1 up to its twin: 1, 4 and 52 of them.
    pub(super) fn of_length(length: u8) -> Vec<Self> {
        let out = Twin::ALL.map(Twin::quarter_turn);
        match length {
            0 => vec![Self::NONE],
            1 => out.map(|turn| Self { first: Some(turn), second: None }).to_vec(),
            _ => out
                .into_iter()
                .flat_map(|first| {
                    // A half turn of the opposite face would be a turn of G1 before the first.
                    let follows = move |next: &Move| {
                        next.may_follow(first) && !(next.face() == first.face().opposite() && next.quarters() == 2)
                    };
                    Move::ALL
                        .into_iter()
                        .filter(follows)
                        .map(move |next| Self { first: Some(first), second: Some(next) })
                })
                .collect(),
        }
    }

    /// How many turns.
    pub(super) const fn len(self) -> u8 {
        self.first.is_some() as u8 + self.second.is_some() as u8
    }

    /// The half turn that leads to the twin.
    pub(super) fn twin(self) -> Option<Twin> {
        self.first.and_then(|turn| Twin::of(turn.face()))
    }

    /// The tail of the images of its turns, or its twin.
    pub(super) fn map(self, image: impl Fn(Move) -> Move) -> Self {
        // Of the two twins the clockwise one stands for both.
        let clockwise = |turn: Move| if turn.quarters() == 3 { turn.inverse() } else { turn };
        Self { first: self.first.map(|turn| clockwise(image(turn))), second: self.second.map(image) }
    }

    /// The turns; those of the twin on request.
    pub(super) fn turns(self, twin: bool) -> impl Iterator<Item = Move> {
        let first = self.first.map(|turn| if twin { turn.inverse() } else { turn });
        first.into_iter().chain(self.second)
    }
}

/// Starts whose coordinates are looked up together: enough for the memory to answer one while others wait.
const TOGETHER: usize = 64;

/// One start of phase 1.
#[derive(Clone, Debug)]
pub(super) struct Root {
    /// Index of the direction, 0..6.
    pub(super) direction: usize,
    /// What is made in advance.
    pub(super) tail: Tail,
    /// Phase-1 coordinates.
    pub(super) start: Node,
    /// The turns that may come first, as a mask.
    pub(super) first_turns: u32,
    /// What phase 2 needs, once phase 1 has begun from here.
    pub(super) parts: Parts,
    cube: Cube,
}

/// Coordinates of a start that phase 1 has no use for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Parts {
    /// Corner permutation.
    pub(super) corners: u16,
    /// Sorted slice.
    pub(super) slice: u16,
    /// U-layer edges.
    pub(super) u_edges: u16,
    /// D-layer edges.
    pub(super) d_edges: u16,
}

impl Root {
    /// Adds the starts from all directions after every tail of `length` turns, as far as they are different.
    pub(super) fn add_all(
        roots: &mut Vec<Self>,
        tables: &Tables,
        directions: &[Direction; 6],
        orbits: &Orbits,
        length: u8,
    ) {
        let tails = Tail::of_length(length);
        let before = roots.len();
        for (index, direction) in directions.iter().enumerate().filter(|(index, _)| orbits.has_direction(*index)) {
            // With a tail the start is no longer symmetric.
            let first_turns = if length == 0 { orbits.first_turns(index) } else { ALL_TURNS };
            roots.extend(orbits.tails(index, &tails).map(|tail| {
                let made = tail.turns(false).fold(Cube::SOLVED, |cube, turn| cube.then(turn.cube()));
                let (cube, start, parts) = (made.then(&direction.cube), direction.start, Parts::default());
                Self { direction: index, tail, start, first_turns, parts, cube }
            }));
        }
        if length == 0 {
            return;
        }
        let (mut cubes, mut nodes) = ([Cube::SOLVED; TOGETHER], [Node::default(); TOGETHER]);
        for some in roots[before..].chunks_mut(TOGETHER) {
            let (cubes, nodes) = (&mut cubes[..some.len()], &mut nodes[..some.len()]);
            cubes.iter_mut().zip(&*some).for_each(|(cube, root)| *cube = root.cube);
            Node::of_each(tables, cubes, nodes);
            some.iter_mut().zip(nodes).for_each(|(root, node)| root.start = *node);
        }
    }

    /// Works out [`Root::parts`].
    pub(super) fn begin(&mut self) {
        // All of these have a value on every cube.
        let value = |coordinate: &Descriptor| (coordinate.index)(&self.cube).unwrap_or_default() as u16;
        self.parts = Parts {
            corners: value(&CORNER_PERM),
            slice: value(&SLICE_SORTED),
            u_edges: value(&U_EDGES),
            d_edges: value(&D_EDGES),
        };
    }
}

/// A face whose quarter turns lead out of G1.
pub(super) const SIDES: [Face; 4] = [Face::R, Face::F, Face::L, Face::B];
