//! The page for browsers: which files are served, with which headers, to which clients, and how large they are.

use std::collections::VecDeque;
use std::io::Read as _;

use flate2::read::GzDecoder;

use crate::common::prelude::*;

/// Maximum size in gzip of all files that the first view of the page loads, in bytes.
const FIRST_VIEW: usize = 60_000;
/// Accept header of Chromium for a page.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("web")
}

/// Paths of all files in `web/`, relative to it.
fn files() -> Vec<String> {
    let (root, mut folders, mut files) = (folder(), vec![folder()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    assert!(files.iter().any(|file| file == "index.html"), "{files:?}");
    files
}

/// Extension of a file.
fn kind(file: &str) -> &str {
    file.rsplit_once('.').map_or("", |(_, kind)| kind)
}

/// Version in the addresses of a page.
fn version_of(page: &str) -> String {
    let (_, rest) = page.split_once("/web/@").unwrap();
    rest.split_once('/').unwrap().0.to_owned()
}

#[tokio::test]
async fn files_with_the_version_of_the_page_are_kept_for_ever() {
    for (uri, script) in [("/", "main.js"), ("/docs", "docs/docs.js")] {
        let page = get_with(starting(), uri, &[("accept", BROWSER)]).await;
        assert_eq!(page.header("cache-control"), "no-cache");
        let version = version_of(page.text());
        let file = get(starting(), &format!("/web/@{version}/{script}")).await;
        assert_eq!((file.status.as_u16(), file.header("cache-control")), (200, "public, max-age=31536000, immutable"));
        // A page from before an update gets the new files, and must ask again.
        let other = get(starting(), &format!("/web/@0123456789abcdef/{script}")).await;
        assert_eq!(
            (other.status.as_u16(), other.header("cache-control"), other.text()),
            (200, "no-cache", file.text())
        );
        get(starting(), &format!("/web/@{version}/nothing.js")).await.problem(404, "not_found");
    }
    // Style sheets have no comments.
    let version = version_of(get_with(starting(), "/", &[("accept", BROWSER)]).await.text());
    let source = std::fs::read_to_string(folder().join("style.css")).unwrap();
    let style = get(starting(), &format!("/web/@{version}/style.css")).await;
    assert!(source.contains("/*") && !style.text().contains("/*"));
    assert!(source.lines().filter(|line| !line.trim().starts_with("/*")).eq(style.text().lines()));
}

/// The quoted texts between `start` and `end`.
fn between<'a>(text: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).map(move |rest| rest.split_once(end).unwrap().0)
}

#[tokio::test]
async fn a_script_contains_the_modules_that_it_imports() {
    for (uri, script, least) in [("/", "main.js", 30), ("/docs", "docs/docs.js", 5)] {
        let version = version_of(get_with(starting(), uri, &[("accept", BROWSER)]).await.text());
        let base = format!("/web/@{version}/");
        // Names that each module exports. Modules that are imported later follow the script, and use its modules.
        let mut exports: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut open = VecDeque::from([script.to_owned()]);
        let mut loaded = BTreeSet::new();
        while let Some(file) = open.pop_front() {
            let answer = get(starting(), &format!("{base}{file}")).await;
            assert_eq!(answer.status, 200, "{file}");
            let lines: Vec<_> = answer.text().lines().collect();
            for (index, line) in lines.iter().enumerate() {
                let is_last = index == lines.len() - 1;
                assert!(!line.starts_with("//") && !line.starts_with("import ") && !line.contains("import.meta.url,"));
                assert_eq!(line.starts_with("export "), is_last && file != script, "{file}: {line}");
                if let Some((names, module)) = line.split_once("} = $modules[\"") {
                    let module = module.strip_suffix("\"];").unwrap();
                    let names = names.rsplit_once('{').unwrap().1.split(',');
                    for name in names.map(|name| name.split_once(':').map_or(name, |(name, _)| name).trim()) {
                        let known = exports.get(module).unwrap_or_else(|| panic!("{file}: {module} is not there yet"));
                        assert!(name.is_empty() || known.contains(name), "{file}: {module} does not export {name}");
                    }
                } else if let Some(rest) = line.strip_prefix("$modules[\"") {
                    let (module, names) = rest.split_once("\"] = {").unwrap();
                    let names = names.strip_suffix("};").unwrap().split(',').map(|name| name.trim().to_owned());
                    let names = names.filter(|name| !name.is_empty()).collect();
                    let source = std::fs::read_to_string(folder().join(module)).unwrap();
                    assert_eq!(
                        source.lines().filter(|line| line.starts_with("export ")).count(),
                        BTreeSet::len(&names)
                    );
                    exports.insert(module.to_owned(), names);
                }
            }
            let own: Vec<_> = between(answer.text(), "if (!$modules[\"", "\"]) {").map(str::to_owned).collect();
            let all: BTreeSet<_> = own.iter().cloned().collect();
            assert_eq!(all.len(), own.len(), "{file} contains a module twice");
            let needed = imports(&file);
            if file == script {
                assert!(all == needed && all.len() >= least, "{file}: {all:?}");
                loaded = all;
            } else {
                // What the page has is not loaded again.
                assert_eq!(all, needed.difference(&loaded).cloned().collect(), "{file}");
            }
            let later = between(answer.text(), "import(\"", "\"").filter(|address| kind(address) == "js");
            for address in later {
                let path = address.strip_prefix(&base).unwrap();
                if !exports.contains_key(path) && !open.iter().any(|other| other == path) {
                    open.push_back(path.to_owned());
                }
            }
        }
        assert_eq!(exports.contains_key("lab/lab.js"), script == "main.js");
    }
}

/// What a page with its own solver has in its head.
const SOLVER: &str = "<meta name=\"solver\" content=\"/web/local/worker.js\" />";

/// Contents of a file of the page without the version. The page names a solver if the build has one.
fn source_of(file: &str) -> String {
    let source = std::fs::read_to_string(folder().join(file)).unwrap();
    if cfg!(page_solves) && file == "index.html" {
        return source.replace("</head>", &format!("{SOLVER}</head>"));
    }
    source
}

#[tokio::test]
async fn the_solver_of_the_page_is_served_if_the_build_has_one() {
    let page = get_with(starting(), "/", &[("accept", BROWSER)]).await;
    let version = version_of(page.text());
    let policy = page.header("content-security-policy");
    let names = ["superflip_wasm.js", "superflip_wasm_bg.wasm"];
    assert_eq!(page.text().contains("name=\"solver\""), cfg!(page_solves));
    assert_eq!(policy.contains("script-src 'self' 'wasm-unsafe-eval'; "), cfg!(page_solves));
    assert_eq!(policy.contains("wasm"), cfg!(page_solves));
    for base in ["/web/local".to_owned(), format!("/web/@{version}/local")] {
        for name in names {
            let answer = get_with(starting(), &format!("{base}/{name}"), &[("accept-encoding", "gzip")]).await;
            if !cfg!(page_solves) {
                answer.problem(404, "not_found");
                continue;
            }
            assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, "gzip"), "{name}");
            let media_type = if kind(name) == "js" { "text/javascript; charset=utf-8" } else { "application/wasm" };
            assert_eq!(answer.header("content-type"), media_type);
            assert_eq!(answer.header("content-security-policy"), policy);
            let mut unpacked = Vec::new();
            GzDecoder::new(answer.body.as_slice()).read_to_end(&mut unpacked).unwrap();
            assert_eq!(unpacked.starts_with(b"\0asm"), kind(name) == "wasm");
            // With the rest of the page it is still less than a photo.
            assert!(answer.body.len() <= 600_000, "{name}: {} bytes", answer.body.len());
        }
    }
}

#[tokio::test]
async fn browsers_get_the_page_and_programs_get_the_index() {
    let page = source_of("index.html");
    for accept in [BROWSER, "text/html", "application/json;q=0.5, text/html"] {
        let answer = get_with(starting(), "/", &[("accept", accept)]).await;
        let version = version_of(answer.text());
        let plain = answer.text().replace(&format!("@{version}/"), "");
        assert_eq!((answer.status.as_u16(), plain), (200, page.clone()), "{accept}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    }
    for headers in [[].as_slice(), &[("accept", "*/*")], &[("accept", "application/json")], &[("accept", "image/png")]]
    {
        let answer = get_with(starting(), "/", headers).await;
        assert_eq!((answer.ok()["name"].as_str(), answer.header("etag")), (Some("superflip"), ""), "{headers:?}");
    }
    for headers in [[("accept", BROWSER)], [("accept", "*/*")]] {
        let answer = get_with(starting(), "/", &headers).await;
        let vary = answer.headers.get_all("vary").iter().map(|value| value.to_str().unwrap());
        assert!(vary.flat_map(|list| list.split(',')).any(|name| name.trim() == "accept"), "caches mix the two");
    }
}

#[tokio::test]
async fn every_file_is_served_with_its_type_and_its_policy() {
    let policy = [
        "default-src 'none'",
        if cfg!(page_solves) { "script-src 'self' 'wasm-unsafe-eval'" } else { "script-src 'self'" },
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "media-src 'self' blob:",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
    ];
    for file in files() {
        let answer = get(starting(), &format!("/web/{file}")).await;
        if kind(&file) == "ts" {
            answer.problem(404, "not_found");
            continue;
        }
        let media_type = match kind(&file) {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            other => panic!("{file}: add the type of .{other} to this test"),
        };
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, media_type), "{file}");
        assert!(answer.text() == source_of(&file), "{file}");
        let own: Vec<_> = answer.header("content-security-policy").split("; ").collect();
        assert_eq!(own, policy, "{file}");
        for (name, value) in [
            ("cache-control", "no-cache"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("permissions-policy", "camera=(self)"),
            ("x-frame-options", "SAMEORIGIN"),
        ] {
            assert_eq!(answer.header(name), value, "{file}");
        }
    }
    // `X-Frame-Options` would refuse what the policy allows.
    for (listed, expected) in [
        (vec!["https://school.example.org"], "frame-ancestors 'self' https://school.example.org"),
        (
            vec!["https://a.example", "http://b.example:8080"],
            "frame-ancestors 'self' https://a.example http://b.example:8080",
        ),
        (vec!["https://a.example", "*"], "frame-ancestors *"),
    ] {
        let config =
            config_with(|config| config.server.frame_ancestors = listed.into_iter().map(str::to_owned).collect());
        let answer = get(app(state(config, Readiness::starting())), "/docs").await;
        assert!(answer.header("content-security-policy").ends_with(expected), "{expected}");
        assert_eq!(answer.header("x-frame-options"), "", "{expected}");
    }
    let (icon, same) = (get(starting(), "/favicon.ico").await, get(starting(), "/web/icon.svg").await);
    assert!(icon.status.is_success() && icon.body == same.body);
    assert_eq!(icon.header("content-type"), same.header("content-type"));
}

#[tokio::test]
async fn other_paths_do_not_exist() {
    let paths = "/ main main.jsx cube cube/ ../Cargo.toml %2e%2e/README.html ..%2f..%2fetc/passwd.js %2fetc%2fpasswd.html \
        ./main.js cube//cube.js main.js/ types.d.ts main.js%00.js docs";
    for path in paths.split(' ').chain([""]) {
        let answer = get(starting(), &format!("/web/{path}")).await;
        answer.problem(404, "not_found");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    for uri in ["/web", "/docs/", "/docs/docs.js", "/index.html", "/main.js"] {
        get(starting(), uri).await.problem(404, "not_found");
    }
}

#[tokio::test]
async fn a_client_that_has_the_file_gets_304() {
    for uri in ["/", "/docs", "/web/main.js", "/openapi.json", "/openapi.yaml"] {
        let ask = async |headers: &[(&str, &str)]| {
            get_with(starting(), uri, &[&[("accept", BROWSER)], headers].concat()).await
        };
        let (plain, small) = (ask(&[]).await, ask(&[("accept-encoding", "br, gzip;q=0.8")]).await);
        assert_eq!((plain.header("content-encoding"), small.header("content-encoding")), ("", "gzip"), "{uri}");
        let mut unpacked = Vec::new();
        GzDecoder::new(small.body.as_slice()).read_to_end(&mut unpacked).unwrap();
        assert!(unpacked == plain.body && small.body.len() < plain.body.len(), "{uri}");
        assert_eq!(plain.header("content-type"), small.header("content-type"));
        // Each form has a strong tag of its own.
        let (plain_tag, small_tag) = (plain.header("etag"), small.header("etag"));
        assert!(plain_tag.starts_with('"') && small_tag.starts_with('"') && plain_tag != small_tag, "{uri}");
        for tags in [plain_tag, &format!("W/{plain_tag}"), &format!("\"other\", {plain_tag}"), "*"] {
            let known = ask(&[("if-none-match", tags)]).await;
            assert_eq!((known.status.as_u16(), known.body.len()), (304, 0), "{uri} {tags}");
            assert_eq!((known.header("etag"), known.header("cache-control")), (plain_tag, "no-cache"));
            assert_eq!(known.headers.get_all("vary"), plain.headers.get_all("vary"));
        }
        assert_eq!(ask(&[("accept-encoding", "gzip"), ("if-none-match", small_tag)]).await.status, 304);
        for (encodings, tags) in [("identity", "\"other\""), ("identity", "nonsense"), ("gzip", plain_tag)] {
            let answer = ask(&[("accept-encoding", encodings), ("if-none-match", tags)]).await;
            assert_eq!((answer.status.as_u16(), answer.body.is_empty()), (200, false), "{uri} {tags}");
        }
    }
}

#[tokio::test]
async fn only_accepted_encodings_are_used() {
    for accepted in ["identity", "gzip;q=0", "br", "gzip; q=0.0, identity", "gzipped"] {
        let answer = get_with(starting(), "/web/main.js", &[("accept-encoding", accepted)]).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, ""), "{accepted}");
    }
    let config = config_with(|config| config.server.compression = false);
    let answer =
        get_with(app(state(config, Readiness::starting())), "/web/main.js", &[("accept-encoding", "gzip")]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, ""));
}

#[tokio::test]
async fn the_files_need_no_key_and_have_no_rate_limit() {
    let sha256 = KeyDigest::of(b"secret").to_hex();
    let file = toml(&format!("[[access.keys]]\nname = \"one\"\nsha256 = \"{sha256}\"\n"));
    let mut config = load::load(Some(file.path()), [], &[]).unwrap();
    (config.server.requests_per_second, config.server.request_burst) = (1, 1);
    let router = app(state(config, Readiness::starting()));
    let ask = async |uri: &str| {
        let mut request = request(&Method::GET, uri, &[("accept", BROWSER)]);
        request.extensions_mut().insert(ClientId::at([10, 0, 0, 1].into()));
        send(&router, request).await
    };
    assert_eq!(ask("/").await.status, 200);
    for file in files().iter().filter(|file| kind(file) != "ts") {
        let answer = ask(&format!("/web/{file}")).await;
        assert_eq!((answer.status.as_u16(), answer.header("ratelimit")), (200, ""), "{file}");
    }
    assert_eq!(ask("/docs").await.status, 200);
    ask("/solve").await.problem(429, "rate_limited");
}

/// Paths that a file names: quoted strings that begin with `./`, `../` or `/web/`, and are not loaded later with `import()`.
fn named(file: &str, text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| !line.contains("import("));
    let quoted = lines.flat_map(|line| line.split('"').skip(1).step_by(2));
    let base = Path::new(file).parent().unwrap();
    let paths = quoted.filter_map(|path| match path.strip_prefix("/web/") {
        Some(path) => Some(PathBuf::from(path)),
        None => path.starts_with('.').then(|| base.join(path)),
    });
    let is_file = |path: &PathBuf| path.extension().is_some_and(|kind| kind == "js" || kind == "css" || kind == "svg");
    let plain = |path: PathBuf| {
        path.components().fold(PathBuf::new(), |mut plain, part| {
            match part {
                std::path::Component::ParentDir => drop(plain.pop()),
                std::path::Component::CurDir => {}
                part => plain.push(part),
            }
            plain
        })
    };
    paths.filter(is_file).map(|path| plain(path).to_str().unwrap().to_owned()).collect()
}

/// A module and all modules that it imports when it is loaded.
fn imports(script: &str) -> BTreeSet<String> {
    let (mut seen, mut open) = (BTreeSet::from([script.to_owned()]), vec![script.to_owned()]);
    while let Some(file) = open.pop() {
        let text = std::fs::read_to_string(folder().join(&file)).unwrap();
        let modules = named(&file, &text).into_iter().filter(|path| kind(path) == "js");
        open.extend(modules.filter(|path| seen.insert(path.clone())));
    }
    seen
}

#[tokio::test]
async fn the_first_view_is_small() {
    for (page, least) in [("index.html", "main.js"), ("docs/index.html", "docs/docs.js")] {
        let mut files = named(page, &std::fs::read_to_string(folder().join(page)).unwrap());
        assert!(files.iter().any(|file| file == least), "{files:?}");
        files.push(page.to_owned());
        let mut bytes = 0;
        for file in &files {
            // The version does not matter here.
            let answer = get_with(starting(), &format!("/web/@0/{file}"), &[("accept-encoding", "gzip")]).await;
            assert_eq!((answer.status.as_u16(), answer.header("content-encoding")), (200, "gzip"), "{file}");
            bytes += answer.body.len();
        }
        println!("{page}: {} files, {bytes} bytes in gzip", files.len());
        assert!(bytes <= FIRST_VIEW, "{page}: {bytes} bytes in gzip, at most {FIRST_VIEW}: {files:?}");
    }
}

/// The policy forbids inline code and other hosts. A browser reports a violation only on its console.
#[test]
fn the_files_fit_their_policy() {
    for file in files() {
        let kind = kind(&file);
        let text = std::fs::read_to_string(folder().join(&file)).unwrap();
        if kind == "html" {
            for inline in ["<style", " style=", "javascript:", " onclick=", " onload="] {
                assert!(!text.contains(inline), "{file} contains {inline}");
            }
            assert_eq!(text.matches("<script").count(), text.matches(" src=").count(), "{file}: an inline script");
        }
        if kind == "html" || kind == "css" {
            assert!(!text.contains("://"), "{file} names another host");
        }
        for forbidden in ["eval(", "new Function(", "innerHTML"] {
            assert!(!text.contains(forbidden), "{file} contains {forbidden}");
        }
    }
}
