//! Coordinate spaces, built on demand in the long lane and kept within a bound of memory.
//!
//! Callers who ask for one that is being built wait for it; when the one whose request builds it goes away, the build
//! stops and the next in line starts it anew. A space that is asked for less gives way to others.

use std::sync::{Arc, Mutex, PoisonError, Weak};
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

/// Why a space could not be had.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpacesError {
    /// The long lane refused the work.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It cannot be built.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

#[derive(Clone)]
struct Bytes;

impl Weighter<String, Arc<Space>> for Bytes {
    fn weight(&self, label: &String, space: &Arc<Space>) -> u64 {
        space.bytes() + label.len() as u64 + size_of::<Space>() as u64
    }
}

/// Number of bulk downloads at a time. Each holds one byte per value until it ends, however slowly it is read.
const DOWNLOADS: usize = 4;

/// The spaces that are kept.
pub struct Spaces {
    cache: Cache<String, Arc<Space>, Bytes>,
    limits: SpaceLimits,
    downloads: Arc<Semaphore>,
    /// What those that are kept were built from.
    built_from: Mutex<Weak<Tables>>,
}

impl Spaces {
    /// Nothing is built yet.
    pub fn new(config: &Coords) -> Self {
        /// Named ones and a few composed ones.
        const EXPECTED: usize = 64;
        // One shard: the bound is on the whole, and a single space may take most of it.
        let options = OptionsBuilder::new()
            .estimated_items_capacity(EXPECTED)
            .weight_capacity(config.cache_bytes)
            .shards(1)
            .build();
        let cache = match options {
            Ok(options) => {
                Cache::with_options(options, Bytes, DefaultHashBuilder::default(), DefaultLifecycle::default())
            }
            // Only missing capacities make options invalid.
            Err(_) => Cache::with_weighter(EXPECTED, config.cache_bytes, Bytes),
        };
        // Beside the values themselves a build needs room for its frontier; half of the bound is left for that and others.
        let limits = SpaceLimits { values: config.max_space_values, bytes: config.cache_bytes / 2 };
        let downloads = Arc::new(Semaphore::new(DOWNLOADS));
        Self { cache, limits, downloads, built_from: Mutex::default() }
    }

    /// How large a composed space may be.
    pub fn limits(&self) -> SpaceLimits {
        self.limits
    }

    /// A place for a bulk download, free again when it is dropped; `None` while all are taken.
    pub fn download(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.downloads).try_acquire_owned().ok()
    }

    /// Bytes of all that is kept.
    pub fn bytes(&self) -> u64 {
        self.cache.weight()
    }

    /// The space, if it is kept.
    pub fn kept(&self, label: &str) -> Option<Arc<Space>> {
        self.cache.get(label)
    }

    /// Forgets what was built from other tables than these: those may have been damaged.
    fn keep_only_those_from(&self, tables: &Arc<Tables>) {
        let mut built_from = self.built_from.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::ptr::eq(built_from.as_ptr(), Arc::as_ptr(tables)) {
            self.cache.clear();
            *built_from = Arc::downgrade(tables);
        }
    }

    /// The space, built when it is not kept.
    ///
    /// # Errors
    /// When the long lane refuses the work, or the space cannot be built.
    pub async fn get(
        &self,
        plan: Plan,
        tables: Arc<Tables>,
        pool: &Pool,
        time_limit: Duration,
    ) -> Result<Arc<Space>, SpacesError> {
        self.keep_only_those_from(&tables);
        if let Some(space) = self.kept(&plan.label) {
            return Ok(reading(space, tables));
        }
        let (label, limits, built_from) = (plan.label.clone(), self.limits, Arc::clone(&tables));
        let build = async {
            let start = Instant::now();
            let build = move |stop: &crate::search::Stop| {
                let hear = |stage, done| tracing::trace!(stage, done, "building a coordinate space");
                // It is kept for longer than a request, and keeps no table mapped.
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
        #[allow(clippy::cast_precision_loss)] // nobody has 2^53 bytes
        metrics::gauge!(SPACE_BYTES).set(self.bytes() as f64);
        Ok(reading(space, tables))
    }
}

/// The space with the tables that it reads while a request works with it.
fn reading(space: Arc<Space>, tables: Arc<Tables>) -> Arc<Space> {
    if space.reads_tables() { Arc::new(space.reading(Some(tables))) } else { space }
}

/// The distances of all values of a space.
///
/// # Errors
/// When the lane refuses the work, or there are no distances.
pub async fn bulk(space: Arc<Space>, pool: &Pool, time_limit: Duration) -> Result<Bulk, SpacesError> {
    let deadline = Deadline::StartBy(Instant::now() + time_limit);
    Ok(pool.run(deadline, move |stop: &crate::search::Stop| space.bulk(stop.flag())).await?.value?)
}
