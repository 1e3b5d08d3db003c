//! The folder of the tables: its lock, what killed builds leave in it, and why it cannot be used.

use std::fs;
use std::path::{Path, PathBuf};

use super::lock::open_lock;
use super::naming::FileName;
use crate::tables::catalogue::specs;

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
pub(crate) fn remove_leftovers(folder: &Path) {
    for path in leftovers(folder) {
        // A leftover that cannot be removed costs space, nothing else.
        let _ = fs::remove_file(path);
    }
}

/// The same where nothing is to be built, unless somebody else builds here; a folder that cannot be written stays as it is.
pub(crate) fn clear_up(folder: &Path) {
    if !leftovers(folder).is_empty()
        && let Ok(file) = open_lock(folder)
        && file.try_lock().is_ok()
    {
        remove_leftovers(folder);
    }
}

/// Bytes that may still be written in the folder, where the system tells.
#[cfg(target_os = "linux")]
pub(crate) fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    found.f_bavail.checked_mul(found.f_frsize)
}

/// Elsewhere the system is not asked.
#[cfg(not(target_os = "linux"))]
pub(crate) fn free_bytes(_: &Path) -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
