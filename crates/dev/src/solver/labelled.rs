//! Cubes whose optimal length is known, and solvers with a coset table.

use super::prelude::*;

/// A solver with a coset table, which is built if it is missing.
pub fn with_table(tables: &Arc<Tables>, size: Size, folder: &Path) -> Solver {
    let table = TableSet::open(SetKey::proofs(Metric::Htm, size), folder, &Control::new()).expect("a table");
    Solver::new(Arc::clone(tables)).with([table])
}

/// Cubes of known optimal length, 30 of each but for length 1; the file says from where.
pub fn labelled() -> impl Iterator<Item = (usize, Cube)> {
    let lines =
        include_str!("../../../solver/tests/data/optimal_lengths.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let (length, scramble) = line.split_once(' ').expect("a length and a scramble");
        (length.parse().expect("a length"), superflip_cube::Cube::from_scramble(scramble).expect("a scramble"))
    })
}

pub fn known_lengths_are_found(solver: &Solver, lengths: std::ops::RangeInclusive<usize>) {
    let mut met = HashMap::new();
    for (length, cube) in labelled().filter(|(length, _)| lengths.contains(length)) {
        let outcome = solver.solve(&cube, &Goal::proof().threads(2)).expect("an answer");
        assert!(outcome.is_optimal());
        assert_eq!(outcome.moves.len(), length, "{}", letters(&cube));
        assert!(stickers::solves(&letters(&cube), &outcome.moves.to_string()));
        *met.entry(length).or_insert(0) += 1;
    }
    for length in lengths {
        assert_eq!(met[&length], if length == 1 { 18 } else { 30 }, "{length}");
    }
}
