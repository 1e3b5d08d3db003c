//! Solves the 3x3x3 cube: coordinates, tables and searches.
//!
//! This crate performs no network I/O and starts no runtime. The modules form a chain; each uses only those to its left:
//!
//! ```text
//! control <- coord <- symmetry <- tables <- search <- solver
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`control`] | stop flag, deadline and progress of everything that takes long, and the events of tables |
//! | [`coord`] | coordinates: numbers for parts of a cube, as descriptors |
//! | [`symmetry`] | classes of coordinates under symmetries |
//! | [`tables`] | move and pruning tables: built, stored in files, memory-mapped |
//! | [`search`] | near search, two-phase search, optimal search, and random-state scrambles |
//! | [`solver`] | [`Solver`]: tables, and the searches that use them |
//!
//! # Examples
//!
//! Solve a cube. If no tables were built before, the tables of [`Profile::Tiny`] are computed in memory.
//!
//! ```
//! use superflip_solver::{Goal, Solver};
//!
//! let solver = Solver::open_default()?;
//! let solution = solver.solve(&"R2 U' F L2 D B'".parse()?, &Goal::within(20))?;
//! println!("{solution}");
//! println!("{} moves, at least {}", solution.len(), solution.lower_bound);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod control;
pub mod coord;
pub mod search;
pub mod solver;
pub mod symmetry;
pub mod tables;

pub use control::{Cancelled, Claim, Control};
pub use search::{
    Event, Found, Goal, Iteration, Phases, Proof, ProofSearch, ProofTable, Search, Solution, SolveError, StoppedBy,
};
pub use solver::{SolveAll, Solver, SolverBuilder, default_folder};
pub use tables::{Profile, SetKey, Size, TableError, TableEvent, TableSet, Tables};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
