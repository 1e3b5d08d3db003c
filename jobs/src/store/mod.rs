//! The place of the results: a folder, or a bucket of an S3 server.
//!
//! | file | contents |
//! | --- | --- |
//! | `JOB/chunk-0000017.ndjson.zst` | the answers of a chunk |
//! | `JOB/manifest.json` | the job, and every chunk with its checksum; written when all chunks are done |
//!
//! A file is written once: of several workers that write the same one, the first wins. So a checksum never belongs to another version of the
//! file.

mod bucket;
mod folder;
mod https;

use std::io::{self, ErrorKind};

use superflip::cli::Failure;

use crate::job::JobId;
use bucket::{Bucket, SCHEME};
use folder::Folder;
pub(crate) use folder::default_place;

/// Name of the manifest.
pub(crate) const MANIFEST: &str = "manifest.json";

/// A place of results.
#[derive(Clone, Debug)]
pub(crate) enum Store {
    Folder(Folder),
    S3(Bucket),
}

/// Returns the name of the file of a chunk.
pub(crate) fn chunk_name(number: u64) -> String {
    format!("chunk-{number:07}.ndjson.zst")
}

impl Store {
    /// Opens a folder, or a bucket for an address with `s3://`. Nothing is created or requested.
    pub(crate) fn open(place: &str) -> Result<Self, Failure> {
        match (place.strip_prefix(SCHEME), place.split_once("://")) {
            (Some(rest), _) => Bucket::open(rest).map(Self::S3),
            (None, Some((scheme, _))) => Err(Failure::Input(format!(
                "results cannot be stored in {place}: {scheme}:// is not supported; pass a folder, or {SCHEME}BUCKET/PREFIX"
            ))),
            (None, None) => Folder::open(place).map(Self::Folder),
        }
    }

    /// Opens the place of a job that was submitted with `place`. `local` replaces a folder, which may have another path on this machine.
    pub(crate) fn of_job(place: &str, local: Option<&Self>) -> Result<Self, Failure> {
        let submitted = Self::open(place)?;
        Ok(local.filter(|_| !submitted.is_remote()).cloned().unwrap_or(submitted))
    }

    /// Returns the absolute path of the folder, or the address of the bucket with the prefix.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Folder(folder) => folder.name(),
            Self::S3(bucket) => bucket.name(),
        }
    }

    /// Returns whether the name means the same place on all machines.
    pub(crate) fn is_remote(&self) -> bool {
        matches!(self, Self::S3(_))
    }

    /// Writes a new file durably. Returns `false` if the file exists.
    pub(crate) async fn put_new(&self, job: &JobId, name: &str, bytes: Vec<u8>) -> io::Result<bool> {
        match self {
            Self::Folder(folder) => folder.put_new(job, name, bytes).await,
            Self::S3(bucket) => bucket.put_new(job, name, bytes).await,
        }
    }

    /// Reads a file of at most `limit` bytes. Returns `None` if it does not exist.
    pub(crate) async fn get(&self, job: &JobId, name: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        match self {
            Self::Folder(folder) => folder.get(job, name, limit).await,
            Self::S3(bucket) => bucket.get(job, name, limit).await,
        }
    }

    /// Removes the temporary files that killed workers have left in a finished job. In a bucket there are none.
    pub(crate) async fn clean(&self, job: &JobId) -> io::Result<()> {
        match self {
            Self::Folder(folder) => folder.clean(job).await,
            Self::S3(_) => Ok(()),
        }
    }

    /// Checks that files of a job can be written.
    ///
    /// # Errors
    /// Returns an error if this takes a change by the operator. A place that is full or unreachable may recover by itself, so it is no error.
    pub(crate) async fn check(&self, job: &JobId) -> Result<(), Failure> {
        let checked = match self {
            Self::Folder(folder) => folder.check(job).await,
            Self::S3(bucket) => bucket.check(job).await,
        };
        match checked {
            Err(error) if is_permanent(error.kind()) => {
                Err(Failure::Input(format!("cannot store results in {}: {error}", self.name())))
            }
            _ => Ok(()),
        }
    }
}

/// Returns whether an operation that failed for this reason fails again until someone mends it.
pub(crate) fn is_permanent(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::FileTooLarge
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::Unsupported
    )
}

/// The error of a file with more than `limit` bytes.
fn too_large(limit: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {limit} bytes"))
}
