//! Everything between the libraries and HTTP: configuration, tables, worker threads, access control, telemetry.
//!
//! Async code never computes. [`pool`] owns the threads that do, and [`lanes`] runs searches on them. [`tables`] loads the tables, reports
//! readiness, and checks integrity.

pub mod access;
pub mod build;
pub mod config;
pub mod did_you_mean;
pub mod heap;
pub mod lanes;
pub mod pool;
pub mod process_limits;
pub mod spaces;
pub mod spool;
pub mod tables;
pub mod telemetry;
mod watched_search;
mod watched_steps;

/// Returns the message of a panic, or `without a message`.
pub fn panic_message(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}

/// Returns a time in whole microseconds, for answers and logs.
pub fn micros(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Returns a time in whole milliseconds, for answers and logs.
pub fn millis(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
