//! A cube as bytes, on which a move is one byte shuffle and one addition.
//!
//! A corner is `piece + 16 * twist`, an edge `piece + 16 * flip`, one byte for each slot:
//!
//! ```text
//!            slot  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
//!   corners        c  c  c  c  c  c  c  c  .  .  .  .  .  .  .  .     . without meaning
//!   edges          e  e  e  e  e  e  e  e  e  e  e  e  .  .  .  .
//! ```
//!
//! A move after the cube moves bytes: the move is the shuffle that selects the source slots. A move before the cube
//! permutes the labels of pieces: the bytes of the cube select bytes of the move. Composition by byte shuffles is due
//! to Andrew Skalski and Tomas Rokicki.

use std::sync::LazyLock;

use super::cubie::Cube;
use super::moves::Move;
use super::simd::{Bytes16, Simd};
use super::symmetry::Symmetry;
use super::{Corner, Edge};

/// Encodes a corner in a slot as one byte: piece + 16 * twist.
pub const fn corner_byte(piece: Corner, twist: u8) -> u8 {
    piece as u8 | twist << 4
}

/// Encodes an edge in a slot as one byte: piece + 16 * flip.
pub const fn edge_byte(piece: Edge, flip: u8) -> u8 {
    piece as u8 | flip << 4
}

/// Weights that turn the twists of slots 0..4 and of slots 4..8 into base-3 numbers, the first slot highest.
pub const TWIST_WEIGHTS: Bytes16 = Bytes16([27, 9, 3, 1, 27, 9, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0]);

/// A cube as bytes in memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByteCube {
    /// The corners, slots 0..8.
    pub corners: Bytes16,
    /// The edges, slots 0..12.
    pub edges: Bytes16,
}

impl ByteCube {
    /// Encodes a cube.
    pub fn of(cube: &Cube) -> Self {
        let mut out = Self::default();
        for (slot, byte) in out.corners.0[..Corner::COUNT].iter_mut().enumerate() {
            *byte = corner_byte(cube.corners()[slot], cube.twists()[slot]);
        }
        for (slot, byte) in out.edges.0[..Edge::COUNT].iter_mut().enumerate() {
            *byte = edge_byte(cube.edges()[slot], cube.flips()[slot]);
        }
        out
    }

    /// Decodes the cube.
    ///
    /// # Panics
    /// When the bytes do not encode a cube.
    pub fn cube(&self) -> Cube {
        let corners: [u8; Corner::COUNT] = std::array::from_fn(|slot| self.corners.0[slot]);
        let edges: [u8; Edge::COUNT] = std::array::from_fn(|slot| self.edges.0[slot]);
        Cube::assemble(
            corners.map(|byte| Corner::ALL[usize::from(byte & 15)]),
            corners.map(|byte| byte >> 4),
            edges.map(|byte| Edge::ALL[usize::from(byte & 15)]),
            edges.map(|byte| byte >> 4),
        )
    }

    /// Returns the cube after a move.
    #[inline(always)]
    #[must_use]
    pub fn then<K: Simd>(&self, simd: K, mv: &ByteMove) -> Self {
        let corners = simd.select(simd.load(&self.corners), simd.load(&mv.corners_from));
        let edges = simd.select(simd.load(&self.edges), simd.load(&mv.edges_from));
        Self {
            corners: simd.store(reduced(simd, simd.add(corners, simd.load(&mv.twists)))),
            edges: simd.store(simd.xor(edges, simd.load(&mv.flips))),
        }
    }

    /// Returns the cube with a move before it: first the move, then this cube.
    #[inline(always)]
    #[must_use]
    pub fn with_before<K: Simd>(&self, simd: K, mv: &ByteMove) -> Self {
        let corners = simd.load(&self.corners);
        let edges = simd.load(&self.edges);
        let renamed = simd.shuffle(simd.load(&mv.renamed_corners), corners);
        let twisted = simd.add(renamed, simd.and(corners, simd.load(&Bytes16([0x30; 16]))));
        let flipped = simd.and(edges, simd.load(&Bytes16([0x10; 16])));
        Self {
            corners: simd.store(reduced(simd, twisted)),
            edges: simd.store(simd.xor(simd.shuffle(simd.load(&mv.renamed_edges), edges), flipped)),
        }
    }
}

/// Reduces twists modulo 3. The result is the minimum of the byte and the byte minus three twists, because a negative
/// difference wraps to a large one.
#[inline(always)]
fn reduced<K: Simd>(simd: K, corners: K::Vector) -> K::Vector {
    const LESS_THREE: u8 = 0_u8.wrapping_sub(3 << 4);
    simd.min(corners, simd.add(corners, simd.load(&Bytes16([LESS_THREE; 16]))))
}

/// The effect of a move on bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByteMove {
    /// Slot from which each corner comes.
    corners_from: Bytes16,
    /// Added twist, times 16.
    twists: Bytes16,
    /// Slot from which each edge comes.
    edges_from: Bytes16,
    /// Added flip, times 16.
    flips: Bytes16,
    /// New name of each corner piece when the move comes before the cube.
    renamed_corners: Bytes16,
    /// New name of each edge piece.
    renamed_edges: Bytes16,
}

impl ByteMove {
    /// Returns all 18 moves.
    pub fn all() -> &'static [Self; Move::COUNT] {
        static ALL: LazyLock<[ByteMove; Move::COUNT]> = LazyLock::new(|| Move::ALL.map(|mv| ByteMove::of(mv.cube())));
        &ALL
    }

    /// Returns the effect of a maneuver, given by the cube that it makes of the solved one.
    pub fn of(maneuver: &Cube) -> Self {
        let bytes = ByteCube::of(maneuver);
        let low = |bytes: Bytes16| Bytes16(bytes.0.map(|byte| byte & 15));
        let high = |bytes: Bytes16| Bytes16(bytes.0.map(|byte| byte & 0xf0));
        // On the solved cube, a piece has the index of its slot. So after the move, the piece in each slot is the slot
        // from which it comes.
        Self {
            corners_from: low(bytes.corners),
            twists: high(bytes.corners),
            edges_from: low(bytes.edges),
            flips: high(bytes.edges),
            renamed_corners: bytes.corners,
            renamed_edges: bytes.edges,
        }
    }

    /// Returns the slot from which each edge comes.
    #[inline(always)]
    pub const fn edges_from(&self) -> &Bytes16 {
        &self.edges_from
    }

    /// Returns the new name of each edge piece when the move comes before the cube, with the flip that it adds.
    #[inline(always)]
    pub const fn renamed_edges(&self) -> &Bytes16 {
        &self.renamed_edges
    }
}

/// The effect of conjugation by a rotation on bytes. Labels of pieces and slots are permuted. Each piece and each slot
/// adds its twist or flip.
#[derive(Clone, Copy, Debug)]
pub struct ByteConjugation {
    renamed: ByteCube,
    from: ByteCube,
    added: ByteCube,
}

impl ByteConjugation {
    /// Returns the conjugation by a symmetry, or `None` for a reflection, under which twists are subtracted.
    pub fn of(symmetry: Symmetry) -> Option<Self> {
        const NOWHERE: Bytes16 = Bytes16([0x80; 16]);
        if symmetry.is_reflection() {
            return None;
        }
        let image =
            |corners, edges| ByteCube::of(&symmetry.conjugate(&Cube::assemble(corners, [0; 8], edges, [0; 12])));
        let mut out = Self {
            renamed: ByteCube::default(),
            from: ByteCube { corners: NOWHERE, edges: NOWHERE },
            added: ByteCube::default(),
        };
        // The conjugate of the solved cube is solved. So each slot subtracts what its own piece adds. What slot 0 adds
        // is counted with the piece.
        for piece in Corner::ALL {
            let mut corners = Corner::ALL;
            corners.swap(0, piece.index());
            let first = symmetry.conjugate_corner(Corner::ALL[0]).index();
            let byte = image(corners, Edge::ALL).corners.0[first];
            let to = symmetry.conjugate_corner(piece).index();
            out.renamed.corners.0[piece.index()] = byte;
            out.from.corners.0[to] = piece as u8;
            out.added.corners.0[to] = ((3 - (byte >> 4)) % 3) << 4;
        }
        for piece in Edge::ALL {
            let mut edges = Edge::ALL;
            edges.swap(0, piece.index());
            let first = symmetry.conjugate_edge(Edge::ALL[0]).index();
            let byte = image(Corner::ALL, edges).edges.0[first];
            let to = symmetry.conjugate_edge(piece).index();
            out.renamed.edges.0[piece.index()] = byte;
            out.from.edges.0[to] = piece as u8;
            out.added.edges.0[to] = byte & 0x10;
        }
        Some(out)
    }

    /// Returns the cube conjugated by the symmetry.
    #[inline(always)]
    #[must_use]
    pub fn apply<K: Simd>(&self, simd: K, cube: &ByteCube) -> ByteCube {
        let corners = simd.load(&cube.corners);
        let edges = simd.load(&cube.edges);
        let twists = simd.and(corners, simd.load(&Bytes16([0x30; 16])));
        let renamed = reduced(simd, simd.add(simd.shuffle(simd.load(&self.renamed.corners), corners), twists));
        let moved = simd.select(renamed, simd.load(&self.from.corners));
        let flips = simd.and(edges, simd.load(&Bytes16([0x10; 16])));
        let renamed = simd.xor(simd.shuffle(simd.load(&self.renamed.edges), edges), flips);
        ByteCube {
            corners: simd.store(reduced(simd, simd.add(moved, simd.load(&self.added.corners)))),
            edges: simd
                .store(simd.xor(simd.select(renamed, simd.load(&self.from.edges)), simd.load(&self.added.edges))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_cube;
    use crate::simd::{Kernel, Scalar, dispatch};
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    struct Moved<'a>(&'a Cube, usize);

    impl Kernel for Moved<'_> {
        type Output = [Cube; 2];

        #[inline(always)]
        fn run<K: Simd>(self, simd: K) -> [Cube; 2] {
            let bytes = ByteCube::of(self.0);
            let mv = &ByteMove::all()[self.1];
            [bytes.then(simd, mv).cube(), bytes.with_before(simd, mv).cube()]
        }
    }

    #[test]
    fn bytes_move_as_cubes_do() {
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..200 {
            let cube = random_cube(&mut rng);
            assert_eq!(ByteCube::of(&cube).cube(), cube);
            for mv in Move::ALL {
                let expected = [cube.then(mv.cube()), mv.cube().then(&cube)];
                assert_eq!(dispatch(Moved(&cube, mv.index())), expected, "{mv}");
                assert_eq!(Moved(&cube, mv.index()).run(Scalar), expected, "{mv}");
            }
        }
    }

    struct Seen<'a>(&'a Cube, &'a ByteConjugation);

    impl Kernel for Seen<'_> {
        type Output = Cube;

        #[inline(always)]
        fn run<K: Simd>(self, simd: K) -> Cube {
            self.1.apply(simd, &ByteCube::of(self.0)).cube()
        }
    }

    #[test]
    fn bytes_are_seen_through_rotations_as_cubes_are() {
        let mut rng = StdRng::seed_from_u64(2);
        for symmetry in Symmetry::all() {
            let Some(conjugation) = ByteConjugation::of(symmetry) else {
                assert!(symmetry.is_reflection());
                continue;
            };
            for _ in 0..20 {
                let cube = random_cube(&mut rng);
                assert_eq!(dispatch(Seen(&cube, &conjugation)), symmetry.conjugate(&cube), "{symmetry:?}");
            }
        }
    }
}
