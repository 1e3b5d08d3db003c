//! The lock of a table folder, held while tables are built or removed.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::control::Control;
use crate::tables::error::TableError;
use crate::tables::observer::{TableEvent, TableObserver};

/// Returns the path of the lock file.
pub(crate) fn lock_path(folder: &Path) -> PathBuf {
    folder.join("build.lock")
}

/// Opens the lock file and creates it if necessary.
pub(crate) fn open_lock(folder: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(lock_path(folder))
}

/// Acquires the lock of the folder. It is released when the file is dropped, or by the kernel when the process ends.
pub(crate) fn lock(folder: &Path, observer: TableObserver<'_>, control: &Control) -> Result<File, TableError> {
    let path = lock_path(folder);
    let file = open_lock(folder).map_err(|e| TableError::io("open the lock", &path, e))?;
    let mut last_reported = None;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(TableError::io("lock", &path, error)),
            Err(TryLockError::WouldBlock) => {
                if control.is_cancelled() {
                    return Err(TableError::Stopped);
                }
                if last_reported.is_none_or(|at: Instant| at.elapsed() > Duration::from_secs(5)) {
                    observer(&TableEvent::Waiting { folder });
                    last_reported = Some(Instant::now());
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
}
