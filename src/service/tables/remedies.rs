//! What to do about errors of table files.

use std::io;

use superflip_solver::tables::{TableError, is_shortage};

/// Returns the error as sentences, with its remedy.
pub(crate) fn with_remedy(error: &TableError) -> String {
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
