//! A dynamic program over the arrangements of one kind of pieces.
//!
//! Slots are filled in index order. A state is the set of pieces in the slots filled so far, the sum of the orientations,
//! and the parity of the permutation. For edges there are `4096 * 2 * 2` states and about 200 000 transitions.

use super::weights::{Least, Placements, Weight, Weights};
use superflip_cube::face::Face;
use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS, FACELETS};
use superflip_cube::piece::{Corner, Edge};
use superflip_cube::simd::{Kernel, Simd, dispatch};

/// Combined weights by state: entry `[set][sum][parity]`, for `N` pieces with `M` orientations.
pub(crate) struct Table<W, const N: usize, const M: usize> {
    entries: Vec<[[W; 2]; M]>,
}

/// Returns the parity that a piece adds when it follows the pieces in `set`: the number of greater ones, modulo 2.
#[inline(always)]
pub(crate) fn inversions(set: usize, piece: usize) -> usize {
    (set >> (piece + 1)).count_ones() as usize % 2
}

impl<W: Weight, const N: usize, const M: usize> Table<W, N, M> {
    const ALL: usize = (1 << N) - 1;

    /// Combines the ways to fill the remaining slots: entry `[set][sum][parity]` for the pieces outside the set, whose
    /// orientations add up to `sum` and which add `parity`.
    pub(crate) fn after(weights: &Placements<W, N, M>) -> Self {
        Self { entries: dispatch(After(weights)) }
    }

    /// Combines the ways to fill the first slots: entry `[set][sum][parity]` for the pieces in the set.
    pub(crate) fn before(weights: &Placements<W, N, M>) -> Self {
        let mut entries = vec![[[W::NONE; 2]; M]; 1 << N];
        entries[0][0][0] = W::UNIT;
        for set in 1..=Self::ALL {
            let slot = &weights[set.count_ones() as usize - 1];
            let mut entry = [[W::NONE; 2]; M];
            for piece in members(set) {
                add(&mut entry, entries[set ^ 1 << piece], inversions(set, piece), &slot[piece]);
            }
            entries[set] = entry;
        }
        Self { entries }
    }

    /// Returns the entry of a state.
    pub(crate) fn get(&self, set: usize, sum: usize, parity: usize) -> W {
        self.entries[set][sum][parity]
    }

    /// Returns the weights of all arrangements whose orientations add up to 0, by parity. For [`Table::after`].
    pub(crate) fn whole(&self) -> [W; 2] {
        self.entries[0][0]
    }

    /// Combines, for each placement, the arrangements that contain it, orientations adding up to 0; `others` are the
    /// weights of the other kind of pieces by parity.
    pub(crate) fn through(
        weights: &Placements<W, N, M>,
        before: &Self,
        after: &Self,
        others: [W; 2],
    ) -> Placements<W, N, M> {
        let mut out = [[[W::NONE; M]; N]; N];
        for set in 0..Self::ALL {
            let slot = set.count_ones() as usize;
            // The first slots and the other kind together, by the parity that the remaining slots need.
            let given = before.entries[set].map(|[even, odd]| {
                let [others_even, others_odd] = others;
                let need_even = even.and(others_even).or(odd.and(others_odd));
                [need_even, even.and(others_odd).or(odd.and(others_even))]
            });
            for piece in (0..N).filter(|piece| set >> piece & 1 == 0) {
                let next = exchanged(after.entries[set | 1 << piece], inversions(set, piece));
                for turned in 0..M {
                    let mut found = W::NONE;
                    for (sum, given) in given.iter().enumerate() {
                        let rest = next[(2 * M - sum - turned) % M];
                        found = found.or(given[0].and(rest[0])).or(given[1].and(rest[1]));
                    }
                    let place = &mut out[slot][piece][turned];
                    *place = place.or(found.and(weights[slot][piece][turned]));
                }
            }
        }
        out
    }
}

/// The computation of [`Table::after`], which a processor with vector instructions does in half the time.
struct After<'a, W, const N: usize, const M: usize>(&'a Placements<W, N, M>);

impl<W: Weight, const N: usize, const M: usize> Kernel for After<'_, W, N, M> {
    type Output = Vec<[[W; 2]; M]>;

    #[inline(always)]
    fn run<K: Simd>(self, _: K) -> Self::Output {
        let all = (1 << N) - 1;
        let mut entries = vec![[[W::NONE; 2]; M]; 1 << N];
        entries[all][0][0] = W::UNIT;
        for set in (0..all).rev() {
            let slot = &self.0[set.count_ones() as usize];
            let mut entry = [[W::NONE; 2]; M];
            for piece in members(!set & all) {
                add(&mut entry, entries[set | 1 << piece], inversions(set, piece), &slot[piece]);
            }
            entries[set] = entry;
        }
        entries
    }
}

/// Returns the pieces in a set, ascending.
#[inline(always)]
pub(crate) fn members(set: usize) -> impl Iterator<Item = usize> {
    let rest = std::iter::successors(Some(set), |set| Some(set & set.wrapping_sub(1)));
    rest.take_while(|set| *set != 0).map(|set| set.trailing_zeros() as usize)
}

/// Exchanges the parities of an entry if the parity of the placement is odd.
#[inline(always)]
fn exchanged<W: Weight, const M: usize>(entry: [[W; 2]; M], odd: usize) -> [[W; 2]; M] {
    entry.map(|pair| W::exchanged(pair, odd))
}

/// Adds to an entry the arrangements of `next` with one more placement, in each orientation.
#[inline(always)]
fn add<W: Weight, const M: usize>(entry: &mut [[W; 2]; M], next: [[W; 2]; M], odd: usize, weights: &[W; M]) {
    let next = exchanged(next, odd);
    for (turned, &weight) in weights.iter().enumerate() {
        for (sum, next) in next.iter().enumerate() {
            let here = &mut entry[(sum + turned) % M];
            *here = [here[0].or(weight.and(next[0])), here[1].or(weight.and(next[1]))];
        }
    }
}

/// Returns the combined weight of all legal cubes with each placement.
pub(crate) fn marginals<W: Weight>(weights: &Weights<W>) -> Weights<W> {
    let corners_after = Table::<W, { Corner::COUNT }, 3>::after(&weights.corners);
    let edges_after = Table::<W, { Edge::COUNT }, 2>::after(&weights.edges);
    let corners_before = Table::before(&weights.corners);
    let edges_before = Table::before(&weights.edges);
    Weights {
        corners: Table::through(&weights.corners, &corners_before, &corners_after, edges_after.whole()),
        edges: Table::through(&weights.edges, &edges_before, &edges_after, corners_after.whole()),
    }
}

/// Returns, for each facelet and colour, the least cost of a legal cube on which the facelet has the colour. `through` are the
/// marginals. The entries of centres are `u32::MAX`.
pub(crate) fn least_with_colour(through: &Weights<Least>) -> [[u32; Face::COUNT]; FACELETS] {
    let mut least = [[u32::MAX; Face::COUNT]; FACELETS];
    let mut lower = |facelets: &[usize], faces: &[Face], turned: usize, cost: u32| {
        for (k, face) in faces.iter().enumerate() {
            let entry = &mut least[facelets[(k + turned) % facelets.len()]][face.index()];
            *entry = cost.min(*entry);
        }
    };
    for (facelets, pieces) in CORNER_FACELETS.iter().zip(&through.corners) {
        for (piece, costs) in Corner::ALL.iter().zip(pieces) {
            costs.iter().enumerate().for_each(|(twist, cost)| lower(facelets, &piece.faces(), twist, cost.0));
        }
    }
    for (facelets, pieces) in EDGE_FACELETS.iter().zip(&through.edges) {
        for (piece, costs) in Edge::ALL.iter().zip(pieces) {
            costs.iter().enumerate().for_each(|(flip, cost)| lower(facelets, &piece.faces(), flip, cost.0));
        }
    }
    least
}

/// Returns the combined weight of all legal cubes.
pub(crate) fn total<W: Weight>(weights: &Weights<W>) -> [(W, W); 2] {
    let corners = Table::<W, { Corner::COUNT }, 3>::after(&weights.corners).whole();
    let edges = Table::<W, { Edge::COUNT }, 2>::after(&weights.edges).whole();
    [(corners[0], edges[0]), (corners[1], edges[1])]
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::repair::{Costs, Ranking};

    #[test]
    fn marginals_are_the_least_costs_with_each_placement() {
        let mut rng = StdRng::seed_from_u64(5);
        let random: Vec<u32> = (0..480).map(|_| rng.random_range(0..1000)).collect();
        let corner =
            |slot: Corner, piece: Corner, twist: u8| random[24 * slot.index() + 3 * piece.index() + usize::from(twist)];
        let edge =
            |slot: Edge, piece: Edge, flip: u8| random[192 + 24 * slot.index() + 2 * piece.index() + usize::from(flip)];
        let found = marginals(&Costs::new(corner, edge).0);
        let least = |costs: &Costs| Ranking::new(costs).next().map(|ranked| ranked.cost);
        // Blocks the other placements in the slot.
        let blocked = |is_other: bool, cost: u32| if is_other { Costs::MAX } else { cost };
        for (slot, piece, twist) in
            [(Corner::Urf, Corner::Urf, 0), (Corner::Ubr, Corner::Dlf, 1), (Corner::Drb, Corner::Ulb, 2)]
        {
            let one = |s, p, t| blocked(s == slot && (p, t) != (piece, twist), corner(s, p, t));
            let expected = least(&Costs::new(one, edge));
            assert_eq!(Some(found.corners[slot.index()][piece.index()][usize::from(twist)].0), expected);
        }
        for (slot, piece, flip) in [(Edge::Ur, Edge::Br, 0), (Edge::Dl, Edge::Uf, 1), (Edge::Br, Edge::Df, 1)] {
            let one = |s, p, f| blocked(s == slot && (p, f) != (piece, flip), edge(s, p, f));
            let expected = least(&Costs::new(corner, one));
            assert_eq!(Some(found.edges[slot.index()][piece.index()][usize::from(flip)].0), expected);
        }
    }
}
