//! `docs/ARCHITECTURE.md` names files, modules and functions that exist, and the list of operations has each of them.

use std::sync::LazyLock;

use superflip_dev::{root, sources};

use crate::common::prelude::*;

static PAGE: LazyLock<String> = LazyLock::new(|| text("docs/ARCHITECTURE.md").unwrap());

/// The rows of the table in a section, without its head: the pieces of code in each of its columns.
fn rows(section: &str) -> Vec<Vec<Vec<&'static str>>> {
    let (_, text) = PAGE.split_once(&format!("\n## {section}\n")).unwrap();
    let text = text.split("\n## ").next().unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| ")).skip(2);
    let code = |column: &'static str| column.split('`').skip(1).step_by(2).collect();
    rows.map(|row| row.split(" | ").map(code).collect()).collect()
}

/// The text of a file, or of all sources in a folder and below it.
fn text(path: &str) -> Option<String> {
    if !root().join(path).is_dir() {
        return fs::read_to_string(root().join(path)).ok();
    }
    Some(sources(path).iter().map(|path| fs::read_to_string(root().join(path)).unwrap()).collect())
}

/// The text of a module: of its file, or of all files in its folder. The first name of a module of a library is that of its crate.
fn module(path: &str) -> Option<String> {
    let path = path.replace("::", "/");
    let (first, rest) = path.split_once('/').unwrap_or((&path, ""));
    let library = format!("crates/{}/src", first.trim_start_matches("superflip-"));
    let base = if root().join(&library).is_dir() { format!("{library}/{rest}") } else { format!("src/{path}") };
    text(&format!("{base}.rs")).or_else(|| text(base.trim_end_matches('/')).filter(|text| !text.is_empty()))
}

#[test]
fn what_a_change_touches_exists() {
    let rows = rows("What a change touches");
    assert!(rows.len() >= 10, "the table was not read");
    for row in &rows {
        let names = &row[1];
        let paths = || names.iter().copied().filter(|name| name.contains('/'));
        let mut texts = String::new();
        for path in paths() {
            texts += &text(path).unwrap_or_else(|| panic!("{path} of the row {row:?} does not exist"));
        }
        // A file without a folder is in a folder of the row, or beside another file of the row.
        let folder = |path: &'static str| if path.contains('.') { path.rsplit_once('/').unwrap().0 } else { path };
        for name in names.iter().filter(|name| !name.contains('/')) {
            if name.contains(".rs") {
                let found = paths().find_map(|path| text(&format!("{}/{name}", folder(path))));
                texts += &found.unwrap_or_else(|| panic!("{name} of the row {row:?} does not exist"));
            }
        }
        for name in names.iter().filter(|name| !name.contains('/') && !name.contains(".rs")) {
            assert!(texts.contains(name.trim_end_matches('!')), "no file of the row {row:?} has `{name}`");
        }
    }
}

#[test]
fn the_modules_exist() {
    let rows = rows("Modules");
    assert!(rows.len() > 20, "the table was not read");
    for name in rows.iter().flat_map(|row| &row[0]) {
        assert!(module(name).is_some(), "there is no module `{name}`");
    }
}

#[test]
fn the_functions_on_the_path_of_a_request_exist() {
    let rows = rows("Path of a request");
    assert!(rows.len() > 10, "the table was not read");
    let service = text("src").unwrap();
    for path in rows.iter().flat_map(|row| &row[1]) {
        // A function of a type is in the module of the type.
        let modules = path.match_indices("::").map(|(end, _)| &path[..end]);
        let (text, rest) = match modules.filter_map(|path| Some((module(path)?, path.len()))).last() {
            Some((text, length)) => (text, &path[length + 2..]),
            None => (service.clone(), *path),
        };
        let name = rest.rsplit("::").next().unwrap();
        let is_there = ["(", "<"].iter().any(|end| text.contains(&format!("fn {name}{end}")));
        assert!(is_there || module(path).is_some(), "there is no `{path}`");
    }
}

#[test]
fn each_operation_is_in_the_list() {
    let text = text("src/operations/mod.rs").unwrap();
    let (_, list) = text.split_once("\noperations! {\n").unwrap();
    let entries = list.split('}').next().unwrap().lines();
    let name = |entry: &str| entry.trim().trim_end_matches(',').split(':').next().unwrap().to_owned();
    let listed: BTreeSet<String> = entries.map(name).collect();
    let files = sources("src/operations").into_iter().map(|path| {
        let name =
            path.trim_start_matches("src/operations/").trim_start_matches("other_servers/").split('/').next().unwrap();
        name.trim_end_matches(".rs").to_owned()
    });
    let files: BTreeSet<String> = files.filter(|name| name != "mod").collect();
    assert!(listed.len() > 10, "the list was not read");
    assert_eq!(listed, files);
}
