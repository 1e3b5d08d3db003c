//! Free space for tables, checked before a build, which may take minutes until the disk is full.

use std::fs;
use std::path::Path;

use super::folder::{free_bytes, leftovers};
use super::naming::path_of;
use super::store::{file_bytes, is_there};
use crate::tables::catalogue::spec::Spec;
use crate::tables::error::TableError;

/// Checks that the disk of the folder has space for those of the tables that are not in it. The folder need not exist. The check passes
/// if the system does not report the free space.
///
/// # Errors
/// Returns [`TableError::NoSpace`] if the tables do not fit.
pub fn check_space<'s>(folder: &Path, wanted: impl IntoIterator<Item = &'s Spec>) -> Result<(), TableError> {
    check(folder, wanted.into_iter().filter(|spec| !is_there(folder, spec)))
}

/// Checks that the disk has space for these tables. A file that they replace counts as free once it is replaced, and the leftovers
/// of interrupted builds count as free.
pub(crate) fn check<'s>(folder: &Path, missing: impl Iterator<Item = &'s Spec>) -> Result<(), TableError> {
    let length = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
    let files = missing.map(|spec| (file_bytes(spec), length(&path_of(folder, spec))));
    let bytes = peak(files);
    let existing = folder.ancestors().find(|folder| folder.exists());
    let Some(free) = existing.and_then(free_bytes) else { return Ok(()) };
    let free = free + leftovers(folder).iter().map(|path| length(path)).sum::<u64>();
    if bytes <= free {
        return Ok(());
    }
    Err(TableError::NoSpace { folder: folder.to_path_buf(), bytes, free_bytes: free })
}

/// Returns the greatest number of bytes that are in use at a time, beyond those in use before, while files are written one after the
/// other. Each item is the length of a new file, and of the file that it replaces afterwards.
fn peak(files: impl Iterator<Item = (u64, u64)>) -> u64 {
    let (mut used, mut peak) = (0_u64, 0);
    for (new, old) in files {
        used += new;
        peak = peak.max(used);
        used = used.saturating_sub(old);
    }
    peak
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::set::{Profile, SetKey};

    #[test]
    fn replaced_files_are_counted_once() {
        assert_eq!(peak([].into_iter()), 0);
        assert_eq!(peak([(5, 0), (7, 0)].into_iter()), 12);
        assert_eq!(peak([(5, 5), (7, 7), (6, 6)].into_iter()), 7);
        assert_eq!(peak([(5, 9), (7, 0)].into_iter()), 7);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn tables_that_do_not_fit_are_refused_before_the_folder_exists() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("several/levels");
        assert!(check_space(&folder, SetKey::of_profile(Profile::Small).specs()).is_ok());
        let free = free_bytes(place.path()).expect("Linux reports it");
        let spec = SetKey::of_profile(Profile::Standard).specs().max_by_key(|spec| file_bytes(spec)).expect("a table");
        // The table as often as it takes to exceed the disk.
        let many = usize::try_from(2 * free / file_bytes(spec)).expect("few") + 1;
        match check_space(&folder, std::iter::repeat_n(spec, many)) {
            Err(TableError::NoSpace { folder: named, bytes, .. }) => {
                assert_eq!((named, bytes), (folder.clone(), many as u64 * file_bytes(spec)));
            }
            other => panic!("{other:?}"),
        }
        assert!(!folder.exists());
    }
}
