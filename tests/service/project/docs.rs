//! The reference pages list what the service has: every configuration key with its default, every route, and every problem code.

use crate::common::prelude::*;

const API: &str = include_str!("../../../docs/api.md");
const CONFIGURATION: &str = include_str!("../../../docs/configuration.md");
const DEFAULTS: &str = include_str!("../../../config/default.toml");

/// The first two columns of every table row whose first column is one piece of code.
fn rows(page: &str) -> BTreeMap<&str, &str> {
    let rows = page.lines().filter_map(|line| {
        let mut columns = line.strip_prefix("| `")?.split(" | ");
        Some((columns.next()?.strip_suffix('`')?, columns.next()?))
    });
    rows.collect()
}

/// Every piece of code in the table rows of a page.
fn code_in_tables(page: &str) -> BTreeSet<&str> {
    page.lines().filter(|line| line.starts_with("| ")).flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

fn api() -> Value {
    serde_json::from_str(&contract::JSON).unwrap()
}

#[test]
fn the_configuration_page_lists_every_key_with_its_default() {
    let mut section = "";
    let mut defaults = BTreeMap::new();
    for line in DEFAULTS.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((key, value)) = line.split_once(" = ") {
            defaults.insert(format!("{section}.{key}"), format!("`{value}`"));
        }
    }
    let documented: BTreeMap<String, String> =
        rows(CONFIGURATION).into_iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    assert!(defaults.len() > 30, "{defaults:?}");
    assert_eq!(documented, defaults);
}

#[test]
fn the_api_page_lists_every_route() {
    let listed: BTreeSet<String> = code_in_tables(API)
        .into_iter()
        .filter(|code| code.starts_with("GET ") || code.starts_with("POST "))
        .map(|code| code.split('?').next().unwrap_or_default().to_owned())
        .collect();
    let contract = api();
    let paths = contract["paths"].members();
    let routes: BTreeSet<String> = paths
        .iter()
        .flat_map(|(path, item)| item.members().keys().map(move |method| (path, method)))
        .map(|(path, method)| format!("{} {path}", method.to_uppercase()))
        .collect();
    assert_eq!(listed, routes);
}

#[test]
fn the_api_page_lists_every_problem_code() {
    let listed = code_in_tables(API);
    let contract = api();
    let codes = contract["components"]["schemas"]["ProblemCode"]["enum"].list();
    let missing: Vec<&Value> = codes.iter().filter(|code| !listed.contains(code.text())).collect();
    assert!(codes.len() > 40 && missing.is_empty(), "{missing:?}");
}

/// Returns a number with a space before every three digits, as the documents write it.
fn spaced(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(" ")
}

#[test]
fn the_search_page_has_the_nodes_for_the_fixed_suite() {
    let page = include_str!("../../../docs/search.md");
    for (profile, nodes) in superflip_dev::solver::SUITE_NODES {
        let name = serde_json::to_value(profile).unwrap();
        let (number, name) = (spaced(nodes), name.text());
        assert!(page.contains(&format!("{number}\n")) || page.contains(&format!("{number} ")), "{number} of {name}");
        let (_, rest) = page.split_once(&number).unwrap();
        assert!(rest.trim_start().trim_start_matches("nodes ").starts_with(&format!("(`{name}`)")), "{number}: {name}");
    }
}
