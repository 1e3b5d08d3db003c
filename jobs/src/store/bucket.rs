//! Results in a bucket of an S3 server, with a prefix for each job.
//!
//! The first write of a file wins by a conditional write (`If-None-Match: *`). AWS S3 and Cloudflare R2 have it; a server that ignores the
//! header is refused.

use std::io::{self, ErrorKind};
use std::time::Duration;

use object_store::aws::{AmazonS3, AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::ClientConfigKey;
use object_store::path::{Path, PathPart};
use object_store::{BackoffConfig, Error, ObjectStore, ObjectStoreExt, PutMode, RetryConfig};
use superflip::cli::Failure;
use tokio::time::timeout;

use super::https::{Connector, is_true};
use super::too_large;
use crate::job::JobId;

/// How an address begins.
pub(super) const SCHEME: &str = "s3://";
/// Name of an empty file that every worker tries to write.
const PROBE: &str = "writable";
/// Time limit for an operation, with its retries.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Retries of a request; workers then try again by themselves.
const RETRIES: usize = 3;

/// A prefix in a bucket.
#[derive(Clone, Debug)]
pub(crate) struct Bucket {
    store: AmazonS3,
    address: String,
    prefix: Path,
}

impl Bucket {
    /// Opens a bucket: `place` is the address after `s3://`. Credentials and endpoint come from the variables `AWS_*`.
    pub(super) fn open(place: &str) -> Result<Self, Failure> {
        let wrong = |reason: &str| {
            Failure::Input(format!(
                "{SCHEME}{place} is not the address of a bucket: {reason}; expected {SCHEME}BUCKET/PREFIX"
            ))
        };
        let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
        if bucket.is_empty() {
            return Err(wrong("it has no name"));
        }
        let prefix = Path::parse(prefix).map_err(|error| wrong(&error.to_string()))?;
        let retries = RetryConfig { max_retries: RETRIES, backoff: BackoffConfig::default(), retry_timeout: TIMEOUT };
        let builder =
            AmazonS3Builder::from_env().with_bucket_name(bucket).with_http_connector(Connector).with_retry(retries);
        let endpoint = builder.get_config_value(&AmazonS3ConfigKey::Endpoint).unwrap_or_default();
        let allowed = builder.get_config_value(&AmazonS3ConfigKey::Client(ClientConfigKey::AllowHttp));
        if endpoint.starts_with("http://") && !is_true(allowed) {
            return Err(Failure::Input(format!("{endpoint} has no TLS; set AWS_ALLOW_HTTP=true to use it")));
        }
        let store = builder.build().map_err(|error| {
            Failure::Input(format!("cannot use {SCHEME}{place}: {error}; check the variables AWS_*"))
        })?;
        Ok(Self { store, address: format!("{SCHEME}{bucket}/{prefix}").trim_end_matches('/').to_owned(), prefix })
    }

    pub(super) fn name(&self) -> String {
        self.address.clone()
    }

    fn path(&self, job: &JobId, name: &str) -> Path {
        self.prefix.clone().join(PathPart::from(job.as_str())).join(PathPart::from(name))
    }

    /// Writes a new file. Returns `false` if it exists.
    pub(super) async fn put_new(&self, job: &JobId, name: &str, bytes: Vec<u8>) -> io::Result<bool> {
        let path = self.path(job, name);
        match limited(self.store.put_opts(&path, bytes.into(), PutMode::Create.into())).await {
            Ok(_) => Ok(true),
            // Possibly by an earlier attempt of this worker, whose response was lost.
            Err(Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(failure(error)),
        }
    }

    /// Reads a file of at most `limit` bytes. Returns `None` if it does not exist.
    pub(super) async fn get(&self, job: &JobId, name: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let path = self.path(job, name);
        let read = async {
            let file = self.store.get(&path).await?;
            if file.meta.size > limit { Ok(None) } else { file.bytes().await.map(Some) }
        };
        match limited(read).await {
            Ok(Some(bytes)) => Ok(Some(bytes.into())),
            Ok(None) => Err(too_large(limit)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failure(error)),
        }
    }

    /// Checks permissions, and that the server refuses to replace a file. Leaves an empty file.
    pub(super) async fn check(&self, job: &JobId) -> io::Result<()> {
        self.put_new(job, PROBE, Vec::new()).await.map_err(|error| match error.kind() {
            ErrorKind::NotFound => io::Error::new(error.kind(), "there is no such bucket"),
            _ => error,
        })?;
        if self.put_new(job, PROBE, Vec::new()).await? {
            return Err(io::Error::new(
                ErrorKind::Unsupported,
                "the server ignores conditional writes (If-None-Match), so workers would replace each other's results; use another \
                 server, or a folder",
            ));
        }
        Ok(())
    }
}

async fn limited<T>(operation: impl Future<Output = object_store::Result<T>>) -> object_store::Result<T> {
    let too_slow =
        |_| Error::Generic { store: "S3", source: format!("no answer within {} s", TIMEOUT.as_secs()).into() };
    timeout(TIMEOUT, operation).await.map_err(too_slow)?
}

/// Gives permanent errors a kind of their own. The rest is `Other`, and worth another try.
fn failure(error: Error) -> io::Error {
    let kind = match &error {
        Error::NotFound { .. } => ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        Error::NotImplemented { .. } | Error::NotSupported { .. } => ErrorKind::Unsupported,
        _ => ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
