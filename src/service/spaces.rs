//! A bounded cache of coordinate spaces, which are built on demand on the worker pools.
//!
//! Requests for a space that is being built wait for it. When the request that builds it is cancelled, the build stops and the next
//! request starts it again. The cache evicts spaces that are used less often.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::config::Coords;
use super::pool::{Deadline, Lane, Refused};
use crate::service::telemetry::metrics::{SPACE_BUILD_SECONDS, SPACE_BYTES};
use crate::space::bulk::Bulk;
use crate::space::expression::Plan;
use crate::space::{Space, SpaceError, SpaceLimits};
use crate::tables::Tables;

/// The reason why a space is not available.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpacesError {
    /// A refusal by the worker pool.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// A space that cannot be built.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Weight of a space in the cache: its size in bytes.
#[derive(Clone)]
struct ByteWeight;

impl Weighter<String, Arc<Space>> for ByteWeight {
    fn weight(&self, label: &String, space: &Arc<Space>) -> u64 {
        space.bytes() + label.len() as u64 + size_of::<Space>() as u64
    }
}

/// Maximum number of concurrent bulk downloads. Each keeps one byte per value in memory until it ends.
const DOWNLOADS: usize = 4;

/// A cache of spaces.
pub struct Spaces {
    cache: Cache<String, Arc<Space>, ByteWeight>,
    limits: SpaceLimits,
    downloads: Arc<Semaphore>,
}

impl Spaces {
    /// Creates an empty cache.
    pub fn new(config: &Coords) -> Self {
        /// Number of spaces expected: the named ones and a few composed ones.
        const EXPECTED: usize = 64;
        // One shard, because the bound is on the whole cache, and one space may take most of it.
        let options = OptionsBuilder::new()
            .estimated_items_capacity(EXPECTED)
            .weight_capacity(config.cache_bytes)
            .shards(1)
            .build();
        let cache = match options {
            Ok(options) => {
                Cache::with_options(options, ByteWeight, DefaultHashBuilder::default(), DefaultLifecycle::default())
            }
            // Not reached: options with capacities are valid. Create an equivalent cache instead of a panic.
            Err(_) => Cache::with_weighter(EXPECTED, config.cache_bytes, ByteWeight),
        };
        // A build also needs memory for its frontier. So one space may use half of the bound; the rest is for that and for other spaces.
        let limits = SpaceLimits { values: config.max_space_values, bytes: config.cache_bytes / 2 };
        let downloads = Arc::new(Semaphore::new(DOWNLOADS));
        Self { cache, limits, downloads }
    }

    /// Returns the size limits of a composed space.
    pub fn limits(&self) -> SpaceLimits {
        self.limits
    }

    /// Returns a permit for a bulk download, or `None` while the maximum number of downloads run.
    pub fn download(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.downloads).try_acquire_owned().ok()
    }

    /// Returns the size of all cached spaces in bytes.
    pub fn bytes(&self) -> u64 {
        self.cache.weight()
    }

    /// Returns a space if it is cached.
    pub fn kept(&self, label: &str) -> Option<Arc<Space>> {
        self.cache.get(label)
    }

    /// Returns a space, and builds it if it is not cached.
    ///
    /// # Errors
    /// Returns an error if the pool refuses the job, or the space cannot be built.
    pub async fn get(
        &self,
        plan: Plan,
        tables: Arc<Tables>,
        lane: &Lane,
        time_limit: Duration,
    ) -> Result<Arc<Space>, SpacesError> {
        if let Some(space) = self.kept(&plan.label) {
            return Ok(with_tables(space, tables));
        }
        let (label, limits, built_from) = (plan.label.clone(), self.limits, Arc::clone(&tables));
        let build = async {
            let start = Instant::now();
            let build = move |stop: &crate::search::Stop| {
                let log = |stage, done| tracing::trace!(stage, done, "building a coordinate space");
                // A cached space must not hold tables, so remove them.
                Space::new(plan, limits, &built_from, stop.flag(), &log).map(|space| space.reading(None))
            };
            let space = Arc::new(lane.run(Deadline::StartBy(start + time_limit), build).await?.value?);
            SPACE_BUILD_SECONDS.with([]).observe(start.elapsed().as_secs_f64());
            tracing::info!(
                label,
                bytes = space.bytes(),
                elapsed_ms = start.elapsed().as_millis() as u64,
                "space built"
            );
            Ok::<_, SpacesError>(space)
        };
        let space = self.cache.get_or_insert_async(&label, build).await?;
        #[allow(clippy::cast_precision_loss)] // no machine has 2^53 bytes
        SPACE_BYTES.with([]).set(self.bytes() as f64);
        Ok(with_tables(space, tables))
    }
}

/// Returns the space with the tables that it needs, for one request.
fn with_tables(space: Arc<Space>, tables: Arc<Tables>) -> Arc<Space> {
    if space.reads_tables() { Arc::new(space.reading(Some(tables))) } else { space }
}

/// Returns the distances of all values of a space.
///
/// # Errors
/// Returns an error if the pool refuses the job, or the space has no distances.
pub async fn bulk(space: Arc<Space>, lane: &Lane, time_limit: Duration) -> Result<Bulk, SpacesError> {
    let deadline = Deadline::StartBy(Instant::now() + time_limit);
    Ok(lane.run(deadline, move |stop: &crate::search::Stop| space.bulk(stop.flag())).await?.value?)
}
