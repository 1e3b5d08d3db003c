//! The labels of the edges in a coset: the slice of the piece in each slot, and which pieces are crooked.
//!
//! A move, a symmetry or a permutation of the axes acts on labels as an [`EdgeMap`]. It permutes slots and renames
//! slices. In certain slots, the pieces of one slice change between straight and crooked.

use std::sync::LazyLock;

use super::axes::{AxisMap, edge_map, is_crooked, slice, straight};
use crate::coord::rank::is_odd;
use superflip_cube::simd::{Bytes16, Scalar, Simd};
use superflip_cube::{Axis, ByteCube, Corner, Cube, Edge, Move, Symmetry, edge_byte};

/// The labels of the edges, as masks of slots (bit `i` for slot `i`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EdgeLabels {
    /// Slots that hold the pieces of each slice, in the order of the axes that name the slices.
    pub slices: [u16; 3],
    /// Slots whose piece is crooked.
    pub crooked: u16,
}

/// Reads `EdgeLabels` from bytes, conjugated by any symmetry.
///
/// Intermediate labels have one byte per slot: bits 0 to 2 for the slice, bit 4 for a crooked piece. A symmetry moves
/// labels to other slots and renames slices; straight pieces stay straight.
pub struct EdgeReader {
    /// Slice of each piece.
    slices: Bytes16,
    /// For each slot, the slices whose pieces have flip 1 in that slot when they are straight.
    flipped: Bytes16,
    /// For each symmetry, the slot from which each label comes, and the new name of each slice.
    views: Box<[(Bytes16, Bytes16); Symmetry::COUNT]>,
}

/// Bit of a crooked piece; the same as that of a flip in an edge byte.
const CROOKED: u8 = edge_byte(Edge::Ur, 1);
/// [`CROOKED`] for every index but 0.
const CROOKED_IF_ANY: Bytes16 = {
    let mut out = [CROOKED; 16];
    out[0] = 0;
    Bytes16(out)
};

impl Default for EdgeReader {
    fn default() -> Self {
        const NOWHERE: u8 = 0x80;
        let (mut slices, mut flipped) = (Bytes16::default(), Bytes16::default());
        for slot in Edge::ALL {
            slices.0[slot.index()] = 1 << slice(slot).index();
            for own in Axis::ALL {
                flipped.0[slot.index()] |= ((STRAIGHT_FLIPS[own.index()] >> slot.index() & 1) as u8) << own.index();
            }
        }
        let mut views = Box::new([(Bytes16([NOWHERE; 16]), Bytes16::default()); Symmetry::COUNT]);
        for symmetry in Symmetry::all() {
            let (from, renamed) = &mut views[symmetry.index()];
            for slot in Edge::ALL {
                from.0[symmetry.conjugate_edge(slot).index()] = slot.index() as u8;
            }
            let axes = AxisMap::of_symmetry(symmetry);
            for own in Axis::ALL {
                renamed.0[1 << own.index()] = 1 << axes.image(own).index();
            }
        }
        Self { slices, flipped, views }
    }
}

impl EdgeReader {
    /// Returns the labels of edges given as bytes, conjugated by the symmetry with this index (0..48).
    #[inline(always)]
    pub fn of_bytes<K: Simd>(&self, simd: K, edges: K::Vector, symmetry: usize) -> EdgeLabels {
        let crooked_bit = simd.load(&Bytes16([CROOKED; 16]));
        let slices = simd.shuffle(simd.load(&self.slices), edges);
        let straight = simd.shuffle(simd.load(&CROOKED_IF_ANY), simd.and(slices, simd.load(&self.flipped)));
        let crooked = simd.xor(simd.and(edges, crooked_bit), straight);
        let (from, renamed) = &self.views[symmetry];
        let seen = simd.shuffle(simd.xor(slices, crooked), simd.load(from));
        let slices = simd.shuffle(simd.load(renamed), seen);
        let (a, b) = (simd.column::<7>(slices) as u16, simd.column::<6>(slices) as u16);
        EdgeLabels { slices: [a, b, !(a | b) & 0xfff], crooked: simd.column::<3>(seen) as u16 }
    }

    /// Returns the labels of a cube.
    pub fn of_cube(&self, cube: &Cube) -> EdgeLabels {
        self.of_bytes(Scalar, ByteCube::of(cube).edges.0, Symmetry::IDENTITY.index())
    }
}

impl EdgeLabels {
    /// Returns the slots of each slice on the solved cube.
    pub fn home() -> [u16; Axis::COUNT] {
        static HOME: LazyLock<[u16; Axis::COUNT]> =
            LazyLock::new(|| Axis::ALL.map(|own| mask_of(|slot| slice(slot) == own)));
        *HOME
    }

    /// Returns whether the number of crooked pieces must be odd with these slices.
    ///
    /// All straight pieces of one slice have the same flip in a given slot. The flips of all pieces add up to an even
    /// number. So the slices determine the parity.
    pub(crate) fn odd_crooked(slices: [u16; Axis::COUNT]) -> bool {
        flips_of(EdgeLabels { slices, crooked: 0 }).count_ones() % 2 == 1
    }

    /// Returns a cube with these labels, with its corners at home.
    ///
    /// # Panics
    /// When the masks do not divide the slots into three times four.
    pub fn cube(self) -> Cube {
        // The pieces of each slice that have no slot yet, as a mask; the lowest comes next.
        let mut left = Self::home();
        let mut edges: [Edge; Edge::COUNT] = std::array::from_fn(|slot| {
            let own = self.slices.iter().position(|slots| slots >> slot & 1 == 1).expect("each slot has a slice");
            let next = left[own].trailing_zeros();
            left[own] &= left[own].wrapping_sub(1);
            Edge::ALL[next as usize]
        });
        if is_odd(&edges.map(|edge| edge as u8)) {
            // Two pieces of one slice are exchanged; their labels stay in the slots.
            let first = self.slices[0].trailing_zeros() as usize;
            let second = (self.slices[0] & (self.slices[0] - 1)).trailing_zeros() as usize;
            edges.swap(first, second);
        }
        let flips = flips_of(self);
        let flips = std::array::from_fn(|slot| (flips >> slot & 1) as u8);
        Cube::assemble(Corner::ALL, [0; 8], edges, flips)
    }
}

/// Returns the slots whose piece is flipped.
fn flips_of(labels: EdgeLabels) -> u16 {
    let straight = labels.slices.iter().zip(STRAIGHT_FLIPS.iter());
    straight.fold(labels.crooked, |flips, (slots, flipped)| flips ^ (slots & flipped))
}

/// For each slice, the slots in which its straight pieces are flipped.
static STRAIGHT_FLIPS: LazyLock<[u16; Axis::COUNT]> = LazyLock::new(|| {
    Axis::ALL.map(|own| {
        mask_of(|slot| {
            let piece = Edge::ALL.into_iter().find(|&edge| slice(edge) == own);
            piece.is_some_and(|piece| !is_crooked(own, edge_map(piece, slot, 1)))
        })
    })
});

fn mask_of(holds: impl Fn(Edge) -> bool) -> u16 {
    Edge::ALL.into_iter().filter(|&slot| holds(slot)).fold(0, |mask, slot| mask | 1 << slot.index())
}

/// A permutation of slots that acts on masks: images of either half of the slots.
#[derive(Clone)]
struct SlotMap([[u16; 64]; 2]);

impl SlotMap {
    fn new(to: impl Fn(Edge) -> Edge) -> Self {
        let image = |mask: usize| {
            let marked = Edge::ALL.into_iter().filter(|slot| mask >> slot.index() & 1 == 1);
            marked.fold(0, |image, slot| image | 1 << to(slot).index())
        };
        Self([std::array::from_fn(image), std::array::from_fn(|mask| image(mask << 6))])
    }

    #[inline]
    fn apply(&self, mask: u16) -> u16 {
        self.0[0][usize::from(mask & 63)] | self.0[1][usize::from(mask >> 6 & 63)]
    }
}

/// The action of a move, a symmetry or a permutation of the axes on labels.
#[derive(Clone)]
pub(crate) struct EdgeMap {
    slots: SlotMap,
    /// New name of each slice.
    slices: [u8; Axis::COUNT],
    /// For each slice, the slots (before the action) in which its pieces change between straight and crooked.
    toggles: [u16; Axis::COUNT],
}

impl EdgeMap {
    /// Returns the action of a face move.
    pub(crate) fn of_move(mv: Move) -> Self {
        let cube = mv.cube();
        // Slot `from` goes to slot `to`, with the axis map of a piece that was at home there.
        let to = |from: Edge| cube.edges().iter().position(|&piece| piece == from).unwrap_or(0);
        let toggles = Axis::ALL.map(|own| {
            mask_of(|from| {
                let moved = edge_map(from, Edge::ALL[to(from)], cube.flips()[to(from)]);
                is_crooked(own, moved.after(straight(own, slice(from))))
            })
        });
        Self { slots: SlotMap::new(|from| Edge::ALL[to(from)]), slices: [0, 1, 2], toggles }
    }

    /// Returns the action of conjugation by a symmetry: the labels of `S * x * S^-1`.
    pub(crate) fn of_symmetry(symmetry: Symmetry) -> Self {
        let axes = AxisMap::of_symmetry(symmetry);
        Self {
            slots: SlotMap::new(|slot| symmetry.conjugate_edge(slot)),
            slices: Axis::ALL.map(|own| axes.image(own) as u8),
            // Straight pieces stay straight under symmetries.
            toggles: [0; Axis::COUNT],
        }
    }

    /// Returns the action of a permutation of the axes, which also permutes the slices.
    pub(crate) fn relabelling(axes: AxisMap) -> Self {
        let toggles = Axis::ALL
            .map(|own| mask_of(|slot| is_crooked(axes.image(own), straight(own, slice(slot)).after(axes.inverse()))));
        Self { slots: SlotMap::new(|slot| slot), slices: Axis::ALL.map(|own| axes.image(own) as u8), toggles }
    }

    /// Returns the labels after the action.
    #[inline]
    pub(crate) fn apply(&self, labels: EdgeLabels) -> EdgeLabels {
        let mut crooked = labels.crooked;
        let mut slices = [0; Axis::COUNT];
        for k in 0..Axis::COUNT {
            crooked ^= labels.slices[k] & self.toggles[k];
            slices[usize::from(self.slices[k]) % Axis::COUNT] = self.slots.apply(labels.slices[k]);
        }
        EdgeLabels { slices, crooked: self.slots.apply(crooked) }
    }

    /// Returns the labels after a permutation of the axes, which leaves the slots unchanged.
    #[inline]
    pub(crate) fn relabel(&self, labels: EdgeLabels) -> EdgeLabels {
        let mut crooked = labels.crooked;
        let mut slices = [0; Axis::COUNT];
        for k in 0..Axis::COUNT {
            crooked ^= labels.slices[k] & self.toggles[k];
            slices[usize::from(self.slices[k]) % Axis::COUNT] = labels.slices[k];
        }
        EdgeLabels { slices, crooked }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::random_cube;

    #[test]
    fn maps_do_to_labels_what_moves_and_symmetries_do_to_cubes() {
        let reader = EdgeReader::default();
        let mut rng = StdRng::seed_from_u64(2);
        for _ in 0..50 {
            let cube = random_cube(&mut rng);
            let labels = reader.of_cube(&cube);
            for mv in Move::ALL {
                assert_eq!(EdgeMap::of_move(mv).apply(labels), reader.of_cube(&cube.then(mv.cube())), "{mv}");
            }
            for symmetry in Symmetry::all() {
                let seen = reader.of_cube(&symmetry.conjugate(&cube));
                assert_eq!(EdgeMap::of_symmetry(symmetry).apply(labels), seen, "{symmetry:?}");
                let bytes = ByteCube::of(&cube).edges.0;
                assert_eq!(reader.of_bytes(Scalar, bytes, symmetry.index()), seen, "{symmetry:?}");
            }
        }
    }

    #[test]
    fn a_cube_is_made_for_labels_and_has_them() {
        let reader = EdgeReader::default();
        let mut rng = StdRng::seed_from_u64(3);
        for _ in 0..500 {
            let labels = reader.of_cube(&random_cube(&mut rng));
            let cube = labels.cube();
            assert_eq!(reader.of_cube(&cube), labels);
            assert_eq!(cube.flips().iter().sum::<u8>() % 2, 0);
            assert!(!is_odd(&cube.edges().map(|edge| edge as u8)));
            assert_eq!(labels.crooked.count_ones() % 2 == 1, EdgeLabels::odd_crooked(labels.slices));
            for axes in AxisMap::all() {
                // A relabelling is the work of an element of the group, so that it leaves possible labels.
                let relabelled = EdgeMap::relabelling(axes).apply(labels);
                let odd = relabelled.crooked.count_ones() % 2 == 1;
                assert_eq!(odd, EdgeLabels::odd_crooked(relabelled.slices), "{axes:?}");
            }
        }
        assert_eq!(reader.of_cube(&Cube::SOLVED), EdgeLabels { slices: EdgeLabels::home(), crooked: 0 });
    }

    #[test]
    fn only_a_quarter_turn_bends_the_slice_across_its_axis() {
        for mv in Move::ALL {
            let map = EdgeMap::of_move(mv);
            for own in Axis::ALL {
                let bends = mv.quarters() != 2 && mv.face().axis() == own;
                assert_eq!(map.toggles[own.index()].count_ones(), if bends { 4 } else { 0 }, "{mv} {own}");
            }
        }
    }
}
