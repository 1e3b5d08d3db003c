//! Checks the two-phase search: several solutions, events, several threads, several cubes at once, and symmetric cubes.
//! Every solution is replayed on stickers.

use superflip_solver::search::Interleaved;

use crate::common::prelude::*;

fn is_solution(cube: &Cube, moves: &[Move]) -> bool {
    let maneuver = Moves::from(moves).to_string();
    assert_eq!(stickers::form_fault(&maneuver), None);
    stickers::solves(&letters(cube), &maneuver)
}

#[test]
fn several_solutions_are_distinct_rising_and_all_solve() {
    let mut rng = rng(30);
    for wanted in [2, 7, 100] {
        for _ in 0..10 {
            let cube = scrambled(&mut rng);
            let goal = Goal::default().target_length(21).solutions(wanted);
            let outcome = solve(&SMALL, &cube, &goal).unwrap();
            let mut all = vec![outcome.moves.clone()];
            all.extend(outcome.others.iter().map(|found| found.moves.clone()));
            assert_eq!(all.len(), wanted);
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), wanted);
            assert!(all.iter().all(|moves| moves.len() <= 21 && is_solution(&cube, moves)));
            assert!(all.is_sorted_by_key(|moves| moves.len()));
            assert_eq!(outcome.stopped_by, StoppedBy::TargetLength);
        }
    }
}

#[test]
fn solutions_that_differ_in_spelling_alone_count_once() {
    let of = |text: &str| Cube::SOLVED.after(&text.parse::<Moves>().unwrap());
    for cube in [of("R L"), of("U2 D2 R2 L2 F2 B2"), of("R2"), superflip()] {
        let outcome = solve_for(200, &SMALL, &cube, &Goal::shortest().solutions(100)).unwrap();
        let best = (outcome.moves.clone(), outcome.phases);
        let all: Vec<(Moves, Phases)> = std::iter::once(best)
            .chain(outcome.others.iter().map(|found| (found.moves.clone(), found.phases)))
            .collect();
        assert_eq!(all.iter().map(|(moves, _)| canonical(moves)).collect::<HashSet<_>>().len(), all.len());
        // No solution is as short as the target: the search ends at the deadline or when nothing better is left.
        assert_ne!(outcome.stopped_by, StoppedBy::TargetLength);
        for (moves, phases) in &all {
            assert!(is_solution(&cube, moves));
            if let Phases::TwoPhase { lengths, .. } = phases {
                assert_eq!(lengths.iter().map(|&part| usize::from(part)).sum::<usize>(), moves.len());
            }
        }
    }
}

#[test]
fn several_solutions_of_a_near_cube_begin_with_a_shortest() {
    let mut rng = rng(31);
    for _ in 0..5 {
        let cube = walk(&mut rng, 5, &Move::ALL);
        let shortest = solve(&SMALL, &cube, &Goal::default()).unwrap();
        let goal = Goal::default().solutions(5);
        let outcome = solve(&SMALL, &cube, &goal).unwrap();
        assert_eq!((outcome.moves.len(), outcome.is_optimal()), (shortest.moves.len(), true));
        assert_eq!(outcome.others.len(), 4);
        assert!(outcome.others.iter().all(|found| is_solution(&cube, &found.moves)));
    }
}

/// The events of a search, checked for order.
struct EventLog {
    lengths: Vec<usize>,
    bounds: Vec<u8>,
}

fn watched(milliseconds: u64, tables: &Arc<Tables>, cube: &Cube, goal: &Goal) -> (Solution, EventLog) {
    let mut log = EventLog { lengths: Vec::new(), bounds: Vec::new() };
    let mut last_nodes = 0;
    let solver = solver(tables);
    let search = solver.search(cube, goal).until(Instant::now() + Duration::from_millis(milliseconds));
    let outcome = search.watch(&mut |event, nodes| {
        assert!(nodes >= last_nodes);
        last_nodes = nodes;
        match event {
            Event::Solution(found) => {
                assert!(is_solution(cube, &found.moves));
                log.lengths.push(found.moves.len());
            }
            Event::LowerBound(bound) => log.bounds.push(bound),
            Event::Proof(proof) => panic!("it was not asked for: {proof:?}"),
        }
    });
    let outcome = outcome.unwrap();
    assert!(log.lengths.is_sorted_by(|a, b| a > b) && log.bounds.is_sorted_by(|a, b| a < b));
    assert_eq!(log.lengths.last(), Some(&outcome.moves.len()));
    assert_eq!(log.bounds.last().copied().unwrap_or(0), outcome.lower_bound);
    (outcome, log)
}

#[test]
fn every_improvement_is_an_event() {
    let mut rng = rng(32);
    let mut improvements = 0;
    for threads in [1, 2] {
        for _ in 0..10 {
            let (_, log) = watched(100, &SMALL, &scrambled(&mut rng), &Goal::shortest().threads(threads));
            improvements += log.lengths.len() - 1;
        }
    }
    assert!(improvements > 5, "{improvements}");
    for cube in [Cube::SOLVED, walk(&mut rng, 4, &Move::ALL)] {
        let (outcome, log) = watched(1000, &SMALL, &cube, &Goal::default());
        assert!(outcome.is_optimal() && log.lengths.len() == 1);
    }
}

/// The iterator over the events of a search, then its end, give what a watched search gives.
#[test]
fn iterated_events_end_with_the_solution() {
    let mut rng = rng(42);
    let solver = solver(&SMALL);
    for cube in [Cube::SOLVED, walk(&mut rng, 6, &Move::ALL), scrambled(&mut rng)] {
        let mut expected = Vec::new();
        let watched = solver.search(&cube, &Goal::within(20)).watch(&mut |event, _| expected.push(event)).unwrap();
        let mut search = solver.search(&cube, &Goal::within(20));
        assert_eq!(search.by_ref().collect::<Vec<_>>(), expected);
        assert_eq!(search.finish().unwrap().moves, watched.moves);
    }
}

#[test]
fn no_event_has_a_solution_longer_than_allowed() {
    let mut rng = rng(38);
    let mut refused = 0;
    for _ in 0..20 {
        let mut longest = 0;
        let solver = solver(&SMALL);
        let cube = scrambled(&mut rng);
        let mut search = solver.search(&cube, &Goal::shortest().max_length(18));
        search = search.until(Instant::now() + Duration::from_millis(10));
        let answer = search.watch(&mut |event, _| {
            if let Event::Solution(found) = event {
                longest = longest.max(found.moves.len());
            }
        });
        assert!(longest <= 18);
        assert_eq!(answer.is_ok(), longest > 0);
        refused += usize::from(answer.is_err());
    }
    assert!(refused > 0);
}

#[test]
fn several_threads_find_answers_as_short() {
    let mut rng = rng(33);
    for threads in [2, 3, 8] {
        for _ in 0..15 {
            let cube = scrambled(&mut rng);
            let goal = Goal::default().target_length(19);
            let alone = solve(&SMALL, &cube, &goal).unwrap();
            let together = solve(&SMALL, &cube, &goal.threads(threads)).unwrap();
            assert!(alone.moves.len() <= 19 && together.moves.len() <= 19);
            assert!(is_solution(&cube, &together.moves));
        }
    }
}

#[test]
fn several_threads_stop_when_they_are_told_to() {
    let cube = scrambled(&mut rng(34));
    let goal = Goal::shortest().threads(2);
    let search = |control: &_| solver(&SMALL).search(&cube, &goal).controlled_by(control).finish();
    let late = cancelled(search, Duration::from_millis(200));
    assert!(late < Duration::from_secs(2), "{late:?}");
    let outcome = solve_for(100, &SMALL, &cube, &goal).unwrap();
    assert_eq!(outcome.stopped_by, StoppedBy::TimeLimit);
}

/// A search without a solution must end early enough for a restart, also in the middle of a level.
#[test]
fn several_threads_end_an_empty_search_in_time() {
    let cube = scrambled(&mut rng(39));
    let directions = Direction::all(&SMALL, &cube);
    let started = Instant::now();
    // Too short for a solution. The level in which `empty_deadline` passes takes a second or more.
    let best = BestSolutions::new(&cube, Goal::within(17).threads(2));
    let empty_deadline = started + Duration::from_millis(500);
    let control = Control::new().until(started + Duration::from_secs(8));
    let mut search = TwoPhase::new(&SMALL, directions, &best, 0, Some(empty_deadline), &control);
    let status = loop {
        match search.advance(&best, &mut |_| {}) {
            TwoPhaseStatus::Going => {}
            ended => break ended,
        }
    };
    assert!(best.found().is_empty());
    assert_eq!(status, TwoPhaseStatus::Halted(Cancelled::Deadline));
    assert!(started.elapsed() < Duration::from_millis(1250), "{:?}", started.elapsed());
}

/// Solves the cubes on this thread, `in_flight` at a time. Calls `done` with the number of answers so far.
fn interleaved(
    tables: &Arc<Tables>,
    in_flight: usize,
    cubes: &[Cube],
    goal: &Goal,
    control: &Control,
    mut done: impl FnMut(usize),
) -> Vec<Option<Result<Solution, SolveError>>> {
    let solver = solver(tables);
    let mut running = Interleaved::default();
    let mut answers = vec![None; cubes.len()];
    let mut count = 0;
    let mut waiting = cubes.iter().enumerate();
    loop {
        while running.len() < in_flight
            && !control.is_cancelled()
            && let Some((number, cube)) = waiting.next()
        {
            running.push(number, solver.search(cube, goal).controlled_by(control));
        }
        if running.is_empty() {
            return answers;
        }
        running.advance(|number: usize, answer, _| {
            assert!(answers[number].replace(answer).is_none(), "answered twice");
            count += 1;
            done(count);
        });
    }
}

#[test]
fn cubes_that_share_a_thread_get_the_answers_they_get_alone() {
    let mut rng = rng(35);
    let mut cubes: Vec<Cube> = (0..150).map(|_| scrambled(&mut rng)).collect();
    cubes.extend((0..50).map(|i| walk(&mut rng, i / 4, &Move::ALL)));
    cubes.push(superflip());
    let plain = |answer: Result<Solution, SolveError>| Solution { elapsed: Duration::ZERO, ..answer.unwrap() };
    for tables in [&SMALL, &TINY] {
        let goal = Goal::default().target_length(21);
        let alone: Vec<Solution> = cubes.iter().map(|cube| plain(solve(tables, cube, &goal))).collect();
        for in_flight in [1, 3, 16] {
            let together = interleaved(tables, in_flight, &cubes, &goal, &Control::new(), |_| ());
            // Equal in every move and every node.
            assert!(together.into_iter().map(|answer| plain(answer.unwrap())).eq(alone.iter().cloned()));
        }
        let solver = solver(tables);
        let all = solver.solve_all(cubes.iter().copied(), &goal).map(|(cube, answer)| (cube, plain(answer)));
        assert!(all.eq(cubes.iter().copied().zip(alone)));
    }
}

#[test]
fn times_of_interleaved_searches_add_up() {
    let mut rng = rng(40);
    let cubes: Vec<Cube> = (0..300).map(|_| scrambled(&mut rng)).collect();
    LazyLock::force(&SMALL);
    let started = Instant::now();
    let answers = interleaved(&SMALL, 8, &cubes, &Goal::default(), &Control::new(), |_| ());
    let whole = started.elapsed();
    let sum: Duration = answers.into_iter().map(|answer| answer.unwrap().unwrap().elapsed).sum();
    assert!(sum <= whole && sum > whole / 2, "{sum:?} of {whole:?}");
}

#[test]
fn cancelled_searches_that_share_a_thread_all_end() {
    let mut rng = rng(36);
    let cubes: Vec<Cube> = (0..100).map(|_| scrambled(&mut rng)).collect();
    let control = Control::new();
    let cancel = |count| {
        if count == 10 {
            control.cancel();
        }
    };
    let answers = interleaved(&SMALL, 8, &cubes, &Goal::default(), &control, cancel);
    let answered = answers.iter().flatten().count();
    assert!((10..=18).contains(&answered), "{answered}");
    for (cube, answer) in cubes.iter().zip(&answers) {
        match answer {
            Some(Ok(outcome)) => assert!(is_solution(cube, &outcome.moves)),
            Some(Err(error)) => assert!(matches!(error, SolveError::Cancelled { .. }), "{error}"),
            None => {}
        }
    }
}

/// Symmetric patterns and maneuvers, the superflip, and random cubes that a symmetry maps to their inverse.
fn symmetric_cubes() -> Vec<Cube> {
    let mut cubes: Vec<Cube> = [
        "",
        "U2 D2 F2 B2 L2 R2",
        "F2 B2 U D' R2 L2 U D'",
        "U D' R L' F B' U D'",
        "R2 L2 U2 R2 L2 U2",
        "U' L2 U F' R2 U2 L' D L D R B' D' U' F2",
        "R2 L2 F2 B2",
        "U2 F2 U2 F2 U2 F2",
    ]
    .map(|pattern| superflip().after(&pattern.parse::<Moves>().unwrap()))
    .to_vec();
    let mut rng = rng(37);
    for _ in 0..40 {
        // With s of order two, s maps m s(m)^-1 to its inverse.
        let cube = scrambled(&mut rng);
        let s = Symmetry::try_from_index(rng.random_range(0..48)).unwrap();
        if s.then(s) == Symmetry::IDENTITY {
            cubes.push(cube.then(&s.conjugate(&cube).inverse()));
        }
    }
    cubes
}

#[test]
fn symmetric_cubes_take_at_most_twenty_moves_too() {
    let mut through_images = 0;
    for cube in symmetric_cubes() {
        let outcome = solve(&SMALL, &cube, &Goal::default()).unwrap();
        assert!(outcome.moves.len() <= 20 && is_solution(&cube, &outcome.moves), "{}", letters(&cube));
        through_images += usize::from(matches!(outcome.phases, Phases::TwoPhase { .. }));
    }
    assert!(through_images > 20, "{through_images}");
    assert_eq!(solve(&SMALL, &superflip(), &Goal::default()).unwrap().moves.len(), 20);
}
