//! Checks the metrics other than HTM, with tables that are computed in memory, against a model of their own.

use superflip_solver::tables::MetricTables;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::tables::metric::steps::METRICS;

use crate::common::metric_model::{self, check, spheres};
use crate::common::prelude::*;

static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
    let computed = |metric| MetricTables::in_memory(metric, TurnSet::ALL, &Control::new()).expect("not cancelled");
    solver(&TINY).with(METRICS.into_iter().map(|metric| computed(metric).into()))
});

#[test]
fn near_positions_are_solved_shortest() {
    metric_model::near_positions_are_solved_shortest(&SOLVER);
}

#[test]
fn random_cubes_are_solved_in_every_metric() {
    metric_model::random_cubes_are_solved(&SOLVER);
}

#[test]
fn bounds_of_near_positions_are_their_lengths() {
    metric_model::bounds_of_near_positions_are_their_lengths(&SOLVER);
}

#[test]
fn quarter_turn_counts_are_those_published() {
    let counts: Vec<usize> = spheres(Metric::Qtm, 5).iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 12, 114, 1068, 10011, 93840]);
}

/// The steps of the solver reach as many cubes at each distance as the turns of the model.
#[test]
fn steps_reach_as_many_cubes_as_the_model() {
    for metric in METRICS {
        let expected: Vec<u64> = spheres(metric, 3).iter().map(|sphere| sphere.len() as u64).collect();
        let runs: Vec<Cube> = StepSet::of_metric(metric)
            .steps()
            .iter()
            .map(|step| Cube::SOLVED.after(&step.moves().collect::<Vec<_>>()))
            .collect();
        let mut seen = HashSet::from([Cube::SOLVED]);
        let mut frontier = vec![Cube::SOLVED];
        let mut counts = vec![1];
        for _ in 0..3 {
            let after = frontier.iter().flat_map(|cube| runs.iter().map(|run| cube.then(run)));
            frontier = after.filter(|cube| seen.insert(*cube)).collect();
            counts.push(frontier.len() as u64);
        }
        assert_eq!(counts, expected, "{metric:?}");
    }
}

/// A search in QTM finds no solution of the wrong parity, and a deadline or a length limit ends it as in HTM.
#[test]
fn limits_count_in_the_metric() {
    let solver = &*SOLVER;
    let cube = Cube::SOLVED.after(&"R2 U2 F2".parse::<Moves>().unwrap());
    let refused = solver.solve(&cube, &Goal::within(5).metric(Metric::Qtm));
    assert!(
        matches!(refused, Err(SolveError::NoneWithin { max_length: 5, best_length: 6, lower_bound: 6, .. })),
        "{refused:?}"
    );
    let solution = solver.solve(&cube, &Goal::within(6).metric(Metric::Qtm)).unwrap();
    assert_eq!((solution.len(), solution.moves.len()), (6, 3));
    for metric in METRICS {
        let search = solver.search(&superflip(), &Goal::shortest().metric(metric));
        let solution = search.until(Instant::now()).finish().unwrap();
        check(&superflip(), metric, &solution);
        assert_eq!(solution.stopped_by, StoppedBy::TimeLimit);
        let solution = solver.solve(&Cube::SOLVED, &Goal::default().metric(metric)).unwrap();
        assert_eq!((solution.len(), solution.lower_bound), (0, 0));
        cancelled(
            |control| solver.search(&superflip(), &Goal::shortest().metric(metric)).controlled_by(control).finish(),
            Duration::from_millis(20),
        );
    }
}

#[test]
fn metrics_without_tables_and_proofs_are_refused() {
    let goal = Goal::default().metric(Metric::Axht);
    let refused = solver(&TINY).solve(&superflip(), &goal);
    assert_eq!(refused, Err(SolveError::Metric { metric: Metric::Axht, turns: TurnSet::ALL, is_proof: false }));
    let refused = SOLVER.solve(&superflip(), &Goal::proof().metric(Metric::Axht)).unwrap_err();
    assert_eq!(refused, SolveError::Metric { metric: Metric::Axht, turns: TurnSet::ALL, is_proof: true });
    assert!(refused.to_string().contains("axht"));
}
