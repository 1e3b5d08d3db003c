//! Proves the lengths of labelled cubes with the larger coset tables.

use crate::common::prelude::*;
use crate::common::{known_lengths_are_found, with_table};

#[test]
fn known_lengths_are_found_with_the_middle_table() {
    known_lengths_are_found(&with_table(&STANDARD, Size::M, &tables_folder()), 12..=15);
}

#[test]
#[ignore = "takes minutes, 5.2 GB of memory and 2.7 GB of disk"]
fn known_lengths_are_proven_with_the_largest_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let solver = with_table(&STANDARD, Size::L, folder.path());
    known_lengths_are_found(&solver, 15..=18);
    let outcome = solver.solve(&superflip(), &Goal::proof().threads(2)).expect("an answer");
    assert!(outcome.is_optimal());
    assert_eq!(outcome.moves.len(), 20);
}
