//! Checks searches with some turns only: solutions on stickers, lengths against a plain search, and cubes out of reach.

use std::collections::VecDeque;

use superflip_solver::tables::MetricTables;
use superflip_solver::tables::metric::StepSet;

use crate::common::prelude::*;

fn of_faces(faces: &str) -> TurnSet {
    TurnSet::of_faces(faces.chars().map(|face| Face::from_letter(face).expect("a face")))
}

fn of_moves(moves: &str) -> TurnSet {
    moves.parse::<Moves>().expect("moves").iter().copied().collect()
}

fn solver_of(metric: Metric, turns: TurnSet) -> Solver {
    let tables = MetricTables::in_memory(metric, turns, &Control::new()).expect("not cancelled");
    solver(&TINY).with([tables.into()])
}

fn random_member(turns: TurnSet, rng: &mut impl RngExt) -> Cube {
    let turns: Vec<Move> = turns.moves().collect();
    (0..200).fold(Cube::SOLVED, |cube, _| cube.then(turns[rng.random_range(0..turns.len())].cube()))
}

/// Checks a solution on stickers, and that it has allowed turns only.
pub(crate) fn check(cube: &Cube, goal: &Goal, solution: &Solution) {
    for moves in solution.all() {
        assert!(stickers::solves(&letters(cube), &Moves::from(moves).to_string()), "{moves:?}");
        assert!(moves.iter().all(|&mv| goal.turns.contains(mv)), "{moves:?} with {}", goal.turns);
    }
    assert_eq!((solution.metric, solution.len()), (goal.metric, goal.metric.length(&solution.moves)));
    assert!(usize::from(solution.lower_bound) <= solution.len());
}

const METRICS: [Metric; 5] = [Metric::Htm, Metric::Qtm, Metric::Stm, Metric::Axht, Metric::Axqt];

#[test]
fn members_of_every_group_are_solved_in_every_metric() {
    let mut rng = rng(70);
    let quarters = "U U' R R' F F' D D' L L' B B'";
    let sets = [
        of_faces("URFDL"),
        of_faces("RFDLB"),
        of_faces("URFD"),
        of_faces("RLFB"),
        of_faces("DLB"),
        of_faces("UDR"),
        of_faces("FL"),
        of_faces("UD"),
        of_faces("B"),
        of_moves(quarters),
        of_moves("R R2 R' L L2 L' U2 D2 F2 B2"),
        of_moves("U2 R2 F2 D2 L2 B2"),
        of_moves("U2 R R' F F2 F' D D2 D' L L2 L' B B2 B'"),
    ];
    for (number, turns) in sets.into_iter().enumerate() {
        // Two metrics for each set: HTM, and each of the others in turn.
        for metric in [Metric::Htm, METRICS[1 + number % 4]] {
            let solver = solver_of(metric, turns);
            for count in [1, 2] {
                let cube = random_member(turns, &mut rng);
                let goal = Goal::default().target_length(0).metric(metric).turns(turns).solutions(count);
                let search = solver.search(&cube, &goal).until(Instant::now() + Duration::from_millis(30));
                let solution = search.finish().unwrap_or_else(|error| panic!("{turns} in {metric:?}: {error}"));
                check(&cube, &goal, &solution);
            }
        }
    }
}

/// Distances of all positions up to a depth from a plain search over the allowed turns.
fn distances(metric: Metric, turns: TurnSet, most: usize, limit: usize) -> HashMap<Cube, usize> {
    // Every move and every pair of moves of an axis, with its length: enough to make all runs.
    let singles: Vec<Vec<Move>> = turns.moves().map(|mv| vec![mv]).collect();
    let pairs = singles.iter().flat_map(|a| singles.iter().map(move |b| [a[0], b[0]]));
    let opposite = pairs.filter(|[a, b]| a.face() == b.face().opposite() && a < b).map(|pair| pair.to_vec());
    let runs: Vec<(Cube, usize)> = singles
        .iter()
        .cloned()
        .chain(opposite)
        .map(|moves| (Cube::SOLVED.after(&moves), metric.length(&moves)))
        .collect();
    let mut found = HashMap::from([(Cube::SOLVED, 0)]);
    let mut layers: VecDeque<Vec<Cube>> = VecDeque::from([vec![Cube::SOLVED]]);
    for depth in 1..=most {
        let mut layer = Vec::new();
        for (run, length) in &runs {
            let before = layers.len().checked_sub(*length).and_then(|at| layers.get(at));
            for cube in before.into_iter().flatten().map(|cube| cube.then(run)) {
                if found.len() < limit && !found.contains_key(&cube) {
                    found.insert(cube, depth);
                    layer.push(cube);
                }
            }
        }
        layers.push_back(layer);
    }
    found
}

/// Near positions get shortest solutions, proven by exhausting shorter lengths.
#[test]
fn near_positions_are_solved_shortest_with_the_turns() {
    let mut rng = rng(71);
    let half_turns = of_moves("U2 R2 F2 D2 L2 B2");
    for (turns, most) in [(of_faces("URFDL"), 4), (of_faces("UR"), 7), (of_faces("UDF"), 5), (half_turns, 8)] {
        for metric in [Metric::Htm, Metric::Qtm] {
            near_positions_are_shortest(&solver_of(metric, turns), metric, turns, most, &mut rng);
        }
    }
}

/// A robot that lacks some half turns may do better with two quarter turns in place of one that it has.
#[test]
fn near_positions_are_solved_shortest_in_every_metric_without_some_half_turns() {
    let mut rng = rng(72);
    let without = |left_out: &str| TurnSet::ALL.moves().filter(|mv| !of_moves(left_out).contains(*mv)).collect();
    for left_out in ["L2", "L2 F2 D2", "U R U' R' L2", "U2 R2 F2 D2 L2 B2"] {
        let turns: TurnSet = without(left_out);
        for metric in METRICS.into_iter().filter(|metric| StepSet::supports(*metric, turns)) {
            let solver = solver_of(metric, turns);
            near_positions_are_shortest(&solver, metric, turns, 4, &mut rng);
            // The steps of the tables have the distances of the plain search too.
            for (cube, distance) in distances(metric, turns, 2, 10_000) {
                let goal = Goal::shortest().metric(metric).turns(turns);
                let solution = solver.solve(&cube, &goal).unwrap();
                check(&cube, &goal, &solution);
                assert_eq!(
                    (solution.len(), solution.is_optimal()),
                    (distance, true),
                    "{turns} in {metric:?}: {cube:?}"
                );
            }
        }
    }
    let turns = without("L2");
    let two_slices = Cube::SOLVED.after(&"R2 L2".parse::<Moves>().unwrap());
    let solution =
        solver_of(Metric::Stm, turns).solve(&two_slices, &Goal::shortest().metric(Metric::Stm).turns(turns)).unwrap();
    assert_eq!((solution.len(), solution.moves.len()), (2, 4));
}

/// Checks the solutions of some positions at most this far from solved.
pub(crate) fn near_positions_are_shortest(
    solver: &Solver,
    metric: Metric,
    turns: TurnSet,
    most: usize,
    rng: &mut impl RngExt,
) {
    let mut all: Vec<(Cube, usize)> = distances(metric, turns, most, 10_000).into_iter().collect();
    all.sort_by_key(|(cube, distance)| (*distance, letters(cube)));
    for _ in 0..20 {
        let (cube, distance) = all[rng.random_range(0..all.len())];
        let goal = Goal::shortest().metric(metric).turns(turns);
        let solution = solver.solve(&cube, &goal).unwrap();
        check(&cube, &goal, &solution);
        assert_eq!((solution.len(), solution.is_optimal()), (distance, true), "{turns} in {metric:?}: {cube:?}");
    }
}

#[test]
fn cubes_out_of_reach_are_refused_with_the_reason() {
    let turns = of_faces("RUF");
    let solver = solver_of(Metric::Htm, of_faces("DLB"));
    let refused = solver.solve(Move::D.cube(), &Goal::default().turns(turns)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the turns U R F reach 170659735142400 cubes, but not this one: they do not move the piece DBL, which is not in place"
    );
    // All pieces move, but these turns keep the orientation of edges.
    let turns = of_faces("RULD");
    let refused =
        solver_of(Metric::Qtm, turns).solve(Move::F.cube(), &Goal::default().turns(turns).metric(Metric::Qtm));
    assert!(matches!(refused, Err(SolveError::Outside { displaced: None, .. })), "{refused:?}");
    // A way between two cubes is in reach if their difference is.
    let from = "R F U2".parse::<Cube>().unwrap();
    let to = "R F U2 R2 U".parse::<Cube>().unwrap();
    let turns = of_faces("UR");
    let way = solver_of(Metric::Htm, turns).solve(&from, &Goal::shortest().turns(turns).to([to])).unwrap();
    assert_eq!((way.len(), from.after(&way.moves)), (2, to));
}

#[test]
fn turns_without_tables_and_proofs_are_refused() {
    let turns = of_faces("URFDL");
    let goal = Goal::default().turns(turns);
    let refused = solver(&TINY).solve(&superflip(), &goal);
    assert_eq!(refused, Err(SolveError::Metric { metric: Metric::Htm, turns, is_proof: false }));
    let goal = Goal::proof().turns(turns);
    let refused = solver_of(Metric::Htm, turns).solve(&superflip(), &goal).unwrap_err();
    assert_eq!(refused, SolveError::Metric { metric: Metric::Htm, turns, is_proof: true });
    assert!(refused.to_string().contains("all turns"));
}

/// Of the sets of turns that generate all cubes, those without a phase 2 are refused.
#[test]
fn sets_are_supported_if_both_phases_can_be_made() {
    let quarters = "U U' R R' F F' D D' L L' B B'";
    for (moves, metric, is_supported) in [
        (quarters, Metric::Htm, true),
        ("U U' R R' F F' D D' L L'", Metric::Qtm, true),
        ("U U2 U' R2 F2 D D2 D' L2 B2", Metric::Htm, true),
        ("U U2 U' R2 F2 D D2 D' L2 B2", Metric::Qtm, true),
        ("U2 R2 F2 D2 L2 B2", Metric::Axqt, true),
        ("U U2 U' R R2 R' F F2 F' D2 L2 B2", Metric::Htm, true),
        // A half turn of D counts two, and no quarter turns make it.
        ("U U2 U' R R2 R' F F2 F' D2 L2 B2", Metric::Qtm, false),
        // Two faces and a half turn generate neither.
        ("U U2 U' R R2 R' F2", Metric::Htm, false),
        ("U2 R2", Metric::Htm, false),
        // A solution of the inverse cube would turn U and R backwards.
        ("U R F F' D D' L L' B B'", Metric::Htm, false),
        ("", Metric::Htm, false),
    ] {
        assert_eq!(StepSet::supports(metric, of_moves(moves)), is_supported, "{moves} in {metric:?}");
    }
    // Any faces are.
    assert!(StepSet::supports(Metric::Qtm, of_faces("UD")) && StepSet::supports(Metric::Stm, of_faces("B")));
}
