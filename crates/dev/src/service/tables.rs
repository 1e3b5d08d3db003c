//! Tables over HTTP: their rows, and checks of them.

use super::prelude::*;

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
