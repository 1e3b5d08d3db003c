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

use crate::coord::coset::{AxisMap, corner_map, tetrad};
use crate::coord::rank::is_odd;
use superflip_cube::byte_cube::TWIST_WEIGHTS;
use superflip_cube::simd::{Bytes16, Scalar, Simd};
use superflip_cube::{ByteCube, Corner, Cube, Edge};

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

/// Number of entries of a table over half of the slots: four bits for tetrads, four base-3 digits for twists.
const HALF: usize = 16 * TWISTS_OF_HALF;
const TWISTS_OF_HALF: usize = 81;

/// Numbers the corner cosets of one kind with small look-up tables.
///
/// A slot is *foreign* if its piece is of the other tetrad. The mask of foreign slots determines the separation.
pub struct CornerCosets {
    kind: CornerKind,
    /// Highest bit: the tetrad of each piece, and the tetrad at home in each slot.
    tetrads: Bytes16,
    at_home: Bytes16,
    /// Rank of each mask of foreign slots, times the number of twists.
    rank: Box<[u32; 256]>,
    /// For slots 0..4: the number of axis turns, from bit 8 on, and the resulting twists.
    low: Box<[u16; HALF]>,
    /// For slots 4..8, by number of axis turns: the resulting twists, without the last.
    high: Box<[[u8; HALF]; 3]>,
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
        let mut rank = Box::new([0; 256]);
        for (number, &mask) in masks.iter().enumerate() {
            rank[usize::from(mask)] = number as u32 * kind.twists();
        }
        let (low, high) = halves(kind);
        let highest = |holds: bool| u8::from(holds) << 7;
        let mut tetrads = Bytes16::default();
        for corner in Corner::ALL {
            tetrads.0[corner.index()] = highest(tetrad(corner) == 1);
        }
        // With pieces at home, the table of pieces is that of slots too.
        Self { kind, tetrads, at_home: tetrads, rank, low, high, masks }
    }

    /// Returns the kind.
    pub fn kind(&self) -> CornerKind {
        self.kind
    }

    /// Returns the coset of corners given as bytes.
    #[inline(always)]
    pub fn of_bytes<K: Simd>(&self, simd: K, corners: K::Vector) -> u32 {
        let tetrads = simd.shuffle(simd.load(&self.tetrads), corners);
        let mut foreign = simd.column::<0>(simd.xor(tetrads, simd.load(&self.at_home))) as usize;
        if self.kind == CornerKind::Relabelled {
            foreign ^= (foreign & 1) * 0xff;
        }
        let [low, high] = simd.weighted(simd.high(corners), simd.load(&TWIST_WEIGHTS));
        let low = self.low[(foreign & 15) * TWISTS_OF_HALF + low as usize];
        let high = self.high[usize::from(low >> 8)][(foreign >> 4) * TWISTS_OF_HALF + high as usize];
        self.rank[foreign] + u32::from(low & 0xff) * 27 + u32::from(high)
    }

    /// Returns the coset of a cube, 0..size.
    pub fn index(&self, cube: &Cube) -> u32 {
        self.of_bytes(Scalar, ByteCube::of(cube).corners.0)
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

/// Computes the tables over either half of the slots.
fn halves(kind: CornerKind) -> (Box<[u16; HALF]>, Box<[[u8; HALF]; 3]>) {
    let common = common_turn();
    let twist_at = |number: usize, place: usize| (number / 3_usize.pow(3 - place as u32) % 3) as u8;
    // The twists of four slots after turning the axes of all pieces `turns` times.
    let turned = |first: usize, mask: usize, number: usize, turns: u8| -> [u8; 4] {
        std::array::from_fn(|place| {
            let own = common[tetrad_in(first + place, mask >> place & 1 == 1)];
            (twist_at(number, place) + turns * own) % 3
        })
    };
    let base_three = |digits: &[u8]| digits.iter().fold(0, |number, &digit| 3 * number + u16::from(digit));
    let (mut low, mut high) = (Box::new([0; HALF]), Box::new([[0; HALF]; 3]));
    for mask in 0..16 {
        for number in 0..TWISTS_OF_HALF {
            let at = mask * TWISTS_OF_HALF + number;
            let turns = match kind {
                CornerKind::Tetrads => 0,
                // The piece in slot 0 is made untwisted.
                _ => (0..3).find(|&turns| turned(0, mask, number, turns)[0] == 0).unwrap_or(0),
            };
            low[at] = u16::from(turns) << 8 | base_three(&turned(0, mask, number, turns));
            for turns in 0..3 {
                high[usize::from(turns)][at] = base_three(&turned(4, mask, number, turns)[..3]) as u8;
            }
        }
    }
    (low, high)
}
