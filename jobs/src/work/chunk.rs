//! What a worker does with one chunk: solve, store, record, acknowledge.
//!
//! ```text
//!   taken --stored before?--> solve --> store --> record --> acknowledge
//!            |  every third of the deadline: heartbeat; is the job cancelled?
//!            '-- stop: return to the queue
//! ```
//!
//! A worker may die between any two steps. The chunk then goes to another worker, which does the remaining steps.

use std::io;
use std::pin::pin;
use std::time::Duration;

use async_nats::jetstream::AckKind;
use superflip::cli::Failure;
use superflip_solver::Control;
use tokio::task::spawn_blocking;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::packed::{Packed, describe, too_many_answers};
use super::solvers::Attempt;
use super::{Job, Worker};
use crate::chunks::{Chunk, MAX_ANSWERS_BYTES, MAX_CHUNK_BYTES};
use crate::job::{Done, Failed};
use crate::queue::{Kind, Taken, retry};
use crate::store::{chunk_name, is_permanent};

/// Pause before results that could not be stored are stored again.
const STORE_PAUSE: Duration = Duration::from_secs(2);
/// Pause before a chunk is given to a worker again.
const FAILURE_PAUSE: Duration = Duration::from_secs(1);

/// What happens to the message of a chunk.
enum End {
    /// It leaves the queue: its result is stored and recorded.
    Acknowledge,
    /// Another worker gets it, after a pause.
    GiveBack(Option<Duration>),
    /// It leaves the queue: its job was cancelled, or it failed too often.
    Remove,
}

impl Worker {
    /// Does everything for one chunk.
    pub(super) async fn chunk(&self, taken: Taken) -> Result<(), Failure> {
        let control = Control::new();
        let end = {
            let mut work = pin!(self.end_of(&taken, &control));
            let mut alive = interval(self.interval);
            alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
            // The first tick is at once.
            alive.tick().await;
            loop {
                tokio::select! {
                    end = &mut work => break end,
                    () = self.stopping.cancelled(), if !control.is_cancelled() => control.cancel(),
                    _ = alive.tick() => {
                        // If the heartbeat is lost, the chunk goes to another worker too, and the first result wins.
                        let _ = taken.message.ack_with(AckKind::Progress).await;
                        if self.is_cancelled(&taken).await {
                            control.cancel();
                        }
                    }
                }
            }
        };
        let (kind, result) = match end {
            Ok(End::Acknowledge) => (AckKind::Ack, Ok(())),
            Ok(End::GiveBack(pause)) => (AckKind::Nak(pause), Ok(())),
            Ok(End::Remove) => (AckKind::Term, Ok(())),
            Err(failure) => (AckKind::Nak(Some(FAILURE_PAUSE)), Err(failure)),
        };
        // If the acknowledgement is lost, the chunk is redelivered, and its result exists.
        let _ = taken.message.double_ack_with(kind).await;
        result
    }

    async fn is_cancelled(&self, taken: &Taken) -> bool {
        matches!(self.queue.get::<serde_json::Value>(&taken.job, Kind::Cancelled).await, Ok(Some(_)))
    }

    /// Solves a chunk, and stores and records its result.
    async fn end_of(&self, taken: &Taken, control: &Control) -> Result<End, Failure> {
        let job = match self.job(&taken.job).await? {
            Some(job) if taken.number < job.spec.chunks => job,
            _ => {
                tracing::warn!(job = %taken.job, chunk = taken.number, "removed a chunk that belongs to no job");
                return Ok(End::Remove);
            }
        };
        if self.is_cancelled(taken).await {
            return Ok(End::Remove);
        }
        // An earlier attempt may have stored the result, or the chunk may have been submitted twice.
        match self.stored(&job, taken.number, control).await {
            None => return Ok(self.stopped()),
            Some(Err(reason)) => return Ok(self.attempt_failed(taken, reason).await),
            Some(Ok(Some(done))) => return Ok(self.record(taken, &done).await),
            Some(Ok(None)) => {}
        }
        if taken.attempts > self.max_attempts {
            let reason = "the workers that took it ended, or gave it back, without a result".to_owned();
            return Ok(self.failed(taken, reason).await);
        }
        let text = match zstd::bulk::decompress(&taken.message.payload, MAX_CHUNK_BYTES) {
            Ok(text) => text,
            Err(error) => return Ok(self.failed(taken, format!("its message is damaged: {error}")).await),
        };
        let chunk = Chunk { number: taken.number, first_line: taken.first_line, answers: 0, text };
        let packed = match self.solvers.solve(&job.spec.options, chunk, control).await? {
            Attempt::Answered(packed) => packed,
            Attempt::Stopped => return Ok(self.stopped()),
            Attempt::Failed(reason) => return Ok(self.attempt_failed(taken, reason).await),
            Attempt::TooLarge => {
                let remedy = "submit the lines again with fewer --chunk-lines";
                return Ok(self.failed(taken, format!("{}; {remedy}", too_many_answers())).await);
            }
        };
        Ok(match self.store(&job, taken.number, packed, control).await {
            None => self.stopped(),
            Some(Err(reason)) => self.attempt_failed(taken, reason).await,
            Some(Ok(done)) => self.record(taken, &done).await,
        })
    }

    /// Stores the answers of a chunk. Tries again until it succeeds: a full disk must not lose the answers. Returns `None` when the
    /// worker stops, and the reason if another worker has stored a file that cannot be used.
    async fn store(&self, job: &Job, number: u64, packed: Packed, control: &Control) -> Option<Result<Done, String>> {
        let Packed { bytes, done } = packed;
        let put = || async { job.store.put_new(&job.spec.job, &chunk_name(number), bytes.clone()).await };
        if insist(job, "cannot store results", control, put).await? {
            return Some(Ok(done));
        }
        // Another worker was faster. Its file counts.
        let gone = || "its result file was removed while it was read".to_owned();
        self.stored(job, number, control).await.map(|stored| stored.and_then(|done| done.ok_or_else(gone)))
    }

    /// Returns the record of a result that is stored, or the reason why its file cannot be used. Tries again while the place is
    /// unreachable. Returns `None` when the work is to stop.
    async fn stored(&self, job: &Job, number: u64, control: &Control) -> Option<Result<Option<Done>, String>> {
        let name = chunk_name(number);
        let unusable = |error: io::Error| {
            let (place, id) = (job.store.name(), &job.spec.job);
            format!("its result file {place}/{id}/{name} cannot be used: {error}; remove it, and submit the job again")
        };
        let read = || async {
            match job.store.get(&job.spec.job, &name, MAX_ANSWERS_BYTES).await {
                Err(error) if is_permanent(error.kind()) => Ok(Err(error)),
                read => read.map(Ok),
            }
        };
        let bytes = match insist(job, "cannot read results", control, read).await? {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Some(Ok(None)),
            Err(error) => return Some(Err(unusable(error))),
        };
        let options = job.spec.options.clone();
        // Heartbeats go on while a large file is decoded.
        let described = spawn_blocking(move || describe(&bytes, &options)).await.map_err(io::Error::other);
        Some(described.flatten().map(Some).map_err(unusable))
    }

    /// Returns what happens to a chunk whose work was stopped: by the worker, or because its job was cancelled.
    fn stopped(&self) -> End {
        if self.stopping.is_cancelled() { End::GiveBack(None) } else { End::Remove }
    }

    /// Gives a chunk back after a failure, or lists it as failed after the last attempt.
    async fn attempt_failed(&self, taken: &Taken, reason: String) -> End {
        if taken.attempts >= self.max_attempts {
            return self.failed(taken, reason).await;
        }
        tracing::warn!(job = %taken.job, chunk = taken.number, reason, "an attempt to solve a chunk failed");
        End::GiveBack(Some(FAILURE_PAUSE))
    }

    async fn record(&self, taken: &Taken, done: &Done) -> End {
        self.queue.put_chunk(&taken.job, Kind::Done, taken.number, done).await;
        if taken.attempts > 1 {
            // Another worker may have recorded the chunk as failed, while this one was slow.
            let remove = || self.queue.remove_chunk(&taken.job, Kind::Failed, taken.number);
            retry("cannot remove a record", async || remove().await).await;
        }
        End::Acknowledge
    }

    async fn failed(&self, taken: &Taken, reason: String) -> End {
        tracing::error!(job = %taken.job, chunk = taken.number, reason, "a chunk failed");
        let failed = Failed { first_line: taken.first_line, attempts: taken.attempts, reason };
        self.queue.put_chunk(&taken.job, Kind::Failed, taken.number, &failed).await;
        End::Remove
    }
}

/// Repeats an operation on the place of the results until it succeeds. Returns `None` when `control` is cancelled.
async fn insist<T>(
    job: &Job,
    failure: &str,
    control: &Control,
    mut operation: impl AsyncFnMut() -> io::Result<T>,
) -> Option<T> {
    let mut is_reported = false;
    while !control.is_cancelled() {
        match operation().await {
            Ok(value) => return Some(value),
            Err(error) if !is_reported => {
                tracing::warn!(job = %job.spec.job, place = job.store.name(), %error, "{failure}; trying again");
                is_reported = true;
            }
            Err(_) => {}
        }
        sleep(STORE_PAUSE).await;
    }
    None
}
