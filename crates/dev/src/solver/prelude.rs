//! Imported by every test of the solver: the helpers, and the types that most tests name.

pub use std::collections::{BTreeSet, HashMap, HashSet};
pub use std::fs;
pub use std::path::Path;
pub use std::sync::{Arc, LazyLock, Mutex};
pub use std::time::{Duration, Instant};

pub use rand::RngExt;
pub use superflip_cube::metric::Metric;
pub use superflip_cube::{Axis, Corner, Cube, Edge, Face, Holding, Move, Moves, Symmetry, TurnSet, random_cube};
pub use superflip_solver::coord::*;
pub use superflip_solver::search::avoided_axes::AvoidedAxes;
pub use superflip_solver::search::directions::Direction;
pub use superflip_solver::search::two_phase::{BestSolutions, TwoPhase, TwoPhaseStatus};
pub use superflip_solver::tables::{CheckEffort, Id, OptimalTable, survey, verify};
pub use superflip_solver::{
    Cancelled, Control, Event, Goal, Iteration, Phases, Profile, ProofSearch, SetKey, Size, Solution, SolveError,
    Solver, StoppedBy, TableError, TableEvent, TableSet, Tables,
};

pub use super::hashing::{FastMap, FastSet, fingerprint};
pub use super::*;
