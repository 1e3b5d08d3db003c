//! Tests wait for events: none sleeps for longer than a moment.

use superflip_dev::sources;

use crate::common::prelude::*;

/// Longest sleep of a test.
const LONGEST: Duration = Duration::from_millis(300);

/// The sleeps of a source that are longer than the longest one, as they are written. A time that is computed is not seen.
fn long_sleeps(source: &str) -> Vec<&str> {
    let calls = source.split("sleep(").skip(1).filter_map(|after| after.split_once(')').map(|(time, _)| time));
    let is_long = |time: &&str| {
        let Some((unit, number)) = time.rsplit_once("from_").and_then(|(_, rest)| rest.split_once('(')) else {
            return false;
        };
        let Ok(number) = number.replace('_', "").parse() else { return false };
        let time = match unit {
            "micros" => Duration::from_micros(number),
            "millis" => Duration::from_millis(number),
            "secs" => Duration::from_secs(number),
            // Minutes and more.
            _ => Duration::MAX,
        };
        time > LONGEST
    };
    calls.filter(is_long).collect()
}

#[test]
fn no_test_sleeps_for_long() {
    let is_of_tests = |path: &String| path.contains("tests/") || path.starts_with("crates/dev/");
    let files: Vec<String> = ["tests", "crates", "jobs"].into_iter().flat_map(sources).filter(is_of_tests).collect();
    assert!(files.len() > 150, "{}", files.len());
    for file in files {
        let source = fs::read_to_string(superflip_dev::root().join(&file)).unwrap();
        // This file has long sleeps as examples.
        if file != file!() {
            assert_eq!(long_sleeps(&source), [""; 0], "{file}: wait for an event instead");
        }
    }
}

#[test]
fn long_sleeps_are_seen() {
    for long in ["Duration::from_secs(1)", "std::time::Duration::from_millis(1_500)", "Duration::from_mins(1)"] {
        assert_eq!(long_sleeps(&format!("a();\ntokio::time::sleep({long}).await;")).len(), 1, "{long}");
    }
    for short in ["Duration::from_millis(300)", "Duration::from_secs(0)", "pause(&mut rng)", "after"] {
        assert_eq!(long_sleeps(&format!("sleep({short}); until(Duration::from_secs(20))")), [""; 0], "{short}");
    }
}
