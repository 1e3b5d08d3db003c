//! The table folder: names of files, the lock, leftovers of interrupted builds, and free space.
//!
//! The lock is held while tables are built or removed. The space is checked before a build, which may take minutes until the disk is full.
//!
//! The file of a table is `<table>-<recipe>.tbl`. The recipe, 16 hexadecimal digits, is a fingerprint of everything
//! that determines the entries ([`format`](super::format)). So versions with different entries use different files and
//! can share a folder. A file that is being written ends in `.partial`.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use web_time::Instant;
use xxhash_rust::xxh3::Xxh3;

use crate::control::{Control, TableEvent};
use crate::tables::catalogue::spec::Spec;
use crate::tables::catalogue::specs;
use crate::tables::error::TableError;
use crate::tables::file::format::HEADER_BYTES;

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

/// Returns the recipe of a table. It is a fingerprint of the revisions of this table and of all tables before it in the
/// list of the profiles.
pub fn recipe(spec: &Spec) -> u64 {
    let mut hash = Xxh3::new();
    if cfg!(target_endian = "big") {
        // Entries are in the byte order of the machine.
        hash.update(b"big-endian");
    }
    let listed = specs::ALL.iter().position(|own| own.id == spec.id).unwrap_or(0);
    for before in &specs::ALL[..listed] {
        hash.update(before.name.as_bytes());
        hash.update(&before.revision.to_le_bytes());
    }
    hash.update(spec.name.as_bytes());
    hash.update(&spec.revision.to_le_bytes());
    hash.digest()
}

/// Returns the path of a table file.
pub fn path_of(folder: &Path, spec: &Spec) -> PathBuf {
    folder.join(format!("{}-{:016x}.tbl", spec.name, recipe(spec)))
}

/// Returns the size of a table file in bytes.
pub const fn file_bytes(spec: &Spec) -> u64 {
    HEADER_BYTES as u64 + spec.payload_bytes()
}

/// Returns whether a file with the right name and length exists. Its content is checked when it is opened.
pub fn is_there(folder: &Path, spec: &Spec) -> bool {
    fs::metadata(path_of(folder, spec)).is_ok_and(|file| file.len() == file_bytes(spec))
}

/// Reads the first page of a file, or all of a shorter file.
pub(crate) fn first_page(file: &mut File) -> io::Result<Vec<u8>> {
    let mut page = Vec::with_capacity(HEADER_BYTES);
    file.take(HEADER_BYTES as u64).read_to_end(&mut page)?;
    Ok(page)
}

/// A parsed table file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileName<'a> {
    /// Name of the table.
    pub(crate) table: &'a str,
    /// Recipe of the table.
    pub(crate) recipe: u64,
    /// Whether the file belongs to a running or interrupted build.
    pub(crate) is_partial: bool,
}

impl<'a> FileName<'a> {
    /// Parses a name; returns `None` if no version of the program uses such names for tables.
    pub(crate) fn read(name: &'a str) -> Option<Self> {
        let (stem, ending) = name.rsplit_once('.')?;
        let is_partial = match ending {
            "tbl" => false,
            "partial" => true,
            _ => return None,
        };
        let (table, digits) = stem.rsplit_once('-')?;
        let recipe = hexadecimal(digits)?;
        let is_name = !table.is_empty()
            && table.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        is_name.then_some(Self { table, recipe, is_partial })
    }
}

fn hexadecimal(digits: &str) -> Option<u64> {
    let is_digits = digits.len() == 16 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_digits.then(|| u64::from_str_radix(digits, 16).ok())?
}

/// Checks that the disk of the folder has space for the tables that are not in it. The folder need not exist. The check passes
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
    use crate::tables::catalogue::spec::Profile;
    use crate::tables::set::SetKey;
    use std::fmt::Write as _;

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

    #[test]
    fn names_are_read_as_they_are_written() {
        for spec in specs::every() {
            let read = |path: PathBuf| {
                let name = path.file_name().expect("a name").to_str().expect("ASCII").to_owned();
                let FileName { table, recipe, is_partial } = FileName::read(&name).expect("a table file");
                (table.to_owned(), recipe, is_partial)
            };
            let path = path_of(Path::new("t"), spec);
            assert_eq!(read(path.clone()), (spec.name.to_owned(), recipe(spec), false));
            assert_eq!(read(path.with_extension("partial")), (spec.name.to_owned(), recipe(spec), true));
        }
        let others = "build.lock .tbl near near.tbl near.partial near.txt near.tbl.bak near-copy.tbl Near.tbl \
            near-0123456789abcde.tbl near-0123456789ABCDEF.tbl near-+123456789abcdef.tbl -0123456789abcdef.tbl";
        for name in others.split(' ').chain(["near (copy).tbl"]) {
            assert_eq!(FileName::read(name), None, "{name}");
        }
    }

    /// Two versions take a file with the same name for the same table. So a table whose shape changes needs another revision, and
    /// [`FORMAT_VERSION`](crate::tables::file::format::FORMAT_VERSION) is not raised without one for every table.
    #[test]
    fn a_recipe_belongs_to_one_shape() {
        let mut listed = String::new();
        for spec in specs::every() {
            let _ = writeln!(listed, "{:016x} {} {}x{}", recipe(spec), spec.name, spec.entries, spec.bits);
        }
        assert_eq!(crate::tables::file::format::FORMAT_VERSION, 1, "a new layout needs new recipes");
        assert_eq!(listed, include_str!("../../../tests/data/recipes.txt"), "a new shape needs a new revision");
    }

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
