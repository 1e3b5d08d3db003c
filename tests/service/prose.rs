//! Comments, messages and documents call programs, threads and requests `it`, never a person.

use std::path::{Path, PathBuf};

/// Checked folders and files.
const CHECKED: &[&str] = &[
    "README.md",
    "CONTRIBUTING.md",
    "openapi.yaml",
    "benches",
    "config",
    "contract-macros",
    "crates",
    "deploy",
    "docs",
    "fuzz/fuzz_targets",
    "fuzz/src",
    "src",
    "tests",
    "web",
];

/// Words for persons.
const WORDS: [&str; 7] = ["whoever", "nobody", "somebody", "he", "his", "him", "who"];

/// Words before `who` that are people.
const PEOPLE: [&str; 8] = ["people", "person", "user", "users", "operator", "operators", "reader", "readers"];

/// Every file at a path, itself or in its folders, without this one and those of installed packages.
fn files(path: PathBuf, found: &mut Vec<PathBuf>) {
    if path.ends_with("node_modules") {
        return;
    }
    if path.is_dir() {
        for entry in std::fs::read_dir(path).unwrap() {
            files(entry.unwrap().path(), found);
        }
    } else if !path.ends_with("tests/service/prose.rs") {
        found.push(path);
    }
}

/// The words of a text with the numbers of their lines. Names such as `a_caller_who_waits` are several words.
fn words(text: &str) -> impl Iterator<Item = (usize, String)> {
    let numbered = text.lines().enumerate();
    numbered.flat_map(|(at, line)| {
        let words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
        words.map(move |word| (at + 1, word.to_lowercase()))
    })
}

/// Numbers of the lines with words for persons that do not stand for people.
fn faults(text: &str) -> Vec<usize> {
    let mut before = String::new();
    let mut lines = Vec::new();
    for (line, word) in words(text) {
        if WORDS.contains(&word.as_str()) && !(word == "who" && PEOPLE.contains(&before.as_str())) {
            lines.push(line);
        }
        before = word;
    }
    lines
}

#[test]
fn programs_are_not_called_persons() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for path in CHECKED {
        files(root.join(path), &mut found);
    }
    assert!(found.len() > 50, "{}", found.len());
    let mut wrong = Vec::new();
    for file in found {
        // Data that is no text has no prose.
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let name = file.strip_prefix(root).unwrap().display().to_string();
        wrong.extend(faults(&text).into_iter().map(|line| format!("{name}:{line}")));
    }
    assert!(wrong.is_empty(), "write `it`, `the client` or `the operator`: {wrong:#?}");
}

#[test]
fn words_for_persons_are_found_and_people_are_allowed() {
    assert_eq!(faults("// Nobody waits.\n/// The header, in\n/// the_way_he_does"), [1, 3]);
    assert_eq!(faults("whose search is this\nPeople who solve\nusers\n// who solve\na thread, who waits"), [5]);
}
