//! Executions: simulated, and compared with exhaustive search.

use rand::rngs::StdRng;

use crate::common::prelude::*;
use superflip_solver::search::machine::{ActionDescription, Cost, Execution, Machine, MachineDescription, StateNames};

use super::model::{Stickers, brute_force, millionths, read, starts};

/// Returns an example of the repository.
pub(super) fn example(name: &str) -> MachineDescription {
    let path = format!("{}/../../examples/machines/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Does with stickers what the steps say, by the description alone.
fn simulate(machine: &MachineDescription, execution: &Execution<'_>, start: &Cube) {
    let mut stickers = Stickers::new(&start.to_string());
    let mut state = machine.start.clone();
    let mut total = 0;
    for step in &execution.steps {
        let turns = Moves::from(step.turns).to_string();
        let is_it = |action: &&ActionDescription| {
            let mut written = action.turn.as_deref().map(read).unwrap_or_default();
            let mut of_step = read(&turns);
            written.sort_unstable();
            of_step.sort_unstable();
            starts(action, &machine.states).contains(&state)
                && action.name.as_deref().is_none_or(|name| name == step.action)
                && written == of_step
                && action.to.as_deref().unwrap_or(&state) == step.state
        };
        // Actions of one name, turn and states may differ in their costs and rotations.
        let action = machine
            .actions
            .iter()
            .filter(is_it)
            .find(|action| millionths(action.cost) == step.cost.millionths())
            .expect("an action");
        for turn in read(&turns) {
            stickers.turn(turn);
        }
        for rotation in action.rotates.as_deref().map(read).unwrap_or_default() {
            stickers.turn(rotation);
        }
        step.state.clone_into(&mut state);
        total += millionths(action.cost);
        assert_eq!(step.total.millionths(), total);
        let holding = format!("{}{}", stickers.centre('U'), stickers.centre('F'));
        assert_eq!(step.holding.name(), holding);
    }
    assert!(stickers.is_solved());
    assert_eq!(execution.cost.millionths(), total);
}

#[test]
fn every_schedule_solves_the_cube_of_a_simulation_at_its_cost() {
    let mut rng = rng(11);
    for name in ["cubotino", "four-grippers", "squidcuber", "five-faces"] {
        let description = example(name);
        let machine = Machine::new(&description).unwrap();
        let is_turned = |mv: &Move| name != "five-faces" || !mv.name().starts_with('B');
        let turns: Vec<Move> = Move::ALL.into_iter().filter(is_turned).collect();
        for length in (0..24).cycle().take(200) {
            let moves = maneuver(&mut rng, length, &turns);
            let execution = machine.execute(&moves).expect("the machine turns every face");
            assert_eq!(machine.cost(&moves), Some(execution.cost));
            simulate(&description, &execution, &Cube::SOLVED.after(&moves.inverse()));
            // What was turned is the maneuver, up to the order of turns of opposite faces.
            let made: Moves = execution.steps.iter().flat_map(|step| step.moves.iter().copied()).collect();
            assert_eq!((made.len(), Cube::SOLVED.after(&made)), (moves.len(), Cube::SOLVED.after(&moves)));
        }
    }
}

/// A random machine of up to three states. Its actions may turn one face or two, regrip and rotate the cube.
fn random_machine(rng: &mut StdRng) -> MachineDescription {
    let states: Vec<String> =
        ["a", "b", "c"].iter().take(rng.random_range(1..4)).map(|name| (*name).to_owned()).collect();
    let state = |rng: &mut StdRng| states[rng.random_range(0..states.len())].clone();
    let suffix = |rng: &mut StdRng| ["", "2", "'"][rng.random_range(0..3)];
    let actions = (0..rng.random_range(4..30)).map(|number| {
        let (first, second) = [("U", "D"), ("R", "L"), ("F", "B")][rng.random_range(0..3)];
        let turn = match rng.random_range(0..8) {
            0..3 => Some(format!("{first}{}", suffix(rng))),
            3..5 => Some(format!("{second}{}", suffix(rng))),
            5 => Some(format!("{second}{} {first}{}", suffix(rng), suffix(rng))),
            _ => None,
        };
        let rotates =
            rng.random_bool(0.3).then(|| format!("{}{}", ["x", "y", "z"][rng.random_range(0..3)], suffix(rng)));
        let from = match rng.random_range(0..3) {
            0 => None,
            1 => Some(StateNames::One(state(rng))),
            _ => Some(StateNames::Several(vec![state(rng), state(rng)])),
        };
        let to = rng.random_bool(0.6).then(|| state(rng));
        let cost = f64::from(rng.random_range(1..40)) / 10.0;
        ActionDescription { turn, name: Some(number.to_string()), from, to, cost, rotates }
    });
    let actions = actions.collect();
    MachineDescription { start: state(rng), states, actions }
}

#[test]
fn costs_are_those_of_an_exhaustive_search() {
    let mut rng = rng(12);
    let mut possible = 0;
    let mut impossible = 0;
    while possible < 150 {
        let description = random_machine(&mut rng);
        // A machine with a dead end is refused.
        let Ok(machine) = Machine::new(&description) else { continue };
        let length = rng.random_range(0..5);
        let moves = maneuver(&mut rng, length, &Move::ALL);
        let cost = machine.cost(&moves).map(Cost::millionths);
        assert_eq!(cost, brute_force(&description, &moves.to_string()), "{description:?}: {moves}");
        *(if cost.is_some() && length > 0 { &mut possible } else { &mut impossible }) += 1;
    }
    assert!(impossible > 50);
}

#[test]
fn short_maneuvers_on_the_examples_cost_what_an_exhaustive_search_says() {
    let mut rng = rng(13);
    for name in ["cubotino", "four-grippers"] {
        let description = example(name);
        let machine = Machine::new(&description).unwrap();
        for length in 1..4 {
            let moves = maneuver(&mut rng, length, &Move::ALL);
            let cost = machine.cost(&moves).map(Cost::millionths);
            assert_eq!(cost, brute_force(&description, &moves.to_string()), "{name}: {moves}");
        }
    }
}

#[test]
fn opposite_turns_are_made_in_either_order_or_at_once() {
    let names = |machine: &MachineDescription, text: &str| {
        let machine = Machine::new(machine).unwrap();
        let moves: Moves = text.parse().unwrap();
        let execution = machine.execute(&moves).unwrap();
        execution.steps.iter().map(|step| step.action.to_owned()).collect::<Vec<_>>().join("; ")
    };
    let action = |turn: &str, cost| ActionDescription::new(turn, cost).turn(Some(turn));
    let mut machine = MachineDescription {
        start: "a".to_owned(),
        states: vec!["a".to_owned(), "b".to_owned()],
        actions: vec![
            action("D", 1.0).between("a", "a"),
            action("U", 1.0).between("a", "b"),
            action("R", 1.0).between("b", "a"),
            ActionDescription::new("regrip", 0.5),
        ],
    };
    // After U the machine cannot turn D any more.
    assert_eq!(names(&machine, "U D R"), "D; U; R");
    assert_eq!(names(&machine, "D U R"), "D; U; R");
    machine.actions.push(action("D U", 1.5).between("a", "b"));
    assert_eq!(names(&machine, "U D R"), "D U; R");
    // R and U do not commute: the machine is in the state `a` after R, so U leads to `b`.
    assert_eq!(names(&machine, "U R U"), "U; R; U");
}
