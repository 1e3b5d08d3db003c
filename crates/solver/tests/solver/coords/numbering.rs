//! Checks every coordinate against the cubes it numbers, and symmetry classes against published counts and the cubies.

use superflip_solver::coord;
use superflip_solver::coord::Validity;
use superflip_solver::coord::rank::is_odd;
use superflip_solver::symmetry::{Classes, SymCoordinate, conjugation_table};

use crate::common::prelude::*;
use crate::common::slots::index_cube::{CORNERS, PAPER_EDGES, goes_to, lexicographic};

fn reachable(cube: &Cube) -> bool {
    let corners = cube.corners().map(|p| p.index() as u8);
    let edges = cube.edges().map(|p| p.index() as u8);
    cube.twists().iter().sum::<u8>() % 3 == 0
        && cube.flips().iter().sum::<u8>() % 2 == 0
        && is_odd(&corners) == is_odd(&edges)
}

fn index(coordinate: &Descriptor, cube: &Cube) -> u32 {
    (coordinate.index)(cube).expect("valid here")
}

/// Every value that occurs, or an even sample of the spaces of many millions.
fn values(coordinate: &Descriptor) -> impl Iterator<Item = u32> + '_ {
    let step = if coordinate.size > 2_000_000 { coordinate.size as usize / 1_000_003 + 1 } else { 1 };
    (0..coordinate.size).step_by(step).filter(|&value| (coordinate.occurs)(value))
}

#[test]
fn every_value_has_a_reachable_cube_with_that_value() {
    for coordinate in coord::all() {
        for value in values(coordinate) {
            let cube = (coordinate.representative)(value);
            assert!(reachable(&cube), "{} {value}", coordinate.name);
            assert_eq!((coordinate.index)(&cube), Some(value), "{}", coordinate.name);
        }
        assert_eq!((coordinate.index)(&Cube::SOLVED), Some(0), "{}", coordinate.name);
    }
}

/// Precondition of move tables: cubes with equal values have equal values after each move.
#[test]
fn a_move_maps_equal_values_to_equal_values() {
    for coordinate in coord::all() {
        let mut cube = Cube::SOLVED;
        for i in 0..20_000_usize {
            let moves = coordinate.moves();
            cube = cube.then(moves[(i * i + i / 3 + i / 1000) % moves.len()].cube());
            let twin = (coordinate.representative)(index(coordinate, &cube));
            let mv = moves[(7 * i + i / 11) % moves.len()];
            let a = cube.then(mv.cube());
            let b = twin.then(mv.cube());
            assert_eq!(index(coordinate, &a), index(coordinate, &b), "{}", coordinate.name);
        }
    }
}

/// Precondition of sym-coordinates: the symmetries that keep the axis act on the values.
#[test]
fn symmetries_act_exactly_on_the_symmetric_coordinates() {
    for coordinate in coord::all() {
        let moves = coordinate.moves();
        let mut cube = Cube::SOLVED;
        let mut acts = true;
        for i in 0..2_000_usize {
            cube = cube.then(moves[(i * i + i / 3 + i / 1000) % moves.len()].cube());
            let twin = (coordinate.representative)(index(coordinate, &cube));
            for s in Symmetry::all().take(Symmetry::KEEPING_UD) {
                acts &= (coordinate.index)(&s.conjugate(&cube)) == (coordinate.index)(&s.conjugate(&twin));
            }
        }
        assert_eq!(acts, coordinate.symmetric, "{}", coordinate.name);
    }
}

#[test]
fn the_coordinates_of_phase_one_are_zero_exactly_in_g1() {
    let g1 = coord::all().find(|c| c.validity == Validity::PhaseTwo).expect("ud_edges");
    for mv in g1.moves() {
        for c in [&coord::TWIST, &coord::FLIP, &coord::SLICE] {
            assert_eq!((c.index)(mv.cube()), Some(0), "{} after {mv}", c.name);
        }
    }
    for mv in superflip_cube::Move::ALL.iter().filter(|m| !g1.moves().contains(m)) {
        assert!([&coord::TWIST, &coord::FLIP, &coord::SLICE].iter().any(|c| (c.index)(mv.cube()) != Some(0)));
    }
}

/// Kociemba's values, and the values in the paper of `IndexCube`.
#[test]
fn values_after_single_moves_are_those_published() {
    for (mv, coordinate, value) in [
        (Move::F, &coord::TWIST, Some(1236)),
        (Move::F, &coord::FLIP, Some(550)),
        (Move::F, &coord::SLICE, Some(33)),
        (Move::F, &coord::SLICE_PYTHON, Some(230)),
        (Move::F, &coord::SLICE_SORTED, Some(793)),
        (Move::F, &coord::FLIP_SLICE, Some(2048 * 33 + 550)),
        (Move::F, &coord::FLIP_SLICE_SORTED, Some(2048 * 793 + 550)),
        (Move::F, &coord::CORNER_PERM, Some(224)),
        (Move::F, &coord::UD_EDGES, None),
        (Move::L, &coord::INDEX_EDGES, Some(47_174_400)),
        (Move::L, &coord::INDEX_CORNERS, Some(6480)),
        // Moves of L and R keep the axes of the stickers on those faces.
        (Move::L, &coord::INDEX_TWIST, Some(0)),
    ] {
        assert_eq!((coordinate.index)(mv.cube()), value, "{} {mv}", coordinate.name);
    }
}

#[test]
fn index_cube_numbers_match_the_paper() {
    let l = stickers::apply(stickers::SOLVED, "L");
    assert_eq!(goes_to(&PAPER_EDGES, &l), [1, 3, 0, 2, 4, 5, 6, 7, 8, 9, 10, 11]);
    assert_eq!(lexicographic(&goes_to(&PAPER_EDGES, &l)), 47_174_400);
    assert_eq!(lexicographic(&goes_to(&CORNERS, &l)), 6480);
    let moved = Cube::from_scramble("F").unwrap();
    let values = [&coord::INDEX_EDGES, &coord::INDEX_CORNERS].map(|coordinate| index(coordinate, &moved));
    assert_eq!(values, [1_859_960, 11306]);
    let mut rng = rng(3);
    for _ in 0..500 {
        let cube = scrambled(&mut rng);
        let facelets = letters(&cube);
        assert_eq!(index(&coord::INDEX_EDGES, &cube), lexicographic(&goes_to(&PAPER_EDGES, &facelets)));
        assert_eq!(index(&coord::INDEX_CORNERS, &cube), lexicographic(&goes_to(&CORNERS, &facelets)));
    }
}

#[test]
fn an_axis_of_index_cube_sees_only_quarter_turns_of_its_own_faces() {
    let axes = [(&coord::INDEX_FLIP_X, Axis::Rl), (&coord::INDEX_FLIP_Y, Axis::Ud), (&coord::INDEX_FLIP_Z, Axis::Fb)];
    for (coordinate, axis) in axes {
        for mv in Move::ALL {
            let expected = if mv.face().axis() == axis && mv.quarters() != 2 { 4 } else { 0 };
            assert_eq!(index(coordinate, mv.cube()).count_ones(), expected, "{} {mv}", coordinate.name);
        }
    }
    // UF, FR, DF and FL are 7, 10, 5 and 2.
    assert_eq!(index(&coord::INDEX_FLIP_Z, Move::F.cube()), 1 << 4 | 1 << 1 | 1 << 6 | 1 << 9);
}

#[test]
fn index_cube_orients_corners_by_an_axis() {
    let axis = |face: char| ["LR", "DU", "BF"].iter().position(|faces| faces.contains(face)).expect("an axis") as u32;
    let of_stickers = |facelets: &str| {
        CORNERS.iter().fold(0, |value, slot| {
            let place = stickers::shown(facelets, slot).find(['L', 'R']).expect("every corner has one");
            3 * value + axis(slot.chars().nth(place).expect("a face"))
        })
    };
    // By F the L sticker of DLF comes to the U side of UFL, which is slot 2.
    let f = of_stickers(&stickers::apply(stickers::SOLVED, "F"));
    assert_eq!(f / 3_u32.pow(5) % 3, 1);
    assert_eq!((coord::INDEX_TWIST.index)(&Cube::from_scramble("F").unwrap()), Some(f));
    assert_eq!(f, 2460);
    let mut rng = rng(4);
    for _ in 0..500 {
        let cube = scrambled(&mut rng);
        assert_eq!(index(&coord::INDEX_TWIST, &cube), of_stickers(&letters(&cube)));
    }
    let occurring = (0..coord::INDEX_TWIST.size).filter(|&value| (coord::INDEX_TWIST.occurs)(value));
    assert_eq!(occurring.count(), 2187);
}

/// Kociemba's edge slots in the order of their numbers.
const EDGES: [&str; 12] = ["UR", "UF", "UL", "UB", "DR", "DF", "DL", "DB", "FR", "FL", "BL", "BR"];

/// Kociemba's rank: the sum over i of i! times the number of greater entries to the left of i.
fn kociemba(permutation: &[usize]) -> u32 {
    let greater = |i: usize| permutation[..i].iter().filter(|left| **left > permutation[i]).count();
    (0..permutation.len()).map(|i| (greater(i) * (1..=i).product::<usize>()) as u32).sum()
}

/// 24 * rank of the four slots + rank of the order, with every slot renumbered, as docs/coordinates.md says.
fn four_edges(edges: &[usize; 12], first: usize, renumber: fn(usize) -> usize) -> u32 {
    let choose = |n: usize, k: usize| (0..k).fold(1, |value, i| value * (n - i) / (i + 1));
    let mut pieces = [0; 12];
    for (slot, &piece) in edges.iter().enumerate() {
        pieces[renumber(slot)] = piece;
    }
    let is_one = |piece: &usize| (first..first + 4).contains(piece);
    let mut rank = 0;
    let mut left = 4;
    for slot in (0..12).rev() {
        if is_one(&pieces[slot]) {
            left -= 1;
        } else if left > 0 {
            rank += choose(slot, left - 1);
        }
    }
    let order: Vec<usize> = pieces.into_iter().filter(is_one).collect();
    24 * rank as u32 + kociemba(&order)
}

#[test]
fn four_edges_are_numbered_by_rotated_slots() {
    let of_cube = |cube: &Cube| {
        let edges = cube.edges().map(Edge::index);
        let numbers = [
            (&coord::SLICE_SORTED, four_edges(&edges, 8, |slot| slot)),
            (&coord::U_EDGES, four_edges(&edges, 0, |slot| (slot + 12 - 4) % 12)),
            (&coord::D_EDGES, four_edges(&edges, 4, |slot| (slot + 4) % 12)),
            (&coord::EDGE_PERM, kociemba(&edges)),
        ];
        numbers.map(|(coordinate, number)| {
            assert_eq!(index(coordinate, cube), number, "{}", coordinate.name);
            number
        })
    };
    // Piece in each slot, read off the stickers.
    let f = Cube::from_scramble("F").unwrap();
    let shown = goes_to(&EDGES, &stickers::apply(stickers::SOLVED, "F"));
    assert!(shown.iter().enumerate().all(|(piece, &slot)| f.edges()[slot].index() == piece));
    assert_eq!(of_cube(&f), [793, 289, 361, 1_745_432]);
    let mut rng = rng(5);
    for _ in 0..2000 {
        of_cube(&scrambled(&mut rng));
    }
}

/// The numbers of the methods `get_corners`, `get_slice`, `get_slice_sorted`, `get_u_edges`, `get_d_edges` and `get_ud_edges` in
/// version 1.1.1 of the Python package `RubikTwoPhase`, after some maneuvers. The last is meant only inside G1.
#[test]
fn numbers_of_python_are_those_of_the_package() {
    for (moves, (numbers, ud_edges)) in [
        ("", ([0, 0, 0, 1656, 0], Some(0))),
        ("F", ([354, 230, 5521, 9097, 5065], None)),
        ("R", ([26692, 367, 8824, 2496, 7920], None)),
        ("U", ([6, 0, 0, 1662, 0], Some(6))),
        ("D2", ([30480, 0, 0, 1656, 12], Some(30480))),
        ("L'", ([4754, 139, 3340, 4322, 5090], None)),
        ("R U F", ([31324, 249, 5993, 2872, 5041], None)),
        ("F R", ([27083, 261, 6281, 2856, 10800], None)),
        ("R U2 D' L2 F2 B2 U", ([3105, 139, 3347, 3547, 6101], None)),
        ("U D2 R2 F2", ([7473, 0, 14, 354, 1332], Some(10098))),
        ("D B' L2 F U' R", ([24907, 153, 3694, 1053, 11620], None)),
    ] {
        let cube = Cube::from_scramble(moves).unwrap();
        let [corners, slice, slice_sorted, u_edges, d_edges] = numbers;
        for (coordinate, number) in [
            (&coord::CORNER_PERM_PYTHON, corners),
            (&coord::SLICE_PYTHON, slice),
            (&coord::SLICE_SORTED_PYTHON, slice_sorted),
            // Solved is 0 here.
            (&coord::U_EDGES_PYTHON, (u_edges + 11880 - 1656) % 11880),
            (&coord::D_EDGES_PYTHON, d_edges),
        ] {
            assert_eq!(index(coordinate, &cube), number, "{} after {moves}", coordinate.name);
        }
        assert_eq!((coord::UD_EDGES_PYTHON.index)(&cube), ud_edges, "{moves}");
    }
}

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
