//! Every test is in a suite, and CONTRIBUTING.md lists every suite.

use superflip_dev::sources;

use crate::common::prelude::*;

const CONTRIBUTING: &str = include_str!("../../../CONTRIBUTING.md");
const GATE: &str = include_str!("../../../.ci/run");

/// The folders with test programs: each folder in them, and each file, is one.
const FOLDERS: [&str; 8] = [
    "tests",
    "crates/cube/tests",
    "crates/scan/tests",
    "crates/picture/tests",
    "crates/solver/tests",
    "crates/coords/tests",
    "tests/telemetry/tests",
    "jobs/tests",
];

/// The programs of the folders, by the path of their root file.
fn programs() -> Vec<(String, String)> {
    let roots = FOLDERS.into_iter().flat_map(sources).filter(|path| {
        let inside = FOLDERS.into_iter().filter_map(|folder| path.strip_prefix(folder)?.strip_prefix('/'));
        inside
            .into_iter()
            .any(|rest| !rest.contains('/') || rest.ends_with("/main.rs") && rest.matches('/').count() == 1)
    });
    let roots: BTreeSet<String> = roots.collect();
    let name = |path: &str| {
        let path = path.trim_end_matches("/main.rs").trim_end_matches(".rs");
        path.rsplit('/').next().unwrap().to_owned()
    };
    roots.into_iter().map(|path| (name(&path), path)).collect()
}

/// Every file below the folder of a program is a module that the file above it, or the root, declares: one that is not is never compiled.
#[test]
fn every_test_file_is_part_of_a_program() {
    let mut files = 0;
    for (_, root) in programs() {
        let Some(folder) = root.strip_suffix("/main.rs") else { continue };
        for path in sources(folder).into_iter().filter(|path| *path != root) {
            let module = path.trim_end_matches(".rs").trim_end_matches("/mod");
            let (above, name) = module.rsplit_once('/').unwrap();
            let read = |path: &str| fs::read_to_string(superflip_dev::root().join(path));
            let declared = match read(&format!("{above}/mod.rs")) {
                Ok(text) => text,
                Err(_) if above == folder => read(&root).unwrap(),
                Err(_) => {
                    // The root lists the modules of the folder in a block.
                    let (root, folder) = (read(&root).unwrap(), above.rsplit('/').next().unwrap());
                    let (_, block) = root.split_once(&format!("\nmod {folder} {{\n")).expect(above);
                    block.split("\n}").next().unwrap().to_owned()
                }
            };
            assert!(declared.contains(&format!("mod {name};")), "nothing declares `mod {name};` of {above}");
            files += 1;
        }
    }
    assert!(files > 120, "{files}");
}

/// The first column of the table of suites.
fn listed() -> BTreeSet<&'static str> {
    let (_, table) = CONTRIBUTING.split_once("| suite |").unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with("| "));
    rows.flat_map(|row| row.split('|').nth(1).unwrap().split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_test_program_is_in_the_table_of_suites() {
    let listed = listed();
    let programs = programs();
    assert!(programs.len() >= 14, "{programs:?}");
    for (name, path) in programs {
        assert!(listed.contains(name.as_str()), "CONTRIBUTING.md lists no suite `{name}` ({path})");
    }
    for suite in ["large", "faults", "superflip-jobs", "superflip-telemetry-tests"] {
        assert!(GATE.contains(suite), ".ci/run does not run {suite}");
    }
    for script in [
        "tests/contract/run",
        "examples/run",
        "tests/kubernetes/run",
        "tests/haproxy/run",
        "tests/web/run",
        ".ci/arm",
        "fuzz/run",
    ] {
        assert!(listed.contains(script) && GATE.contains(script), "{script}");
    }
}

/// Tests that `cargo test` leaves out are run by hand: their command stands in the table of long checks.
#[test]
fn every_ignored_test_is_run_by_a_long_check() {
    let (_, long) = CONTRIBUTING.split_once("## Long checks").unwrap();
    let mut ignored = 0;
    for path in FOLDERS.into_iter().flat_map(sources) {
        let text = fs::read_to_string(superflip_dev::root().join(&path)).unwrap();
        let module = path.rsplit('/').next().unwrap().trim_end_matches(".rs");
        // The test that writes the contract is a tool.
        if text.contains("\n#[ignore") && !text.contains("writes openapi.yaml") {
            assert!(long.contains(&format!("{module}::")), "no long check runs the ignored tests of {path}");
            ignored += 1;
        }
    }
    assert!(ignored >= 4, "{ignored}");
}
