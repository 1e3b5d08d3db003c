//! `submit` puts the lines of a file into the queue, and `cancel` removes them.

use std::collections::HashSet;
use std::fs::File;
use std::io::{Seek, Write, stdin};
use std::path::Path;

use serde::Serialize;
use superflip::api::request::options::Task;
use superflip::cli::input::lift_caps;
use superflip::cli::{Failure, configure, log_for_people, print, refuse};
use superflip_solver::Control;
use tokio::sync::mpsc;

use crate::args::{Cancel, Submit};
use crate::chunks::{Chunk, Chunks};
use crate::finish::finish;
use crate::job::{Done, Failed, JobId, Spec, Submitted};
use crate::queue::{Kind, Queue};
use crate::store::{Store, default_place};

/// Number of chunks after which the progress is recorded.
const RECORD_INTERVAL: u64 = 16;
/// Number of prefetched chunks.
const READ_AHEAD: usize = 4;
/// Level of compression of chunks.
const ZSTD_LEVEL: i32 = 3;

/// Submits a job.
///
/// # Errors
/// Returns an error if an option is invalid, if the input cannot be read, if the server is not available, or if the input changes in between.
pub(crate) async fn run(args: &Submit) -> Result<(), Failure> {
    let mut config = configure(&args.configuration, Vec::new())?;
    log_for_people(&config);
    lift_caps(&mut config);
    let options = args.options();
    Task::of_options(&options.clone().into(), &config, &Control::new())
        .map_err(|problem| refuse(args.json, &problem, 2))?;
    let store = Store::open(&args.place.results.clone().map_or_else(default_place, Ok)?)?;

    let input = open(&args.file)?;
    let chunk_lines = args.chunk_lines.unwrap_or(if args.proofs.is_optimal() { 20 } else { 1000 });
    let measured = measure(&input, chunk_lines)?;
    let salt = args.new.then(|| rand::random::<u128>().to_string());
    let job = JobId::new(&measured.sha256, &options, salt.as_deref());
    let spec = Spec {
        job: job.clone(),
        input: args.file.display().to_string(),
        input_sha256: measured.sha256,
        options,
        lines: measured.lines,
        chunks: measured.chunks,
        chunk_lines,
        results: store.name(),
        machine: (!args.place.shared && !store.is_remote()).then(machine),
    };

    if store.is_remote() {
        store.check(&job).await?;
    }
    let queue = Queue::create(&args.limits).await?;
    queue.put_first(&job, Kind::Spec, &spec).await?;
    let Some(spec) = queue.get::<Spec>(&job, Kind::Spec).await? else {
        return Err(Failure::Runtime(format!("the record of job {job} was removed; submit it again")));
    };
    if spec.value.results != store.name() {
        return Err(Failure::Input(format!(
            "job {job} exists, and its results are in {}; pass --results {0}, or --new for another job",
            spec.value.results
        )));
    }
    announce(&job, args.json)?;
    publish(&queue, &spec.value, input).await
}

/// Prints the identifier.
fn announce(job: &JobId, json: bool) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Announced<'j> {
        job: &'j JobId,
    }
    let line =
        if json { serde_json::to_string(&Announced { job }).map_err(Failure::runtime)? } else { job.to_string() };
    print(&(line + "\n"))?;
    std::io::stdout().flush().map_err(Failure::runtime)
}

/// Puts the chunks of the job into the queue that are neither there nor done.
async fn publish(queue: &Queue, spec: &Spec, input: File) -> Result<(), Failure> {
    let job = &spec.job;
    if queue.get::<serde_json::Value>(job, Kind::Finished).await?.is_some() {
        return Ok(());
    }
    let (mut submitted, done) = start(queue, spec).await?;
    let first = submitted.chunks;
    let mut chunks = read(input, spec)?;
    while let Some(chunk) = chunks.recv().await {
        let chunk = chunk?;
        if chunk.number < first {
            continue;
        }
        if !done.contains(&chunk.number) {
            let payload = zstd::bulk::compress(&chunk.text, ZSTD_LEVEL).map_err(Failure::runtime)?;
            queue.push(job, submitted.generation, &chunk, payload).await;
        }
        submitted.chunks = chunk.number + 1;
        if submitted.chunks.is_multiple_of(RECORD_INTERVAL) || submitted.chunks == spec.chunks {
            queue.put(job, Kind::Submitted, &submitted).await;
        }
    }
    // All chunks may have been done before. Then there is nothing left for a worker.
    if spec.machine.as_ref().is_none_or(|of_results| *of_results == machine()) {
        finish(queue, spec, || Store::open(&spec.results)).await?;
    }
    Ok(())
}

/// Returns the first chunk to submit, and the chunks that are done.
async fn start(queue: &Queue, spec: &Spec) -> Result<(Submitted, HashSet<u64>), Failure> {
    let job = &spec.job;
    let cancelled = queue.get::<serde_json::Value>(job, Kind::Cancelled).await?.is_some();
    let submitted = queue.get::<Submitted>(job, Kind::Submitted).await?.map(|record| record.value);
    // First the queue: a chunk that is finished in between is then counted twice, rather than missed.
    let queued = queue.queued(job).await?;
    let done: HashSet<u64> =
        queue.of_chunks::<Done>(job, Kind::Done).await?.into_iter().map(|(chunk, _)| chunk).collect();
    let failed = queue.of_chunks::<Failed>(job, Kind::Failed).await?.iter().any(|(chunk, _)| !done.contains(chunk));
    let mut submitted = submitted.unwrap_or_default();
    // Chunks may be missing without a failure, if the server has lost its last messages with its machine.
    let is_missing = queued + (done.len() as u64) < submitted.chunks;
    if cancelled || failed || is_missing {
        submitted = Submitted { chunks: 0, generation: submitted.generation + 1 };
        queue.put(job, Kind::Submitted, &submitted).await;
        queue.remove_of_chunks(job, Kind::Failed).await?;
        queue.remove(job, Kind::Cancelled).await?;
    }
    Ok((submitted, done))
}

/// Reads the chunks on a thread.
fn read(mut input: File, spec: &Spec) -> Result<mpsc::Receiver<Result<Chunk, Failure>>, Failure> {
    input.rewind().map_err(Failure::runtime)?;
    let (sender, receiver) = mpsc::channel(READ_AHEAD);
    let (lines, expected, name) = (spec.chunk_lines, spec.input_sha256.clone(), spec.input.clone());
    std::thread::spawn(move || {
        let mut chunks = Chunks::new(input, lines);
        loop {
            let chunk = match chunks.next() {
                Ok(Some(chunk)) => Ok(chunk),
                Ok(None) if chunks.digest() == expected => return,
                Ok(None) => Err(Failure::Runtime(format!(
                    "{name} has changed since its submission began; cancel the job, and submit the file again"
                ))),
                Err(error) => Err(unreadable(&name, &error)),
            };
            let is_last = chunk.is_err();
            if sender.blocking_send(chunk).is_err() || is_last {
                return;
            }
        }
    });
    Ok(receiver)
}

/// Opens the input. Standard input is copied to a temporary file, because it is read twice.
fn open(path: &Path) -> Result<File, Failure> {
    let failed = |error| unreadable(&path.display().to_string(), &error);
    if path != Path::new("-") {
        return File::open(path).map_err(failed);
    }
    let mut copy = tempfile::tempfile().map_err(failed)?;
    std::io::copy(&mut stdin().lock(), &mut copy).map_err(failed)?;
    Ok(copy)
}

fn unreadable(name: &str, error: &std::io::Error) -> Failure {
    Failure::Input(format!("cannot read {name}: {error}"))
}

/// Size and digest of an input.
struct Measured {
    sha256: String,
    chunks: u64,
    lines: u64,
}

fn measure(mut input: &File, chunk_lines: u32) -> Result<Measured, Failure> {
    let failed = |error| unreadable("the input", &error);
    input.rewind().map_err(failed)?;
    let mut reader = Chunks::new(input, chunk_lines);
    let (mut chunks, mut lines) = (0, 0);
    while let Some(chunk) = reader.next().map_err(failed)? {
        chunks += 1;
        lines += chunk.answers;
    }
    if lines == 0 {
        return Err(Failure::Input("the input has no cubes; expected one on each line".to_owned()));
    }
    Ok(Measured { sha256: reader.digest(), chunks, lines })
}

/// Returns a name of this machine. Containers count as machines, because they do not share folders by themselves.
pub(crate) fn machine() -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let id = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    format!("{host} {}", id.trim()).trim().to_owned()
}

/// Cancels a job. Workers notice it at their next heartbeat.
///
/// # Errors
/// Returns an error if the job does not exist or is done, or if the server is not available.
pub(crate) async fn cancel(args: &Cancel) -> Result<(), Failure> {
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
