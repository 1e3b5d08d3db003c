//! The folder of the tables: its lock, what killed builds leave in it, and why it cannot be used.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use super::files::FileName;
use super::{Event, Observer, TableError, specs};

/// Takes the lock of the folder; it is released when the file is dropped, or by the kernel when the process dies.
pub(super) fn lock(folder: &Path, observer: &dyn Observer, stop: &AtomicBool) -> Result<File, TableError> {
    let path = lock_path(folder);
    let file = open_lock(folder).map_err(|e| io_error("open the lock", &path, e))?;
    let mut told = None;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(io_error("lock", &path, error)),
            Err(TryLockError::WouldBlock) => {
                if stop.load(Relaxed) {
                    return Err(TableError::Stopped);
                }
                if told.is_none_or(|at: Instant| at.elapsed() > Duration::from_secs(5)) {
                    observer.observe(&Event::Waiting { folder });
                    told = Some(Instant::now());
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
}

/// What killed builds left behind.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    // Of tables alone: what else lies in the folder is somebody else's.
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| FileName::read(name.to_str()?));
        name.is_some_and(|name| name.is_partial && specs::named(name.table).is_some())
    };
    paths.filter(is_ours).collect()
}

/// Removes what killed builds left behind; called with the lock held, so none of it is in use.
pub(super) fn remove_leftovers(folder: &Path) {
    for path in leftovers(folder) {
        // A leftover that cannot be removed costs space, nothing else.
        let _ = fs::remove_file(path);
    }
}

/// The same where nothing is to be built, unless somebody else builds here; a folder that cannot be written stays as it is.
pub(super) fn clear_up(folder: &Path) {
    if !leftovers(folder).is_empty()
        && let Ok(file) = open_lock(folder)
        && file.try_lock().is_ok()
    {
        remove_leftovers(folder);
    }
}

/// The file that is locked while tables are built.
pub(super) fn lock_path(folder: &Path) -> PathBuf {
    folder.join("build.lock")
}

/// Opens the lock of the folder, and makes its file if there is none.
pub(super) fn open_lock(folder: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).truncate(false).write(true).open(lock_path(folder))
}

/// Bytes that may still be written in the folder, where the system tells.
#[cfg(target_os = "linux")]
pub(super) fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

/// Elsewhere the system is not asked.
#[cfg(not(target_os = "linux"))]
pub(super) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

/// Whether it is this process that has not enough of something, memory or descriptors, and the file may be as sound as ever.
pub(super) fn is_shortage(error: &io::Error) -> bool {
    /// No more descriptors in the system, and none in the process; the same number on every Unix.
    const DESCRIPTORS: [i32; 2] = [23, 24];
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(|code| DESCRIPTORS.contains(&code))
}

/// The failure of a file operation, with its remedy.
pub(super) fn io_error(action: &'static str, path: &Path, source: io::Error) -> TableError {
    let remedy = match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Free some space (the standard profile takes 640 MB, the small one 50 MB) or choose another folder with --tables-dir"
        }
        _ if is_shortage(&source) => {
            "The files are as they were: give the process more memory (`ulimit -v`, the limit of its control group) or more \
             descriptors (`ulimit -n`), and start it again"
        }
        io::ErrorKind::FileTooLarge => {
            "Files of this process are limited in size: raise `ulimit -f` (the largest table has 564 MB in the standard profile, 28 MB in \
             the small one) or choose a file system that holds larger ones with --tables-dir"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Choose a folder that this user may write with --tables-dir, or put finished tables there with `superflip tables build`"
        }
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "A file is where the folder should be: choose another folder with --tables-dir"
        }
        _ => "Choose another folder with --tables-dir if this one cannot be used",
    };
    TableError::Io { action, path: path.to_path_buf(), remedy, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_has_the_remedy_that_mends_it() {
        for (kind, remedy) in [
            (io::ErrorKind::StorageFull, "Free some space"),
            (io::ErrorKind::QuotaExceeded, "Free some space"),
            (io::ErrorKind::FileTooLarge, "ulimit -f"),
            (io::ErrorKind::OutOfMemory, "more memory"),
            (io::ErrorKind::PermissionDenied, "may write"),
            (io::ErrorKind::ReadOnlyFilesystem, "may write"),
            (io::ErrorKind::NotADirectory, "A file is where the folder should be"),
            (io::ErrorKind::Other, "Choose another folder"),
        ] {
            let text = io_error("write", Path::new("/t/near.tbl"), kind.into()).to_string();
            assert!(text.starts_with("cannot write /t/near.tbl: ") && text.contains(remedy), "{text}");
            assert!(text.contains("--tables-dir") || kind == io::ErrorKind::OutOfMemory, "{text}");
        }
    }

    #[test]
    fn leftovers_are_those_of_tables_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in [
            "near.partial",
            "near-0123456789abcdef.partial",
            "optimal_s.partial",
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

    #[test]
    fn what_a_process_lacks_is_told_from_what_is_wrong_with_a_file() {
        for code in [12, 23, 24] {
            assert!(is_shortage(&io::Error::from_raw_os_error(code)), "{code}");
        }
        for code in [2, 5, 13, 28] {
            assert!(!is_shortage(&io::Error::from_raw_os_error(code)), "{code}");
        }
    }
}
