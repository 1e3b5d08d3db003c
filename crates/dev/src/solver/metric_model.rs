//! A model of the metrics other than HTM: stickers as permutations of 54 places, and a table of what the turns of an axis count; and
//! the checks of a solver with it.

use rand::seq::IndexedRandom;
use superflip_cube::metric::Metric;
use superflip_solver::Found;

use super::prelude::*;

/// Where the sticker of each place comes from.
pub type Places = [u8; 54];

pub const FACES: [[&str; 2]; 3] = [["U", "D"], ["R", "L"], ["F", "B"]];

/// What quarter turns `[a, b]` of the two faces of an axis count together.
pub fn count(metric: Metric, [a, b]: [usize; 2]) -> u8 {
    let quarters = |turns: usize| [0, 1, 2, 1][turns];
    match metric {
        Metric::Qtm => quarters(a) + quarters(b),
        // Turns of opposite faces in the same direction in space turn the slice between them.
        Metric::Stm if a > 0 && a + b == 4 => 1,
        Metric::Htm | Metric::Etm | Metric::Stm => u8::from(a > 0) + u8::from(b > 0),
        Metric::Axht => u8::from(a + b > 0),
        Metric::Axqt => quarters(a).max(quarters(b)),
    }
}

pub fn turn(face: &str, quarters: usize) -> String {
    [String::new(), face.to_owned(), format!("{face}2"), format!("{face}'")][quarters].clone()
}

/// One of the 45 turns of an axis: its places, its moves, and what it counts.
pub fn axis_turns(metric: Metric) -> Vec<(Places, String, u8)> {
    let letters: String = (0..54_u8).map(|place| char::from(b'A' + place)).collect();
    let mut turns = Vec::new();
    for faces in FACES {
        for quarters in (1..16).map(|number| [number % 4, number / 4]) {
            let moves = format!("{} {}", turn(faces[0], quarters[0]), turn(faces[1], quarters[1])).trim().to_owned();
            let moved = stickers::apply(&letters, &moves);
            let places: Vec<u8> = moved.bytes().map(|letter| letter - b'A').collect();
            turns.push((places.try_into().expect("54 stickers"), moves, count(metric, quarters)));
        }
    }
    turns
}

/// A position with a maneuver that makes it.
pub type Position = (Places, String);

/// The positions at each distance up to `depth`, by a plain search.
pub fn spheres(metric: Metric, depth: u8) -> Vec<Vec<Position>> {
    let turns = axis_turns(metric);
    let solved: Places = std::array::from_fn(|place| place as u8);
    let mut seen = HashSet::from([solved]);
    let mut spheres = vec![vec![(solved, String::new())]];
    for next in 1..=depth {
        let mut sphere = Vec::new();
        for (places, moves, counted) in &turns {
            let Some(before) = next.checked_sub(*counted) else { continue };
            for (position, maneuver) in &spheres[usize::from(before)] {
                let after = places.map(|from| position[usize::from(from)]);
                if seen.insert(after) {
                    sphere.push((after, format!("{maneuver} {moves}")));
                }
            }
        }
        spheres.push(sphere);
    }
    spheres
}

/// The length of a solution in a metric, counted turn by turn.
pub fn counted(metric: Metric, moves: &[Move]) -> usize {
    let axis = |name: &str| FACES.iter().position(|faces| faces.contains(&&name[..1])).expect("a face");
    let names: Vec<&str> = moves.iter().map(|mv| mv.name()).collect();
    let runs = names.chunk_by(|a, b| axis(a) == axis(b));
    let length = |run: &[&str]| {
        let mut quarters = [0; 2];
        for name in run {
            let own = &mut quarters[usize::from(FACES[axis(name)][1] == &name[..1])];
            assert_eq!(*own, 0, "a face turns twice in a row: {names:?}");
            *own = ["", "2", "'"].iter().position(|suffix| *suffix == &name[1..]).expect("a suffix") + 1;
        }
        usize::from(count(metric, quarters))
    };
    runs.map(length).sum()
}

/// Checks a solution on stickers and its length.
pub fn check(cube: &Cube, metric: Metric, solution: &Solution) {
    assert_eq!(solution.metric, metric);
    for moves in solution.all() {
        assert!(stickers::solves(&letters(cube), &Moves::from(moves).to_string()), "{metric:?}: {moves:?}");
    }
    assert_eq!(solution.len(), counted(metric, &solution.moves));
    assert!(usize::from(solution.lower_bound) <= solution.len());
    let found = Found { moves: solution.moves.clone(), phases: solution.phases };
    if let Phases::TwoPhase { lengths, .. } = found.phases {
        assert_eq!(lengths.iter().map(|&length| usize::from(length)).sum::<usize>(), found.moves.len());
    }
}

/// Random cubes get solutions as short as asked for, with bounds and reports that only improve.
pub fn random_cubes_are_solved(solver: &Solver) {
    let mut rng = rng(61);
    for (metric, target) in [(Metric::Qtm, 28), (Metric::Stm, 19), (Metric::Axht, 17), (Metric::Axqt, 24)] {
        for wanted in [1, 5] {
            let cube = random_cube(&mut rng);
            let goal = Goal::within(target).metric(metric).solutions(wanted).threads(wanted.min(2));
            let mut lengths = Vec::new();
            let mut bounds = Vec::new();
            let solution = solver
                .search(&cube, &goal)
                .watch(&mut |event, _| match event {
                    Event::Solution(found) => lengths.push(counted(metric, &found.moves)),
                    Event::LowerBound(bound) => bounds.push(bound),
                    Event::Proof(proof) => panic!("it was not asked for: {proof:?}"),
                })
                .unwrap();
            check(&cube, metric, &solution);
            assert_eq!((solution.others.len() + 1, solution.stopped_by), (wanted, StoppedBy::TargetLength));
            assert!(solution.all().all(|moves| counted(metric, moves) <= usize::from(target)));
            assert!(solution.all().map(|moves| counted(metric, moves)).is_sorted());
            assert_eq!(lengths.last(), Some(&solution.len()));
            assert!(lengths.is_sorted_by(|a, b| a > b) && bounds.is_sorted_by(|a, b| a < b));
        }
    }
}

/// Near positions get shortest solutions with proof, of the length that the model finds.
pub fn near_positions_are_solved_shortest(solver: &Solver) {
    let mut rng = rng(60);
    for (metric, depth) in [(Metric::Qtm, 5), (Metric::Stm, 3), (Metric::Axht, 3), (Metric::Axqt, 3)] {
        for (distance, sphere) in spheres(metric, depth).iter().enumerate() {
            for (_, maneuver) in sphere.sample(&mut rng, 25) {
                let cube = Cube::SOLVED.after(&maneuver.parse::<Moves>().unwrap());
                let solution = solver.solve(&cube, &Goal::shortest().metric(metric)).unwrap();
                check(&cube, metric, &solution);
                let (length, proven) = (solution.len(), solution.is_optimal());
                assert_eq!((length, proven), (distance, true), "{metric:?}: {maneuver}");
                assert_eq!(solution.stopped_by, StoppedBy::ProvenOptimal);
            }
        }
    }
}

/// A search that ends at its target still knows how short near positions are.
pub fn bounds_of_near_positions_are_their_lengths(solver: &Solver) {
    let mut rng = rng(63);
    for (metric, depth) in [(Metric::Qtm, 5), (Metric::Stm, 3), (Metric::Axht, 3), (Metric::Axqt, 3)] {
        for (distance, sphere) in spheres(metric, depth).iter().enumerate() {
            for (_, maneuver) in sphere.sample(&mut rng, 25) {
                let cube = Cube::SOLVED.after(&maneuver.parse::<Moves>().unwrap());
                let solution = solver.solve(&cube, &Goal::default().target_length(60).metric(metric)).unwrap();
                assert_eq!(usize::from(solution.lower_bound), distance, "{metric:?}: {maneuver}");
                assert_eq!(solution.is_optimal(), solution.len() == distance);
            }
        }
    }
}
