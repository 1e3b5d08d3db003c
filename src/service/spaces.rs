//! A bounded cache of coordinate spaces, which are built on demand on the worker pools.
//!
//! Requests for a space that is being built wait for it. When the request that builds it is cancelled, the build stops and the next
//! request starts it again. The cache evicts spaces that are used less.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::config::Coords;
use super::pool::{Deadline, Pool, Refused};
use crate::service::telemetry::metrics::{SPACE_BUILD_SECONDS, SPACE_BYTES};
use crate::space::bulk::Bulk;
use crate::space::expression::Plan;
use crate::space::{Space, SpaceError, SpaceLimits};
use crate::tables::Tables;

/// Why there is no space.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpacesError {
    /// The worker pool refused the job.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The space cannot be built.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Weighs a space by its bytes.
#[derive(Clone)]
struct ByteWeight;

impl Weighter<String, Arc<Space>> for ByteWeight {
    fn weight(&self, label: &String, space: &Arc<Space>) -> u64 {
        space.bytes() + label.len() as u64 + size_of::<Space>() as u64
    }
}

/// Number of concurrent bulk downloads. Each holds one byte per value until it ends, however slowly it is read.
const DOWNLOADS: usize = 4;

/// A cache of spaces.
pub struct Spaces {
    cache: Cache<String, Arc<Space>, ByteWeight>,
    limits: SpaceLimits,
    downloads: Arc<Semaphore>,
}

impl Spaces {
    /// Makes an empty cache.
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
            // Options are invalid only without capacities.
            Err(_) => Cache::with_weighter(EXPECTED, config.cache_bytes, ByteWeight),
        };
        // Besides the values a build needs memory for its frontier. Half of the bound is left for that and for other spaces.
        let limits = SpaceLimits { values: config.max_space_values, bytes: config.cache_bytes / 2 };
        let downloads = Arc::new(Semaphore::new(DOWNLOADS));
        Self { cache, limits, downloads }
    }

    /// Returns the limits on a composed space.
    pub fn limits(&self) -> SpaceLimits {
        self.limits
    }

    /// Returns a permit for a bulk download, or `None` while there are too many.
    pub fn download(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.downloads).try_acquire_owned().ok()
    }

    /// Returns the bytes of all cached spaces.
    pub fn bytes(&self) -> u64 {
        self.cache.weight()
    }

    /// Returns a cached space.
    pub fn kept(&self, label: &str) -> Option<Arc<Space>> {
        self.cache.get(label)
    }

    /// Returns a space, and builds it if it is not cached.
    ///
    /// # Errors
    /// When the pool refuses the job, or the space cannot be built.
    pub async fn get(
        &self,
        plan: Plan,
        tables: Arc<Tables>,
        pool: &Pool,
        time_limit: Duration,
    ) -> Result<Arc<Space>, SpacesError> {
        if let Some(space) = self.kept(&plan.label) {
            return Ok(reading(space, tables));
        }
        let (label, limits, built_from) = (plan.label.clone(), self.limits, Arc::clone(&tables));
        let build = async {
            let start = Instant::now();
            let build = move |stop: &crate::search::Stop| {
                let hear = |stage, done| tracing::trace!(stage, done, "building a coordinate space");
                // A cached space holds no tables.
                Space::new(plan, limits, &built_from, stop.flag(), &hear).map(|space| space.reading(None))
            };
            let space = Arc::new(pool.run(Deadline::StartBy(start + time_limit), build).await?.value?);
            metrics::histogram!(SPACE_BUILD_SECONDS).record(start.elapsed());
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
        metrics::gauge!(SPACE_BYTES).set(self.bytes() as f64);
        Ok(reading(space, tables))
    }
}

/// Returns the space with the tables that it reads, for one request.
fn reading(space: Arc<Space>, tables: Arc<Tables>) -> Arc<Space> {
    if space.reads_tables() { Arc::new(space.reading(Some(tables))) } else { space }
}

/// Returns the distances of all values of a space.
///
/// # Errors
/// When the pool refuses the job, or the space has no distances.
pub async fn bulk(space: Arc<Space>, pool: &Pool, time_limit: Duration) -> Result<Bulk, SpacesError> {
    let deadline = Deadline::StartBy(Instant::now() + time_limit);
    Ok(pool.run(deadline, move |stop: &crate::search::Stop| space.bulk(stop.flag())).await?.value?)
}
