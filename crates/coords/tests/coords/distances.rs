//! Checks the distances of spaces, their files and their memory.

use rand::RngExt;
use superflip_coords::space::bulk::bulk_bytes;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::{Space, SpaceError, SpaceLimits, expression};
use superflip_cube::{Cube, Move};
use superflip_solver::coord::{self};
use superflip_solver::symmetry;
use superflip_solver::symmetry::class_moves;
use superflip_solver::tables::format::Header;
use superflip_solver::tables::pruning::breadth_first::{Graph, on_all_threads};
use superflip_solver::tables::pruning::product::{ColumnTables, ReducedProduct};
use superflip_solver::tables::{Id, sink};
use superflip_solver::{Cancelled, Control};

use crate::common::spaces::{LIMITS, built, memory, product};
use crate::common::{CORNERS, SMALL, rng};

#[test]
fn distributions_are_the_published_ones() {
    let histogram = |text: &str| built(text).histograms().unwrap();
    let depth = |counts: &[u64]| counts.len() - 1;
    // Largest depths of single coordinates.
    assert_eq!(depth(&histogram("twist").htm), 6);
    assert_eq!(depth(&histogram("flip").htm), 7);
    assert_eq!(depth(&histogram("corner_perm").phase_two.unwrap()), 13);
    assert_eq!(depth(&histogram("ud_edges").htm), 8);
    assert_eq!(depth(&histogram("slice_sorted").phase_two.unwrap()), 4);
    // All eight corners, by place and twist: 88 179 840 states, through 2768 classes times 2187 twists.
    let corners = built("symcomp(corner_class,twist)");
    assert_eq!(corners.histograms().unwrap().htm, CORNERS);
    assert_eq!(corners.raw_size(), 88_179_840);
    // The same states without any reduction by symmetry, as deep as a plain search goes in a moment.
    let plain = crate::common::breadth_first(&Move::ALL, 5, |cube| (*cube.corners(), *cube.twists()));
    assert_eq!(plain, CORNERS[..=5]);
}

/// Twist and flip together, without reduction by symmetry. The distribution in quarter turns is that of a plain search with two move
/// tables, which the space itself does not count.
#[test]
fn the_distribution_of_twist_with_flip_is_that_of_the_orientations() {
    let counts = built("comp(twist,flip)").histograms().unwrap();
    let in_moves = [1, 4, 46, 504, 5662, 61008, 549_711, 2_422_226, 1_431_344, 8470];
    assert_eq!((&counts.htm[..], counts.qtm), (&in_moves[..], None));
    let in_quarters = [1, 4, 34, 300, 2556, 21276, 168_539, 1_038_210, 2_562_320, 683_124, 2612];
    assert_eq!([in_moves.iter().sum::<u64>(), in_quarters.iter().sum()], [2187 * 2048; 2]);
    let key = |cube: &Cube| (*cube.twists(), *cube.flips());
    assert_eq!(crate::common::breadth_first(&Move::ALL, 5, key), in_moves[..=5]);
    let quarters: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() != 2).collect();
    assert_eq!(crate::common::breadth_first(&quarters, 5, key), in_quarters[..=5]);

    let twists = coord::TWIST.move_table();
    let flips = coord::FLIP.move_table();
    let mut is_met = vec![false; 2187 * 2048];
    let mut frontier = vec![(0_u16, 0_u16)];
    let mut found = vec![1];
    is_met[0] = true;
    while !frontier.is_empty() {
        let mut next = Vec::new();
        for (twist, flip) in frontier {
            for mv in &quarters {
                let after = |table: &[u16], value: u16| table[usize::from(value) * Move::COUNT + mv.index()];
                let twist = after(&twists, twist);
                let flip = after(&flips, flip);
                let place = &mut is_met[usize::from(twist) * 2048 + usize::from(flip)];
                if !std::mem::replace(place, true) {
                    next.push((twist, flip));
                }
            }
        }
        found.push(next.len() as u64);
        frontier = next;
    }
    assert_eq!(found.pop(), Some(0));
    assert_eq!(found, in_quarters);
}

/// The slice against an enumeration that knows only which slots are taken.
#[test]
fn the_distribution_of_the_slice_is_that_of_its_slots() {
    let plain = crate::common::breadth_first(&Move::ALL, 9, |cube| cube.edges().map(|piece| piece.index() >= 8));
    assert_eq!(plain, built("slice").histograms().unwrap().htm);
    assert_eq!(plain, [1, 4, 50, 286, 152, 2]);
}

/// Nissy fills its tables with an extra pass over self-symmetries. Without it entries hold distances that are too large.
#[test]
fn without_the_self_symmetry_pass_distances_are_wrong() {
    let classes = symmetry::Classes::new(&coord::SLICE_SORTED);
    let class_moves = class_moves(&coord::SLICE_SORTED, &classes.of_raw, &classes.representatives);
    let masks = symmetry::Classes::self_symmetries(&coord::SLICE_SORTED, &classes.representatives);
    let opened = SMALL.opened();
    let columns = ColumnTables::new(2187, opened.u16s(Id::TwistMove), opened.u16s(Id::TwistConjugate));
    let moves = &Move::ALL;
    let class_moves = &class_moves[..];
    let self_symmetries = &masks[..];
    let graph = ReducedProduct { moves, order: 16, class_moves, self_symmetries, columns: &columns };
    let space = built("symcomp(slice_sorted,twist)");
    let right = space.bulk(&Control::new()).unwrap().read(4096..bulk_bytes(space.size()));
    assert_eq!(right, on_all_threads(&graph, &Control::new()).unwrap().0);
    // Each entry marks the entries that a move reaches, and no other.
    let mut wrong = vec![u8::MAX; right.len()];
    let mut frontier = vec![0];
    wrong[0] = 0;
    while let Some(depth) = frontier.first().map(|&at| wrong[at] + 1) {
        let mut next = Vec::new();
        for at in frontier {
            for mv in 0..Move::COUNT {
                let (row, map) = graph.neighbour(at / 2187, mv);
                let to = 2187 * row + map(at % 2187);
                if wrong[to] == u8::MAX {
                    wrong[to] = depth;
                    next.push(to);
                }
            }
        }
        frontier = next;
    }
    let whole = product(&[&coord::SLICE_SORTED, &coord::TWIST]);
    let mut too_large = 0;
    let mut most = 0;
    for (state, (&right, &without)) in right.iter().zip(&wrong).enumerate() {
        let raw = whole.join(&[classes.representatives[state / 2187], (state % 2187) as u32, 0, 0, 0, 0]);
        assert_eq!(Some(u32::from(right)), whole.distance(raw), "{state}");
        assert!(without >= right);
        if without > right {
            too_large += 1;
            most = most.max(without - right);
        }
    }
    // As told in docs/coordinates.md.
    assert_eq!((right.len(), too_large, most), (1_723_356, 41_042, 3));
}

#[test]
fn a_space_counts_its_memory_while_it_is_built_and_used() {
    let memory = Memory::new(11 << 20);
    let control = Control::new();
    let build = |text: &str, bytes| {
        let limits = SpaceLimits { values: 1 << 24, bytes };
        Space::new(expression::plan(text).unwrap(), limits, &memory, &SMALL, &control)
    };
    // The distances of raw values equal the distances of the space.
    let raw = build("comp(twist,flip)", 6 << 20).ok().unwrap();
    assert!(raw.bulk(&control).is_ok() && memory.used() == raw.bytes());
    drop(raw);
    let space = build("flip_slice_class", 6 << 20).ok().unwrap();
    assert_eq!(memory.used(), space.bytes());
    // With the distances of its values it would be larger than one space may be.
    let too_large = |error| matches!(error, Some(SpaceError::TooMuchMemory { limit, .. }) if limit == 6 << 20);
    assert!(too_large(space.bulk(&control).err()));
    assert!(too_large(build("sym(comp(twist,flip),AXES8)", 6 << 20).err()));
    assert_eq!(
        build("flip_slice_class", 11 << 20).and_then(|other| other.bulk(&control)).err(),
        Some(SpaceError::NoMemory)
    );
    assert_eq!(memory.used(), space.bytes());
    drop(space);
    assert_eq!(memory.used(), 0);
}

fn cancelled() -> Control {
    let control = Control::new();
    control.cancel();
    control
}

#[test]
fn a_build_can_be_stopped() {
    let plan = expression::plan("flip_slice").unwrap();
    let stopped = Space::new(plan, LIMITS, &memory(), &SMALL, &cancelled());
    assert_eq!(stopped.err(), Some(SpaceError::Cancelled(Cancelled::ByCaller)));
}

/// A maneuver that is said to lead to solved does, and no shorter one is claimed than the distance.
#[test]
fn maneuvers_to_solved_solve_the_coordinate() {
    let mut rng = rng(3);
    for text in ["twist", "flip_slice", "corner_class", "symcomp(corner_class,twist)", "comp(twist,slice)"] {
        let space = built(text);
        for _ in 0..300 {
            let value = rng.random_range(0..space.size());
            let state = space.state(value).unwrap();
            let maneuver = space.to_solved(state).unwrap();
            assert_eq!(maneuver.len() as u32, space.distance(state).unwrap());
            let end = maneuver.iter().fold(state, |state, &mv| space.after(state, mv).unwrap());
            assert_eq!(space.distance(end), Some(0), "{text} {value}");
        }
    }
}

/// The distances of all values as a file.
#[test]
fn bulk_distances_are_those_of_the_single_values() {
    let control = Control::new();
    for text in "twist index_cube.flip_x ud_edges slice_sorted_class comp(twist,slice) comp(twist,twist) \
        sym(flip_slice,UD16) symcomp(slice_sorted,twist) symcomp(sym(ud_edges,UD16),slice)"
        .split(' ')
    {
        let space = built(text);
        let bulk = space.bulk(&control).unwrap();
        let header = Header::decode(bulk.page(), bulk_bytes(space.size())).unwrap();
        let payload = bulk.read(4096..bulk_bytes(space.size()));
        assert_eq!((header.entries, header.bits, payload.len() as u64), (space.size(), 8, space.size()), "{text}");
        assert_eq!((header.name.as_str(), header.checksum), (space.plan().label.as_str(), sink::checksum(&payload)));
        for (value, &byte) in (0..).zip(&payload) {
            let distance = space.state(value).and_then(|state| space.distance(state));
            assert_eq!(distance.unwrap_or(255), u32::from(byte), "{text} {value}");
        }
        let count = |distance| payload.iter().filter(|&&byte| usize::from(byte) == distance).count() as u64;
        let counts: Vec<u64> = (0..header.entry_histogram.len()).map(count).collect();
        assert_eq!(header.entry_histogram, counts, "{text}");
        assert_eq!(header.depth_histogram, space.histograms().unwrap().htm, "{text}");
        // Any piece is that piece of the whole, across the end of the page too.
        let whole = [bulk.page(), &payload].concat();
        for range in [0..10, 4000..4200, 4096..4097, bulk_bytes(space.size()) - 5..bulk_bytes(space.size()), 7..7] {
            assert_eq!(bulk.read(range.clone()), whole[range.start as usize..range.end as usize], "{text} {range:?}");
        }
        assert_eq!(space.bulk(&control).unwrap().page(), bulk.page());
    }
    assert!(matches!(built("edge_perm").bulk(&control), Err(SpaceError::NoDistances { .. })));
    assert_eq!(built("comp(slice,slice)").bulk(&cancelled()).err(), Some(SpaceError::Cancelled(Cancelled::ByCaller)));
}
