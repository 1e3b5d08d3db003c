//! Every test that `tests/PROMISES.md` names exists.

use crate::common::prelude::*;

const PROMISES: &str = include_str!("../../PROMISES.md");

/// Folders of a test program. A suite may have one in several crates.
fn folders(program: &str) -> Vec<String> {
    match program {
        "service" | "process" | "faults" => vec![format!("tests/{program}")],
        "large" => ["", "crates/solver/", "crates/coords/"].map(|place| format!("{place}tests/large")).into(),
        "telemetry" => vec!["tests/telemetry/tests/telemetry".to_owned()],
        "jobs" => vec!["jobs/tests/jobs".to_owned()],
        library => vec![format!("crates/{library}/tests/{library}")],
    }
}

/// Sources of the module of a test program, such as `batch` of `service` or `forms::links` of `cube`.
fn sources(program: &str, module: &str) -> Vec<String> {
    let paths = folders(program).into_iter().flat_map(|folder| {
        let path = superflip_dev::root().join(folder).join(module.replace("::", "/"));
        [path.with_extension("rs"), path.join("mod.rs")]
    });
    paths.filter_map(|path| fs::read_to_string(path).ok()).collect()
}

/// Whether a test program has this test.
fn exists(name: &str) -> bool {
    let Some((program, rest)) = name.split_once("::") else { return false };
    let Some((module, test)) = rest.rsplit_once("::") else { return false };
    sources(program, module).iter().any(|text| {
        let Some((before, _)) = text.split_once(&format!("fn {test}(")) else { return false };
        let attributes = before.rsplit("\n\n").next().unwrap_or_default();
        attributes.contains("#[test]") || attributes.contains("#[tokio::test")
    })
}

#[test]
fn every_promise_has_a_test() {
    let rows = PROMISES.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| ---"));
    let promises: Vec<&str> = rows.filter(|row| !row.ends_with("| test |")).collect();
    assert!(promises.len() > 60, "{}", promises.len());
    let mut missing = Vec::new();
    for promise in promises {
        let tests = promise.trim_end_matches(" |").rsplit(" | ").next().unwrap();
        let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!named.is_empty(), "{promise}");
        let (names, paths): (Vec<&str>, Vec<&str>) = named.into_iter().partition(|name| name.contains("::"));
        missing.extend(names.into_iter().filter(|name| !exists(name)));
        missing.extend(paths.into_iter().filter(|path| !Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists()));
    }
    assert!(missing.is_empty(), "these tests do not exist: {missing:#?}");
}

#[test]
fn a_missing_test_is_noticed() {
    assert!(exists("service::project::promises::a_missing_test_is_noticed"));
    for name in [
        "service::project::promises::exists",
        "service::project::promises::no_such_test",
        "service::nothing::a_test",
        "promises",
    ] {
        assert!(!exists(name), "{name}");
    }
}
