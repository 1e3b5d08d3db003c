//! Shared by the test programs of the service; each uses a part of it.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

#[path = "../../crates/scan/tests/scan/common/camera.rs"]
pub mod camera;
pub mod config_keys;
#[path = "../../crates/coords/tests/coords/common/mod.rs"]
mod crates;
pub mod documents;
pub mod folders;
pub mod prelude;
pub mod program;
pub mod scans;
pub mod service;
pub mod watched;
pub mod wire;

pub use crates::*;
