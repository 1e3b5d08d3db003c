//! Checks proofs in QTM against plain searches over quarter turns, and published counts.

use crate::common::prelude::*;

static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
    let folder = tables_folder();
    let control = Control::new();
    let metric =
        TableSet::open(SetKey::phases(Metric::Qtm, TurnSet::ALL, Profile::Small), &folder, &control).expect("tables");
    let table = TableSet::open(SetKey::proofs(Metric::Qtm, Size::S), &folder, &control).expect("a table");
    solver(&SMALL).with([metric, table])
});

fn quarter_turns() -> impl Iterator<Item = Move> {
    Move::ALL.into_iter().filter(|mv| mv.quarters() != 2)
}

/// The positions at each distance of a part of the cube, by a plain search over quarter turns. The last layer is counted only.
fn layers(most: usize, part: impl Fn(&Cube) -> Cube) -> (Vec<Vec<Cube>>, Vec<usize>) {
    let mut seen = FastSet::from_iter([fingerprint(&Cube::SOLVED)]);
    let mut layers = vec![vec![Cube::SOLVED]];
    let mut counts = vec![1];
    for depth in 1..=most {
        let mut layer = Vec::new();
        let mut count = 0;
        for cube in &layers[depth - 1] {
            for after in quarter_turns().map(|mv| part(&cube.then(mv.cube()))) {
                if seen.insert(fingerprint(&after)) {
                    count += 1;
                    if depth < most {
                        layer.push(after);
                    }
                }
            }
        }
        counts.push(count);
        layers.push(layer);
    }
    (layers, counts)
}

#[test]
fn counts_of_quarter_turns_are_as_published() {
    let (_, counts) = layers(7, |cube| *cube);
    assert_eq!(counts, [1, 12, 114, 1068, 10011, 93840, 878_880, 8_221_632]);
    let corners = |cube: &Cube| Cube::assemble(*cube.corners(), *cube.twists(), Edge::ALL, [0; 12]);
    assert_eq!(layers(7, corners).1, [1, 12, 114, 924, 6539, 39528, 199_926, 806_136]);
}

/// Counts the solutions of this many quarter turns by trying all maneuvers in canonical order.
fn solutions(cube: &Cube, left: usize, last: Option<Move>) -> u64 {
    if left == 0 {
        return u64::from(cube.is_solved());
    }
    let turns = Move::ALL.into_iter().filter(|mv| last.is_none_or(|last| mv.may_follow(last)));
    let length = |mv: Move| Metric::Qtm.length(&[mv]);
    turns.filter(|&mv| length(mv) <= left).map(|mv| solutions(&cube.then(mv.cube()), left - length(mv), Some(mv))).sum()
}

#[test]
fn near_positions_are_proven_with_all_their_solutions() {
    let layers = layers(6, |cube| *cube).0;
    let mut rng = rng(80);
    for (distance, layer) in layers[..6].iter().enumerate() {
        for _ in 0..20 {
            let cube = layer[rng.random_range(0..layer.len())];
            let solution = SOLVER.solve(&cube, &Goal::proof().metric(Metric::Qtm)).unwrap();
            assert!(stickers::solves(&letters(&cube), &solution.moves.to_string()));
            assert_eq!((solution.len(), solution.is_optimal()), (distance, true), "{}", letters(&cube));
            let goal = Goal::proof().all_shortest().metric(Metric::Qtm).solutions(100);
            let all = SOLVER.solve(&cube, &goal).unwrap();
            assert_eq!(all.optimal_solutions, Some(solutions(&cube, distance, None)), "{}", letters(&cube));
            assert!(all.all().all(|moves| Metric::Qtm.length(moves) == distance));
        }
    }
}

/// Proofs of farther cubes agree with the two-phase search, which exhausts shorter lengths without the coset table.
#[test]
fn farther_cubes_are_proven_as_without_the_table() {
    let turns = quarter_turns().collect::<Vec<_>>();
    let mut rng = rng(81);
    for walk in [8, 9, 10, 11] {
        for _ in 0..3 {
            let cube = (0..walk).fold(Cube::SOLVED, |cube, _| cube.then(turns[rng.random_range(0..12)].cube()));
            let proof = SOLVER.solve(&cube, &Goal::proof().metric(Metric::Qtm)).unwrap();
            let exhausted = SOLVER.solve(&cube, &Goal::shortest().metric(Metric::Qtm)).unwrap();
            assert!(proof.is_optimal() && exhausted.is_optimal());
            assert_eq!((proof.len(), proof.len() % 2), (exhausted.len(), walk % 2), "{}", letters(&cube));
            assert_eq!(proof.metric, Metric::Qtm);
            let record = proof.proof.expect("a record");
            assert_eq!(record.table.map(|table| table.name), Some("qtm_optimal_s"));
        }
    }
}

/// On the way of a shortest solution, every bound is at most the distance left.
#[test]
fn bounds_are_admissible_and_the_table_is_sound() {
    let turns = quarter_turns().collect::<Vec<_>>();
    let mut rng = rng(82);
    let table = SOLVER.proving(Metric::Qtm).expect("a table");
    for _ in 0..2000 {
        let mut cube = Cube::SOLVED;
        for length in 1..=14 {
            cube = cube.then(turns[rng.random_range(0..12)].cube());
            assert!(table.bound(&cube) <= length, "{}", letters(&cube));
        }
    }
    let verdict = verify(&tables_folder(), Profile::Small, "qtm_optimal_s", CheckEffort::Full, &Control::new());
    let verdict = verdict.expect("not stopped");
    assert!(verdict.is_sound(), "{:?}", verdict.problem);
}

/// Reid's maneuver of 1995. That none is shorter was first shown by Bryan in the same year.
#[test]
fn a_published_maneuver_solves_the_superflip_in_24_quarter_turns() {
    let moves: Moves = "R' U2 B L' F U' B D F U D' L D2 F' R B' D F' U' B' U D'".parse().unwrap();
    assert_eq!(Metric::Qtm.length(&moves), 24);
    assert!(stickers::solves(&letters(&superflip()), &moves.to_string()));
}

#[test]
#[ignore = "takes an hour, 6 GB of memory and 2.8 GB of disk"]
fn the_superflip_has_no_solution_of_22_quarter_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let builder = Solver::builder().folder(folder.path()).profile(Profile::Small).metric(Metric::Qtm);
    let solver = builder.optimal_in(Metric::Qtm, Size::L).open().expect("tables");
    let refused = solver.solve(&superflip(), &Goal::proof().metric(Metric::Qtm).max_length(22).threads(2));
    assert!(matches!(refused, Err(SolveError::NoneWithin { max_length: 22, lower_bound: 24, .. })), "{refused:?}");
}

#[test]
fn limits_of_a_proof_count_quarter_turns() {
    let cube = Cube::SOLVED.after(&"R2 U2 F2".parse::<Moves>().unwrap());
    let refused = SOLVER.solve(&cube, &Goal::proof().metric(Metric::Qtm).max_length(5));
    assert!(
        matches!(refused, Err(SolveError::NoneWithin { max_length: 5, best_length: 6, lower_bound: 6, .. })),
        "{refused:?}"
    );
    let search = SOLVER.search(&superflip(), &Goal::proof().metric(Metric::Qtm));
    let unproven = search.until(Instant::now() + Duration::from_millis(50)).finish().unwrap();
    assert_eq!(unproven.stopped_by, StoppedBy::TimeLimit);
    assert!(unproven.len().is_multiple_of(2) && usize::from(unproven.lower_bound) < unproven.len());
    let without = solver(&SMALL).solve(&cube, &Goal::proof().metric(Metric::Qtm)).unwrap_err();
    assert!(without.to_string().contains("qtm"), "{without}");
}
