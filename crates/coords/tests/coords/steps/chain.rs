//! Chains: replay, order of the answers, and moves that commute across steps.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use superflip_coords::space::memory::Memory;
use superflip_coords::steps::{
    BYTES_PER_WIDTH, Chain, ChainSolution, CubeState, FIRST_WIDTH, LAST_WIDTH, Side, Step, StepError, Unreached,
    UnreachedReason, catalogue,
};
use superflip_cube::{Axis, Cube, Move, Moves};
use superflip_solver::{Cancelled, Control};

use crate::common::{stickers, walk};

const SCRAMBLES: [&str; 3] = [
    "F2 U L2 U2 R2 U' F U2 R' U F U2 R' F' U2 D' B2 R2 D L' D' F' L' D B",
    "R' U' F L2 D' B2 U R2 F' D2 L B' R U2 F2 D L' B",
    "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2",
];

fn chain(goals: &[&str], side: Side) -> Chain {
    let mut steps: Vec<Step> = goals.iter().map(|goal| Step::named(goal).unwrap()).collect();
    for step in &mut steps {
        step.count = usize::MAX;
        step.side = if step.goal.is_group() { side } else { Side::Normal };
    }
    let mut chain = Chain::new(steps).unwrap();
    chain.last_width = 64;
    chain
}

/// Checks the sums of a solution, and replays it on the stickers.
fn is_sound(scramble: &str, found: &ChainSolution) {
    let mut normal = Vec::new();
    let mut inverse = Vec::new();
    let mut total = 0;
    for step in &found.steps {
        normal.extend(step.moves.normal.iter().copied());
        inverse.extend(step.moves.inverse.iter().copied());
        total += step.length;
        assert_eq!((step.total, step.length), (total, step.moves.normal.len() + step.moves.inverse.len()));
    }
    let unnissed = format!("{scramble} {} {}", Moves::from(normal), Moves::from(inverse).inverse());
    assert_eq!(stickers::apply(stickers::SOLVED, &unnissed), stickers::SOLVED);
    let solution = format!("{scramble} {}", found.solution);
    assert_eq!(stickers::apply(stickers::SOLVED, &solution), stickers::SOLVED);
    assert!(found.length == found.solution.len() && found.length <= total);
}

#[test]
fn chains_with_both_sides_solve_the_cube() {
    let chain = chain(&["eo", "dr", "htr", "finish"], Side::Mixed);
    for scramble in SCRAMBLES {
        let cube = Cube::from_scramble(scramble).unwrap();
        let mut lengths = Vec::new();
        let found = chain.search(&cube, &Control::new(), &mut |better| lengths.push(better.length)).unwrap();
        assert!(lengths.is_sorted_by(|a, b| a >= b) && found.stopped.is_none() && found.width == 64);
        let best = &found.solutions[0];
        is_sound(scramble, best);
        assert_eq!((best.length, best.steps.len()), (*lengths.last().unwrap(), 4));
        let goals: Vec<&str> = best.steps.iter().map(|step| step.goal.as_str()).collect();
        assert_eq!(goals, ["eo", "dr-eo", "htr", "htr-finish"]);
        let states: Vec<String> = best.steps.iter().map(|step| step.state.to_string()).collect();
        assert!(states[0].starts_with("eo ") || states[0].starts_with("dr "), "{states:?}");
        assert!(states[1].starts_with("dr ") || states[1] == "htr", "{states:?}");
        assert_eq!(&states[2..], ["htr", "solved"]);
        // The same search again finds the same.
        assert_eq!(chain.search(&cube, &Control::new(), &mut |_| ()).unwrap(), found);
    }
}

#[test]
fn a_step_may_begin_with_a_turn_that_commutes_with_the_last() {
    // B, then F2, which the order of moves within a step would forbid: edges are oriented after the first turn.
    let cube = Cube::SOLVED.after(&"F2 B'".parse::<Moves>().unwrap());
    let mut chain = chain(&["eofb", "drud-eofb", "htr", "finish"], Side::Normal);
    chain.count = 20;
    let found = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
    let written: Vec<Vec<String>> = found
        .solutions
        .iter()
        .map(|found| found.steps.iter().map(|step| step.moves.normal.to_string()).collect())
        .collect();
    assert!(written.iter().any(|steps| steps[0] == "B" && steps[3] == "F2"), "{written:?}");
}

/// Returns the least number of moves that reach the first goal and then the second, by a plain search.
fn least_total(cube: &Cube, goals: [&str; 2]) -> usize {
    let steps = goals.map(|goal| Step { max: 0, ..Step::named(goal).unwrap() });
    let is_reached =
        |number: usize, cube: &Cube| !steps[number].solutions(cube, &Control::new()).unwrap().solutions.is_empty();
    let mut known = HashSet::from([(*cube, 0)]);
    let mut open = vec![(*cube, 0)];
    for length in 0.. {
        let mut next = Vec::new();
        while let Some((cube, number)) = open.pop() {
            if is_reached(number, &cube) {
                if number == 1 {
                    return length;
                }
                if known.insert((cube, 1)) {
                    open.push((cube, 1));
                }
            }
            next.extend(
                Move::ALL.map(|mv| (cube.then(mv.cube()), number)).into_iter().filter(|node| known.insert(*node)),
            );
        }
        open = next;
    }
    unreachable!("the solved cube reaches every goal")
}

#[test]
fn the_shortest_total_is_that_of_a_plain_search() {
    let goals = ["eo", "cross", "222", "eoline", "corners", "roux_first_block", "xcross"];
    let mut rng = crate::common::rng(75);
    for (number, first) in goals.into_iter().enumerate() {
        for (second, moves) in [(goals[(number + 1) % 7], 3), (goals[(number + 3) % 7], 4), (first, 3)] {
            let cube = walk(&mut rng, moves, &Move::ALL);
            let found = chain(&[first, second], Side::Normal).search(&cube, &Control::new(), &mut |_| ()).unwrap();
            assert_eq!(found.solutions[0].length, least_total(&cube, [first, second]), "{first} > {second}: {cube:?}");
        }
    }
}

#[test]
fn a_chain_lists_solutions_up_to_the_excess_of_its_step() {
    let cube = Cube::from_scramble(SCRAMBLES[0]).unwrap();
    let solutions = |over_best| {
        let step = Step { count: usize::MAX, over_best, ..Step::named("eo").unwrap() };
        let mut chain = Chain::new(vec![step]).unwrap();
        chain.count = 2000;
        chain.search(&cube, &Control::new(), &mut |_| ()).unwrap().solutions
    };
    let all = solutions(None);
    for excess in 0..2 {
        let within = |solution: &&ChainSolution| solution.length <= all[0].length + usize::from(excess);
        let expected: Vec<_> = all.iter().filter(within).cloned().collect();
        assert!(expected.len() < all.len(), "the list has no longer solution");
        assert_eq!(solutions(Some(excess)), expected);
    }
}

/// A step with a great least length has millions of solutions.
#[test]
fn a_step_with_many_solutions_leaves_time_for_the_next() {
    let cube = Cube::from_scramble(SCRAMBLES[1]).unwrap();
    let mut chain = Chain::parse("EO[fb;min=9;niss=none] > cross").unwrap();
    chain.last_width = 16;
    let found = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
    assert!(found.stopped.is_none() && !found.is_exhausted && found.width == 16);
    assert!(found.solutions[0].steps[0].length >= 9);
}

#[test]
fn a_step_after_a_solved_cube_ends() {
    let cube = Cube::SOLVED.after(&"U R2 D".parse::<Moves>().unwrap());
    for (text, length) in [("FIN > FIN", 3), ("FIN > EO > FIN", 3), ("FIN[min=5] > FIN", 7), ("FIN > 222 > cross", 3)] {
        let found = Chain::parse(text).unwrap().search(&cube, &Control::new(), &mut |_| ()).unwrap();
        assert!(found.is_exhausted && found.stopped.is_none(), "{text}");
        assert!((3..=length).contains(&found.solutions[0].length), "{text}");
    }
    // Every goal after itself and after the solved cube.
    for goal in catalogue::all().map(|entry| entry.name).filter(|name| *name != "layer_2" && *name != "roux_blocks") {
        for text in [format!("{goal} > {goal}"), format!("FIN > {goal} > {goal}"), format!("{goal} > {goal} > FIN")] {
            let found = Chain::parse(&text).unwrap().search(&Cube::SOLVED, &Control::new(), &mut |_| ()).unwrap();
            assert!(found.is_exhausted && found.stopped.is_none(), "{text}");
            assert_eq!(found.solutions[0].length, 0, "{text}");
        }
    }
}

#[test]
fn a_chain_without_a_solution_names_the_step_that_found_nothing() {
    let unreached = |text: &str, cube: &Cube, control: &Control| {
        let mut chain = Chain::parse(text).unwrap();
        chain.last_width = FIRST_WIDTH;
        let found = chain.search(cube, control, &mut |_| ()).unwrap();
        assert_eq!(found.unreached.is_none(), !found.solutions.is_empty(), "{text}");
        found.unreached.map(|Unreached { step, goal, searched_to, reason }| (step, goal, searched_to, reason))
    };
    let of = |step, goal: &str, searched_to, reason| Some((step, goal.to_owned(), searched_to, reason));
    let all = Control::new();
    // Twelve flipped edges are seven moves from oriented ones, the greatest distance (Scherphuis).
    let superflip: Cube = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB".parse().unwrap();
    let exhausted = UnreachedReason::Exhausted;
    assert_eq!(unreached("eofb[max=6;niss=none]", &superflip, &all), of(0, "eo", Some(6), exhausted));
    assert_eq!(unreached("eofb[max=7;niss=none]", &superflip, &all), None);
    // Edges are oriented. Only R' solves the cross: U moves none of its edges.
    let near = Cube::SOLVED.after(&"R U".parse::<Moves>().unwrap());
    assert_eq!(unreached("eofb > cross[D;max=0]", &near, &all), of(1, "cross", Some(0), exhausted));
    assert_eq!(unreached("eofb > cross[D;max=1]", &near, &all), None);
    let far = Cube::from_scramble(SCRAMBLES[0]).unwrap();
    let text = "222[niss=none;limit=3] > FIN > cross";
    assert_eq!(unreached(text, &far, &all), of(1, "finish", None, UnreachedReason::Unprepared));
}

#[test]
fn a_chain_keeps_no_more_branches_than_its_memory_allows() {
    let cube = Cube::from_scramble(SCRAMBLES[1]).unwrap();
    let mut chain = chain(&["eo", "dr", "htr", "finish"], Side::Normal);
    chain.memory = Memory::new(32 * BYTES_PER_WIDTH);
    let found = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
    assert_eq!((found.width, found.is_short_of_memory, chain.memory.used()), (32, true, 0));
    is_sound(SCRAMBLES[1], &found.solutions[0]);
    // The first round needs no memory of others.
    let used = chain.memory.claim(32 * BYTES_PER_WIDTH);
    let found = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
    assert_eq!((found.width, found.is_short_of_memory), (FIRST_WIDTH, true));
    is_sound(SCRAMBLES[1], &found.solutions[0]);
    drop(used);
    chain.memory = Memory::new(64 * BYTES_PER_WIDTH);
    assert!(!chain.search(&cube, &Control::new(), &mut |_| ()).unwrap().is_short_of_memory);
}

#[test]
fn solutions_differ_in_more_than_the_order_of_opposite_turns() {
    // The last turn of a step and the first of the next may be of opposite faces.
    let mut chain = chain(&["eo", "dr", "htr", "finish"], Side::Normal);
    chain.count = 100;
    for scramble in ["D L2 R", "R2 L U2 D F2", "F2 B'"] {
        let cube = Cube::from_scramble(scramble).unwrap();
        let found = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
        let ordered = |found: &ChainSolution| {
            let names: Vec<String> = found.solution.iter().map(Move::to_string).collect();
            let axis = |name: &String| ["UD", "RL", "FB"].iter().position(|axis| axis.contains(&name[..1]));
            let runs = names.chunk_by(|a, b| axis(a) == axis(b));
            runs.map(|run| {
                let mut run = run.to_vec();
                run.sort();
                run.join(" ")
            })
            .collect::<Vec<_>>()
        };
        let mut distinct: Vec<_> = found.solutions.iter().map(ordered).collect();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), found.solutions.len(), "{scramble}");
        found.solutions.iter().for_each(|solution| is_sound(scramble, solution));
    }
}

#[test]
fn chains_name_their_faults() {
    assert_eq!(Chain::new(Vec::new()).unwrap_err(), StepError::NoSteps);
    let cube = Cube::from_scramble("R U F").unwrap();
    let unready = chain(&["htr", "finish"], Side::Normal).search(&cube, &Control::new(), &mut |_| ());
    assert!(matches!(unready, Err(StepError::NotReady { .. })));
    let control = Control::new();
    control.cancel();
    let stopped = chain(&["eo", "dr", "htr", "finish"], Side::Mixed).search(&cube, &control, &mut |_| ());
    assert!(matches!(stopped, Err(StepError::Cancelled(_))));
}

#[test]
fn chains_are_read_from_text() {
    let chain =
        Chain::parse("eo[ud;fb; min=1;max=7;niss=before;limit=50]>DR[over_best=1] > HTR[side=normal] > FIN").unwrap();
    let [eo, dr, htr, finish] = chain.steps() else { panic!() };
    assert_eq!(
        (&eo.axes[..], eo.min, eo.max, eo.side, eo.count),
        (&["ud".into(), "fb".into()][..], 1, 7, Side::Linear, 50)
    );
    assert_eq!((dr.goal.name(), dr.over_best, dr.side), ("dr-eo", Some(1), Side::Mixed));
    assert_eq!((htr.side, finish.goal.name(), finish.side), (Side::Normal, "htr-finish", Side::Normal));
    let text = |text: &str| Chain::parse(text).unwrap_err().to_string();
    assert_eq!(text("EO > RZP"), "no goal is called `RZP`");
    for empty in ["", " "] {
        assert_eq!(text(empty), "the chain is empty; write one or more steps, such as `EO > DR > HTR > FIN`");
    }
    for (gap, number) in [("EO >", 2), ("> DR", 1), ("EO > > HTR", 2), ("EO > [max=5]", 2)] {
        assert_eq!(text(gap), format!("step {number} is empty; write its goal, or remove the `>` beside it"));
    }
    assert_eq!(text("EO[max=5"), "the options of `EO[max=5` must end with `]`, and the next step begins after `>`");
    assert!(text("EO[triggers=R]").starts_with("`triggers=R` is no option of the step `eo`; expected an axis, min"));
    assert!(text("EO[xy]").contains("the axes are `"));
    for option in ["max=x", "max=31", "min=99"] {
        assert!(text(&format!("EO[{option}]")).ends_with("expected a number of moves from 0 to 30"), "{option}");
    }
    for option in ["limit=0", "limit=10001", "limit=many"] {
        assert!(text(&format!("EO[{option}]")).ends_with("expected a number of solutions from 1 to 10000"), "{option}");
    }
    assert!(text("EO[max=3; MAX = 5]").ends_with("has the option `max` twice; give it once"));
    assert!(text("EO[niss=none;side=inverse]").ends_with("cannot have `niss and side`; expected one of them"));
    assert!(Chain::parse("EO[ud;fb;max=0;limit=10000]").is_ok());
    assert!(Chain::parse("EO[one_ending=true] > DR").unwrap().steps()[0].one_ending);
    assert!(text("EO[one_ending=1]").ends_with("expected one_ending=true or one_ending=false"));
    assert!(text("DR[subsets=9z9]").contains("subsets such as 4a1"));
    assert!(text("EO[subsets=4a1] > DR").contains("reaches no domino reduction"));
    assert!(text("EO | DR").contains("not supported"));
}

#[test]
fn a_subset_is_reached() {
    let cube = Cube::from_scramble(SCRAMBLES[1]).unwrap();
    for text in ["EO > DR[subsets=4a1] > HTR > FIN", "EO > DR > HTR[subsets=4a1] > FIN"] {
        let mut chain = Chain::parse(text).unwrap();
        chain.last_width = 16;
        let found = chain.search(&cube, &Control::new(), &mut |_| ()).unwrap();
        let reached = &found.solutions[0].steps[1];
        let axis = reached.state.axes.iter().find(|axis| reached.axis.starts_with(&axis.axis)).unwrap();
        assert!(axis.subset.as_ref().unwrap().starts_with("4a1 "), "{:?}", axis.subset);
    }
}

#[test]
fn domino_reduction_has_48_subsets() {
    // As cubelib lists them: by corners and quarter turns, and by edges.
    let mut rng = crate::common::rng(48);
    let mut names: Vec<String> = (0..20_000)
        .filter_map(|_| CubeState::of(&walk(&mut rng, 30, &Move::PHASE_TWO)).axes[0].subset.clone())
        .collect();
    names.sort();
    names.dedup();
    assert!(names.iter().any(|name| name == "4b2 0e") && names.iter().any(|name| name == "2c5 8e"), "{names:?}");
    assert_eq!(names.len(), 48, "{names:?}");
}

#[test]
fn a_chain_ends_with_its_time_and_keeps_what_it_found() {
    let cube = Cube::from_scramble(SCRAMBLES[2]).unwrap();
    let mut chain = chain(&["eo", "dr", "htr", "finish"], Side::Mixed);
    chain.steps().iter().for_each(|step| step.goal.prepare(&Control::new()).unwrap());
    chain.last_width = LAST_WIDTH;
    chain.count = 3;
    let start = Instant::now();
    let found = chain.search(&cube, &Control::new().until(start + Duration::from_millis(300)), &mut |_| ()).unwrap();
    assert_eq!((found.stopped, found.solutions.len()), (Some(Cancelled::Deadline), 3));
    assert!(start.elapsed() < Duration::from_secs(5) && found.width >= FIRST_WIDTH);
    found.solutions.iter().for_each(|solution| is_sound(SCRAMBLES[2], solution));
    assert!(found.solutions.is_sorted_by_key(|solution| solution.length));
}

#[test]
fn a_step_without_time_says_so() {
    let cube = Cube::from_scramble(SCRAMBLES[2]).unwrap();
    let mut step = Step::named("eofb").unwrap();
    // These moves turn no edge over.
    step.moves = Some(Move::ALL.into_iter().filter(|mv| mv.face().axis() != Axis::Fb || mv.quarters() == 2).collect());
    step.goal.prepare(&Control::new()).unwrap();
    let control = Control::new().until(Instant::now() + Duration::from_millis(50));
    let found = step.solutions(&cube, &control).unwrap();
    assert_eq!((found.stopped, found.solutions.len()), (Some(Cancelled::Deadline), 0));
    assert!(found.complete_to.is_some_and(|length| length >= 3), "{:?}", found.complete_to);
}

#[test]
fn the_first_search_for_a_goal_ends_with_its_control() {
    let cube = Cube::from_scramble(SCRAMBLES[2]).unwrap();
    // The tables of this goal take seconds, and no other test asks for them.
    let mut step = Step::named("roux_blocks").unwrap();
    step.count = 1;
    let start = Instant::now();
    let control = Control::new().until(start + Duration::from_millis(20));
    let found = step.solutions(&cube, &control).unwrap();
    assert_eq!((found.stopped, found.complete_to, found.solutions.len()), (Some(Cancelled::Deadline), None, 0));
    let found = Chain::new(vec![step.clone()]).unwrap().search(&cube, &control, &mut |_| ()).unwrap();
    assert_eq!((found.stopped, found.width, found.solutions.len()), (Some(Cancelled::Deadline), 0, 0));
    assert_eq!(found.unreached, Some(Unreached::unbuilt(0, "roux_blocks")));
    let control = Control::new();
    control.cancel();
    assert_eq!(step.solutions(&cube, &control).unwrap_err(), StepError::Cancelled(Cancelled::ByCaller));
    // Whether tables are built after all shows in the state of the goal, however fast the machine is.
    assert_eq!(step.goal.prepare(&control), Err(Cancelled::ByCaller));
}
