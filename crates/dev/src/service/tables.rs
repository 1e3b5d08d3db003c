//! Tables over HTTP, folders of tables that a test may damage, and the files in a folder.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use superflip_solver::tables::format::Header;
use superflip_solver::tables::sink::checksum;
use tempfile::NamedTempFile;

use super::prelude::*;

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

/// All entries of a row.
pub async fn row(state: &AppState, table: &str, row: u64) -> Vec<u64> {
    let body = get(app(state.clone()), &format!("/tables/{table}/rows/{row}")).await.ok();
    assert_eq!(body["left"], 0, "{body}");
    list_of(&body["entries"])
}

/// One entry, taken apart.
pub async fn decoded(state: &AppState, table: &str, row: u64, column: u64) -> Value {
    let uri = format!("/tables/{table}/rows/{row}?from={column}&count=1");
    get(app(state.clone()), &uri).await.ok()["decoded"][0].clone()
}

/// The verdict of a check by a new service on the same tables, which damage would stop.
pub async fn verdict(tables_of: &AppState, name: &str) -> Value {
    let state = state(config(), tables_of.shelf.profile());
    let body = post(app(state.clone()), &format!("/tables/{name}/verify"), "").await.ok();
    assert_eq!(body["name"], name);
    assert_eq!(body["sound"], body["problem"].is_null(), "{body}");
    assert!(body["elapsed_ms"].is_u64());
    assert_eq!(state.integrity.damage().is_none(), body["sound"] == true);
    if let Some(damage) = state.integrity.damage() {
        // The damage may be in another table, with which this one is checked.
        let source = body["problem"].text().strip_prefix("cannot finish the check: it needs the table `");
        assert_eq!(damage.table, source.and_then(|text| text.split('`').next()).unwrap_or(name));
    }
    body
}

/// Changes the entries of a table, and has its header say the checksum of what they are now.
pub fn spoil(folder: &TempDir, name: &str, change: &dyn Fn(&mut [u8])) {
    let path = file_of(folder.path(), name);
    let file = rewritten(&path, |_, entries| change(entries));
    fs::remove_file(&path).unwrap();
    fs::write(&path, file).unwrap();
}
