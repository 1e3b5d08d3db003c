//! A node of the optimal search. It stores the cube and its inverse as bytes, its two *sides*. It also stores the moves
//! made at the front and at the back of the solution.
//!
//! ```text
//!   solution of the root = front moves | solution of the cube here | back moves
//! ```

use superflip_cube::simd::Simd;
use superflip_cube::{ByteCube, ByteMove, Cube, Face, Move};

/// The last face at a root, where no move was made.
const NO_FACE: u8 = Face::ALL.len() as u8;

/// Faces that may follow in canonical order, as a mask, for each last face and for none.
static FOLLOWERS: [u8; Face::ALL.len() + 1] = {
    let mut out = [0; Face::ALL.len() + 1];
    let mut last = 0;
    while last <= Face::ALL.len() {
        let mut face = 0;
        while face < Face::ALL.len() {
            if last == Face::ALL.len() || Move::ALL[3 * face].may_follow(Move::ALL[3 * last]) {
                out[last] |= 1 << face;
            }
            face += 1;
        }
        last += 1;
    }
    out
};

/// Moves in the order in which they were made, each with its side: six bits per move, the last move lowest, below a
/// leading 1.
#[derive(Clone, Copy, Debug)]
struct TwoSidedPath(u128);

impl TwoSidedPath {
    const NONE: Self = Self(1);
    /// Greatest number of moves that fits. In QTM, cubes need up to 26 quarter turns. The near set makes the last five.
    const MAX_MOVES: u32 = 21;

    #[inline(always)]
    fn with(self, side: usize, mv: usize) -> Self {
        Self(self.0 << 6 | (side << 5 | mv) as u128)
    }

    /// Returns the moves of one side in order.
    fn of_side(self, side: usize) -> impl DoubleEndedIterator<Item = Move> {
        let length = self.0.ilog2() / 6;
        let moves = (0..length).rev().map(move |back| (self.0 >> (6 * back) & 63) as usize);
        moves.filter(move |mv| mv >> 5 == side).filter_map(|mv| Move::try_from_index(mv & 31))
    }
}

/// A node of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The cube and its inverse.
    pub(crate) sides: [ByteCube; 2],
    /// Moves at the front of the solution (side 0), and at its back (side 1) as moves of the inverse cube.
    path: TwoSidedPath,
    /// Lower bounds on the number of moves left, as seen from either side.
    pub(crate) bounds: [u8; 2],
    /// Last face moved on either side.
    last: [u8; 2],
    /// Number of moves left; in QTM of quarter turns.
    pub(crate) moves_left: u8,
}

impl Node {
    /// Creates the root.
    pub(crate) fn root(cube: &Cube, bounds: [u8; 2], moves_left: u8) -> Self {
        debug_assert!(u32::from(moves_left) <= TwoSidedPath::MAX_MOVES + 5, "no cube needs more moves");
        let sides = [ByteCube::of(cube), ByteCube::of(&cube.inverse())];
        Self { sides, path: TwoSidedPath::NONE, bounds, last: [NO_FACE; 2], moves_left }
    }

    /// Returns the side to expand. If the bound of one side equals the moves left, the other side is expanded. Half
    /// turns on that side leave the bound unchanged, so they are pruned.
    ///
    /// `HALF` is the length of a half turn. If it is 2, half turns are pruned at one move to spare too.
    #[inline(always)]
    pub(crate) fn side<const HALF: u8>(&self) -> usize {
        let is_tight = self.bounds[0] + HALF > self.moves_left;
        usize::from(is_tight && self.bounds[1] < self.bounds[0])
    }

    /// Returns the faces that may come next on a side, in canonical order, as a mask.
    #[inline(always)]
    pub(crate) fn followers(&self, side: usize) -> u8 {
        FOLLOWERS[usize::from(self.last[side])]
    }

    /// Returns the node after a move of this length on a side. `bounds` are the bounds of that side and of the other.
    #[inline(always)]
    pub(crate) fn after<K: Simd>(
        &self,
        simd: K,
        side: usize,
        (mv, length): (usize, u8),
        moved: ByteCube,
        bounds: [u8; 2],
    ) -> Self {
        let moves = ByteMove::all();
        let mut next = *self;
        next.sides[side] = moved;
        next.sides[1 - side] = self.sides[1 - side].with_before(simd, &moves[inverse(mv)]);
        next.bounds[side] = bounds[0];
        next.bounds[1 - side] = bounds[1];
        next.path = self.path.with(side, mv);
        next.last[side] = (mv / 3) as u8;
        next.moves_left -= length;
        next
    }

    /// Returns the solution of the root, given a solution of this node.
    pub(crate) fn solution(&self, here: &[Move]) -> Vec<Move> {
        // The moves of the inverse cube undo the last moves of the solution.
        let back = self.path.of_side(1).rev().map(Move::inverse);
        self.path.of_side(0).chain(here.iter().copied()).chain(back).collect()
    }
}

/// Returns the inverse of a move.
#[inline(always)]
pub(crate) const fn inverse(mv: usize) -> usize {
    3 * (mv / 3) + 2 - mv % 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use superflip_cube::random_cube;
    use superflip_cube::simd::Scalar;

    #[test]
    fn an_inverse_undoes() {
        assert!(Move::ALL.into_iter().all(|mv| inverse(mv.index()) == mv.inverse().index()));
    }

    #[test]
    fn moves_at_both_ends_make_one_solution() {
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..100 {
            let cube = random_cube(&mut rng);
            let mut node = Node::root(&cube, [0; 2], 20);
            for _ in 0..6 {
                let (side, mv) = (rng.random_range(0..2), rng.random_range(0..18));
                let moved = node.sides[side].then(Scalar, &ByteMove::all()[mv]);
                node = node.after(Scalar, side, (mv, 1), moved, [0; 2]);
                assert_eq!(node.sides[1].cube(), node.sides[0].cube().inverse());
                assert_eq!(usize::from(node.last[side]), mv / 3);
            }
            // Were `rest` the solution here, the whole would solve the root.
            let whole = node.solution(&[]);
            let front = node.path.of_side(0).count();
            let here = cube.after(&whole[..front]);
            let back = whole[front..].iter().fold(Cube::SOLVED, |cube, mv| cube.then(mv.cube()));
            // here = x, and x r = back^-1 for the solution r of the cube of the node.
            assert_eq!(back.then(&here), node.sides[0].cube());
        }
    }
}
