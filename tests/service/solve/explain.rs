//! Explanations against the sticker model, against plain enumeration, and against what the solver says of its own solutions.

use std::collections::hash_map::Entry;

use rand::RngExt;
use superflip_coords::explain::{Explanation, explain, explain_in, symmetry_of};
use superflip_cube::metric::Metric;
use superflip_cube::{Face, TurnSet};
use superflip_solver::tables::MetricTables;

use crate::common::prelude::*;
use crate::common::{TINY, ball};

fn explained(cube: &Cube, moves: &[Move]) -> Explanation {
    explain(&TINY, cube, moves, &Control::new()).unwrap().expect("a solution")
}

#[test]
fn what_is_said_of_distances_is_true() {
    let known = ball(4);
    let mut rng = rng(1);
    let (mut detours, mut straight) = (0, 0);
    for _ in 0..300 {
        // A way back that wanders: some moves of it are not on a shortest way.
        let out: Vec<Move> = (0..rng.random_range(1..8)).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
        let cube = Cube::SOLVED.after(&out);
        let moves = Moves::from(&out).inverse();
        let explanation = explained(&cube, &moves);
        for step in &explanation.steps {
            if let Some(&distance) = known.get(&step.cube) {
                assert_eq!(step.exact, Some(u32::from(distance)), "{moves}");
                assert_eq!(step.shortest_from_here, Some(usize::from(distance) == step.moves_left));
            } else {
                assert!(step.exact.is_none_or(|exact| exact > 4));
            }
            assert!(step.lower_bound as usize <= step.moves_left);
            assert!(step.exact.is_none_or(|exact| exact == step.lower_bound));
        }
        let first = &explanation.steps[explanation.shortest_from];
        assert_eq!(first.shortest_from_here, Some(true));
        match &explanation.detour {
            None => {
                straight += 1;
                assert_eq!(explanation.shortest_from, 0, "seven moves are within sight");
            }
            Some(detour) => {
                detours += 1;
                let from = &explanation.steps[detour.after];
                assert!(detour.shorter.len() < from.moves_left);
                assert!(from.cube.after(&detour.shorter).is_solved());
                assert_eq!(explanation.shortest_from, detour.after + 1);
            }
        }
    }
    assert!(detours > 50 && straight > 50, "{detours} {straight}");
}

/// Every cube within `depth` runs of the solved one, with its distance in the axial metric.
fn axial_ball(depth: u8) -> HashMap<Cube, u8> {
    let turns = |face: Face| (0..4).map(move |quarters| Move::of(face, quarters));
    let pairs = [(Face::U, Face::D), (Face::R, Face::L), (Face::F, Face::B)];
    let of_pair = |(one, other)| turns(one).flat_map(move |a| turns(other).map(move |b| [a, b]));
    let runs: Vec<Cube> = pairs
        .into_iter()
        .flat_map(of_pair)
        .map(|run| Cube::SOLVED.after(&run.into_iter().flatten().collect::<Vec<_>>()))
        .collect();
    let (mut known, mut front) = (HashMap::from([(Cube::SOLVED, 0)]), vec![Cube::SOLVED]);
    for distance in 1..=depth {
        let next: Vec<Cube> = front.iter().flat_map(|cube| runs.iter().map(|run| cube.then(run))).collect();
        front.clear();
        for cube in next {
            if let Entry::Vacant(entry) = known.entry(cube) {
                entry.insert(distance);
                front.push(cube);
            }
        }
    }
    known
}

#[test]
fn distances_in_a_metric_are_true() {
    let tables = MetricTables::in_memory(Metric::Axht, TurnSet::ALL, &Control::new()).unwrap();
    let (known, mut rng, mut exact) = (axial_ball(3), rng(12), 0);
    for _ in 0..200 {
        let out: Vec<Move> = (0..rng.random_range(1..9)).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
        let cube = Cube::SOLVED.after(&out);
        let moves: Vec<Move> = Moves::from(&out).inverse().into();
        let explanation =
            explain_in(&TINY, Some(&tables), &cube, &moves, &Control::new()).unwrap().expect("a solution");
        for (number, step) in explanation.steps.iter().enumerate() {
            // Opposite faces turn at the same time, and one face turns once at a time.
            let left = &moves[number..];
            let runs = left.chunk_by(|a, b| a.face().axis() == b.face().axis());
            let length: usize = runs
                .map(|run| {
                    let of_first = run.iter().filter(|mv| mv.face() == run[0].face()).count();
                    of_first.max(run.len() - of_first)
                })
                .sum();
            assert_eq!((step.moves_left, step.length_left), (left.len(), length));
            let distance = known.get(&step.cube).copied().map_or(4..=60, |distance| distance.into()..=distance.into());
            assert!(step.lower_bound <= *distance.end() && step.lower_bound as usize <= length, "{step:?}");
            assert!(step.exact.is_none_or(|exact| distance.contains(&exact)), "{step:?}");
            assert_eq!(step.shortest_from_here, step.exact.map(|exact| exact as usize == length));
            exact += usize::from(step.exact.is_some());
        }
    }
    assert!(exact > 200, "{exact}");
}

#[test]
fn phases_are_those_that_the_solver_found() {
    let mut rng = rng(2);
    let (mut forwards, mut backwards) = (0, 0);
    let solver = Solver::new(Arc::clone(&TINY));
    for _ in 0..150 {
        let cube = scrambled(&mut rng);
        let outcome = solver.solve(&cube, &Goal::default().target_length(22)).unwrap();
        let Phases::TwoPhase { axis, inverse, lengths } = outcome.phases else { continue };
        let [before, inside_moves, after] = lengths.map(usize::from);
        if usize::from(inverse) * before + usize::from(!inverse) * after > 0 {
            // Out of the subgroup and home another way: no reading as two phases.
            continue;
        }
        let explanation = explained(&cube, &outcome.moves);
        let boundary = explanation.boundaries[axis.index()];
        if inverse {
            // The part inside the subgroup may go on for longer than the search knew, never for less.
            assert!(boundary.inside_until >= inside_moves, "{axis} {}", outcome.moves);
            backwards += 1;
        } else {
            assert!(boundary.inside_from <= before, "{axis} {}", outcome.moves);
            forwards += 1;
        }
        let inside = explanation.reading.lengths[usize::from(!explanation.reading.inverse)];
        assert!(inside >= inside_moves);
        assert_eq!(explanation.reading.lengths.iter().sum::<usize>(), outcome.moves.len());
    }
    assert!(forwards > 20 && backwards > 20, "{forwards} {backwards}");
}

/// The boundary by the definition alone: from there on only the ten moves of that axis follow, and no sooner.
#[test]
fn boundaries_are_where_only_moves_of_the_subgroup_follow() {
    let mut rng = rng(3);
    for _ in 0..200 {
        let cube = scrambled(&mut rng);
        let way: Vec<Move> = (0..6).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
        let start = Cube::SOLVED.after(&Moves::from(&way).inverse());
        let explanation = explained(&start, &way);
        for b in explanation.boundaries {
            let inside = |mv: &Move| mv.face().axis() == b.axis || mv.quarters() == 2;
            let last_outside = way.iter().rposition(|mv| !inside(mv)).map_or(0, |last| last + 1);
            assert!(b.inside_from <= last_outside, "{} {}", b.axis, Moves::from(&way));
            if b.inside_from > 0 {
                assert_ne!(explanation.steps[b.inside_from - 1].directions[b.axis.index()].phase_one_distance, 0);
            }
            assert!(way[..b.inside_until].iter().all(inside));
            assert!(way.get(b.inside_until).is_none_or(|mv| !inside(mv)));
        }
        assert!(explain(&TINY, &cube, &way, &Control::new()).unwrap().is_none(), "it solves another cube");
    }
}

#[test]
fn symmetries_of_cubes_are_known_ones() {
    let order = |scramble: &str| symmetry_of(&Cube::from_scramble(scramble).unwrap()).symmetries.len();
    assert_eq!(order(""), 48);
    // Superflip; four-spot; six-spot; checkerboard; a single move keeps its face; a random one has none.
    assert_eq!(order("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2"), 48);
    assert_eq!(order("F2 B2 U D' R2 L2 U D'"), 16);
    assert_eq!(order("U D' R L' F B' U D'"), 6);
    assert_eq!(order("U2 D2 F2 B2 L2 R2"), 48);
    assert_eq!(order("U"), 4);
    assert_eq!(order("U2"), 8);
    let mut rng = rng(4);
    for _ in 0..50 {
        let cube = scrambled(&mut rng);
        let found = symmetry_of(&cube);
        assert_eq!(48 % found.symmetries.len(), 0);
        assert!(found.symmetries.contains(&Symmetry::IDENTITY));
        assert!(found.antisymmetries.iter().all(|s| s.conjugate(&cube) == cube.inverse()));
    }
    // A half turn is its own inverse, so that what keeps it also inverts it.
    assert_eq!(symmetry_of(Move::U2.cube()).antisymmetries.len(), 8);
}

#[tokio::test]
async fn every_step_is_what_the_stickers_show() {
    let mut rng = rng(5);
    for _ in 0..10 {
        let cube = scrambled(&mut rng);
        let body = get(ready(), &format!("/explain?facelets={}&target_length=22", letters(&cube))).await.ok();
        let mut facelets = letters(&cube);
        let steps = body["steps"].list();
        assert_eq!(steps.len() as u64, body["lengths"]["htm"].number() + 1);
        for step in steps {
            if let Some(mv) = step["move"].as_str() {
                facelets = stickers::apply(&facelets, mv);
            }
            assert_eq!(step["facelets"], facelets);
            let coords = get(ready(), &format!("/coords?facelets={facelets}")).await.ok();
            let directions = coords["directions"].list();
            let own = directions
                .iter()
                .find(|d| d["axis"] == body["reading"]["axis"] && d["inverse"] == body["reading"]["inverse"]);
            assert_eq!(own, Some(&step["coordinates"]));
            for (bound, direction) in step["bounds"].list().iter().zip(directions) {
                for member in ["axis", "inverse", "phase_one_distance", "phase_two_bound"] {
                    assert_eq!(bound[member], direction[member]);
                }
            }
        }
        assert!(stickers::is_solved(&facelets));
        assert_eq!(body["searched"], true);
    }
}

#[tokio::test]
async fn waste_is_found_and_named() {
    let request = json!({"scramble": "R U R' U'", "solution": "U R2 R' U D D' U2 R'"});
    let body = post(ready(), "/explain", &request).await.ok();
    assert_eq!(body["merged"], "U R U' R'");
    assert_eq!(body["redundant"], json!([{"after": 1, "moves": "R2 R'"}, {"after": 3, "moves": "U D D' U2"}]));
    assert_eq!((&body["proven_optimal"], &body["lower_bound"]), (&json!(false), &json!(4)));
    assert_eq!(body["steps"][0]["exact"], 4);
    assert_eq!(body["shortest"]["detour"]["moves_left"].as_u64().map(|left| left > 1), Some(true));
    assert_eq!(body["lengths"], json!({"htm": 8, "qtm": 10, "stm": 7, "axht": 6, "axqt": 8, "etm": 8}));
    let solved = get(ready(), "/explain?scramble=&solution=").await.ok();
    assert_eq!((&solved["solution"], &solved["proven_optimal"]), (&json!(""), &json!(true)));
    // Solved half way: the rest is a detour of its own.
    let body = post(ready(), "/explain", json!({"scramble": "R", "solution": "R' U U'"})).await.ok();
    assert_eq!(
        body["shortest"]["detour"],
        json!({"after": 1, "move": null, "shorter": "", "shorter_length": 0, "moves_left": 2})
    );
}

/// As `/check-solution` reads it. The answer has the moves of faces as the cube is held at the start.
#[tokio::test]
async fn a_solution_may_have_moves_of_any_layers() {
    for (scramble, solution, faces) in [
        ("R U F", "x U' B' R'", "F' U' R'"),
        ("R U F", "y L' U' F'", "F' U' R'"),
        ("F B'", "S z'", "F' B"),
        ("R2 D", "Uw' y R2 (x y)2", "D' R2"),
    ] {
        let body = post(ready(), "/explain", json!({"scramble": scramble, "solution": solution})).await.ok();
        assert_eq!(body["solution"], faces, "{solution}");
        assert!(stickers::solves(body["facelets"].text(), faces), "{body}");
        assert_eq!(body["length"], faces.split(' ').count(), "{body}");
        let judged = post(ready(), "/check-solution", json!({"scramble": scramble, "solution": solution})).await.ok();
        assert_eq!(judged["solves"], true, "{judged}");
    }
    let query = get(ready(), "/explain?scramble=R+U+F&solution=x+U%27+B%27+R%27").await.ok();
    assert_eq!(query["solution"], "F' U' R'");
}

#[tokio::test]
async fn what_does_not_solve_is_refused_with_what_it_does() {
    for (request, status, code, part) in [
        (json!({"scramble": "R", "solution": "U"}), 422, "not_a_solution", "leads to"),
        (json!({"scramble": "R U", "solution": "R U"}), 422, "not_a_solution", "inverse"),
        (json!({"scramble": "R", "solution": "R' U"}), 422, "not_a_solution", "after 1 move;"),
        (json!({"scramble": "R U", "solution": "U' F'"}), 422, "not_a_solution", "held differently they do: U' R'"),
        (json!({"scramble": "R U", "solution": "x"}), 422, "not_a_solution", "leads to"),
        (json!({"scramble": "R U", "solution": "R x3"}), 422, "notation", "`(R U)3`"),
        (json!({"scramble": "R", "solution": "R'", "target_length": 3}), 422, "option_out_of_range", "searched"),
        (json!({"scramble": "R", "solution": "(R U)101 R'"}), 422, "option_out_of_range", "203"),
        (json!({"solution": "R'"}), 422, "cube_form", "scramble"),
        (json!({"scramble": "R", "moves": "R'"}), 400, "unknown_field", "solution"),
    ] {
        post(ready(), "/explain", request).await.problem_with(status, code, &[part]);
    }
    get(starting(), "/explain?scramble=R").await.problem(503, "tables_not_ready");
}

#[test]
fn a_hard_cube_keeps_its_secrets_and_says_so() {
    let cube = superflip_cube::Cube::from_facelets(SUPERFLIP).unwrap();
    let moves = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".parse::<Moves>().unwrap();
    let explanation = explained(&cube, &moves);
    assert_eq!(explanation.steps[0].shortest_from_here, None);
    assert!(explanation.detour.is_none() && explanation.shortest_from <= 10);
    assert_eq!(explanation.boundaries.map(|b| b.axis), Axis::ALL);
    assert!(explanation.steps[0].lower_bound >= 11);
}
