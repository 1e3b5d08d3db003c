//! Checks the search: solutions replayed on stickers, near cubes against exhaustive counts, limits, stopping.

use superflip_solver::search::PartialTarget;

use crate::common::near::Ball;
use crate::common::prelude::*;
use crate::common::{answer, answer_for};

/// The half-turn group is where phase 1 bounds nothing.
#[test]
fn a_stopped_near_search_returns_the_exhausted_lengths() {
    let cube = superflip_cube::Cube::from_scramble("R2 U2 F2 R2 L2 D2 B2 U2 F2 L2").expect("a scramble");
    let outcome = answer_for(0, &SMALL, &cube, &Goal::default());
    assert!(outcome.lower_bound >= 1, "{outcome:?}");
}

#[test]
fn the_small_tables_answer_as_well() {
    let mut rng = rng(11);
    for _ in 0..300 {
        assert!(answer(&SMALL, &scrambled(&mut rng), &Goal::default()).moves.len() <= 20);
    }
}

#[test]
fn cubes_up_to_four_moves_from_solved_get_shortest_answers() {
    for (cube, distance) in ball(4) {
        for tables in [&SMALL, &TINY] {
            let outcome = solve(tables, &cube, &Goal::default()).expect("a solution");
            assert_eq!(outcome.moves.len(), usize::from(distance));
            assert!(outcome.is_optimal() && cube.after(&outcome.moves).is_solved());
        }
    }
}

#[test]
fn samples_up_to_ten_moves_from_solved_get_shortest_answers() {
    let ball = Ball::new();
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() == 2).collect();
    let mut rng = rng(12);
    let mut seen = [0; 11];
    for length in 5..=10 {
        for moves in [&Move::ALL[..], &Move::PHASE_TWO, &half_turns] {
            for _ in 0..8 {
                let cube = walk(&mut rng, length, moves);
                let distance = ball.distance_up_to_ten(&cube).expect("at most ten");
                for tables in [&SMALL, &TINY] {
                    // The default time limit of the service.
                    let outcome = answer_for(1000, tables, &cube, &Goal::default());
                    assert_eq!((outcome.moves.len(), outcome.is_optimal()), (distance, true), "{}", letters(&cube));
                    assert_eq!(outcome.stopped_by, StoppedBy::ProvenOptimal);
                }
                seen[distance] += 1;
            }
        }
    }
    assert!(seen[5..].iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn a_solved_cube_gets_the_empty_answer() {
    let outcome = answer(&SMALL, &Cube::SOLVED, &Goal::default());
    assert!(outcome.moves.is_empty() && outcome.is_optimal() && outcome.lower_bound == 0);
    // U and D solved, the slice between them not.
    let slice = Cube::SOLVED.after(&[Move::R2, Move::L2, Move::U2, Move::R2, Move::L2, Move::U2]);
    assert!(!answer(&SMALL, &slice, &Goal::default()).moves.is_empty());
}

#[test]
fn the_superflip_is_solved_in_time_in_twenty_moves() {
    let flips = "R L U2 F U' D F2 R2 B2 L U2 F' B' U R2 D F2 U R2 U".parse::<Moves>().unwrap();
    let superflip = Cube::SOLVED.after(&flips);
    assert_eq!(superflip, crate::common::superflip());
    for tables in [&SMALL, &TINY] {
        let outcome = answer_for(300, tables, &superflip, &Goal::default());
        // On a machine too busy for more, the first solution of any length: 24 or 23 moves.
        assert!((20..=24).contains(&outcome.moves.len()), "{}", outcome.moves.len());
        assert!(outcome.lower_bound <= 20);
    }
}

#[test]
fn the_search_improves_until_its_target() {
    let mut rng = rng(13);
    for _ in 0..20 {
        let cube = scrambled(&mut rng);
        let outcome = answer_for(5_000, &SMALL, &cube, &Goal::default().target_length(19));
        assert!(outcome.moves.len() <= 20);
        assert_eq!(outcome.moves.len() <= 19, outcome.stopped_by == StoppedBy::TargetLength);
    }
}

#[test]
fn without_a_reachable_target_the_deadline_ends_it() {
    let cube = scrambled(&mut rng(14));
    for tables in [&SMALL, &TINY] {
        let started = Instant::now();
        let outcome = answer_for(100, tables, &cube, &Goal::default().target_length(0));
        assert_eq!(outcome.stopped_by, StoppedBy::TimeLimit);
        assert!(started.elapsed() >= Duration::from_millis(100));
    }
}

#[test]
fn a_deadline_that_has_passed_still_leaves_an_answer() {
    let mut rng = rng(15);
    for tables in [&SMALL, &TINY] {
        for _ in 0..200 {
            let outcome = answer_for(0, tables, &scrambled(&mut rng), &Goal::default());
            assert!(outcome.moves.len() <= 30);
        }
    }
}

/// The superflip has six equal directions; without the node limit on phase 2 this search takes seconds.
#[test]
fn past_the_deadline_the_superflip_costs_little_too() {
    for tables in [&SMALL, &TINY] {
        let nodes = answer_for(0, tables, &superflip(), &Goal::default()).nodes;
        assert!(nodes < 1_000_000, "{nodes}");
    }
}

#[test]
fn solutions_above_max_length_are_rejected() {
    let cube = scrambled(&mut rng(16));
    match solve_for(50, &SMALL, &cube, &Goal::within(12)) {
        Err(SolveError::NoneWithin { max_length: 12, best_length, lower_bound, .. }) => {
            assert!((13..=30).contains(&best_length) && (10..=best_length).contains(&lower_bound));
        }
        other => panic!("{other:?}"),
    }
    // A limit below what is proven needs no search.
    let five = Cube::SOLVED.after(&[Move::R, Move::U, Move::F, Move::L, Move::D]);
    let goal = Goal::default().max_length(Some(4));
    let refused = solve(&SMALL, &five, &goal);
    assert!(matches!(refused, Err(SolveError::NoneWithin { best_length: 5, lower_bound: 5, .. })), "{refused:?}");
    let goal = Goal::default().max_length(Some(20));
    assert!(answer(&SMALL, &cube, &goal).moves.len() <= 20);
}

#[test]
fn a_search_that_is_stopped_ends() {
    let cube = scrambled(&mut rng(17));
    let search = |control: &_| solver(&SMALL).search(&cube, &Goal::shortest()).controlled_by(control).finish();
    cancelled(search, Duration::from_millis(50));
}

/// The set of cubes whose edges are all oriented.
fn oriented_edges() -> PartialTarget {
    PartialTarget::new(Cube::SOLVED, |_, _, _| true, |_, _, flip| flip == 0)
}

/// Cubes with many shortest solutions, and goals that count all of them: to the solved cube, to one of two targets, and to a set.
fn counts_of_all(rounds: usize) -> Vec<(Cube, Goal)> {
    let mut rng = rng(20);
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() == 2).collect();
    let set = oriented_edges();
    let mut asked = Vec::new();
    for round in 0..rounds {
        let goal = Goal::proof().all_shortest().solutions([1, 3][round % 2]);
        let moves = [&half_turns[..], &Move::PHASE_TWO, &Move::ALL][round % 3];
        let cube = walk(&mut rng, 7 + round / 3 % 4, moves);
        asked.push((cube, goal.clone()));
        asked.push((cube, goal.clone().to([Cube::SOLVED, random_cube(&mut rng)])));
        asked.push((if round == 0 { superflip() } else { random_cube(&mut rng) }, goal.to_partial(set.clone())));
    }
    asked
}

/// The search for the first solution of such a cube takes fewer nodes than lie between two looks at the deadline. Counting all takes more.
#[test]
fn a_count_of_all_shortest_solutions_that_the_deadline_cuts_says_so() {
    let solver = solver(&TINY);
    let mut cut = [0; 3];
    for (number, (cube, goal)) in counts_of_all(60).into_iter().enumerate() {
        if let Some(set) = &goal.partial {
            set.distance(&cube, &Control::new()).expect("no deadline");
        }
        let outcome = solver.search(&cube, &goal).until(Instant::now()).finish().expect("a solution");
        let is_counted = outcome.optimal_solutions.is_some();
        assert_eq!(outcome.stopped_by == StoppedBy::ProvenOptimal, is_counted, "{goal:?} {outcome:?}");
        assert!(is_counted || outcome.stopped_by == StoppedBy::TimeLimit, "{goal:?} {outcome:?}");
        cut[number % 3] += usize::from(!is_counted && outcome.is_optimal());
        // With time, all are counted.
        assert!(solver.solve(&cube, &goal).is_ok_and(|outcome| outcome.optimal_solutions >= Some(1)));
    }
    assert!(cut.iter().all(|&count| count > 0), "{cut:?}");
}

#[test]
fn a_bound_is_reported_before_the_solution_that_it_proves() {
    let solver = solver(&TINY);
    let plain = |cube: Cube| [Goal::shortest(), Goal::default().solutions(3), Goal::proof()].map(|goal| (cube, goal));
    let near = plain(walk(&mut rng(21), 7, &Move::ALL));
    for (cube, goal) in counts_of_all(2).into_iter().chain(near) {
        let mut events = Vec::new();
        let outcome = solver.search(&cube, &goal).watch(&mut |event, _| events.push(event)).expect("a solution");
        assert!(outcome.is_optimal());
        let bound = events.iter().position(|event| *event == Event::LowerBound(outcome.lower_bound));
        let solutions: Vec<&Event> = events.iter().filter(|event| matches!(event, Event::Solution(_))).collect();
        assert!(matches!(solutions[..], [Event::Solution(found)] if found.moves == outcome.moves), "{events:?}");
        assert!(bound < events.iter().position(|event| event == solutions[0]), "{goal:?} {events:?}");
    }
}

#[test]
fn symmetric_near_cubes_have_solutions_of_equal_length() {
    let mut rng = rng(18);
    for _ in 0..50 {
        let length = rng.random_range(1..=8);
        let cube = walk(&mut rng, length, &Move::ALL);
        let expected = answer(&SMALL, &cube, &Goal::default()).moves.len();
        for symmetry in superflip_cube::Symmetry::all() {
            assert_eq!(answer(&SMALL, &symmetry.conjugate(&cube), &Goal::default()).moves.len(), expected);
        }
        assert_eq!(answer(&SMALL, &cube.inverse(), &Goal::default()).moves.len(), expected);
    }
}

#[test]
fn node_counts_are_those_on_record() {
    assert_suite_nodes(&SMALL);
}
