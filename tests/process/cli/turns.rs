//! `--faces` and `--moves` of `superflip solve`.

use crate::common::prelude::*;

#[test]
fn the_shell_solves_with_some_faces_or_moves() {
    let solved = run_on_tables(&["solve", "R U2 R' U'", "--faces", "UR", "--json"], 0).json();
    assert_eq!(solved["length"], 4);
    let quarters = run_on_tables(&["solve", "R2 U2", "--moves", "U U' R R' F F' D D' L L'", "--metric", "qtm"], 0);
    let moves: Vec<&str> = quarters.out.split_whitespace().collect();
    assert!(moves.len() == 4 && moves.iter().all(|mv| !mv.ends_with('2')), "{}", quarters.out);
    let refused = run_on_tables(&["solve", "F", "--faces", "UR"], 1);
    assert!(refused.err.contains("U R") && refused.err.contains("DLF"), "{}", refused.err);
    let refused = run_on_tables(&["solve", "F", "--faces", "UX"], 2);
    assert!(refused.err.contains("`URFDL`"), "{}", refused.err);
    let refused = run_on_tables(&["solve", "F", "--faces", "UR", "--moves", "U U'"], 2);
    assert!(refused.err.contains("--moves"), "{}", refused.err);
}
