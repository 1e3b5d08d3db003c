//! Shared by the test programs of the service; each uses a part of it.

pub mod in_process;
pub mod program;
pub mod tables;
pub mod watched;
pub mod wire;

pub use crate::camera;
pub use crate::coords::*;

/// Imported by every test of the service and of the program: their helpers, and the types that most tests name.
pub mod prelude {
    pub use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
    pub use std::fs;
    pub use std::net::SocketAddr;
    pub use std::path::{Path, PathBuf};
    pub use std::process::{Command, Output, Stdio};
    pub use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    pub use std::sync::{Arc, Mutex};
    pub use std::time::{Duration, Instant};

    pub use axum::body::{Body, Bytes};
    pub use axum::http::{HeaderMap, Method, Request, StatusCode, header};
    pub use axum::{Router, routing};
    pub use serde_json::{Value, json};
    pub use superflip::api::problem::{Code, Problem};
    pub use superflip::http::{AppState, contract};
    pub use superflip::operations::app;
    pub use superflip::service::access::ClientId;
    pub use superflip::service::access::keys::KeyDigest;
    pub use superflip::service::config::{Config, load};
    pub use superflip::service::pool::{Deadline, Refused};
    pub use superflip::service::tables::readiness::{LoadStage, Readiness, TableProgress, TableState};
    pub use superflip::service::tables::shelf::Loading;
    pub use superflip_cube::metric::Metric;
    pub use superflip_cube::{Axis, Cube, Form, Holding, Move, Moves, Symmetry, TurnSet};
    pub use superflip_solver::tables::{CheckEffort, Id, OptimalTable, survey, verify};
    pub use superflip_solver::{Control, Goal, Phases, Profile, SetKey, Size, Solver, TableSet, Tables};
    pub use tempfile::TempDir;
    pub use tokio::task::JoinHandle;

    pub use super::in_process::*;
    pub use super::program::*;
    pub use super::tables::{copied, flip, names, rewritten, toml};
    pub use super::{STANDARD, file_of, letters, rng, scrambled, stickers, tables_folder, walk, wire};
}
