//! Between engine and transport: configuration, tables in the background, the bounded door to the solver threads, telemetry.
//!
//! The async side never computes: [`pool`] is the one door to the threads that do, [`solver`] puts the search behind it,
//! [`loader`] opens or builds the tables and tells [`readiness`] and [`progress`] how far they are; [`keeper`] mends those that turn
//! out to be damaged.

pub mod batch;
pub mod check;
pub mod clients;
pub mod config;
pub mod config_access;
pub mod config_effective;
pub mod config_limits;
pub mod config_load;
mod config_origins;
pub mod departure;
pub mod keeper;
pub mod keys;
pub mod kubernetes;
pub mod listen;
pub mod loader;
pub mod memory;
pub mod metrics;
pub mod nearest;
#[cfg(feature = "otlp")]
mod otlp;
pub mod pool;
pub mod process;
pub mod progress;
pub mod rate;
pub mod readiness;
pub mod request_meters;
pub mod solver;
pub mod spaces;
pub mod telemetry;
pub mod trace;
