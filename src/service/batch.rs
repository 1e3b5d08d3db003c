//! Many cubes of one caller: a line of work for [`search::solve_many`] on one thread.
//!
//! ```text
//!   caller --Window::place--> item --channel--> Bridge on the solver thread --done--> answer --> caller
//!      ^                                                                                  |
//!      +------------------ the place of the line is free again -- answer is taken <-------+
//! ```
//!
//! What bounds it is the window alone: a line takes a place in it before it is looked at and gives it back when its answer
//! is taken, so that at most [`WINDOW`] lines are in memory, wherever they are, and the channels between need no bounds. A caller
//! who takes no answers soon gets no places, and so stalls his own batch and nothing else.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, mpsc};

use super::pool::{Deadline, Refused};
use super::solver::{SearchMetrics, Solver};
use crate::cube::Cube;
use crate::search::many::{Next, Queue, QueuedCube};
use crate::search::{self, Options, Outcome, Proof, SearchError};
use crate::service::telemetry::metrics::{BATCH_LINES_IN_FLIGHT, Counted};
use crate::tables::Tables;

/// Lines of one batch that are in memory at once. Where answers keep their order, those behind a slow one wait here: at
/// half a millisecond a cube this many keep the thread busy for half a second meanwhile.
pub const WINDOW: usize = 1024;

/// Searches that one batch has under way at once.
const IN_FLIGHT: usize = 8;

/// The places of the lines of one batch.
#[derive(Clone)]
pub struct Window {
    places: Arc<Semaphore>,
    searching: Arc<Searching>,
    in_flight: metrics::Gauge,
}

/// The searches of one batch that are under way, or wait for their turn; those that were stopped for ever.
#[derive(Default)]
struct Searching {
    count: AtomicUsize,
    /// Told when there is none.
    over: Notify,
}

impl Searching {
    fn begin(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
    }

    fn end(&self) {
        if self.count.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.over.notify_waiters();
        }
    }
}

/// The place of one line; dropping it lets another in.
pub struct Place {
    _permit: OwnedSemaphorePermit,
    _counted: Counted,
}

impl Default for Window {
    fn default() -> Self {
        let in_flight = metrics::gauge!(BATCH_LINES_IN_FLIGHT);
        Self { places: Arc::new(Semaphore::new(WINDOW)), searching: Arc::default(), in_flight }
    }
}

impl Window {
    /// A place for the next line, once one is free.
    pub async fn place(&self) -> Place {
        let Ok(permit) = Arc::clone(&self.places).acquire_owned().await else {
            // Only a closed semaphore refuses, and nobody closes it.
            return std::future::pending().await;
        };
        self.taken(permit)
    }

    /// A place for the next line, if one is free.
    pub fn try_place(&self) -> Option<Place> {
        Arc::clone(&self.places).try_acquire_owned().ok().map(|permit| self.taken(permit))
    }

    fn taken(&self, permit: OwnedSemaphorePermit) -> Place {
        Place { _permit: permit, _counted: Counted::new(self.in_flight.clone()) }
    }

    /// Whether a search is under way, or waits for its turn; for ever, when it was stopped.
    pub fn is_searching(&self) -> bool {
        self.searching.count.load(Ordering::Acquire) > 0
    }

    /// Resolves when no search is under way.
    pub async fn searched(&self) {
        let mut over = pin!(self.searching.over.notified());
        // From here on it hears.
        over.as_mut().enable();
        if self.is_searching() {
            over.await;
        }
    }
}

/// A cube on its way to the solver thread, with whatever its answer needs.
pub struct Item<T> {
    /// Comes back with the answer.
    pub tag: T,
    /// The cube.
    pub cube: Cube,
    /// The limits of its search, but for the deadline.
    pub options: Options,
    /// Time for its search.
    pub time_limit: Duration,
    /// With it the answer is proven shortest.
    pub proof: Option<Proof>,
    arrived: Instant,
}

/// Sends cubes to the solver thread; dropping it ends the batch once they are solved.
pub struct Feed<T> {
    items: mpsc::UnboundedSender<Item<T>>,
    searching: Arc<Searching>,
}

impl<T> Feed<T> {
    /// Hands on a cube that has a place in the window.
    ///
    /// # Errors
    /// When the solver thread is gone.
    pub fn send(
        &self,
        tag: T,
        cube: Cube,
        options: Options,
        time_limit: Duration,
        proof: Option<Proof>,
    ) -> Result<(), Gone> {
        self.searching.begin();
        let item = Item { tag, cube, options, time_limit, proof, arrived: Instant::now() };
        self.items.send(item).map_err(|_| Gone)
    }

    /// Resolves when the solver thread is gone.
    pub async fn closed(&self) {
        self.items.closed().await;
    }
}

/// The solver thread takes no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gone;

/// The other end of a [`Feed`].
pub struct Work<T> {
    items: mpsc::UnboundedReceiver<Item<T>>,
    searching: Arc<Searching>,
}

/// A way to the solver thread for the lines of one window.
pub fn channel<T>(window: &Window) -> (Feed<T>, Work<T>) {
    let (sender, receiver) = mpsc::unbounded_channel();
    let searching = &window.searching;
    (
        Feed { items: sender, searching: Arc::clone(searching) },
        Work { items: receiver, searching: Arc::clone(searching) },
    )
}

/// Solves everything that comes, once it is the batch's turn, which must be before `deadline`. `begun` and `done` are called
/// on the solver thread; `done` gets each tag with its answer and the time that went by, in the order in which searches
/// end. Dropping the future stops the batch, and so does the end of the feed, once its cubes are solved.
///
/// # Errors
/// When the pool refuses it.
pub async fn solve_all<T: Send + 'static>(
    solver: &Solver,
    tables: Arc<Tables>,
    deadline: Instant,
    work: Work<T>,
    begun: impl FnOnce() + Send + 'static,
    done: impl FnMut(T, Result<Outcome, SearchError>, Spent) + Send + 'static,
) -> Result<(), Refused> {
    let (request, meters) = (tracing::Span::current(), solver.metrics());
    let job = move |stop: &search::Stop| {
        begun();
        let _entered = tracing::debug_span!(parent: &request, "batch", profile = tables.profile().name()).entered();
        let mut bridge = Bridge { work, done, meters, under_way: Vec::new(), next: 0 };
        search::solve_many(&tables, IN_FLIGHT, &mut bridge, stop);
    };
    solver.batches().run(Deadline::StartBy(deadline), job).await.map(|_| ())
}

/// The time of one cube.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// From when it was handed on until its search began.
    pub queued: Duration,
    /// From then to the end of the search.
    pub elapsed: Duration,
}

/// The queue that the engine sees.
struct Bridge<T, F> {
    work: Work<T>,
    done: F,
    meters: Arc<SearchMetrics>,
    /// At most [`IN_FLIGHT`].
    under_way: Vec<UnderWay<T>>,
    next: u64,
}

/// A search that has begun.
struct UnderWay<T> {
    ticket: u64,
    tag: T,
    queued: Duration,
    begun: Instant,
    /// Whether its answer is to be proven.
    is_optimal: bool,
}

impl<T, F: FnMut(T, Result<Outcome, SearchError>, Spent)> Queue for Bridge<T, F> {
    fn next(&mut self, wait: bool) -> Next {
        let item = if wait {
            self.work.items.blocking_recv()
        } else {
            match self.work.items.try_recv() {
                Ok(item) => Some(item),
                Err(mpsc::error::TryRecvError::Empty) => return Next::Later,
                Err(mpsc::error::TryRecvError::Disconnected) => None,
            }
        };
        let Some(Item { tag, cube, options, time_limit, proof, arrived }) = item else { return Next::End };
        let ticket = self.next;
        self.next += 1;
        let (begun, is_optimal) = (Instant::now(), proof.is_some());
        self.under_way.push(UnderWay { ticket, tag, queued: begun - arrived, begun, is_optimal });
        Next::Cube(Box::new(QueuedCube { ticket, cube, options, time_limit: Some(time_limit), proof }))
    }

    fn done(&mut self, ticket: u64, answer: Result<Outcome, SearchError>) {
        if let Some(at) = self.under_way.iter().position(|search| search.ticket == ticket) {
            let UnderWay { tag, queued, begun, is_optimal, .. } = self.under_way.swap_remove(at);
            self.meters.count(&answer, is_optimal);
            let is_stopped = matches!(answer, Err(SearchError::Cancelled { .. }));
            // Before the answer is told, for the last one is not to wait for others.
            if !is_stopped {
                self.work.searching.end();
            }
            (self.done)(tag, answer, Spent { queued, elapsed: begun.elapsed() });
        }
    }
}
