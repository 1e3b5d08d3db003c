//! The binary as a shell sees it.

use std::io::BufRead as _;

use crate::common::prelude::*;

#[test]
fn the_long_help_of_a_command_is_printed() {
    for (command, words) in [
        ("solve", "With --batch each line holds a cube"),
        ("serve", "SIGTERM and SIGINT finish the open requests"),
        ("explain", "Without --solution the cube is solved first"),
        ("check-solution", "each broken rule with the number of the first wrong symbol"),
        ("diagnose", "those after the fewest slips first"),
        ("coords", "Without arguments: lists all coordinates"),
        ("tables", "build them in advance"),
    ] {
        let help = run(&[command, "--help"], 0).out;
        let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words), "{command}: {help}");
    }
}

/// A script that counts on the answer learns that there is none.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let said = Ran::of(&mut superflip_after("exec >/dev/full", &["convert", "R U"]), 1).err;
    assert!(said.contains("No space left"), "{said}");
}

/// A character that cannot be read is not replaced by another one: that would be another folder.
#[cfg(unix)]
#[test]
fn a_variable_that_is_not_utf8_is_refused() {
    use std::os::unix::ffi::OsStrExt as _;

    let place = tempfile::tempdir().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"tables-\xff");
    let place = place.path().join(name);
    let said = Ran::of(superflip(&["tables", "list"]).env("SUPERFLIP_TABLES__DIR", place), 2).err;
    assert!(said.contains("SUPERFLIP_TABLES__DIR is not UTF-8") && !said.contains("tables-"), "{said}");
    let filter = std::ffi::OsStr::from_bytes(b"info\xff");
    let said = Ran::of(superflip(&["tables", "list"]).env("SUPERFLIP_LOG__FILTER", filter), 2).err;
    let reason = "the environment variable SUPERFLIP_LOG__FILTER is not UTF-8: invalid byte at offset 4; set it to";
    assert!(said.contains(reason) && !said.contains("folder"), "{said}");
    // Variables of other programs may have any value.
    for other in ["--version", "config"] {
        Ran::of(superflip(&[other]).env("OTHER", name), 0);
    }
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
        run(arguments, 2);
    }
}

/// As in a pod beside Services called `superflip` and `superflip-http`.
#[test]
fn variables_of_kubernetes_only_cause_a_warning() {
    let variables = [("SUPERFLIP_PORT", "tcp://10.0.0.1:80"), ("SUPERFLIP_HTTP_SERVICE_HOST", "10.0.0.1")];
    let told = Ran::of(on_tables(&["tables", "list"]).envs(variables), 0).err;
    for name in ["SUPERFLIP_PORT", "SUPERFLIP_HTTP_SERVICE_HOST"] {
        let lines: Vec<_> = told.lines().filter(|line| line.contains(&format!("\"{name}\""))).collect();
        assert!(lines.len() == 1 && lines[0].contains("WARN"), "{told}");
        assert!(lines[0].contains("enableServiceLinks: false"), "{told}");
    }
}

#[test]
fn the_values_in_force_are_printed_with_their_sources() {
    let output = run(&["config", "--effective", "--listen", "localhost:9000", "--threads=2", "--optimal-table=s"], 0);
    for line in [
        "listen = \"localhost:9000\"  # the flag --listen",
        "threads = 2  # the flag --threads",
        "table = \"s\"  # the flag --optimal-table",
        "profile = \"small\"  # the environment variable SUPERFLIP_TABLES__PROFILE",
        "filter = \"info\"  # the defaults",
    ] {
        assert!(output.out.lines().any(|printed| printed == line), "{line}: {}", output.out);
    }
    let file = toml(&output.out);
    let mut again = superflip(&["config", "--effective", "--config", file.path().to_str().unwrap()]);
    again.env_remove("SUPERFLIP_TABLES__PROFILE").env_remove("SUPERFLIP_TABLES__SERVE_WHILE_BUILDING");
    let again = Ran::of(&mut again, 0);
    let values = |output: &Ran| {
        output.out.lines().map(|line| line.split("  # ").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(values(&again), values(&output));
    let of_file = format!("  # the file {}", file.path().display());
    assert!(again.out.lines().filter(|line| line.contains(" = ")).all(|line| line.ends_with(&of_file)));
}

#[test]
fn the_version_and_the_commit_are_printed() {
    let commit = option_env!("BUILD_COMMIT").filter(|commit| !commit.is_empty()).unwrap_or("unknown");
    let version = format!("superflip {} (commit {commit})\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"], 0).out, version);
}

#[test]
fn the_contract_is_printed() {
    assert_eq!(run(&["openapi"], 0).out, include_str!("../../../openapi.yaml"));
}

#[test]
fn the_configuration_that_is_printed_can_be_given() {
    let printed = run(&["config"], 0).out;
    let solve =
        |text: &str, code| run_on_tables(&["solve", "R", "--config", toml(text).path().to_str().unwrap()], code);
    assert_eq!(solve(&printed, 0).out, "R'\n");
    // One key more: it is read, and not only accepted.
    let output = solve(&(printed + "[nothing]\nkey = 1\n"), 2);
    assert!(output.err.contains("superflip config"), "{}", output.err);
}

#[test]
fn a_cube_is_solved() {
    assert_eq!(run_on_tables(&["solve", "R U R' U'"], 0).out, "U R U' R'\n");
    let answer = run_on_tables(&["solve", SEXY, "--json"], 0).json();
    assert_eq!((&answer["solution"], &answer["facelets"]), (&"U R U' R'".into(), &SEXY.into()));
}

#[test]
fn a_cube_is_read_from_standard_input() {
    assert_eq!(run_with_input(&["solve", "-"], "R U\n", 0).out, "U' R'\n");
}

#[test]
fn what_cannot_be_solved_is_told_to_people_and_to_scripts() {
    let output = run_on_tables(&["solve", "R Q"], 2);
    assert!(output.out.is_empty() && output.err.contains("character 3"), "{}", output.err);
    let problem = run_on_tables(&["solve", "R Q", "--json"], 2).json();
    assert_eq!((&problem["code"], &problem["position"]), (&"notation".into(), &2.into()));
    let output = run_on_tables(&["solve", SUPERFLIP, "--max-length", "5", "--time-limit-ms", "200", "--json"], 1);
    assert_eq!(output.json()["code"], "no_solution_within_limits");
    run_on_tables(&["solve", "R", "--target-length", "99"], 2);
    // This target is refused before any table is built.
    let args = ["solve", "R2 U F2", "--target", "R", "--metric", "stm", "--target-up-to-rotation"];
    let folder = TempDir::new().unwrap();
    let said = run(&[&args[..], &["--tables-dir", folder.path().to_str().unwrap()]].concat(), 2).err;
    assert!(said.contains("needs the metric htm") && fs::read_dir(folder.path()).unwrap().next().is_none(), "{said}");
    // An empty variable of a script is no target, as it is no cube.
    let said = run(&["solve", "R", "--target", ""], 2).err;
    assert!(said.contains("a value is required for '--target <CUBE>'"), "{said}");
}

/// Needs no tables: a cube is checked before they are opened.
#[test]
fn an_empty_cube_is_refused() {
    assert!(run(&["solve", " "], 2).err.contains("empty"));
}

#[test]
fn an_impossible_cube_is_refused_with_every_reason() {
    let cube = "UUUUURUUUFRRURRRRRUFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    let folder = tempfile::tempdir().unwrap();
    let ask = |more: &[&str]| Ran::of(superflip(&["solve", cube, "--tables-dir"]).arg(folder.path()).args(more), 2);
    let problem = ask(&["--json"]).json();
    let violations = problem["violations"].list();
    let codes: Vec<_> = violations.iter().map(|violation| violation["code"].text()).collect();
    for code in ["symbol_count", "impossible_corner", "impossible_edge", "missing_corner", "duplicate_edge"] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
    let output = ask(&[]);
    assert!(output.out.is_empty());
    for violation in violations {
        assert!(output.err.contains(violation["message"].text()), "{violation}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn tables_are_listed_and_verified() {
    let built = run_on_small_tables(&["tables", "build", "--json"], 0).json();
    assert!(built.list().iter().all(|table| table["bytes"].number() > 0));
    let output = run_on_small_tables(&["tables", "list"], 0);
    for table in built.list() {
        let file = table["path"].text().rsplit('/').next().unwrap();
        let is_told = |line: &str| line.starts_with(file) && line.contains(" current ");
        assert_eq!(output.out.lines().filter(|line| is_told(line)).count(), 1, "{file}: {}", output.out);
    }
    let first = built[0]["name"].text();
    assert!(run_on_small_tables(&["tables", "verify", first], 0).out.starts_with(&format!("{first}: sound")));
    let output = run_on_small_tables(&["tables", "verify", "no_such_table", "--json"], 2);
    assert!(output.err.contains("no table is called `no_such_table`"), "{}", output.err);
}

#[test]
fn a_check_continues_after_a_damaged_table() {
    let folder = with_damage("flip_move", "slice_move");
    let verdicts = Ran::of(&mut tables_of(&folder, &["verify", "flip_move", "slice_move", "--json"]), 1).json();
    assert_eq!((&verdicts[0]["sound"], &verdicts[1]["sound"]), (&false.into(), &true.into()), "{verdicts}");
    assert!(verdicts[0]["problem"].text().contains("corrupted entries"), "{verdicts}");
}

/// A folder with two tables of the small profile. The first one is damaged.
fn with_damage(damaged: &str, intact: &str) -> TempDir {
    small_tables();
    let folder = tempfile::tempdir().unwrap();
    for name in [damaged, intact] {
        std::fs::copy(file_of(&tables_folder(), name), file_of(folder.path(), name)).unwrap();
    }
    let path = file_of(folder.path(), damaged);
    flip(&path, fs::metadata(&path).unwrap().len() - 1, 1);
    folder
}

/// `superflip tables` on a folder.
fn tables_of(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = superflip(&["tables"]);
    command.args(arguments).arg("--tables-dir").arg(folder.path());
    command
}

/// A table that cannot be checked because another one is damaged is not called wrong. A missing table is called missing.
#[test]
fn a_table_is_not_blamed_for_another() {
    let folder = with_damage("corner_class", "corner_representative");
    let check = |parts: &[&str]| {
        let names = ["verify", "corner_class", "corner_representative", "corner_move"];
        let told = Ran::of(&mut tables_of(&folder, &names), 1).out;
        assert!(parts.iter().all(|part| told.contains(part)), "{parts:?}: {told}");
    };
    let reason = "cannot finish the check: it needs the table `corner_class`, which cannot be used";
    check(&["corner_class: WRONG", "corner_representative: NOT CHECKED", "corner_move: MISSING", reason]);
    std::fs::remove_file(file_of(folder.path(), "corner_class")).unwrap();
    check(&["corner_class: MISSING", "corner_representative: NOT CHECKED", "cannot be used: missing"]);
}

#[cfg(unix)]
#[test]
fn a_check_stops_on_a_signal() {
    let mut program = Program::start(on_small_tables(&["tables", "verify", "twist_move", "phase_one_residues"]));
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
    let rows = Ran::of(&mut tables_of(&folder, &["list", "--json"]), 0).json();
    assert!(rows.list().iter().all(|row| row["problem"].is_string()));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn health_is_bad_where_nothing_listens() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let address = format!("127.0.0.1:{port}");
    assert!(run(&["healthcheck", "--listen", &address], 1).err.contains(&format!("http://{address}/readyz")));
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
    run(&["healthcheck", "--listen", &address], 0);
    program.stopped();
}

#[cfg(unix)]
#[test]
fn a_name_is_listened_on_and_asked_for_health() {
    let (program, address) = ready("localhost:0");
    let port = address.strip_prefix("127.0.0.1:").unwrap_or_else(|| panic!("not IPv4 first: {address}"));
    run(&["healthcheck", "--listen", &format!("localhost:{port}")], 0);
    // An address in use is no reason to take the next one of the name.
    let folder = tempfile::tempdir().unwrap();
    let refused =
        |listen: &str| Ran::of(superflip(&["serve", "--listen", listen, "--tables-dir"]).arg(folder.path()), 1).err;
    let second = refused(&format!("localhost:{port}"));
    assert!(second.contains(&format!("127.0.0.1:{port}, which is localhost:{port}")), "{second}");
    program.stopped();
    let unknown = refused("nowhere.invalid:8080");
    assert!(unknown.contains("nowhere.invalid:8080: the name cannot be resolved"), "{unknown}");
    let output = run(&["healthcheck", "--listen", "nowhere.invalid:8080"], 1);
    assert!(output.err.contains("cannot resolve the name in nowhere.invalid:8080"), "{}", output.err);
}

#[test]
fn coordinates_are_told_to_people_and_to_scripts() {
    let text = |arguments: &[&str]| run_on_tables(arguments, 0).out;
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
    let json = run_on_tables(&["coords", "F", "--names", "comp(twist,slice),flip", "--json"], 0).json();
    assert_eq!(json["coordinates"][0]["value"], 1236 + 2187 * 33);
    assert_eq!(json["coordinates"][1]["value"], 550);
    let json = run_on_tables(&["coords", "index_cube.edges", "0", "--apply", "L", "--json"], 0).json();
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
        (["coords", "twits"].as_slice(), "Did you mean `twist`?"),
        (&["coords", "twist", "2187"], "0 to 2186"),
        (&["coords", "twist", "x"], "expected an integer from 0"),
        (&["coords", "sym(flip,UD16)"], "does not act"),
        (&["coords", "slice", "33", "--transform", "48"], "0 to 47"),
        (&["coords", "R U Q"], "`Q`"),
        (&["coords", "R U Q"], "found `Q`, expected a move"),
        (&["coords", "nope"], "Unknown coordinate `nope`. GET /coords and `superflip coords` list the known ones."),
        (&["coords", "1236"], "Unknown coordinate `1236`"),
        (&["coords", "comp(twist"], "Invalid expression at character 11: expected `)`"),
        (&["coords", "comp(twist,nope)"], "Unknown coordinate `nope`"),
        (&["coords", "com(twist,slice)"], "`superflip coords` explain them"),
        (&["coords", "sym(twist,UD17)"], "Unknown group `UD17`"),
        (&["coords", "nope", "5"], "`superflip coords` list the known ones"),
        (&["coords", "R", "--names", "nope"], "`superflip coords` list the known ones"),
        (&["coords", "comp(twist, nope)"], "Unknown coordinate `nope`"),
        (&["coords", &SUPERFLIP[1..]], "53 symbols were given"),
        (&["coords", "Rubik"], "Unknown coordinate `Rubik`"),
        (&["coords", "twst"], "Did you mean `twist`?"),
        (&["coords", "move"], "Unknown coordinate `move`"),
        (&["coords", "edges"], "Did you mean `u_edges`?"),
    ] {
        let output = run_on_tables(arguments, 2);
        assert!(output.err.contains(part), "{arguments:?}: {}", output.err);
    }
    for (what, code) in [
        (["nope"].as_slice(), "unknown_coordinate"),
        (&["comp(twist"], "expression"),
        (&["R U Q"], "notation"),
        (&["twits", "5"], "unknown_coordinate"),
    ] {
        let document = run_on_tables(&[&["coords", "--json"], what].concat(), 2).json();
        assert_eq!(document["code"], code, "{document}");
    }
}

#[test]
fn a_solution_is_explained_to_people_and_to_scripts() {
    let text = run_on_tables(&["explain", "R U R' U'", "--solution", "U R2 R' U D D' U2 R'"], 0).out;
    assert!(text.contains("merged: U R U' R'\n") && text.contains("shorter_length 2,"), "{text}");
    let json = run_on_tables(&["explain", SUPERFLIP, "--json", "--target-length", "22"], 0).json();
    assert_eq!((&json["symmetry"]["order"], &json["searched"]), (&Value::from(48), &Value::from(true)));
    assert!(run_on_tables(&["explain", "R", "--solution", "U"], 2).err.contains("does not solve"));
}

#[test]
fn the_shell_solves_with_some_faces_or_moves() {
    let solved = run_on_tables(&["solve", "R U2 R' U'", "--faces", "UR", "--json"], 0).json();
    assert_eq!(solved["length"], 4);
    let quarters = run_on_tables(&["solve", "R2 U2", "--moves", "U U' R R' F F' D D' L L'", "--metric", "qtm"], 0);
    let moves: Vec<&str> = quarters.out.split_whitespace().collect();
    assert!(moves.len() == 4 && moves.iter().all(|mv| !mv.ends_with('2')), "{}", quarters.out);
    let refused = run_on_tables(&["solve", "F", "--faces", "UR"], 1);
    assert!(refused.err.contains("U R") && refused.err.contains("DLF"), "{}", refused.err);
    let refused = run_on_tables(&["solve", "F", "--faces", "UX"], 2);
    assert!(refused.err.contains("`URFDL`"), "{}", refused.err);
    let refused = run_on_tables(&["solve", "F", "--faces", "UR", "--moves", "U U'"], 2);
    assert!(refused.err.contains("--moves"), "{}", refused.err);
}
