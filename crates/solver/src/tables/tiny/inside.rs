//! Phase 2 of the profile `tiny`: four lower bounds on the distance of a cube of G1 from solved.
//!
//! ```text
//!   rows                    columns                        entries
//!   2768 corner classes     24 orders of the slice edges    66 432    masks and distances
//!   2768 edge classes       24 orders of the slice edges    66 432    masks and distances
//!   2768 corner classes     70 places of the S edges       193 760    distances
//!   2768 edge classes       70 places of the U corners     193 760    distances
//! ```
//!
//! Corners are the corner permutation, edges the permutation of the U and D edges, both as classes under the 16 symmetries
//! that keep the UD axis. Distances have four bits. A mask has 16: ten for the moves that change the distance, six for the
//! faces whose changes increase it. So the search selects children before it generates them.

use crate::coord::SLICE_SORTED;
use crate::coord::rank::{FACTORIAL, permutation_rank, permutation_unrank};
use crate::symmetry::Classes;
use crate::tables::pruning::breadth_first::{Graph, on_one_thread};
use crate::tables::pruning::packed::{nibble, pack_nibbles};
use crate::tables::pruning::phase_one::mask_row;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use crate::tables::pruning::product::{ComposedColumns, ReducedProduct};
use superflip_cube::{Corner, Cube, Edge, Move, Symmetry};

/// Number of moves of phase 2.
pub(super) const MOVES: usize = Move::PHASE_TWO.len();
/// Number of symmetries that keep the UD axis.
pub(super) const SYMMETRIES: usize = Symmetry::KEEPING_UD;

/// The U corners, the first four.
const U_CORNERS: u8 = 0b0000_1111;
/// The S edges UR, UL, DR and DL, which the half turns of R and L keep among themselves. With them, the bound is greater than
/// with the U edges: phase 2 expands a quarter fewer nodes.
const S_EDGES: u8 = 0b0101_0101;

/// A cube of G1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct InsideNode {
    /// `16 * class + symmetry` of the corner permutation, and of the permutation of the U and D edges.
    pub(crate) corners: u16,
    pub(crate) edges: u16,
    /// Order of the slice edges, 0..24.
    pub(crate) slice: u8,
    /// Places of the U corners and of the S edges, 0..70.
    pub(crate) u_corners: u8,
    pub(crate) s_edges: u8,
    /// Bits 0 to 3: distance of corners and slice edges. Bits 4 to 7: distance of edges and slice edges.
    pub(crate) distances: u8,
}

/// The tables of phase 2.
pub(crate) struct InsideTables {
    corners: ByClass,
    edges: ByClass,
    slice: Columns,
    /// Places of the U corners: columns of the edges.
    u_corners: Columns,
    /// Places of the S edges: columns of the corners.
    s_edges: Columns,
    corner_slice: WithMasks,
    edge_slice: WithMasks,
    corners_with_s_edges: Vec<u8>,
    edges_with_u_corners: Vec<u8>,
    frames: Vec<Frame>,
    /// Order of the slice edges by the first three of them, two bits each.
    slice_orders: [u8; 64],
    u_layer: FourOfEight,
    s_slice: FourOfEight,
}

impl InsideTables {
    pub(crate) fn new() -> Self {
        let corner_source = |cube: &Cube, slot: usize| cube.corners()[slot].index();
        let corner_image = |s: Symmetry, slot: usize| s.conjugate_corner(Corner::ALL[slot]).index();
        let edge_source = |cube: &Cube, slot: usize| cube.edges()[slot].index();
        let edge_image = |s: Symmetry, slot: usize| s.conjugate_edge(Edge::ALL[slot]).index();
        let corners = ByClass::new(corner_source, corner_image);
        let edges = ByClass::new(edge_source, edge_image);
        let (u_layer, s_slice) = (FourOfEight::new(U_CORNERS), FourOfEight::new(S_EDGES));
        let slice = Columns::slice();
        let u_corners = Columns::places(&u_layer, corner_source, corner_image);
        let s_edges = Columns::places(&s_slice, edge_source, edge_image);
        let mut slice_orders = [0; 64];
        for order in 0..SLICE_ORDERS as u32 {
            slice_orders[slice_key(&(SLICE_SORTED.representative)(order).edges().map(|piece| piece as u8))] =
                order as u8;
        }
        let mut memory = vec![0; corners.self_symmetries.len() * s_edges.count()];
        let [corner_moves, edge_moves] = [&corners, &edges].map(ByClass::class_moves);
        let mut distances_only = |by: &ByClass, class_moves: &[u32], columns: &Columns| {
            on_one_thread(&by.product(class_moves, &columns.composed()), &mut memory);
            pack_nibbles(&memory)
        };
        let orders = slice.composed();
        Self {
            corners_with_s_edges: distances_only(&corners, &corner_moves, &s_edges),
            edges_with_u_corners: distances_only(&edges, &edge_moves, &u_corners),
            corner_slice: WithMasks::new(&corners.product(&corner_moves, &orders), &mut memory),
            edge_slice: WithMasks::new(&edges.product(&edge_moves, &orders), &mut memory),
            corners,
            edges,
            slice,
            u_corners,
            s_edges,
            frames: Symmetry::all().take(SYMMETRIES).map(Frame::new).collect(),
            slice_orders,
            u_layer,
            s_slice,
        }
    }

    /// Returns the node of a cube of G1, given by its corners and edges, and a lower bound on its distance from solved.
    pub(crate) fn node(&self, corners: [u8; 8], edges: [u8; 12]) -> (InsideNode, u8) {
        let outer: [u8; 8] = std::array::from_fn(|slot| edges[slot]);
        let mut node = InsideNode {
            corners: self.corners.of_raw[permutation_rank(&corners) as usize],
            edges: self.edges.of_raw[permutation_rank(&outer) as usize],
            slice: self.slice_orders[slice_key(&edges)],
            u_corners: self.u_layer.of(corners),
            s_edges: self.s_slice.of(outer),
            distances: 0,
        };
        let [by_corners, by_edges] = [(node.corners, &self.corner_slice), (node.edges, &self.edge_slice)]
            .map(|(packed, table)| nibble(&table.distances, self.slice.entry(packed, node.slice)));
        node.distances = by_corners | by_edges << 4;
        (node, by_corners.max(by_edges).max(self.bound_by_places(node)))
    }

    /// Returns the node of a cube of G1, as [`InsideTables::node`].
    fn node_of(&self, cube: &Cube) -> (InsideNode, u8) {
        self.node(cube.corners().map(|piece| piece as u8), cube.edges().map(|piece| piece as u8))
    }

    /// Returns a lower bound on the distance of a cube of G1 from solved.
    pub(crate) fn bound(&self, cube: &Cube) -> u8 {
        self.node_of(cube).1
    }

    /// Returns the lower bound from the two tables with places.
    #[inline(always)]
    fn bound_by_places(&self, node: InsideNode) -> u8 {
        let corners = nibble(&self.corners_with_s_edges, self.s_edges.entry(node.corners, node.s_edges));
        corners.max(nibble(&self.edges_with_u_corners, self.u_corners.entry(node.edges, node.u_corners)))
    }

    /// Returns whether the cube is solved.
    #[inline]
    pub(crate) fn is_solved(node: InsideNode) -> bool {
        // Each solved class has one member.
        node.corners < 16 && node.edges < 16 && node.slice == 0
    }

    /// Calls `found` with each child after the moves in the mask `allowed` that the masks allow: the number of the move, the
    /// child, and whether its lower bound is below `moves_left`. The lower bound of the node is at most `moves_left`.
    #[inline(always)]
    pub(crate) fn children(
        &self,
        node: InsideNode,
        allowed: u32,
        moves_left: u8,
        mut found: impl FnMut(usize, InsideNode, bool),
    ) {
        let by_corners = Seen::new(self, &self.corners, &self.corner_slice, node.corners, node.slice);
        let by_edges = Seen::new(self, &self.edges, &self.edge_slice, node.edges, node.slice);
        let (to_corners, to_edges) = (node.distances & 15, node.distances >> 4);
        let mut allowed = allowed & by_corners.below(to_corners, moves_left) & by_edges.below(to_edges, moves_left);
        while allowed != 0 {
            let number = allowed.trailing_zeros() as usize;
            allowed &= allowed - 1;
            let (corners, corner_distance) = by_corners.after(number, to_corners);
            let (edges, edge_distance) = by_edges.after(number, to_edges);
            let child = InsideNode {
                corners,
                edges,
                slice: self.slice.after(node.slice, number),
                u_corners: self.u_corners.after(node.u_corners, number),
                s_edges: self.s_edges.after(node.s_edges, number),
                distances: corner_distance | edge_distance << 4,
            };
            found(number, child, self.bound_by_places(child) < moves_left);
        }
    }
}

/// Returns the number of the first three slice edges in slots 8 to 10, two bits each.
fn slice_key(edges: &[u8; 12]) -> usize {
    (8..11).fold(0, |key, slot| key << 2 | usize::from(edges[slot] & 3))
}

/// Corner or edge class of a node, and its move mask.
struct Seen<'t> {
    by: &'t ByClass,
    frame: &'t Frame,
    class: usize,
    nearer: u32,
    not_farther: u32,
}

impl<'t> Seen<'t> {
    #[inline]
    fn new(tables: &'t InsideTables, by: &'t ByClass, table: &WithMasks, packed: u16, slice: u8) -> Self {
        let mask = table.masks[tables.slice.entry(packed, slice)];
        let (changes, away) = (u32::from(mask) & ALL, FACES_TO_MOVES[usize::from(mask >> MOVES)]);
        Self {
            by,
            frame: &tables.frames[usize::from(packed) % SYMMETRIES],
            class: usize::from(packed) / SYMMETRIES,
            nearer: changes & !away,
            not_farther: ALL & !(changes & away),
        }
    }

    /// Returns the moves of the cube after which the distance, now `distance`, is below `moves_left`, which is not less.
    #[inline]
    fn below(&self, distance: u8, moves_left: u8) -> u32 {
        // Branch-free, because the outcome is unpredictable.
        let spare = moves_left - distance;
        let if_at_least = |least: u8| u32::from(spare >= least).wrapping_neg();
        self.frame.mask(self.nearer | self.not_farther & if_at_least(1) | ALL & if_at_least(2))
    }

    /// Returns class and symmetry after a move of the cube, and the distance.
    #[inline]
    fn after(&self, number: usize, distance: u8) -> (u16, u8) {
        let seen = usize::from(self.frame.seen[number]);
        let packed = self.by.moves[self.class * MOVES + seen];
        let symmetry = self.frame.products[usize::from(packed) % SYMMETRIES];
        let changed = (self.nearer >> seen & 1) + (self.not_farther >> seen & 1);
        (packed & !15 | u16::from(symmetry), distance + 1 - changed as u8)
    }
}

/// Distances and masks of the entries of a product.
struct WithMasks {
    distances: Vec<u8>,
    masks: Vec<u16>,
}

impl WithMasks {
    /// Computes the table of a product in `memory`, which has a byte for each entry or more.
    fn new(product: &ReducedProduct<'_, ComposedColumns>, memory: &mut [u8]) -> Self {
        let (rows, columns) = (product.rows(), product.columns());
        let distances = &mut memory[..rows * columns];
        on_one_thread(product, distances);
        let mut masks = Vec::with_capacity(distances.len());
        let (mut bytes, mut effects) = (Vec::new(), vec![0; columns]);
        for row in 0..rows {
            mask_row(product, distances, row, &mut bytes, &mut effects);
            let mask = |effects: &u32| (effects & ALL) as u16 | ((effects >> Move::COUNT & 63) as u16) << MOVES;
            masks.extend(effects.iter().map(mask));
        }
        Self { masks, distances: pack_nibbles(distances) }
    }
}

/// The classes of a permutation.
pub(super) struct ByClass {
    /// `16 * class + symmetry` of each value.
    pub(super) of_raw: Vec<u16>,
    /// `16 * class + symmetry` of each class after each of the ten moves.
    pub(super) moves: Vec<u16>,
    pub(super) self_symmetries: Vec<u64>,
}

impl ByClass {
    /// Numbers the classes. `source` is the slot from which a move brings a piece to a slot, `image` the image of a slot
    /// under a symmetry.
    pub(super) fn new(source: impl Fn(&Cube, usize) -> usize, image: impl Fn(Symmetry, usize) -> usize) -> Self {
        let slots = |of: &dyn Fn(usize) -> usize| std::array::from_fn::<_, 8, _>(of);
        let moves = Move::PHASE_TWO.map(|mv| slots(&|slot| source(mv.cube(), slot)));
        let symmetries: Vec<_> = Symmetry::all()
            .take(SYMMETRIES)
            .map(|s| (slots(&|slot| image(s, slot)), slots(&|slot| image(s.inverse(), slot))))
            .collect();
        // In `S^-1 * x * S`, the piece in a slot is the image under S^-1 of the piece in the slot that S maps it to.
        let images = |raw| {
            let pieces = permutation_unrank::<8>(raw);
            let number = move |(from, label): &([usize; 8], [usize; 8])| {
                permutation_rank(&from.map(|slot| label[usize::from(pieces[slot])] as u8))
            };
            symmetries.iter().map(number).enumerate()
        };
        let Classes { of_raw, representatives, self_symmetries } = Classes::of(FACTORIAL[8], SYMMETRIES as u32, images);
        let after = |&raw: &u32| {
            let pieces = permutation_unrank::<8>(raw);
            moves.map(|from| of_raw[permutation_rank(&from.map(|slot| pieces[slot])) as usize] as u16)
        };
        Self {
            moves: representatives.iter().flat_map(after).collect(),
            of_raw: of_raw.iter().map(|&packed| packed as u16).collect(),
            self_symmetries,
        }
    }

    /// Returns the moves as a product reads them: 18 for each class. It uses ten of them.
    pub(super) fn class_moves(&self) -> Vec<u32> {
        let mut class_moves = vec![0; self.self_symmetries.len() * Move::COUNT];
        for (moves, row) in self.moves.chunks(MOVES).zip(class_moves.chunks_mut(Move::COUNT)) {
            Move::PHASE_TWO.iter().zip(moves).for_each(|(mv, &packed)| row[mv.index()] = packed.into());
        }
        class_moves
    }

    /// Returns the product of these classes and the columns.
    fn product<'a>(
        &'a self,
        class_moves: &'a [u32],
        columns: &'a ComposedColumns,
    ) -> ReducedProduct<'a, ComposedColumns> {
        let self_symmetries = &self.self_symmetries;
        ReducedProduct { moves: &Move::PHASE_TWO, order: SYMMETRIES, class_moves, self_symmetries, columns }
    }
}

/// The columns of a table of phase 2, at most 256.
pub(super) struct Columns {
    /// Column after each of the ten moves.
    pub(super) moves: Vec<u8>,
    /// Column seen through each of the 16 symmetries.
    pub(super) conjugates: Vec<u8>,
}

impl Columns {
    /// Returns the orders of the slice edges.
    pub(super) fn slice() -> Self {
        let of = |cube: &Cube| (SLICE_SORTED.index)(cube).unwrap_or_default() as u8;
        let cubes: Vec<Cube> = (0..SLICE_ORDERS as u32).map(SLICE_SORTED.representative).collect();
        Self {
            moves: cubes.iter().flat_map(|cube| Move::PHASE_TWO.map(|mv| of(&cube.then(mv.cube())))).collect(),
            conjugates: cubes
                .iter()
                .flat_map(|cube| Symmetry::all().take(SYMMETRIES).map(|s| of(&s.conjugate(cube))))
                .collect(),
        }
    }

    /// Returns the sets of four slots out of eight that hold the pieces of the solved set. A symmetry maps the solved set to
    /// itself or to its complement. `source` is the slot from which a move brings a piece to a slot, `image` the image of a
    /// slot under a symmetry.
    pub(super) fn places(
        sets: &FourOfEight,
        source: impl Fn(&Cube, usize) -> usize,
        image: impl Fn(Symmetry, usize) -> usize,
    ) -> Self {
        let is_in = |set: u8, slot: usize| set >> slot & 1;
        let moved = |set: u8, mv: Move| (0..8).fold(0, |to, slot| to | is_in(set, source(mv.cube(), slot)) << slot);
        let images = |set: u8, s: Symmetry| (0..8).fold(0, |to, slot| to | is_in(set, slot) << image(s, slot));
        let seen = |set: u8, s: Symmetry| {
            let is_kept = images(sets.solved(), s) == sets.solved();
            // Otherwise these are the places of the other four pieces.
            if is_kept { images(set, s) } else { !images(set, s) }
        };
        Self {
            moves: sets.all().flat_map(|set| Move::PHASE_TWO.map(|mv| sets.rank(moved(set, mv)))).collect(),
            conjugates: sets
                .all()
                .flat_map(|set| Symmetry::all().take(SYMMETRIES).map(move |s| (set, s)))
                .map(|(set, s)| sets.rank(seen(set, s)))
                .collect(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.conjugates.len() / SYMMETRIES
    }

    /// Returns the columns as a product reads them.
    fn composed(&self) -> ComposedColumns {
        ComposedColumns::new(self.count(), &self.moves, &self.conjugates)
    }

    #[inline]
    pub(super) fn after(&self, column: u8, number: usize) -> u8 {
        self.moves[usize::from(column) * MOVES + number]
    }

    /// Returns the index of the entry in the row of a class, where the column is seen through its symmetry.
    #[inline]
    pub(super) fn entry(&self, packed: u16, column: u8) -> usize {
        let (class, symmetry) = (usize::from(packed) / SYMMETRIES, usize::from(packed) % SYMMETRIES);
        class * self.count() + usize::from(self.conjugates[usize::from(column) * SYMMETRIES + symmetry])
    }
}

/// The 70 sets of four slots out of eight, by their ranks. The solved set has rank 0.
pub(super) struct FourOfEight {
    sets: Vec<u8>,
    ranks: [u8; 256],
}

impl FourOfEight {
    pub(super) fn new(solved: u8) -> Self {
        let others = (0..=u8::MAX).filter(|&set| set.count_ones() == 4 && set != solved);
        let sets: Vec<u8> = std::iter::once(solved).chain(others).collect();
        let mut ranks = [0; 256];
        (0..).zip(&sets).for_each(|(rank, &set)| ranks[usize::from(set)] = rank);
        Self { sets, ranks }
    }

    pub(super) fn solved(&self) -> u8 {
        self.sets[0]
    }

    pub(super) fn all(&self) -> impl Iterator<Item = u8> {
        self.sets.iter().copied()
    }

    #[inline]
    pub(super) fn rank(&self, set: u8) -> u8 {
        self.ranks[usize::from(set)]
    }

    /// Returns the rank of the slots that hold the pieces of the solved set.
    #[inline]
    pub(super) fn of(&self, pieces: [u8; 8]) -> u8 {
        self.rank((0..8).fold(0, |set, slot| set | (self.solved() >> pieces[slot] & 1) << slot))
    }
}

/// Half the number of moves.
const HALF: usize = MOVES / 2;
/// Number of masks of half the moves.
const HALF_MASKS: usize = 1 << HALF;

/// Action of one symmetry on moves and symmetries.
pub(super) struct Frame {
    /// Number of the move in the frame of the representative.
    pub(super) seen: [u8; MOVES],
    /// Moves in the frame of the cube, for the lower and the upper half of a mask of moves in the frame of the representative.
    masks: [[u16; HALF_MASKS]; 2],
    /// Symmetry of the child, by the symmetry that the class move table returns.
    pub(super) products: [u8; SYMMETRIES],
}

impl Frame {
    pub(super) fn new(symmetry: Symmetry) -> Self {
        let number_of = |mv: Move| Move::PHASE_TWO.iter().position(|&other| other == mv).unwrap_or_default();
        let seen = Move::PHASE_TWO.map(|mv| number_of(symmetry.conjugate_move(mv)) as u8);
        let mut products = [0; SYMMETRIES];
        for (relative, product) in Symmetry::all().zip(&mut products) {
            *product = relative.then(symmetry).index() as u8;
        }
        Self {
            seen,
            masks: std::array::from_fn(|half| {
                std::array::from_fn(|mask: usize| {
                    let mask = mask << (half * HALF);
                    (0..MOVES).fold(0, |moves, number| moves | ((mask >> seen[number] & 1) as u16) << number)
                })
            }),
            products,
        }
    }

    /// Translates a mask of moves from the frame of the representative to that of the cube.
    #[inline]
    pub(super) fn mask(&self, seen: u32) -> u32 {
        let half = |half: usize| u32::from(self.masks[half][seen as usize >> (half * HALF) & (HALF_MASKS - 1)]);
        half(0) | half(1)
    }
}

/// Mask of all ten moves.
pub(super) const ALL: u32 = (1 << MOVES) - 1;

/// The moves of phase 2 of each set of faces.
pub(super) static FACES_TO_MOVES: [u32; 64] = {
    let mut out = [0; 64];
    let mut faces = 0;
    while faces < 64 {
        let mut number = 0;
        while number < MOVES {
            if faces >> (Move::PHASE_TWO[number].face() as usize) & 1 == 1 {
                out[faces] |= 1 << number;
            }
            number += 1;
        }
        faces += 1;
    }
    out
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::{CORNER_PERM, UD_EDGES};
    use crate::tables::tiny::pairs::raw_distances;
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use xxhash_rust::xxh3::xxh3_64;

    /// A bound of a random cube of G1 is never above the length of a known maneuver, and a child has the bounds of the cube
    /// after the move.
    #[test]
    fn children_are_the_cubes_after_the_moves() {
        let tables = InsideTables::new();
        let mut rng = StdRng::seed_from_u64(1);
        let (mut near, mut far) = (0, 0);
        for length in (0..=20).cycle().take(3000) {
            let maneuver: Vec<Move> = (0..length).map(|_| Move::PHASE_TWO[rng.random_range(0..10)]).collect();
            let cube = Cube::SOLVED.after(&maneuver);
            let (own, bound) = tables.node_of(&cube);
            assert!(bound <= length && (bound == 0) == cube.is_solved(), "{cube:?}");
            assert_eq!(InsideTables::is_solved(own), cube.is_solved());
            for moves_left in bound.max(1)..=12 {
                let mut count = 0;
                tables.children(own, ALL, moves_left, |number, child, is_near| {
                    let moved = cube.then(Move::PHASE_TWO[number].cube());
                    let (expected, bound) = tables.node_of(&moved);
                    // A class with self-symmetries has several symmetries for one cube.
                    assert_eq!((child.corners / 16, child.edges / 16), (expected.corners / 16, expected.edges / 16));
                    assert_eq!((child.slice, child.distances), (expected.slice, expected.distances));
                    assert_eq!((child.u_corners, child.s_edges), (expected.u_corners, expected.s_edges));
                    assert_eq!(is_near, bound < moves_left, "{cube:?} {number}");
                    count += usize::from(is_near);
                });
                let expected = Move::PHASE_TWO.iter().filter(|mv| tables.node_of(&cube.then(mv.cube())).1 < moves_left);
                assert_eq!(count, expected.count(), "{cube:?} {moves_left}");
                *if count == 0 { &mut far } else { &mut near } += 1;
            }
        }
        assert!(near > 10_000 && far > 100, "{near} {far}");
    }

    #[test]
    fn distances_are_those_of_the_raw_permutations() {
        let tables = InsideTables::new();
        let all = CORNER_PERM.move_table();
        let corner_moves: Vec<u16> =
            all.chunks(Move::COUNT).flat_map(|row| Move::PHASE_TWO.map(|mv| row[mv.index()])).collect();
        let edge_moves = UD_EDGES.move_table();
        let check = |by: &ByClass, moves: &[u16], columns: &Columns, packed: &[u8]| {
            let of_columns: Vec<u16> = columns.moves.iter().copied().map(u16::from).collect();
            for (at, distance) in raw_distances(moves, &of_columns, MOVES).into_iter().enumerate() {
                let (raw, column) = (at / columns.count(), (at % columns.count()) as u8);
                assert_eq!(nibble(packed, columns.entry(by.of_raw[raw], column)), distance, "{raw} {column}");
            }
        };
        check(&tables.corners, &corner_moves, &tables.slice, &tables.corner_slice.distances);
        check(&tables.edges, &edge_moves, &tables.slice, &tables.edge_slice.distances);
        check(&tables.corners, &corner_moves, &tables.s_edges, &tables.corners_with_s_edges);
        check(&tables.edges, &edge_moves, &tables.u_corners, &tables.edges_with_u_corners);
    }

    /// The search visits the same nodes only as long as every byte is the same.
    #[test]
    fn bytes_are_as_before() {
        let tables = InsideTables::new();
        let by_class = [&tables.corners, &tables.edges].map(|by| [&by.of_raw, &by.moves]);
        let masked = [&tables.corner_slice, &tables.edge_slice];
        let words = by_class.into_iter().flatten().chain(masked.map(|table| &table.masks));
        let columns = [&tables.slice, &tables.u_corners, &tables.s_edges];
        let columns = columns.map(|columns| [&columns.moves, &columns.conjugates]).into_iter().flatten();
        let distances = [&tables.corners_with_s_edges, &tables.edges_with_u_corners];
        let distances = distances.into_iter().chain(masked.map(|table| &table.distances));
        let words = words.flatten().flat_map(|word| word.to_le_bytes());
        let bytes: Vec<u8> = distances.chain(columns).flatten().copied().chain(words).collect();
        assert_eq!(xxh3_64(&bytes), 13_635_443_697_449_939_611);
    }
}
