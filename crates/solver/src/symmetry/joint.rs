//! The representatives of flip x sorted slice. This coordinate has too many raw values to store the class of each.

use super::classes::conjugation_table;
use crate::coord::{FLIP_SLICE_SORTED, SLICE_SORTED};
use superflip_cube::Symmetry;

/// Returns the smallest value of each of the 1 523 864 classes of flip x sorted slice, in rising order (Kociemba's big
/// optimal solver).
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
