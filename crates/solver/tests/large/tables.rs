//! Checks the tables of the profile `standard`, and the tables of both profiles beside each other.

use std::os::unix::fs::FileExt;

use superflip_solver::tables::pruning::packed;
use superflip_solver::tables::pruning::phase_one::{TWISTS, masked_distance};
use superflip_solver::tables::pruning::phase_two::LAYER_COLUMNS;
use superflip_solver::tables::pruning::phase_two::level;
use superflip_solver::tables::verify::PHASE_ONE_DISTRIBUTION;
use tempfile::TempDir;

use crate::common::prelude::*;

fn value(coordinate: &Descriptor, cube: &Cube) -> usize {
    (coordinate.index)(cube).expect("valid here") as usize
}

#[test]
fn phase_one_has_the_published_distribution() {
    assert_eq!(histogram(&STANDARD, "phase_one_masked"), PHASE_ONE_DISTRIBUTION);
}

/// No distribution is published for corners and slice edges of phase 2 alone, so it is counted here from the cubies,
/// without coordinates.
fn count_corners_and_slice() -> Vec<u64> {
    let key = |cube: &Cube| {
        let corners = cube.corners().iter().fold(0_u64, |key, piece| key * 8 + piece.index() as u64);
        cube.edges()[8..].iter().fold(corners, |key, piece| key * 12 + piece.index() as u64)
    };
    breadth_first(&Move::PHASE_TWO, usize::MAX, key)
}

fn histogram(tables: &Tables, name: &str) -> Vec<u64> {
    tables.list().into_iter().find(|table| table.name == name).expect("a table").depth_histogram
}

#[test]
fn phase_two_agrees_with_an_independent_count() {
    let counted = count_corners_and_slice();
    assert_eq!(counted.iter().sum::<u64>(), 40320 * 24);
    assert_eq!(histogram(&SMALL, "phase_two_corners"), counted);
    assert_eq!(histogram(&STANDARD, "phase_two").iter().sum::<u64>(), 40320 * 40320);
}

/// The bound from the edges of one layer never exceeds that of any permutation of all eight that contains them.
#[test]
fn the_layers_of_small_agree_with_the_table_of_standard() {
    let whole = STANDARD.opened().bytes(Id::PhaseTwo);
    let columns = SMALL.opened().u16s(Id::UdEdgesLayers);
    let levels = SMALL.opened().bytes(Id::PhaseTwoLayers);
    for class in (0..2768).step_by(53) {
        let mut nearest = [u8::MAX; LAYER_COLUMNS];
        for (edges, both) in columns.chunks(2).enumerate() {
            let distance = packed::nibble(whole, class * 40320 + edges);
            for &column in both {
                let nearest = &mut nearest[usize::from(column)];
                *nearest = distance.min(*nearest);
            }
        }
        for (column, distance) in nearest.into_iter().enumerate() {
            assert_eq!(packed::pair(levels, class * LAYER_COLUMNS + column), level(distance), "{class} {column}");
        }
    }
    let states = histogram(&SMALL, "phase_two_layers");
    assert_eq!((states[0], states.iter().sum::<u64>()), (2, 40320 * LAYER_COLUMNS as u64));
}

/// The distance recovered from residues equals the one in the masked entries.
#[test]
fn both_layouts_of_phase_one_know_the_same_distances() {
    let masked = STANDARD.opened().u32s(Id::PhaseOneMasked);
    let small = SMALL.phase_one().expect("mapped");
    let mut at_each = [0; 13];
    for (at, entry) in masked.iter().enumerate() {
        let class = at / TWISTS;
        let distance = masked_distance(*entry);
        // All rare distances, and a sample of the rest.
        if !(5..=11).contains(&distance) || class.is_multiple_of(199) {
            assert_eq!(small.distance(class as u32, (at % TWISTS) as u16), distance, "entry {at}");
            at_each[usize::from(distance)] += 1;
        }
    }
    assert!(at_each.iter().all(|&count| count > 0), "{at_each:?}");
}

#[test]
fn both_phase_one_layouts_agree_and_are_consistent_along_walks() {
    let mut rng = rng(2);
    let mut cube = scrambled(&mut rng);
    let distances = |cube: &Cube| [&SMALL, &STANDARD].map(|tables| tables.inspect(cube).map(|d| d.phase_one_distance));
    let [small, mut before] = distances(&cube);
    assert_eq!(small, before);
    for _ in 0..2_000 {
        cube = cube.then(Move::ALL[rng.random_range(0..18)].cube());
        let [small, standard] = distances(&cube);
        assert_eq!(small, standard);
        // One move changes the distance of the cube by at most one, along every axis.
        assert!((0..3).all(|axis| standard[axis].abs_diff(before[axis]) <= 1));
        before = standard;
    }
    for depth in 0..6 {
        for _ in 0..200 {
            let near = walk(&mut rng, depth, &Move::ALL);
            assert!(distances(&near)[1].iter().all(|&distance| distance as usize <= depth));
        }
    }
}

/// A distance is correct if it is 0 only at solved, differs from its neighbours by at most one, and has a neighbour one
/// nearer. Checked for random entries, with coordinates taken from cubies.
#[test]
fn sampled_phase_two_entries_are_distances() {
    let mut rng = rng(3);
    let parts = |cube: &Cube| [&CORNER_PERM, &UD_EDGES, &SLICE_SORTED].map(|c| value(c, cube) as u16);
    let small = SMALL.phase_two().expect("mapped");
    let phase_two = STANDARD.phase_two().expect("mapped");
    let corner = |cube: &Cube| u32::from(phase_two.corner_bound(parts(cube)[0], parts(cube)[2]));
    let edge = |cube: &Cube| u32::from(phase_two.edge_bound(parts(cube)[0], parts(cube)[1]));
    for _ in 0..5_000 {
        let cube = walk(&mut rng, 40, &Move::PHASE_TWO);
        for distance in [&corner as &dyn Fn(&Cube) -> u32, &edge] {
            let own = distance(&cube);
            let around = Move::PHASE_TWO.map(|mv| distance(&cube.then(mv.cube())));
            assert!(around.iter().all(|other| own.abs_diff(*other) <= 1));
            assert!(own == 0 || own == 15 || around.iter().any(|&other| other + 1 == own));
        }
        // The bounds of the small profile are weaker, but admissible.
        let [corners, edges, order] = parts(&cube);
        assert_eq!(u32::from(small.corner_bound(corners, order)), corner(&cube));
        assert!(u32::from(small.edge_bound(corners, edges)) <= edge(&cube));
    }
    assert_eq!((corner(&Cube::SOLVED), edge(&Cube::SOLVED)), (0, 0));
}

#[test]
fn verify_recounts_every_table() {
    for profile in Profile::ALL {
        let _ = [&SMALL, &STANDARD].map(|tables| tables.profile());
        for (name, found) in survey(&tables_folder(), profile) {
            assert!(found.is_ok(), "{name}");
            let verdict = verify(&tables_folder(), profile, name, CheckEffort::Full, &Control::new());
            let verdict = verdict.expect("not stopped");
            assert!(verdict.is_sound() && verdict.report.len() >= 2, "{name}: {verdict:?}");
        }
    }
    let unknown = verify(&tables_folder(), Profile::Small, "phase_three", CheckEffort::Full, &Control::new());
    let unknown = unknown.expect("not stopped");
    let unknown = unknown.problem.expect("unknown");
    assert!(unknown.contains("phase_three") && unknown.contains("phase_one_residues"));
}

/// A copy of the tables in a new folder.
fn copied(tables: &Tables) -> TempDir {
    let folder = tempfile::tempdir().expect("folder");
    for table in tables.list() {
        fs::copy(&table.path, folder.path().join(table.file_name())).expect("copy");
    }
    folder
}

/// They are mended as the small ones are, which would take half a minute.
#[test]
fn damage_to_the_large_tables_is_named() {
    let folder = copied(&STANDARD);
    let large = ["phase_two", "phase_one_masked"];
    for name in large {
        let path = file_of(folder.path(), name);
        let file = fs::OpenOptions::new().write(true).open(&path).expect("open");
        let last = file.metadata().expect("metadata").len() - 1;
        file.write_all_at(&[0xa5], last).expect("write");
    }
    let damaged = survey(folder.path(), Profile::Standard).into_iter().filter_map(|(name, found)| {
        let reason = found.err()?;
        assert!(reason.contains("corrupted entries"), "{name}: {reason}");
        Some(name)
    });
    assert_eq!(damaged.collect::<Vec<_>>(), large);
}
