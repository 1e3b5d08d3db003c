//! Checks the distances of phase 1 as a space.

use std::collections::HashSet;
use std::sync::Arc;

use rand::RngExt;
use superflip_coords::space::bulk::bulk_bytes;
use superflip_coords::space::{SpaceError, SpaceState};
use superflip_cube::{Cube, Move};
use superflip_solver::Control;
use superflip_solver::coord::{self, Descriptor};
use superflip_solver::tables::Id;
use superflip_solver::tables::format::Header;

use crate::common::spaces::{built, built_from};
use crate::common::{SMALL, STANDARD, expanded, rng, scrambled};

/// States of phase 1 at each distance, as published.
const PHASE_ONE: [u64; 13] =
    [1, 4, 50, 592, 7156, 87236, 1_043_817, 12_070_278, 124_946_368, 821_605_960, 1_199_128_738, 58_202_444, 476];

/// Phase 1 as a composed space is far beyond the limit, and answered from the mapped table in either profile.
#[test]
fn phase_one_is_answered_from_the_mapped_table() {
    let value = |coordinate: &Descriptor, cube: &Cube| (coordinate.index)(cube).unwrap();
    let key = |cube: &Cube| (value(&coord::TWIST, cube), value(&coord::FLIP_SLICE, cube));
    for tables in [&*STANDARD, &*SMALL] {
        let space = built_from("symcomp(flip_slice,twist)", tables);
        assert_eq!((space.size(), space.raw_size()), (64430 * 2187, 2_217_093_120));
        assert_eq!(space.histograms().unwrap().htm, PHASE_ONE);
        assert_eq!(space.entry_histogram().unwrap().iter().sum::<u64>(), space.size());
        // Rows of the table are classes of the space.
        let representatives = tables.opened().u32s(Id::FlipSliceRepresentative);
        for (class, &raw) in (0_u64..).zip(representatives) {
            assert_eq!(space.state(2187 * class), Some(SpaceState { base: raw, rest: 0 }));
        }
        // A search over cubies that knows no table.
        let mut seen = HashSet::from([key(&Cube::SOLVED)]);
        let mut frontier = vec![Cube::SOLVED];
        for (depth, &count) in (0_u32..).zip(&PHASE_ONE[..5]) {
            assert_eq!(frontier.len() as u64, count);
            for cube in &frontier {
                assert_eq!(space.distance(space.state_of_cube(cube).unwrap()), Some(depth));
            }
            frontier = expanded(&frontier, &Move::ALL, |after| seen.insert(key(after)));
        }
        let mut rng = rng(13);
        for _ in 0..300 {
            let cube = scrambled(&mut rng);
            let state = space.state_of_cube(&cube).unwrap();
            let distance = space.distance(state).unwrap();
            assert_eq!(distance, tables.inspect(&cube)[0].phase_one_distance);
            // The value stands for a symmetric cube at the same distance.
            let held = space.state(space.value(state)).unwrap();
            assert_eq!((space.value(held), space.distance(held)), (space.value(state), Some(distance)));
            assert_eq!(space.state_of_cube(&space.cube(held)), Some(held));
            for mv in Move::ALL {
                let after = cube.then(mv.cube());
                let moved = space.state_of_cube(&after).unwrap();
                assert_eq!(space.after(state, mv), Some(moved));
                assert!(space.distance(moved).unwrap().abs_diff(distance) <= 1);
            }
            let maneuver = space.to_solved(state).unwrap();
            assert_eq!(maneuver.len() as u32, distance);
            assert_eq!(key(&maneuver.iter().fold(cube, |cube, mv| cube.then(mv.cube()))), (0, 0));
        }
    }
    // What is kept for later requests keeps no table mapped, and is given one again.
    let space = built_from("symcomp(flip_slice,twist)", &STANDARD).reading(None);
    assert!(space.reads_tables() && space.histograms().is_none());
    assert_eq!(space.reading(Some(Arc::clone(&STANDARD))).histograms().unwrap().htm, PHASE_ONE);
}

/// All 141 million distances of phase 1, each weighted by the size of its class, are distributed as published.
#[test]
fn bulk_distances_of_phase_one_are_distributed_as_published() {
    let control = Control::new();
    let space = built_from("symcomp(flip_slice,twist)", &STANDARD);
    let bulk = space.bulk(&control).unwrap();
    assert_eq!(bulk_bytes(space.size()), 4096 + space.size());
    let mut states = [0; 13];
    for class in 0..64430 {
        let start = 4096 + 2187 * class;
        let first = space.class_of(space.state(2187 * class).unwrap()).unwrap();
        let orbit = (16 / first.representative_self_symmetries.len()) as u64;
        for distance in bulk.read(start..start + 2187) {
            states[usize::from(distance)] += orbit;
        }
    }
    assert_eq!(states, PHASE_ONE);
    let header = Header::decode(bulk.page(), bulk_bytes(space.size())).unwrap();
    assert_eq!(
        (header.depth_histogram.as_slice(), header.name.as_str()),
        (&PHASE_ONE[..], "symcomp(sym(flip_slice,UD16),twist)")
    );
    assert_eq!(header.entry_histogram, space.entry_histogram().unwrap());
    let mut rng = rng(17);
    for _ in 0..1000 {
        let value = rng.random_range(0..space.size());
        let distance = space.distance(space.state(value).unwrap()).unwrap();
        assert_eq!(u32::from(bulk.read(4096 + value..4097 + value)[0]), distance);
    }
    // Modulo 3 the distances are there in the other profile, and walking finds one, but not millions.
    let small = built("symcomp(flip_slice,twist)").bulk(&control);
    assert!(matches!(small, Err(SpaceError::OnlyResidues { .. })));
}
