//! Goals: their distances, their images and their errors.

use std::collections::BTreeSet;
use std::sync::Arc;

use superflip_coords::space::Space;
use superflip_coords::steps::{Goal, MoveSet, Side, SideMoves, Step, StepError, catalogue};
use superflip_cube::{Cube, Face, Move, Moves, Symmetry};
use superflip_solver::Control;

use super::{moves_of, shortest};
use crate::common::{CORNERS, SMALL, TINY, rng, scrambled, walk};

fn histogram(goal: &str) -> Vec<u64> {
    Goal::named(goal).unwrap().0.depth_histogram().expect("one table")
}

#[test]
fn distances_are_the_published_ones() {
    // The four stages of Thistlethwaite's algorithm: sizes 2048, 1082565, 29400 and 663552, depths 7, 10, 13 and 15
    // (Jaap Scherphuis, "Computer Puzzling").
    assert_eq!(histogram("eo"), [1, 2, 25, 202, 620, 900, 285, 13]);
    for (goal, size, depth) in [("dr-eo", 1_082_565, 10), ("htr", 29_400, 13), ("htr-finish", 663_552, 15)] {
        let histogram = histogram(goal);
        assert_eq!((histogram.iter().sum::<u64>(), histogram.len() - 1), (size, depth), "{goal}");
    }
    // Crosses: 190080 positions, at most eight moves.
    assert_eq!(histogram("cross"), [1, 15, 158, 1_394, 9_809, 46_381, 97_254, 34_966, 102]);
    assert_eq!(histogram("corners"), CORNERS);
}

#[test]
fn a_name_of_nissy_selects_the_axis() {
    for (name, goal, axis) in [("eofb", "eo", "fb"), ("drrl-eoud", "dr-eo", "rl-ud"), ("drudfin", "finish", "ud")] {
        let step = Step::named(name).unwrap();
        assert_eq!((step.goal.name(), &step.axes[..]), (goal, &[axis.to_owned()][..]));
        step.check().unwrap();
    }
    assert_eq!(Step::named("eoxy").unwrap_err().to_string(), "no goal is called `eoxy`");
    assert!(catalogue::names().all(|name| Step::named(name).is_ok_and(|step| step.check().is_ok())));
}

#[test]
fn every_goal_is_found_on_every_image() {
    let mut rng = rng(5);
    // The tables of the largest goals take seconds.
    let is_small = |name: &str| !name.starts_with("layer") && name != "roux_blocks";
    for entry in catalogue::all().filter(|entry| entry.needs == catalogue::Needs::Nothing && is_small(entry.name)) {
        let goal = Goal::named(entry.name).unwrap().0;
        for axis in goal.axes() {
            // Four moves away, so that every goal is near.
            let cube = walk(&mut rng, 4, &Move::ALL);
            let mut step = Step::named(entry.name).unwrap();
            (step.axes, step.count) = (vec![axis.to_owned()], 1);
            let found = step.solutions(&cube, &Control::new()).unwrap();
            assert!(found.solutions[0].len() <= 4 && found.solutions[0].axis == axis, "{} {axis}", entry.name);
        }
    }
}

#[test]
fn a_composed_goal_is_the_named_one() {
    let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2").unwrap();
    for text in ["flip", "sym(flip,FB16)"] {
        let space = Space::named(text).unwrap().build(&TINY, &Control::new()).unwrap();
        let mut step = Step::to(Goal::composed(Arc::new(space)).unwrap());
        (step.axes, step.side, step.over_best, step.count) = (vec!["ud".to_owned()], Side::Mixed, Some(0), usize::MAX);
        // The coordinate orients edges on the axis FB.
        assert_eq!(moves_of(&step, &cube), shortest("eofb", Side::Mixed, &cube), "{text}");
    }
}

#[test]
fn faults_are_named() {
    let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2").unwrap();
    let error = |change: &dyn Fn(&mut Step), goal: &str| {
        let mut step = Step::named(goal).unwrap();
        change(&mut step);
        step.solutions(&cube, &Control::new()).unwrap_err()
    };
    let text = error(&|step| step.axes = vec!["xy".into()], "eo").to_string();
    assert!(text.starts_with("the goal `eo` has no axis `xy`; its axes are ") && text.contains("`rl`"), "{text}");
    let text = error(&|_| (), "htr").to_string();
    assert_eq!(
        text,
        "the goal `htr` needs a cube with domino reduction (the goal `dr`); reach that in a step before it"
    );
    assert!(matches!(error(&|step| (step.min, step.max) = (5, 4), "eo"), StepError::EmptyRange { .. }));
    assert!(matches!(error(&|step| step.side = Side::Mixed, "cross"), StepError::NoInverse { .. }));
    let none = MoveSet::of(&[Move::R]);
    assert!(matches!(error(&|step| step.moves = Some(none), "drudfin"), StepError::NoMoves { .. }));
}

#[test]
fn limits_are_kept() {
    let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2").unwrap();
    let mut step = Step::named("eofb").unwrap();
    (step.min, step.max, step.count) = (5, 6, 40);
    let all = moves_of(&step, &cube);
    assert!(all.len() == 40 && all.iter().all(|moves| (5..=6).contains(&moves.normal.len())));
    assert!(all.is_sorted_by_key(|moves| moves.normal.len()));
    step.exclude = all[..3].to_vec();
    let others = moves_of(&step, &cube);
    assert!(others.len() == 40 && others[..37] == all[3..]);
    let allowed: MoveSet = Move::ALL.into_iter().filter(|mv| mv.face() != Face::D).collect();
    (step.min, step.max, step.moves, step.count) = (0, 20, Some(allowed), 10);
    let few = moves_of(&step, &cube);
    assert!(few.len() == 10 && few.iter().all(|moves| moves.normal.iter().all(|mv| allowed.contains(*mv))));
}

/// Returns the moves, with adjacent moves of opposite faces exchanged.
fn swapped(moves: &Moves) -> Moves {
    let mut moves = moves.to_vec();
    for at in 1..moves.len() {
        if moves[at - 1].face() == moves[at].face().opposite() {
            moves.swap(at - 1, at);
        }
    }
    moves.into()
}

#[test]
fn an_excluded_solution_may_have_opposite_turns_in_the_other_order() {
    let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2").unwrap();
    let mut step = Step::named("eofb").unwrap();
    (step.min, step.max, step.side, step.count) = (5, 5, Side::Mixed, usize::MAX);
    let all = moves_of(&step, &cube);
    let swapped = |moves: &SideMoves| SideMoves { normal: swapped(&moves.normal), inverse: swapped(&moves.inverse) };
    step.exclude = all.iter().map(swapped).filter(|moves| !all.contains(moves)).collect();
    assert!(step.exclude.len() > 30, "{}", step.exclude.len());
    assert_eq!(moves_of(&step, &cube).len(), all.len() - step.exclude.len());
}

#[test]
fn domino_reduction_is_the_same_by_the_table_of_phase_one() {
    let mut rng = rng(9);
    for side in [Side::Normal, Side::Mixed] {
        for _ in 0..3 {
            let cube = if side == Side::Normal { scrambled(&mut rng) } else { walk(&mut rng, 6, &Move::ALL) };
            let mut step = Step::named("dr").unwrap();
            (step.side, step.over_best, step.count) = (side, Some(0), usize::MAX);
            let without = moves_of(&step, &cube);
            step.goal = step.goal.reading(&SMALL);
            assert_eq!(moves_of(&step, &cube), without);
        }
    }
}

/// Returns the solution that stands for all that are equal up to turns of the slice between U and D.
fn without_slice_turns(moves: &[Move]) -> Vec<Move> {
    let turn = Symmetry::all().find(|s| {
        let seen = |mv: Move| s.conjugate_move(mv);
        (seen(Move::U), seen(Move::F), s.is_reflection()) == (Move::U, Move::R, false)
    });
    let turn = turn.unwrap();
    let is_quarter = |mv: Move| mv.quarters() != 2 && matches!(mv.face(), Face::U | Face::D);
    // Quarter turns of D stay even or odd in number, and the first quarter turn is the one that may be of D.
    let is_odd = moves.iter().filter(|mv| mv.face() == Face::D && is_quarter(**mv)).count() % 2 == 1;
    let mut seen = Symmetry::IDENTITY;
    let mut is_first = true;
    let mut out = Vec::new();
    for &mv in moves {
        let mv = seen.conjugate_move(mv);
        let face = match mv.face() {
            Face::U | Face::D if is_quarter(mv) && std::mem::take(&mut is_first) && is_odd => Face::D,
            Face::U | Face::D => Face::U,
            face => face,
        };
        out.push(Move::of(face, mv.quarters()).unwrap());
        // D is U, and the cube turned against U.
        let turns = if face == mv.face() {
            0
        } else if face == Face::U {
            4 - mv.quarters()
        } else {
            mv.quarters()
        };
        (0..turns).for_each(|_| seen = turn.then(seen));
    }
    out.chunk_by_mut(|a, b| a.face().axis() == b.face().axis()).for_each(<[Move]>::sort_unstable);
    out
}

#[test]
fn one_solution_stands_for_those_that_differ_by_slice_turns() {
    let mut rng = rng(21);
    let mut all = 0;
    let mut listed = 0;
    for _ in 0..20 {
        let cube = walk(&mut rng, 25, &Move::PHASE_TWO);
        let mut step = Step::named("htr-drud").unwrap();
        (step.over_best, step.count) = (Some(0), usize::MAX);
        let every = moves_of(&step, &cube);
        step.one_slice = true;
        let some: BTreeSet<Vec<Move>> = moves_of(&step, &cube).iter().map(|moves| moves.normal.to_vec()).collect();
        let expected: BTreeSet<Vec<Move>> = every.iter().map(|moves| without_slice_turns(&moves.normal)).collect();
        assert_eq!(some, expected);
        (all, listed) = (all + every.len(), listed + some.len());
    }
    assert!(all > 5 * listed, "{all} {listed}");
}

#[test]
fn one_ending_keeps_one_of_the_solutions_that_differ_in_their_last_turn() {
    let cube = Cube::from_scramble("R' U' F L2 D' B2 U R2 F' D2 L B' R U2").unwrap();
    for (goal, side) in [("eofb", Side::Normal), ("eofb", Side::Mixed), ("eoud", Side::Linear), ("drud", Side::Normal)]
    {
        let mut step = Step::named(goal).unwrap();
        (step.side, step.over_best, step.count) = (side, Some(1), usize::MAX);
        let cube = if goal == "drud" { Cube::from_scramble("R' U' F L2 D' R").unwrap() } else { cube };
        let all = moves_of(&step, &cube);
        step.one_ending = true;
        let one: BTreeSet<String> = moves_of(&step, &cube).iter().map(ToString::to_string).collect();
        // By the text alone: the last turns of each side, made clockwise.
        let clockwise = |moves: &Moves| {
            let mut moves = moves.to_vec();
            let last = moves.last().map(|mv| mv.face().axis());
            for mv in moves.iter_mut().rev().take_while(|mv| Some(mv.face().axis()) == last) {
                *mv = Move::of(mv.face(), if mv.quarters() == 3 { 1 } else { mv.quarters() }).unwrap();
            }
            Moves::from(moves)
        };
        let ends =
            |moves: &SideMoves| SideMoves { normal: clockwise(&moves.normal), inverse: clockwise(&moves.inverse) };
        let groups: BTreeSet<String> = all.iter().map(|moves| ends(moves).to_string()).collect();
        assert_eq!(one, groups, "{goal} {side:?}");
        assert!(one.len() < all.len(), "{goal}: {} of {}", one.len(), all.len());
    }
    // Without the clockwise turns, the others stay.
    let mut step = Step::named("eofb").unwrap();
    (step.over_best, step.count) = (Some(1), usize::MAX);
    step.moves = Some(Move::ALL.into_iter().filter(|mv| mv.quarters() != 1).collect());
    let all = moves_of(&step, &cube);
    step.one_ending = true;
    assert!(!all.is_empty());
    assert_eq!(moves_of(&step, &cube), all);
}
