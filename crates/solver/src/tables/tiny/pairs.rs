//! Phase 1 in pairs: the distance to G1 is bounded by the distances of (twist, flip), (twist, slice) and (slice, flip).
//!
//! ```text
//!   table        rows                   columns        entries, 3 bytes each
//!   twist flip   324 twist classes      2048 flips     663 552
//!   twist slice  324 twist classes       495 slices    160 380
//!   slice flip    81 slice classes      2048 flips     165 888
//! ```
//!
//! Classes are those under the eight symmetries that keep the axes UD and FB; flips are defined by both. An entry has the
//! lowest 24 bits of a masked entry ([`phase_one`](crate::tables::pruning::phase_one)): which moves change the distance, and the
//! direction for each face. The distance itself is not stored. A child derives it from its parent. For a root, the
//! moves of a descent to 0 are counted.
//!
//! A move maps the eleven bits of a flip linearly and adds a constant (xor). So the flip after a move is the xor of two
//! look-ups, by its lower six bits and by the others.

use crate::coord::bytes::Orientation;
use crate::coord::{Descriptor, FLIP, SLICE, TWIST};
use crate::symmetry::{Classes, class_moves};
use crate::tables::file::mapping::large_pages;
use crate::tables::prefetch;
use crate::tables::pruning::breadth_first::{Graph, on_one_thread};
use crate::tables::pruning::phase_one::{ALL_MOVES, MAX_DISTANCE, MoveEffects, bits, mask_row};
use crate::tables::pruning::product::{ComposedColumns, ReducedProduct};
use superflip_cube::{Cube, Face, Move, Symmetry};

/// Number of symmetries that keep the axes UD and FB.
pub(super) const SYMMETRIES: usize = 8;
/// Number of flips.
const FLIPS: usize = 2048;
/// Number of slices.
const SLICES: usize = 495;
/// First entries of the tables twist slice and slice flip, and the number of all entries.
const TWIST_SLICE: usize = 324 * FLIPS;
const SLICE_FLIP: usize = TWIST_SLICE + 324 * SLICES;
const ENTRIES: usize = SLICE_FLIP + 81 * FLIPS;

/// Returns the number 0..16 of the symmetry that is number `kept` of the eight.
#[inline]
pub(crate) const fn symmetry_index(kept: usize) -> usize {
    (kept & 6) << 1 | kept & 1
}

/// Returns the symmetry that is number `kept` of the eight.
pub(super) fn symmetry(kept: usize) -> Symmetry {
    Symmetry::try_from_index(symmetry_index(kept)).unwrap_or(Symmetry::IDENTITY)
}

/// The phase-1 coordinates of a cube in the frame of the representative of its twist, and the bounds of the three pairs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PairNode {
    /// Class of the twist.
    pub(crate) twist: u16,
    pub(crate) flip: u16,
    pub(crate) slice: u16,
    /// Distances of (twist, flip), (twist, slice) and (slice, flip).
    pub(crate) distances: [u8; 3],
}

/// The tables of phase 1.
pub struct Pairs {
    /// `8 * class + symmetry` of each twist and slice.
    twist_classes: Vec<u16>,
    slice_classes: Vec<u16>,
    /// `8 * class + symmetry` of each twist class after each move.
    twist_moves: Vec<u16>,
    slice_moves: Vec<u16>,
    slice_conjugates: Vec<u16>,
    flip_moves: Vec<FlipMap>,
    flip_conjugates: Vec<FlipMap>,
    to_twist_frame: Vec<EntryMap>,
    entries: Entries,
}

impl Pairs {
    pub(crate) fn new() -> Self {
        let slice_moves = SLICE.move_table();
        let conjugates = |slice| {
            let cube = (SLICE.representative)(slice);
            (0..SYMMETRIES).map(move |kept| value(&SLICE, &symmetry(kept).conjugate(&cube)) as u16)
        };
        let slice_conjugates: Vec<u16> = (0..SLICE.size).flat_map(conjugates).collect();
        let [twists, slices] = [&TWIST, &SLICE].map(ByClass::of);
        let flip_moves: Vec<FlipMap> = Move::ALL.iter().map(|mv| FlipMap::new(|cube| cube.then(mv.cube()))).collect();
        let flip_conjugates: Vec<FlipMap> =
            (0..SYMMETRIES).map(|kept| FlipMap::new(|cube| symmetry(kept).conjugate(&cube))).collect();
        let images = |maps: &[FlipMap]| -> Vec<u16> {
            (0..FLIPS as u16).flat_map(|flip| maps.iter().map(move |map| map.of(flip))).collect()
        };
        let flips = ComposedColumns::new(FLIPS, &images(&flip_moves), &images(&flip_conjugates));
        let slice_columns = ComposedColumns::new(SLICES, &slice_moves, &slice_conjugates);
        let entries = Entries::new(|[twist_flip, twist_slice, slice_flip]| {
            let of_slices = || (twists.fill(&slice_columns, twist_slice), slices.fill(&flips, slice_flip));
            rayon::join(|| twists.fill(&flips, twist_flip), of_slices);
        });
        Self {
            entries,
            twist_classes: twists.classes.of_raw.iter().map(|&packed| packed as u16).collect(),
            slice_classes: slices.classes.of_raw.iter().map(|&packed| packed as u16).collect(),
            twist_moves: twists.moves.iter().map(|&packed| packed as u16).collect(),
            slice_moves,
            slice_conjugates,
            flip_moves,
            flip_conjugates,
            to_twist_frame: (0..SYMMETRIES).map(|kept| EntryMap::new(symmetry(kept))).collect(),
        }
    }

    /// Returns the node of a cube, and the number of the symmetry that leads to its frame, 0..8.
    pub(crate) fn node(&self, cube: Orientation) -> (PairNode, usize) {
        let packed = self.twist_classes[usize::from(cube.twist)];
        let kept = usize::from(packed) % SYMMETRIES;
        let mut node = PairNode {
            twist: packed / SYMMETRIES as u16,
            flip: self.flip_conjugates[kept].of(cube.flip),
            slice: self.slice_conjugates[usize::from(cube.slice) * SYMMETRIES + kept],
            distances: [0; 3],
        };
        node.distances = self.distances(node);
        (node, kept)
    }

    /// Returns the distances of the three pairs. As long as a move brings all pairs nearer that are not solved yet, they
    /// descend together.
    fn distances(&self, mut node: PairNode) -> [u8; 3] {
        let (mut moves, mut open) = ([0; 3], [true; 3]);
        loop {
            let nearer = self.effects(&node).map(|effects| effects.nearer);
            let mut common = ALL_MOVES;
            for pair in 0..3 {
                open[pair] &= nearer[pair] != 0;
                common &= if open[pair] { nearer[pair] } else { ALL_MOVES };
            }
            if common == 0 || open == [false; 3] {
                return std::array::from_fn(|pair| {
                    moves[pair] + if open[pair] { self.distance(node, pair) } else { 0 }
                });
            }
            node = self.moved(&node, common.trailing_zeros() as usize).0;
            (0..3).for_each(|pair| moves[pair] += u8::from(open[pair]));
        }
    }

    /// Descends from a node to the solved entry of one pair, and returns the number of moves.
    fn distance(&self, mut node: PairNode, pair: usize) -> u8 {
        let mut moves = 0;
        loop {
            let nearer = self.effects_of(&node, pair).nearer;
            if nearer == 0 {
                return moves;
            }
            node = self.moved(&node, nearer.trailing_zeros() as usize).0;
            moves += 1;
        }
    }

    /// Returns the exact distance of a cube from G1, by iterative deepening. Visits some thousand nodes.
    pub(crate) fn exact_distance(&self, cube: &Cube) -> u8 {
        let root = self.node(cube.into()).0;
        (0..MAX_DISTANCE).find(|&moves_left| self.is_within(&root, moves_left)).unwrap_or(MAX_DISTANCE)
    }

    /// Returns whether some moves, at most `moves_left`, lead into G1.
    fn is_within(&self, node: &PairNode, moves_left: u8) -> bool {
        if node.distances == [0; 3] || moves_left == 0 {
            return node.distances == [0; 3];
        }
        let effects = self.effects(node);
        bits(useful(node, &effects, moves_left))
            .any(|mv| self.is_within(&self.after(node, &effects, mv).0, moves_left - 1))
    }

    /// Returns the effects of the moves on the distances of the three pairs.
    #[inline(always)]
    pub(crate) fn effects(&self, node: &PairNode) -> [MoveEffects; 3] {
        [self.effects_of(node, 0), self.effects_of(node, 1), self.effects_of(node, 2)]
    }

    #[inline(always)]
    fn effects_of(&self, node: &PairNode, pair: usize) -> MoveEffects {
        MoveEffects::of_masked(match pair {
            0 => self.entries.get(Self::twist_flip_at(node)),
            1 => self.entries.get(Self::twist_slice_at(node)),
            _ => {
                let (at, kept) = self.slice_flip_at(node);
                self.to_twist_frame[kept].of(self.entries.get(at))
            }
        })
    }

    /// Prefetches the entries that [`Pairs::effects`] reads.
    #[inline]
    pub(crate) fn prefetch(&self, node: &PairNode) {
        for at in [Self::twist_flip_at(node), Self::twist_slice_at(node), self.slice_flip_at(node).0] {
            self.entries.prefetch(at);
        }
    }

    #[inline(always)]
    fn twist_flip_at(node: &PairNode) -> usize {
        usize::from(node.twist) * FLIPS + usize::from(node.flip)
    }

    #[inline(always)]
    fn twist_slice_at(node: &PairNode) -> usize {
        TWIST_SLICE + usize::from(node.twist) * SLICES + usize::from(node.slice)
    }

    /// Returns the index of the entry, and the number of the symmetry that leads to its frame.
    #[inline(always)]
    fn slice_flip_at(&self, node: &PairNode) -> (usize, usize) {
        let packed = usize::from(self.slice_classes[usize::from(node.slice)]);
        let (class, kept) = (packed / SYMMETRIES, packed % SYMMETRIES);
        (SLICE_FLIP + class * FLIPS + usize::from(self.flip_conjugates[kept].of(node.flip)), kept)
    }

    /// Returns the node after a move of its frame, and the number of the symmetry from its frame to the next.
    #[inline(always)]
    pub(crate) fn after(&self, node: &PairNode, effects: &[MoveEffects; 3], mv: usize) -> (PairNode, usize) {
        let (mut after, kept) = self.moved(node, mv);
        let distance = |pair: usize| effects[pair].distance_after(node.distances[pair], mv);
        after.distances = [distance(0), distance(1), distance(2)];
        (after, kept)
    }

    /// Moves a node, and leaves the distances at 0.
    #[inline(always)]
    fn moved(&self, node: &PairNode, mv: usize) -> (PairNode, usize) {
        let packed = self.twist_moves[usize::from(node.twist) * Move::COUNT + mv];
        let kept = usize::from(packed) % SYMMETRIES;
        let slice = self.slice_moves[usize::from(node.slice) * Move::COUNT + mv];
        let after = PairNode {
            twist: packed / SYMMETRIES as u16,
            flip: self.flip_conjugates[kept].of(self.flip_moves[mv].of(node.flip)),
            slice: self.slice_conjugates[usize::from(slice) * SYMMETRIES + kept],
            distances: [0; 3],
        };
        (after, kept)
    }
}

/// Returns the moves after which all three distances are below `moves_left`.
#[inline]
pub(crate) fn useful(node: &PairNode, effects: &[MoveEffects; 3], moves_left: u8) -> u32 {
    let below = |pair: usize| effects[pair].below(node.distances[pair], moves_left);
    below(0) & below(1) & below(2)
}

/// Returns the value of a coordinate that has one on every cube.
pub(super) fn value(coordinate: &Descriptor, cube: &Cube) -> usize {
    (coordinate.index)(cube).unwrap_or_default() as usize
}

/// A coordinate by its classes under the eight symmetries.
struct ByClass {
    classes: Classes,
    moves: Vec<u32>,
}

impl ByClass {
    fn of(coordinate: &'static Descriptor) -> Self {
        let images = |raw| {
            let cube = (coordinate.representative)(raw);
            let image = move |kept| value(coordinate, &symmetry(kept).inverse().conjugate(&cube)) as u32;
            (0..SYMMETRIES).map(move |kept| (kept, image(kept)))
        };
        let classes = Classes::of(coordinate.size, SYMMETRIES as u32, images);
        let moves = class_moves(coordinate, &classes.of_raw, &classes.representatives);
        Self { classes, moves }
    }

    /// Computes the entries of the pair of this coordinate and the columns, and their `distances`.
    fn fill(&self, columns: &ComposedColumns, [entries, distances]: [&mut [u8]; 2]) {
        let product = ReducedProduct {
            moves: &Move::ALL,
            order: SYMMETRIES,
            class_moves: &self.moves,
            self_symmetries: &self.classes.self_symmetries,
            columns,
        };
        on_one_thread(&product, distances);
        let (mut buffer, mut masks) = (Vec::new(), vec![0; product.columns()]);
        for (row, entries) in entries.chunks_mut(3 * masks.len()).enumerate() {
            mask_row(&product, distances, row, &mut buffer, &mut masks);
            for (entry, mask) in entries.chunks_exact_mut(3).zip(&masks) {
                entry.copy_from_slice(&mask.to_le_bytes()[..3]);
            }
        }
    }
}

/// The entries of the three tables, three bytes each, in large pages. The distances from which they were computed follow.
struct Entries {
    memory: Vec<u8>,
    start: usize,
}

impl Entries {
    /// Computes the entries: `fill` gets those of each table, and the memory for its distances.
    fn new(fill: impl FnOnce([[&mut [u8]; 2]; 3])) -> Self {
        let (mut memory, start) = large_pages(4 * ENTRIES);
        let (mut entries, mut distances) = memory[start..][..4 * ENTRIES].split_at_mut(3 * ENTRIES);
        fill([TWIST_SLICE, SLICE_FLIP - TWIST_SLICE, ENTRIES - SLICE_FLIP].map(|count| {
            [entries.split_off_mut(..3 * count), distances.split_off_mut(..count)].map(Option::unwrap_or_default)
        }));
        Self { memory, start }
    }

    #[inline]
    fn get(&self, at: usize) -> u32 {
        let bytes = &self.memory[self.start + 3 * at..][..4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) & 0xff_ffff
    }

    #[inline]
    fn prefetch(&self, at: usize) {
        prefetch::read(&self.memory, self.start + 3 * at);
    }
}

/// Action of a move or a symmetry on the flip.
pub(super) struct FlipMap {
    low: [u16; 64],
    high: [u16; 32],
}

impl FlipMap {
    pub(super) fn new(map: impl Fn(Cube) -> Cube) -> Self {
        let of = |flip: u32| value(&FLIP, &map((FLIP.representative)(flip))) as u16;
        let constant = of(0);
        let images: [u16; 11] = std::array::from_fn(|bit| of(1 << bit) ^ constant);
        let linear = |bits: usize, images: &[u16]| {
            images.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).fold(0, |sum, (_, image)| sum ^ image)
        };
        Self {
            low: std::array::from_fn(|bits| linear(bits, &images[..6]) ^ constant),
            high: std::array::from_fn(|bits| linear(bits, &images[6..])),
        }
    }

    #[inline]
    pub(super) fn of(&self, flip: u16) -> u16 {
        self.low[usize::from(flip % 64)] ^ self.high[usize::from(flip / 64 % 32)]
    }
}

/// Translates an entry from the frame of a representative to the frame before the symmetry, six bits at a time.
pub(super) struct EntryMap([[u32; 64]; 4]);

impl EntryMap {
    pub(super) fn new(symmetry: Symmetry) -> Self {
        // The image of each bit: 18 moves, then six faces.
        let mut images = [0; 24];
        for mv in Move::ALL {
            images[symmetry.conjugate_move(mv).index()] = mv.index();
            let of_face = |face: Face| Move::COUNT + face.index();
            images[of_face(symmetry.conjugate_move(mv).face())] = of_face(mv.face());
        }
        Self(std::array::from_fn(|part| {
            std::array::from_fn(|bits: usize| {
                (0..6).filter(|bit| bits >> bit & 1 == 1).fold(0, |sum, bit| sum | 1 << images[6 * part + bit])
            })
        }))
    }

    #[inline]
    pub(super) fn of(&self, entry: u32) -> u32 {
        let part = |part: usize| self.0[part][(entry >> (6 * part)) as usize % 64];
        part(0) | part(1) | part(2) | part(3)
    }
}

/// Computes the distances of pairs of raw values by breadth-first search, without symmetry and packing. Both tables have the values after
/// `moves` moves.
#[cfg(test)]
pub(super) fn raw_distances(rows: &[u16], columns: &[u16], moves: usize) -> Vec<u8> {
    let width = columns.len() / moves;
    let mut distances = vec![u8::MAX; rows.len() / moves * width];
    distances[0] = 0;
    let mut frontier = vec![0];
    for depth in 1.. {
        let mut next = Vec::new();
        for at in frontier {
            for mv in 0..moves {
                let row = usize::from(rows[at / width * moves + mv]);
                let after = row * width + usize::from(columns[at % width * moves + mv]);
                if distances[after] == u8::MAX {
                    distances[after] = depth;
                    next.push(after);
                }
            }
        }
        if next.is_empty() {
            return distances;
        }
        frontier = next;
    }
    distances
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::FLIP;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::random_cube;
    use xxhash_rust::xxh3::xxh3_64;

    #[test]
    fn distances_and_moves_are_those_of_the_raw_pairs() {
        let pairs = Pairs::new();
        let coordinates = [[&TWIST, &FLIP], [&TWIST, &SLICE], [&SLICE, &FLIP]];
        let raw = coordinates.map(|pair| {
            let [rows, columns] = pair.map(Descriptor::move_table);
            raw_distances(&rows, &columns, Move::COUNT)
        });
        let of = |cube: &Cube| {
            [0, 1, 2].map(|pair| {
                let [first, second] = coordinates[pair];
                raw[pair][value(first, cube) * second.size as usize + value(second, cube)]
            })
        };
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..2000 {
            let cube = random_cube(&mut rng);
            let (node, kept) = pairs.node((&cube).into());
            assert_eq!(node.distances, of(&cube), "{cube:?}");
            let effects = pairs.effects(&node);
            for mv in Move::ALL {
                let seen = symmetry(kept).conjugate_move(mv).index();
                let (after, relative) = pairs.after(&node, &effects, seen);
                let moved = cube.then(mv.cube());
                assert_eq!(after.distances, of(&moved), "{cube:?} {mv}");
                // Self-symmetries of a twist allow several frames. All are at the same distances.
                let frame = symmetry(relative).index();
                assert!(frame & 2 == 0 && after.twist == pairs.node((&moved).into()).0.twist);
                for moves_left in 0..12 {
                    let is_useful = useful(&node, &effects, moves_left) >> seen & 1 == 1;
                    assert_eq!(is_useful, after.distances.iter().all(|&distance| distance < moves_left));
                }
            }
        }
    }

    /// The search visits the same nodes only as long as every byte is the same.
    #[test]
    fn bytes_are_as_before() {
        let pairs = Pairs::new();
        let at = |entry: usize| pairs.entries.start + 3 * entry;
        // Each table was followed by a zero.
        let entries = [(0, TWIST_SLICE), (TWIST_SLICE, SLICE_FLIP), (SLICE_FLIP, ENTRIES)]
            .map(|(first, end)| [&pairs.entries.memory[at(first)..at(end)], &[0]].concat());
        let classes = [&pairs.twist_classes, &pairs.slice_classes];
        let moves = [&pairs.twist_moves, &pairs.slice_moves, &pairs.slice_conjugates];
        let words = classes.into_iter().chain(moves).flatten().flat_map(|word| word.to_le_bytes());
        let bytes: Vec<u8> = entries.into_iter().flatten().chain(words).collect();
        assert_eq!(xxh3_64(&bytes), 9_767_036_054_679_434_766);
    }
}
