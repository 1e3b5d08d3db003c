//! Helpers for the tests of scans.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

pub mod camera;
#[path = "../../../../cube/tests/cube/common/mod.rs"]
mod cubes;

pub use cubes::*;
