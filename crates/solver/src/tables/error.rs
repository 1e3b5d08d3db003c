//! Errors of opening and building tables. Each message names the remedy.

use std::io;
use std::path::{Path, PathBuf};

/// Why tables are not available. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum TableError {
    /// The folder or a file in it cannot be used.
    #[error("cannot {action} {path}: {source}. {remedy}.", path = path.display())]
    Io { action: &'static str, path: PathBuf, remedy: &'static str, source: std::io::Error },
    /// Tables must be built, and the folder cannot be created or locked.
    #[error(
        "cannot {action} {path}: {source}. It is needed to build these tables: {missing}. {remedy}.",
        path = path.display()
    )]
    NoFolder { action: &'static str, path: PathBuf, remedy: &'static str, source: std::io::Error, missing: String },
    /// A file that was just written does not read back correctly.
    #[error("{path} was just written and is damaged: {reason}. Check the disk, or choose another folder with --tables-dir.", path = path.display())]
    Unsound { path: PathBuf, reason: String },
    /// The build was stopped.
    #[error("stopped before the tables were ready")]
    Stopped,
}

/// Returns whether the process ran out of memory or file descriptors. The file itself may be intact.
pub(crate) fn is_shortage(error: &io::Error) -> bool {
    /// ENFILE and EMFILE: no descriptors left in the system or in the process. Their numbers are the same on every
    /// Unix.
    const DESCRIPTORS: [i32; 2] = [23, 24];
    error.kind() == io::ErrorKind::OutOfMemory || error.raw_os_error().is_some_and(|code| DESCRIPTORS.contains(&code))
}

/// Builds the error of a file operation, with its remedy.
pub(crate) fn io_error(action: &'static str, path: &Path, source: io::Error) -> TableError {
    let remedy = match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "Free some space (the standard profile takes 640 MB, the small one 50 MB) or choose another folder with --tables-dir"
        }
        _ if is_shortage(&source) => {
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
    };
    TableError::Io { action, path: path.to_path_buf(), remedy, source }
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
            let text = io_error("write", Path::new("/t/near.tbl"), kind.into()).to_string();
            assert!(text.starts_with("cannot write /t/near.tbl: ") && text.contains(remedy), "{text}");
            assert!(text.contains("--tables-dir") || kind == io::ErrorKind::OutOfMemory, "{text}");
        }
    }

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
