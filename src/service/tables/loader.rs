//! Loads one set of tables, and says why it cannot be loaded.

use std::path::{Path, PathBuf};
use std::time::Instant;

use crate::service::config::Config;
use crate::service::millis;
use crate::service::tables::remedies::with_remedy;
use crate::service::telemetry::metrics::TABLES_LOAD_SECONDS;
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
    pub fn without_paths(&self) -> String {
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
