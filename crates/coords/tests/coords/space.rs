//! Checks spaces against the cubies, published distributions and group theory.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock};

use rand::RngExt;
use superflip_coords::space::bulk::bulk_bytes;
use superflip_coords::space::catalogue::{CATALOGUE, Entry};
use superflip_coords::space::classes::SpaceClasses;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::product::Product;
use superflip_coords::space::{Space, SpaceError, SpaceLimits, SpaceState, cube_values, expression, group};
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::coord::{self, Descriptor};
use superflip_solver::symmetry;
use superflip_solver::tables::format::Header;
use superflip_solver::tables::move_table::class_moves;
use superflip_solver::tables::pruning::breadth_first::Graph;
use superflip_solver::tables::pruning::product::{ColumnTables, ReducedProduct};
use superflip_solver::tables::{Id, Tables, sink};

use crate::common::{SMALL, STANDARD, rng, scrambled, walk};

const LIMITS: SpaceLimits = SpaceLimits { values: 1 << 24, bytes: 1 << 28 };

fn memory() -> Arc<Memory> {
    Memory::new(LIMITS.bytes)
}

fn built(text: &str) -> Space {
    built_from(text, &SMALL)
}

fn built_from(text: &str, tables: &Arc<Tables>) -> Space {
    let plan = expression::plan(text).unwrap();
    Space::new(plan, LIMITS, &memory(), tables, &AtomicBool::new(false), &|_, _| ()).unwrap()
}

fn refused(text: &str) -> SpaceError {
    let plan = expression::plan(text).unwrap();
    match Space::new(plan, LIMITS, &memory(), &SMALL, &AtomicBool::new(false), &|_, _| ()) {
        Ok(_) => panic!("{text} was built"),
        Err(error) => error,
    }
}

fn product(parts: &[&'static Descriptor]) -> Product {
    Product::new(parts, &Move::ALL, &SMALL, &memory(), &AtomicBool::new(false), &|_| ()).unwrap()
}

fn classes(product: &Product, name: &str) -> SpaceClasses {
    SpaceClasses::new(product, group::named(name).unwrap(), None, &memory(), &AtomicBool::new(false), &|_| ()).unwrap()
}

/// Every named coordinate; the two with 24 million raw values take seconds and are made once.
static NAMED: LazyLock<Vec<(&'static Entry, Space)>> =
    LazyLock::new(|| CATALOGUE.iter().map(|entry| (entry, built(entry.name))).collect());

/// Every value of a space up to some two million, an even sample beyond.
fn values(space: &Space) -> impl Iterator<Item = u64> {
    let step = if space.size() > 2_000_000 { space.size() as usize / 200_003 + 1 } else { 1 };
    (0..space.size()).step_by(step)
}

/// Checks each value: it is the value of its cube, and turns and symmetries agree with the cubies.
fn agrees_with_the_cubies(space: &Space, acting: &[Symmetry]) {
    let label = &space.plan().label;
    let mut occurring = 0_u64;
    for value in values(space) {
        let Some(state) = space.state(value) else { continue };
        occurring += 1;
        let cube = space.cube(state);
        assert_eq!(space.state_of_cube(&cube), Some(state), "{label} {value}");
        let back = space.value(state);
        // A sym-coordinate has several names where a symmetry keeps the value; the first of them is given.
        assert!(back <= value && space.state(back) == Some(state), "{label} {value} {back}");
        for &turn in space.turns() {
            let turned = space.turn(state, turn).unwrap();
            assert_eq!(space.state_of_cube(&cube.then(turn.cube())), Some(turned), "{label} {value} {turn}");
        }
        let (turn, s) = (space.turns()[value as usize % space.turns().len()], acting[value as usize % acting.len()]);
        let turned = space.turn(state, turn).unwrap();
        let seen = space.state_of_cube(&s.conjugate(&cube)).unwrap();
        if value % 64 == 0 {
            assert_eq!(space.transform(state, s), Ok(seen), "{label} {value} {s:?}");
        }
        if let (Some(here), Some(there)) = (space.distance(state), space.distance(turned)) {
            assert!(here.abs_diff(there) <= 1, "{label} {value}");
            // Symmetries that do not keep the ten turns of phase 2 do not keep distances by them.
            assert_eq!(space.distance(seen), Some(here), "{label} {value}");
        }
    }
    assert!(occurring > 0);
}

#[test]
fn every_named_coordinate_agrees_with_the_cubies() {
    for (entry, space) in NAMED.iter() {
        agrees_with_the_cubies(space, &group::acting(entry.descriptor));
    }
}

#[test]
fn composed_coordinates_agree_with_the_cubies() {
    let ud16: Vec<Symmetry> = Symmetry::all().take(16).collect();
    for text in ["comp(twist,slice)", "sym(flip_slice,UD16)", "sym(twist,U4)", "symcomp(corner_class,twist)"] {
        agrees_with_the_cubies(&built(text), &ud16);
    }
    let fb16 = &group::named("FB16").unwrap().symmetries;
    agrees_with_the_cubies(&built("sym(flip,FB16)"), fb16);
    agrees_with_the_cubies(
        &built("symcomp(sym(index_cube.flip_x,AXES8),flip)"),
        &group::named("AXES8").unwrap().symmetries,
    );
    agrees_with_the_cubies(&built("symcomp(sym(ud_edges,UD16),slice)"), &ud16);
}

#[test]
fn the_digits_of_a_composite_come_in_the_order_they_are_written() {
    let space = built("comp(twist,flip)");
    let cube = Cube::SOLVED.after(&[Move::F, Move::R]);
    let (twist, flip) = ((coord::TWIST.index)(&cube).unwrap(), (coord::FLIP.index)(&cube).unwrap());
    assert_eq!(space.state_of_cube(&cube).unwrap().base, twist + 2187 * flip);
    // comp(flip,slice) is Kociemba's 2048 * slice + flip.
    assert_eq!(built("comp(flip,slice)").state_of_cube(&cube).unwrap().base, (coord::FLIP_SLICE.index)(&cube).unwrap());
}

#[test]
fn sym_coordinates_reconstruct_their_raw_value_and_turn_by_the_rule() {
    for (entry, space) in NAMED.iter().filter(|(entry, _)| entry.is_sym()) {
        let mut rng = rng(5);
        for _ in 0..3000 {
            let cube = scrambled(&mut rng);
            let value = cube_values::of_cube(entry, &SMALL, &cube).unwrap();
            let member = value.sym.unwrap();
            // S(i)^-1 R(j) S(i) has the raw value.
            let representative = (entry.descriptor.representative)(member.representative);
            let rebuilt = member.symmetry.inverse().conjugate(&representative);
            assert_eq!((entry.descriptor.index)(&rebuilt), Some(member.raw), "{}", entry.name);
            assert_eq!(value.value, 16 * member.class + member.symmetry.index() as u32);
            // The space, built in another way, says the same.
            let state = space.state_of_cube(&cube).unwrap();
            assert_eq!((state.base, space.value(state)), (member.raw, u64::from(value.value)), "{}", entry.name);
            for turn in Move::ALL {
                let before = space.frame(u64::from(value.value)).unwrap();
                let (rule, after) = space.sym_rule(before, turn).unwrap();
                let found = Symmetry::try_from_index(rule.move_table.i1).unwrap();
                let turned = cube.then(turn.cube());
                let packed = 16 * u64::from(rule.move_table.j1) + rule.sym_mult.product as u64;
                let raw = space.state(packed).map(|state| state.base);
                assert_eq!(raw, (entry.descriptor.index)(&turned), "{} {turn}", entry.name);
                assert_eq!(rule.sym_mult.product, found.then(before.symmetry).index());
                let canonical = cube_values::of_cube(entry, &SMALL, &turned).unwrap().value;
                assert_eq!(space.value_of_frame(&after), Some(u64::from(canonical)), "{} {turn}", entry.name);
            }
        }
    }
}

/// A representative kept by symmetries has several packed values for one raw value; checked by conjugating cubes.
#[test]
fn equivalent_values_mean_one_raw_value_and_the_first_is_that_of_the_cube() {
    let (entry, space) = NAMED.iter().find(|(entry, _)| entry.name == "slice_sorted_class").unwrap();
    let raw_of = |value: u64| {
        let representative = space.state(value / 16 * 16).unwrap();
        let symmetry = Symmetry::try_from_index((value % 16) as usize).unwrap();
        let cube = (entry.descriptor.representative)(representative.base);
        (entry.descriptor.index)(&symmetry.inverse().conjugate(&cube)).unwrap()
    };
    let mut several = 0;
    for value in 0..space.size() {
        let state = space.state(value).unwrap();
        assert_eq!(state.base, raw_of(value), "{value}");
        let cube = (entry.descriptor.representative)(state.base);
        let canonical = u64::from(cube_values::of_cube(entry, &SMALL, &cube).unwrap().value);
        let equivalent = space.equivalent(state).unwrap();
        let class = value / 16 * 16;
        let expected: Vec<u64> = (class..class + 16).filter(|&other| raw_of(other) == state.base).collect();
        assert_eq!(equivalent, expected, "{value}");
        assert_eq!((equivalent[0], space.value(state)), (canonical, canonical), "{value}");
        let kept_by = space.class_of(state).unwrap().representative_self_symmetries;
        assert_eq!(equivalent.len(), kept_by.len(), "{value}");
        several += u64::from(equivalent.len() > 1);
    }
    assert!(several > 1000, "{several}");
}

/// Orbit and stabiliser: group size over stabiliser size, summed over the classes, counts the raw values.
#[test]
fn class_counts_are_the_published_ones_and_sizes_add_up() {
    for (entry, space) in NAMED.iter().filter(|(entry, _)| !entry.is_untabled()) {
        assert_eq!(space.classes(), entry.classes, "{}", entry.name);
    }
    for entry in CATALOGUE.iter().filter(|entry| !entry.is_untabled() && entry.descriptor.size <= 1 << 21) {
        let (turns, stop) = (expression::named(entry).turns(), AtomicBool::new(false));
        let base = Product::new(&entry.parts(), turns, &SMALL, &memory(), &stop, &|_| ()).unwrap();
        let classes = classes(&base, entry.group);
        let total: u64 = (0..classes.len()).map(|class| classes.orbit(&base, class)).sum();
        let occurring = (0..base.size()).filter(|&value| base.occurs(value)).count() as u64;
        assert_eq!(total, occurring, "{}", entry.name);
        let members = (0..base.size()).filter(|&value| (entry.descriptor.occurs)(value)).count() as u64;
        assert_eq!(occurring, members, "{}: some value that should occur is not reached", entry.name);
    }
}

/// Without the class of each value stored, it is found by forming images; both ways agree.
#[test]
fn classes_by_images_agree_with_classes_by_list() {
    let (entry, space) = NAMED.iter().find(|(entry, _)| entry.name == "flip_slice_class").unwrap();
    let base = product(&[&coord::FLIP, &coord::SLICE]);
    let known = SpaceClasses::new(
        &base,
        group::named("UD16").unwrap(),
        Some(&classes(&base, "UD16").representatives[..]),
        &memory(),
        &AtomicBool::new(false),
        &|_| (),
    );
    let known = known.unwrap();
    for value in (0..base.size()).step_by(37) {
        let member = known.of(&base, value);
        let packed = 16 * u64::from(member.class) + u64::from(member.place);
        assert_eq!(space.value(SpaceState { base: value, rest: 0 }), packed, "{} {value}", entry.name);
    }
}

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
    let published =
        [1, 18, 243, 2874, 28000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64_736];
    assert_eq!(corners.histograms().unwrap().htm, published);
    assert_eq!(corners.raw_size(), 88_179_840);
    // The same states without any reduction by symmetry, as deep as a plain search goes in a moment.
    let plain = crate::common::breadth_first(&Move::ALL, 5, |cube| (*cube.corners(), *cube.twists()));
    assert_eq!(plain, published[..=5]);
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
fn leaving_out_the_pass_over_self_symmetries_gives_wrong_distances() {
    let classes = symmetry::Classes::new(&coord::SLICE_SORTED);
    let class_moves = class_moves(&coord::SLICE_SORTED, &classes.of_raw, &classes.representatives);
    let masks = symmetry::Classes::self_symmetries(&coord::SLICE_SORTED, &classes.representatives);
    let opened = SMALL.opened();
    let columns = ColumnTables::new(2187, opened.u16s(Id::TwistMove), opened.u16s(Id::TwistConjugate));
    let (turns, class_moves, self_symmetries) = (&Move::ALL, &class_moves[..], &masks[..]);
    let graph = ReducedProduct { turns, order: 16, class_moves, self_symmetries, columns };
    let space = built("symcomp(slice_sorted,twist)");
    let right = space.bulk(&AtomicBool::new(false)).unwrap().read(4096..bulk_bytes(space.size()));
    assert_eq!(right, graph.distances(&|_, _| (), &AtomicBool::new(false)).unwrap().0);
    // Each entry marks the entries that a turn reaches, and no other.
    let (mut wrong, mut frontier) = (vec![u8::MAX; right.len()], vec![0]);
    wrong[0] = 0;
    while let Some(depth) = frontier.first().map(|&at| wrong[at] + 1) {
        let mut next = Vec::new();
        for at in frontier {
            for turn in 0..Move::COUNT {
                let (row, map) = graph.neighbour(at / 2187, turn);
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
    let (mut too_large, mut most) = (0, 0);
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
fn the_systems_agree_on_what_they_share() {
    let mut rng = rng(9);
    let space = |name: &str| &NAMED.iter().find(|(entry, _)| entry.name == name).unwrap().1;
    let value = |coordinate: &Descriptor, cube: &Cube| (coordinate.index)(cube).unwrap();
    let same_distance = |a: &str, b: &str, cube: &Cube| {
        let distance = |name: &str| space(name).distance(space(name).state_of_cube(cube).unwrap());
        assert_eq!(distance(a), distance(b), "{a} {b}");
    };
    for _ in 0..2000 {
        let cube = scrambled(&mut rng);
        // IndexCube's main axis is that of Kociemba's flip: the same flags in another order.
        let numbers = ["DL", "BL", "FL", "UL", "DB", "DF", "UB", "UF", "DR", "BR", "FR", "UR"];
        let bits = value(&coord::INDEX_FLIP_Z, &cube);
        for (number, name) in numbers.iter().enumerate() {
            let slot = superflip_cube::Edge::ALL.iter().position(|edge| edge.name() == *name).unwrap();
            assert_eq!(bits >> (11 - number) & 1, u32::from(cube.flips()[slot]), "{name}");
        }
        same_distance("index_cube.flip_z", "flip", &cube);
        same_distance("index_cube.corners", "corner_perm", &cube);
        same_distance("slice_python", "slice", &cube);
        // Seen from the other axes the flags are those of the cube held another way.
        let held = Symmetry::DIAGONAL.conjugate(&cube);
        let spun = Symmetry::DIAGONAL.conjugate(&held);
        assert_eq!(value(&coord::INDEX_FLIP_Y, &cube).count_ones(), value(&coord::INDEX_FLIP_Z, &held).count_ones());
        assert_eq!(value(&coord::INDEX_FLIP_X, &cube).count_ones(), value(&coord::INDEX_FLIP_Z, &spun).count_ones());
        // One permutation under two ranks; a goes-to rank of a cube is a replaced-by rank of its inverse.
        assert_eq!(value(&coord::EDGE_PERM, &cube) == 0, value(&coord::INDEX_EDGES, &cube) == 0);
        assert_eq!(value(&coord::FLIP_SLICE_SORTED, &cube) % 2048, value(&coord::FLIP, &cube));
        assert_eq!(value(&coord::FLIP_SLICE_SORTED, &cube) / 2048, value(&coord::SLICE_SORTED, &cube));
        assert_eq!(value(&coord::SLICE_SORTED, &cube) / 24, value(&coord::SLICE, &cube));
    }
    for _ in 0..2000 {
        let cube = walk(&mut rng, 30, &Move::PHASE_TWO);
        // Inside G1 the whole edge permutation is that of the eight and that of the four.
        assert_eq!(value(&coord::EDGE_PERM, &cube) % 40320, value(&coord::UD_EDGES, &cube));
        assert_eq!(value(&coord::FLIP_SLICE, &cube), 0);
    }
}

#[test]
fn meaningless_expressions_are_rejected_with_the_reason() {
    let too_large = refused("comp(twist,flip,slice)").to_string();
    assert!(too_large.contains("2217093120 values") && too_large.contains("16777216"), "{too_large}");
    let does_not_act = refused("sym(flip,UD16)").to_string();
    assert!(does_not_act.contains("the group UD16 cannot be used"), "{does_not_act}");
    assert!(does_not_act.contains("does not act on `flip`"), "{does_not_act}");
    assert!(matches!(refused("symcomp(corner_class,flip)"), SpaceError::DoesNotAct { .. }));
    let flip = built("flip");
    assert!(flip.transform(flip.state(1).unwrap(), Symmetry::try_from_index(2).unwrap()).is_err());
    // Values that no cube has.
    assert!(built("index_cube.flip_z").state(1).is_none());
    assert!(built("comp(twist,twist)").state(1).is_none());
    assert!(built("twist").state(2187).is_none());
    // Turns that leave where a coordinate is valid.
    let ud_edges = built("ud_edges");
    assert!(ud_edges.turn(ud_edges.state(0).unwrap(), Move::R).is_none());
}

#[test]
fn a_space_counts_its_memory_while_it_is_built_and_used() {
    let (memory, stop) = (Memory::new(11 << 20), AtomicBool::new(false));
    let build = |text: &str, bytes| {
        let limits = SpaceLimits { values: 1 << 24, bytes };
        Space::new(expression::plan(text).unwrap(), limits, &memory, &SMALL, &stop, &|_, _| ())
    };
    // The distances of raw values are those of the space.
    let raw = build("comp(twist,flip)", 6 << 20).ok().unwrap();
    assert!(raw.bulk(&stop).is_ok() && memory.used() == raw.bytes());
    drop(raw);
    let space = build("flip_slice_class", 6 << 20).ok().unwrap();
    assert_eq!(memory.used(), space.bytes());
    // With the distances of its values it would be larger than one space may be.
    let too_large = |error| matches!(error, Some(SpaceError::TooMuchMemory { limit, .. }) if limit == 6 << 20);
    assert!(too_large(space.bulk(&stop).err()));
    assert!(too_large(build("sym(comp(twist,flip),AXES8)", 6 << 20).err()));
    assert_eq!(
        build("flip_slice_class", 11 << 20).and_then(|other| other.bulk(&stop)).err(),
        Some(SpaceError::NoMemory)
    );
    assert_eq!(memory.used(), space.bytes());
    drop(space);
    assert_eq!(memory.used(), 0);
}

#[test]
fn a_build_can_be_stopped() {
    let plan = expression::plan("flip_slice").unwrap();
    let stopped = Space::new(plan, LIMITS, &memory(), &SMALL, &AtomicBool::new(true), &|_, _| ());
    assert_eq!(stopped.err(), Some(SpaceError::Stopped));
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
            let end = maneuver.iter().fold(state, |state, &turn| space.turn(state, turn).unwrap());
            assert_eq!(space.distance(end), Some(0), "{text} {value}");
        }
    }
}

/// What docs/coordinates.md says of the cosets for all 48 symmetries.
#[test]
fn tetrads_and_slices_have_the_values_that_are_printed() {
    let cube = Cube::SOLVED.after(&[Move::F]);
    for (name, value) in [
        ("tetrads", 15),
        ("corner_tetrads", 2187 * 15 + 1236),
        ("corner_tetrads_turned", 11072),
        ("corner_tetrads_relabelled", 19820),
        ("edge_slices", 13806),
        ("edge_slices_relabelled", 542),
        ("edge_slices_parities", 4 * 13806),
        ("edge_slices_oriented", 256 * 13806),
        ("edge_slices_crooked", 2048 * 13806),
        ("edge_slices_relabelled_oriented", 256 * 542),
    ] {
        let entry = CATALOGUE.iter().find(|entry| entry.name == name).unwrap();
        assert_eq!(cube_values::of_cube(entry, &SMALL, &cube).unwrap().value, value, "{name}");
        // Half turns lie in the subgroup, and every symmetry maps it to itself.
        for face in [Move::U2, Move::R2, Move::F2, Move::D2, Move::L2, Move::B2] {
            assert_eq!((entry.descriptor.index)(face.cube()), Some(0), "{name} {face}");
        }
        assert_eq!(group::acting(entry.descriptor).len(), 48, "{name}");
    }
}

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
            let mut next = Vec::new();
            for cube in &frontier {
                assert_eq!(space.distance(space.state_of_cube(cube).unwrap()), Some(depth));
                let turned = Move::ALL.iter().map(|turn| cube.then(turn.cube()));
                next.extend(turned.filter(|after| seen.insert(key(after))));
            }
            frontier = next;
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
            for turn in Move::ALL {
                let after = cube.then(turn.cube());
                let turned = space.state_of_cube(&after).unwrap();
                assert_eq!(space.turn(state, turn), Some(turned));
                assert!(space.distance(turned).unwrap().abs_diff(distance) <= 1);
            }
            let maneuver = space.to_solved(state).unwrap();
            assert_eq!(maneuver.len() as u32, distance);
            assert_eq!(key(&maneuver.iter().fold(cube, |cube, turn| cube.then(turn.cube()))), (0, 0));
        }
    }
    // What is kept for later requests keeps no table mapped, and is given one again.
    let space = built_from("symcomp(flip_slice,twist)", &STANDARD).reading(None);
    assert!(space.reads_tables() && space.histograms().is_none());
    assert_eq!(space.reading(Some(Arc::clone(&STANDARD))).histograms().unwrap().htm, PHASE_ONE);
}

/// The distances of all values as a file.
#[test]
fn bulk_distances_are_those_of_the_single_values() {
    let stop = AtomicBool::new(false);
    for text in [
        "twist",
        "index_cube.flip_x",
        "ud_edges",
        "slice_sorted_class",
        "comp(twist,slice)",
        "comp(twist,twist)",
        "sym(flip_slice,UD16)",
        "symcomp(slice_sorted,twist)",
        "symcomp(sym(ud_edges,UD16),slice)",
    ] {
        let space = built(text);
        let bulk = space.bulk(&stop).unwrap();
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
        assert_eq!(space.bulk(&stop).unwrap().page(), bulk.page());
    }
    assert!(matches!(built("edge_perm").bulk(&stop), Err(SpaceError::NoDistances { .. })));
    assert_eq!(built("comp(slice,slice)").bulk(&AtomicBool::new(true)).err(), Some(SpaceError::Stopped));
}

/// All 141 million distances of phase 1, each weighted by the size of its class, are distributed as published.
#[test]
fn bulk_distances_of_phase_one_are_distributed_as_published() {
    let stop = AtomicBool::new(false);
    let space = built_from("symcomp(flip_slice,twist)", &STANDARD);
    let bulk = space.bulk(&stop).unwrap();
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
    let small = built("symcomp(flip_slice,twist)").bulk(&stop);
    assert!(matches!(small, Err(SpaceError::OnlyResidues { .. })));
}
