//! Everything between the libraries and HTTP: configuration, tables, worker threads, access control, telemetry.
//!
//! Async code never computes. [`pool`] owns the threads that do, and [`lanes`] runs searches on them. [`tables`] loads the tables, reports
//! readiness, and checks integrity.

pub mod access;
pub mod config;
pub mod lanes;
pub mod pool;
pub(crate) mod process;
pub(crate) mod spaces;
pub mod spool;
pub mod telemetry;
mod watched_search;
mod watched_steps;

pub mod tables {
    //! The tables of a running service: loading, readiness, integrity and memory.

    pub mod integrity;
    pub mod loader;
    pub mod memory;
    pub mod progress;
    pub mod readiness;
    pub mod shelf;
}

use std::any::Any;
use std::sync::LazyLock;
use std::time::Duration;

/// Version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Commit that the program was built from: the variable `BUILD_COMMIT` of the build. `None` without the variable, or if it is empty.
pub(crate) const COMMIT: Option<&str> = match option_env!("BUILD_COMMIT") {
    Some(commit) if !commit.is_empty() => Some(commit),
    _ => None,
};

/// Returns the version and the commit, as `superflip --version` prints them.
pub fn version_and_commit() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| format!("{VERSION} (commit {})", COMMIT.unwrap_or("unknown")));
    &TEXT
}

/// Returns the message of a panic, or `without a message`.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".into())
}

/// Returns a time in whole microseconds, for answers and logs.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Returns a time in whole milliseconds, for answers and logs.
pub fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the candidate most similar to `name`, or `None` if none is similar.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Minimum Jaro-Winkler similarity. Below it, names have little in common.
    const MIN_SIMILARITY: f64 = 0.8;
    // Maximum length in bytes: twice that of any candidate. A longer name is not a typing error, so it is not compared.
    const MAX_LENGTH: usize = 64;
    if name.len() > MAX_LENGTH {
        return None;
    }
    let name = name.to_lowercase();
    let similar = candidates.into_iter().map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate));
    let similar = similar.filter(|(similarity, _)| *similarity >= MIN_SIMILARITY);
    similar.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, candidate)| candidate)
}
