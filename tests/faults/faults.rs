//! Faults around the process: damaged files, full disks, read-only folders, kills, concurrent builds, too little memory.
#![cfg(target_os = "linux")]

use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;

use rustix::process::getuid;

use crate::common::prelude::*;
use crate::common::wire::blocking::{fetch, reply, send};
use crate::common::wire::{get, last};

/// Checks that every table of the profile is there with the entries it should have, and that nothing is left over.
#[track_caller]
fn assert_whole(folder: &Path) {
    for (table, (name, found)) in small_tables().list().iter().zip(survey(folder, Profile::Small)) {
        assert_eq!(found.map(|found| found.checksum), Ok(table.checksum), "{name}");
    }
    assert_eq!(names(folder, ".partial"), Vec::<String>::new());
}

/// Checks that what is there is whole.
#[track_caller]
fn assert_nothing_damaged(folder: &Path) {
    for (name, found) in survey(folder, Profile::Small) {
        assert!(found.as_ref().map_or_else(|why| why == "missing", |_| true), "{name}: {found:?}");
    }
}

/// What is done to a file, and what is said of it at the next start.
type Damage = (&'static str, fn(&Path), &'static str);

const DAMAGES: [Damage; 9] = [
    ("removed", |file| fs::remove_file(file).unwrap(), ""),
    ("emptied", |file| cut(file, |_| 0), "shorter than the header"),
    ("cut in the header", |file| cut(file, |_| 1000), "shorter than the header"),
    ("cut after the header", |file| cut(file, |_| 4096), "truncated"),
    ("cut in the middle", |file| cut(file, |bytes| bytes / 2), "truncated"),
    ("cut before the last byte", |file| cut(file, |bytes| bytes - 1), "truncated"),
    ("flipped in the header", |file| spoil(file, |_| 200), "corrupted header"),
    ("flipped in the middle", |file| spoil(file, |bytes| bytes / 2), "corrupted entries"),
    ("flipped in the last byte", |file| spoil(file, |bytes| bytes - 1), "corrupted entries"),
];

fn cut(file: &Path, length: fn(u64) -> u64) {
    let file = fs::OpenOptions::new().write(true).open(file).unwrap();
    file.set_len(length(file.metadata().unwrap().len())).unwrap();
}

fn spoil(file: &Path, at: fn(u64) -> u64) {
    flip(file, at(fs::metadata(file).unwrap().len()), 0x10);
}

#[test]
fn a_damaged_file_is_named_and_rebuilt_at_the_next_start() {
    let folder = copied();
    for (what, damage, reason) in DAMAGES {
        // A table of values, one with depths, and one that is copied out of its file.
        let damaged = ["twist_move", "phase_two_corners", "flip_slice_class"];
        for name in damaged {
            damage(&file_of(folder.path(), name));
        }
        let said = solved(&solve(folder.path()).output().unwrap());
        for name in damaged {
            assert!(said.contains(reason) && (reason.is_empty() || said.contains(name)), "{what} {name}: {said}");
        }
        assert_whole(folder.path());
    }
}

/// Runs the command as a user without files of its own, if this user may write everywhere.
fn without_privileges(mut command: Command) -> Command {
    if getuid().is_root() {
        command.uid(65534).gid(65534);
    }
    command
}

#[test]
fn a_read_only_folder_serves_intact_tables_only() {
    let place = copied();
    // Where the user without privileges can reach the binary and the tables.
    let binary = place.path().join("superflip");
    fs::copy(&*BINARY, &binary).unwrap();
    let command = || {
        let command = isolated(Command::new(&binary), &["solve", "R U", "--profile", "small", "--tables-dir"]);
        let mut command = without_privileges(command);
        command.arg(place.path());
        command
    };
    let lock = |mode| fs::set_permissions(place.path(), fs::Permissions::from_mode(mode)).unwrap();
    lock(0o555);
    solved(&command().output().unwrap());
    lock(0o755);
    spoil(&file_of(place.path(), "near"), |bytes| bytes / 2);
    lock(0o555);
    let output = command().output().unwrap();
    let why = refused(&output);
    assert!(text(&output.stderr).contains(file_of(place.path(), "near").to_str().unwrap()), "{}", text(&output.stderr));
    for words in ["cannot open the lock", "Permission denied", "may write", "--tables-dir", "near (corrupted entries"] {
        assert!(why.contains(words), "{words}: {why}");
    }
    lock(0o755);
    fs::remove_file(file_of(place.path(), "near")).unwrap();
    lock(0o555);
    let why = refused(&command().output().unwrap());
    assert!(why.contains("cannot open the lock") && why.contains("near (missing)"), "{why}");
    lock(0o755);
}

#[test]
fn a_missing_folder_is_made_and_one_that_cannot_be_is_told() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("several/levels/down");
    assert!(build(&folder).output().unwrap().status.success());
    assert_whole(&folder);
    let file = place.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let why = refused(&solve(&file.join("tables")).output().unwrap());
    assert!(why.contains("cannot create the folder") && why.contains("--tables-dir"), "{why}");
    let why = refused(&solve(&file).output().unwrap());
    assert!(why.contains("A file is where the folder should be") && why.contains("--tables-dir"), "{why}");
    assert_eq!(fs::read(&file).unwrap(), b"no folder");
}

#[test]
fn a_full_disk_is_told_and_nothing_half_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let build = |options: &str, flags: &str| {
        let script = format!(
            "\"$0\" tables build {flags} --tables-dir \"$1/tables\"; code=$?; ls \"$1\"/tables >&2; exit $code"
        );
        on_disk(folder.path(), options, &script).map(|mut command| command.output().unwrap())
    };
    // Space is checked before the first table is built, for all tables together.
    let all = [
        ("8m", ""),
        ("8m", "--profile standard"),
        ("60m", "--profile small --optimal-table s"),
        ("8m", "--profile tiny --metric qtm"),
    ];
    for (size, more) in all {
        let Some(output) = build(&format!("size={size}"), more) else {
            eprintln!("no small disk can be mounted here; the remedy of each failure is tested beside `io_error`");
            return;
        };
        let why = refused(&output);
        let words = ["the tables to build need ", " bytes in ", " free. Free some space", "--tables-dir"];
        assert!(words.iter().all(|words| why.contains(words)), "{more}: {why}");
        assert!(!text(&output.stderr).contains("twist_move-"), "{more}: {}", text(&output.stderr));
    }
    // The disk has space, but no room for another file.
    let output = build("size=100m,nr_inodes=6", "").unwrap();
    let why = refused(&output);
    assert!(why.contains("cannot write") && why.contains("Free some space"), "{why}");
    let said = text(&output.stderr);
    assert!(said.contains("twist_move-") && !said.contains(".partial\n"), "{said}");
}

#[test]
fn a_build_that_is_killed_at_any_point_is_taken_up_again() {
    let folder = tempfile::tempdir().unwrap();
    let all = small_tables().list().len();
    for point in [0, 1, 5, 11, 17, all - 2, all - 1] {
        let mut running = Program::start(build(folder.path()));
        let is_there = || {
            names(folder.path(), ".tbl").len() >= point
                && (names(folder.path(), ".partial").len() == 1 || names(folder.path(), ".tbl").len() == all)
        };
        wait(is_there, || format!("{point} tables"));
        running.kill();
        assert_nothing_damaged(folder.path());
    }
    solved(&solve(folder.path()).output().unwrap());
    assert_whole(folder.path());
    for (name, _) in survey(folder.path(), Profile::Small) {
        let verdict = verify(folder.path(), Profile::Small, name, CheckEffort::Lean, &Control::new()).unwrap();
        assert!(verdict.is_sound(), "{name}: {verdict:?}");
    }
}

#[test]
fn a_killed_build_of_an_optimal_table_is_resumed() {
    let folder = copied();
    let table = file_of(folder.path(), "optimal_s");
    let partial = table.with_extension("partial");
    // Too far from solved to be proven without the table.
    let proof = || {
        let scramble = "F2 U R2 D L B2 U R D2 F U B2 L D";
        let mut command = superflip(&["solve", scramble, "--optimal", "--optimal-table", "s", "--tables-dir"]);
        command.arg(folder.path());
        command
    };
    let proven = |output: &Output| {
        let moves = text(&output.stdout).split_whitespace().count();
        assert!(output.status.success() && moves == 14, "{}", text(&output.stderr));
    };
    let start = Instant::now();
    proven(&proof().output().unwrap());
    let (whole, time) = (fs::read(&table).unwrap(), start.elapsed());
    fs::remove_file(&table).unwrap();
    let mut killed = 0;
    for share in [0.0, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85] {
        let mut running = Program::start(proof());
        wait(|| partial.exists() || table.exists(), || "it is built".into());
        std::thread::sleep(time.mul_f64(share));
        running.kill();
        killed += u32::from(!table.exists());
        // The last points may come late where the machine has become faster since.
        let _ = fs::remove_file(&table);
        assert_nothing_damaged(folder.path());
    }
    // And while rows are written.
    let mut running = Program::start(proof());
    let is_written = || fs::metadata(&partial).is_ok_and(|file| file.len() > 4096) || table.exists();
    wait(is_written, || "rows are written".into());
    running.kill();
    let _ = fs::remove_file(&table);
    assert!(killed >= 5, "{killed}");
    proven(&proof().output().unwrap());
    assert!(!partial.exists());
    // The header holds how long it took.
    assert!(fs::read(&table).unwrap()[4096..] == whole[4096..]);
    let opened = TableSet::open(SetKey::proofs(Metric::Htm, Size::S), folder.path(), &Control::new()).unwrap();
    assert_eq!(opened.list()[0].depth_histogram.iter().sum::<u64>(), 51030 * 34650 * 4);
}

#[test]
fn what_a_killed_build_left_goes_though_nothing_is_to_be_built() {
    let folder = copied();
    fs::write(folder.path().join("optimal_l-0123456789abcdef.partial"), "half a table").unwrap();
    solved(&solve(folder.path()).output().unwrap());
    assert_whole(folder.path());
}

#[test]
fn a_build_that_is_asked_to_stop_leaves_nothing_half() {
    let folder = tempfile::tempdir().unwrap();
    let mut running = Program::start(build(folder.path()));
    wait(|| !names(folder.path(), ".partial").is_empty(), || "it builds".into());
    running.signal("TERM");
    let status = running.ended();
    assert!(!status.success() && status.code().is_some(), "{status}");
    assert_eq!(names(folder.path(), ".partial"), Vec::<String>::new());
    assert_nothing_damaged(folder.path());
}

#[test]
fn second_process_waits_for_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Program::start(build(folder.path()));
    wait(|| !names(folder.path(), ".tbl").is_empty(), || "it builds".into());
    let mut second = Program::start(build(folder.path()));
    second.until_log("this process or another one builds tables in this folder; waiting for it");
    assert!(first.ended().success() && second.ended().success());
    assert_whole(folder.path());
    assert!(!second.text_of_log().contains("table built"), "{}", second.text_of_log());
}

#[test]
fn a_waiting_process_takes_over_a_killed_build() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = Program::start(build(folder.path()));
    wait(|| names(folder.path(), ".tbl").len() > 3, || "it builds".into());
    let mut second = Program::start(build(folder.path()));
    second.until_log("this process or another one builds tables in this folder; waiting for it");
    first.kill();
    assert!(second.ended().success(), "{}", second.text_of_log());
    assert_whole(folder.path());
    second.until_log("table built");
}

/// The binary on a machine with so little memory, as far as it can tell: a file is mounted over `/proc/meminfo`.
fn superflip_with_little_memory(arguments: &[&str]) -> Command {
    let namespace: &[&str] = if getuid().is_root() { &["--mount"] } else { &["--user", "--map-root-user", "--mount"] };
    let script = "file=$(mktemp) && echo 'MemTotal: 100000 kB' > $file && mount --bind $file /proc/meminfo && rm $file || exit 77
        exec \"$0\" \"$@\"";
    let mut command = Command::new("unshare");
    command.args(namespace).args(["sh", "-c", script, &BINARY]);
    isolated(command, arguments)
}

#[test]
fn too_little_memory_is_refused_before_anything_is_built() {
    let folder = tempfile::tempdir().unwrap();
    if superflip_with_little_memory(&["--version"]).status().map_or(true, |status| !status.success()) {
        eprintln!("no file can be mounted here; `memory` in the tests of the service covers the check itself");
        return;
    }
    let serve: &[&str] = &["serve", "--listen", "127.0.0.1:0", "--tables-dir"];
    let solve: &[&str] = &["solve", "R U", "--profile", "small", "--tables-dir"];
    for arguments in [serve, solve, &["tables", "build", "--tables-dir"]] {
        let why = refused(&superflip_with_little_memory(arguments).arg(folder.path()).output().unwrap());
        for words in
            ["need 231 MB: profile small", "may use 102 MB (the memory of this machine)", "when_memory_is_short"]
        {
            assert!(why.contains(words), "{words}: {why}");
        }
    }
    assert!(names(folder.path(), "").is_empty());
}

#[test]
fn a_port_that_is_taken_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let why =
        refused(&superflip(&["serve", "--listen", &address, "--tables-dir"]).arg(folder.path()).output().unwrap());
    for words in [&address, "in use", "Stop what listens there", "--listen"] {
        assert!(why.contains(words), "{words}: {why}");
    }
    // Before any table is built.
    assert!(names(folder.path(), "").is_empty());
}

fn serve(folder: &Path) -> Command {
    let mut command = superflip(&["serve", "--listen", "127.0.0.1:0", "--tables-dir"]);
    command.arg(folder);
    command
}

/// Waits until the service has found damage and exited with an error. Returns its log.
fn assert_exits_with_damage(mut running: Program, table: &str) -> String {
    wait(|| !running.is_running(), || "it exits".into());
    assert_eq!(running.ended().code(), Some(1));
    let log = running.text_of_log();
    assert!(log.contains(&format!("superflip: the table {table} is damaged: ")), "{log}");
    assert!(log.contains("a table in use is damaged") && log.contains("The next start rebuilds it"), "{log}");
    log
}

/// A search with a table that is overwritten while it is in use panics. The log has the panic as a line like all others.
#[test]
fn a_panic_from_a_damaged_table_is_logged_and_ends_the_service() {
    let folder = copied();
    let mut command = serve(folder.path());
    command.env("RUST_BACKTRACE", "1");
    let running = Program::ready(command);
    let address = running.address();
    let table = fs::OpenOptions::new().write(true).open(file_of(folder.path(), "twist_move")).unwrap();
    table.write_all_at(&[0xff; 8192], 4096).unwrap();
    // 503 if the check ends before the response is sent.
    assert!(matches!(fetch(address, "/solve?scramble=R+U+F+L2+D+B").status, 500 | 503));
    let said = assert_exits_with_damage(running, "twist_move");
    let lines: Vec<Value> = said
        .lines()
        .filter(|line| !line.starts_with("superflip: "))
        .map(|line| serde_json::from_str(line).expect(line))
        .collect();
    let panic = lines.iter().find(|line| line["message"] == "a thread panicked").expect("a line of the panic");
    for field in ["panic", "place", "thread", "backtrace"] {
        assert!(panic[field].is_string(), "{field}: {panic}");
    }
}

#[test]
fn a_damaged_table_ends_the_service_and_is_rebuilt() {
    let folder = copied();
    let mut command = serve(folder.path());
    command.env("SUPERFLIP_TABLES__CHECK_INTERVAL_MS", "300");
    let running = Program::ready(command);
    spoil(&file_of(folder.path(), "phase_one_residues"), |bytes| bytes / 3);
    assert_exits_with_damage(running, "phase_one_residues");

    let running = Program::ready(serve(folder.path()));
    running.until_log("table built");
    assert_whole(folder.path());
    assert!(fetch(running.address(), "/solve?scramble=R+U").body.contains("\"solution\":\"U' R'\""));
}

/// Connections that cannot be accepted, for want of descriptors, would leave a question about health unanswered.
#[test]
fn few_descriptors_lower_the_connection_limit() {
    let folder = copied();
    let mut command = superflip_after("ulimit -n 160", &["serve", "--listen", "127.0.0.1:0", "--tables-dir"]);
    command.arg(folder.path()).env("SUPERFLIP_SERVER__HEADER_TIMEOUT_MS", "600000");
    let running = Program::ready(command);
    let address = running.address();
    running.until_log("fewer connections are accepted");
    // More than there are descriptors, and none of them says a word.
    let silent: Vec<_> = (0..170).map(|_| TcpStream::connect(address).unwrap()).collect();
    let mut asked = send(address, &last(&get("/livez")));
    asked.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
    let answer = reply(&mut asked).expect("an answer while others keep silent");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(!running.text_of_log().contains("cannot accept a connection"), "{}", running.text_of_log());
    drop(silent);
    wait(|| fetch(address, "/solve?scramble=R").status == 200, || running.text_of_log());
}
