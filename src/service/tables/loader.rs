//! Loads one set of tables, and says why it cannot be loaded and what to do about it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::service::config::Config;
use crate::service::millis;
use crate::service::telemetry::metrics::TABLES_LOAD_SECONDS;
use superflip_solver::tables::is_shortage;
use superflip_solver::{Control, Profile, SetKey, TableError, TableSet, default_folder};

/// The reason why tables could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Tables that could not be opened or built.
    #[error("{}", with_remedy(.0))]
    Tables(#[from] TableError),
    /// Panic of the build, with its message.
    #[error("building the tables failed: {0}. This is a defect of superflip; please report it")]
    Panicked(String),
}

impl LoadError {
    /// Returns the reason in public words, without paths of the server.
    pub(crate) fn without_paths(&self) -> String {
        match self {
            Self::Tables(
                TableError::Io { action: "create the folder", source, .. }
                | TableError::NoFolder { action: "create the folder", source, .. },
            ) => {
                format!("the server cannot create the folder of its tables ({})", source.kind())
            }
            Self::Tables(TableError::Io { action, source, .. } | TableError::NoFolder { action, source, .. }) => {
                format!("the server cannot {action} in the folder of its tables ({})", source.kind())
            }
            Self::Tables(TableError::NoSpace { bytes, free_bytes, .. }) => {
                format!("the tables need {bytes} bytes, and the disk of their folder has {free_bytes} free")
            }
            Self::Tables(TableError::Unsound { reason, .. }) => {
                format!("a file that was just written is damaged: {reason}")
            }
            Self::Tables(TableError::Cancelled(_) | TableError::NoHome) => self.to_string(),
            Self::Panicked(_) => "building it failed, which is a defect".to_owned(),
        }
    }
}

/// Returns the folder of the tables: the configured one, else `superflip` in the platform's cache folder. The path is empty if no configured table is
/// stored in a file.
///
/// # Errors
/// Returns an error if no folder is configured and the user has no home folder.
pub fn folder(config: &Config) -> Result<PathBuf, LoadError> {
    match &config.tables.dir {
        Some(dir) => Ok(dir.clone()),
        None => default_folder().or_else(|error| {
            let is_needed = config.tables.profile != Profile::Tiny || config.optimal.table.is_some();
            if is_needed { Err(error.into()) } else { Ok(PathBuf::new()) }
        }),
    }
}

/// Opens, builds or computes a set on this thread: the one loader of the service, the shell and jobs.
///
/// # Errors
/// Returns the errors of [`TableSet::open`].
pub fn open(folder: &Path, key: SetKey, control: &Control) -> Result<TableSet, LoadError> {
    if folder.as_os_str().is_empty() && !key.is_computed() {
        return Err(TableError::NoHome.into());
    }
    let start = Instant::now();
    let set = TableSet::open(key, folder, control)?;
    if let TableSet::Profile(tables) = &set {
        superflip_solver::search::prepare(tables.profile());
        TABLES_LOAD_SECONDS.with([]).set(start.elapsed().as_secs_f64());
    }
    let (bytes, milliseconds) = (set.file_bytes(), millis(start.elapsed()));
    tracing::info!(set = %key, folder = %folder.display(), bytes, milliseconds, "tables ready");
    Ok(set)
}

/// Returns the error as sentences, with its remedy.
fn with_remedy(error: &TableError) -> String {
    let remedy = match error {
        TableError::Io { source, .. } | TableError::NoFolder { source, .. } => remedy(source),
        TableError::NoSpace { .. } => {
            "Free some space, choose a smaller profile with --profile, or choose a folder on another disk with --tables-dir"
        }
        TableError::Unsound { .. } => "Check the disk, or choose another folder with --tables-dir",
        TableError::NoHome => "Set a folder with --tables-dir or tables.dir",
        TableError::Cancelled(_) => return error.to_string(),
    };
    match error {
        // The tables last: there may be some twenty, and the cause and the remedy must not stand behind them.
        TableError::NoFolder { action, path, source, missing } => {
            format!(
                "cannot {action} {}: {source}. {remedy}. It is needed to build these tables: {missing}.",
                path.display()
            )
        }
        _ => format!("{error}. {remedy}."),
    }
}

/// Returns what to do after a file operation that failed.
fn remedy(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Free some space (the standard profile takes 640 MB, the small one 50 MB) or choose another folder with --tables-dir"
        }
        _ if is_shortage(error) => {
            "The files are intact: give the process more memory (`ulimit -v`, the limit of its control group) or more \
             descriptors (`ulimit -n`), and start it again"
        }
        io::ErrorKind::FileTooLarge => {
            "Files of this process are limited in size: raise `ulimit -f` (the largest table has 564 MB in the standard profile, 28 MB in \
             the small one) or choose a file system that holds larger ones with --tables-dir"
        }
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "Choose a folder that this user may write with --tables-dir, or put finished tables there with `superflip tables build`"
        }
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            "A file is where the folder should be: choose another folder with --tables-dir"
        }
        _ => "Choose another folder with --tables-dir if this one cannot be used",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_names_its_remedy() {
        for (kind, remedy) in [
            (io::ErrorKind::StorageFull, "Free some space"),
            (io::ErrorKind::QuotaExceeded, "Free some space"),
            (io::ErrorKind::FileTooLarge, "ulimit -f"),
            (io::ErrorKind::OutOfMemory, "more memory"),
            (io::ErrorKind::PermissionDenied, "may write"),
            (io::ErrorKind::ReadOnlyFilesystem, "may write"),
            (io::ErrorKind::NotADirectory, "A file is where the folder should be"),
            (io::ErrorKind::Other, "Choose another folder"),
        ] {
            let error = TableError::Io { action: "write", path: "/t/near.tbl".into(), source: kind.into() };
            let text = with_remedy(&error);
            assert!(text.starts_with("cannot write /t/near.tbl: ") && text.contains(remedy), "{text}");
            assert!(text.contains("--tables-dir") || kind == io::ErrorKind::OutOfMemory, "{text}");
        }
        let (path, source) = ("/t".into(), io::ErrorKind::ReadOnlyFilesystem.into());
        let error = TableError::NoFolder { action: "create the folder", path, source, missing: "a, b".to_owned() };
        let text = with_remedy(&error);
        assert!(
            text.starts_with("cannot create the folder /t: ") && text.ends_with("build these tables: a, b."),
            "{text}"
        );
    }
}
