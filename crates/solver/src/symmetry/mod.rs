//! Symmetry reduction of coordinates: classes, representatives and sym-coordinates.
//!
//! The 16 symmetries that keep the UD axis act on the values of a coordinate. Values that they map to one another form
//! a *class*. The smallest value of a class is its *representative*. A symmetry that maps a representative to itself is
//! a *self-symmetry*.
//!
//! A *sym-coordinate* (j, i) is the pair of a class j and a symmetry i, packed as `16 * j + i` (Kociemba). It stands
//! for the raw value of `S(i)^-1 * R(j) * S(i)`, where R(j) is the representative: S(i) maps the value to R(j).
//!
//! A move m takes three look-ups:
//!
//! 1. `m1 = S(i) m S(i)^-1` ([`Symmetry::conjugate_move`]), the move in the frame of the representative.
//! 2. `(j1, i1)` from the class move table at (j, m1).
//! 3. The product `S(i1) * S(i)`, the new symmetry; the new class is j1.
//!
//! [`Symmetry::conjugate_move`]: superflip_cube::Symmetry::conjugate_move

// Values, classes and symmetries are below the sizes of their tables, for which their types are chosen.
#![allow(clippy::cast_possible_truncation)]

use crate::coord::{Descriptor, FLIP_SLICE_SORTED, SLICE_SORTED};
use superflip_cube::{Move, Symmetry};

pub mod coset;

/// A class, and the symmetry that maps a raw value to the representative of the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SymCoordinate {
    /// Number of the class, 0..classes.
    pub class: u32,
    /// The symmetry S, 0..16, for which `S * x * S^-1` is the representative.
    pub symmetry: u8,
}

impl SymCoordinate {
    /// Returns `16 * class + symmetry`.
    pub const fn pack(self) -> u32 {
        16 * self.class + self.symmetry as u32
    }

    /// Returns the sym-coordinate of a packed value.
    pub const fn unpack(packed: u32) -> Self {
        Self { class: packed / 16, symmetry: (packed % 16) as u8 }
    }
}

/// Marks a value without a class in a list of packed classes.
pub const NO_CLASS: u32 = u32::MAX;

/// Records the packed class of a value, unless it has one. Returns whether it had none.
pub fn claim(of_raw: &mut [u32], value: u32, packed: u32) -> bool {
    let own = &mut of_raw[value as usize];
    let is_new = *own == NO_CLASS;
    if is_new {
        *own = packed;
    }
    is_new
}

/// Records a class, unless the value has one: the value and its images get `first` plus their symmetry. An image is a pair
/// of a symmetry S and the value of `S^-1 * x * S`. Returns whether the class is new. If values are visited in rising
/// order, the value is then the representative.
pub fn record_class<I: Iterator<Item = (usize, u32)>>(
    value: u32,
    first: u32,
    images: impl FnOnce() -> I,
    mut claim: impl FnMut(u32, u32) -> bool,
) -> bool {
    let is_new = claim(value, first);
    if is_new {
        for (symmetry, image) in images() {
            claim(image, first + symmetry as u32);
        }
    }
    is_new
}

/// The classes of all values below some size.
#[derive(Debug)]
pub struct Classes {
    /// Packed sym-coordinate of each raw value.
    pub of_raw: Vec<u32>,
    /// Raw value of each representative, rising: the smallest of its class.
    pub representatives: Vec<u32>,
    /// Mask of the self-symmetries of each representative (bit 0, the identity, is always set). A class has the number of
    /// symmetries divided by theirs members.
    pub self_symmetries: Vec<u64>,
}

impl Classes {
    /// Numbers the classes of a coordinate on which the 16 symmetries act, by rising representative.
    ///
    /// # Panics
    /// When the symmetries do not act on the coordinate.
    pub fn new(coordinate: &Descriptor) -> Self {
        assert!(coordinate.symmetric, "the symmetries do not act on {}", coordinate.name);
        Self::of(coordinate.size, 16, |raw| images(coordinate, raw))
    }

    /// Numbers the classes of the values below `size`, packed as `stride * class + symmetry`.
    pub(crate) fn of<I: Iterator<Item = (usize, u32)>>(size: u32, stride: u32, images: impl Fn(u32) -> I) -> Self {
        let mut of_raw = vec![NO_CLASS; size as usize];
        let (mut representatives, mut self_symmetries) = (Vec::new(), Vec::new());
        for raw in 0..size {
            let first = stride * representatives.len() as u32;
            let mut keeping = 0_u64;
            let claim = |value, packed| {
                keeping |= u64::from(value == raw) << (packed - first);
                claim(&mut of_raw, value, packed)
            };
            if record_class(raw, first, || images(raw), claim) {
                representatives.push(raw);
                self_symmetries.push(keeping);
            }
        }
        Self { of_raw, representatives, self_symmetries }
    }

    /// Returns, for each class, the mask of the self-symmetries of its representative (bit 0, the identity, is always
    /// set). A class has 16 divided by their number members.
    pub fn self_symmetries(coordinate: &Descriptor, representatives: &[u32]) -> Vec<u64> {
        representatives.iter().map(|&raw| keeping(raw, images(coordinate, raw))).collect()
    }
}

/// Returns the mask of the symmetries whose image of a value is the value itself.
pub fn keeping(value: u32, images: impl Iterator<Item = (usize, u32)>) -> u64 {
    images.filter(|&(_, image)| image == value).fold(0, |mask, (symmetry, _)| mask | 1 << symmetry)
}

/// Returns the raw value of `S^-1 * x * S` for each of the 16 symmetries S.
fn images(coordinate: &Descriptor, raw: u32) -> impl Iterator<Item = (usize, u32)> {
    let cube = (coordinate.representative)(raw);
    Symmetry::all().take(Symmetry::KEEPING_UD).filter_map(move |s| {
        let image = (coordinate.index)(&s.inverse().conjugate(&cube))?;
        Some((s.index(), image))
    })
}

/// Computes the value of `S * x * S^-1`, at `16 * x + S`, for a coordinate of at most 65536 values.
///
/// # Panics
/// When the symmetries do not act on the coordinate.
pub fn conjugation_table(coordinate: &Descriptor) -> Vec<u16> {
    assert!(coordinate.symmetric, "the symmetries do not act on {}", coordinate.name);
    (0..coordinate.size)
        .flat_map(|value| {
            let cube = (coordinate.representative)(value);
            Symmetry::all().take(Symmetry::KEEPING_UD).map(move |s| {
                let image = (coordinate.index)(&s.conjugate(&cube));
                image.expect("symmetries that keep the axis keep where a coordinate is valid") as u16
            })
        })
        .collect()
}

/// Computes the packed sym-coordinate of each representative after each of the 18 moves.
///
/// `of_raw` and `representatives` are fields of [`Classes`].
///
/// # Panics
/// When the coordinate is not valid under all moves.
pub fn class_moves(coordinate: &Descriptor, of_raw: &[u32], representatives: &[u32]) -> Vec<u32> {
    representatives
        .iter()
        .flat_map(|&raw| {
            let cube = (coordinate.representative)(raw);
            Move::ALL.iter().map(move |mv| {
                let after = (coordinate.index)(&cube.then(mv.cube())).expect("valid under all moves");
                of_raw[after as usize]
            })
        })
        .collect()
}

/// Returns the smallest value of each of the 1 523 864 classes of flip x sorted slice, in rising order (Kociemba's big
/// optimal solver). This coordinate has too many raw values to store the class of each.
///
/// A value is `2048 * slice_sorted + flip`. So the sorted slice of a representative is the smallest of its own class.
/// Only self-symmetries of that slice can lead to a smaller flip, and few slices have any besides the identity.
pub(crate) fn joint_representatives() -> Vec<u32> {
    const FLIPS: u32 = 2048;
    let conjugates = conjugation_table(&SLICE_SORTED);
    let mut out = Vec::new();
    for slice in 0..SLICE_SORTED.size {
        let images = &conjugates[16 * slice as usize..][..16];
        if images.iter().any(|&image| u32::from(image) < slice) {
            continue;
        }
        let keeping: Vec<Symmetry> = Symmetry::all()
            .zip(images)
            .skip(1)
            .filter(|(_, image)| u32::from(**image) == slice)
            .map(|(s, _)| s)
            .collect();
        for value in FLIPS * slice..FLIPS * (slice + 1) {
            let cube = (FLIP_SLICE_SORTED.representative)(value);
            let is_smallest = |s: &Symmetry| (FLIP_SLICE_SORTED.index)(&s.conjugate(&cube)) >= Some(value);
            if keeping.iter().all(is_smallest) {
                out.push(value);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_classes_as_published() {
        let representatives = joint_representatives();
        assert_eq!(representatives.len(), 1_523_864);
        // Orbit and stabiliser: the sizes of the classes add up to the number of raw values.
        let orbit = |&value: &u32| {
            let cube = (FLIP_SLICE_SORTED.representative)(value);
            let images = Symmetry::all().take(16).map(|s| (FLIP_SLICE_SORTED.index)(&s.conjugate(&cube)));
            images.collect::<std::collections::HashSet<_>>().len() as u64
        };
        assert_eq!(representatives.iter().map(orbit).sum::<u64>(), u64::from(FLIP_SLICE_SORTED.size));
    }
}
