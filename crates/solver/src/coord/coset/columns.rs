//! Numbers the cosets of the edges: separation and orientation.
//!
//! A *separation* is the slice of the edge in each of the twelve slots. There are 12! / 4!^3 = 34650 separations. If
//! the axes of the pieces may be permuted, and the slices with them, there are 34650 / 6 = 5775. The orientation is the
//! set of *crooked* edges ([`axes`](super::axes)), or a part of it:
//!
//! | orientation | bits | two cubes with the same separation share a coset when |
//! | --- | --- | --- |
//! | [`Orientation::Full`] | 11 | the same pieces are crooked |
//! | [`Orientation::Sliced`] | 8 | the same pieces are crooked, up to flipping all four pieces of slices |
//! | [`Orientation::Parities`] | 2 | the number of crooked pieces of each slice has the same parity |
//!
//! The number of a coset is the separation, followed by the orientation in the low bits.

use super::axes::AxisMap;
use super::edges::{EdgeLabels, EdgeMap};
use superflip_cube::Axis;
use superflip_cube::simd::{Scalar, Simd};

/// The part of the edge orientation that a coset determines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Orientation {
    /// The whole edge orientation: 2^11.
    Full,
    /// Up to flipping all four pieces of a slice: 2^8.
    Sliced,
    /// The parity of the crooked pieces of each slice: 2^2.
    Parities,
}

impl Orientation {
    /// Every one, the finest first.
    pub const ALL: [Self; 3] = [Self::Full, Self::Sliced, Self::Parities];

    /// Returns the number of bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Full => 11,
            Self::Sliced => 8,
            Self::Parities => 2,
        }
    }

    /// Returns its description.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Full => "which pieces stand crooked",
            Self::Sliced => "which pieces stand crooked, up to flipping all four pieces of a slice",
            Self::Parities => "whether an odd number of the pieces of each slice stands crooked",
        }
    }
}

/// A kind of edge cosets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeKind {
    /// Whether cosets that differ by a permutation of the axes are the same.
    pub relabelled: bool,
    /// The part of the orientation that is kept.
    pub orientation: Orientation,
}

impl EdgeKind {
    /// Returns the number of separations.
    pub const fn separations(self) -> u32 {
        if self.relabelled { 5775 } else { 34650 }
    }

    /// Returns the number of cosets.
    pub const fn size(self) -> u32 {
        self.separations() << self.orientation.bits()
    }
}

/// Number of keys of a table over half of the slots: six bits each for two masks.
const KEYS: usize = 1 << 12;

/// Numbers the edge cosets of one kind with small look-up tables. The number is the separation, followed by the
/// orientation in the low bits. Solved is 0.
pub struct EdgeColumns {
    kind: EdgeKind,
    /// Number of separations before the first one with these masks in slots 0..6, by [`key`].
    first: Box<[u16; KEYS]>,
    /// Among the separations with the same slots 0..6, number of those before the one with these masks in slots 6..12.
    rest: Box<[u16; KEYS]>,
    /// Masks of each of the 34650 separations.
    separations: Vec<[u16; Axis::COUNT]>,
    /// For each of the 34650 separations, its number among the 5775 and the relabelling that leads there; empty without
    /// relabelling.
    canonical: Vec<(u16, u8)>,
    /// For each of the 5775 separations, its number among the 34650; empty without relabelling.
    of_canonical: Vec<u16>,
    relabellings: Vec<EdgeMap>,
}

/// Returns the key of one half of the slots (0 or 1) for two masks.
#[inline]
const fn key(a: u16, b: u16, half: u32) -> usize {
    (a >> (6 * half) & 63) as usize | ((b >> (6 * half) & 63) as usize) << 6
}

impl EdgeColumns {
    /// Computes the look-up tables.
    pub fn new(kind: EdgeKind) -> Self {
        let (first, rest, separations) = separations();
        let mut out = Self {
            kind,
            first,
            rest,
            separations,
            canonical: Vec::new(),
            of_canonical: Vec::new(),
            relabellings: AxisMap::all().map(EdgeMap::relabelling).collect(),
        };
        if kind.relabelled {
            (out.canonical, out.of_canonical) = out.relabelled();
        }
        out
    }

    /// Returns the kind.
    pub fn kind(&self) -> EdgeKind {
        self.kind
    }

    /// Returns the number of a separation, given by its masks, among all 34650.
    #[inline]
    fn separation(&self, slices: [u16; Axis::COUNT]) -> u16 {
        self.first[key(slices[0], slices[1], 0)] + self.rest[key(slices[0], slices[1], 1)]
    }

    /// Returns separation and orientation, each in its own range.
    #[inline(always)]
    pub(crate) fn split_with<K: Simd>(&self, simd: K, labels: EdgeLabels) -> (u16, u16) {
        let separation = self.separation(labels.slices);
        if !self.kind.relabelled {
            return (separation, self.orientation(simd, labels));
        }
        let (canonical, relabelling) = self.canonical[usize::from(separation)];
        (canonical, self.orientation(simd, self.relabellings[usize::from(relabelling)].relabel(labels)))
    }

    /// Does the same as `EdgeColumns::split_with`, without SIMD.
    pub fn split(&self, labels: EdgeLabels) -> (u16, u16) {
        self.split_with(Scalar, labels)
    }

    /// Returns the number of the coset, 0..size.
    #[inline(always)]
    pub fn index_with<K: Simd>(&self, simd: K, labels: EdgeLabels) -> u32 {
        let (separation, orientation) = self.split_with(simd, labels);
        u32::from(separation) << self.kind.orientation.bits() | u32::from(orientation)
    }

    /// Does the same as [`EdgeColumns::index_with`], without SIMD.
    pub fn index(&self, labels: EdgeLabels) -> u32 {
        self.index_with(Scalar, labels)
    }

    #[inline(always)]
    fn orientation<K: Simd>(&self, simd: K, labels: EdgeLabels) -> u16 {
        let EdgeLabels { slices, crooked } = labels;
        match self.kind.orientation {
            Orientation::Full => crooked & 0x7ff,
            Orientation::Sliced => {
                // The last of the four pieces, in the order of the slots, is made straight.
                let of = |slots: u16| {
                    let four = simd.extract(u32::from(crooked), u32::from(slots)) as u16;
                    (four ^ ((four >> 3) * 7)) & 7
                };
                // The ninth bit follows from the others: the separation determines the parity of the crooked pieces.
                of(slices[0]) | of(slices[1]) << 3 | (of(slices[2]) & 3) << 6
            }
            Orientation::Parities => {
                let odd = |slots: u16| (slots & crooked).count_ones() as u16 & 1;
                odd(slices[0]) | odd(slices[1]) << 1
            }
        }
    }

    /// Returns labels with this number (0..size).
    ///
    /// # Panics
    /// When there is no such coset.
    pub fn labels(&self, index: u32) -> EdgeLabels {
        let bits = self.kind.orientation.bits();
        self.join((index >> bits) as u16, (index & ((1 << bits) - 1)) as u16)
    }

    /// Returns labels with this separation and orientation; the inverse of [`EdgeColumns::split`].
    ///
    /// # Panics
    /// When the separation is out of range.
    pub fn join(&self, separation: u16, orientation: u16) -> EdgeLabels {
        let separation = if self.kind.relabelled { self.of_canonical[usize::from(separation)] } else { separation };
        let slices = self.separations[usize::from(separation)];
        let spread = |slots: u16, bits: u16| {
            let own = (0..12).filter(|slot| slots >> slot & 1 == 1);
            own.enumerate().fold(0, |mask, (k, slot)| mask | (bits >> k & 1) << slot)
        };
        let free = match self.kind.orientation {
            Orientation::Full => orientation,
            Orientation::Sliced => {
                let three = [orientation & 7, orientation >> 3 & 7, orientation >> 6 & 3];
                slices.iter().zip(three).fold(0, |mask, (&slots, bits)| mask | spread(slots, bits))
            }
            Orientation::Parities => spread(slices[0], orientation & 1) | spread(slices[1], orientation >> 1 & 1),
        };
        // The remaining slot corrects the parity of the crooked pieces.
        let last = match self.kind.orientation {
            Orientation::Full => 1 << 11,
            Orientation::Sliced => spread(slices[2], 0b100),
            Orientation::Parities => spread(slices[2], 1),
        };
        let odd = free.count_ones() % 2 == 1;
        let crooked = if odd == EdgeLabels::odd_crooked(slices) { free } else { free | last };
        EdgeLabels { slices, crooked }
    }

    /// Finds the canonical separations. Reading the slots from 0 on, their slices first appear in the same order as on
    /// the solved cube.
    fn relabelled(&self) -> (Vec<(u16, u8)>, Vec<u16>) {
        let order = |slices: [u16; Axis::COUNT]| {
            let mut order = Axis::ALL;
            order.sort_by_key(|own| slices[own.index()].trailing_zeros());
            order
        };
        let home = order(EdgeLabels::home());
        let all: Vec<AxisMap> = AxisMap::all().collect();
        let leading = |slices: [u16; Axis::COUNT]| {
            let order = order(slices);
            all.iter().position(|map| order.map(|own| map.image(own)) == home).unwrap_or(0)
        };
        let of_canonical: Vec<u16> = (0..self.separations.len())
            .filter(|&number| leading(self.separations[number]) == 0)
            .map(|number| number as u16)
            .collect();
        let canonical = self
            .separations
            .iter()
            .map(|&slices| {
                let relabelling = leading(slices);
                let labels = self.relabellings[relabelling].relabel(EdgeLabels { slices, crooked: 0 });
                let number = of_canonical.binary_search(&self.separation(labels.slices));
                (number.unwrap_or(0) as u16, relabelling as u8)
            })
            .collect();
        (canonical, of_canonical)
    }
}

/// Computes the tables that number separations, and the separations.
#[allow(clippy::type_complexity)] // three parts of one thing, named where they are stored
fn separations() -> (Box<[u16; KEYS]>, Box<[u16; KEYS]>, Vec<[u16; Axis::COUNT]>) {
    let home = EdgeLabels::home();
    // All keys, in an order in which the solved one comes first.
    let keys = |half: u32| (0..KEYS).map(move |other| other ^ key(home[0], home[1], half));
    // Number of pieces of each slice; `None` if a slot has two slices.
    let counts = |key: usize| {
        let (a, b) = (key & 63, key >> 6);
        (a & b == 0).then(|| [a.count_ones(), b.count_ones(), 6 - a.count_ones() - b.count_ones()])
    };
    let (mut first, mut rest) = (Box::new([0; KEYS]), Box::new([0; KEYS]));
    let mut alike = std::collections::HashMap::new();
    for key in keys(1) {
        if let Some(counts) = counts(key) {
            let alike: &mut Vec<usize> = alike.entry(counts).or_default();
            rest[key] = alike.len() as u16;
            alike.push(key);
        }
    }
    let mut separations = Vec::new();
    for key in keys(0) {
        let Some([a, b, c]) = counts(key) else { continue };
        if a > 4 || b > 4 || c > 4 {
            continue;
        }
        first[key] = separations.len() as u16;
        for other in alike.get(&[4 - a, 4 - b, 4 - c]).into_iter().flatten() {
            let (a, b) = ((key & 63 | (other & 63) << 6) as u16, (key >> 6 | other >> 6 << 6) as u16);
            separations.push([a, b, !(a | b) & 0xfff]);
        }
    }
    (first, rest, separations)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::coset::edges::EdgeReader;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::{Cube, random_cube};

    fn kinds() -> impl Iterator<Item = EdgeKind> {
        [false, true]
            .into_iter()
            .flat_map(|relabelled| Orientation::ALL.map(|orientation| EdgeKind { relabelled, orientation }))
    }

    #[test]
    fn every_number_is_that_of_its_labels() {
        for kind in kinds() {
            let columns = EdgeColumns::new(kind);
            assert_eq!(columns.separations.len(), 34650);
            assert_eq!(columns.split(EdgeReader::default().of_cube(&Cube::SOLVED)), (0, 0));
            let step = if kind.size() > 1_000_000 { 41 } else { 1 };
            for index in (0..kind.size()).step_by(step) {
                let labels = columns.labels(index);
                assert_eq!(columns.index(labels), index, "{kind:?}");
                assert_eq!(labels.crooked.count_ones() % 2 == 1, EdgeLabels::odd_crooked(labels.slices));
            }
        }
    }

    /// The number of a coset is a function of the coset alone: whatever the subgroup does to the cube from the left, the
    /// number stays.
    #[test]
    fn the_subgroup_does_not_change_the_number() {
        let reader = EdgeReader::default();
        let mut rng = StdRng::seed_from_u64(4);
        for kind in kinds() {
            let columns = EdgeColumns::new(kind);
            for _ in 0..300 {
                let labels = reader.of_cube(&random_cube(&mut rng));
                let index = columns.index(labels);
                let flipped = |slots: u16| EdgeLabels { crooked: labels.crooked ^ slots, ..labels };
                let two = |slots: u16| slots & slots.wrapping_neg() | 1 << slots.ilog2();
                for slots in labels.slices {
                    assert_eq!(columns.index(flipped(slots)) == index, kind.orientation != Orientation::Full);
                    let kept = kind.orientation == Orientation::Parities;
                    assert_eq!(columns.index(flipped(two(slots))) == index, kept, "{kind:?}");
                }
                for map in AxisMap::all() {
                    let other = columns.index(EdgeMap::relabelling(map).apply(labels));
                    assert_eq!(other == index, kind.relabelled || map == AxisMap::IDENTITY, "{kind:?}");
                }
            }
        }
    }
}
