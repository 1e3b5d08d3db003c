//! The service without a port: its router, for programs that call the operations in their own process.

use std::path::Path;
use std::sync::Arc;

use axum::Router;

use super::input::lift_caps;
use crate::http::AppState;
use crate::service::config::load::{ConfigError, load};
use crate::service::tables::memory;
use crate::service::tables::readiness::Readiness;
use superflip_solver::{Profile, Tables};

/// Greatest size of a body in bytes. The caller has it in memory anyway.
const BODY_LIMIT_BYTES: usize = 1 << 30;
/// Least number of threads for long jobs: one that improves a solution keeps no other from its answer.
const LEAST_LONG_THREADS: usize = 4;

/// Builds the router, as `app` does, with these tables of the profile `tiny`. Its configuration is the default one, without limits that protect a service from
/// its clients. Must be called in a tokio runtime.
///
/// # Errors
/// Returns an error if the default configuration is invalid, which is a bug.
pub fn router(tables: Arc<Tables>, app: fn(AppState) -> Router) -> Result<Router, ConfigError> {
    let mut config = load(None, [], &[])?;
    lift_caps(&mut config);
    config.tables.profile = Profile::Tiny;
    config.server.body_limit_bytes = BODY_LIMIT_BYTES;
    config.server.request_timeout_ms = 2 * u64::from(u32::MAX);
    config.server.compression = false;
    config.search.long_threads = config.search.threads().max(LEAST_LONG_THREADS);
    let limit = memory::limit(Path::new("/"));
    config.coords.cache_bytes = memory::for_spaces(&config, limit.as_ref());
    config.search.memory_bytes = memory::for_searches(&config, limit.as_ref());
    Ok(app(AppState::new(config, Readiness::ready(tables))))
}
