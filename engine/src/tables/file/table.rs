//! One mapped table.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use zerocopy::{FromBytes, Immutable};

use super::format::{HEADER_BYTES, Header};
use super::mapping::Mapping;
use crate::tables::pruning::packed;

/// A table that was mapped and found sound.
pub struct Table {
    /// What its file says of it.
    pub header: Header,
    /// Where it was opened.
    pub(crate) opened_at: PathBuf,
    /// The name of its file in this version.
    pub(crate) named: PathBuf,
    pub(crate) mapping: Mapping,
    /// Holds the shared lock.
    pub(crate) file: File,
    /// Why there is no lock.
    pub(crate) unlocked: Option<io::Error>,
}

impl Table {
    /// The entries as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.mapping.bytes()[HEADER_BYTES..]
    }

    /// Where its file is. One that was opened under its old name may have been renamed since, by another process.
    pub fn path(&self) -> &Path {
        if self.is_under_old_name() { &self.opened_at } else { &self.named }
    }

    fn is_under_old_name(&self) -> bool {
        self.opened_at != self.named && !self.named.exists()
    }

    /// Returns whether the table was opened under its old name and that name now refers to another file or to none.
    pub(crate) fn lost_its_old_name(&self) -> bool {
        self.is_under_old_name() && !is_at(&self.file, &self.opened_at)
    }

    /// Bytes of the file as it is now, whatever its name.
    pub(crate) fn file_bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// # Panics
    /// When the payload is no whole number of `T`; shapes are checked when a table is opened.
    pub(crate) fn view<T: FromBytes + Immutable>(&self) -> &[T] {
        <[T]>::ref_from_bytes(self.bytes()).expect("payload begins on a page and holds whole entries")
    }

    /// Entry number `index`, or `None` beyond the last.
    pub fn entry(&self, index: u64) -> Option<u64> {
        if index >= self.header.entries {
            return None;
        }
        let (bytes, at) = (self.bytes(), usize::try_from(index).ok()?);
        Some(match self.header.bits {
            2 => u64::from(packed::pair(bytes, at)),
            4 => u64::from(packed::nibble(bytes, at)),
            16 => u64::from(u16::from_ne_bytes(word(bytes, at)?)),
            8 => u64::from(*bytes.get(at)?),
            _ => u64::from(u32::from_ne_bytes(word(bytes, at)?)),
        })
    }
}

/// The word number `at` of N bytes.
fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at * N..(at + 1) * N)?.try_into().ok()
}

/// Whether a path still leads to the file.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(identity) == fs::metadata(path).ok().map(identity)
}

/// Whether a path still leads to the file: elsewhere an open file keeps its name.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, _: &Path) -> bool {
    true
}
