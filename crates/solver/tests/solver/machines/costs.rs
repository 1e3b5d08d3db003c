//! Costs without states.

use superflip_cube::{Move, Moves};
use superflip_solver::search::machine::{Cost, Costs};

fn costs(text: &str) -> Costs {
    serde_json::from_str(text).unwrap()
}

fn faults(costs: &Costs, in_use: &[Move]) -> Vec<String> {
    costs.machine(in_use).unwrap_err().iter().map(ToString::to_string).collect()
}

/// A quarter turn costs 1, a half turn 1.5.
fn usual() -> Costs {
    Costs(Move::ALL.map(|mv| (mv.name().to_owned(), if mv.quarters() == 2 { 1.5 } else { 1.0 })).to_vec())
}

#[test]
fn a_maneuver_costs_the_sum_of_its_turns_and_pairs() {
    let mut costs = usual();
    // A pair is written in either order, and made in either order.
    costs.0.push(("D' U".to_owned(), 1.2));
    costs.0.push(("R L".to_owned(), 9.0));
    let machine = costs.machine(&Move::ALL).unwrap();
    for (maneuver, cost) in [
        ("", 0.0),
        ("R", 1.0),
        ("R2", 1.5),
        ("U D'", 1.2),
        ("D' U", 1.2),
        ("U D", 2.0),
        ("R U D' F2", 3.7),
        // Dearer together than one after the other.
        ("L R", 2.0),
        ("U D' U2", 2.7),
    ] {
        let moves: Moves = maneuver.parse().unwrap();
        assert_eq!(machine.cost(&moves).map(Cost::as_f64), Some(cost), "{maneuver}");
    }
}

#[test]
fn sums_are_exact() {
    let tenths = Costs(Move::ALL.map(|mv| (mv.name().to_owned(), 0.1)).to_vec()).machine(&Move::ALL).unwrap();
    let moves: Moves = "R U F".parse().unwrap();
    // As floating-point numbers, three tenths are 0.30000000000000004.
    assert_eq!(tenths.cost(&moves).map(Cost::as_f64), Some(0.3));
}

#[test]
fn every_fault_is_named() {
    let costs = costs(r#"{"U": 1, "U1": 2, "Q": 1, "U R": 1, "R": 0, "F": -1, "x": 1, "U D'": 1, "D' U": 1}"#);
    assert_eq!(
        faults(&costs, &[Move::U, Move::R, Move::D2]),
        [
            "`Q` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "`U R` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "the cost of R is 0; it is not from 0.000001 to 1000000",
            "the cost of F is -1; it is not from 0.000001 to 1000000",
            "`x` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "U has several costs: it is written as `U` and `U1`",
            "U D' has several costs: it is written as `U D'` and `D' U`",
            "D2 has no cost",
        ]
    );
    // A name that is given twice is a fault too, although JSON allows it.
    assert_eq!(faults(&self::costs(r#"{"U": 1, "U": 1}"#), &[]), ["U has several costs: it is written as `U` and `U`"]);
    assert!(Costs::default().machine(&[]).is_ok());
}
