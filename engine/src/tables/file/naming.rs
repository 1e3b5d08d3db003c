//! Names of table files.
//!
//! The file of a table is `<table>-<recipe>.tbl`. The recipe, 16 hexadecimal digits, is a fingerprint of everything
//! that determines the entries ([`format`](super::format)). So versions with different entries use different files and
//! can share a folder. Earlier versions wrote `<table>.tbl`. Such a file is used if its header has the recipe of this
//! version, and renamed if the folder is writable. A file that is being written ends in `.partial`.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::format::{HEADER_BYTES, Header};
use super::lock::open_lock;
use crate::tables::catalogue::spec::Spec;
use crate::tables::catalogue::specs;
use crate::tables::observer::{Observer, TableEvent};

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

/// Returns the path that earlier versions gave the file.
pub fn old_path_of(folder: &Path, spec: &Spec) -> PathBuf {
    folder.join(spec.name).with_extension("tbl")
}

/// Returns the path of an existing table file. This is the old path if only that file exists and it has the recipe of
/// this version.
pub fn locate(folder: &Path, spec: &Spec) -> PathBuf {
    let (path, old) = (path_of(folder, spec), old_path_of(folder, spec));
    let is_missing = fs::symlink_metadata(&path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
    let is_own = |header: Header| header.name == spec.name && header.recipe == recipe(spec);
    if is_missing && header_of(&old).is_some_and(is_own) { old } else { path }
}

/// Returns the header of a file, if it is intact and the file has the length it states.
fn header_of(path: &Path) -> Option<Header> {
    // Opening something other than a regular file, such as a pipe, could block.
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    Header::decode(&first_page(&mut file).ok()?, length).ok()
}

/// Reads the first page of a file, or all of a shorter file.
pub(crate) fn first_page(file: &mut File) -> io::Result<Vec<u8>> {
    let mut page = Vec::with_capacity(HEADER_BYTES);
    file.take(HEADER_BYTES as u64).read_to_end(&mut page)?;
    Ok(page)
}

/// Renames the files of these tables that have old names. A file that cannot be renamed now is used under its old name:
/// the folder is not writable, or another process builds in it.
pub(crate) fn rename_old(folder: &Path, wanted: &[&'static Spec], observer: &dyn Observer) {
    let is_old = |spec: &Spec| locate(folder, spec) == old_path_of(folder, spec);
    let old: Vec<_> = wanted.iter().filter(|spec| is_old(spec)).collect();
    if old.is_empty() {
        return;
    }
    // Programs that write old names hold this lock while they build, so no file is replaced between the check and the
    // renaming.
    let Ok(lock) = open_lock(folder) else { return };
    if lock.try_lock().is_err() {
        return;
    }
    for spec in old {
        let path = path_of(folder, spec);
        if is_old(spec) && fs::rename(old_path_of(folder, spec), &path).is_ok() {
            observer.observe(&TableEvent::Renamed { table: spec.name, path: &path });
        }
    }
}

/// A parsed table file name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileName<'a> {
    /// Name of the table.
    pub(crate) table: &'a str,
    /// Recipe; `None` in names of earlier versions.
    pub(crate) recipe: Option<u64>,
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
        let (table, recipe) = match stem.rsplit_once('-') {
            Some((table, digits)) => (table, Some(hexadecimal(digits)?)),
            None => (stem, None),
        };
        let is_name = !table.is_empty()
            && table.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
        is_name.then_some(Self { table, recipe, is_partial })
    }
}

fn hexadecimal(digits: &str) -> Option<u64> {
    let is_digits = digits.len() == 16 && digits.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    is_digits.then(|| u64::from_str_radix(digits, 16).ok())?
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for spec in specs::ALL.iter().chain(&specs::OPTIMAL) {
            let read = |path: PathBuf| {
                let name = path.file_name().expect("a name").to_str().expect("ASCII").to_owned();
                let FileName { table, recipe, is_partial } = FileName::read(&name).expect("a table file");
                (table.to_owned(), recipe, is_partial)
            };
            let (path, old) = (path_of(Path::new("t"), spec), old_path_of(Path::new("t"), spec));
            assert_eq!(read(path.clone()), (spec.name.to_owned(), Some(recipe(spec)), false));
            assert_eq!(read(path.with_extension("partial")), (spec.name.to_owned(), Some(recipe(spec)), true));
            assert_eq!(read(old), (spec.name.to_owned(), None, false));
        }
        for name in [
            "build.lock",
            ".tbl",
            "near",
            "near.txt",
            "near.tbl.bak",
            "near (copy).tbl",
            "near-copy.tbl",
            "Near.tbl",
            "near-0123456789abcde.tbl",
            "near-0123456789ABCDEF.tbl",
            "near-+123456789abcdef.tbl",
            "-0123456789abcdef.tbl",
        ] {
            assert_eq!(FileName::read(name), None, "{name}");
        }
    }

    /// Two versions take a file with the same name for the same table. So a table whose shape changes needs another revision, and
    /// [`FORMAT_VERSION`](super::super::format::FORMAT_VERSION) is not raised without one for every table.
    #[test]
    fn a_recipe_belongs_to_one_shape() {
        let mut listed = String::new();
        for spec in specs::ALL.iter().chain(&specs::OPTIMAL) {
            let _ = writeln!(listed, "{:016x} {} {}x{}", recipe(spec), spec.name, spec.entries, spec.bits);
        }
        assert_eq!(super::super::format::FORMAT_VERSION, 1, "a new layout needs new recipes");
        assert_eq!(listed, include_str!("../../../tests/data/recipes.txt"), "a new shape needs a new revision");
    }
}
