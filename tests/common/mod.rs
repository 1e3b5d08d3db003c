//! Shared by the test programs of the service; each uses a part of it.
#![allow(dead_code, missing_docs, unreachable_pub, unused_imports)]

pub mod config_keys;
#[path = "../../engine/tests/engine/common/mod.rs"]
mod engine;
pub mod folders;
pub mod program;
pub mod service;
pub mod watched;
pub mod wire;

pub use engine::*;
