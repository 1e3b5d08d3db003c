//! Each module of the service stays in its layer, and each library of the service in its modules. The compiler checks this only between
//! crates.

use crate::common::prelude::*;

/// The folders whose modules form a chain, lowest first, with their paths in the code.
const CHAINS: [(&str, &str, &[&str]); 3] = [
    ("src", "crate", SERVICE),
    ("crates/solver/src", "crate", &["control", "coord", "symmetry", "tables", "search", "solver"]),
    ("crates/solver/src/search", "crate::search", SEARCH),
];

const SERVICE: &[&str] = &["service", "api", "http", "cli", "operations"];

#[rustfmt::skip] // in rows: what searches stand on, the question and its best answers, the algorithms, and what runs them
const SEARCH: &[&str] = &[
    "shared_nodes", "machine", "partial", "phase_one", "near",
    "solution", "goal", "incumbent",
    "two_phase", "session", "optimal", "targets",
    "scramble",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Every line of code in a folder with its place and its module; comments are left out.
fn lines(root: &str) -> Vec<(String, String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let (mut files, mut lines) = (Vec::new(), Vec::new());
    sources(&folder, &mut files);
    for file in files {
        let name = file.strip_prefix(&folder).unwrap().to_str().unwrap();
        let module = name.split('/').next().unwrap().trim_end_matches(".rs");
        for (number, line) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap().to_owned();
            lines.push((format!("{root}/{name}:{}", number + 1), module.to_owned(), code));
        }
    }
    assert!(lines.len() > 1000, "{root} was not read");
    lines
}

#[test]
fn imports_go_one_way() {
    let mut wrong = Vec::new();
    for (root, path, chain) in CHAINS {
        for (place, module, code) in lines(root) {
            let Some(layer) = chain.iter().position(|layer| *layer == module) else {
                let is_known = path == "crate" || module == "mod";
                assert!(is_known, "{place}: add `{module}` to its chain");
                continue;
            };
            // The folder as seen from a file in it: `x.rs` and `x/mod.rs` are one level below.
            let file = place[root.len() + 1..].split(':').next().unwrap();
            let levels = 1 + file.trim_end_matches("/mod.rs").matches('/').count();
            let folders = [path.to_owned(), vec!["super"; levels].join("::")];
            for folder in folders {
                // `use crate::{...}` would hide a module from this test.
                let above = chain[layer + 1..].iter().map(|above| format!("{folder}::{above}"));
                if above.chain([format!("{folder}::{{")]).any(|path| code.contains(&path)) {
                    wrong.push(format!("{place}: {code}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The shell starts the server, and takes nothing else from `http`.
#[test]
fn the_shell_uses_only_the_server_of_http() {
    // `mcp` sends requests to the router in its process, and describes its tools from the contract.
    let allowed = [
        "crate::http::connection::serve;",
        "crate::http::AppState;",
        "crate::http::{AppState, contract};",
        "axum::http::{self, Method, Request, StatusCode, header};",
        "fn request(&self, arguments: JsonObject) -> Result<Request<Body>, http::Error> {",
    ];
    let in_shell = lines("src").into_iter().filter(|(_, module, _)| module == "cli");
    let used: BTreeSet<String> = in_shell
        .map(|(.., code)| code.trim().trim_start_matches("use ").to_owned())
        .filter(|code| code.contains("http::"))
        .collect();
    assert_eq!(used, allowed.map(str::to_owned).into());
}

#[test]
fn each_library_stays_in_its_modules() {
    let mut wrong = Vec::new();
    for (place, module, code) in lines("src") {
        let Some(layer) = SERVICE.iter().position(|layer| *layer == module) else { continue };
        let is = |name: &str| module == name;
        let forbidden = [
            ("axum", layer < 2),
            ("hyper", layer < 2),
            ("tower_http", layer < 2),
            ("utoipa", is("service")),
            ("clap", is("service") || is("http")),
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
    let mut lines = lines("src").into_iter();
    while let Some((place, _, code)) = lines.next() {
        if !(code.contains("derive(") && code.contains("ToSchema")) {
            // An enum of a library, in `enumerations!`.
            if let Some((name, _)) = code.split_once(": ").filter(|_| code.ends_with("::ALL;")) {
                places.entry(word(name.trim())).or_default().push(place);
            }
            continue;
        }
        // The other attributes, then the item, which in `request!` is `Name: fields` or `Request as Name: fields`.
        let mut name = None;
        for (_, _, code) in lines.by_ref() {
            let code = code.trim();
            name = code.split_once("(as = ").map(|(_, name)| word(name)).or(name);
            let item = code.split_once("struct ").or(code.split_once("enum ")).map_or(code, |(_, item)| item);
            if item.starts_with(char::is_uppercase) {
                let item = item.split_once(" as ").map_or(item, |(_, name)| name);
                places.entry(name.unwrap_or_else(|| word(item))).or_default().push(place);
                break;
            }
        }
    }
    assert!(places.len() > 100, "the types were not read");
    places.retain(|_, places| places.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}
