//! Lists the table files of a folder, and removes those that this version does not need.
//!
//! This version of the program needs the files of its own tables, of every profile and size. [`prune`] removes all
//! other table files that no process has locked. A file is a table file if it has the name of a table and begins with
//! the label. A leftover of an interrupted build is recognised by its name alone.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::tables::catalogue::spec::TableInfo;
use crate::tables::catalogue::specs;
use crate::tables::file::folder::{FileName, first_page, lock_path, open_lock, path_of, recipe};
use crate::tables::file::format::{FormatError, Header};
use crate::tables::file::store::{Unusable, look_at};
use crate::tables::file::table::is_at;

/// The state of a file for this version of the program.
#[derive(Clone, Debug)]
pub enum FileState {
    /// A table of this version.
    Current,
    /// A table of another version.
    OtherVersion,
    /// A leftover of an interrupted build, or a file being written.
    Partial,
    /// Not a table, or a damaged one, with the reason.
    Unusable(String),
}

impl FileState {
    /// Returns its name in output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::OtherVersion => "other_version",
            Self::Partial => "partial",
            Self::Unusable(_) => "unusable",
        }
    }
}

/// One file of the folder.
#[derive(Clone, Debug)]
pub struct FoundFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Name in the folder.
    pub file: String,
    /// Name of its table, according to the file name.
    pub table: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Recipe in its header.
    pub recipe: Option<u64>,
    /// State for this version.
    pub state: FileState,
    /// Whether a process holds a lock on it; `None` if unknown.
    pub in_use: Option<bool>,
    /// Whether it is a table file that this version does not need.
    pub is_unneeded: bool,
}

/// Lists every table file of the folder, and every file with the same extension, by name. Entries are not read. A
/// folder that does not exist is empty.
///
/// # Errors
/// When the folder cannot be read.
pub fn inventory(folder: &Path) -> io::Result<Vec<FoundFile>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string() {
            found.extend(describe(folder, &name));
        }
    }
    found.sort_by(|a, b| a.file.cmp(&b.file));
    Ok(found)
}

/// Describes a file. Returns `None` if its name is not like that of a table, or if the file no longer exists.
fn describe(folder: &Path, file: &str) -> Option<FoundFile> {
    // Other programs have files that end in `.partial` too, and such files have no label.
    let is_ours = |name: &FileName<'_>| !name.is_partial || specs::named(name.table).is_some();
    let (path, name) = (folder.join(file), FileName::read(file).filter(is_ours));
    if name.is_none() && path.extension().is_none_or(|ending| ending != "tbl") {
        return None;
    }
    let is_link = fs::symlink_metadata(&path).ok()?.is_symlink();
    let metadata = fs::metadata(&path).ok();
    let bytes = metadata.as_ref().map_or(0, fs::Metadata::len);
    let mut found = FoundFile {
        table: name.map_or(file, |name| name.table).to_owned(),
        file: file.to_owned(),
        bytes,
        recipe: None,
        state: FileState::Partial,
        in_use: None,
        is_unneeded: false,
        path,
    };
    if !metadata.is_some_and(|metadata| metadata.is_file()) {
        found.state = FileState::Unusable("not a regular file".into());
        return Some(found);
    }
    if name.is_some_and(|name| name.is_partial) {
        found.in_use = File::open(lock_path(folder)).map_or(Some(false), |lock| is_locked(&lock));
        found.is_unneeded = !is_link;
        return Some(found);
    }
    let mut handle = match File::open(&found.path) {
        Ok(handle) => handle,
        Err(error) => {
            found.state = FileState::Unusable(Unusable::Read(error).to_string());
            return Some(found);
        }
    };
    let header = match first_page(&mut handle) {
        Ok(page) => Header::decode(&page, bytes),
        Err(error) => {
            found.state = FileState::Unusable(Unusable::Read(error).to_string());
            return Some(found);
        }
    };
    found.in_use = is_locked(&handle);
    found.recipe = header.as_ref().ok().map(|header| header.recipe);
    let is_table = !matches!(header, Err(FormatError::Foreign | FormatError::NoHeader { .. }));
    let own = name.and_then(|name| specs::named(name.table));
    let is_needed =
        own.is_some_and(|spec| found.path == path_of(folder, spec)) || is_target_of_a_table(folder, &found.path);
    found.state = state(name, header);
    found.is_unneeded = is_table && name.is_some() && !is_needed && !is_link;
    Some(found)
}

/// Returns whether a table of this version is stored in this file, possibly through a link.
fn is_target_of_a_table(folder: &Path, path: &Path) -> bool {
    let Ok(file) = fs::canonicalize(path) else { return false };
    let is_it = |spec| fs::canonicalize(path_of(folder, spec)).is_ok_and(|target| target == file);
    specs::every().any(is_it)
}

/// Determines the state of a file from its name and header.
fn state(name: Option<FileName<'_>>, header: Result<Header, FormatError>) -> FileState {
    let Some(name) = name else {
        return FileState::Unusable("its name is not that of a table".into());
    };
    let is_own = specs::named(name.table).is_some_and(|spec| name.recipe == recipe(spec));
    let header = match header {
        Ok(header) => header,
        Err(FormatError::Version { .. } | FormatError::ByteOrder) if !is_own => return FileState::OtherVersion,
        Err(error) => return FileState::Unusable(error.to_string()),
    };
    if header.name != name.table || header.recipe != name.recipe {
        let Header { name, recipe, .. } = header;
        return FileState::Unusable(format!("its name does not match its header: table {name}, recipe {recipe:016x}"));
    }
    if is_own { FileState::Current } else { FileState::OtherVersion }
}

/// Returns whether another handle holds a lock on the file, by trying an exclusive lock and releasing it.
fn is_locked(file: &File) -> Option<bool> {
    match file.try_lock() {
        Ok(()) => {
            // Closing the file would release it as well.
            let _ = file.unlock();
            Some(false)
        }
        Err(TryLockError::WouldBlock) => Some(true),
        Err(TryLockError::Error(_)) => None,
    }
}

impl FoundFile {
    /// Reads and checks a whole table of this version. Returns its description if it is intact. Otherwise its state
    /// becomes [`FileState::Unusable`].
    pub fn check(&mut self) -> Option<TableInfo> {
        if !matches!(self.state, FileState::Current) {
            return None;
        }
        let (spec, folder) = (specs::named(&self.table)?, self.path.parent()?);
        match look_at(folder, spec) {
            Ok(table) => Some(TableInfo::new(spec, &table)),
            Err(reason) => {
                self.state = FileState::Unusable(reason.to_string());
                None
            }
        }
    }
}

/// Why a folder cannot be pruned.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum PruneError {
    /// The folder cannot be read or locked.
    #[error("cannot prune {path}: {source}", path = path.display())]
    Folder { path: PathBuf, source: io::Error },
    /// Another process builds tables in the folder.
    #[error("cannot prune {path}: another process builds tables in it", path = path.display())]
    Building { path: PathBuf },
}

/// Why an unneeded file was kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepReason {
    /// A process uses it.
    #[error("in use by another process")]
    InUse,
    /// The system cannot lock the file, so a process may use it.
    #[error("cannot tell whether a process uses it: {0}. If none does, remove it by hand")]
    Unlockable(io::Error),
    /// The file cannot be removed.
    #[error("cannot be removed: {0}")]
    Failed(io::Error),
}

/// The result of pruning a folder.
#[derive(Debug, Default)]
pub struct Pruned {
    /// Files that were removed, or would be.
    pub removed: Vec<FoundFile>,
    /// Files that were kept, with the reason.
    pub kept: Vec<(FoundFile, KeepReason)>,
}

/// Removes the table files that this version does not need and no process uses. With `dry_run` it only lists them.
///
/// # Errors
/// When the folder cannot be read or locked, or another process builds tables in it.
pub fn prune(folder: &Path, dry_run: bool) -> Result<Pruned, PruneError> {
    let failed = |source| PruneError::Folder { path: folder.to_owned(), source };
    let unneeded = |folder| Ok(inventory(folder).map_err(failed)?.into_iter().filter(|found| found.is_unneeded));
    let mut pruned = Pruned::default();
    if dry_run {
        if File::open(lock_path(folder)).is_ok_and(|lock| is_locked(&lock) == Some(true)) {
            return Err(PruneError::Building { path: folder.to_owned() });
        }
        for found in unneeded(folder)? {
            match found.in_use {
                Some(false) => pruned.removed.push(found),
                Some(true) => pruned.kept.push((found, KeepReason::InUse)),
                None => pruned.kept.push((found, KeepReason::Unlockable(io::ErrorKind::Unsupported.into()))),
            }
        }
        return Ok(pruned);
    }
    if unneeded(folder)?.next().is_none() {
        // If there is nothing to do, nothing is written, not even a lock file.
        return Ok(pruned);
    }
    // No version builds while this lock is held, so no file is replaced between the check and the removal.
    let lock = open_lock(folder).map_err(failed)?;
    match lock.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(PruneError::Building { path: folder.to_owned() }),
        Err(TryLockError::Error(error)) => return Err(failed(error)),
    }
    for found in unneeded(folder)? {
        match remove(&found) {
            Ok(()) => pruned.removed.push(found),
            Err(why) => pruned.kept.push((found, why)),
        }
    }
    Ok(pruned)
}

/// Removes a file under an exclusive lock, so that a process that opens it meanwhile notices.
fn remove(found: &FoundFile) -> Result<(), KeepReason> {
    let path = &found.path;
    // Some file systems grant exclusive locks only on files open for writing.
    let file = OpenOptions::new().write(true).open(path).or_else(|_| File::open(path)).map_err(KeepReason::Failed)?;
    match file.try_lock() {
        Ok(()) if is_at(&file, path) => fs::remove_file(path).map_err(KeepReason::Failed),
        Ok(()) | Err(TryLockError::WouldBlock) => Err(KeepReason::InUse),
        Err(TryLockError::Error(error)) => Err(KeepReason::Unlockable(error)),
    }
}
