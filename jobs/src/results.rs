//! `results`: prints the answers of a job.

use std::io::{self, ErrorKind, Write, stdout};

use futures_util::{StreamExt as _, stream};
use sha2::{Digest, Sha256};
use superflip::cli::Failure;

use crate::args::Results;
use crate::finish::{Manifest, ManifestChunk};
use crate::job::{Done, JobId, Spec, hex};
use crate::queue::{Kind, Queue};
use crate::store::{MANIFEST, Store, chunk_name};

/// Number of files that are read at once, to hide the latency of a remote place.
const READ_AHEAD: usize = 16;

/// Prints the answers in the order of the lines.
///
/// # Errors
/// Returns an error if the job does not exist, if it is not done, or if a file is missing or damaged.
pub(crate) async fn run(args: &Results) -> Result<(), Failure> {
    let job = &args.job;
    let named = args.results.as_deref().map(Store::open).transpose()?;
    if let Some(store) = &named
        && let Some(chunks) = from_manifest(store, job).await?
    {
        return print_all(store, job, &chunks).await;
    }
    let queue = Queue::connect(&args.nats).await?;
    let Some(spec) = queue.get::<Spec>(job, Kind::Spec).await?.map(|record| record.value) else {
        return Err(Failure::Input(format!("there is no job {job}; `superflip-jobs status` lists them")));
    };
    let store = Store::of_job(&spec.results, named.as_ref())?;
    if let Some(chunks) = from_manifest(&store, job).await? {
        return print_all(&store, job, &chunks).await;
    }
    if queue.get::<serde_json::Value>(job, Kind::Finished).await?.is_some() {
        return Err(Failure::Runtime(format!(
            "the results of job {job} are not in {}: {MANIFEST} is missing; they were written to {}",
            store.name(),
            spec.results
        )));
    }
    let mut done = queue.of_chunks::<Done>(job, Kind::Done).await?;
    if !args.partial && (done.len() as u64) < spec.chunks {
        return Err(Failure::Runtime(format!(
            "job {job} is not done: {} of {} chunks are; wait for it, or pass --partial",
            done.len(),
            spec.chunks
        )));
    }
    done.sort_by_key(|(chunk, _)| *chunk);
    let chunks: Vec<_> = done.into_iter().map(|(chunk, record)| ManifestChunk::new(chunk, record.value)).collect();
    print_all(&store, job, &chunks).await
}

/// Returns the chunks of a job that is done.
async fn from_manifest(store: &Store, job: &JobId) -> Result<Option<Vec<ManifestChunk>>, Failure> {
    let text = store.get(job, MANIFEST, u64::MAX).await.map_err(|error| unreadable(store, MANIFEST, &error))?;
    let manifest = text.map(|text| serde_json::from_slice::<Manifest>(&text)).transpose();
    let manifest = manifest.map_err(|error| unreadable(store, MANIFEST, &error))?;
    // The names become paths.
    let is_of_job = |manifest: &Manifest| {
        manifest.job == *job && (0..).zip(&manifest.chunks).all(|(number, chunk)| chunk.file == chunk_name(number))
    };
    match manifest {
        Some(manifest) if !is_of_job(&manifest) => {
            Err(unreadable(store, MANIFEST, &"it is not the manifest of this job"))
        }
        manifest => Ok(manifest.map(|manifest| manifest.chunks)),
    }
}

async fn read<'c>(
    store: &Store,
    job: &JobId,
    chunk: &'c ManifestChunk,
) -> (&'c ManifestChunk, io::Result<Option<Vec<u8>>>) {
    (chunk, store.get(job, &chunk.file, chunk.bytes).await)
}

async fn print_all(store: &Store, job: &JobId, chunks: &[ManifestChunk]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let mut files = stream::iter(chunks).map(|chunk| read(store, job, chunk)).buffered(READ_AHEAD);
    while let Some((ManifestChunk { file, sha256, .. }, bytes)) = files.next().await {
        let bytes = bytes.map_err(|error| unreadable(store, file, &error))?;
        let bytes = bytes.ok_or_else(|| {
            Failure::Runtime(format!(
                "{file} is missing in the results of job {job}; to solve its lines again, submit with --new"
            ))
        })?;
        if hex(&Sha256::digest(&bytes)) != *sha256 {
            return Err(Failure::Runtime(format!(
                "{file} of job {job} is damaged: its checksum is wrong; restore it from a backup, or submit with --new"
            )));
        }
        let written = zstd::stream::copy_decode(&*bytes, &mut out);
        match written.and_then(|()| out.flush()) {
            // The program that reads standard output has closed the pipe.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            written => written.map_err(|error| unreadable(store, file, &error))?,
        }
    }
    Ok(())
}

fn unreadable(store: &Store, file: &str, error: &dyn std::fmt::Display) -> Failure {
    Failure::Runtime(format!("cannot read {file} in {}: {error}", store.name()))
}
