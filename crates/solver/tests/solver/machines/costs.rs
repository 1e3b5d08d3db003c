//! Costs without states.

use crate::common::prelude::*;
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

/// Tries every order of the turns of a run, the pairs, and two quarter turns in place of each half turn.
fn cheapest(costs: &[(String, f64)], run: &[Move]) -> f64 {
    let of = |turns: &[Move]| {
        let names = [turns.to_vec(), turns.iter().rev().copied().collect()].map(|turns| Moves::from(turns).to_string());
        costs.iter().find(|(name, _)| names.contains(name)).map_or(f64::INFINITY, |(_, cost)| *cost)
    };
    if run.is_empty() {
        return 0.0;
    }
    let without = |left_out: &[usize]| {
        let left = run.iter().enumerate().filter(|(index, _)| !left_out.contains(index));
        left.map(|(_, mv)| *mv).collect::<Vec<_>>()
    };
    // The first turns of the two faces.
    let heads: Vec<usize> =
        (0..run.len()).filter(|&index| (0..index).all(|before| run[before].face() != run[index].face())).collect();
    let mut best = f64::INFINITY;
    for &head in &heads {
        best = best.min(of(&[run[head]]) + cheapest(costs, &without(&[head])));
        for turns in [1, 3].into_iter().filter(|_| run[head].quarters() == 2) {
            let quarter = Move::of(run[head].face(), turns).unwrap();
            let mut split = run.to_vec();
            split.splice(head..=head, [quarter; 2]);
            best = best.min(cheapest(costs, &split));
        }
    }
    if let [a, b] = heads[..] {
        best = best.min(of(&[run[a], run[b]]) + cheapest(costs, &without(&[a, b])));
    }
    best
}

#[test]
fn costs_are_the_least_of_all_orders_and_pairs_and_quarter_turns() {
    let mut rng = rng(14);
    let mut split = 0;
    for _ in 0..60 {
        let cost = |rng: &mut rand::rngs::StdRng| f64::from(rng.random_range(1..40)) / 8.0;
        let mut given: Vec<(String, f64)> = Move::ALL.map(|mv| (mv.name().to_owned(), cost(&mut rng))).to_vec();
        let pairs = Move::ALL.into_iter().flat_map(|a| Move::ALL.map(|b| (a, b)));
        for (a, b) in pairs.filter(|(a, b)| a.face().opposite() == b.face() && a < b) {
            if rng.random_bool(0.5) {
                given.push((format!("{a} {b}"), cost(&mut rng)));
            }
        }
        let machine = Costs(given.clone()).machine(&Move::ALL).unwrap();
        for _ in 0..10 {
            let length = rng.random_range(1..7);
            let moves = maneuver(&mut rng, length, &Move::ALL);
            let expected: f64 = superflip_cube::metric::runs(&moves).map(|run| cheapest(&given, run)).sum();
            let execution = machine.execute(&moves).unwrap();
            assert!((execution.cost.as_f64() - expected).abs() < 1e-9, "{moves}: {given:?}, {:?}", execution.cost);
            assert_eq!(machine.cost(&moves), Some(execution.cost));
            let made: Moves = execution.steps.iter().flat_map(|step| step.moves.iter().copied()).collect();
            assert_eq!(Cube::SOLVED.after(&made), Cube::SOLVED.after(&moves));
            assert_eq!(execution.costs_by_move(&moves).into_iter().sum::<Cost>(), execution.cost);
            split += usize::from(made.len() > moves.len());
        }
    }
    assert!(split > 20, "{split}");
}

#[test]
fn a_half_turn_becomes_quarter_turns_in_use_only() {
    let costs = Costs(Move::ALL.map(|mv| (mv.name().to_owned(), if mv.quarters() == 2 { 10.0 } else { 2.0 })).to_vec());
    let cost = |in_use: &[Move]| costs.machine(in_use).unwrap().cost(&[Move::U2]).map(Cost::as_f64);
    assert_eq!(
        [cost(&Move::ALL), cost(&[Move::U, Move::U2]), cost(&[Move::U2, Move::R])],
        [Some(4.0), Some(4.0), Some(10.0)]
    );
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
    let costs = costs(
        r#"{"U": 1, "U1": 2, "Q": 1, "U R": 1, "R": 0, "F": -1, "B": 1e308, "L": -1e-9, "x": 1, "U D'": 1, "D' U": 1}"#,
    );
    assert_eq!(
        faults(&costs, &[Move::U, Move::R, Move::D2]),
        [
            "`Q` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "`U R` is neither a turn of one face, such as `U2`, nor of two opposite faces, such as `U D'`",
            "the cost of R is 0; it is not from 0.000001 to 1000000",
            "the cost of F is -1; it is not from 0.000001 to 1000000",
            "the cost of B is 1e308; it is not from 0.000001 to 1000000",
            "the cost of L is -1e-9; it is not from 0.000001 to 1000000",
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
