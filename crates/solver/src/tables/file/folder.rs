//! The table folder: its lock, leftovers of interrupted builds, and free space.
//!
//! The lock is held while tables are built or removed.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use web_time::Instant;

use super::naming::FileName;
use crate::control::Control;
use crate::table_event::TableEvent;
use crate::tables::catalogue::specs;
use crate::tables::error::TableError;

/// Returns the path of the lock file.
pub(crate) fn lock_path(folder: &Path) -> PathBuf {
    folder.join("build.lock")
}

/// Opens the lock file and creates it if necessary.
pub(crate) fn open_lock(folder: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(lock_path(folder))
}

/// Acquires the lock of the folder. It is released when the file is dropped, or by the kernel when the process ends.
pub(crate) fn lock(folder: &Path, control: &Control) -> Result<File, TableError> {
    let path = lock_path(folder);
    let file = open_lock(folder).map_err(|e| TableError::io("open the lock", &path, e))?;
    let mut last_reported = None;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(TableError::io("lock", &path, error)),
            Err(TryLockError::WouldBlock) => {
                control.check().map_err(TableError::Cancelled)?;
                if last_reported.is_none_or(|at: Instant| at.elapsed() > Duration::from_secs(5)) {
                    control.emit(&TableEvent::Waiting { folder });
                    last_reported = Some(Instant::now());
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

/// Lists the leftovers of interrupted builds.
pub(crate) fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    // Only files named like tables; other files in the folder belong to other programs.
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| FileName::read(name.to_str()?));
        name.is_some_and(|name| name.is_partial && specs::named(name.table).is_some())
    };
    paths.filter(is_ours).collect()
}

/// Removes the leftovers of interrupted builds. The caller holds the folder's lock, so none of them is in use.
pub(crate) fn remove_leftovers(folder: &Path) {
    for path in leftovers(folder) {
        // A leftover that cannot be removed only costs space.
        let _ = fs::remove_file(path);
    }
}

/// Removes leftovers when nothing is to be built, unless another process builds in the folder. Errors are ignored.
pub(crate) fn clear_up(folder: &Path) {
    if !leftovers(folder).is_empty()
        && let Ok(file) = open_lock(folder)
        && file.try_lock().is_ok()
    {
        remove_leftovers(folder);
    }
}

/// Returns the free space of the folder in bytes, if the system reports it.
#[cfg(target_os = "linux")]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    // Some network file systems report no blocks at all.
    if found.f_blocks == 0 { None } else { found.f_bavail.checked_mul(found.f_frsize) }
}

/// Returns `None`: only Linux is asked for the free space.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_leftovers_of_tables_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "near-0123456789abcdef.partial",
            "optimal_s-0123456789abcdef.partial",
            "movie.partial",
            "near-copy.partial",
            "near.tbl",
        ] {
            fs::write(folder.path().join(name), "x").expect("a file");
        }
        clear_up(folder.path());
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).expect("the folder").flatten().map(|e| e.file_name()).collect();
        left.sort();
        assert_eq!(left, ["build.lock", "movie.partial", "near-copy.partial", "near.tbl"]);
    }
}
