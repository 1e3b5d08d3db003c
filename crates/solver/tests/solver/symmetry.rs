//! Checks symmetry classes against published counts and against the cubies.

use superflip_solver::symmetry::{Classes, SymCoordinate, conjugation_table};

use crate::common::prelude::*;

#[test]
fn class_counts_are_the_published_ones() {
    for (coordinate, count) in [(&FLIP_SLICE, 64430), (&CORNER_PERM, 2768), (&SLICE_SORTED, 788)] {
        let classes = Classes::new(coordinate);
        assert_eq!(classes.representatives.len(), count, "{}", coordinate.name);
        sizes_add_up(coordinate, &classes);
        values_are_reconstructed(coordinate, &classes);
    }
}

/// Orbit-stabiliser theorem: group size over stabiliser size, summed over classes, is the number of raw values.
fn sizes_add_up(coordinate: &Descriptor, classes: &Classes) {
    let masks = Classes::self_symmetries(coordinate, &classes.representatives);
    assert_eq!(masks.iter().map(|mask| 16 / mask.count_ones()).sum::<u32>(), coordinate.size);
    assert!(masks.iter().all(|mask| mask & 1 == 1));
}

fn values_are_reconstructed(coordinate: &Descriptor, classes: &Classes) {
    for raw in 0..coordinate.size {
        let SymCoordinate { class, symmetry } = SymCoordinate::unpack(classes.of_raw[raw as usize]);
        let representative = (coordinate.representative)(classes.representatives[class as usize]);
        let s = Symmetry::try_from_index(usize::from(symmetry)).expect("below 16");
        assert_eq!((coordinate.index)(&s.inverse().conjugate(&representative)), Some(raw), "{}", coordinate.name);
    }
}

#[test]
fn conjugation_tables_are_actions_of_the_group() {
    let group = || Symmetry::all().take(Symmetry::KEEPING_UD);
    for coordinate in [&TWIST, &UD_EDGES, &CORNER_PERM] {
        let table = conjugation_table(coordinate);
        let image = |value: usize, s: Symmetry| usize::from(table[16 * value + s.index()]);
        for value in (0..coordinate.size as usize).step_by(7) {
            for (s, t) in group().flat_map(|s| group().map(move |t| (s, t))) {
                assert_eq!(image(image(value, t), s), image(value, s.then(t)), "{}", coordinate.name);
            }
        }
    }
}
