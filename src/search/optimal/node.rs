//! A position of the optimal search: a cube and its inverse as bytes, and the turns made at either end.
//!
//! A corner is `piece + 16 * twist`, an edge `piece + 16 * flip`, one byte for each slot. Turning a face moves four bytes;
//! on the inverse it renames pieces, which is a look-up for each byte.
//!
//! ```text
//!   solution of the root = front turns | solution of the cube here | back turns
//! ```

use std::sync::LazyLock;

use crate::coord::coset::{corner_bytes, edge_bytes};
use crate::cube::{Corner, Cube, Edge, Move};

/// A cube as bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Bytes {
    pub(super) corners: [u8; Corner::COUNT],
    pub(super) edges: [u8; Edge::COUNT],
}

/// What each turn does to bytes.
struct Turns {
    /// For each turn, the slots whose corner changes, where it comes from, and the twist it gets.
    corners: [[(u8, u8, u8); 4]; Move::COUNT],
    /// The same of edges, with the flip in bit 4.
    edges: [[(u8, u8, u8); 4]; Move::COUNT],
    /// For each turn made in front of a cube, what it makes of each corner byte.
    renamed_corners: [[u8; 64]; Move::COUNT],
    /// The same of edges.
    renamed_edges: [[u8; 32]; Move::COUNT],
}

/// A twist added to a corner byte: `byte + 16 * twist`, the twist taken modulo 3.
static TWISTED: [[u8; 64]; 3] = {
    let mut out = [[0; 64]; 3];
    let mut twist = 0;
    while twist < 3 {
        let mut byte = 0;
        while byte < 64 {
            out[twist][byte] = ((byte & 15) | ((((byte >> 4) + twist) % 3) << 4)) as u8;
            byte += 1;
        }
        twist += 1;
    }
    out
};

static TURNS: LazyLock<Box<Turns>> = LazyLock::new(|| {
    let mut turns = Box::new(Turns {
        corners: [[(0, 0, 0); 4]; Move::COUNT],
        edges: [[(0, 0, 0); 4]; Move::COUNT],
        renamed_corners: [[0; 64]; Move::COUNT],
        renamed_edges: [[0; 32]; Move::COUNT],
    });
    for turn in Move::ALL {
        let cube = turn.cube();
        let t = turn.index();
        let mut place = 0;
        for slot in Corner::ALL {
            let (from, twist) = (cube.corners()[slot.index()], cube.twists()[slot.index()]);
            if from != slot {
                turns.corners[t][place] = (slot.index() as u8, from.index() as u8, twist);
                place += 1;
            }
            // In front of a cube: a piece stands for what the turn puts into its slot.
            for added in 0..3 {
                let byte = slot.index() as u8 | added << 4;
                turns.renamed_corners[t][usize::from(byte)] = from.index() as u8 | (((added + twist) % 3) << 4);
            }
        }
        let mut place = 0;
        for slot in Edge::ALL {
            let (from, flip) = (cube.edges()[slot.index()], cube.flips()[slot.index()]);
            if from != slot {
                turns.edges[t][place] = (slot.index() as u8, from.index() as u8, flip << 4);
                place += 1;
            }
            for added in 0..2 {
                let byte = slot.index() as u8 | added << 4;
                turns.renamed_edges[t][usize::from(byte)] = from.index() as u8 | (added ^ flip) << 4;
            }
        }
    }
    turns
});

impl Bytes {
    /// The bytes of a cube.
    pub(super) fn of(cube: &Cube) -> Self {
        Self { corners: corner_bytes(cube), edges: edge_bytes(cube) }
    }

    /// The cube.
    pub(super) fn cube(&self) -> Cube {
        Cube::assemble(
            self.corners.map(|byte| Corner::ALL[usize::from(byte & 15)]),
            self.corners.map(|byte| byte >> 4),
            self.edges.map(|byte| Edge::ALL[usize::from(byte & 15)]),
            self.edges.map(|byte| byte >> 4),
        )
    }

    /// After a turn.
    #[inline]
    pub(super) fn then(&self, turn: usize) -> Self {
        let turns = &**TURNS;
        let mut out = *self;
        for (slot, from, twist) in turns.corners[turn] {
            out.corners[usize::from(slot & 7)] =
                TWISTED[usize::from(twist)][usize::from(self.corners[usize::from(from & 7)] & 63)];
        }
        for (slot, from, flip) in turns.edges[turn] {
            out.edges[usize::from(slot)] = self.edges[usize::from(from)] ^ flip;
        }
        out
    }

    /// With the turn made in front: first the turn, then this cube.
    #[inline]
    pub(super) fn with_before(&self, turn: usize) -> Self {
        let turns = &**TURNS;
        Self {
            corners: self.corners.map(|byte| turns.renamed_corners[turn][usize::from(byte & 63)]),
            edges: self.edges.map(|byte| turns.renamed_edges[turn][usize::from(byte & 31)]),
        }
    }
}

/// Turns at one end, five bits each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Path {
    turns: u128,
    length: u8,
}

impl Path {
    #[inline]
    fn with(self, turn: usize) -> Self {
        Self { turns: self.turns << 5 | turn as u128, length: self.length + 1 }
    }

    /// In the order in which they were made.
    fn moves(self) -> impl DoubleEndedIterator<Item = Move> {
        (0..self.length).rev().filter_map(move |back| Move::try_from_index((self.turns >> (5 * back) & 31) as usize))
    }

    /// The turn made last.
    #[inline]
    fn last(self) -> Option<Move> {
        if self.length == 0 { None } else { Move::try_from_index((self.turns & 31) as usize) }
    }
}

/// A position with what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The cube, and its inverse.
    pub(super) sides: [Bytes; 2],
    /// At least so many turns solve it, as seen from either side.
    pub(super) bounds: [u8; 2],
    /// Turns made at the front of the solution, and at its back, there as turns of the inverse cube.
    paths: [Path; 2],
    /// Turns left.
    pub(super) togo: u8,
}

impl Node {
    /// The root.
    pub(super) fn root(cube: &Cube, bounds: [u8; 2], togo: u8) -> Self {
        let sides = [Bytes::of(cube), Bytes::of(&cube.inverse())];
        Self { sides, bounds, paths: [Path::default(); 2], togo }
    }

    /// The side to go on at. Half turns leave the bound of the other side as it is, so where that is tight, none of them
    /// is of use.
    #[inline]
    pub(super) fn side(&self) -> usize {
        usize::from(self.bounds[0] == self.togo && self.bounds[1] < self.togo)
    }

    /// Whether a turn of this face may come next at a side, in canonical order.
    #[inline]
    pub(super) fn may_turn(&self, side: usize, face: usize) -> bool {
        self.paths[side].last().is_none_or(|last| Move::ALL[3 * face].may_follow(last))
    }

    /// After a turn at a side; the bounds are those of that side and of the other.
    #[inline]
    pub(super) fn after(&self, side: usize, turn: usize, turned: Bytes, bounds: [u8; 2]) -> Self {
        let mut next = *self;
        next.sides[side] = turned;
        next.sides[1 - side] = self.sides[1 - side].with_before(inverse(turn));
        next.bounds[side] = bounds[0];
        next.bounds[1 - side] = bounds[1];
        next.paths[side] = self.paths[side].with(turn);
        next.togo -= 1;
        next
    }

    /// The solution of the root with this solution of the cube here.
    pub(super) fn solution(&self, here: &[Move]) -> Vec<Move> {
        // What the inverse was turned by at the back undoes the last turns of the solution.
        let back = self.paths[1].moves().rev().map(Move::inverse);
        self.paths[0].moves().chain(here.iter().copied()).chain(back).collect()
    }
}

/// The turn that undoes this one.
#[inline]
pub(super) const fn inverse(turn: usize) -> usize {
    3 * (turn / 3) + 2 - turn % 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::random_cube;
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    #[test]
    fn bytes_turn_as_cubes_do() {
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..200 {
            let cube = random_cube(&mut rng);
            for turn in Move::ALL {
                let bytes = Bytes::of(&cube);
                assert_eq!(bytes.cube(), cube);
                assert_eq!(bytes.then(turn.index()).cube(), cube.then(turn.cube()));
                assert_eq!(bytes.with_before(turn.index()).cube(), turn.cube().then(&cube));
                assert_eq!(inverse(turn.index()), turn.inverse().index());
            }
        }
    }

    #[test]
    fn turns_at_both_ends_make_one_solution() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..100 {
            let cube = random_cube(&mut rng);
            let mut node = Node::root(&cube, [0; 2], 20);
            for _ in 0..6 {
                let (side, turn) = (rng.random_range(0..2), rng.random_range(0..18));
                node = node.after(side, turn, node.sides[side].then(turn), [0; 2]);
                assert_eq!(node.sides[1].cube(), node.sides[0].cube().inverse());
            }
            // Were `rest` the solution here, the whole would solve the root.
            let whole = node.solution(&[]);
            let front = node.paths[0].length as usize;
            let here = cube.after(&whole[..front]);
            let back = whole[front..].iter().fold(Cube::SOLVED, |cube, turn| cube.then(turn.cube()));
            // here = x, and x r = back^-1 for the solution r of the cube of the node.
            assert_eq!(back.then(&here), node.sides[0].cube());
        }
    }
}
