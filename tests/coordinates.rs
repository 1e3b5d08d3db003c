//! Every coordinate against the cube it is a number for.

use superflip::coord::{self, Descriptor, Validity, rank::is_odd};
use superflip::cube::{Cube, Symmetry};

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
    for coordinate in coord::ALL {
        for value in values(coordinate) {
            let cube = (coordinate.representative)(value);
            assert!(reachable(&cube), "{} {value}", coordinate.name);
            assert_eq!((coordinate.index)(&cube), Some(value), "{}", coordinate.name);
        }
        assert_eq!((coordinate.index)(&Cube::SOLVED), Some(0), "{}", coordinate.name);
    }
}

/// What makes move tables possible: cubes with one value have one value after each turn.
#[test]
fn a_turn_changes_the_value_in_a_way_that_depends_on_the_value_alone() {
    for coordinate in coord::ALL {
        let mut cube = Cube::SOLVED;
        for i in 0..20_000_usize {
            let turns = coordinate.moves();
            cube = cube.then(turns[(i * i + i / 3 + i / 1000) % turns.len()].cube());
            let twin = (coordinate.representative)(index(coordinate, &cube));
            let turn = turns[(7 * i + i / 11) % turns.len()];
            let (a, b) = (cube.then(turn.cube()), twin.then(turn.cube()));
            assert_eq!(index(coordinate, &a), index(coordinate, &b), "{}", coordinate.name);
        }
    }
}

/// What makes sym-coordinates possible: the symmetries that keep the axis act on the values.
#[test]
fn symmetries_act_on_the_values_that_say_so_and_only_on_those() {
    for coordinate in coord::ALL {
        let turns = coordinate.moves();
        let (mut cube, mut acts) = (Cube::SOLVED, true);
        for i in 0..2_000_usize {
            cube = cube.then(turns[(i * i + i / 3 + i / 1000) % turns.len()].cube());
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
    let g1 = coord::ALL.iter().find(|c| c.validity == Validity::PhaseTwo).expect("ud_edges");
    for turn in g1.moves() {
        for c in [&coord::TWIST, &coord::FLIP, &coord::SLICE] {
            assert_eq!((c.index)(turn.cube()), Some(0), "{} after {turn}", c.name);
        }
    }
    for turn in superflip::cube::Move::ALL.iter().filter(|m| !g1.moves().contains(m)) {
        assert!([&coord::TWIST, &coord::FLIP, &coord::SLICE].iter().any(|c| (c.index)(turn.cube()) != Some(0)));
    }
}
