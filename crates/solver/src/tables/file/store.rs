//! Opens tables, and builds those that are missing or unusable.
//!
//! Each table is one file. A file is written under a temporary name, synced and renamed. So a file under its final name
//! is always complete. After an interrupted build, finished tables remain, and only the others are built again. A lock
//! on the folder prevents two processes from building at the same time; opening does not need it.
//!
//! An opened file is locked, mapped and checked. A process holds a shared lock on each table file it uses, from before the first read until the table is dropped.
//! [`prune`](super::inventory::prune) removes a file only under an exclusive lock. On file systems without locks, tables are used
//! without a lock.

use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use web_time::Instant;

use crate::control::{Control, TableEvent};
use crate::tables::catalogue::spec::Spec;
use crate::tables::error::{TableError, is_shortage};
use crate::tables::file::folder::{
    self, clear_up, file_bytes, first_page, free_bytes, lock, path_of, recipe, remove_leftovers,
};
use crate::tables::file::format::{FormatError, HEADER_BYTES, Header};
use crate::tables::file::mapping::Mapping;
use crate::tables::file::sink::{BuildError, Sink, checksum_loading};
use crate::tables::file::table::{Opened, Table, is_at};

/// Opens every wanted table, and builds those that are missing or unusable.
pub(crate) fn open_or_build(folder: &Path, wanted: &[&'static Spec], control: &Control) -> Result<Opened, TableError> {
    let mut opened = Opened::default();
    let missing = open_all(folder, wanted, control, &mut opened, true)?;
    if missing.is_empty() {
        clear_up(folder);
        return Ok(opened);
    }
    let created = fs::create_dir_all(folder).map_err(|e| TableError::io("create the folder", folder, e));
    let locked = created.and_then(|()| lock(folder, control));
    let _lock = locked.map_err(|error| needed_for(&missing, error))?;
    // Another process may have built some tables while this one waited for the lock.
    let missing = open_all(folder, wanted, control, &mut opened, false)?;
    remove_leftovers(folder);
    folder::check(folder, missing.iter().map(|(spec, _)| *spec))?;
    let names: Vec<_> = missing.iter().map(|(spec, _)| spec.name).collect();
    if !names.is_empty() {
        let bytes = missing.iter().map(|(spec, _)| file_bytes(spec)).sum();
        control.emit(&TableEvent::Planned { folder, tables: &names, bytes, free_bytes: free_bytes(folder) });
    }
    let total: u32 = missing.iter().map(|(spec, _)| spec.weight).sum();
    let mut before = 0;
    for (spec, _) in missing {
        let observed = control.clone();
        let control = control.reporting(move |_, done, of| {
            let share = 1000 * u64::from(spec.weight) * done / of.max(1);
            let permille = (1000 * u64::from(before) + share) / u64::from(total);
            let overall_permille = u32::try_from(permille).unwrap_or(1000);
            observed.emit(&TableEvent::Building { table: spec.name, done, total: of, overall_permille });
        });
        control.report(0, 1);
        control.check().map_err(TableError::Cancelled)?;
        let path = path_of(folder, spec);
        build(folder, spec, &opened, &control).map_err(|error| match error {
            BuildError::Cancelled(cancelled) => TableError::Cancelled(cancelled),
            BuildError::Write(error) => TableError::io("write", &path, error),
        })?;
        let table =
            open(folder, spec, &|_| ()).map_err(|reason| TableError::Unsound { path, reason: reason.to_string() })?;
        let (elapsed, bytes) = (table.header.build_time, file_bytes(spec));
        control.emit(&TableEvent::Built { table: spec.name, elapsed, bytes });
        opened.insert(spec.id, table);
        before += spec.weight;
    }
    Ok(opened)
}

/// Opens every wanted table; returns `None` if one is missing or unusable.
pub(crate) fn open_existing(
    folder: &Path,
    wanted: &[&'static Spec],
    control: &Control,
) -> Result<Option<Opened>, TableError> {
    let mut opened = Opened::default();
    let missing = open_all(folder, wanted, control, &mut opened, true)?;
    Ok(missing.is_empty().then_some(opened))
}

/// Adds to an error the tables for which the failed operation was needed, and why they are built.
fn needed_for(missing: &[Missing], error: TableError) -> TableError {
    match error {
        TableError::Io { action, path, source } => {
            let reasons: Vec<_> = missing.iter().map(|(spec, reason)| format!("{} ({reason})", spec.name)).collect();
            TableError::NoFolder { action, path, source, missing: reasons.join(", ") }
        }
        other => other,
    }
}

/// A table that must be built, and the reason.
type Missing = (&'static Spec, String);

/// Opens every table that is not open yet, and returns those that could not be opened.
fn open_all(
    folder: &Path,
    wanted: &[&'static Spec],
    control: &Control,
    opened: &mut Opened,
    tell_rejected: bool,
) -> Result<Vec<Missing>, TableError> {
    let mut missing = Vec::new();
    let all: u64 = wanted.iter().map(|&spec| bytes_to_open(spec)).sum();
    let mut before = 0;
    for &spec in wanted {
        let done_before = before;
        before += bytes_to_open(spec);
        if opened.get(spec.id).is_some() {
            continue;
        }
        // Threads report blocks in any order; only rising values are passed on.
        let reported = Mutex::new(None);
        let tell = |done: u64| {
            let overall_permille = u32::try_from((done_before + done) * 1000 / all.max(1)).unwrap_or(1000);
            let mut reported = reported.lock().unwrap_or_else(PoisonError::into_inner);
            if reported.is_none_or(|last| last < overall_permille) {
                *reported = Some(overall_permille);
                control.emit(&TableEvent::Opening { table: spec.name, overall_permille });
            }
        };
        tell(0);
        match open(folder, spec, &tell) {
            Ok(table) => {
                control.emit(&TableEvent::Opened { table: spec.name, bytes: file_bytes(spec) });
                if let Some(reason) = &table.unlocked {
                    control.emit(&TableEvent::Unlocked { path: table.path(), reason });
                }
                opened.insert(spec.id, table);
            }
            Err(Unusable::Read(error)) if is_shortage(&error) => {
                return Err(TableError::io("open", &path_of(folder, spec), error));
            }
            Err(reason) => {
                let reason_text = reason.to_string();
                if tell_rejected && !matches!(reason, Unusable::Missing) {
                    let path = path_of(folder, spec);
                    control.emit(&TableEvent::Rejected { table: spec.name, path: &path, reason: &reason_text });
                }
                missing.push((spec, reason_text));
            }
        }
    }
    Ok(missing)
}

fn build(folder: &Path, spec: &Spec, opened: &Opened, control: &Control) -> Result<(), BuildError> {
    let started = Instant::now();
    let path = path_of(folder, spec);
    let aside = path.with_extension("partial");
    let written = write_aside(&aside, spec, opened, control, started).and_then(|()| {
        fs::rename(&aside, &path)?;
        Ok(())
    });
    match written {
        // The file is complete. Without this sync, which not every file system has, a power failure may undo the
        // renaming. The table is then built again.
        Ok(()) => drop(File::open(folder).and_then(|folder| folder.sync_all())),
        Err(_) => drop(fs::remove_file(&aside)),
    }
    written
}

fn write_aside(
    aside: &Path,
    spec: &Spec,
    opened: &Opened,
    control: &Control,
    started: Instant,
) -> Result<(), BuildError> {
    let mut file = File::create(aside)?;
    file.seek(SeekFrom::Start(HEADER_BYTES as u64))?;
    let mut sink = Sink::new(&mut file);
    let histograms = (spec.build)(opened, &mut sink, control)?;
    assert_eq!(sink.written, spec.payload_bytes(), "{} has another size than its spec says", spec.name);
    let header = Header {
        name: spec.name.into(),
        recipe: recipe(spec),
        entries: spec.entries,
        bits: spec.bits,
        checksum: sink.checksum(),
        build_time: started.elapsed(),
        entry_histogram: histograms.entries,
        depth_histogram: histograms.states,
    };
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header.encode())?;
    file.sync_all()?;
    Ok(())
}

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
