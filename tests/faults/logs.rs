//! The log of a build.

use crate::common::prelude::*;

#[test]
fn while_tables_are_built_their_progress_is_logged() {
    let (_, log) = log_of_build(&["tables", "build", "--profile", "standard"], " building tables ");
    let number = |words: &str| log.lines().position(|line| line.contains(words));
    let (Some(begin), Some(first)) = (number("starting to build tables"), number(" building tables ")) else {
        panic!("{log}")
    };
    assert!(begin < first, "{log}");
    let line = log.lines().nth(first).unwrap();
    assert!(line.contains("percent=") && line.contains("table=") && line.contains(" INFO "), "{line}");
}
