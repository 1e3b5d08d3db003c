//! `status`: shows the progress of jobs.

use std::collections::HashSet;
use std::fmt::Write as _;

use async_nats::datetime;
use serde::Serialize;
use superflip::cli::{Failure, document, print, print_json};

use crate::args::Status;
use crate::job::{Counts, Done, Failed, Finished, JobId, Spec, Submitted};
use crate::queue::{Kind, Queue, seconds};

/// Time over which the rate is measured, in seconds.
const WINDOW: f64 = 60.0;

/// The state of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Queued,
    Running,
    Done,
    Failed,
    Cancelled,
}

/// The output of `status --json` for a job.
#[derive(Clone, Debug, Serialize)]
struct JobStatus {
    job: JobId,
    state: State,
    input: String,
    results: String,
    /// Number of lines that have an answer.
    lines: u64,
    lines_done: u64,
    #[serde(flatten)]
    counts: Counts,
    chunks: u64,
    chunks_submitted: u64,
    chunks_queued: u64,
    chunks_done: u64,
    /// Lines per second: over the last minute, or over the whole job if it is done.
    rate: f64,
    /// Time to the end at this rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining_seconds: Option<f64>,
    failed: Vec<FailedChunk>,
}

/// A chunk that failed too often.
#[derive(Clone, Debug, Serialize)]
struct FailedChunk {
    chunk: u64,
    #[serde(flatten)]
    failed: Failed,
}

/// Prints the state.
///
/// # Errors
/// Returns an error if the job does not exist or the server is not available.
pub(crate) async fn run(args: &Status) -> Result<(), Failure> {
    let queue = Queue::connect(&args.nats).await?;
    let specs = match &args.job {
        Some(job) => queue.get::<Spec>(job, Kind::Spec).await?.into_iter().collect(),
        None => queue.of_all_jobs::<Spec>(Kind::Spec).await?,
    };
    let mut jobs = Vec::with_capacity(specs.len());
    for spec in specs {
        jobs.push(of_job(&queue, spec.value).await?);
    }
    match (&args.job, jobs.first()) {
        (Some(job), None) => Err(Failure::Input(format!("there is no job {job}; `superflip-jobs status` lists them"))),
        _ if args.metrics => print(&metrics(&jobs)),
        (Some(_), Some(job)) if args.json => print_json(job),
        _ if args.json => print_json(&jobs),
        _ => jobs.iter().try_for_each(|job| print(&(document(job)? + "\n"))),
    }
}

async fn of_job(queue: &Queue, spec: Spec) -> Result<JobStatus, Failure> {
    let job = &spec.job;
    let finished = queue.get::<Finished>(job, Kind::Finished).await?.map(|record| record.value);
    let cancelled = queue.get::<serde_json::Value>(job, Kind::Cancelled).await?.is_some();
    let started = queue.get::<serde_json::Value>(job, Kind::Started).await?.map(|record| record.time);
    let submitted = queue.get::<Submitted>(job, Kind::Submitted).await?.map_or(0, |record| record.value.chunks);
    let queued = queue.queued(job).await?;
    let done = queue.of_chunks::<Done>(job, Kind::Done).await?;
    let numbers: HashSet<u64> = done.iter().map(|(chunk, _)| *chunk).collect();
    let failed = queue.of_chunks::<Failed>(job, Kind::Failed).await?.into_iter();
    let mut failed: Vec<_> = failed
        .filter(|(chunk, _)| finished.is_none() && !numbers.contains(chunk))
        .map(|(chunk, record)| FailedChunk { chunk, failed: record.value })
        .collect();
    failed.sort_by_key(|failed| failed.chunk);

    let chunks_done = if finished.is_some() { spec.chunks } else { numbers.len() as u64 };
    let state = match started {
        _ if finished.is_some() => State::Done,
        _ if cancelled => State::Cancelled,
        None => State::Queued,
        Some(_) if !failed.is_empty() && chunks_done + failed.len() as u64 == spec.chunks => State::Failed,
        Some(_) => State::Running,
    };
    let all = || done.iter().map(|(_, record)| record.value.counts).sum();
    let mut counts: Counts = finished.as_ref().map_or_else(all, |finished| finished.counts);
    // Earlier versions counted missing proofs in every job.
    counts.unproven = spec.options.proofs.is_optimal().then(|| counts.unproven.unwrap_or(0));
    let now = seconds(datetime::now());
    let rate = if let Some(finished) = &finished {
        real(counts.lines()) / finished.seconds.max(1e-3)
    } else {
        let recent = done.iter().filter(|(_, record)| record.time >= now - WINDOW);
        let lines = recent.map(|(_, record)| record.value.counts).sum::<Counts>().lines();
        real(lines) / started.map_or(WINDOW, |start| (now - start).clamp(1.0, WINDOW))
    };
    let left = real(spec.lines.saturating_sub(counts.lines()));
    let remaining_seconds = (state == State::Running && rate > 0.0).then(|| (left / rate).round());
    Ok(JobStatus {
        state,
        lines: spec.lines,
        lines_done: counts.lines(),
        counts,
        chunks: spec.chunks,
        chunks_submitted: submitted,
        chunks_queued: queued,
        chunks_done,
        rate: (rate * 10.0).round() / 10.0,
        remaining_seconds,
        failed,
        job: spec.job,
        input: spec.input,
        results: spec.results,
    })
}

/// Formats the states as metrics.
fn metrics(jobs: &[JobStatus]) -> String {
    type Value = fn(&JobStatus) -> Vec<(&'static str, f64)>;
    let families: [(&str, &str, &str, Value); 5] = [
        ("superflip_job_state", "state", "1 for the state of the job.", |job| {
            let states = [
                ("queued", State::Queued),
                ("running", State::Running),
                ("done", State::Done),
                ("failed", State::Failed),
                ("cancelled", State::Cancelled),
            ];
            states.map(|(name, state)| (name, f64::from(u8::from(job.state == state)))).to_vec()
        }),
        ("superflip_job_lines", "outcome", "Number of lines by outcome; `open` have no answer yet.", |job| {
            let open = job.lines.saturating_sub(job.lines_done);
            [("solved", job.counts.solved), ("problem", job.counts.problems), ("open", open)].map(named).to_vec()
        }),
        (
            "superflip_job_chunks",
            "stage",
            "Number of chunks by stage; `queued` includes those that workers have taken.",
            |job| {
                let failed = job.failed.len() as u64;
                let stages = [("all", job.chunks), ("submitted", job.chunks_submitted), ("queued", job.chunks_queued)];
                stages.into_iter().chain([("done", job.chunks_done), ("failed", failed)]).map(named).collect()
            },
        ),
        (
            "superflip_job_lines_per_second",
            "",
            "Lines per second over the last minute, or over the whole job if it is done.",
            |job| vec![("", job.rate)],
        ),
        ("superflip_job_remaining_seconds", "", "Time to the end at this rate.", |job| {
            job.remaining_seconds.map(|seconds| ("", seconds)).into_iter().collect()
        }),
    ];
    let mut text = String::new();
    for (name, label, help, values) in families {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge");
        for job in jobs {
            for (value_name, value) in values(job) {
                let label = if label.is_empty() { String::new() } else { format!(",{label}=\"{value_name}\"") };
                let _ = writeln!(text, "{name}{{job=\"{}\"{label}}} {value}", job.job);
            }
        }
    }
    text
}

fn named((name, count): (&'static str, u64)) -> (&'static str, f64) {
    (name, real(count))
}

#[allow(clippy::cast_precision_loss)] // no job has 2^53 lines
fn real(count: u64) -> f64 {
    count as f64
}
