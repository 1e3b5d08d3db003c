//! Imports inside a crate go one way only, and each library of the service stays in its layers.

mod graph;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The folders of sources, and the chain of modules in each, lowest first.
const CRATES: [(&str, &[&str]); 6] = [
    ("crates/cube/src", &[]),
    ("crates/scan/src", &[]),
    ("crates/solver/src", &["coord", "symmetry", "tables", "search"]),
    ("crates/coords/src", &[]),
    ("crates/picture/src", &[]),
    ("src", SERVICE),
];

const SERVICE: &[&str] = &["service", "api", "http", "cli"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Every line of code of a crate with its file and its module; comments are left out.
fn lines(root: &str) -> Vec<(String, String, String)> {
    let folder = folder(root);
    let mut out = Vec::new();
    for file in graph::sources(&folder) {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap();
        let module = name.split('/').next().unwrap().trim_end_matches(".rs");
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap().to_owned();
            out.push((format!("{root}/{name}:{}", number + 1), module.to_owned(), code));
        }
    }
    assert!(out.len() > 1000, "{root} was not read");
    out
}

fn all_lines() -> impl Iterator<Item = (String, String, String)> {
    CRATES.iter().flat_map(|(root, _)| lines(root))
}

#[test]
fn imports_between_files_have_no_cycles() {
    for (root, _) in CRATES {
        let graph = graph::Crate::read(&folder(root));
        let edges = graph.edges();
        assert!(edges.len() > 10 && edges.values().map(BTreeSet::len).sum::<usize>() > 20, "{root} was not read");
        let found = graph::cycles(&edges);
        let told: Vec<String> = found.iter().flatten().map(|file| format!("{file} -> {:?}", &edges[file])).collect();
        assert!(found.is_empty(), "cycles in {root}: {found:#?}\nwith these imports: {told:#?}");
    }
}

#[test]
fn imports_go_one_way() {
    let mut wrong = Vec::new();
    for (root, chain) in CRATES {
        let graph = graph::Crate::read(&folder(root));
        let layer = |file: &str| {
            let first = file.split('/').next().unwrap().trim_end_matches(".rs");
            chain.iter().position(|layer| *layer == first)
        };
        for (file, targets) in graph.edges() {
            for target in targets {
                if layer(target) > layer(file) && layer(file).is_some() {
                    wrong.push(format!("{root}: {file} must not use {target}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The shell starts the server and prints the contract, and takes nothing else from `http`.
#[test]
fn the_shell_uses_only_the_server_and_the_contract_of_http() {
    let graph = graph::Crate::read(&folder("src"));
    let edges = graph.edges();
    let from_shell = edges.iter().filter(|(file, _)| file.starts_with("cli/"));
    let taken: BTreeSet<&str> =
        from_shell.flat_map(|(_, to)| to).copied().filter(|file| file.starts_with("http/")).collect();
    let allowed = ["http/connection/server.rs", "http/contract/mod.rs", "http/mod.rs", "http/state.rs"];
    assert!(taken.iter().all(|file| allowed.iter().any(|own| own == file)), "{taken:?}");
}

#[test]
fn a_folder_holds_at_most_a_dozen_files() {
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    for file in graph::sources(&folder("src")) {
        *counts.entry(file.parent().unwrap().to_owned()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 12);
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn each_library_stays_in_its_layers() {
    let mut wrong = Vec::new();
    for (place, module, code) in lines("src") {
        let Some(layer) = SERVICE.iter().position(|layer| *layer == module) else { continue };
        let is = |name: &str| module == name;
        let forbidden = [
            ("axum", layer < 2),
            ("hyper", layer < 2),
            ("tower_http", layer < 2),
            ("utoipa", is("service")),
            ("clap", !is("cli")),
            ("superflip_picture", is("service") || is("cli")),
        ];
        for (library, is_forbidden) in forbidden {
            if is_forbidden && code.contains(library) && !code.contains(&format!("super::{library}")) {
                wrong.push(format!("{place}: {module} must not use {library}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The generator of the contract would keep only one of them.
#[test]
fn no_two_types_share_the_name_of_a_schema() {
    let word = |text: &str| text.chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut lines = all_lines();
    while let Some((place, _, code)) = lines.next() {
        if !(code.contains("derive(") && code.contains("ToSchema")) {
            // An enum of a library, in `enumerations!`.
            if let Some((name, _)) = code.split_once(": ").filter(|_| code.ends_with("::ALL;")) {
                places.entry(word(name.trim())).or_default().push(place);
            }
            continue;
        }
        // The other attributes, then the item, which is `Name: fields` in `request!`.
        let mut name = None;
        for (_, _, code) in lines.by_ref() {
            let code = code.trim();
            name = code.split_once("(as = ").map(|(_, name)| word(name)).or(name);
            let item = code.split_once("struct ").or(code.split_once("enum ")).map_or(code, |(_, item)| item);
            if item.starts_with(char::is_uppercase) {
                places.entry(name.unwrap_or_else(|| word(item))).or_default().push(place);
                break;
            }
        }
    }
    assert!(places.len() > 100, "the types were not read");
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn no_time_is_kept_by_a_clock_that_can_be_set() {
    let settable = ["SystemTime", "UNIX_EPOCH", "chrono", "OffsetDateTime", "clock_gettime", "gettimeofday"];
    let wrong: Vec<String> = all_lines()
        .filter(|(_, _, code)| settable.iter().any(|name| code.contains(name)))
        .map(|(place, ..)| place)
        .collect();
    assert!(wrong.is_empty(), "deadlines and delays are of `Instant`, which is monotonic: {wrong:#?}");
}

#[test]
fn no_request_can_reach_an_unwrap() {
    let mut in_tests = std::collections::HashMap::new();
    let mut wrong = Vec::new();
    for (place, module, code) in lines("src") {
        let file = place.rsplit_once(':').unwrap().0.to_owned();
        if code.contains("#[cfg(test)]") {
            in_tests.insert(file.clone(), true);
        }
        let on_the_path = ["service", "api", "http"].contains(&module.as_str());
        let words = [".unwrap()", ".expect(", "panic!(", "unreachable!(", "unimplemented!(", "todo!("];
        // A wrong declaration of a metric stops the program before its first request.
        let is_declaration =
            place.contains("telemetry/metrics.rs") && code.contains(".expect(\"each metric is declared");
        if on_the_path
            && !is_declaration
            && !in_tests.contains_key(&file)
            && words.iter().any(|word| code.contains(word))
        {
            wrong.push(place);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A crate of four files in a folder of its own, with one import in each place where the graph looks.
#[test]
fn the_graph_sees_each_kind_of_import() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lib.rs", "pub mod a; pub mod b;");
    write("a/mod.rs", "mod inner; pub use inner::{Inner, Other as Renamed}; pub struct Outer;");
    write("a/inner.rs", "pub struct Inner; pub struct Other; #[cfg(test)] mod tests { use crate::b::B; }");
    let edges_with = |b: &str| {
        write("b.rs", b);
        let graph = graph::Crate::read(folder.path());
        let edges = graph.edges();
        edges["b.rs"].iter().map(|file| (*file).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(edges_with("use crate::a::Inner;"), ["a/inner.rs"], "a re-export leads to the definition");
    assert_eq!(edges_with("use crate::a::{Outer, Renamed};"), ["a/inner.rs", "a/mod.rs"]);
    assert_eq!(edges_with("fn f() -> super::a::Outer { todo() }"), ["a/mod.rs"], "paths count");
    assert_eq!(edges_with("fn f() { println!(\"{}\", crate::a::inner::f()); }"), ["a/inner.rs"], "macros count");
    assert_eq!(edges_with("#[cfg(test)] mod tests { use crate::a::Outer; }"), [""; 0], "tests do not");

    write("a/inner.rs", "use super::Outer; pub struct Inner; pub struct Other;");
    write("b.rs", "");
    assert!(graph::cycles(&graph::Crate::read(folder.path()).edges()).is_empty(), "re-exports are on no cycle");
    write("a/mod.rs", "mod inner; pub use inner::Inner; pub struct Outer(inner::Inner);");
    let graph = graph::Crate::read(folder.path());
    assert_eq!(graph::cycles(&graph.edges()), [BTreeSet::from(["a/inner.rs", "a/mod.rs"])]);
}
