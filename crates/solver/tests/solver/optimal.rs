//! Checks optimal solutions against proofs that use other tables.

use crate::common::brute_force::{HALF, Maneuvers};
use crate::common::prelude::*;
use crate::common::{known_lengths_are_found, with_table};

/// A solver with the smallest table.
static SOLVER: LazyLock<Solver> = LazyLock::new(|| with_table(&SMALL, Size::S, &tables_folder()));

fn proven(cube: &Cube, threads: usize) -> Solution {
    let goal = Goal::proof().threads(threads);
    let mut bounds = Vec::new();
    let mut lengths = Vec::new();
    let mut record = None;
    let outcome = SOLVER.search(cube, &goal).watch(&mut |event, nodes| match event {
        Event::Solution(found) => lengths.push(found.moves.len()),
        Event::LowerBound(bound) => bounds.push(bound),
        Event::Proof(proof) => {
            assert_eq!(proof.iterations.iter().map(|iteration| iteration.nodes).sum::<u64>(), nodes);
            record = Some(proof);
        }
    });
    let outcome = outcome.expect("an answer");
    assert_eq!(record, outcome.proof);
    assert!(stickers::solves(&letters(cube), &outcome.moves.to_string()));
    assert_eq!(stickers::form_fault(&outcome.moves.to_string()), None);
    assert!(outcome.is_optimal() && usize::from(outcome.lower_bound) == outcome.moves.len());
    assert_eq!(outcome.stopped_by, StoppedBy::ProvenOptimal);
    assert!(lengths.is_sorted_by(|a, b| a > b) && bounds.is_sorted_by(|a, b| a < b));
    assert_eq!((lengths.last(), bounds.last()), (Some(&outcome.moves.len()), Some(&outcome.lower_bound)));
    outcome
}

/// An independent proof: the two-phase search proves a length once phase 1 has exhausted all shorter maneuvers.
fn proven_by_two_phases(cube: &Cube) -> Option<usize> {
    let outcome = solve_for(20_000, &SMALL, cube, &Goal::shortest().threads(2)).expect("an answer");
    outcome.is_optimal().then_some(outcome.moves.len())
}

#[test]
fn lengths_are_those_that_two_phases_prove() {
    let mut rng = rng(40);
    let mut seen = [0; 14];
    for length in [1, 4, 8, 10, 11, 11, 11, 11, 12, 12, 12, 12, 13, 13] {
        let cube = walk(&mut rng, length, &Move::ALL);
        let outcome = proven(&cube, 2);
        assert!(outcome.moves.len() <= length);
        if let Some(shortest) = proven_by_two_phases(&cube) {
            assert_eq!(outcome.moves.len(), shortest, "{}", letters(&cube));
            seen[shortest] += 1;
        }
    }
    assert!(seen[11] + seen[12] + seen[13] >= 6, "{seen:?}");
}

/// Checks that the iterations follow from one another, and returns them without their durations.
fn iterations(outcome: &Solution) -> Vec<Iteration> {
    let proof = outcome.proof.as_ref().expect("a record");
    let mut bound = proof.first_bound;
    let mut best = None;
    for iteration in &proof.iterations {
        match iteration.length {
            // A length is exhausted, or has a solution.
            Some(length) if iteration.search == ProofSearch::Near => {
                assert!(iteration.lower_bound == bound.max(length + 1) || iteration.best_length == Some(length));
            }
            Some(length) => {
                assert_eq!(length, bound);
                assert!(iteration.lower_bound == length + 1 || iteration.best_length == Some(length));
            }
            None => assert!(iteration.search == ProofSearch::TwoPhase && iteration.lower_bound >= bound),
        }
        assert!(best.is_none() || (iteration.best_length.is_some() && iteration.best_length <= best));
        (bound, best) = (iteration.lower_bound, iteration.best_length);
    }
    assert_eq!((bound, best), (outcome.lower_bound, Some(outcome.moves.len() as u8)));
    assert_eq!(proof.iterations.iter().map(|iteration| iteration.nodes).sum::<u64>(), outcome.nodes);
    assert!(proof.iterations.iter().map(|iteration| iteration.elapsed).sum::<Duration>() <= outcome.elapsed);
    proof.iterations.iter().map(|&iteration| Iteration { elapsed: Duration::ZERO, ..iteration }).collect()
}

#[test]
fn proofs_on_one_thread_repeat_their_iterations() {
    let mut rng = rng(47);
    let mut searches = [0; 3];
    for length in [3, 9, 11, 12, 13, 14] {
        let cube = walk(&mut rng, length, &Move::ALL);
        let first = proven(&cube, 1);
        let listed = iterations(&first);
        assert_eq!(listed, iterations(&proven(&cube, 1)), "{}", letters(&cube));
        iterations(&proven(&cube, 2));
        for iteration in listed {
            searches[iteration.search as usize] += 1;
        }
        let table = SOLVER.proving(Metric::Htm).expect("a table").info();
        let cited = first.proof.expect("a record").table.map(|table| (table.name, table.recipe));
        assert_eq!(cited, Some((table.name, table.recipe())));
    }
    assert!(searches.iter().all(|&count| count > 0), "{searches:?}");
    // Without a table, the near search proves.
    let near = Solver::new(Arc::clone(&SMALL));
    let cube = walk(&mut rng, 8, &Move::ALL);
    for goal in [Goal::proof(), Goal::proof().all_shortest()] {
        let [first, second] = [0; 2].map(|_| near.solve(&cube, &goal).expect("an answer"));
        assert_eq!(iterations(&first), iterations(&second));
        assert!(first.proof.expect("a record").table.is_none());
    }
}

#[test]
fn images_and_inverses_have_one_length() {
    let mut rng = rng(41);
    let cube = walk(&mut rng, 13, &Move::ALL);
    let length = proven(&cube, 1).moves.len();
    assert_eq!(proven(&cube.inverse(), 2).moves.len(), length);
    for symmetry in Symmetry::all().step_by(7) {
        assert_eq!(proven(&symmetry.conjugate(&cube), 2).moves.len(), length);
    }
}

#[test]
fn a_bound_is_never_more_than_a_distance() {
    let mut rng = rng(42);
    for length in 0..=12 {
        for _ in 0..200 {
            let cube = walk(&mut rng, length, &Move::ALL);
            assert!(
                usize::from(SOLVER.proving(Metric::Htm).expect("a table").bound(&cube)) <= length,
                "{}",
                letters(&cube)
            );
        }
    }
}

#[test]
fn at_the_deadline_the_incumbent_and_a_bound_are_returned() {
    let cube = superflip();
    let deadline = Instant::now() + Duration::from_millis(300);
    let search = SOLVER.search(&cube, &Goal::shortest().threads(2)).until(deadline);
    let outcome = search.finish().expect("an answer");
    assert!(stickers::solves(&letters(&cube), &outcome.moves.to_string()));
    assert_eq!(outcome.stopped_by, StoppedBy::TimeLimit);
    assert!(!outcome.is_optimal() && (11..outcome.moves.len()).contains(&usize::from(outcome.lower_bound)));
    assert!(outcome.elapsed < Duration::from_secs(3));
}

#[test]
fn a_search_that_is_stopped_ends_and_limits_hold() {
    let cube = scrambled(&mut rng(44));
    let search = |control: &_| SOLVER.search(&cube, &Goal::proof().threads(2)).controlled_by(control).finish();
    cancelled(search, Duration::from_millis(200));
    let cube = walk(&mut rng(45), 9, &Move::ALL);
    let shortest = proven(&cube, 1).moves.len() as u8;
    let refused = SOLVER.solve(&cube, &Goal::proof().max_length(shortest - 1));
    assert!(
        matches!(refused, Err(SolveError::NoneWithin { lower_bound, .. }) if lower_bound == shortest),
        "{refused:?}"
    );
    let found = SOLVER.solve(&cube, &Goal::proof().max_length(shortest)).expect("a solution of the greatest length");
    assert_eq!(found.moves.len(), usize::from(shortest));
}

#[test]
fn all_solutions_are_those_of_an_exhaustive_search() {
    let mut rng = rng(46);
    let mut several = 0;
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() == 2).collect();
    let maneuvers = Maneuvers::new();
    let mut lengths = [0; 9];
    for round in 0..24 {
        // Half turns alone have many solutions.
        let cube = match round % 3 {
            0 => walk(&mut rng, 6 + round / 12, &half_turns),
            _ => walk(&mut rng, round / 3 + 1, &Move::ALL),
        };
        let every = |length| maneuvers.solutions(&cube, length);
        let expected = (0..=2 * HALF).map(every).find(|found| !found.is_empty()).expect("it is that near");
        let goal = Goal::proof().all_shortest().solutions(100).threads(2);
        let outcome = SOLVER.solve(&cube, &goal).expect("an answer");
        assert!(outcome.is_optimal());
        assert_eq!(outcome.optimal_solutions, Some(expected.len() as u64), "{}", letters(&cube));
        let listed = outcome.all().map(<[Move]>::to_vec);
        assert!(listed.eq(expected.iter().take(100).cloned()), "{}", letters(&cube));
        several += usize::from(expected.len() > 1);
        lengths[outcome.moves.len()] += 1;
    }
    assert!(several >= 3 && lengths[4..].iter().all(|&count| count > 0), "{several} {lengths:?}");
}

#[test]
fn known_lengths_are_found_with_the_smallest_table() {
    known_lengths_are_found(&SOLVER, 1..=14);
}

#[test]
fn of_several_targets_the_nearest_is_proven() {
    let mut rng = rng(46);
    for all_shortest in [false, true, false] {
        let from = random_cube(&mut rng);
        let targets: Vec<Cube> = (0..4)
            .map(|_| from.after(&(0..12).map(|_| Move::ALL[rng.random_range(0..18)]).collect::<Vec<_>>()))
            .collect();
        let goal = if all_shortest { Goal::proof().all_shortest().solutions(100) } else { Goal::proof() };
        let alone: Vec<Solution> =
            targets.iter().map(|target| SOLVER.solve(&from, &goal.clone().to([*target])).expect("a way")).collect();
        let shortest = alone.iter().map(Solution::len).min().expect("a way");
        let outcome = SOLVER.solve(&from, &goal.clone().to(targets.clone())).expect("a way");
        assert!(outcome.is_optimal() && outcome.len() == shortest, "{outcome:?}");
        assert_eq!(outcome.stopped_by, StoppedBy::ProvenOptimal);
        let proof = outcome.proof.expect("a record");
        assert_eq!(proof.iterations.last().expect("an iteration").lower_bound, outcome.lower_bound);
        if all_shortest {
            let of_shortest = alone.iter().filter(|way| way.len() == shortest);
            let counts: Option<u64> = of_shortest.map(|way| way.optimal_solutions).sum();
            assert_eq!(outcome.optimal_solutions, counts);
        }
        let below = goal.max_length(Some(shortest as u8 - 1)).to(targets);
        assert!(matches!(SOLVER.solve(&from, &below), Err(SolveError::NoneWithin { .. })));
    }
}
