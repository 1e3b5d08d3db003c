//! The dynamic program of [`Table`](super::table::Table) for the least costs of edges, eight sets at a time.
//!
//! The eight sets of a block differ in the edges 0 to 2. Any other edge leads from all of them to the same places of another
//! block, with the same parity. Only the slot differs, which is the size of the set.

use super::table::{inversions, members};
use super::weights::{Least, Placements, Weight};
use superflip_cube::piece::Edge;
use superflip_cube::simd::{Kernel, Simd, dispatch};

/// Number of edges that distinguish the sets of a block.
const LOW: usize = 3;

/// Number of sets in a block, and of blocks.
const LANES: usize = 1 << LOW;
const BLOCKS: usize = 1 << (Edge::COUNT - LOW);

/// Least costs by sum of flips, parity, and set.
type Block = [[[u32; LANES]; 2]; 2];

/// Costs of an edge by flip, number of edges in the set that do not distinguish the sets of a block, and set.
type LaneCosts = [[[u32; LANES]; Edge::COUNT - LOW]; 2];

/// Least costs to fill the remaining slots, as [`Table::after`](super::table::Table::after).
pub(crate) struct EdgeTable {
    blocks: Vec<Block>,
}

impl EdgeTable {
    /// Computes the costs.
    pub(crate) fn after(costs: &Placements<Least, { Edge::COUNT }, 2>) -> Self {
        Self { blocks: dispatch(EdgesAfter(costs)) }
    }

    /// Returns the least cost for the edges outside the set, whose flips add up to `sum` and which add `parity`.
    pub(crate) fn get(&self, set: usize, sum: usize, parity: usize) -> Least {
        Least(self.blocks[set / LANES][sum][parity][set % LANES])
    }

    /// Returns the least costs of all edges whose flips add up to 0, by parity.
    pub(crate) fn whole(&self) -> [Least; 2] {
        [self.get(0, 0, 0), self.get(0, 0, 1)]
    }
}

struct EdgesAfter<'a>(&'a Placements<Least, { Edge::COUNT }, 2>);

impl Kernel for EdgesAfter<'_> {
    type Output = Vec<Block>;

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> Vec<Block> {
        let lane_costs: [LaneCosts; Edge::COUNT - LOW] = std::array::from_fn(|edge| self.lane_costs(edge + LOW));
        let mut blocks = vec![[[[Least::NONE.0; LANES]; 2]; 2]; BLOCKS];
        blocks[BLOCKS - 1][0][0][LANES - 1] = 0;
        for high in (0..BLOCKS).rev() {
            let size = high.count_ones() as usize;
            let mut least = blocks[high].map(|sum| sum.map(|parity| simd.load_numbers(&parity)));
            for edge in members(!high & (BLOCKS - 1)) {
                let (odd, next) = (inversions(high, edge), &blocks[high | 1 << edge]);
                let costs = [0, 1].map(|flip| simd.load_numbers(&lane_costs[edge][flip][size]));
                for (sum, parity) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    for flip in [0, 1] {
                        let next = simd.load_numbers(&next[sum ^ flip][parity ^ odd]);
                        least[sum][parity] = simd.least_sum(least[sum][parity], costs[flip], next);
                    }
                }
            }
            let mut block = least.map(|sum| sum.map(|parity| simd.store_numbers(parity)));
            // The sets of this block, the greatest first.
            for low in (0..LANES - 1).rev() {
                for edge in members(!low & (LANES - 1)) {
                    let (odd, next) = (inversions(high * LANES + low, edge), low | 1 << edge);
                    let costs = self.0[size + low.count_ones() as usize][edge];
                    for (sum, parity) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        let (kept, flipped) = (block[sum][parity ^ odd][next], block[sum ^ 1][parity ^ odd][next]);
                        let here = &mut block[sum][parity][low];
                        *here = (*here).min(costs[0].0 + kept).min(costs[1].0 + flipped);
                    }
                }
            }
            blocks[high] = block;
        }
        blocks
    }
}

impl EdgesAfter<'_> {
    #[inline(always)]
    fn lane_costs(&self, edge: usize) -> LaneCosts {
        let cost = |size: usize, lane: usize, flip: usize| self.0[size + lane.count_ones() as usize][edge][flip].0;
        std::array::from_fn(|flip| std::array::from_fn(|size| std::array::from_fn(|lane| cost(size, lane, flip))))
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::repair::table::Table;

    #[test]
    fn costs_are_those_of_the_general_table() {
        let mut rng = StdRng::seed_from_u64(6);
        let costs: Placements<Least, { Edge::COUNT }, 2> = [(); Edge::COUNT]
            .map(|()| [(); Edge::COUNT].map(|()| [(); 2].map(|()| Least(rng.random_range(0..1 << 25)))));
        let (found, expected) = (EdgeTable::after(&costs), Table::after(&costs));
        for set in 0..1 << Edge::COUNT {
            for (sum, parity) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                assert_eq!(found.get(set, sum, parity), expected.get(set, sum, parity), "{set} {sum} {parity}");
            }
        }
    }
}
