//! Folders of tables that a test may damage, and the files in a folder.

use std::fs;
use std::path::Path;

use tempfile::{NamedTempFile, TempDir};

/// A copy of the small tables in a new folder.
pub fn copied() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for table in super::tables().list() {
        fs::copy(&table.path, folder.path().join(table.file_name())).expect("copied");
    }
    folder
}

/// Names of the files in a folder that end so.
pub fn names(folder: &Path, ending: &str) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(ending)).collect()
}

/// A configuration file with this text, whose name ends with `given.toml`.
pub fn toml(text: &str) -> NamedTempFile {
    let file = tempfile::Builder::new().suffix("given.toml").tempfile().expect("a file");
    fs::write(file.path(), text).expect("written");
    file
}
