//! Solves the 3x3x3 cube: coordinates, tables and searches.
//!
//! This crate performs no network I/O and starts no runtime. The modules form a chain; each uses only those before it:
//!
//! ```text
//! coord -> symmetry -> tables -> search
//! ```
//!
//! | module | contents |
//! | --- | --- |
//! | [`coord`] | coordinates: numbers for parts of a cube, as descriptors |
//! | [`symmetry`] | classes of coordinates under symmetries |
//! | [`tables`] | move and pruning tables: built, stored in files, memory-mapped |
//! | [`search`] | near search, two-phase search, optimal search, and random-state scrambles |
//!
//! # Examples
//!
//! Solve a cube. The first call builds the tables, which takes some seconds; later calls map the files.
//!
//! ```no_run
//! use std::path::Path;
//! use std::sync::atomic::AtomicBool;
//!
//! use superflip_cube::{Cube, Moves};
//! use superflip_solver::search::{Options, Stop, solve};
//! use superflip_solver::tables::{Profile, Quiet, Tables};
//!
//! let tables = Tables::open_or_build(Path::new("tables"), Profile::Small, &Quiet, &AtomicBool::new(false))?;
//! let cube = Cube::from_scramble("R2 U' F L2 D B' R U2 F' L D2 B")?;
//! let outcome = solve(&tables, &cube, &Options::default(), &Stop::default())?;
//! println!("{} ({} turns)", Moves::from(&outcome.moves), outcome.moves.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod coord;
pub mod search;
pub mod symmetry;
pub mod tables;

pub use search::{
    Found, Options, Outcome, SearchError, SearchEvent, Stop, StoppedBy, solve, solve_many, solve_optimal, solve_watched,
};
pub use tables::{Profile, Quiet, TableError, Tables};

/// Runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
