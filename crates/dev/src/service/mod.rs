//! Shared by the test programs of the service; each uses a part of it.

pub mod config_keys;
pub mod documents;
pub mod folders;
pub mod in_process;
pub mod prelude;
pub mod program;
pub mod scans;
pub mod tables;
pub mod watched;
pub mod wire;

pub use crate::camera;
pub use crate::coords::*;
