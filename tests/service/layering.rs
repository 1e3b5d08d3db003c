//! Imports go one way only, and each library stays in its layers.

use std::path::{Path, PathBuf};

const CHAIN: [&str; 9] = ["cube", "coord", "symmetry", "tables", "space", "search", "service", "http", "cli"];

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            out.push(path);
        }
    }
}

/// Every line of code with its file and the layer it belongs to; comments are left out.
fn lines() -> Vec<(String, usize, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut out = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let first = name.split('/').next().unwrap().trim_end_matches(".rs");
        let Some(layer) = CHAIN.iter().position(|layer| *layer == first) else { continue };
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap().to_owned();
            out.push((format!("{name}:{}", number + 1), layer, code));
        }
    }
    assert!(out.len() > 1000);
    out
}

/// The names that follow `prefix` in the text, those in braces too.
fn names_after(text: &str, prefix: &str) -> Vec<String> {
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut names = Vec::new();
    for (at, _) in text.match_indices(prefix) {
        let rest = &text[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => {
                let (mut depth, mut start) = (0, true);
                for (i, c) in group.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => start = true,
                        c if c.is_whitespace() => {}
                        _ if start => {
                            names.push(word(&group[i..]));
                            start = false;
                        }
                        _ => {}
                    }
                }
            }
            None => names.push(word(rest)),
        }
    }
    names
}

#[test]
fn imports_go_one_way() {
    // Whole files, because a group of imports may stretch over lines.
    let mut files: Vec<(String, usize, String)> = Vec::new();
    for (place, layer, code) in lines() {
        let file = place.rsplit_once(':').unwrap().0;
        match files.last_mut() {
            Some((name, _, text)) if name == file => text.push_str(&(code + "\n")),
            _ => files.push((file.to_owned(), layer, code + "\n")),
        }
    }
    let mut wrong = Vec::new();
    for (file, layer, text) in files {
        for name in names_after(&text, "crate::").into_iter().chain(names_after(&text, "super::super::")) {
            if let Some(target) = CHAIN.iter().position(|layer| *layer == name)
                && target > layer
            {
                wrong.push(format!("{file}: {} must not use {name}", CHAIN[layer]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn groups_in_braces_are_seen() {
    assert_eq!(names_after("use crate::{http, search::{self, x}, cli};", "crate::"), ["http", "search", "cli"]);
    assert_eq!(names_after("use crate::{\n    http,\n    cli::x,\n};", "crate::"), ["http", "cli"]);
}

#[test]
fn each_library_stays_in_its_layers() {
    let service = CHAIN.iter().position(|layer| *layer == "service").unwrap();
    let mut wrong = Vec::new();
    for (place, layer, code) in lines() {
        let below_service = layer < service;
        let is_config = place.starts_with("service/config");
        let forbidden: &[(&str, bool)] = &[
            ("tokio", below_service),
            ("metrics::", below_service),
            ("tracing::", below_service),
            ("axum", layer <= service),
            ("hyper", layer <= service),
            ("tower_http", layer <= service),
            ("utoipa", layer <= service),
            ("serde", layer <= service && !is_config),
            ("clap", CHAIN[layer] != "cli"),
        ];
        for (library, is_forbidden) in forbidden {
            if *is_forbidden && code.contains(library) && !code.contains(&format!("super::{library}")) {
                wrong.push(format!("{place}: {} must not use {library}", CHAIN[layer]));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_time_is_kept_by_a_clock_that_can_be_set() {
    let settable = ["SystemTime", "UNIX_EPOCH", "chrono", "OffsetDateTime", "clock_gettime", "gettimeofday"];
    let wrong: Vec<String> = lines()
        .into_iter()
        .filter(|(_, _, code)| settable.iter().any(|name| code.contains(name)))
        .map(|(place, ..)| place)
        .collect();
    assert!(wrong.is_empty(), "deadlines and delays are of `Instant`, which is monotonic: {wrong:#?}");
}

#[test]
fn no_request_can_reach_an_unwrap() {
    let mut in_tests = std::collections::HashMap::new();
    let mut wrong = Vec::new();
    for (place, layer, code) in lines() {
        let file = place.rsplit_once(':').unwrap().0.to_owned();
        if code.contains("#[cfg(test)]") {
            in_tests.insert(file.clone(), true);
        }
        let on_the_path = CHAIN[layer] == "service" || CHAIN[layer] == "http";
        let words = [".unwrap()", ".expect(", "panic!(", "unreachable!(", "unimplemented!(", "todo!("];
        if on_the_path && !in_tests.contains_key(&file) && words.iter().any(|word| code.contains(word)) {
            wrong.push(place);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
