//! Results in a folder, with a folder for each job.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use superflip::cli::Failure;
use tempfile::NamedTempFile;

use super::too_large;
use crate::job::JobId;

/// Suffix of a file that is being written.
const TEMPORARY: &str = ".tmp";

/// A folder of results.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder. Nothing is created.
    pub(super) fn open(folder: &str) -> Result<Self, Failure> {
        let path = std::path::absolute(folder);
        path.map(Self).map_err(|error| Failure::Input(format!("{folder} is not the path of a folder: {error}")))
    }

    /// Returns the absolute path of the folder.
    pub(super) fn name(&self) -> String {
        self.0.display().to_string()
    }

    fn of_job(&self, job: &JobId) -> PathBuf {
        self.0.join(job.as_str())
    }

    /// Writes a new file and syncs it to the disk. Returns `false` if the file exists.
    pub(super) async fn put_new(&self, job: &JobId, name: &str, bytes: Vec<u8>) -> io::Result<bool> {
        let (folder, job, name) = (self.clone(), job.clone(), name.to_owned());
        blocking(move || folder.write_new(&job, &name, &bytes)).await
    }

    /// Reads a file of at most `limit` bytes. Returns `None` if it does not exist.
    pub(super) async fn get(&self, job: &JobId, name: &str, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let path = self.of_job(job).join(name);
        blocking(move || match read(&path, limit) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        })
        .await
    }

    /// Removes the temporary files that killed workers have left in a finished job.
    pub(super) async fn clean(&self, job: &JobId) -> io::Result<()> {
        let (folder, job) = (self.clone(), job.clone());
        blocking(move || folder.remove_temporary(&job)).await
    }

    /// Writes an empty temporary file, and removes it.
    pub(super) async fn check(&self, job: &JobId) -> io::Result<()> {
        let folder = self.of_job(job);
        blocking(move || {
            fs::create_dir_all(&folder)?;
            temporary(&folder).map(drop)
        })
        .await
    }

    /// Writes a temporary file and renames it, so that the file is complete or absent.
    fn write_new(&self, job: &JobId, name: &str, bytes: &[u8]) -> io::Result<bool> {
        let folder = self.of_job(job);
        fs::create_dir_all(&folder)?;
        let mut file = temporary(&folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        let is_new = match file.persist_noclobber(folder.join(name)) {
            Ok(_) => true,
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => false,
            Err(error) => return Err(error.error),
        };
        // Also if another worker has written the file: it may not have synced the folder yet.
        File::open(&folder)?.sync_all()?;
        Ok(is_new)
    }

    /// Removes temporary files.
    fn remove_temporary(&self, job: &JobId) -> io::Result<()> {
        for entry in fs::read_dir(self.of_job(job))? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().ends_with(TEMPORARY) {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }
}

/// Returns the default folder of results.
pub(crate) fn default_place() -> Result<String, Failure> {
    use etcetera::BaseStrategy as _;
    let dirs = etcetera::choose_base_strategy()
        .map_err(|error| Failure::Input(format!("no folder for results: {error}; name one with --results")))?;
    let folder: PathBuf = dirs.state_dir().unwrap_or_else(|| dirs.data_dir());
    Ok(folder.join("superflip").join("jobs").display().to_string())
}

fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".").suffix(TEMPORARY);
    readable(&mut builder);
    builder.tempfile_in(folder)
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

/// Lets other users read the file, as far as the umask permits.
#[cfg(unix)]
fn readable(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn readable(_: &mut tempfile::Builder<'_, '_>) {}
