//! Descriptions with faults.

use std::sync::Arc;
use std::time::Instant;

use superflip_cube::Move;
use superflip_solver::search::machine::{
    ActionDescription, MAX_ROUTES, MAX_STATES, Machine, MachineBytes, MachineDescription, StateNames,
};
use superflip_solver::{Cancelled, Claim, Control};

use super::executions::example;

fn machine(text: &str) -> MachineDescription {
    serde_json::from_str(text).unwrap()
}

fn faults(machine: &MachineDescription) -> Vec<String> {
    Machine::new(machine).unwrap_err().0.iter().map(ToString::to_string).collect()
}

#[test]
fn every_fault_is_named() {
    let description = machine(
        r#"{"start": "z", "states": ["a", "b", "a"], "actions": [
            {"turn": "U R", "cost": 1},
            {"turn": "Rw", "cost": 1, "from": "c"},
            {"cost": 0, "to": "d", "rotates": "R"},
            {"cost": 1e7, "from": ["a", "e"], "rotates": ""},
            {"cost": 1, "from": []},
            {"cost": -1e308}
        ]}"#,
    );
    assert_eq!(
        faults(&description),
        [
            "the state `a` is listed more than once",
            "there is no state `z`",
            "`U R` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "there is no state `c`",
            "`Rw` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "there is no state `d`",
            "`R` is not a rotation of the cube, such as `x`, `y2` or `z'`",
            "the cost 0 is not from 0.000001 to 1000000",
            "there is no state `e`",
            "`` is not a rotation of the cube, such as `x`, `y2` or `z'`",
            "the cost 10000000 is not from 0.000001 to 1000000",
            "the list of states is empty, so the action is never possible",
            "the cost -1e308 is not from 0.000001 to 1000000",
        ]
    );
}

#[test]
fn a_state_without_an_action_is_refused() {
    let description = machine(
        r#"{"start": "a", "states": ["a", "b"], "actions": [{"turn": "U", "cost": 1, "from": "a", "to": "b"}]}"#,
    );
    assert_eq!(faults(&description), ["no action is possible in the state `b`"]);
}

#[test]
fn sizes_are_limited() {
    let mut description = machine(r#"{"start": "0", "states": [], "actions": []}"#);
    assert_eq!(faults(&description), ["there are 0 states; a machine has from 1 to 100"]);
    description.states = (0..=MAX_STATES).map(|number| number.to_string()).collect();
    assert_eq!(faults(&description), ["there are 101 states; a machine has from 1 to 100"]);
    description.states.pop();
    description.actions = vec![ActionDescription::new("regrip", 1.0); 101];
    assert_eq!(
        faults(&description),
        ["there are 10100 actions, counted once for each state before them; a machine has at most 10000"]
    );
}

/// Returns a machine whose first `count` states rotate the cube and lead to others, and the others make the 45 turns and nothing else.
/// From each of the first, each turn in each other state and holding is a route of its own: `45 * 24 * count * count`.
fn two_halves(count: usize) -> MachineDescription {
    let names = |letter: &str| (0..count).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
    let first = names("a");
    let second = names("b");
    let rotations = ["x", "y"].map(|by| ActionDescription::new(by, 1.0).rotates(Some(by)));
    let ways = second.iter().map(|to| ActionDescription { to: Some(to.clone()), ..ActionDescription::new("go", 1.0) });
    let from_first = rotations.into_iter().chain(ways);
    let from_first =
        from_first.map(|action| ActionDescription { from: Some(StateNames::Several(first.clone())), ..action });
    let of_face = |face: &str| {
        ["", "1", "2", "'"].map(|suffix| if suffix.is_empty() { String::new() } else { format!("{face}{suffix}") })
    };
    let turns = ["UD", "RL", "FB"].into_iter().flat_map(|axis| {
        let one = of_face(&axis[..1]);
        let other = of_face(&axis[1..]);
        one.into_iter().flat_map(move |one| other.clone().map(|other| format!("{one} {other}").trim().to_owned()))
    });
    let turns = turns.filter(|turn| !turn.is_empty()).map(|turn| ActionDescription {
        from: Some(StateNames::Several(second.clone())),
        ..ActionDescription::new(&turn, 1.0).turn(Some(&turn))
    });
    let actions = from_first.chain(turns).collect();
    MachineDescription { start: "a0".to_owned(), states: [first.clone(), second.clone()].concat(), actions }
}

#[test]
fn routes_are_limited() {
    assert!(Machine::new(&two_halves(6)).is_ok() && 45 * 24 * 6 * 6 <= MAX_ROUTES);
    assert_eq!(
        faults(&two_halves(7)),
        [format!(
            "the first 7 of 14 states have {} routes, ways to make a turn that no other way replaces; a machine has at most 50000",
            45 * 24 * 7 * 7
        )]
    );
}

#[test]
fn a_machine_keeps_its_claim_until_its_last_clone_is_dropped() {
    let counted = Arc::new(());
    let machine = Machine::new(&two_halves(2)).unwrap().claiming(Claim::new(Arc::clone(&counted)));
    let clone = machine.clone();
    drop(machine);
    assert_eq!(Arc::strong_count(&counted), 2);
    drop(clone);
    assert_eq!(Arc::strong_count(&counted), 1);
}

#[test]
fn the_memory_of_a_machine_grows_with_its_routes() {
    // Each route has 16 bytes.
    let bytes = |count: usize| (two_halves(count).bytes(24), (45 * 24 * count * count * 16) as u64);
    for count in [2, 4, 6] {
        let (MachineBytes { kept, work }, routes) = bytes(count);
        assert!(kept > routes && kept < 2_000_000 && work > 0, "{count}: {kept}, {work}");
    }
    // From here on, the number of routes is the greatest one, and each state adds its ways.
    let largest = bytes(50).0;
    assert!(largest.kept + largest.work < 16 << 20, "{largest:?}");
}

#[test]
fn the_search_for_routes_ends_with_its_control() {
    let control = Control::new();
    let past = control.until(Instant::now());
    assert_eq!(Machine::within(&two_halves(6), &past).unwrap_err(), Cancelled::Deadline);
    control.cancel();
    assert_eq!(Machine::within(&two_halves(6), &control).unwrap_err(), Cancelled::ByCaller);
}

#[test]
fn a_turn_that_cannot_be_made_is_named_with_its_state_and_holding() {
    let missing = |machine: &MachineDescription, turns: &[Move]| {
        let faults = Machine::new(machine).unwrap().missing_turns(turns);
        faults.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    for name in ["cubotino", "four-grippers", "squidcuber"] {
        assert!(missing(&example(name), &Move::ALL).is_empty(), "{name}");
    }
    let five = example("five-faces");
    assert_eq!(
        missing(&five, &Move::ALL),
        ["no actions from the state `ready`, with the cube held UF, make the turn B of the cube"]
    );
    let turns: Vec<Move> = Move::ALL.into_iter().filter(|mv| !mv.name().starts_with('B')).collect();
    assert!(missing(&five, &turns).is_empty());
    // Once the cube has been rolled, the machine turns another face of it.
    let mut rolled = five.clone();
    rolled.actions.push(ActionDescription::new("roll", 1.0).rotates(Some("x")));
    assert!(missing(&rolled, &Move::ALL).is_empty());
    let mut trap = example("cubotino");
    trap.states.push("stuck".to_owned());
    trap.actions.push(ActionDescription::new("slip", 1.0).turn(Some("D")).between("home", "stuck"));
    trap.actions.push(ActionDescription::new("flip", 1.0).rotates(Some("x'")).between("stuck", "stuck"));
    for action in trap.actions.iter_mut().filter(|action| action.from.is_none()) {
        // What was possible in every state is not possible in the new one.
        action.from = Some(StateNames::Several(["ccw", "home", "cw"].map(str::to_owned).to_vec()));
    }
    assert_eq!(
        missing(&trap, &Move::ALL),
        ["no actions from the state `stuck`, with the cube held UF, make the turn U of the cube"]
    );
}
