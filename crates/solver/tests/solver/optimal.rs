//! Checks optimal solutions against proofs that use other tables.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::common::{STANDARD, letters, rng, scrambled, stickers, tables_folder, walk};
use superflip_cube::{Cube, Move, Moves, Symmetry};
use superflip_solver::search::{Options, Outcome, SearchError, SearchEvent, Stop, StoppedBy, solve, solve_optimal};
use superflip_solver::tables::Quiet;
use superflip_solver::tables::optimal::{OptimalTable, Size};

static TABLE: LazyLock<OptimalTable> = LazyLock::new(|| {
    OptimalTable::open_or_build(&tables_folder(), Size::S, &Quiet, &AtomicBool::new(false)).expect("a table")
});

fn proven(cube: &Cube, threads: usize) -> Outcome {
    let options = Options { threads, ..Options::default() };
    let mut bounds = Vec::new();
    let mut lengths = Vec::new();
    let outcome = solve_optimal(&STANDARD, &TABLE, cube, &options, &Stop::default(), &mut |event, _| match event {
        SearchEvent::Solution(found) => lengths.push(found.moves.len()),
        SearchEvent::LowerBound(bound) => bounds.push(bound),
    });
    let outcome = outcome.expect("an answer");
    assert!(stickers::is_solved(&stickers::turn(&letters(cube), &Moves::from(&outcome.moves).to_string())));
    assert_eq!(stickers::form_fault(&Moves::from(&outcome.moves).to_string()), None);
    assert!(outcome.proven_optimal && usize::from(outcome.lower_bound) == outcome.moves.len());
    assert_eq!(outcome.stopped_by, StoppedBy::ProvenOptimal);
    assert!(lengths.is_sorted_by(|a, b| a > b) && bounds.is_sorted_by(|a, b| a < b));
    assert_eq!((lengths.last(), bounds.last()), (Some(&outcome.moves.len()), Some(&outcome.lower_bound)));
    outcome
}

/// An independent proof: the two-phase search proves a length once phase 1 has exhausted all shorter maneuvers.
fn proven_by_two_phases(cube: &Cube) -> Option<usize> {
    let deadline = Some(Instant::now() + Duration::from_secs(20));
    let options = Options { target_length: 0, deadline, threads: 2, ..Options::default() };
    let outcome = solve(&STANDARD, cube, &options, &Stop::default()).expect("an answer");
    outcome.proven_optimal.then_some(outcome.moves.len())
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
            assert!(usize::from(TABLE.bound(&cube)) <= length, "{}", letters(&cube));
        }
    }
}

#[test]
fn at_the_deadline_the_incumbent_and_a_bound_are_returned() {
    let cube = superflip();
    let options =
        Options { deadline: Some(Instant::now() + Duration::from_millis(300)), threads: 2, ..Options::default() };
    let outcome =
        solve_optimal(&STANDARD, &TABLE, &cube, &options, &Stop::default(), &mut |_, _| {}).expect("an answer");
    assert!(stickers::is_solved(&stickers::turn(&letters(&cube), &Moves::from(&outcome.moves).to_string())));
    assert_eq!(outcome.stopped_by, StoppedBy::TimeLimit);
    assert!(!outcome.proven_optimal && (11..outcome.moves.len()).contains(&usize::from(outcome.lower_bound)));
    assert!(outcome.elapsed < Duration::from_secs(3));
}

#[test]
fn a_search_that_is_stopped_ends_and_limits_hold() {
    let cube = scrambled(&mut rng(44));
    let stop = Stop::default();
    let result = std::thread::scope(|scope| {
        let options = Options { threads: 2, ..Options::default() };
        let (stop, cube) = (&stop, &cube);
        let search = scope.spawn(move || solve_optimal(&STANDARD, &TABLE, cube, &options, stop, &mut |_, _| {}));
        std::thread::sleep(Duration::from_millis(200));
        stop.stop();
        search.join().expect("no panic")
    });
    assert!(matches!(result, Err(SearchError::Cancelled { .. })), "{result:?}");
    let cube = walk(&mut rng(45), 9, &Move::ALL);
    let shortest = proven(&cube, 1).moves.len() as u8;
    let options = Options { max_length: Some(shortest - 1), ..Options::default() };
    let refused = solve_optimal(&STANDARD, &TABLE, &cube, &options, &Stop::default(), &mut |_, _| {});
    assert!(
        matches!(refused, Err(SearchError::NoSolutionWithinLimits { lower_bound, .. }) if lower_bound == shortest),
        "{refused:?}"
    );
}

/// Every optimal solution, with opposite faces in order, by meeting in the middle: all maneuvers of up to four turns from
/// either end, without pruning.
fn exhausted(cube: &Cube) -> BTreeSet<Vec<Move>> {
    const HALF: usize = 4;
    type Ends = HashMap<Cube, Vec<Vec<Move>>>;
    let levels = |from: Cube| {
        let mut levels: Vec<Ends> = vec![HashMap::from([(from, vec![Vec::new()])])];
        for _ in 0..HALF {
            let mut next = Ends::new();
            for (cube, ways) in &levels[levels.len() - 1] {
                for turn in Move::ALL {
                    let longer = ways.iter().map(|way| [way.as_slice(), &[turn]].concat());
                    next.entry(cube.then(turn.cube())).or_default().extend(longer);
                }
            }
            levels.push(next);
        }
        levels
    };
    let (from_cube, from_home) = (levels(*cube), levels(Cube::SOLVED));
    for length in 0..=2 * HALF {
        let front = length.min(HALF);
        let mut found = BTreeSet::new();
        for (middle, ways) in &from_cube[front] {
            for back in from_home[length - front].get(middle).into_iter().flatten() {
                found.extend(ways.iter().map(|way| {
                    let mut moves: Vec<Move> =
                        way.iter().copied().chain(back.iter().rev().map(|turn| turn.inverse())).collect();
                    for at in 1..moves.len() {
                        let (a, b) = (moves[at - 1].face(), moves[at].face());
                        if a.opposite() == b && a > b {
                            moves.swap(at - 1, at);
                        }
                    }
                    moves
                }));
            }
        }
        if !found.is_empty() {
            return found;
        }
    }
    panic!("farther than {} turns", 2 * HALF)
}

#[test]
fn all_solutions_are_those_of_an_exhaustive_search() {
    let mut rng = rng(46);
    let mut several = 0;
    let half_turns: Vec<Move> = Move::ALL.into_iter().filter(|turn| turn.quarters() == 2).collect();
    let mut lengths = [0; 9];
    for round in 0..24 {
        // Half turns alone have many solutions.
        let cube = match round % 3 {
            0 => walk(&mut rng, 6 + round / 12, &half_turns),
            _ => walk(&mut rng, round / 3 + 1, &Move::ALL),
        };
        let expected = exhausted(&cube);
        let options = Options { all_optimal: true, solutions: 100, threads: 2, ..Options::default() };
        let outcome =
            solve_optimal(&STANDARD, &TABLE, &cube, &options, &Stop::default(), &mut |_, _| {}).expect("an answer");
        assert!(outcome.proven_optimal);
        assert_eq!(outcome.optimal_solutions, Some(expected.len() as u64), "{}", letters(&cube));
        let listed: Vec<&Vec<Move>> =
            std::iter::once(&outcome.moves).chain(outcome.others.iter().map(|found| &found.moves)).collect();
        assert!(listed.into_iter().eq(expected.iter().take(100)), "{}", letters(&cube));
        several += usize::from(expected.len() > 1);
        lengths[outcome.moves.len()] += 1;
    }
    assert!(several >= 3 && lengths[4..].iter().all(|&count| count > 0), "{several} {lengths:?}");
}

/// The superflip: 20 turns from solved (Reid 1995), with a table bound of 0.
fn superflip() -> Cube {
    superflip_cube::Cube::from_scramble("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2").expect("a scramble")
}

/// Cubes of known optimal length, 30 of each but for length 1; the file says from where.
fn labelled() -> impl Iterator<Item = (usize, Cube)> {
    let lines = include_str!("../data/optimal_lengths.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (length, scramble) = line.split_once(' ').expect("a length and a scramble");
        (length.parse().expect("a length"), superflip_cube::Cube::from_scramble(scramble).expect("a scramble"))
    })
}

fn known_lengths_are_found(table: &OptimalTable, lengths: std::ops::RangeInclusive<usize>) {
    let mut met = HashMap::new();
    for (length, cube) in labelled().filter(|(length, _)| lengths.contains(length)) {
        let options = Options { threads: 2, ..Options::default() };
        let outcome =
            solve_optimal(&STANDARD, table, &cube, &options, &Stop::default(), &mut |_, _| {}).expect("an answer");
        assert!(outcome.proven_optimal);
        assert_eq!(outcome.moves.len(), length, "{}", letters(&cube));
        assert!(stickers::is_solved(&stickers::turn(&letters(&cube), &Moves::from(&outcome.moves).to_string())));
        *met.entry(length).or_insert(0) += 1;
    }
    for length in lengths {
        assert_eq!(met[&length], if length == 1 { 18 } else { 30 }, "{length}");
    }
}

#[test]
fn known_lengths_are_found_with_the_smallest_table() {
    known_lengths_are_found(&TABLE, 1..=14);
}

#[test]
fn known_lengths_are_found_with_the_middle_table() {
    let table = OptimalTable::open_or_build(&tables_folder(), Size::M, &Quiet, &AtomicBool::new(false));
    known_lengths_are_found(&table.expect("a table"), 12..=15);
}

#[test]
#[ignore = "takes minutes, 5.2 GB of memory and 2.7 GB of disk"]
fn known_lengths_are_found_with_the_largest_table_and_the_superflip_has_twenty() {
    let folder = tempfile::tempdir().expect("a folder");
    let open = || OptimalTable::open_or_build(folder.path(), Size::L, &Quiet, &AtomicBool::new(false));
    let table = open().expect("a table");
    known_lengths_are_found(&table, 15..=18);
    let options = Options { threads: 2, ..Options::default() };
    let outcome =
        solve_optimal(&STANDARD, &table, &superflip(), &options, &Stop::default(), &mut |_, _| {}).expect("an answer");
    assert!(outcome.proven_optimal);
    assert_eq!(outcome.moves.len(), 20);
}
