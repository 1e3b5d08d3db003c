//! Helpers for tests that need tables.

pub mod brute_force;
pub mod chi_square;
pub mod index_cube_model;
pub mod labelled;
pub mod metric_model;
pub mod prelude;
pub mod rows;

use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

pub use crate::cube::*;
use superflip_cube::Cube;
use superflip_cube::metric::Metric;
use superflip_solver::tables::file::naming;
use superflip_solver::tables::{OptimalTable, Profile, SetKey, Size, TableSet, Tables, specs};
use superflip_solver::{Control, Goal, Phases, Solution, SolveError, Solver};

/// The table folder that all tests share; the first test builds the tables.
pub fn tables_folder() -> PathBuf {
    crate::target_folder().join("tmp/tables")
}

/// The file of a table of this version.
pub fn file_of(folder: &Path, table: &str) -> PathBuf {
    naming::path_of(folder, specs::named(table).expect("a table"))
}

/// Opens a coset table for proofs in HTM, and builds it if it is missing.
pub fn coset_table(folder: &Path, size: Size) -> Arc<OptimalTable> {
    let set = TableSet::open(SetKey::proofs(Metric::Htm, size), folder, &Control::new()).expect("a table");
    Arc::clone(set.proving(Metric::Htm).expect("a coset table"))
}

fn open(profile: Profile) -> Arc<Tables> {
    let tables = Tables::open_or_build(&tables_folder(), profile, &Control::new());
    Arc::new(tables.expect("the tables can be built"))
}

/// Tables for tests that need only some solution. They are ready at once.
pub static TINY: LazyLock<Arc<Tables>> = LazyLock::new(|| Arc::new(Tables::in_memory()));
/// For tests of tables in files, and of searches with them.
pub static SMALL: LazyLock<Arc<Tables>> = LazyLock::new(|| open(Profile::Small));
/// For tests of these tables and of their speed; the build takes half a minute.
pub static STANDARD: LazyLock<Arc<Tables>> = LazyLock::new(|| open(Profile::Standard));

/// Nodes for the fixed suite by profile, the signature of the search: one hundred random cubes, to 20 moves on one thread. They change only
/// when the search changes; `docs/search.md` has them too.
pub const SUITE_NODES: [(Profile, u64); 3] =
    [(Profile::Standard, 192_017), (Profile::Small, 237_009), (Profile::Tiny, 4_315_459)];

/// Checks the nodes for the fixed suite with these tables.
pub fn assert_suite_nodes(tables: &Arc<Tables>) {
    let mut rng = rng(19);
    let nodes = (0..100).map(|_| answer(tables, &scrambled(&mut rng), &Goal::default()).nodes).sum::<u64>();
    assert!(SUITE_NODES.contains(&(tables.profile(), nodes)), "{nodes} nodes with {:?}", tables.profile());
}

/// A solver with these tables, and without a table for proofs.
pub fn solver(tables: &Arc<Tables>) -> Solver {
    Solver::new(Arc::clone(tables))
}

/// Solves a cube without a deadline.
pub fn solve(tables: &Arc<Tables>, cube: &Cube, goal: &Goal) -> Result<Solution, SolveError> {
    solver(tables).solve(cube, goal)
}

/// Solves a cube within a time.
pub fn solve_for(milliseconds: u64, tables: &Arc<Tables>, cube: &Cube, goal: &Goal) -> Result<Solution, SolveError> {
    solver(tables).search(cube, goal).until(Instant::now() + Duration::from_millis(milliseconds)).finish()
}

/// Solves a cube, and checks the solution on stickers.
pub fn answer(tables: &Arc<Tables>, cube: &Cube, goal: &Goal) -> Solution {
    checked(cube, solve(tables, cube, goal))
}

/// Checks a solution on stickers.
pub fn checked(cube: &Cube, answer: Result<Solution, SolveError>) -> Solution {
    let outcome = answer.expect("a solution");
    let maneuver = outcome.moves.to_string();
    assert!(stickers::solves(&letters(cube), &maneuver), "{maneuver}");
    assert_eq!(stickers::form_fault(&maneuver), None);
    assert!(usize::from(outcome.lower_bound) <= outcome.moves.len());
    assert_eq!(outcome.is_optimal(), usize::from(outcome.lower_bound) == outcome.moves.len());
    if let Phases::TwoPhase { lengths, .. } = outcome.phases {
        assert_eq!(lengths.into_iter().map(usize::from).sum::<usize>(), outcome.moves.len());
    }
    outcome
}

/// As [`answer`], within a time.
pub fn answer_for(milliseconds: u64, tables: &Arc<Tables>, cube: &Cube, goal: &Goal) -> Solution {
    checked(cube, solve_for(milliseconds, tables, cube, goal))
}

/// All edges are flipped; it needs 20 moves (Reid 1995).
pub fn superflip() -> Cube {
    Cube::from_facelets("UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB").expect("a cube")
}

/// Runs a search on another thread, cancels it after a time, and returns the time from then to its end.
pub fn cancelled(search: impl FnOnce(&Control) -> Result<Solution, SolveError> + Send, after: Duration) -> Duration {
    let control = Control::new();
    let (result, late) = std::thread::scope(|scope| {
        let search = scope.spawn(|| search(&control));
        std::thread::sleep(after);
        control.cancel();
        let told = Instant::now();
        (search.join().expect("no panic"), told.elapsed())
    });
    assert!(matches!(result, Err(SolveError::Cancelled { .. })), "{result:?}");
    late
}

/// The tables of the profile `tiny`.
pub fn tables() -> Arc<Tables> {
    Arc::clone(&TINY)
}

/// The tables of the profile `small`, in files.
pub fn small_tables() -> Arc<Tables> {
    Arc::clone(&SMALL)
}
