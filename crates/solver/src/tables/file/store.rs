//! Opens tables, and builds those that are missing or unusable.
//!
//! Each table is one file. A file is written under a temporary name, synced and renamed. So a file under its final name
//! is always complete. After an interrupted build, finished tables remain, and only the others are built again. A lock
//! on the folder prevents two processes from building at the same time; opening does not need it.
//! [`naming`](super::naming) names the files, `open` opens them.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use web_time::Instant;

use super::folder::{clear_up, free_bytes, lock, remove_leftovers};
use super::format::{HEADER_BYTES, Header};
use super::naming::{path_of, recipe};
use super::open::{Unusable, bytes_to_open, open};
use super::sink::Sink;
use super::space;
use super::table::Opened;
use crate::control::Control;
use crate::table_event::TableEvent;
use crate::tables::catalogue::spec::BuildError;
use crate::tables::catalogue::spec::Spec;
use crate::tables::error::{TableError, is_shortage};

/// Returns the size of a table file in bytes.
pub const fn file_bytes(spec: &Spec) -> u64 {
    HEADER_BYTES as u64 + spec.payload_bytes()
}

/// Returns whether a file with the right name and length exists. Its content is checked when it is opened.
pub fn is_there(folder: &Path, spec: &Spec) -> bool {
    fs::metadata(path_of(folder, spec)).is_ok_and(|file| file.len() == file_bytes(spec))
}

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
    space::check(folder, missing.iter().map(|(spec, _)| *spec))?;
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
