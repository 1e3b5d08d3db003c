//! Checks the metrics other than HTM against a model of their own: stickers as permutations of 54 places, and a table of what
//! the turns of an axis count.

use rand::seq::IndexedRandom;
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::Found;
use superflip_solver::tables::MetricTables;
use superflip_solver::tables::metric::METRICS;
use superflip_solver::tables::metric::steps::steps;

use crate::common::prelude::*;

/// Where the sticker of each place comes from.
type Places = [u8; 54];

const FACES: [[&str; 2]; 3] = [["U", "D"], ["R", "L"], ["F", "B"]];

/// What quarter turns `[a, b]` of the two faces of an axis count together.
fn count(metric: Metric, [a, b]: [usize; 2]) -> u8 {
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

fn turn(face: &str, quarters: usize) -> String {
    [String::new(), face.to_owned(), format!("{face}2"), format!("{face}'")][quarters].clone()
}

/// One of the 45 turns of an axis: its places, its moves, and what it counts.
fn axis_turns(metric: Metric) -> Vec<(Places, String, u8)> {
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
type Position = (Places, String);

/// The positions at each distance up to `depth`, by a plain search.
fn spheres(metric: Metric, depth: u8) -> Vec<Vec<Position>> {
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
fn counted(metric: Metric, moves: &[Move]) -> usize {
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

static TABLES: LazyLock<Vec<Arc<MetricTables>>> = LazyLock::new(|| {
    let open = |metric| MetricTables::open_or_build(&tables_folder(), metric, Profile::Small, &Control::new());
    METRICS.into_iter().map(|metric| Arc::new(open(metric).expect("the tables can be built"))).collect()
});

fn metric_solver() -> Solver {
    solver(&TINY).with_metrics(TABLES.iter().cloned())
}

fn tables_of(metric: Metric) -> &'static MetricTables {
    TABLES.iter().find(|tables| tables.metric() == metric).expect("every metric")
}

/// Checks a solution on stickers and its length.
fn check(cube: &Cube, metric: Metric, solution: &Solution) {
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
        let runs: Vec<Cube> =
            steps(metric).iter().map(|step| Cube::SOLVED.after(&step.moves().collect::<Vec<_>>())).collect();
        let (mut seen, mut frontier) = (HashSet::from([Cube::SOLVED]), vec![Cube::SOLVED]);
        let mut counts = vec![1];
        for _ in 0..3 {
            let after = frontier.iter().flat_map(|cube| runs.iter().map(|run| cube.then(run)));
            frontier = after.filter(|cube| seen.insert(*cube)).collect();
            counts.push(frontier.len() as u64);
        }
        assert_eq!(counts, expected, "{metric:?}");
    }
}

/// Near positions get shortest solutions with proof, of the length that the model finds.
#[test]
fn near_positions_are_solved_shortest() {
    let (solver, mut rng) = (metric_solver(), rng(60));
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

/// Every coset is counted once in each table, and those of QTM are as many at each depth as published.
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
        assert_eq!(sums, [2_217_093_120, 40320 * 40320, 40320 * 24], "{:?}", tables.metric());
        for table in &list {
            assert!(table.entry_histogram.iter().sum::<u64>() == table.entries && table.depth_histogram[0] == 1);
        }
    }
    assert_eq!(tables_of(Metric::Qtm).list()[0].depth_histogram, QTM);
}

#[test]
fn random_cubes_are_solved_in_every_metric() {
    let (solver, mut rng) = (metric_solver(), rng(61));
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

/// A search in QTM finds no solution of the wrong parity, and a deadline or a length limit ends it as in HTM.
#[test]
fn limits_count_in_the_metric() {
    let solver = metric_solver();
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
    let refused = metric_solver().solve(&superflip(), &Goal::proof().metric(Metric::Axht)).unwrap_err();
    assert_eq!(refused, SolveError::Metric { metric: Metric::Axht, turns: TurnSet::ALL, is_proof: true });
    assert!(refused.to_string().contains("axht"));
}

/// The masked table and the compact one give the same search, node by node.
#[test]
fn both_tables_of_phase_one_give_the_same_search() {
    let masked = MetricTables::open_or_build(&tables_folder(), Metric::Qtm, Profile::Standard, &Control::new());
    let masked = solver(&TINY).with_metrics([Arc::new(masked.expect("the tables can be built"))]);
    let (compact, mut rng) = (metric_solver(), rng(62));
    for _ in 0..5 {
        let (cube, goal) = (random_cube(&mut rng), Goal::within(26).metric(Metric::Qtm));
        let [a, b] = [&masked, &compact].map(|solver| solver.solve(&cube, &goal).unwrap());
        check(&cube, Metric::Qtm, &a);
        assert_eq!((a.moves, a.nodes), (b.moves, b.nodes));
    }
}

/// A search that ends at its target still knows how short near positions are.
#[test]
fn bounds_of_near_positions_are_their_lengths() {
    let (solver, mut rng) = (metric_solver(), rng(63));
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
