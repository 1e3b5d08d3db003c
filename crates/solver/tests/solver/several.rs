//! Compares searches for several solutions with brute force: which solutions are listed, and what `stopped_by` says.

use crate::common::brute_force::Maneuvers;
use crate::common::prelude::*;

/// Returns the solutions that an answer lists, in canonical order. Each is replayed on stickers.
fn listed(cube: &Cube, outcome: &Solution) -> Vec<Vec<Move>> {
    let moves: Vec<_> = outcome.all().collect();
    for moves in &moves {
        assert_eq!(stickers::form_fault(&Moves::from(moves).to_string()), None);
        let facelets = letters(cube);
        let moves = Moves::from(moves).to_string();
        assert!(stickers::solves(&facelets, &moves), "{facelets} {moves}");
    }
    moves.into_iter().map(canonical).collect()
}

/// Compares one answer with all solutions of at most `max_length` moves, shortest first.
fn check(cube: &Cube, goal: &Goal, answer: Result<Solution, SolveError>, all: &[Vec<Move>]) {
    let context = format!("{} {goal:?}", letters(cube));
    let Some(shortest) = all.first().map(Vec::len) else {
        assert!(matches!(answer, Err(SolveError::NoneWithin { .. })), "{context}: {answer:?}");
        return;
    };
    let outcome = answer.unwrap_or_else(|error| panic!("{context}: {error}"));
    let listed = listed(cube, &outcome);
    let lengths: Vec<usize> = listed.iter().map(Vec::len).collect();
    assert_eq!(listed.len(), all.len().min(goal.solutions), "{context}: {lengths:?}");
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "{context}");
    assert!(lengths.is_sorted() && listed.iter().all(|moves| all.contains(moves)), "{context}");
    assert!(outcome.is_optimal() && lengths[0] == shortest, "{context}: {lengths:?}");
    // The shortest solutions come first, whatever the target is.
    let are_shortest = all.iter().zip(&lengths).filter(|(moves, _)| moves.len() == shortest);
    assert!(are_shortest.into_iter().all(|(_, &length)| length == shortest), "{context}: {lengths:?}");
    let is_complete = listed.len() == goal.solutions && lengths.iter().all(|&n| n <= goal.target_length.into());
    if goal.solutions == 1 || !is_complete {
        assert_eq!(outcome.stopped_by, StoppedBy::ProvenOptimal, "{context}");
        assert!(all.iter().zip(&lengths).all(|(moves, &length)| moves.len() == length), "{context}: {lengths:?}");
    } else {
        assert_eq!(outcome.stopped_by, StoppedBy::TargetLength, "{context}");
    }
}

/// Cubes at most seven moves from solved: random ones, and ones with many solutions.
fn near_cubes(count: usize) -> Vec<Cube> {
    let mut rng = rng(50);
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() == 2).collect();
    let moves = [&Move::ALL[..], &Move::PHASE_TWO, &half_turns];
    let patterns = ["", "U2 R2 U2 R2 U2 R2", "U2 D2 R2 L2 F2 B2", "R L", "R2 L2 U2 D2", "R2 F2 R2 F2 R2 F2", "F B' U2"];
    let patterns = patterns.map(|text| Cube::SOLVED.after(&text.parse::<Moves>().expect("moves")));
    patterns.into_iter().chain((0..count).map(|i| walk(&mut rng, i % 8, moves[i / 8 % 3]))).take(count).collect()
}

/// Compares `cubes` cubes, in every combination of `solutions` and of `max_length` up to `longest`. Targets and threads alternate.
fn compare(maneuvers: &Maneuvers, cubes: usize, longest: usize) {
    let mut settings = [(0, 1), (20, 1), (7, 1), (20, 2)].into_iter().cycle();
    let mut most = 0;
    let mut compared = 0;
    for (i, cube) in near_cubes(cubes).into_iter().enumerate() {
        let tables: &Arc<Tables> = if i % 2 == 0 { &TINY } else { &SMALL };
        let mut all = Vec::new();
        for max_length in 0..=longest {
            all.extend(maneuvers.solutions(&cube, max_length));
            most = most.max(all.len());
            let counts: BTreeSet<usize> = [1, 2, 3, 8, 100, all.len(), all.len() + 1].into();
            for solutions in counts.into_iter().filter(|count| (1..=100).contains(count)) {
                let (target_length, threads) = settings.next().expect("an endless cycle");
                let max_length = Some(max_length as u8);
                let goal = Goal::default()
                    .target_length(target_length)
                    .max_length(max_length)
                    .solutions(solutions)
                    .threads(threads);
                check(&cube, &goal, solve(tables, &cube, &goal), &all);
                compared += 1;
            }
        }
    }
    println!("{compared} lists; a cube with {most} solutions");
    assert!(most >= 8, "{most}");
}

#[test]
fn lists_of_solutions_equal_brute_force() {
    let maneuvers = Maneuvers::new();
    compare(&maneuvers, 36, 6);
    compare(&maneuvers, 2, 8);
}

#[test]
#[ignore = "takes minutes"]
fn lists_of_solutions_of_a_thousand_cubes_equal_brute_force() {
    let maneuvers = Maneuvers::new();
    compare(&maneuvers, 1000, 7);
    compare(&maneuvers, 50, 8);
}
