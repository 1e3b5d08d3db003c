//! Checks the profile `tiny`: solutions replayed on stickers, and the same answers as the mapped tables where both are exact.

use crate::common::prelude::*;

fn answer(cube: &Cube, goal: &Goal) -> Solution {
    let solution = solve(&TINY, cube, goal).expect("a solution");
    let maneuver = solution.moves.to_string();
    assert!(stickers::is_solved(&stickers::apply(&letters(cube), &maneuver)), "{maneuver}");
    assert_eq!(stickers::form_fault(&maneuver), None);
    assert!(usize::from(solution.lower_bound) <= solution.moves.len());
    solution
}

#[test]
fn tables_take_four_megabytes_and_no_file() {
    assert_eq!((TINY.profile(), TINY.list().len()), (Profile::Tiny, 0));
    let opened = Tables::open_or_build(Path::new("/nonexistent/folder"), Profile::Tiny, &Control::new());
    assert_eq!(opened.expect("it needs no folder").profile(), Profile::Tiny);
}

#[test]
fn random_cubes_take_at_most_twenty_moves() {
    let mut rng = rng(1);
    for _ in 0..1000 {
        assert!(answer(&scrambled(&mut rng), &Goal::default()).moves.len() <= 20);
    }
}

#[test]
fn near_cubes_get_shortest_answers() {
    for (cube, distance) in ball(4) {
        let solution = answer(&cube, &Goal::default());
        assert!(solution.is_optimal() && solution.moves.len() == usize::from(distance));
    }
    let mut rng = rng(2);
    for length in (5..=10).cycle().take(300) {
        let cube = walk(&mut rng, length, &Move::ALL);
        let [own, mapped] = [&TINY, &SMALL].map(|tables| solve(tables, &cube, &Goal::shortest()).expect("a solution"));
        assert!(own.is_optimal() && own.moves.len() == mapped.moves.len(), "{cube:?}");
    }
}

/// The exact distances come from a search here, and from a table there.
#[test]
fn coordinates_are_those_of_the_mapped_tables() {
    let mut rng = rng(3);
    for _ in 0..200 {
        let cube = scrambled(&mut rng);
        for (own, mapped) in TINY.inspect(&cube).into_iter().zip(SMALL.inspect(&cube)) {
            assert_eq!(own, mapped);
        }
    }
}

#[test]
fn threads_and_several_solutions_work_as_with_mapped_tables() {
    let mut rng = rng(4);
    for _ in 0..20 {
        let cube = scrambled(&mut rng);
        assert!(answer(&cube, &Goal::within(20).threads(2)).moves.len() <= 20);
        let several = answer(&cube, &Goal::within(21).solutions(3));
        assert_eq!(several.all().count(), 3);
        several.all().for_each(|moves| assert!(cube.after(moves).is_solved() && moves.len() <= 21));
        assert_eq!(answer(&cube, &Goal::within(21)).moves, answer(&cube, &Goal::within(21)).moves, "deterministic");
    }
}

/// A coset table with the tiny tables: proofs without exact phase-1 distances.
#[test]
fn proofs_need_no_mapped_profile() {
    let solver = with_table(&TINY, Size::S, &tables_folder());
    let mut rng = rng(5);
    for length in [9, 11, 12, 13] {
        let cube = walk(&mut rng, length, &Move::ALL);
        let solution = solver.solve(&cube, &Goal::shortest()).expect("a solution");
        assert!(solution.is_optimal() && cube.after(&solution.moves).is_solved() && solution.moves.len() <= length);
    }
}
