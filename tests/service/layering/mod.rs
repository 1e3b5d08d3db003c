//! Imports go one way only, and each library stays in its layers.

mod graph;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const CHAIN: [&str; 10] = ["cube", "coord", "symmetry", "tables", "space", "search", "service", "api", "http", "cli"];

/// Every line of code with its file and the layer it belongs to; comments are left out.
fn lines() -> Vec<(String, usize, String)> {
    let mut out = Vec::new();
    for (root, _) in crates() {
        for file in graph::sources(&root) {
            let name = file.strip_prefix(&root).unwrap().to_str().unwrap();
            let first = name.split('/').next().unwrap().trim_end_matches(".rs");
            let Some(layer) = CHAIN.iter().position(|layer| *layer == first) else { continue };
            let text = std::fs::read_to_string(&file).unwrap();
            for (number, line) in text.lines().enumerate() {
                let code = line.split("//").next().unwrap().to_owned();
                out.push((format!("{name}:{}", number + 1), layer, code));
            }
        }
    }
    assert!(out.len() > 1000);
    out
}

/// The folders of sources, and the layers of each in order.
fn crates() -> [(PathBuf, &'static [&'static str]); 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    [(root.join("engine/src"), &CHAIN[..6]), (root.join("src"), &CHAIN[6..])]
}

#[test]
fn imports_between_files_have_no_cycles() {
    for (root, _) in crates() {
        let graph = graph::Crate::read(&root);
        let edges = graph.edges();
        assert!(edges.len() > 50 && edges.values().map(BTreeSet::len).sum::<usize>() > 200, "the graph was not read");
        let found = graph::cycles(&edges);
        let told: Vec<String> = found.iter().flatten().map(|file| format!("{file} -> {:?}", &edges[file])).collect();
        assert!(found.is_empty(), "cycles: {found:#?}\nwith these imports: {told:#?}");
    }
}

#[test]
fn imports_go_one_way() {
    let mut wrong = Vec::new();
    for (root, _) in crates() {
        let graph = graph::Crate::read(&root);
        let layer = |file: &str| {
            let first = file.split('/').next().unwrap().trim_end_matches(".rs");
            CHAIN.iter().position(|layer| *layer == first)
        };
        for (file, targets) in graph.edges() {
            for target in targets {
                if layer(target) > layer(file) && layer(file).is_some() {
                    wrong.push(format!("{file} must not use {target}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The shell starts the server and prints the contract, and takes nothing else from `http`.
#[test]
fn the_shell_uses_only_the_server_and_the_contract_of_http() {
    let graph = graph::Crate::read(&crates()[1].0);
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
    for file in graph::sources(&crates()[1].0) {
        *counts.entry(file.parent().unwrap().to_owned()).or_default() += 1;
    }
    counts.retain(|_, count| *count > 12);
    assert!(counts.is_empty(), "{counts:?}");
}

#[test]
fn each_library_stays_in_its_layers() {
    let position = |name: &str| CHAIN.iter().position(|layer| *layer == name).unwrap();
    let (service, http) = (position("service"), position("http"));
    let mut wrong = Vec::new();
    for (place, layer, code) in lines() {
        let below_service = layer < service;
        let forbidden: &[(&str, bool)] = &[
            ("tokio", below_service),
            ("metrics::", below_service),
            ("tracing::", below_service),
            ("axum", layer < http),
            ("hyper", layer < http),
            ("tower_http", layer < http),
            ("utoipa", layer <= service),
            // Domain types derive serialization themselves; formats belong above the engine.
            ("serde_json", below_service),
            ("toml", below_service),
            ("clap", CHAIN[layer] != "cli"),
            ("superflip_picture", layer < position("api") || CHAIN[layer] == "cli"),
        ];
        for (library, is_forbidden) in forbidden {
            if *is_forbidden && code.contains(library) && !code.contains(&format!("super::{library}")) {
                wrong.push(format!("{place}: {} must not use {library}", CHAIN[layer]));
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
    let mut lines = lines().into_iter();
    while let Some((place, _, code)) = lines.next() {
        if !(code.contains("derive(") && code.contains("ToSchema")) {
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

/// `picture` draws cubes and knows nothing of coordinates, tables and searches; only `png` knows the library that fills pixels.
#[test]
fn pictures_use_only_the_cube_of_the_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("picture/src");
    let files = graph::sources(&root);
    let mut uses = 0;
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let after = text.split("superflip_engine").skip(1);
        uses += after.clone().count();
        assert!(after.into_iter().all(|rest| rest.starts_with("::cube::")), "{} uses more than `cube`", file.display());
        assert!(!text.contains("tiny_skia") || file.ends_with("png.rs"), "{} uses tiny-skia", file.display());
        for library in ["tokio", "axum", "serde", "std::fs", "std::net"] {
            assert!(!text.contains(library), "{} uses {library}", file.display());
        }
    }
    assert!(files.len() > 10 && uses > 5, "the sources were not read");
    let graph = graph::Crate::read(&root);
    let found = graph::cycles(&graph.edges());
    assert!(found.is_empty(), "cycles: {found:#?}");
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
        let on_the_path = ["service", "api", "http"].contains(&CHAIN[layer]);
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
