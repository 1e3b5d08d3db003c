//! Folders of tables that a test may damage, and the files in a folder.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use superflip_solver::tables::format::Header;
use superflip_solver::tables::sink::checksum;
use tempfile::{NamedTempFile, TempDir};

/// A copy of the small tables in a new folder.
pub fn copied() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for table in super::small_tables().list() {
        fs::copy(&table.path, folder.path().join(table.file_name())).expect("copied");
    }
    folder
}

/// Changes bits of one byte of a file in place, as a failing disk would.
pub fn flip(path: &Path, at: u64, bits: u8) {
    let mut file = fs::OpenOptions::new().read(true).write(true).open(path).expect("a file");
    let mut byte = [0];
    file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(&mut byte)).expect("a byte");
    file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(&[byte[0] ^ bits])).expect("written");
}

/// The bytes of a table file after a change of its header and entries, with the checksum of what they are now.
pub fn rewritten(path: &Path, change: impl FnOnce(&mut Header, &mut [u8])) -> Vec<u8> {
    let mut file = fs::read(path).expect("a table file");
    let mut header = Header::decode(&file[..4096], file.len() as u64).expect("a header");
    change(&mut header, &mut file[4096..]);
    header.checksum = checksum(&file[4096..]);
    file[..4096].copy_from_slice(&header.encode());
    file
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
