//! Several versions of the program on one folder of tables: each leaves the files of the others alone.
#![cfg(unix)]

use std::fs::File;

use superflip_solver::tables::TableEvent;

use crate::common::prelude::*;
use crate::common::watched::value;
use crate::common::wire::blocking::fetch;

/// A table file as another version of the program would write it: intact, with another recipe and other entries.
fn of_another_version(name: &str) -> (Vec<u8>, u64) {
    let own = small_tables().list().into_iter().find(|table| table.name == name).expect("a table of the small profile");
    let mut recipe = 0;
    let file = rewritten(&own.path, |header, entries| {
        header.recipe ^= 0xff;
        entries[0] ^= 1;
        recipe = header.recipe;
    });
    (file, recipe)
}

/// Renames a file into place, as a build does.
fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let aside = folder.join("put.aside");
    fs::write(&aside, bytes).expect("written");
    fs::rename(aside, folder.join(name)).expect("renamed");
}

/// Value of a metric, 0 if there is none.
fn metric(address: SocketAddr, line: &str) -> f64 {
    value(&fetch(address, "/metrics").body, line)
}

#[test]
fn a_table_of_another_version_is_left_alone() {
    let folder = copied();
    let (file, recipe) = of_another_version("near");
    let name = format!("near-{recipe:016x}.tbl");
    put(folder.path(), &name, &file);
    let mut command = superflip(&["serve", "--listen", "127.0.0.1:0", "--tables-dir"]);
    command.arg(folder.path()).env("SUPERFLIP_TABLES__CHECK_INTERVAL_MS", "50");
    let running = Program::ready(command);
    let address = running.address();
    // The other version builds its table while this one runs.
    put(folder.path(), &name, &file);
    let sound = "superflip_table_checks_total{outcome=\"sound\"}";
    let before = metric(address, sound);
    let wrong = "superflip_table_checks_total{outcome=\"wrong\"}";
    wait(|| metric(address, sound) >= before + 3.0 || metric(address, wrong) > 0.5, || running.text_of_log());
    assert_eq!(fetch(address, "/readyz").status, 200);
    assert!(metric(address, wrong) < 0.5, "{}", running.text_of_log());
    for words in ["table built", "cannot be used", "a table in use is damaged"] {
        assert!(!running.text_of_log().contains(words), "{words}: {}", running.text_of_log());
    }
    assert!(fs::read(folder.path().join(name)).expect("it is there") == file);
}

/// Runs `superflip tables` with these arguments on a folder, and checks the exit code.
#[track_caller]
fn tables_of(folder: &Path, arguments: &[&str], code: i32) -> Ran {
    Ran::of(superflip(&["tables"]).args(arguments).arg("--tables-dir").arg(folder), code)
}

/// Names of the files in a report.
fn files_of(list: &Value) -> Vec<String> {
    let mut files: Vec<_> = list.list().iter().map(|row| row["file"].text().to_owned()).collect();
    files.sort();
    files
}

/// Counts built tables, and keeps the reasons for using files without locks.
#[derive(Default)]
struct Changes {
    built: AtomicUsize,
    unlocked: Mutex<Vec<String>>,
}

impl Changes {
    fn control(self: &Arc<Self>) -> Control {
        let changes = Arc::clone(self);
        Control::new().observing(move |event| changes.observe(event))
    }

    fn observe(&self, event: &TableEvent<'_>) {
        match event {
            TableEvent::Built { .. } => _ = self.built.fetch_add(1, Ordering::Relaxed),
            TableEvent::Unlocked { reason, .. } => {
                self.unlocked.lock().expect("no panic while held").push(reason.to_string());
            }
            _ => {}
        }
    }
}

#[test]
fn files_are_listed_with_their_state() {
    let folder = copied();
    let (foreign, recipe) = of_another_version("near");
    put(folder.path(), "near.tbl", &foreign);
    put(folder.path(), &format!("near-{recipe:016x}.tbl"), &foreign);
    put(folder.path(), "future_table-0123456789abcdef.tbl", &foreign);
    put(folder.path(), "notes.tbl", b"no table");
    put(folder.path(), "notes.txt", b"no table");
    put(folder.path(), "optimal_l-0123456789abcdef.partial", b"half a table");
    let of = |name: &str| file_of(folder.path(), name);
    fs::remove_file(of("slice_move")).expect("removed");
    let mut bytes = fs::read(of("u_edges_move")).expect("a file");
    bytes.truncate(5000);
    fs::write(of("u_edges_move"), bytes).expect("written");
    let held = File::open(of("corner_move")).expect("a file");
    held.lock_shared().expect("locked");

    let rows = tables_of(folder.path(), &["list", "--json"], 0).json();
    let row = |file: &str| {
        let mut found = rows.list().iter().filter(|row| row["file"] == file);
        found.next().unwrap_or_else(|| panic!("{file}: {rows}")).clone()
    };
    let name = |table: &str| of(table).file_name().expect("a name").to_str().expect("ASCII").to_owned();
    for (file, state) in [
        (name("near").as_str(), "current"),
        ("near.tbl", "unusable"),
        (&format!("near-{recipe:016x}.tbl"), "other_version"),
        (&name("u_edges_move"), "unusable"),
        ("future_table-0123456789abcdef.tbl", "unusable"),
        ("notes.tbl", "unusable"),
        ("optimal_l-0123456789abcdef.partial", "partial"),
        (&name("corner_move"), "current"),
    ] {
        let row = row(file);
        assert_eq!((&row["state"], row["problem"].is_string()), (&state.into(), state == "unusable"), "{row}");
        assert_eq!(row["in_use"], file == name("corner_move"), "{row}");
        assert_eq!(row["bytes"], fs::metadata(folder.path().join(file)).expect("a file").len());
    }
    assert_eq!(row("near.tbl")["recipe"], format!("{recipe:016x}"));
    assert!(rows.list().iter().any(|row| row["name"] == "slice_move" && row["state"] == "missing"));
    assert!(!rows.to_string().contains("notes.txt") && !rows.to_string().contains("build.lock"), "{rows}");

    let told = tables_of(folder.path(), &["list"], 0).out;
    assert_eq!(told.lines().count(), rows.list().len());
    for words in [&format!("near-{recipe:016x}.tbl"), "other_version", "truncated", "slice_move", "in use"] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn pruning_removes_unused_table_files_only() {
    let folder = copied();
    let (foreign, recipe) = of_another_version("near");
    let in_use = format!("near-{recipe:016x}.tbl");
    for name in ["near-0123456789abcdef.tbl", &in_use, "future_table-0123456789abcdef.tbl"] {
        put(folder.path(), name, &foreign);
    }
    put(folder.path(), "optimal_l-0123456789abcdef.partial", b"half a table");
    // Files of other programs, or with names that no table has.
    let not_ours =
        ["notes.tbl", "movie.partial", "near.tbl.bak", "near.tbl", "near-copy.tbl", "readme.md", "build.lock"];
    for name in not_ours {
        let is_table = ["near.tbl", "near-copy.tbl"].contains(&name);
        put(folder.path(), name, if is_table { &foreign } else { b"something else" });
    }
    let link = folder.path().join("slice_move-0123456789abcdef.tbl");
    std::os::unix::fs::symlink(folder.path().join("near.tbl"), link).expect("a link");
    let before = names(folder.path(), "").len();
    let held = File::open(folder.path().join(&in_use)).expect("a file");
    held.lock_shared().expect("locked");
    // Tables of the other profile and of every size are needed too, and so are those that a process of this version holds.
    let removed = ["future_table", "near", "optimal_l"].map(|table| {
        let ending = if table == "optimal_l" { "partial" } else { "tbl" };
        format!("{table}-0123456789abcdef.{ending}")
    });

    let planned = tables_of(folder.path(), &["prune", "--dry-run", "--json"], 0).json();
    assert_eq!((files_of(&planned["removed"]), files_of(&planned["kept"])), (removed.to_vec(), vec![in_use.clone()]));
    assert_eq!((names(folder.path(), "").len(), &planned["dry_run"]), (before, &true.into()));

    let lock = File::open(folder.path().join("build.lock")).expect("a file");
    lock.lock().expect("locked");
    let refused = tables_of(folder.path(), &["prune"], 1);
    assert!(refused.err.contains("another process builds tables in it"), "{}", refused.err);
    assert_eq!(names(folder.path(), "").len(), before);
    drop(lock);

    let report = tables_of(folder.path(), &["prune", "--json"], 0).json();
    assert_eq!(report["removed"], planned["removed"]);
    let bytes: u64 = report["removed"].list().iter().filter_map(|row| row["bytes"].as_u64()).sum();
    assert!(report["bytes_freed"] == bytes && bytes > 8_000_000, "{report}");
    assert_eq!(report["kept"][0]["reason"], "in use by another process", "{report}");
    assert!(removed.iter().all(|name| !folder.path().join(name).exists()));
    assert_eq!(names(folder.path(), "").len(), before - removed.len());
    assert!(fs::read(folder.path().join(&in_use)).expect("a file") == foreign);
    assert!(not_ours.iter().all(|name| folder.path().join(name).exists()));
    drop(held);
    let told = tables_of(folder.path(), &["prune"], 0).out;
    let is_removed = told.lines().skip_while(|line| *line != "removed:").any(|line| line.contains(&*in_use));
    assert!(is_removed, "{told}");
    assert!(!folder.path().join(&in_use).exists());
    // The tables of this version are complete.
    let said = solved(&solve(folder.path()).output().expect("it runs"));
    assert!(!said.contains("table built"), "{said}");
}

/// Damaged files under names of this version are rebuilt, and files without a recipe in their names belong to no table.
#[test]
fn pruning_removes_damaged_tables_of_other_versions_only() {
    let folder = copied();
    let own = file_of(folder.path(), "near");
    let mut damaged = fs::read(&own).expect("a file");
    damaged[200] ^= 1;
    put(folder.path(), "near.tbl", &damaged);
    put(folder.path(), "near-00000000000000ff.tbl", &damaged[..5000]);
    fs::write(&own, damaged).expect("written");
    let report = tables_of(folder.path(), &["prune", "--json"], 0).json();
    assert_eq!(files_of(&report["removed"]), ["near-00000000000000ff.tbl"]);
    assert!(own.exists() && folder.path().join("near.tbl").exists());
    // With nothing to remove, nothing is written, not even a lock.
    let empty = tempfile::tempdir().expect("a folder");
    let report = tables_of(empty.path(), &["prune", "--json"], 0).json();
    assert_eq!((&report["removed"], &report["bytes_freed"]), (&Value::Array(vec![]), &0.into()));
    assert!(names(empty.path(), "").is_empty());
    let missing = tables_of(&empty.path().join("none"), &["prune"], 2);
    assert!(missing.err.contains("does not exist"), "{}", missing.err);
}

#[cfg(unix)]
#[test]
fn pruning_keeps_link_targets_and_is_refused_in_a_build() {
    let folder = copied();
    let own = file_of(folder.path(), "near");
    let target = folder.path().join("near-00000000000000aa.tbl");
    fs::rename(&own, &target).expect("renamed");
    std::os::unix::fs::symlink(&target, &own).expect("a link");
    let report = tables_of(folder.path(), &["prune", "--json"], 0).json();
    assert_eq!(files_of(&report["removed"]), [""; 0]);
    assert!(target.exists());
    put(folder.path(), "near-00000000000000bb.tbl", &of_another_version("near").0);
    let lock = File::create(folder.path().join("build.lock")).expect("a lock");
    lock.lock().expect("locked");
    for arguments in [&["prune"][..], &["prune", "--dry-run"]] {
        let refused = tables_of(folder.path(), arguments, 1);
        assert!(refused.err.contains("another process builds"), "{}", refused.err);
    }
}

#[test]
fn a_process_holds_a_lock_on_each_table_file_that_it_uses() {
    let folder = copied();
    let is_locked = |name: &str| {
        let file = File::open(file_of(folder.path(), name)).expect("a file");
        matches!(file.try_lock(), Err(std::fs::TryLockError::WouldBlock))
    };
    let all = || small_tables().list().into_iter().map(|table| table.name);
    assert!(!all().any(is_locked));
    let opened = Tables::open_or_build(folder.path(), Profile::Small, &Control::new()).expect("it opens");
    // Tables copied to huge pages, and tables used in their mapped files.
    assert!(all().all(is_locked));
    drop(opened);
    assert!(!all().any(is_locked));
}

/// A file that is removed just before it is locked is not used: it could not be found later.
#[test]
fn a_file_that_is_removed_before_it_is_locked_is_rebuilt() {
    let folder = copied();
    let path = file_of(folder.path(), "slice_move");
    let removing = File::open(&path).expect("a file");
    removing.lock().expect("locked");
    std::thread::scope(|scope| {
        let changes = Arc::<Changes>::default();
        let folder = folder.path();
        let opening = scope.spawn(move || {
            Tables::open_or_build(folder, Profile::Small, &changes.control()).expect("it opens");
            changes.built.load(Ordering::Relaxed)
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!opening.is_finished());
        fs::remove_file(&path).expect("removed");
        drop(removing);
        assert_eq!(opening.join().expect("no panic"), 1);
    });
    assert!(path.exists());
}

/// Another program may hold its exclusive lock for ever, and a file system may have no locks.
#[test]
fn a_table_that_cannot_be_locked_is_still_used() {
    let folder = copied();
    let other = File::open(file_of(folder.path(), "slice_move")).expect("a file");
    other.lock().expect("locked");
    let changes = Arc::<Changes>::default();
    Tables::open_or_build(folder.path(), Profile::Small, &changes.control()).expect("it opens");
    assert_eq!(changes.built.load(Ordering::Relaxed), 0);
    assert_eq!(
        *changes.unlocked.lock().expect("no panic while held"),
        ["another process holds an exclusive lock on it"]
    );
}
