//! Ends a job whose chunks are all done: writes the manifest.

use serde::{Deserialize, Serialize};
use superflip::api::types::JobOptions;
use superflip::cli::Failure;

use crate::job::{Counts, Done, Failed, Finished, JobId, Spec, Submitted};
use crate::queue::{Kind, Queue};
use crate::store::{MANIFEST, Store, chunk_name};

/// The contents of `manifest.json`.
#[derive(Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) job: JobId,
    pub(crate) input_sha256: String,
    pub(crate) options: JobOptions,
    #[serde(flatten)]
    pub(crate) counts: Counts,
    pub(crate) chunks: Vec<ManifestChunk>,
}

/// A chunk in the manifest.
#[derive(Serialize, Deserialize)]
pub(crate) struct ManifestChunk {
    pub(crate) file: String,
    pub(crate) lines: u64,
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// Writes the manifest if every chunk is done, and replaces the records of the chunks by one. Several processes may do this at once: the
/// manifest depends on nothing but the records. `open` opens the place of the results.
///
/// # Errors
/// Returns an error if the server or the place of the results is not available.
pub(crate) async fn finish(
    queue: &Queue,
    spec: &Spec,
    open: impl FnOnce() -> Result<Store, Failure>,
) -> Result<(), Failure> {
    let job = &spec.job;
    // Cheap requests first: a job has up to a million records, and each worker asks every few seconds.
    let submitted = queue.get::<Submitted>(job, Kind::Submitted).await?.map_or(0, |record| record.value.chunks);
    if submitted < spec.chunks || queue.count_of_chunks(job, Kind::Done).await? < spec.chunks {
        return Ok(());
    }
    if !queue.of_chunks::<Failed>(job, Kind::Failed).await?.is_empty() {
        return Ok(());
    }
    let mut done = queue.of_chunks::<Done>(job, Kind::Done).await?;
    if done.len() as u64 != spec.chunks {
        return Ok(());
    }
    done.sort_by_key(|(chunk, _)| *chunk);
    let end = done.iter().map(|(_, record)| record.time).fold(0.0, f64::max);
    let start = queue.get::<serde_json::Value>(job, Kind::Started).await?.map_or(end, |record| record.time);
    let counts: Counts = done.iter().map(|(_, record)| record.value.counts).sum();
    let manifest = Manifest {
        job: job.clone(),
        input_sha256: spec.input_sha256.clone(),
        options: spec.options.clone(),
        counts,
        chunks: done.into_iter().map(|(chunk, record)| ManifestChunk::new(chunk, record.value)).collect(),
    };
    let text = serde_json::to_vec(&manifest).map_err(Failure::runtime)?;
    let store = open()?;
    store.put_new(job, MANIFEST, text).await.map_err(Failure::runtime)?;
    store.clean(job).await.map_err(Failure::runtime)?;
    queue.put(job, Kind::Finished, &Finished { counts, seconds: end - start }).await;
    tracing::info!(%job, solved = counts.solved, problems = counts.problems, "a job is done");
    // A server that was killed may restore acknowledged chunks, and deliver them to no worker.
    queue.purge(job).await?;
    queue.remove_of_chunks(job, Kind::Done).await?;
    queue.remove_of_chunks(job, Kind::Failed).await
}

impl ManifestChunk {
    pub(crate) fn new(chunk: u64, Done { counts, bytes, sha256 }: Done) -> Self {
        Self { file: chunk_name(chunk), lines: counts.lines(), bytes, sha256 }
    }
}
