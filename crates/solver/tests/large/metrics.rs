//! Checks the table files of the metrics other than HTM against a model of their own.

use superflip_solver::tables::MetricTables;
use superflip_solver::tables::metric::steps::METRICS;

use crate::common::metric_model::{self, axis_turns, check, spheres};
use crate::common::prelude::*;

static TABLES: LazyLock<Vec<TableSet>> = LazyLock::new(|| {
    let open = |metric| {
        TableSet::open(SetKey::phases(metric, TurnSet::ALL, Profile::Small), &tables_folder(), &Control::new())
    };
    METRICS.into_iter().map(|metric| open(metric).expect("the tables can be built")).collect()
});

fn metric_solver() -> Solver {
    solver(&TINY).with(TABLES.iter().cloned())
}

fn tables_of(metric: Metric) -> &'static MetricTables {
    TABLES.iter().find_map(|set| set.serving(metric, TurnSet::ALL)).expect("every metric")
}

/// The tables hold the distances of a plain search.
#[test]
fn distances_of_both_phases_are_those_of_the_model() {
    for metric in METRICS {
        let tables = tables_of(metric);
        let spheres = spheres(metric, 3);
        // Distance of each coset of G1: the least distance of a position in it.
        let coset = |cube: &Cube| (FLIP_SLICE.index(cube), TWIST.index(cube));
        let mut nearest = HashMap::new();
        for (distance, sphere) in spheres.iter().enumerate() {
            for (_, maneuver) in sphere {
                let cube = Cube::SOLVED.after(&maneuver.parse::<Moves>().unwrap());
                let found = *nearest.entry(coset(&cube)).or_insert(distance as u8);
                assert_eq!(tables.phase_one_distance(&cube), found, "{metric:?}: {maneuver}");
            }
        }
        let inside: Vec<_> = axis_turns(metric)
            .into_iter()
            .map(|(_, moves, counted)| (moves.parse::<Moves>().unwrap(), counted))
            .filter(|(moves, _)| moves.iter().all(|mv| Move::PHASE_TWO.contains(mv)))
            .collect();
        let mut seen = HashSet::from([Cube::SOLVED]);
        let mut layers = vec![vec![Cube::SOLVED]];
        for depth in 1..=6_u8 {
            let mut layer = Vec::new();
            for (moves, counted) in &inside {
                let Some(before) = depth.checked_sub(*counted) else { continue };
                let after = layers[usize::from(before)].iter().map(|cube: &Cube| cube.after(moves));
                layer.extend(after.filter(|cube| seen.insert(*cube)));
            }
            if layer.len() > 20_000 {
                break;
            }
            for cube in &layer {
                let bound = tables.phase_two_bound(cube).expect("in G1");
                assert!(bound > 0 && bound <= depth, "{metric:?}: {bound} for {cube:?} at {depth}");
            }
            layers.push(layer);
        }
        assert!(layers.len() > 3);
        assert_eq!((tables.phase_two_bound(&Cube::SOLVED), tables.phase_two_bound(Move::R.cube())), (Some(0), None));
    }
}

/// Every coset is counted once in each table, and the cosets of QTM are as many at each depth as published.
#[test]
fn tables_count_every_coset() {
    const QTM: [u64; 14] = [
        1,
        4,
        34,
        312,
        2772,
        24996,
        225_949,
        2_017_078,
        17_554_890,
        139_132_730,
        758_147_361,
        1_182_378_518,
        117_594_403,
        14072,
    ];
    for tables in TABLES.iter() {
        let list = tables.list();
        let sums: Vec<u64> = list.iter().map(|table| table.depth_histogram.iter().sum()).collect();
        assert_eq!(sums, [2_217_093_120, 40320 * 40320, 40320 * 24], "{:?}", tables.key());
        for table in &list {
            assert!(table.entry_histogram.iter().sum::<u64>() == table.entries && table.depth_histogram[0] == 1);
        }
    }
    assert_eq!(TABLES[0].list()[0].depth_histogram, QTM);
}

/// The masked table and the compact one give the same search, node by node.
#[test]
fn both_tables_of_phase_one_give_the_same_search() {
    let masked =
        TableSet::open(SetKey::phases(Metric::Qtm, TurnSet::ALL, Profile::Standard), &tables_folder(), &Control::new());
    let masked = solver(&TINY).with([masked.expect("the tables can be built")]);
    let compact = metric_solver();
    let mut rng = rng(62);
    for _ in 0..5 {
        let cube = random_cube(&mut rng);
        let goal = Goal::within(26).metric(Metric::Qtm);
        let [a, b] = [&masked, &compact].map(|solver| solver.solve(&cube, &goal).unwrap());
        check(&cube, Metric::Qtm, &a);
        assert_eq!((a.moves, a.nodes), (b.moves, b.nodes));
    }
}

#[test]
fn searches_with_table_files_agree_with_the_model() {
    let solver = metric_solver();
    metric_model::near_positions_are_solved_shortest(&solver);
    metric_model::random_cubes_are_solved(&solver);
    metric_model::bounds_of_near_positions_are_their_lengths(&solver);
}
