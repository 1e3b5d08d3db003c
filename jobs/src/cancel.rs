//! `cancel`: removes the chunks of a job from the queue.

use superflip::cli::Failure;

use crate::args::Cancel;
use crate::job::Spec;
use crate::queue::{Kind, Queue};

/// Cancels a job. Workers notice it at their next heartbeat.
///
/// # Errors
/// Returns an error if the job does not exist or is done, or if the server is not available.
pub(crate) async fn run(args: &Cancel) -> Result<(), Failure> {
    let (queue, job) = (Queue::connect(&args.nats).await?, &args.job);
    if queue.get::<Spec>(job, Kind::Spec).await?.is_none() {
        return Err(Failure::Input(format!("there is no job {job}; `superflip-jobs status` lists them")));
    }
    if queue.get::<serde_json::Value>(job, Kind::Finished).await?.is_some() {
        return Err(Failure::Runtime(format!("job {job} is done; there is nothing to cancel")));
    }
    // First the record: a worker that takes a chunk after this sees it.
    queue.put(job, Kind::Cancelled, &serde_json::json!({})).await;
    queue.purge(job).await
}
