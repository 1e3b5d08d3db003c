//! The binary as a shell sees it.

use std::io::{BufRead as _, Write as _};
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::common::program::{Program, on_tables, serve, superflip};
use crate::common::service::{SEXY, SUPERFLIP, tables};
use crate::common::{file_of, tables_folder};

fn run(arguments: &[&str]) -> Output {
    superflip(arguments).output().unwrap()
}

/// With the small tables of the tests.
fn run_with_tables(arguments: &[&str]) -> Output {
    on_tables(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[track_caller]
fn assert_code(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}{}", stdout(output), stderr(output));
}

#[test]
fn the_long_help_of_a_command_is_printed() {
    for (command, words) in [
        ("solve", "With --batch each line holds a cube"),
        ("serve", "SIGTERM and SIGINT finish the open requests"),
        ("explain", "Without --solution the cube is solved first"),
        ("coords", "Without arguments: lists all coordinates"),
        ("tables", "build them in advance"),
    ] {
        let help = String::from_utf8(run(&[command, "--help"]).stdout).unwrap().replace('\n', " ");
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words), "{command}: {help}");
    }
}

/// A character that cannot be read is not replaced by another one: that would be another folder.
#[cfg(unix)]
#[test]
fn a_variable_that_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt as _;

    let place = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"tables-\xff");
    let mut command = superflip(&["tables", "list"]);
    let output = command.env("SUPERFLIP_TABLES__DIR", place.path().join(name)).output().unwrap();
    assert_code(&output, 2);
    let said = stderr(&output);
    assert!(said.contains("SUPERFLIP_TABLES__DIR is not UTF-8") && !said.contains("tables-"), "{said}");
    // Variables of other programs may have any value.
    assert_code(&superflip(&["--version"]).env("OTHER", name).output().unwrap(), 0);
    assert_code(&superflip(&["config"]).env("OTHER", name).output().unwrap(), 0);
}

#[test]
fn nonsense_is_refused_with_exit_code_2() {
    for arguments in [
        ["fly", ""].as_slice(),
        &["serve", "--listen", "here"],
        &["serve", "--profile", "huge"],
        &["solve", "R", "--config", "/nowhere.toml"],
        &["healthcheck", "--listen", "x"],
        &["config", "--listen", "localhost:1"],
        &["config", "--config", "superflip.toml"],
        &["config", "--effective", "--listen", "here"],
        &["solve", "R", "--tables-dir", ""],
    ] {
        assert_code(&run(arguments), 2);
    }
}

/// As in a pod beside Services called `superflip` and `superflip-http`.
#[test]
fn variables_of_kubernetes_only_cause_a_warning() {
    let output = on_tables(&["tables", "list"])
        .envs([("SUPERFLIP_PORT", "tcp://10.0.0.1:80"), ("SUPERFLIP_HTTP_SERVICE_HOST", "10.0.0.1")])
        .output()
        .unwrap();
    assert_code(&output, 0);
    let told = stderr(&output);
    for name in ["SUPERFLIP_PORT", "SUPERFLIP_HTTP_SERVICE_HOST"] {
        let lines: Vec<_> = told.lines().filter(|line| line.contains(&format!("\"{name}\""))).collect();
        assert!(lines.len() == 1 && lines[0].contains("WARN"), "{told}");
        assert!(lines[0].contains("enableServiceLinks: false"), "{told}");
    }
}

#[test]
fn the_values_in_force_are_printed_with_their_sources() {
    let output =
        superflip(&["config", "--effective", "--listen", "localhost:9000", "--threads=2", "--optimal-table=s"])
            .env("SUPERFLIP_TABLES__PROFILE", "small")
            .output()
            .unwrap();
    assert_code(&output, 0);
    for line in [
        "listen = \"localhost:9000\"  # the flag --listen",
        "threads = 2  # the flag --threads",
        "table = \"s\"  # the flag --optimal-table",
        "profile = \"small\"  # the environment variable SUPERFLIP_TABLES__PROFILE",
        "filter = \"info\"  # the defaults",
    ] {
        assert!(stdout(&output).lines().any(|printed| printed == line), "{line}: {}", stdout(&output));
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("superflip.toml");
    std::fs::write(&file, &output.stdout).unwrap();
    let again = superflip(&["config", "--effective", "--config", file.to_str().unwrap()])
        .env_remove("SUPERFLIP_TABLES__PROFILE")
        .output()
        .unwrap();
    assert_code(&again, 0);
    let values = |output: &Output| {
        let text = stdout(output);
        text.lines().map(|line| line.split("  # ").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(values(&again), values(&output));
    let of_file = format!("  # the file {}", file.display());
    assert!(stdout(&again).lines().filter(|line| line.contains(" = ")).all(|line| line.ends_with(&of_file)));
}

#[test]
fn the_version_and_the_commit_are_printed() {
    let commit = option_env!("BUILD_COMMIT").filter(|commit| !commit.is_empty()).unwrap_or("unknown");
    let version = format!("superflip {} (commit {commit})\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(stdout(&run(&["--version"])), version);
}

#[test]
fn the_contract_is_printed() {
    assert_eq!(stdout(&run(&["openapi"])), include_str!("../../openapi.yaml"));
}

#[test]
fn the_configuration_that_is_printed_can_be_given() {
    let output = run(&["config"]);
    assert_code(&output, 0);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("superflip.toml");
    std::fs::write(&file, &output.stdout).unwrap();
    let output = run_with_tables(&["solve", "R", "--config", file.to_str().unwrap()]);
    assert_code(&output, 0);
    assert_eq!(stdout(&output), "R'\n");
    // One key more: it is read, and not only accepted.
    std::fs::write(&file, stdout(&run(&["config"])) + "[nothing]\nkey = 1\n").unwrap();
    let output = run_with_tables(&["solve", "R", "--config", file.to_str().unwrap()]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("superflip config"), "{}", stderr(&output));
}

#[test]
fn a_cube_is_solved() {
    let output = run_with_tables(&["solve", "R U R' U'"]);
    assert_code(&output, 0);
    assert_eq!(stdout(&output), "U R U' R'\n");
    let output = run_with_tables(&["solve", SEXY, "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&answer["solution"], &answer["facelets"]), (&"U R U' R'".into(), &SEXY.into()));
}

#[test]
fn a_cube_is_read_from_standard_input() {
    let mut command = on_tables(&["solve", "-"]);
    command.stdin(Stdio::piped());
    let mut program = Program::start(command);
    program.input().write_all(b"R U\n").unwrap();
    assert!(program.ended().success());
    assert_eq!(program.output().lines().map(Result::unwrap).collect::<Vec<_>>(), ["U' R'"]);
}

#[test]
fn what_cannot_be_solved_is_told_to_people_and_to_scripts() {
    let output = run_with_tables(&["solve", "R Q"]);
    assert_code(&output, 2);
    assert!(stdout(&output).is_empty() && stderr(&output).contains("character 2"), "{}", stderr(&output));
    let output = run_with_tables(&["solve", "R Q", "--json"]);
    assert_code(&output, 2);
    let problem: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&problem["code"], &problem["position"]), (&"notation".into(), &2.into()));
    let output = run_with_tables(&["solve", SUPERFLIP, "--max-length", "5", "--time-limit-ms", "200", "--json"]);
    assert_code(&output, 1);
    let problem: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(problem["code"], "no_solution_within_limits");
    assert_code(&run_with_tables(&["solve", "R", "--target-length", "99"]), 2);
}

/// Needs no tables: a cube is checked before they are opened.
#[test]
fn an_empty_cube_is_refused() {
    let output = superflip(&["solve", " "]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("empty"));
}

#[test]
fn an_impossible_cube_is_refused_with_every_reason() {
    let cube = "UUUUURUUUFRRURRRRRUFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    let folder = tempfile::tempdir().unwrap();
    let ask =
        |more: &[&str]| superflip(&["solve", cube, "--tables-dir"]).arg(folder.path()).args(more).output().unwrap();
    let output = ask(&["--json"]);
    assert_code(&output, 2);
    let problem: Value = serde_json::from_slice(&output.stdout).unwrap();
    let violations = problem["violations"].as_array().unwrap();
    let codes: Vec<_> = violations.iter().map(|violation| violation["code"].as_str().unwrap()).collect();
    for code in ["symbol_count", "impossible_corner", "impossible_edge", "missing_corner", "duplicate_edge"] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
    let output = ask(&[]);
    assert_code(&output, 2);
    assert!(stdout(&output).is_empty());
    for violation in violations {
        assert!(stderr(&output).contains(violation["message"].as_str().unwrap()), "{violation}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn tables_are_listed_and_verified() {
    let output = run_with_tables(&["tables", "build", "--json"]);
    assert_code(&output, 0);
    let built: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(built.as_array().unwrap().iter().all(|table| table["bytes"].as_u64().unwrap() > 0));
    let output = run_with_tables(&["tables", "list"]);
    assert_code(&output, 0);
    for table in built.as_array().unwrap() {
        let file = table["path"].as_str().unwrap().rsplit('/').next().unwrap();
        let is_told = |line: &str| line.starts_with(file) && line.contains(" current ");
        assert_eq!(stdout(&output).lines().filter(|line| is_told(line)).count(), 1, "{file}: {}", stdout(&output));
    }
    let first = built[0]["name"].as_str().unwrap();
    let output = run_with_tables(&["tables", "verify", first]);
    assert_code(&output, 0);
    assert!(stdout(&output).starts_with(&format!("{first}: sound")));
    let output = run_with_tables(&["tables", "verify", "no_such_table", "--json"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("no table is called `no_such_table`"), "{}", stderr(&output));
}

#[test]
fn a_check_continues_after_a_damaged_table() {
    tables();
    let folder = tempfile::tempdir().unwrap();
    for name in ["flip_move", "slice_move"] {
        std::fs::copy(file_of(&tables_folder(), name), file_of(folder.path(), name)).unwrap();
    }
    let path = file_of(folder.path(), "flip_move");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(path, bytes).unwrap();
    let output =
        superflip(&["tables", "verify", "flip_move", "slice_move", "--json", "--profile=small", "--tables-dir"])
            .arg(folder.path())
            .output()
            .unwrap();
    assert_code(&output, 1);
    let verdicts: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&verdicts[0]["sound"], &verdicts[1]["sound"]), (&false.into(), &true.into()), "{verdicts}");
    assert!(verdicts[0]["problem"].as_str().unwrap().contains("corrupted entries"), "{verdicts}");
}

/// What another table's damage keeps from being checked is not called wrong, and what is not there is told so.
#[test]
fn a_table_is_not_blamed_for_another() {
    tables();
    let folder = tempfile::tempdir().unwrap();
    for name in ["corner_class", "corner_representative"] {
        std::fs::copy(file_of(&tables_folder(), name), file_of(folder.path(), name)).unwrap();
    }
    let path = file_of(folder.path(), "corner_class");
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let check = || {
        let names = ["corner_class", "corner_representative", "corner_move"];
        let output = superflip(&["tables", "verify", names[0], names[1], names[2], "--profile=small", "--tables-dir"])
            .arg(folder.path())
            .output()
            .unwrap();
        assert_code(&output, 1);
        stdout(&output)
    };
    let told = check();
    for words in ["corner_class: WRONG", "corner_representative: NOT CHECKED", "corner_move: MISSING"] {
        assert!(told.contains(words), "{told}");
    }
    assert!(
        told.contains("cannot finish the check: it needs the table `corner_class`, which cannot be used"),
        "{told}"
    );
    std::fs::remove_file(path).unwrap();
    let told = check();
    for words in ["corner_class: MISSING", "corner_representative: NOT CHECKED", "cannot be used: missing"] {
        assert!(told.contains(words), "{told}");
    }
}

#[cfg(unix)]
#[test]
fn a_check_stops_on_a_signal() {
    let mut program = Program::start(on_tables(&["tables", "verify", "twist_move", "phase_one_residues"]));
    // After the first line signals are handled, and the check of the second table takes some seconds more.
    let mut first = String::new();
    program.output().read_line(&mut first).unwrap();
    assert_eq!(first, "twist_move: sound\n");
    program.signal("INT");
    assert_eq!(program.ended().code(), Some(1));
    let error = program.text_of_log();
    assert!(error.contains("stopped: 1 of 2 tables were checked"), "{error}");
}

#[test]
fn an_empty_folder_is_listed_and_not_filled() {
    let folder = tempfile::tempdir().unwrap();
    let output = superflip(&["tables", "list", "--json", "--profile=small", "--tables-dir"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_code(&output, 0);
    let rows: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(rows.as_array().unwrap().iter().all(|row| row["problem"].is_string()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn health_is_bad_where_nothing_listens() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    let output = run(&["healthcheck", "--listen", &address]);
    assert_code(&output, 1);
    assert!(stderr(&output).contains(&format!("http://{address}/readyz")));
}

/// A service on a free port of `listen`, once it is ready.
#[cfg(unix)]
fn ready(listen: &str) -> (Program, String) {
    let mut command = serve();
    command.env("SUPERFLIP_SERVER__LISTEN", listen).env("SUPERFLIP_LOG__FORMAT", "json");
    let program = Program::ready(command);
    let address = program.address().to_string();
    (program, address)
}

#[cfg(unix)]
#[test]
fn a_service_starts_answers_and_stops_on_a_signal() {
    let (program, address) = ready("127.0.0.1:0");
    assert_code(&run(&["healthcheck", "--listen", &address]), 0);
    program.stopped();
}

#[cfg(unix)]
#[test]
fn a_batch_ends_on_a_signal_with_the_answers_so_far() {
    let mut command = on_tables(&["solve", "--batch", "-"]);
    command.stdin(Stdio::piped());
    let mut program = Program::start(command);
    let mut input = program.input();
    writeln!(input, "R").unwrap();
    let mut line = String::new();
    program.output().read_line(&mut line).unwrap();
    assert_eq!(line, "R'\n");
    program.signal("TERM");
    assert_eq!(program.ended().code(), Some(1));
    let errors = program.text_of_log();
    assert!(errors.contains("lines answered: 1"), "{errors}");
}

#[cfg(unix)]
#[test]
fn a_name_is_listened_on_and_asked_for_health() {
    let (program, address) = ready("localhost:0");
    let port = address.strip_prefix("127.0.0.1:").unwrap_or_else(|| panic!("not IPv4 first: {address}"));
    assert_code(&run(&["healthcheck", "--listen", &format!("localhost:{port}")]), 0);
    // An address in use is no reason to take the next one of the name.
    let folder = tempfile::tempdir().unwrap();
    let second =
        superflip(&["serve", "--listen", &format!("localhost:{port}"), "--tables-dir"]).arg(folder.path()).output();
    let second = second.unwrap();
    assert_code(&second, 1);
    assert!(stderr(&second).contains(&format!("127.0.0.1:{port}, which is localhost:{port}")), "{}", stderr(&second));
    program.stopped();
    let output =
        superflip(&["serve", "--listen", "nowhere.invalid:8080", "--tables-dir"]).arg(folder.path()).output().unwrap();
    assert_code(&output, 1);
    assert!(stderr(&output).contains("nowhere.invalid:8080: the name cannot be resolved"), "{}", stderr(&output));
    let output = run(&["healthcheck", "--listen", "nowhere.invalid:8080"]);
    assert_code(&output, 1);
    assert!(stderr(&output).contains("cannot resolve the name in nowhere.invalid:8080"), "{}", stderr(&output));
}

#[test]
fn a_port_that_is_taken_is_told_with_the_remedy() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let output = superflip(&["serve", "--listen", &address, "--tables-dir"]).arg(folder.path()).output().unwrap();
    assert_code(&output, 1);
    assert!(stderr(&output).contains("--listen"), "{}", stderr(&output));
}

#[test]
fn coordinates_are_told_to_people_and_to_scripts() {
    let text = |arguments: &[&str]| {
        let output = run_with_tables(arguments);
        assert_code(&output, 0);
        stdout(&output)
    };
    assert!(text(&["coords"]).contains("flip_slice_sorted"));
    assert!(text(&["coords", "F"]).lines().any(|line| line.split_whitespace().eq(["twist", "1236"])));
    assert!(
        text(&["coords", "twist"])
            .lines()
            .any(|line| line.starts_with("depth_histogram: 1 ") && line.contains(" 1018 "))
    );
    assert!(text(&["coords", "twist", "1236"]).contains("distance: 1\nto_solved: F\n"));
    let applied = text(&["coords", "flip_slice_class", "0", "--apply", "F R"]);
    assert!(applied.contains("sym_mult: i1 6, i 0, product 6\n"), "{applied}");
    assert!(text(&["coords", "slice", "33", "--transform", "2"]).contains("transformed: 194\n"));
    let json: Value =
        serde_json::from_str(&text(&["coords", "F", "--names", "comp(twist,slice),flip", "--json"])).unwrap();
    assert_eq!(json["coordinates"][0]["value"], 1236 + 2187 * 33);
    assert_eq!(json["coordinates"][1]["value"], 550);
    let json: Value =
        serde_json::from_str(&text(&["coords", "index_cube.edges", "0", "--apply", "L", "--json"])).unwrap();
    assert_eq!(json["end"], 47_174_400);
    // The matrices of IndexCube are shown with its coordinates.
    let moved = text(&["coords", "L", "--names", "index_cube.corners"]);
    assert!(moved.lines().any(|line| line.trim() == "permutation: 0 1 2 3 4 5 6 7 / 1 3 0 2 4 5 6 7"), "{moved}");
    assert!(!text(&["coords", "L", "--names", "twist"]).contains("permutation:"));
    assert!(text(&["coords", "index_cube.edges"]).contains("127008000"));
}

#[test]
fn coordinates_that_are_not_there_are_refused() {
    for (arguments, part) in [
        (vec!["coords", "twits"], "Did you mean `twist`?"),
        (vec!["coords", "twist", "2187"], "0 to 2186"),
        (vec!["coords", "twist", "x"], "expected an integer from 0"),
        (vec!["coords", "sym(flip,UD16)"], "does not act"),
        (vec!["coords", "slice", "33", "--transform", "48"], "0 to 47"),
        (vec!["coords", "R U Q"], "`Q`"),
        (vec!["coords", "R U X"], "found `X`, expected a move"),
        (vec!["coords", "nope"], "Unknown coordinate `nope`. GET /coords and `superflip coords` list the known ones."),
        (vec!["coords", "1236"], "Unknown coordinate `1236`"),
        (vec!["coords", "comp(twist"], "Invalid expression at character 10: expected `)`"),
        (vec!["coords", "comp(twist,nope)"], "Unknown coordinate `nope`"),
        (vec!["coords", "com(twist,slice)"], "`superflip coords` explain them"),
        (vec!["coords", "sym(twist,UD17)"], "Unknown group `UD17`"),
        (vec!["coords", "nope", "5"], "`superflip coords` list the known ones"),
        (vec!["coords", "R", "--names", "nope"], "`superflip coords` list the known ones"),
        (vec!["coords", "comp(twist, nope)"], "Unknown coordinate `nope`"),
        (vec!["coords", &SUPERFLIP[1..]], "53 symbols were given"),
        (vec!["coords", "Rubik"], "Unknown coordinate `Rubik`"),
        (vec!["coords", "twst"], "Did you mean `twist`?"),
        (vec!["coords", "move"], "Unknown coordinate `move`"),
        (vec!["coords", "edges"], "Did you mean `u_edges`?"),
    ] {
        let output = run_with_tables(&arguments);
        assert_code(&output, 2);
        assert!(stderr(&output).contains(part), "{arguments:?}: {}", stderr(&output));
    }
    for (what, code) in [("nope", "unknown_coordinate"), ("comp(twist", "expression"), ("R U Q", "notation")] {
        let output = run_with_tables(&["coords", what, "--json"]);
        assert_code(&output, 2);
        let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert_eq!(document["code"], code, "{document}");
    }
    let output = run_with_tables(&["coords", "twits", "5", "--json"]);
    assert_code(&output, 2);
    let document: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(document["code"], "unknown_coordinate");
}

#[test]
fn a_solution_is_explained_to_people_and_to_scripts() {
    let output = run_with_tables(&["explain", "R U R' U'", "--solution", "U R2 R' U D D' U2 R'"]);
    assert_code(&output, 0);
    let text = stdout(&output);
    assert!(text.contains("merged: U R U' R'\n") && text.contains("shorter_length 2,"), "{text}");
    let output = run_with_tables(&["explain", SUPERFLIP, "--json", "--target-length", "22"]);
    assert_code(&output, 0);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&json["symmetry"]["order"], &json["searched"]), (&Value::from(48), &Value::from(true)));
    let output = run_with_tables(&["explain", "R", "--solution", "U"]);
    assert_code(&output, 2);
    assert!(stderr(&output).contains("does not solve"));
}
