//! Errors of opening and building tables.

use std::io;
use std::path::{Path, PathBuf};

use crate::control::Cancelled;

/// Why tables are not available.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum TableError {
    /// The folder or a file in it cannot be used.
    #[error("cannot {action} {path}: {source}", path = path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    /// Tables must be built, and the folder cannot be created or locked.
    #[error("cannot {action} {path}: {source}. It is needed to build these tables: {missing}", path = path.display())]
    NoFolder { action: &'static str, path: PathBuf, source: io::Error, missing: String },
    /// The disk is too small for the tables that must be built.
    #[error(
        "the tables to build need {bytes} bytes in {folder}, whose disk has {free_bytes} free",
        folder = folder.display()
    )]
    NoSpace { folder: PathBuf, bytes: u64, free_bytes: u64 },
    /// A file that was just written does not read back correctly.
    #[error("{path} was just written and is damaged: {reason}", path = path.display())]
    Unsound { path: PathBuf, reason: String },
    /// The user has no home folder, so there is no default folder.
    #[error("there is no default folder for tables: the home folder of the user is unknown")]
    NoHome,
    /// The build was cancelled.
    #[error("stopped before the tables were ready")]
    Cancelled(#[source] Cancelled),
}

impl TableError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_path_buf(), source }
    }
}

/// Returns whether the process ran out of memory or file descriptors. The file itself may be intact.
pub fn is_shortage(error: &io::Error) -> bool {
    /// ENFILE and EMFILE: no descriptors left in the system or in the process. Their numbers are the same on every
    /// Unix.
    const DESCRIPTORS: [i32; 2] = [23, 24];
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(|code| DESCRIPTORS.contains(&code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortages_are_distinguished_from_file_errors() {
        for code in [12, 23, 24] {
            assert!(is_shortage(&io::Error::from_raw_os_error(code)), "{code}");
        }
        for code in [2, 5, 13, 28] {
            assert!(!is_shortage(&io::Error::from_raw_os_error(code)), "{code}");
        }
    }
}
