//! A bounded cache of coordinate spaces, which are built on demand on the worker pools.
//!
//! Requests for a space that is being built wait for it. When the request that builds it is cancelled, the build stops and the next
//! request starts it again. The cache evicts spaces that are used less often.
//!
//! All spaces share `coords.cache_bytes` of [`Memory`]: those in the cache, those under construction, and those that a request or a
//! download still uses. Half of it is for the cache, and one space may use half. So a space can be built whenever no other is being built
//! or sent, however full the cache is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};

use super::config::Coords;
use super::pool::{Deadline, Lane, Refused};
use crate::service::millis;
use crate::service::telemetry::metrics::{SPACE_BUILD_SECONDS, SPACE_BYTES};
use superflip_coords::space::bulk::Bulk;
use superflip_coords::space::expression::Plan;
use superflip_coords::space::memory::Memory;
use superflip_coords::space::{Space, SpaceError, SpaceLimits};
use superflip_solver::{Control, Tables};

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

/// Maximum of the derived memory for spaces, in bytes.
pub(crate) const MAX_BYTES: u64 = 256 << 20;

/// A cache of spaces.
pub struct Spaces {
    cache: Cache<String, Arc<Space>, ByteWeight>,
    limits: SpaceLimits,
    memory: Arc<Memory>,
}

impl Spaces {
    /// Creates an empty cache.
    pub fn new(config: &Coords) -> Self {
        /// Number of spaces expected: the named ones and a few composed ones.
        const EXPECTED: usize = 64;
        let bytes = if config.cache_bytes == 0 { MAX_BYTES } else { config.cache_bytes };
        let half = bytes / 2;
        // One shard, because the bound is on the whole cache, and one space may take most of it.
        let options = OptionsBuilder::new().estimated_items_capacity(EXPECTED).weight_capacity(half).shards(1).build();
        let cache = match options {
            Ok(options) => {
                Cache::with_options(options, ByteWeight, DefaultHashBuilder::default(), DefaultLifecycle::default())
            }
            // Not reached: options with capacities are valid. Create an equivalent cache instead of a panic.
            Err(_) => Cache::with_weighter(EXPECTED, half, ByteWeight),
        };
        let limits = SpaceLimits { values: config.max_space_values, bytes: half };
        Self { cache, limits, memory: Memory::new(bytes) }
    }

    /// Returns the size limits of a composed space.
    pub fn limits(&self) -> SpaceLimits {
        self.limits
    }

    /// Returns the memory of all spaces.
    pub fn memory(&self) -> &Arc<Memory> {
        &self.memory
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
        let (label, limits, memory) = (plan.label.clone(), self.limits, Arc::clone(&self.memory));
        let built_from = Arc::clone(&tables);
        let build = async {
            let build = move |control: &Control| {
                let start = Instant::now();
                let control =
                    control.reporting(|stage, done, _| tracing::trace!(stage, done, "building a coordinate space"));
                let space = Space::new(plan, limits, &memory, &built_from, &control)?;
                // A cached space must not hold tables, so remove them.
                Ok::<_, SpaceError>((space.reading(None), start.elapsed()))
            };
            let deadline = Deadline::StartBy(Instant::now() + time_limit);
            let (space, elapsed) = lane.run(deadline, build).await??;
            let space = Arc::new(space);
            SPACE_BUILD_SECONDS.with([]).observe(elapsed.as_secs_f64());
            tracing::info!(label, bytes = space.bytes(), elapsed_ms = millis(elapsed), "space built");
            Ok::<_, SpacesError>(space)
        };
        let space = self.cache.get_or_insert_async(&label, build).await?;
        Ok(with_tables(space, tables))
    }

    /// Sets the metric of the memory in use.
    pub fn observe(&self) {
        #[allow(clippy::cast_precision_loss)] // no machine has 2^53 bytes
        SPACE_BYTES.with([]).set(self.memory.used() as f64);
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
pub(crate) async fn bulk(space: Arc<Space>, lane: &Lane, time_limit: Duration) -> Result<Bulk, SpacesError> {
    let deadline = Deadline::StartBy(Instant::now() + time_limit);
    Ok(lane.run(deadline, move |control: &Control| space.bulk(control)).await??)
}
