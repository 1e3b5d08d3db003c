//! Ways from one cube to another, replayed on stickers.

use superflip_cube::{Face, TurnSet};
use superflip_solver::search::PartialTarget;

use crate::common::prelude::*;

/// Replays a way from one cube to another, and returns its length.
fn replayed(from: &Cube, to: &Cube, way: &[Move]) -> usize {
    let moves = Moves::from(way).to_string();
    assert_eq!(stickers::apply(&letters(from), &moves), letters(to), "{moves}");
    way.len()
}

#[test]
fn moves_lead_from_any_cube_to_any_other() {
    let mut rng = rng(71);
    for round in 0..40 {
        let from = random_cube(&mut rng);
        let to = random_cube(&mut rng);
        let goal = Goal::within(22).threads(1 + round % 2).to([to]);
        let way = solve(&TINY, &from, &goal).expect("a way");
        assert!(replayed(&from, &to, &way.moves) <= 22);
        assert!(usize::from(way.lower_bound) <= way.len());
        // The way back is the inverse.
        replayed(&to, &from, &way.moves.inverse());
    }
}

#[test]
fn a_way_of_few_moves_is_found_and_proven_shortest() {
    let mut rng = rng(72);
    for round in 0..60 {
        let from = random_cube(&mut rng);
        let made: Vec<Move> = (0..round % 7).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
        let to = from.after(&made);
        let way = solve(&TINY, &from, &Goal::proof().to([to])).expect("a way");
        assert!(replayed(&from, &to, &way.moves) <= made.len());
        assert!(way.is_optimal(), "{way}");
        // As many as to the solved cube from the cube that is as far from it, in the frame of the target.
        let same = Cube::SOLVED.after(&made).inverse();
        assert_eq!(way.len(), solve(&TINY, &same, &Goal::proof()).expect("a way").len());
    }
}

#[test]
fn every_solution_and_every_event_leads_to_the_target() {
    let mut rng = rng(73);
    let from = random_cube(&mut rng);
    let to = random_cube(&mut rng);
    let goal = Goal::default().target_length(23).solutions(5).to([to]);
    let solver = solver(&TINY);
    let outcome = solver.solve(&from, &goal).expect("ways");
    let lengths: Vec<usize> = outcome.all().map(|way| replayed(&from, &to, way)).collect();
    assert!(lengths.len() == 5 && lengths.is_sorted(), "{lengths:?}");
    let mut found = 0;
    for event in solver.search(&from, &goal) {
        if let Event::Solution(way) = event {
            found += 1;
            replayed(&from, &to, &way.moves);
        }
    }
    assert!(found > 0);
    // The solved cube is a target like every other, and the start may be the target.
    let answer = |goal: &Goal| solver.solve(&from, goal).map(|way| (way.moves, way.nodes, way.lower_bound));
    assert_eq!(answer(&Goal::within(22).to([Cube::SOLVED])), answer(&Goal::within(22)));
    assert!(solver.solve(&from, &Goal::shortest().to([from])).expect("no moves").is_empty());
}

#[test]
fn many_cubes_are_led_to_one_target() {
    let mut rng = rng(74);
    let to = random_cube(&mut rng);
    let cubes: Vec<Cube> = (0..20).map(|_| random_cube(&mut rng)).collect();
    let answers: Vec<_> = solver(&TINY).solve_all(cubes.clone(), &Goal::within(22).to([to])).collect();
    assert_eq!(answers.len(), cubes.len());
    for (cube, (from, way)) in cubes.iter().zip(answers) {
        assert_eq!(*cube, from);
        replayed(&from, &to, &way.expect("a way").moves);
    }
}

/// Returns the target that the moves reach, on stickers.
fn reached<'t>(from: &Cube, targets: &'t [Cube], way: &[Move]) -> &'t Cube {
    let end = stickers::apply(&letters(from), &Moves::from(way).to_string());
    targets.iter().find(|target| letters(target) == end).expect("one of the targets")
}

/// Targets at most `most` moves away, and one that is far.
fn near_targets(rng: &mut impl RngExt, from: &Cube, count: usize, most: usize) -> Vec<Cube> {
    let mut targets: Vec<Cube> = (0..count).map(|_| walk_from(rng, from, most)).collect();
    targets.push(random_cube(rng));
    targets
}

fn walk_from(rng: &mut impl RngExt, from: &Cube, most: usize) -> Cube {
    let length = rng.random_range(most / 2..=most);
    from.after(&(0..length).map(|_| Move::ALL[rng.random_range(0..18)]).collect::<Vec<_>>())
}

#[test]
fn of_several_targets_the_nearest_is_reached() {
    let mut rng = rng(75);
    for _ in 0..30 {
        let from = random_cube(&mut rng);
        let targets = near_targets(&mut rng, &from, 6, 8);
        let alone = targets.iter().filter_map(|target| solve(&TINY, &from, &Goal::proof().to([*target])).ok());
        let shortest = alone.map(|way| way.len()).min().expect("a way");
        for goal in [Goal::proof(), Goal::within(20), Goal::shortest().threads(2), Goal::default().solutions(3)] {
            let mut events = Vec::new();
            let solver = solver(&TINY);
            let search = solver.search(&from, &goal.clone().to(targets.clone()));
            let outcome = search.watch(&mut |event, _| events.push(event)).expect("a way");
            for way in outcome.all() {
                reached(&from, &targets, way);
            }
            assert!(outcome.len() == shortest && outcome.is_optimal(), "{goal:?} {outcome:?}");
            assert_eq!(outcome.all().count(), goal.solutions);
            assert!(events.contains(&Event::LowerBound(outcome.lower_bound)), "{events:?}");
        }
    }
}

#[test]
fn of_far_targets_one_is_reached_within_the_limits() {
    let mut rng = rng(76);
    for count in [2, 24, 200] {
        let from = random_cube(&mut rng);
        let targets: Vec<Cube> = (0..count).map(|_| random_cube(&mut rng)).collect();
        let within = |goal: Goal| solve_for(3000, &SMALL, &from, &goal.to(targets.clone()));
        let outcome = within(Goal::within(20)).expect("a way");
        reached(&from, &targets, &outcome.moves);
        assert!(outcome.len() <= 20 && usize::from(outcome.lower_bound) < outcome.len());
        // At the deadline, there is a way, whatever its length.
        let at_once = solve_for(0, &SMALL, &from, &Goal::shortest().to(targets.clone())).expect("a way");
        reached(&from, &targets, &at_once.moves);
        assert_eq!(at_once.stopped_by, StoppedBy::TimeLimit);
        assert!(matches!(within(Goal::proof()), Err(SolveError::Unproven { lower_bound: 11.., .. })));
        assert!(matches!(within(Goal::within(3)), Err(SolveError::NoneWithin { max_length: 3, lower_bound: 4.., .. })));
        let search = |control: &Control| {
            solver(&SMALL).search(&from, &Goal::shortest().to(targets.clone())).controlled_by(control).finish()
        };
        assert!(cancelled(search, Duration::from_millis(50)) < Duration::from_secs(1));
    }
}

#[test]
fn shortest_ways_to_all_targets_are_counted() {
    let mut rng = rng(77);
    for _ in 0..10 {
        let from = random_cube(&mut rng);
        let targets: Vec<Cube> = (0..5).map(|_| walk_from(&mut rng, &from, 6)).collect();
        let distinct: HashSet<Cube> = targets.iter().copied().collect();
        let goal = Goal::proof().all_shortest().solutions(100);
        let alone: Vec<Solution> =
            distinct.iter().map(|target| solve(&TINY, &from, &goal.clone().to([*target])).expect("a way")).collect();
        let shortest = alone.iter().map(Solution::len).min().expect("a way");
        let count = alone.iter().filter(|way| way.len() == shortest).map(|way| way.optimal_solutions.expect("a count"));
        let outcome = solve(&TINY, &from, &goal.to(targets.clone())).expect("a way");
        assert_eq!((outcome.len(), outcome.optimal_solutions), (shortest, Some(count.sum())));
        assert!(outcome.all().all(|way| way.len() == shortest));
    }
}

#[test]
fn several_targets_in_another_metric_or_with_some_turns_only_are_refused() {
    let of_both = Goal::within(20).to([superflip(), Cube::SOLVED]);
    let some = TurnSet::without(Face::R);
    for (goal, metric, turns, reason) in [
        (of_both.clone().metric(Metric::Qtm), Metric::Qtm, TurnSet::ALL, "counts in qtm"),
        (of_both.turns(some), Metric::Htm, some, "may turn U F D L B only"),
    ] {
        let refused = solve(&TINY, &Cube::SOLVED.after(&[Move::U]), &goal).expect_err("several targets");
        assert!(refused.to_string().contains(reason), "{refused}");
        assert_eq!(refused, SolveError::SeveralTargets { metric, turns });
    }
}

/// A target in which these pieces are in their places; `corner` and `edge` name them by a part of their names.
fn in_place(corner: impl Fn(&str) -> bool, edge: impl Fn(&str) -> bool) -> PartialTarget {
    let of_corner = |slot: Corner, piece: Corner, twist| {
        if corner(slot.name()) { slot == piece && twist == 0 } else { !corner(piece.name()) }
    };
    let of_edge = |slot: Edge, piece: Edge, flip| {
        if edge(slot.name()) { slot == piece && flip == 0 } else { !edge(piece.name()) }
    };
    PartialTarget::new(Cube::SOLVED, of_corner, of_edge)
}

fn cross() -> PartialTarget {
    in_place(|_| false, |edge| edge.contains('D'))
}

/// The block of the corner DBL and its three edges.
fn block() -> PartialTarget {
    in_place(|corner| corner == "DBL", |edge| ["DB", "DL", "BL"].contains(&edge))
}

#[test]
fn distances_from_a_cross_are_the_published_ones() {
    // https://www.jaapsch.net/puzzles/compindx.htm and others: 190 080 positions of the cross.
    let published = [1, 15, 158, 1394, 9809, 46_381, 97_254, 34_966, 102];
    assert_eq!(cross().depth_histogram(&Control::new()).unwrap(), published);
    assert_eq!(published.iter().sum::<u64>(), cross().values());
    // Corners and edges together: every position of the block is reached.
    let counts = block().depth_histogram(&Control::new()).unwrap();
    assert_eq!((counts.iter().sum::<u64>(), counts[0]), (8 * 3 * 12 * 11 * 10 * 8, 1), "{counts:?}");
    assert_eq!(block().values(), 253_440);
    // Edges of one class: only the orientation of all edges counts.
    let eo = PartialTarget::new(Cube::SOLVED, |_, _, _| true, |_, _, flip| flip == 0);
    assert_eq!(eo.values(), 1 << 12);
    assert_eq!(eo.depth_histogram(&Control::new()).unwrap()[..4], [1, 2, 25, 202]);
}

/// Returns whether some maneuver of at most `left` moves leads from a cube into a set, by plain enumeration.
fn is_within(cube: &Cube, target: &PartialTarget, left: u8) -> bool {
    let next = || Move::ALL.iter().map(|mv| cube.then(mv.cube()));
    target.contains(cube) || left > 0 && next().any(|cube| is_within(&cube, target, left - 1))
}

#[test]
fn ways_into_a_set_are_shortest() {
    let solver = solver(&TINY);
    let mut rng = rng(79);
    for target in [cross(), block()] {
        for round in 0..40 {
            let made: Vec<Move> = (0..round % 4).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
            let near = Cube::SOLVED.after(&made);
            let way = solver.solve(&near, &Goal::default().to_partial(target.clone())).expect("a way");
            assert!(target.contains(&near.after(&way.moves)) && way.is_optimal());
            let length = u8::try_from(way.len()).unwrap();
            assert!(length == 0 || !is_within(&near, &target, length - 1), "{made:?}");
        }
        let far = random_cube(&mut rng);
        let goal = Goal::default().solutions(20).to_partial(target.clone());
        let ways = solver.solve(&far, &goal).expect("ways");
        let all: Vec<&[Move]> = ways.all().collect();
        assert!(all.len() == 20 && all.is_sorted_by_key(|way| way.len()) && all[0].len() <= 9);
        for way in &all {
            assert!(target.contains(&far.after(way)));
            assert!(
                (0..way.len()).all(|count| !target.contains(&far.after(&way[..count]))),
                "it goes on behind the target"
            );
        }
        // All shortest ones are counted, and a lower limit on the length has none.
        let every =
            solver.solve(&far, &Goal::proof().all_shortest().solutions(100).to_partial(target.clone())).unwrap();
        let count = all.iter().filter(|way| way.len() == all[0].len()).count();
        assert!(every.optimal_solutions.unwrap() >= count as u64);
        assert!(every.all().all(|way| way.len() == all[0].len()));
        let shorter = Goal::default().max_length(ways.lower_bound - 1).to_partial(target.clone());
        let refused = solver.solve(&far, &shorter).unwrap_err();
        assert!(
            matches!(refused, SolveError::NoneWithin { best_length, .. } if best_length == ways.lower_bound),
            "{refused}"
        );
        // Without time for the distances there is still a way, and no claim about it.
        let fresh =
            PartialTarget::new(Cube::SOLVED, |_, _, _| true, |slot, edge, _| slot == edge || slot != Edge::ALL[0]);
        let goal = Goal::default().to_partial(fresh.clone());
        let hurried = solver.search(&far, &goal).until(Instant::now()).finish().expect("a way");
        assert!(fresh.contains(&far.after(&hurried.moves)));
        assert_eq!((hurried.lower_bound, hurried.stopped_by), (0, StoppedBy::TimeLimit));
        let other = goal.metric(Metric::Qtm);
        assert!(matches!(solver.solve(&far, &other), Err(SolveError::SeveralTargets { .. })));
    }
}
