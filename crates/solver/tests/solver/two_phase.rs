//! Checks the two-phase search: several solutions, events, several threads, several cubes at once, and symmetric cubes.
//! Every solution is replayed on stickers.

use std::collections::HashSet;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use crate::common::{SMALL, STANDARD, canonical, letters, rng, scrambled, stickers, walk};
use rand::RngExt;
use superflip_cube::{Cube, Move, Moves, Symmetry};
use superflip_solver::search::avoided_axes::AvoidedAxes;
use superflip_solver::search::directions::Direction;
use superflip_solver::search::many::{Next, Queue, QueuedCube, solve_many};
use superflip_solver::search::stop::Halt;
use superflip_solver::search::two_phase::{SearchBuffers, TwoPhase, TwoPhaseLimits, TwoPhaseStatus};
use superflip_solver::search::{
    Options, Outcome, Phases, SearchError, SearchEvent, Stop, StoppedBy, solve, solve_watched,
};
use superflip_solver::tables::Tables;

fn is_solution(cube: &Cube, moves: &[Move]) -> bool {
    let maneuver = Moves::from(moves).to_string();
    assert_eq!(stickers::form_fault(&maneuver), None);
    stickers::is_solved(&stickers::turn(&letters(cube), &maneuver))
}

fn superflip() -> Cube {
    Cube::from_facelets("UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB").unwrap()
}

#[test]
fn several_solutions_are_distinct_rising_and_all_solve() {
    let mut rng = rng(30);
    for wanted in [2, 7, 100] {
        for _ in 0..10 {
            let cube = scrambled(&mut rng);
            let options = Options { target_length: 21, solutions: wanted, ..Options::default() };
            let outcome = solve(&STANDARD, &cube, &options, &Stop::default()).unwrap();
            let mut all = vec![outcome.moves.clone()];
            all.extend(outcome.others.iter().map(|found| found.moves.clone()));
            assert_eq!(all.len(), wanted);
            assert_eq!(all.iter().collect::<HashSet<_>>().len(), wanted);
            assert!(all.iter().all(|moves| moves.len() <= 21 && is_solution(&cube, moves)));
            assert!(all.is_sorted_by_key(Vec::len));
            assert_eq!(outcome.stopped_by, StoppedBy::TargetLength);
        }
    }
}

#[test]
fn several_solutions_of_one_cube_are_several_however_they_are_spelled() {
    let of = |text: &str| Cube::SOLVED.after(&text.parse::<Moves>().unwrap());
    for cube in [of("R L"), of("U2 D2 R2 L2 F2 B2"), of("R2"), superflip()] {
        let deadline = Some(Instant::now() + Duration::from_millis(200));
        let options = Options { target_length: 0, solutions: 100, deadline, ..Options::default() };
        let outcome = solve(&STANDARD, &cube, &options, &Stop::default()).unwrap();
        let best = (outcome.moves.clone(), outcome.phases);
        let all: Vec<(Vec<Move>, Phases)> = std::iter::once(best)
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
        let shortest = solve(&STANDARD, &cube, &Options::default(), &Stop::default()).unwrap();
        let options = Options { solutions: 5, ..Options::default() };
        let outcome = solve(&STANDARD, &cube, &options, &Stop::default()).unwrap();
        assert_eq!((outcome.moves.len(), outcome.proven_optimal), (shortest.moves.len(), true));
        assert_eq!(outcome.others.len(), 4);
        assert!(outcome.others.iter().all(|found| is_solution(&cube, &found.moves)));
    }
}

/// The events of a search, checked for order.
struct News {
    lengths: Vec<usize>,
    bounds: Vec<u8>,
}

fn watched(tables: &Tables, cube: &Cube, options: &Options) -> (Outcome, News) {
    let mut news = News { lengths: Vec::new(), bounds: Vec::new() };
    let mut last_nodes = 0;
    let outcome = solve_watched(tables, cube, options, &Stop::default(), &mut |event, nodes| {
        assert!(nodes >= last_nodes);
        last_nodes = nodes;
        match event {
            SearchEvent::Solution(found) => {
                assert!(is_solution(cube, &found.moves));
                news.lengths.push(found.moves.len());
            }
            SearchEvent::LowerBound(bound) => news.bounds.push(bound),
        }
    });
    let outcome = outcome.unwrap();
    assert!(news.lengths.is_sorted_by(|a, b| a > b) && news.bounds.is_sorted_by(|a, b| a < b));
    assert_eq!(news.lengths.last(), Some(&outcome.moves.len()));
    assert_eq!(news.bounds.last().copied().unwrap_or(0), outcome.lower_bound);
    (outcome, news)
}

#[test]
fn a_watch_hears_every_improvement() {
    let mut rng = rng(32);
    let mut improvements = 0;
    for threads in [1, 2] {
        for _ in 0..10 {
            let deadline = Some(Instant::now() + Duration::from_millis(100));
            let options = Options { target_length: 0, deadline, threads, ..Options::default() };
            let (_, news) = watched(&STANDARD, &scrambled(&mut rng), &options);
            improvements += news.lengths.len() - 1;
        }
    }
    assert!(improvements > 5, "{improvements}");
    for cube in [Cube::SOLVED, walk(&mut rng, 4, &Move::ALL)] {
        let (outcome, news) = watched(&SMALL, &cube, &Options::default());
        assert!(outcome.proven_optimal && news.lengths.len() == 1);
    }
}

#[test]
fn a_watch_hears_of_nothing_longer_than_allowed() {
    let mut rng = rng(38);
    let mut refused = 0;
    for _ in 0..20 {
        let deadline = Some(Instant::now() + Duration::from_millis(10));
        let options = Options { target_length: 0, max_length: Some(18), deadline, ..Options::default() };
        let mut longest = 0;
        let answer = solve_watched(&STANDARD, &scrambled(&mut rng), &options, &Stop::default(), &mut |event, _| {
            if let SearchEvent::Solution(found) = event {
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
            let options = Options { target_length: 19, ..Options::default() };
            let alone = solve(&STANDARD, &cube, &options, &Stop::default()).unwrap();
            let together = solve(&STANDARD, &cube, &Options { threads, ..options }, &Stop::default()).unwrap();
            assert!(alone.moves.len() <= 19 && together.moves.len() <= 19);
            assert!(is_solution(&cube, &together.moves));
        }
    }
}

#[test]
fn several_threads_stop_when_they_are_told_to() {
    let cube = scrambled(&mut rng(34));
    let options = Options { target_length: 0, threads: 2, ..Options::default() };
    let stop = Stop::default();
    let (result, late) = std::thread::scope(|scope| {
        let search = scope.spawn(|| solve(&STANDARD, &cube, &options, &stop));
        std::thread::sleep(Duration::from_millis(200));
        stop.stop();
        let told = Instant::now();
        (search.join().unwrap(), told.elapsed())
    });
    assert!(matches!(result, Err(SearchError::Cancelled { .. })), "{result:?}");
    assert!(late < Duration::from_secs(2), "{late:?}");
    let deadline = Some(Instant::now() + Duration::from_millis(100));
    let outcome = solve(&STANDARD, &cube, &Options { deadline, ..options }, &Stop::default()).unwrap();
    assert_eq!(outcome.stopped_by, StoppedBy::TimeLimit);
}

/// A search without a solution must end early enough for a restart, also in the middle of a level.
#[test]
fn several_threads_end_an_empty_search_in_time() {
    let cube = scrambled(&mut rng(39));
    let directions = Direction::all(&STANDARD, &cube);
    let started = Instant::now();
    let limits = TwoPhaseLimits {
        // Too short for a solution. The level in which `empty_deadline` passes takes a second or more.
        at_most: 17,
        target: 17,
        wanted: 1,
        deadline: Some(started + Duration::from_secs(8)),
        empty_deadline: Some(started + Duration::from_millis(500)),
        threads: 2,
        avoided: AvoidedAxes::default(),
    };
    let mut search = TwoPhase::new(&STANDARD, directions, 0, limits, Stop::default(), SearchBuffers::default());
    let status = loop {
        match search.advance(&mut |found, _| panic!("{found:?}")) {
            TwoPhaseStatus::Going => {}
            ended => break ended,
        }
    };
    assert_eq!(status, TwoPhaseStatus::Halted(Halt::Deadline));
    assert!(started.elapsed() < Duration::from_millis(1250), "{:?}", started.elapsed());
}

/// A queue of cubes and answers, with a pause now and then.
struct Desk {
    cubes: Vec<Cube>,
    options: Options,
    next: usize,
    asked: usize,
    answers: Vec<Option<Result<Outcome, SearchError>>>,
    stop_after: Option<(usize, Stop)>,
}

impl Desk {
    fn new(cubes: &[Cube], options: &Options) -> Self {
        Self {
            cubes: cubes.to_vec(),
            options: options.clone(),
            next: 0,
            asked: 0,
            answers: vec![None; cubes.len()],
            stop_after: None,
        }
    }
}

impl Queue for Desk {
    fn next(&mut self, wait: bool) -> Next {
        self.asked += 1;
        if !wait && self.asked.is_multiple_of(3) {
            return Next::Later;
        }
        let Some(&cube) = self.cubes.get(self.next) else { return Next::End };
        self.next += 1;
        let (ticket, options) = (self.next as u64 - 1, self.options.clone());
        Next::Cube(Box::new(QueuedCube { ticket, cube, options, time_limit: None, proof: None }))
    }

    fn done(&mut self, ticket: u64, answer: Result<Outcome, SearchError>, _: Duration) {
        assert!(self.answers[ticket as usize].replace(answer).is_none(), "answered twice");
        if let Some((after, stop)) = &self.stop_after
            && self.answers.iter().flatten().count() == *after
        {
            stop.stop();
        }
    }
}

#[test]
fn cubes_that_share_a_thread_get_the_answers_they_get_alone() {
    let mut rng = rng(35);
    let mut cubes: Vec<Cube> = (0..150).map(|_| scrambled(&mut rng)).collect();
    cubes.extend((0..50).map(|i| walk(&mut rng, i / 4, &Move::ALL)));
    cubes.push(superflip());
    for tables in [&SMALL, &STANDARD] {
        let options = Options { target_length: 21, ..Options::default() };
        let plain = |outcome: Outcome| Outcome { elapsed: Duration::ZERO, ..outcome };
        let alone: Vec<Outcome> =
            cubes.iter().map(|cube| plain(solve(tables, cube, &options, &Stop::default()).unwrap())).collect();
        for in_flight in [0, 1, 3, 16] {
            let mut desk = Desk::new(&cubes, &options);
            solve_many(tables, in_flight, &mut desk, &Stop::default());
            let together = desk.answers.into_iter().map(|answer| plain(answer.unwrap().unwrap()));
            // Equal in every turn and every node.
            assert!(together.eq(alone.iter().cloned()));
        }
    }
}

#[test]
fn the_times_of_interleaved_searches_add_up_to_the_time_of_the_thread() {
    let mut rng = rng(40);
    let cubes: Vec<Cube> = (0..300).map(|_| scrambled(&mut rng)).collect();
    let mut desk = Desk::new(&cubes, &Options::default());
    LazyLock::force(&STANDARD);
    let started = Instant::now();
    solve_many(&STANDARD, 8, &mut desk, &Stop::default());
    let whole = started.elapsed();
    let sum: Duration = desk.answers.into_iter().map(|answer| answer.unwrap().unwrap().elapsed).sum();
    assert!(sum <= whole && sum > whole / 2, "{sum:?} of {whole:?}");
}

#[test]
fn a_queue_that_is_stopped_leaves_no_search_behind() {
    let mut rng = rng(36);
    let cubes: Vec<Cube> = (0..100).map(|_| scrambled(&mut rng)).collect();
    let stop = Stop::default();
    let mut desk = Desk::new(&cubes, &Options::default());
    desk.stop_after = Some((10, stop.clone()));
    solve_many(&STANDARD, 8, &mut desk, &stop);
    let taken = desk.next;
    let answered = desk.answers.iter().flatten().count();
    assert_eq!(taken, answered, "every cube that was taken is answered, if only as cancelled");
    assert!((10..=18).contains(&answered), "{answered}");
    for (cube, answer) in cubes.iter().zip(&desk.answers) {
        match answer {
            Some(Ok(outcome)) => assert!(is_solution(cube, &outcome.moves)),
            Some(Err(error)) => assert!(matches!(error, SearchError::Cancelled { .. }), "{error}"),
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
fn symmetric_cubes_take_at_most_twenty_turns_too() {
    let mut through_images = 0;
    for cube in symmetric_cubes() {
        let outcome = solve(&STANDARD, &cube, &Options::default(), &Stop::default()).unwrap();
        assert!(outcome.moves.len() <= 20 && is_solution(&cube, &outcome.moves), "{}", letters(&cube));
        through_images += usize::from(matches!(outcome.phases, Phases::TwoPhase { .. }));
    }
    assert!(through_images > 20, "{through_images}");
    assert_eq!(solve(&STANDARD, &superflip(), &Options::default(), &Stop::default()).unwrap().moves.len(), 20);
}
