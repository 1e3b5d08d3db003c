//! Searches with the tables of the profile `standard`.

use crate::common::prelude::*;
use crate::common::{answer, answer_for};

#[test]
fn ten_thousand_random_cubes_take_at_most_twenty_moves() {
    let mut rng = rng(10);
    for _ in 0..10_000 {
        let outcome = answer(&STANDARD, &scrambled(&mut rng), &Goal::default());
        assert!(outcome.moves.len() <= 20);
    }
}

#[test]
fn cubes_up_to_four_moves_from_solved_get_shortest_answers() {
    for (cube, distance) in ball(4) {
        let outcome = solve(&STANDARD, &cube, &Goal::default()).expect("a solution");
        assert_eq!(outcome.moves.len(), usize::from(distance));
        assert!(outcome.is_optimal() && cube.after(&outcome.moves).is_solved());
    }
}

#[test]
fn deadlines_and_targets_end_a_search() {
    let mut rng = rng(15);
    for _ in 0..200 {
        let outcome = answer_for(0, &STANDARD, &scrambled(&mut rng), &Goal::default());
        assert!(outcome.moves.len() <= 30);
    }
    assert!(answer_for(0, &STANDARD, &superflip(), &Goal::default()).nodes < 1_000_000);
    let outcome = answer_for(100, &STANDARD, &superflip(), &Goal::default().target_length(0));
    assert_eq!(outcome.stopped_by, StoppedBy::TimeLimit);
    for _ in 0..20 {
        let outcome = answer_for(5_000, &STANDARD, &scrambled(&mut rng), &Goal::default().target_length(19));
        assert!(outcome.moves.len() <= 20);
        assert_eq!(outcome.moves.len() <= 19, outcome.stopped_by == StoppedBy::TargetLength);
    }
}

#[test]
fn interleaved_searches_answer_as_single_ones() {
    let mut rng = rng(40);
    let solver = solver(&STANDARD);
    let goal = Goal::default();
    let cubes: Vec<Cube> = (0..300).map(|_| scrambled(&mut rng)).collect();
    for (cube, answer) in solver.solve_all(cubes.iter().copied(), &goal) {
        let together = answer.expect("a solution");
        let alone = solver.solve(&cube, &goal).expect("a solution");
        assert_eq!((together.moves, together.nodes), (alone.moves, alone.nodes));
    }
}

#[test]
fn node_counts_are_those_on_record() {
    assert_suite_nodes(&STANDARD);
}
