//! Numbers the cosets of the corners: the tetrad of the corner in each slot, and its axis map.
//!
//! | kind | cosets | two cubes share one when |
//! | --- | --- | --- |
//! | [`CornerKind::Tetrads`] | 70 * 3^7 = 153090 | each slot shows the same tetrad and the same axis map |
//! | [`CornerKind::Turned`] | 153090 / 3 = 51030 | the same after turning the axes of all pieces by one 3-cycle |
//! | [`CornerKind::Relabelled`] | 51030 / 2 = 25515 | the same after any permutation of the axes, which also permutes the tetrads |
//!
//! In a given slot, tetrad and twist determine the axis map, and vice versa. So a coset is numbered by the
//! *separation*, which is the tetrad in each slot, followed by the base-3 number of the twists. Solved is 0.

use crate::coord::coset::{AxisMap, NO_TURN, TURNS, corner_map, tetrad};
use crate::coord::rank::is_odd;
use superflip_cube::simd::{Bytes16, Scalar, Simd};
use superflip_cube::{ByteCube, Corner, Cube, Edge, Face, Move};

/// A kind of corner cosets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CornerKind {
    /// Tetrads and axis maps: 153090 cosets.
    Tetrads,
    /// Up to turning the axes of all pieces by a common 3-cycle: 51030 cosets.
    Turned,
    /// Up to any permutation of the axes, which also permutes the tetrads: 25515 cosets.
    Relabelled,
}

impl CornerKind {
    /// Every kind, the finest first.
    pub const ALL: [Self; 3] = [Self::Tetrads, Self::Turned, Self::Relabelled];

    /// Returns the number of cosets.
    pub const fn size(self) -> u32 {
        match self {
            Self::Tetrads => 70 * 2187,
            Self::Turned => 70 * 729,
            Self::Relabelled => 35 * 729,
        }
    }

    /// Returns the number of classes under the 48 symmetries.
    pub const fn classes(self) -> u32 {
        match self {
            Self::Tetrads => 3393,
            Self::Turned => 1184,
            Self::Relabelled => 630,
        }
    }

    /// Returns the number of distinct separations.
    const fn separations(self) -> usize {
        match self {
            Self::Tetrads | Self::Turned => 70,
            Self::Relabelled => 35,
        }
    }

    /// Returns the number of distinct twists for one separation.
    const fn twists(self) -> u32 {
        self.size() / self.separations() as u32
    }
}

/// Number of entries of a table over half of the slots: four base-6 digits.
const HALF: usize = 6_usize.pow(4);
/// Renamings of the axes of all pieces: three turns, then the same with the tetrads exchanged.
const RENAMINGS: usize = 6;
/// Tables of powers of two, so that a mask of the index replaces a check.
type Low = Box<[(u32, u32); HALF.next_power_of_two()]>;
type High = Box<[u32; (RENAMINGS * HALF).next_power_of_two()]>;
/// Weights that turn the digits of slots 0..4 and of slots 4..8 into base-6 numbers, the first slot highest.
const BASE_SIX: Bytes16 = Bytes16([216, 36, 6, 1, 216, 36, 6, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
/// Added to a digit that is 6 or more.
const LESS_SIX: Bytes16 = Bytes16([0_u8.wrapping_sub(6); 16]);

/// Numbers the corner cosets of one kind with small look-up tables.
///
/// A slot is *foreign* if its piece is of the other tetrad. The mask of foreign slots determines the separation.
pub struct CornerCosets {
    kind: CornerKind,
    /// For a quarter turn of each face before the cube, and at [`NO_TURN`] for none: the tetrad of each piece, plus twice the twist that
    /// the turn adds to it.
    pieces: [Bytes16; TURNS],
    /// The tetrad at home in each slot.
    at_home: Bytes16,
    /// For each move after the cube: the slot from which each corner comes, and twice the twist that it adds.
    moves: [(Bytes16, Bytes16); Move::COUNT],
    /// For the digits of slots 0..4: what they add to the number, and where the entries of `high` begin for the renaming that brings
    /// the coset to its normal form.
    low: Low,
    /// By renaming, for the digits of slots 4..8: what they add to the number.
    high: High,
    /// Masks by rank.
    masks: Vec<u8>,
}

/// Returns what a turn of the axes of all pieces by the 3-cycle adds to the twist of a piece of each tetrad.
fn common_turn() -> [u8; 2] {
    let cycle = AxisMap::all().find(|map| map.is_even() && *map != AxisMap::IDENTITY).unwrap_or(AxisMap::IDENTITY);
    [0, 1].map(|wanted| {
        let corner = Corner::ALL.into_iter().find(|&corner| tetrad(corner) == wanted).unwrap_or(Corner::Urf);
        (0..3).find(|&twist| corner_map(corner, corner, twist) == cycle).unwrap_or(0)
    })
}

/// Returns the tetrad of the piece in a slot.
fn tetrad_in(slot: usize, foreign: bool) -> usize {
    usize::from(tetrad(Corner::ALL[slot]) ^ u8::from(foreign))
}

impl CornerCosets {
    /// Computes the look-up tables.
    pub fn new(kind: CornerKind) -> Self {
        let home = |slot: usize| tetrad(Corner::ALL[slot]) == 0;
        let mut masks: Vec<u8> = (0..=u8::MAX)
            .filter(|mask| {
                let foreign = |own: bool| (0..8).filter(|&slot| mask >> slot & 1 == 1 && home(slot) == own).count();
                foreign(true) == foreign(false)
            })
            .collect();
        if kind == CornerKind::Relabelled {
            // An odd permutation of the axes exchanges the tetrads; the piece in slot 0 is made one of its own tetrad.
            masks.retain(|mask| mask & 1 == 0);
        }
        let (low, high) = halves(kind, &masks);
        let (mut pieces, mut at_home) = ([Bytes16::default(); TURNS], Bytes16::default());
        for corner in Corner::ALL {
            at_home.0[corner.index()] = tetrad(corner);
            pieces[NO_TURN].0[corner.index()] = tetrad(corner);
            for face in Face::ALL {
                // A turn of the solved cube: where a piece is, the turn puts another in its place.
                let turned = Move::ALL[3 * face.index()].cube();
                pieces[face.index()].0[corner.index()] =
                    tetrad(turned.corners()[corner.index()]) + 2 * turned.twists()[corner.index()];
            }
        }
        let moves = Move::ALL.map(|mv| {
            let (mut from, mut twists) = (Bytes16::default(), Bytes16::default());
            for slot in 0..Corner::COUNT {
                from.0[slot] = mv.cube().corners()[slot] as u8;
                twists.0[slot] = 2 * mv.cube().twists()[slot];
            }
            (from, twists)
        });
        Self { kind, pieces, at_home, moves, low, high, masks }
    }

    /// Returns the kind.
    pub fn kind(&self) -> CornerKind {
        self.kind
    }

    /// Reads corners given as bytes, with a quarter turn of a face before them, or with [`NO_TURN`]. The result has a digit for each
    /// slot: the tetrad of its piece, plus twice its twist.
    #[inline(always)]
    pub(crate) fn read<K: Simd>(&self, simd: K, corners: K::Vector, turn: usize) -> K::Vector {
        let twists = simd.high(corners);
        let pieces = simd.shuffle(simd.load(&self.pieces[turn % TURNS]), corners);
        reduced(simd, simd.add(pieces, simd.add(twists, twists)))
    }

    /// Returns the digits after a move.
    #[inline(always)]
    pub(crate) fn after<K: Simd>(&self, simd: K, digits: K::Vector, mv: usize) -> K::Vector {
        let (from, twists) = &self.moves[mv];
        reduced(simd, simd.add(simd.select(digits, simd.load(from)), simd.load(twists)))
    }

    /// Returns the coset of corners given by their digits.
    #[inline(always)]
    pub(crate) fn number<K: Simd>(&self, simd: K, digits: K::Vector) -> u32 {
        let foreign = simd.xor(digits, simd.load(&self.at_home));
        let [low, high] = simd.weighted(foreign, simd.load(&BASE_SIX)).map(|number| number as usize);
        let (number, renamed) = self.low[low % self.low.len()];
        number + self.high[(renamed as usize + high) % self.high.len()]
    }

    /// Returns the coset of a cube, 0..size.
    pub fn index(&self, cube: &Cube) -> u32 {
        self.number(Scalar, self.read(Scalar, ByteCube::of(cube).corners.0, NO_TURN))
    }

    /// Returns a cube of this coset (0..size), with its edges at home.
    ///
    /// # Panics
    /// When there is no such coset.
    pub fn representative(&self, coset: u32) -> Cube {
        let foreign = self.masks[(coset / self.kind.twists()) as usize];
        let mut rest = coset % self.kind.twists();
        let mut twists = [0; 8];
        for slot in (0..7).rev() {
            twists[slot] = (rest % 3) as u8;
            rest /= 3;
        }
        twists[7] = (3 - twists.iter().sum::<u8>() % 3) % 3;
        let mut left = Corner::ALL.to_vec();
        let mut corners: [Corner; 8] = std::array::from_fn(|slot| {
            let wanted = tetrad_in(slot, foreign >> slot & 1 == 1);
            let next = left.iter().position(|&corner| usize::from(tetrad(corner)) == wanted);
            left.remove(next.expect("each mask leaves four of either tetrad"))
        });
        if is_odd(&corners.map(|corner| corner as u8)) {
            // Two pieces of one tetrad are exchanged; the coset does not distinguish them.
            let own: Vec<usize> = (0..8).filter(|&slot| tetrad(corners[slot]) == 0).collect();
            corners.swap(own[0], own[1]);
        }
        Cube::assemble(corners, twists, Edge::ALL, [0; 12])
    }
}

/// Reduces twists modulo 3. A difference below 0 wraps to a large number, so it is not the minimum.
#[inline(always)]
fn reduced<K: Simd>(simd: K, digits: K::Vector) -> K::Vector {
    simd.min(digits, simd.add(digits, simd.load(&LESS_SIX)))
}

/// Computes the tables over either half of the slots. The masks are sorted, so a number is the sum of what either half adds to it.
#[allow(clippy::large_stack_arrays)] // 32 kB, of zeros, which the compiler puts into the box
fn halves(kind: CornerKind, masks: &[u8]) -> (Low, High) {
    let common = common_turn();
    // The mask of four slots and their twists.
    let split = |number: usize| {
        let digits: [u8; 4] = std::array::from_fn(|place| (number / 6_usize.pow(3 - place as u32) % 6) as u8);
        (digits.iter().rev().fold(0, |mask, digit| mask << 1 | digit & 1), digits.map(|digit| digit >> 1))
    };
    // The twists of four slots after turning the axes of all pieces `turns` times.
    let turned = |first: usize, mask: u8, twists: [u8; 4], turns: usize| -> [u8; 4] {
        std::array::from_fn(|place| {
            let own = common[tetrad_in(first + place, mask >> place & 1 == 1)];
            (twists[place] + turns as u8 * own) % 3
        })
    };
    let base_three = |digits: &[u8]| digits.iter().fold(0, |number, &digit| 3 * number + u32::from(digit));
    // The number of masks before the first one with these slots 4..8, and the number before this one with the same slots 4..8.
    let before = |high: u8| masks.partition_point(|mask| mask >> 4 < high) as u32;
    let among = |low: u8| {
        let mask = masks.iter().position(|mask| mask & 15 == low);
        mask.map_or(0, |at| at as u32 - before(masks[at] >> 4))
    };
    let (mut low, mut high): (Low, High) = (Box::new([(0, 0); _]), Box::new([0; _]));
    for number in 0..HALF {
        let (mask, twists) = split(number);
        // The piece in slot 0 is made one of its own tetrad.
        let exchanged = kind == CornerKind::Relabelled && mask & 1 == 1;
        let own = if exchanged { mask ^ 15 } else { mask };
        let turns = match kind {
            CornerKind::Tetrads => 0,
            // The piece in slot 0 is made untwisted.
            _ => (0..3).find(|&turns| turned(0, own, twists, turns)[0] == 0).unwrap_or(0),
        };
        let renaming = 3 * usize::from(exchanged) + turns;
        low[number] =
            (among(own) * kind.twists() + 27 * base_three(&turned(0, own, twists, turns)), (renaming * HALF) as u32);
        for renaming in 0..RENAMINGS {
            let own = if renaming < 3 { mask } else { mask ^ 15 };
            high[renaming * HALF + number] =
                before(own) * kind.twists() + base_three(&turned(4, own, twists, renaming % 3)[..3]);
        }
    }
    (low, high)
}
