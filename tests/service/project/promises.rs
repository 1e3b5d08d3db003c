//! Every test that `tests/PROMISES.md` names exists.

use crate::common::prelude::*;

const PROMISES: &str = include_str!("../../PROMISES.md");

/// Source of the module of a test program, such as `batch` of `service` or `forms::links` of `cube`.
fn source(program: &str, module: &str) -> Option<String> {
    let folder = match program {
        "service" | "process" => format!("tests/{program}"),
        "jobs" => "jobs/tests/jobs".to_owned(),
        library => format!("crates/{library}/tests/{library}"),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let path = root.join(module.replace("::", "/"));
    fs::read_to_string(path.with_extension("rs")).or_else(|_| fs::read_to_string(path.join("mod.rs"))).ok()
}

/// Whether a test program has this test.
fn exists(name: &str) -> bool {
    let Some((program, rest)) = name.split_once("::") else { return false };
    let Some((module, test)) = rest.rsplit_once("::") else { return false };
    source(program, module).is_some_and(|text| {
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
