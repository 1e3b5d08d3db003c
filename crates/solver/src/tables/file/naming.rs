//! Names of table files.
//!
//! The file of a table is `<table>-<recipe>.tbl`. The recipe, 16 hexadecimal digits, is a fingerprint of everything
//! that determines the entries ([`format`](super::format)). So versions with different entries use different files and
//! can share a folder. A file that is being written ends in `.partial`.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::Xxh3;

use super::format::HEADER_BYTES;
use crate::tables::catalogue::spec::Spec;
use crate::tables::catalogue::specs;

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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

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
    /// [`FORMAT_VERSION`](super::super::format::FORMAT_VERSION) is not raised without one for every table.
    #[test]
    fn a_recipe_belongs_to_one_shape() {
        let mut listed = String::new();
        for spec in specs::every() {
            let _ = writeln!(listed, "{:016x} {} {}x{}", recipe(spec), spec.name, spec.entries, spec.bits);
        }
        assert_eq!(super::super::format::FORMAT_VERSION, 1, "a new layout needs new recipes");
        assert_eq!(listed, include_str!("../../../tests/data/recipes.txt"), "a new shape needs a new revision");
    }
}
