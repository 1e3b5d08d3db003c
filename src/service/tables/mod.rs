//! The tables of a running service: loading, readiness, integrity and memory.

pub mod integrity;
pub mod loader;
pub mod memory;
pub mod progress;
pub mod readiness;
pub mod shelf;
