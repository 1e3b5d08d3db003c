//! Searches for a machine.

use std::sync::Arc;

use super::executions::example;
use crate::common::prelude::*;
use superflip_solver::search::machine::{Cost, Costs, Machine};

#[test]
fn the_answer_is_the_cheapest_of_the_shortest_solutions() {
    let machine = Arc::new(Machine::new(&example("cubotino")).unwrap());
    let mut cheaper = 0;
    for cube in (0..10).map(|seed| random_cube(&mut rng(seed))) {
        let listed = solve(&TINY, &cube, &Goal::within(21).solutions(20)).unwrap();
        let goal = Goal::within(21).on_machine(Arc::clone(&machine)).candidates(20);
        let best = solve(&TINY, &cube, &goal.clone().solutions(3)).unwrap();
        let mut costs: Vec<Cost> = listed.all().map(|moves| machine.cost(moves).unwrap()).collect();
        cheaper += usize::from(costs.iter().min() < costs.first());
        costs.sort_unstable();
        assert_eq!(best.all().map(|moves| machine.cost(moves).unwrap()).collect::<Vec<_>>(), costs[..3]);
        assert!(best.all().all(|moves| cube.after(moves).is_solved()));
        // Without a list there is one solution.
        let one = solve(&TINY, &cube, &goal).unwrap();
        assert!(one.others.is_empty() && machine.cost(&one.moves) == costs.first().copied());
        let bound = machine.lower_bound(Metric::Htm, best.lower_bound.into());
        assert!(bound > Cost::ZERO && bound <= costs[0]);
    }
    assert!(cheaper > 3, "{cheaper}");
}

#[test]
fn the_lower_bound_is_the_length_times_the_cheapest_unit() {
    let mut costs =
        Costs(Move::ALL.map(|mv| (mv.name().to_owned(), if mv.quarters() == 2 { 3.0 } else { 2.0 })).to_vec());
    let bound =
        |costs: &Costs, metric, length| costs.machine(&Move::ALL).unwrap().lower_bound(metric, length).millionths();
    assert_eq!(bound(&costs, Metric::Htm, 10), 20_000_000);
    // A half turn counts 2, so it costs 1.5 for each.
    assert_eq!(bound(&costs, Metric::Qtm, 10), 15_000_000);
    costs.0.push(("R L'".to_owned(), 2.5));
    assert_eq!(bound(&costs, Metric::Htm, 10), 12_500_000);
    assert_eq!(bound(&costs, Metric::Stm, 10), 20_000_000);
}

#[test]
fn a_proof_lists_the_cheapest_of_the_shortest_solutions() {
    let machine = Arc::new(Machine::new(&example("cubotino")).unwrap());
    let cube = Cube::from_scramble("U2 D2 F2").unwrap();
    let all = solve(&TINY, &cube, &Goal::proof().all_shortest().solutions(100)).unwrap();
    let best =
        solve(&TINY, &cube, &Goal::proof().all_shortest().solutions(100).on_machine(Arc::clone(&machine))).unwrap();
    assert_eq!((best.optimal_solutions, best.others.len()), (all.optimal_solutions, all.others.len()));
    let costs: Vec<Cost> = best.all().map(|moves| machine.cost(moves).unwrap()).collect();
    assert!(costs.is_sorted() && best.is_optimal());
}

#[test]
fn solved_cubes_cost_nothing() {
    let machine = Machine::new(&example("squidcuber")).unwrap();
    let solution = solve(&TINY, &Cube::SOLVED, &Goal::within(20).on_machine(machine.clone()).candidates(3)).unwrap();
    assert_eq!(machine.execute(&Moves::default()).unwrap().steps.len(), 0);
    assert_eq!(solution.len(), 0);
}
