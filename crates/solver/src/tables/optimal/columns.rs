//! Columns of a coset table as sets of edge orientations, one bit for each orientation, and the effect of each symmetry and move on them.
//!
//! An edge coset is a *separation* (the slice of the edge in each slot, see `coord::coset::edges`)
//! together with an orientation of 2 or 8 bits. A row of a coset table is a sequence of orientation sets, one for each
//! separation.
//!
//! A move or a symmetry maps each separation to a separation. Within a separation it acts on the orientation as an
//! affine map over GF(2).

use rayon::prelude::*;

use crate::coord::coset::{EdgeColumns, EdgeMap};
use superflip_cube::{Move, Symmetry};

/// The effect of one symmetry or move on the columns.
pub(crate) struct ColumnMap<S: OrientationSet> {
    /// Image of each separation.
    to: Vec<u16>,
    /// Map of the orientations within each separation.
    maps: Vec<S::Map>,
}

impl<S: OrientationSet> ColumnMap<S> {
    fn of(columns: &EdgeColumns, map: &EdgeMap) -> Self {
        let after = |separation, orientation| columns.split(map.apply(columns.join(separation, orientation)));
        let separations = 0..columns.kind().separations() as u16;
        Self {
            to: separations.clone().map(|separation| after(separation, 0).0).collect(),
            maps: separations.map(|separation| S::map(|orientation| after(separation, orientation).1)).collect(),
        }
    }

    /// Returns the composition: first `self`, then `next`.
    fn then(&self, next: &Self) -> Self {
        let maps = self.to.iter().zip(&self.maps).map(|(&to, map)| {
            let second = &next.maps[usize::from(to)];
            S::map(|orientation| S::image(second, S::image(map, orientation)))
        });
        Self { to: self.to.iter().map(|&to| next.to[usize::from(to)]).collect(), maps: maps.collect() }
    }

    /// Returns the image of a separation and an orientation.
    pub(crate) fn image(&self, separation: u16, orientation: u16) -> (u16, u16) {
        let at = usize::from(separation);
        (self.to[at], S::image(&self.maps[at], orientation))
    }

    /// Adds the images of the orientation sets of one row to the sets of another.
    pub(crate) fn add_images(&self, from: &[S], to: &mut [S]) {
        for ((set, target), map) in from.iter().zip(&self.to).zip(&self.maps) {
            if !set.is_empty() {
                to[usize::from(*target)].add_images(*set, map);
            }
        }
    }
}

/// The effects of every symmetry, and of every symmetry followed by a move.
pub(crate) struct OrientationShuffles<S: OrientationSet> {
    symmetries: Vec<ColumnMap<S>>,
    /// Map of a symmetry followed by a move, at `18 * symmetry + move`.
    moved: Vec<ColumnMap<S>>,
}

impl<S: OrientationSet> OrientationShuffles<S> {
    pub(crate) fn new(columns: &EdgeColumns) -> Self {
        assert_eq!(columns.kind().orientation.bits(), S::BITS, "the set has one bit for each orientation");
        let all: Vec<Symmetry> = Symmetry::all().collect();
        let symmetries: Vec<ColumnMap<S>> =
            all.par_iter().map(|&symmetry| ColumnMap::of(columns, &EdgeMap::of_symmetry(symmetry))).collect();
        let moves: Vec<ColumnMap<S>> =
            Move::ALL.par_iter().map(|&mv| ColumnMap::of(columns, &EdgeMap::of_move(mv))).collect();
        let moved = (0..Symmetry::COUNT * Move::COUNT)
            .into_par_iter()
            .map(|at| symmetries[at / Move::COUNT].then(&moves[at % Move::COUNT]))
            .collect();
        Self { symmetries, moved }
    }

    /// Returns the effect of a symmetry.
    pub(crate) fn seen(&self, symmetry: Symmetry) -> &ColumnMap<S> {
        &self.symmetries[symmetry.index()]
    }

    /// Returns the effect of a symmetry followed by a move.
    pub(crate) fn seen_then(&self, symmetry: Symmetry, mv: Move) -> &ColumnMap<S> {
        &self.moved[symmetry.index() * Move::COUNT + mv.index()]
    }
}

/// A set of the orientations of one separation.
pub(crate) trait OrientationSet: Copy + Default + Send + Sync {
    /// An affine map of orientations.
    type Map: Copy + Default + Send + Sync;

    /// Number of bits of an orientation.
    const BITS: u32;
    /// All orientations.
    const FULL: Self;

    /// Returns the affine map with the images `image(orientation)`.
    fn map(image: impl Fn(u16) -> u16) -> Self::Map;

    /// Returns the image of one orientation.
    fn image(map: &Self::Map, orientation: u16) -> u16;

    /// Adds the images of all orientations of another set.
    fn add_images(&mut self, of: Self, map: &Self::Map);

    fn is_empty(self) -> bool;

    fn count(self) -> u32;

    fn contains(self, orientation: u16) -> bool;

    fn insert(&mut self, orientation: u16);

    #[must_use]
    fn and(self, other: Self) -> Self;

    #[must_use]
    fn or(self, other: Self) -> Self;

    #[must_use]
    fn without(self, other: Self) -> Self;

    /// Appends two bits for each orientation: its bit in `low`, and above that its bit in `high`.
    fn interleave(low: Self, high: Self, out: &mut Vec<u8>);
}

/// Four orientations, in the low bits.
impl OrientationSet for u8 {
    /// The image of orientation `i` in bits `2 i` and up.
    type Map = u8;

    const BITS: u32 = 2;
    const FULL: Self = 15;

    fn map(image: impl Fn(u16) -> u16) -> u8 {
        (0..4).fold(0, |map, i| map | (image(i) as u8 & 3) << (2 * i))
    }

    #[inline]
    fn image(map: &u8, orientation: u16) -> u16 {
        u16::from(map >> (2 * orientation) & 3)
    }

    #[inline]
    fn add_images(&mut self, of: Self, map: &u8) {
        for i in 0..4 {
            *self |= (of >> i & 1) << (map >> (2 * i) & 3);
        }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    fn contains(self, orientation: u16) -> bool {
        self >> orientation & 1 == 1
    }

    fn insert(&mut self, orientation: u16) {
        *self |= 1 << orientation;
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        self | other
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        self & !other
    }

    fn interleave(low: Self, high: Self, out: &mut Vec<u8>) {
        out.push((spread(u32::from(low)) | spread(u32::from(high)) << 1) as u8);
    }
}

/// 256 orientations.
impl OrientationSet for [u64; 4] {
    /// Images of the eight bits of an orientation, one byte each, and the translation.
    type Map = [u8; 9];

    const BITS: u32 = 8;
    const FULL: Self = [u64::MAX; 4];

    fn map(image: impl Fn(u16) -> u16) -> [u8; 9] {
        let added = image(0);
        std::array::from_fn(|bit| if bit < 8 { image(1 << bit) ^ added } else { added } as u8)
    }

    #[inline]
    fn image(map: &[u8; 9], orientation: u16) -> u16 {
        let columns = map[..8].iter().enumerate().filter(|(bit, _)| orientation >> bit & 1 == 1);
        u16::from(columns.fold(map[8], |image, (_, column)| image ^ column))
    }

    #[inline]
    fn add_images(&mut self, of: Self, map: &[u8; 9]) {
        // Images of the eight combinations of three bits, one byte each.
        let eight = |a: u8, b: u8, c: u8| {
            (u64::from(a) * 0x0100_0100_0100_0100)
                ^ (u64::from(b) * 0x0101_0000_0101_0000)
                ^ (u64::from(c) * 0x0101_0101_0000_0000)
        };
        let (bits, bytes) = (eight(map[0], map[1], map[2]), eight(map[3], map[4], map[5]));
        for (number, word) in of.into_iter().enumerate() {
            let added = map[8] ^ (map[6] * (number as u8 & 1)) ^ (map[7] * (number as u8 >> 1));
            let mut left = word;
            while left != 0 {
                let at = left.trailing_zeros();
                let image = added ^ (bits >> (8 * (at & 7))) as u8 ^ (bytes >> (at & 0x38)) as u8;
                self[usize::from(image >> 6)] |= 1 << (image & 63);
                left &= left - 1;
            }
        }
    }

    #[inline]
    fn is_empty(self) -> bool {
        self[0] | self[1] | self[2] | self[3] == 0
    }

    #[inline]
    fn count(self) -> u32 {
        self.into_iter().map(u64::count_ones).sum()
    }

    fn contains(self, orientation: u16) -> bool {
        self[usize::from(orientation >> 6)] >> (orientation & 63) & 1 == 1
    }

    fn insert(&mut self, orientation: u16) {
        self[usize::from(orientation >> 6)] |= 1 << (orientation & 63);
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & other[i])
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] | other[i])
    }

    #[inline]
    fn without(self, other: Self) -> Self {
        std::array::from_fn(|i| self[i] & !other[i])
    }

    fn interleave(low: Self, high: Self, out: &mut Vec<u8>) {
        for (low, high) in low.into_iter().zip(high) {
            for half in [0, 32] {
                let pairs = spread((low >> half) as u32) | spread((high >> half) as u32) << 1;
                out.extend_from_slice(&pairs.to_le_bytes());
            }
        }
    }
}

/// Moves bit `i` to bit `2 i`.
#[inline]
fn spread(bits: u32) -> u64 {
    let mut out = u64::from(bits);
    for (shift, mask) in [
        (16, 0x0000_ffff_0000_ffff),
        (8, 0x00ff_00ff_00ff_00ff),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
        (2, 0x3333_3333_3333_3333),
        (1, 0x5555_5555_5555_5555),
    ] {
        out = (out | out << shift) & mask;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coord::coset::{EdgeKind, EdgeReader, Orientation};
    use rand::rngs::StdRng;
    use rand::{RngExt, SeedableRng};
    use superflip_cube::random_cube;

    fn check_shuffles<S: OrientationSet>(relabelled: bool, orientation: Orientation) {
        let columns = EdgeColumns::new(EdgeKind { relabelled, orientation });
        let shuffles = OrientationShuffles::<S>::new(&columns);
        let reader = EdgeReader::default();
        let mut rng = StdRng::seed_from_u64(5);
        for _ in 0..5000 {
            let cube = random_cube(&mut rng);
            let symmetry = Symmetry::try_from_index(rng.random_range(0..48)).unwrap_or(Symmetry::IDENTITY);
            let mv = Move::ALL[rng.random_range(0..18)];
            let (separation, orientation) = columns.split(reader.of_cube(&cube));
            let seen = symmetry.conjugate(&cube);
            assert_eq!(shuffles.seen(symmetry).image(separation, orientation), columns.split(reader.of_cube(&seen)));
            assert_eq!(
                shuffles.seen_then(symmetry, mv).image(separation, orientation),
                columns.split(reader.of_cube(&seen.then(mv.cube())))
            );
        }
    }

    #[test]
    fn shuffles_follow_the_cubies() {
        check_shuffles::<u8>(false, Orientation::Parities);
        check_shuffles::<[u64; 4]>(true, Orientation::Sliced);
    }

    fn check<S: OrientationSet>(affine: impl Fn(u16) -> u16, members: &[u16]) {
        let map = S::map(&affine);
        let mut source = S::default();
        let (mut image, mut expected) = (S::default(), Vec::new());
        for &member in members {
            source.insert(member);
            assert_eq!(S::image(&map, member), affine(member));
            expected.push(affine(member));
        }
        assert_eq!(source.count() as usize, members.len());
        image.add_images(source, &map);
        assert_eq!(image.count() as usize, members.len());
        assert!(expected.iter().all(|&member| image.contains(member)));
        assert_eq!(image.without(image).count(), 0);
        assert!(image.without(image).is_empty() && !image.is_empty());
        // Interleaved sets read back as pairs of bits.
        let mut bytes = Vec::new();
        S::interleave(source, image, &mut bytes);
        for i in 0..1 << S::BITS {
            let pair = u8::from(source.contains(i)) | u8::from(image.contains(i)) << 1;
            assert_eq!(crate::tables::pruning::packed::pair(&bytes, usize::from(i)), pair);
        }
    }

    #[test]
    fn images_are_those_of_the_members() {
        check::<u8>(|i| i ^ 3, &[0, 2]);
        check::<u8>(|i| (i << 1 | i >> 1) & 3 ^ 1, &[1, 2, 3]);
        let all: Vec<u16> = (0..256).collect();
        let rotated = |i: u16| (i << 3 | i >> 5) & 255 ^ (i & 1) << 4 ^ 0b1010_0101;
        check::<[u64; 4]>(rotated, &all);
        check::<[u64; 4]>(rotated, &[0, 1, 77, 130, 255]);
    }
}
