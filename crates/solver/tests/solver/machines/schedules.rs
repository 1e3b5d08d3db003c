//! Schedules that were executed, by the names of their actions.

use crate::common::prelude::*;
use superflip_solver::search::machine::{ActionDescription, Machine, MachineDescription, ScheduleFault};

use super::executions::example;

#[test]
fn a_schedule_is_followed_through_its_states() {
    let mut rng = rng(15);
    for name in ["cubotino", "four-grippers", "squidcuber"] {
        let machine = Machine::new(&example(name)).unwrap();
        for _ in 0..10 {
            let moves = maneuver(&mut rng, 8, &Move::ALL);
            let execution = machine.execute(&moves).unwrap();
            let steps = || execution.steps.iter().map(|step| (step.action, Some(step.state)));
            let schedule = machine.schedule(steps()).unwrap();
            let last = execution.steps.last().unwrap();
            assert_eq!((schedule.state, schedule.actions.len()), (last.state, execution.steps.len()));
            // As the machine holds it, a cube that the moves solve is solved.
            let cube = Cube::SOLVED.after(&moves.inverse());
            let end = schedule.actions.iter().fold(cube, |cube, action| action.motion.after(&cube));
            assert!(end.is_solved());
            // From there, the machine executes what it would execute if it had started there.
            let mut other = example(name);
            last.state.clone_into(&mut other.start);
            let other = Machine::new(&other).unwrap();
            let after = machine.starting_after(&schedule);
            assert_eq!(after.execute(&moves).unwrap().cost, other.execute(&moves).unwrap().cost);
        }
    }
}

#[test]
fn a_schedule_that_cannot_be_is_refused_at_its_action() {
    let machine = Machine::new(&example("cubotino")).unwrap();
    let fault = |names: &[(&'static str, Option<&'static str>)]| machine.schedule(names.to_vec()).unwrap_err();
    let cw = "rotate to cw".to_owned();
    let state = "home".to_owned();
    let unknown = fault(&[("flip", None), ("jump", None)]);
    assert_eq!(unknown, ScheduleFault::UnknownAction { index: 1, name: "jump".to_owned() });
    let twice = fault(&[("rotate to cw", None), ("rotate to cw", None)]);
    assert_eq!(twice, ScheduleFault::Impossible { index: 1, name: cw.clone(), state: "cw".to_owned() });
    let other = fault(&[("rotate to cw", Some("ccw"))]);
    assert_eq!(other, ScheduleFault::OtherState { index: 0, name: cw, state, to: "ccw".to_owned() });
    // The state after it decides between actions of one name, if their ends differ.
    let machine = Machine::new(&example("four-grippers")).unwrap();
    let turned = |to| machine.schedule([("rotate the cube", to)]);
    assert!(matches!(turned(None), Err(ScheduleFault::Ambiguous { index: 0, .. })));
    let rotations = ["RL", "FB"].map(|to| turned(Some(to)).unwrap().actions[0].motion.to_string());
    assert_eq!(rotations, ["x", "z"]);
}

#[test]
fn an_action_is_reversible_if_another_undoes_its_motion() {
    let action = |name, turn, rotates| ActionDescription::new(name, 1.0).turn(turn).rotates(rotates);
    let actions = vec![
        action("turn", Some("D"), None),
        action("back", Some("D'"), None),
        action("half", Some("D2"), None),
        action("flip", None, Some("x'")),
        action("both", Some("U"), Some("x")),
        action("undo both", Some("B'"), Some("x'")),
    ];
    let states = vec!["a".to_owned()];
    let machine = Machine::new(&MachineDescription { start: "a".to_owned(), states, actions }).unwrap();
    let names = ["turn", "back", "half", "flip", "both", "undo both"];
    let schedule = machine.schedule(names.map(|name| (name, None))).unwrap();
    let reversible: Vec<bool> = schedule.actions.iter().map(|action| action.is_reversible).collect();
    assert_eq!(reversible, [true, true, true, false, true, true]);
}
