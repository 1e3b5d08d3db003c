//! Superflip solves the Rubik's cube as a service, and opens the coordinates it solves with.
//!
//! The crate is one chain of modules; each may use those before it, never those after it
//! (`tests/layering.rs` holds it to that):
//!
//! ```text
//! cube -> coord -> symmetry -> tables -> space -> search -> service -> api -> http -> cli -> main
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | [`cube`] | what a cube is: pieces, turns, symmetries, facelets, notation, and why a cube is impossible |
//! | [`coord`] | numbers for parts of it, as descriptors |
//! | [`symmetry`] | classes of those numbers under the 16 symmetries that keep an axis |
//! | [`tables`] | move and pruning tables: built, kept on disk, mapped |
//! | [`space`] | every coordinate as a space to walk in: named, composed, reduced by symmetry |
//! | [`search`] | the engine: near search, then two-phase search over six directions; and what a solution does |
//! | [`service`] | between engine and transport: configuration, readiness, the pool, telemetry |
//! | [`api`] | wire types, problems with their codes, request parsing |
//! | [`http`] | routes, connections, middleware, the contract |
//! | [`cli`] | the shell |

pub mod api;
pub mod cli;
pub mod http;
pub mod service;

pub(crate) use superflip_engine::contract;
pub use superflip_engine::{coord, cube, search, space, symmetry, tables};
