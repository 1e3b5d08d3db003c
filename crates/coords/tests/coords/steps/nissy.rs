//! Compares the sets of all shortest solutions with the sets that nissy-core found; they were computed once.

use std::collections::BTreeSet;

use superflip_coords::steps::{Side, Step};
use superflip_cube::Cube;

use super::moves_of;

/// Solver, flag, scramble and solutions, one line each.
const REFERENCE: &str = include_str!("nissy.txt");

/// Normal and inverse moves.
type Pair = (Vec<String>, Vec<String>);

/// Reads a solution in the notation of nissy, with moves on the inverse side in parentheses.
fn read(solution: &str) -> Pair {
    let mut sides = (Vec::new(), Vec::new());
    let mut is_inverse = false;
    for word in solution.replace('(', " ( ").replace(')', " ) ").split_whitespace() {
        match word {
            "(" => is_inverse = true,
            ")" => is_inverse = false,
            word if is_inverse => sides.1.push(word.to_owned()),
            word => sides.0.push(word.to_owned()),
        }
    }
    sides
}

/// Checks every line of a solver, and returns the number of lines.
fn agrees(solver: &str) -> usize {
    let lines = REFERENCE.lines().filter(|line| !line.starts_with('#'));
    let mut checked = 0;
    for line in lines {
        let fields: Vec<&str> = line.split('|').collect();
        let [name, flag, scramble, solutions] = fields[..] else { panic!("{line}") };
        if name != solver {
            continue;
        }
        let mut step = Step::named(solver).unwrap();
        (step.over_best, step.count) = (Some(0), usize::MAX);
        step.side = match flag {
            "1" => Side::Normal,
            "3" => Side::Linear,
            "7" => Side::Mixed,
            flag => panic!("{flag}"),
        };
        // Nissy lists solutions that end in clockwise quarter turns only, if both directions are possible.
        step.one_ending = true;
        // Of solutions that are equal up to turns of the middle slice, it lists one.
        step.one_slice = true;
        let cube: Cube = Cube::from_scramble(scramble).unwrap();
        let words = |moves: &superflip_cube::Moves| moves.iter().map(ToString::to_string).collect::<Vec<_>>();
        let ours = moves_of(&step, &cube).into_iter().map(|moves| (words(&moves.normal), words(&moves.inverse)));
        let ours: BTreeSet<Pair> = ours.collect();
        let theirs: BTreeSet<Pair> = solutions.split(',').map(read).collect();
        assert_eq!(ours, theirs, "{solver} {flag} {scramble}");
        checked += 1;
    }
    checked
}

#[test]
fn edge_orientation_agrees_with_nissy() {
    assert_eq!(["eofb", "eorl", "eoud"].map(agrees), [100, 30, 30]);
}

#[test]
fn domino_reduction_agrees_with_nissy() {
    assert_eq!(agrees("drud-eofb"), DOMINO);
}

#[test]
fn half_turn_reduction_agrees_with_nissy() {
    assert_eq!(agrees("htr-drud"), 98);
}

#[test]
fn slices_corners_and_finishes_agree_with_nissy() {
    assert_eq!(["drudslice", "corners", "drudfin"].map(agrees), [40, 10, 30]);
}

/// Number of lines of domino reduction: 100 on one side, the rest on both.
const DOMINO: usize = 110;
