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
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::packed::{Packed, describe};
use super::solvers::Attempt;
use super::{Job, Worker};
use crate::chunks::{Chunk, MAX_CHUNK_BYTES};
use crate::job::{Done, Failed};
use crate::queue::{Kind, Taken, retry};
use crate::store::chunk_name;

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
        if let Some(done) = self.stored(&job, taken.number, control).await {
            return Ok(self.record(taken, &done).await);
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
            Attempt::Stopped if self.stopping.is_cancelled() => return Ok(End::GiveBack(None)),
            Attempt::Stopped => return Ok(End::Remove),
            Attempt::Failed(reason) if taken.attempts >= self.max_attempts => {
                return Ok(self.failed(taken, reason).await);
            }
            Attempt::Failed(reason) => {
                tracing::warn!(job = %taken.job, chunk = taken.number, reason, "an attempt to solve a chunk failed");
                return Ok(End::GiveBack(Some(FAILURE_PAUSE)));
            }
        };
        let Some(done) = self.store(&job, taken.number, packed, control).await else {
            return Ok(End::GiveBack(None));
        };
        Ok(self.record(taken, &done).await)
    }

    /// Stores the answers of a chunk. Tries again until it succeeds: a full disk must not lose the answers. Returns `None` when the
    /// worker stops.
    async fn store(&self, job: &Job, number: u64, packed: Packed, control: &Control) -> Option<Done> {
        let Packed { bytes, done } = packed;
        let put = || async { job.store.put_new(&job.spec.job, &chunk_name(number), bytes.clone()).await };
        if insist(job, "cannot store results", control, put).await? {
            return Some(done);
        }
        // Another worker was faster. Its file counts.
        self.stored(job, number, control).await
    }

    /// Returns the record of a result that is stored.
    async fn stored(&self, job: &Job, number: u64, control: &Control) -> Option<Done> {
        let read = || async {
            let bytes = job.store.get(&job.spec.job, &chunk_name(number)).await?;
            bytes.map(|bytes| describe(&bytes)).transpose()
        };
        insist(job, "cannot read results", control, read).await?
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
