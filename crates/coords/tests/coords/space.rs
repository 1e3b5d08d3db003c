//! Checks the values, moves and classes of spaces against the cubies, group theory and other programs.

use std::sync::LazyLock;

use superflip_coords::space::catalogue::{Alias, CATALOGUE, Entry, System};
use superflip_coords::space::classes::SpaceClasses;
use superflip_coords::space::product::Product;
use superflip_coords::space::{Space, SpaceError, SpaceState, cube_values, expression, group};
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::Control;
use superflip_solver::coord::{self, Descriptor};

use crate::common::slots::index_cube::{CORNERS, LATER_CORNERS, PAPER_EDGES, PROGRAM_EDGES, goes_to, lexicographic};
use crate::common::spaces::{LIMITS, agrees_with_the_cubies, built, classes, in_parallel, memory, product};
use crate::common::{SMALL, rng, scrambled, stickers, walk};

fn refused(text: &str) -> SpaceError {
    let plan = expression::plan(text).unwrap();
    match Space::new(plan, LIMITS, &memory(), &SMALL, &Control::new()) {
        Ok(_) => panic!("{text} was built"),
        Err(error) => error,
    }
}

/// Every named coordinate; the two with 24 million raw values take seconds and are made once.
static NAMED: LazyLock<Vec<(&'static Entry, Space)>> =
    LazyLock::new(|| CATALOGUE.iter().map(|entry| (entry, built(entry.name))).collect());

/// Of the coordinates with more values, the suite of large tables checks an even sample.
#[test]
fn small_named_coordinates_agree_with_the_cubies() {
    let small: Vec<_> = CATALOGUE.iter().filter(|entry| entry.descriptor.size <= 50_000).collect();
    assert!(small.len() > 15, "{}", small.len());
    in_parallel(&small, |entry| agrees_with_the_cubies(&built(entry.name), &group::acting(entry.descriptor)));
}

#[test]
fn composed_coordinates_agree_with_the_cubies() {
    let composed = [
        ("comp(twist,slice)", "UD16"),
        ("sym(flip_slice,UD16)", "UD16"),
        ("sym(twist,U4)", "UD16"),
        ("symcomp(corner_class,twist)", "UD16"),
        ("sym(flip,FB16)", "FB16"),
        ("symcomp(sym(index_cube.flip_x,AXES8),flip)", "AXES8"),
        ("symcomp(sym(ud_edges,UD16),slice)", "UD16"),
    ];
    in_parallel(&composed, |(text, acting)| {
        agrees_with_the_cubies(&built(text), &group::named(acting).unwrap().symmetries);
    });
}

#[test]
fn the_digits_of_a_composite_keep_the_written_order() {
    let space = built("comp(twist,flip)");
    let cube = Cube::SOLVED.after(&[Move::F, Move::R]);
    let twist = (coord::TWIST.index)(&cube).unwrap();
    let flip = (coord::FLIP.index)(&cube).unwrap();
    assert_eq!(space.state_of_cube(&cube).unwrap().base, twist + 2187 * flip);
    // comp(flip,slice) is Kociemba's 2048 * slice + flip.
    assert_eq!(built("comp(flip,slice)").state_of_cube(&cube).unwrap().base, (coord::FLIP_SLICE.index)(&cube).unwrap());
}

#[test]
fn sym_coordinates_give_their_raw_value_and_move_by_the_rule() {
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
            for mv in Move::ALL {
                let before = space.frame(u64::from(value.value)).unwrap();
                let (rule, after) = space.sym_rule(before, mv).unwrap();
                let found = Symmetry::try_from_index(rule.move_table.i1).unwrap();
                let moved = cube.then(mv.cube());
                let packed = 16 * u64::from(rule.move_table.j1) + rule.sym_mult.product as u64;
                let raw = space.state(packed).map(|state| state.base);
                assert_eq!(raw, (entry.descriptor.index)(&moved), "{} {mv}", entry.name);
                assert_eq!(rule.sym_mult.product, found.then(before.symmetry).index());
                let canonical = cube_values::of_cube(entry, &SMALL, &moved).unwrap().value;
                assert_eq!(space.value_of_frame(&after), Some(u64::from(canonical)), "{} {mv}", entry.name);
            }
        }
    }
}

/// A representative kept by symmetries has several packed values for one raw value; checked by conjugating cubes.
#[test]
fn equivalent_values_have_one_raw_value() {
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
        let moves = expression::named(entry).moves();
        let control = Control::new();
        let base = Product::new(&entry.parts(), moves, &SMALL, &memory(), &control).unwrap();
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
        &Control::new(),
    );
    let known = known.unwrap();
    for value in (0..base.size()).step_by(37) {
        let member = known.of(&base, value);
        let packed = 16 * u64::from(member.class) + u64::from(member.place);
        assert_eq!(space.value(SpaceState { base: value, rest: 0 }), packed, "{} {value}", entry.name);
    }
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
        // The flags of another axis are the flags of the cube held with that axis in place of this one.
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
    // Moves that leave where a coordinate is valid.
    let ud_edges = built("ud_edges");
    assert!(ud_edges.after(ud_edges.state(0).unwrap(), Move::R).is_none());
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

/// The notes of the catalogue on the numbering of paper and program are correct.
#[test]
fn the_catalogue_notes_match_the_index_cube_numbering() {
    let alias = |name: &str, system: System| -> &Alias {
        let entry = CATALOGUE.iter().find(|entry| entry.name == name).expect("a coordinate");
        entry.aliases.iter().find(|alias| alias.system == system).expect("an alias")
    };
    let says = |alias: &Alias, order: &[&str], value: u32| {
        let note = alias.note.expect("a note");
        assert!(note.contains(&order.join(" ")) && note.contains(&value.to_string()), "{note}");
    };
    let paper = System::IndexCubePaper;
    let program = System::IndexCubeProgram;
    let l = stickers::apply(stickers::SOLVED, "L");
    assert!(alias("index_cube.edges", paper).same_numbers && !alias("index_cube.edges", program).same_numbers);
    assert_eq!(lexicographic(&goes_to(&PROGRAM_EDGES, &l)), 127_008_000);
    says(alias("index_cube.edges", program), &PROGRAM_EDGES, 127_008_000);
    assert!(alias("index_cube.corners", paper).same_numbers && alias("index_cube.corners", program).same_numbers);
    assert_eq!(lexicographic(&goes_to(&LATER_CORNERS, &l)), 10200);
    says(alias("index_cube.corners", paper), &LATER_CORNERS, 10200);
    // F flips the four edges that it moves, along its own axis; the edge in slot 0 has the highest bit.
    let flips = |order: &[&str]| order.iter().fold(0, |value, slot| 2 * value + u32::from(slot.contains('F')));
    assert_eq!((coord::INDEX_FLIP_Z.index)(&Cube::from_scramble("F").unwrap()), Some(flips(&PAPER_EDGES)));
    assert!(!alias("index_cube.flip_z", program).same_numbers);
    says(alias("index_cube.flip_z", program), &PROGRAM_EDGES, flips(&PROGRAM_EDGES));
    assert!(alias("index_cube.flip_z", program).note.unwrap().contains(&format!("here {}", flips(&PAPER_EDGES))));
    let listed = |name: &str| CATALOGUE.iter().find(|entry| entry.name == name).and_then(Entry::slots);
    assert_eq!(listed("index_cube.edges"), Some(PAPER_EDGES.to_vec()));
    assert_eq!(listed("index_cube.corners"), Some(CORNERS.to_vec()));
    assert_eq!(listed("edge_perm"), None);
}
