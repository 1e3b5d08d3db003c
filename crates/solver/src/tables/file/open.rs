//! Opens a table file: locks, maps and checks it.
//!
//! A process holds a shared lock on each table file it uses, from before the first read until the table is dropped.
//! [`prune`](super::inventory::prune) removes a file only under an exclusive lock. On file systems without locks, tables are used
//! without a lock.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use web_time::Instant;

use super::format::{FormatError, HEADER_BYTES, Header};
use super::mapping::Mapping;
use super::naming::{first_page, path_of, recipe};
use super::sink::checksum_loading;
use super::table::{Table, is_at};
use crate::tables::catalogue::spec::Spec;

/// Why a table file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// The file does not exist.
    #[error("missing")]
    Missing,
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Read(io::Error),
    /// The file is not a regular file. Opening a pipe, for example, would block.
    #[error("not a regular file; remove it")]
    NoFile,
    /// The content is not that of the expected table.
    #[error(transparent)]
    Format(#[from] FormatError),
}

/// Size in bytes from which a table is copied to huge pages. The TLB covers smaller tables completely.
const WORTH_LARGE_PAGES: u64 = 1 << 18;

/// Returns the number of bytes that [`open`] reads and copies.
pub(crate) fn bytes_to_open(spec: &Spec) -> u64 {
    let bytes = spec.payload_bytes();
    if bytes < WORTH_LARGE_PAGES { bytes } else { 2 * bytes }
}

/// Maps one table, checks all of it, and copies it to large pages if it is large enough. `done` receives the number of
/// [bytes](bytes_to_open) done so far, from any thread.
///
/// # Errors
/// Why the file cannot be used.
pub(crate) fn open(folder: &Path, spec: &Spec, done: &(dyn Fn(u64) + Sync)) -> Result<Table, Unusable> {
    let table = read(folder, spec, done)?;
    if spec.payload_bytes() < WORTH_LARGE_PAGES {
        return Ok(table);
    }
    let copied = AtomicU64::new(spec.payload_bytes());
    let tell = |bytes: usize| done((copied.fetch_add(bytes as u64, Relaxed) + bytes as u64).min(bytes_to_open(spec)));
    // If huge pages are unavailable, the mapped file is used: it is slower, but correct.
    Ok(match table.mapping.in_large_pages(&tell) {
        Ok(mapping) => Table { mapping, ..table },
        Err(_) => table,
    })
}

/// Maps one table and checks all of it, without a copy in memory.
///
/// # Errors
/// Why the file cannot be used.
pub(crate) fn look_at(folder: &Path, spec: &Spec) -> Result<Table, Unusable> {
    read(folder, spec, &|_| ())
}

fn read(folder: &Path, spec: &Spec, done: &(dyn Fn(u64) + Sync)) -> Result<Table, Unusable> {
    let path = path_of(folder, spec);
    let (mut file, unlocked) = open_locked(&path)?;
    let length = file.metadata().map_err(Unusable::Read)?.len();
    let page = first_page(&mut file).map_err(Unusable::Read)?;
    let header = Header::decode(&page, length)?;
    let describe = |name: &str, entries: u64, bits: u32, recipe: u64| {
        format!("table {name} with {entries} entries of {bits} bits, recipe {recipe:016x}")
    };
    let got = describe(&header.name, header.entries, header.bits, header.recipe);
    let expected = describe(spec.name, spec.entries, spec.bits, recipe(spec));
    if got != expected {
        return Err(FormatError::OtherTable { got, expected }.into());
    }
    if length != HEADER_BYTES as u64 + spec.payload_bytes() {
        return Err(FormatError::Length { got: length, expected: HEADER_BYTES as u64 + spec.payload_bytes() }.into());
    }
    let mapping = Mapping::open(&file).map_err(Unusable::Read)?;
    let table = Table { header, path, mapping, file, unlocked };
    let read = AtomicU64::new(0);
    let got = checksum_loading(
        table.bytes(),
        |from, bytes| table.mapping.populate(HEADER_BYTES + from, bytes),
        |bytes| done(read.fetch_add(bytes, Relaxed) + bytes),
    );
    let recorded = table.header.checksum;
    if got != recorded {
        return Err(FormatError::Checksum { got, recorded }.into());
    }
    Ok(table)
}

/// Longest wait for a file that another process has locked in order to remove it.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// Greatest number of times that a file may be replaced or removed between opening and locking it.
const REPLACEMENTS: usize = 3;

/// Opens a file for reading and takes a shared lock on it. Also returns why there is no lock, if there is none.
fn open_locked(path: &Path) -> Result<(File, Option<io::Error>), Unusable> {
    let mut replaced = 0;
    loop {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            return Err(Unusable::NoFile);
        }
        let file = File::open(path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Unusable::Missing,
            _ => Unusable::Read(error),
        })?;
        let locked = lock_shared(&file);
        // Files are removed only under an exclusive lock, so a file that still exists here cannot be removed any more.
        if locked.is_err() || replaced == REPLACEMENTS || is_at(&file, path) {
            return Ok((file, locked.err()));
        }
        replaced += 1;
    }
}

fn lock_shared(file: &File) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match file.try_lock_shared() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if start.elapsed() > MAX_WAIT => {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another process holds an exclusive lock on it"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(5)),
        }
    }
}
