//! `work`: pulls chunks, and passes them to the solver threads.

mod chunk;
mod packed;
mod solvers;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{Consumer, pull};
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt as _;
use superflip::cli::input::lift_caps;
use superflip::cli::{Failure, configure, exit_on_second_signal, load_solver, log_for_people, signal};
use superflip::service::config::Config;
use superflip::service::tables::loader::folder;
use superflip::service::tables::progress::TARGET;
use superflip_cube::metric::Metric;
use superflip_solver::tables::metric::StepSet;
use superflip_solver::{Control, Profile, SetKey};
use tokio::sync::{Mutex, Semaphore};
use tokio::task::{JoinSet, spawn_blocking};
use tokio_util::sync::CancellationToken;

use crate::args::Work;
use crate::finish::finish;
use crate::job::{JobId, Spec};
use crate::queue::{Kind, Queue, Taken, retry, shown};
use crate::store::Store;
use crate::submit::machine;
use solvers::Solvers;

/// Pause before an empty queue is polled again.
const PULL_TIME: Duration = Duration::from_secs(2);
/// Pause after a pull that failed.
const ERROR_PAUSE: Duration = Duration::from_millis(500);
/// Interval between checks for jobs whose last chunk is done.
const FINISH_INTERVAL: Duration = Duration::from_secs(2);
/// Time limit for the return of unfinished chunks.
const STOP_TIME: Duration = Duration::from_secs(10);
/// Number of chunks per thread: one is solved and one is prefetched, so that no thread waits for the network.
const CHUNKS_PER_THREAD: usize = 2;

/// A worker.
struct Worker {
    queue: Queue,
    solvers: Solvers,
    /// Place of the results, instead of a folder that was submitted.
    place: Option<Store>,
    shared: bool,
    machine: String,
    max_attempts: i64,
    /// Interval between heartbeats.
    interval: Duration,
    jobs: Mutex<HashMap<JobId, Arc<Job>>>,
    stopping: CancellationToken,
}

/// A job that this worker knows.
struct Job {
    spec: Spec,
    store: Store,
}

/// Works until a signal.
///
/// # Errors
/// Returns an error if the tables or the server are not available, or if the results of a job are on another machine.
pub(crate) async fn run(args: &Work) -> Result<(), Failure> {
    let config = configuration(args)?;
    let place = args.place.results.as_deref().map(Store::open).transpose()?;
    let (stopping, loading) = (CancellationToken::new(), Control::new());
    let on_signal = (stopping.clone(), loading.clone());
    let stopped = signal().map_err(Failure::runtime)?;
    tokio::spawn(async move {
        stopped.await;
        on_signal.0.cancel();
        on_signal.1.cancel();
        exit_on_second_signal().await;
    });

    let queue = Queue::create(&args.limits).await?;
    let consumer = queue.workers(Duration::from_millis(args.ack_wait_ms)).await?;
    // Heartbeats follow the deadline of the consumer, which another worker may have set.
    let ack_wait = consumer.cached_info().config.ack_wait;
    if ack_wait != Duration::from_millis(args.ack_wait_ms) {
        tracing::warn!(?ack_wait, "the first worker has set the acknowledgement deadline; --ack-wait-ms has no effect");
    }
    let size = args.optimal_table.or(config.optimal.table);
    let threads = args.threads.map_or_else(|| config.search.threads(), usize::from);
    let (profile, folder) = (config.tables.profile, folder(&config).map_err(Failure::runtime)?);
    let (config, solver) = spawn_blocking(move || {
        let proofs = size.map(|size| SetKey::proofs(Metric::Htm, size));
        let solver = load_solver(&config, StepSet::of_metric(Metric::Htm), proofs, &loading);
        (config, solver)
    })
    .await
    .map_err(Failure::runtime)?;
    let solver = match solver {
        Err(_) if stopping.is_cancelled() => return Ok(()),
        solver => solver?,
    };
    let worker = Arc::new(Worker {
        queue,
        solvers: Solvers::new(config, solver, size, threads, args.in_flight.into()),
        place,
        shared: args.place.shared,
        machine: machine(),
        max_attempts: args.max_attempts,
        interval: ack_wait / 3,
        jobs: Mutex::default(),
        stopping,
    });
    worker.check_places().await?;
    let folder = if profile == Profile::Tiny { "memory".to_owned() } else { folder.display().to_string() };
    let (server, tables) = (shown(&args.limits.nats), profile.name());
    tracing::info!(server, threads, tables, tables_in = folder, "working; waits for chunks of jobs");

    let slots = Arc::new(Semaphore::new(threads * CHUNKS_PER_THREAD));
    let mut chunks = JoinSet::new();
    let mut result = Ok(());
    let mut finished = Instant::now();
    while !worker.stopping.is_cancelled() && result.is_ok() {
        let slot = tokio::select! {
            () = worker.stopping.cancelled() => break,
            Some(ended) = chunks.join_next() => {
                result = ended.unwrap_or_else(|error| Err(Failure::runtime(error)));
                continue;
            }
            slot = Arc::clone(&slots).acquire_owned() => slot,
        };
        if finished.elapsed() >= FINISH_INTERVAL {
            worker.finish_jobs().await;
            finished = Instant::now();
        }
        // A pull is not interrupted: its chunk would be lost until the acknowledgement deadline.
        match pull(&consumer).await {
            Ok(Some(message)) => {
                let worker = Arc::clone(&worker);
                chunks.spawn_local(async move {
                    let _slot = slot;
                    worker.take(message).await
                });
            }
            Ok(None) if args.until_idle && chunks.is_empty() && is_empty(&consumer).await => break,
            Ok(None) => {}
            Err(error) => {
                tracing::debug!(%error, "cannot pull a chunk");
                tokio::time::sleep(ERROR_PAUSE).await;
            }
        }
    }
    worker.stopping.cancel();
    let end = async {
        while let Some(ended) = chunks.join_next().await {
            if let Err(failure) = ended.unwrap_or_else(|error| Err(Failure::runtime(error))) {
                result = Err(failure);
            }
        }
        worker.finish_jobs().await;
        worker.queue.flush().await;
    };
    if tokio::time::timeout(STOP_TIME, end).await.is_err() {
        tracing::warn!(
            "the queue or the results are unreachable; unfinished chunks go to other workers after the acknowledgement deadline"
        );
    }
    result
}

/// Reads the configuration, and starts the log.
fn configuration(args: &Work) -> Result<Config, Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    if config.log.filter == "info" {
        config.log.filter = format!("warn,{TARGET}=info,{}=info", env!("CARGO_CRATE_NAME"));
    }
    log_for_people(&config);
    lift_caps(&mut config);
    Ok(config)
}

/// Pulls one message. Returns `None` if the queue is empty.
async fn pull(consumer: &Consumer<pull::Config>) -> Result<Option<Message>, async_nats::Error> {
    let pulled = async {
        let mut batch = consumer.batch().max_messages(1).expires(PULL_TIME).messages().await?;
        batch.next().await.transpose()
    };
    // The server ends a pull itself, unless it is unreachable.
    tokio::time::timeout(PULL_TIME * 2, pulled).await?
}

/// Returns whether no chunk is left to be delivered, and none is taken by a worker, which may have been killed. `false` if the server is
/// unreachable.
async fn is_empty(consumer: &Consumer<pull::Config>) -> bool {
    consumer.get_info().await.is_ok_and(|info| info.num_pending == 0 && info.num_ack_pending == 0)
}

impl Worker {
    /// Solves the chunk of a message, and acknowledges it.
    async fn take(&self, message: Message) -> Result<(), Failure> {
        match Taken::new(message) {
            Ok(taken) => self.chunk(taken).await,
            Err(message) => {
                tracing::warn!(subject = %message.subject, "removed a message that is no chunk");
                // If this fails, the message is redelivered, and removed then.
                let _ = message.ack_with(AckKind::Term).await;
                Ok(())
            }
        }
    }

    /// Returns a job, whose record is read once. `None` if there is none, or if it is damaged.
    async fn job(&self, id: &JobId) -> Result<Option<Arc<Job>>, Failure> {
        let mut jobs = self.jobs.lock().await;
        if let Some(job) = jobs.get(id) {
            return Ok(Some(Arc::clone(job)));
        }
        let read = || async { self.queue.get_text(id, Kind::Spec).await };
        let Some(record) = retry("cannot read the record of a job", read).await else { return Ok(None) };
        let spec = match serde_json::from_slice::<Spec>(&record.value) {
            Ok(spec) if spec.job == *id => spec,
            _ => return Ok(None),
        };
        let job = Arc::new(Job { store: self.place_of(&spec)?, spec });
        job.store.check(id).await?;
        let start = || async { self.queue.put_first(id, Kind::Started, &serde_json::json!({})).await };
        retry("cannot record the start of a job", start).await;
        tracing::info!(job = %id, lines = job.spec.lines, results = job.store.name(), "took the first chunk of a job");
        jobs.insert(id.clone(), Arc::clone(&job));
        Ok(Some(job))
    }

    /// Returns the place of the results of a job.
    fn place_of(&self, spec: &Spec) -> Result<Store, Failure> {
        let store = Store::of_job(&spec.results, self.place.as_ref())?;
        match &spec.machine {
            Some(machine) if !store.is_remote() && !self.shared && *machine != self.machine => {
                Err(Failure::Input(format!(
                    "the results of job {} are in the folder {} of the machine {machine}; if this machine has the same folder, pass \
                     --shared, otherwise cancel the job, and submit it with --new and a --results folder that all machines have",
                    spec.job,
                    store.name()
                )))
            }
            _ => Ok(store),
        }
    }

    /// Checks the places of all open jobs.
    async fn check_places(&self) -> Result<(), Failure> {
        for spec in self.open_jobs().await? {
            self.place_of(&spec)?;
        }
        Ok(())
    }

    async fn open_jobs(&self) -> Result<Vec<Spec>, Failure> {
        let mut open = Vec::new();
        for record in self.queue.of_all_jobs::<Spec>(Kind::Spec).await? {
            let job = &record.value.job;
            if self.queue.get::<serde_json::Value>(job, Kind::Finished).await?.is_none() {
                open.push(record.value);
            }
        }
        Ok(open)
    }

    /// Ends the jobs whose last chunk is done.
    async fn finish_jobs(&self) {
        let finish_all = async {
            for spec in self.open_jobs().await? {
                finish(&self.queue, &spec, || self.place_of(&spec)).await?;
            }
            Ok::<_, Failure>(())
        };
        if let Err(error) = finish_all.await {
            tracing::warn!(%error, "cannot end jobs that are done; trying again");
        }
    }
}
