//! Helpers for tests that need tables.

pub mod brute_force;
pub mod chi_square;
pub mod metric_model;
pub mod rows;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

pub use crate::cube::*;
use superflip_cube::Cube;
use superflip_cube::metric::Metric;
use superflip_solver::tables::file::folder as naming;
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

/// Imported by every test of the solver: the helpers, and the types that most tests name.
pub mod prelude {
    pub use std::collections::{BTreeSet, HashMap, HashSet};
    pub use std::fs;
    pub use std::path::Path;
    pub use std::sync::{Arc, LazyLock, Mutex};
    pub use std::time::{Duration, Instant};

    pub use rand::RngExt;
    pub use superflip_cube::metric::Metric;
    pub use superflip_cube::{Axis, Corner, Cube, Edge, Face, Holding, Move, Moves, Symmetry, TurnSet, random_cube};
    pub use superflip_solver::coord::*;
    pub use superflip_solver::search::goal::AvoidedAxes;
    pub use superflip_solver::search::phase_one::Direction;
    pub use superflip_solver::search::two_phase::{BestSolutions, TwoPhase, TwoPhaseStatus};
    pub use superflip_solver::tables::{CheckEffort, Id, OptimalTable, survey, verify};
    pub use superflip_solver::{
        Cancelled, Control, Event, Goal, Iteration, Phases, Profile, ProofSearch, SetKey, Size, Solution, SolveError,
        Solver, StoppedBy, TableError, TableEvent, TableSet, Tables,
    };

    pub use super::hashing::{FastMap, FastSet, fingerprint};
    pub use super::*;
}
