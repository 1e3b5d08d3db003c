//! Control of long work: a stop flag, a deadline, the periodic check of both, the progress, the events of tables, and claims on memory.

use std::any::Any;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use web_time::Instant;

/// Stop flag, deadline, progress receiver, observer and memory of long work: of a search, of a table, of a coordinate space or
/// of scrambles. Clones share all but the deadline: each has its own. Checks of tables and builds of
/// coordinate spaces report progress. Opening and building tables emits [events](TableEvent). Searches have
/// [events of their own](crate::Event).
///
/// # Examples
/// ```
/// use std::time::Instant;
/// use superflip_solver::{Cancelled, Control};
///
/// let control = Control::new();
/// assert_eq!(control.until(Instant::now()).check(), Err(Cancelled::Deadline));
/// assert_eq!(control.check(), Ok(()));
/// control.clone().cancel();
/// assert_eq!(control.check(), Err(Cancelled::ByCaller));
/// ```
#[derive(Clone, Default)]
pub struct Control {
    cancelled: Arc<AtomicBool>,
    deadline: Option<Instant>,
    stage: &'static str,
    receiver: Option<Arc<Receiver>>,
    observer: Option<Arc<Observer>>,
    memory: Option<Arc<ClaimMemory>>,
}

/// Claims a number of bytes; `None` if there is no room for them.
type ClaimMemory = dyn Fn(u64) -> Option<Claim> + Send + Sync;

/// Counts memory until its last clone is dropped. The default counts none. All claims are equal, so that what has one can be compared.
#[derive(Clone, Default)]
pub struct Claim(Option<Arc<dyn Any + Send + Sync>>);

impl Claim {
    /// Creates a claim that ends when `counted` is dropped.
    pub fn new(counted: impl Any + Send + Sync) -> Self {
        Self(Some(Arc::new(counted)))
    }
}

impl PartialEq for Claim {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Claim {}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Claim").field(&self.0.is_some()).finish()
    }
}

/// Receives the stage, the amount done and the total.
type Receiver = dyn Fn(&'static str, u64, u64) + Send + Sync;
/// Receives the events of opening and building tables.
pub(crate) type Observer = dyn Fn(&TableEvent<'_>) + Send + Sync;

/// Why work ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Cancelled {
    /// [`Control::cancel`] was called.
    #[error("the work was cancelled")]
    ByCaller,
    /// The deadline passed.
    #[error("the deadline passed")]
    Deadline,
}

impl Control {
    /// Creates a control without a deadline, whose flag is not set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a control with the same flag and this deadline, or its own if that is earlier.
    #[must_use]
    pub fn until(&self, deadline: Instant) -> Self {
        self.with_deadline(Some(self.deadline.map_or(deadline, |own| own.min(deadline))))
    }

    /// Returns a control with the same flag and another deadline.
    #[must_use]
    pub(crate) fn with_deadline(&self, deadline: Option<Instant>) -> Self {
        Self { deadline, ..self.clone() }
    }

    /// Returns a control with the same flag and another receiver of progress, which gets the stage, the amount done and
    /// the total. It is called from any thread, and the amounts of one stage may arrive out of order.
    #[must_use]
    pub fn reporting(&self, receiver: impl Fn(&'static str, u64, u64) + Send + Sync + 'static) -> Self {
        Self { receiver: Some(Arc::new(receiver)), ..self.clone() }
    }

    /// Returns a control with the same flag and receiver, for a stage of the work.
    #[must_use]
    pub fn stage(&self, stage: &'static str) -> Self {
        Self { stage, ..self.clone() }
    }

    /// Reports that `done` of `total` units of the stage are done.
    pub fn report(&self, done: u64, total: u64) {
        if let Some(receiver) = &self.receiver {
            receiver(self.stage, done, total);
        }
    }

    /// Returns a control with the same flag and another observer of [table events](TableEvent), which is called from any
    /// thread.
    #[must_use]
    pub fn observing(&self, observer: impl Fn(&TableEvent<'_>) + Send + Sync + 'static) -> Self {
        Self { observer: Some(Arc::new(observer)), ..self.clone() }
    }

    /// Passes an event to the observer.
    pub fn emit(&self, event: &TableEvent<'_>) {
        if let Some(observer) = &self.observer {
            observer(event);
        }
    }

    /// Returns a control with the same flag, whose work claims its memory with `claim`. It returns `None` if there is no room for so many
    /// bytes.
    #[must_use]
    pub fn in_memory(&self, claim: impl Fn(u64) -> Option<Claim> + Send + Sync + 'static) -> Self {
        Self { memory: Some(Arc::new(claim)), ..self.clone() }
    }

    /// Claims memory for the work. Returns `None` if there is no room for it.
    #[must_use]
    pub fn claim(&self, bytes: u64) -> Option<Claim> {
        self.memory.as_ref().map_or_else(|| Some(Claim::default()), |claim| claim(bytes))
    }

    /// Returns the deadline.
    #[must_use]
    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Sets the flag. The work ends soon after: a search usually within 0.2 ms, a table within a second.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }

    /// Returns whether the flag is set.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }

    /// Checks the flag, then the deadline.
    ///
    /// # Errors
    /// When the work must end.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() {
            Err(Cancelled::ByCaller)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Err(Cancelled::Deadline)
        } else {
            Ok(())
        }
    }
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cancelled, deadline) = (self.is_cancelled(), self.deadline);
        f.debug_struct("Control").field("cancelled", &cancelled).field("deadline", &deadline).finish_non_exhaustive()
    }
}

/// Counts nodes and periodically checks a [`Control`].
pub struct Clock<'c> {
    control: &'c Control,
    nodes: u64,
}

impl<'c> Clock<'c> {
    /// Number of nodes between two checks: some 50 to 200 microseconds of work.
    const PERIOD: u64 = 1024;

    /// Creates a clock with a count of zero.
    pub fn new(control: &'c Control) -> Self {
        Self { control, nodes: 0 }
    }

    /// Returns the number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node.
    ///
    /// # Errors
    /// When the search must end.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Cancelled> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(Self::PERIOD) { self.control.check() } else { Ok(()) }
    }
}

/// An event of opening or building tables.
#[derive(Debug)]
#[allow(missing_docs)] // the fields are what their names say
pub enum TableEvent<'a> {
    /// Another process builds in this folder; this process waits.
    Waiting { folder: &'a Path },
    /// A file is unusable and will be rebuilt.
    Rejected { table: &'a str, path: &'a Path, reason: &'a str },
    /// A file is used without a lock, because the file system has none.
    Unlocked { path: &'a Path, reason: &'a std::io::Error },
    /// Tables are about to be built. `bytes` will be written to the folder, which has `free_bytes` left.
    Planned { folder: &'a Path, tables: &'a [&'static str], bytes: u64, free_bytes: Option<u64> },
    /// A table is being read and checked. `overall_permille` (0..=1000) is the share of all wanted tables, by bytes.
    Opening { table: &'a str, overall_permille: u32 },
    /// A table is being built: `done` of `total` units of this table, `overall_permille` (0..=1000) of all.
    Building { table: &'a str, done: u64, total: u64, overall_permille: u32 },
    /// A table was built, written and mapped.
    Built { table: &'a str, elapsed: Duration, bytes: u64 },
    /// A table was found intact and mapped.
    Opened { table: &'a str, bytes: u64 },
}

impl TableEvent<'_> {
    /// Returns the share of the work that is done, 0 to 1: of opening, or of building. Other events have none.
    #[must_use]
    pub fn fraction(&self) -> Option<f64> {
        match self {
            Self::Opening { overall_permille, .. } | Self::Building { overall_permille, .. } => {
                Some(f64::from(*overall_permille) / 1000.0)
            }
            _ => None,
        }
    }
}
