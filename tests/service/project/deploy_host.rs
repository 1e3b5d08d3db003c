//! The systemd unit and the configurations of the proxies match the service.

use clap::Parser as _;
use superflip::operations::{Cli, Command};
use superflip::service::config::{LogFormat, Server};
use superflip_dev::root;

use crate::common::prelude::*;

const UNIT: &str = include_str!("../../../deploy/systemd/superflip.service");
const NGINX: &str = include_str!("../../../deploy/nginx/superflip.conf");
const CADDY: &str = include_str!("../../../deploy/caddy/Caddyfile");
const HAPROXY: &str = include_str!("../../../deploy/haproxy/haproxy.cfg");
const INSTANCE: &str = include_str!("../../../deploy/haproxy/instance.conf");

/// A directive of a proxy's configuration: its words, and the directives in its block.
struct Directive {
    words: Vec<String>,
    inner: Vec<Directive>,
}

impl Directive {
    fn name(&self) -> &str {
        &self.words[0]
    }

    fn value(&self) -> &str {
        &self.words[1]
    }

    /// The first directive with this name in the block.
    fn get(&self, name: &str) -> Option<&Self> {
        self.inner.iter().find(|directive| directive.name() == name)
    }

    /// Every directive in the block and in its blocks.
    fn all(&self) -> Vec<&Self> {
        self.inner.iter().flat_map(|directive| std::iter::once(directive).chain(directive.all())).collect()
    }
}

/// The directives up to the end of a block.
fn directives<'a>(words: &mut impl Iterator<Item = &'a str>) -> Vec<Directive> {
    let (mut found, mut current) = (Vec::new(), Vec::new());
    let end = |current: &mut Vec<String>, inner: Vec<Directive>, found: &mut Vec<Directive>| {
        if !current.is_empty() || !inner.is_empty() {
            found.push(Directive { words: std::mem::take(current), inner });
        }
    };
    while let Some(word) = words.next() {
        match word {
            ";" => end(&mut current, Vec::new(), &mut found),
            "{" => {
                let inner = directives(words);
                end(&mut current, inner, &mut found);
            }
            "}" => break,
            word => current.push(word.to_owned()),
        }
    }
    end(&mut current, Vec::new(), &mut found);
    found
}

/// Parses a configuration without its comments; directives end with `;`, or with the line.
fn proxy(text: &str, is_by_line: bool) -> Directive {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#') && !line.is_empty());
    let text: String = lines
        .map(|line| match line.strip_suffix(['{', ';']) {
            Some(start) if line.ends_with('{') => format!("{start} {{\n"),
            Some(start) => format!("{start} ;\n"),
            None if is_by_line && line != "}" => format!("{line} ;\n"),
            None => format!("{line}\n"),
        })
        .collect();
    Directive { words: vec!["file".to_owned()], inner: directives(&mut text.split_whitespace()) }
}

fn length(text: &str) -> Duration {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let seconds = match unit {
        "s" | "" => 1,
        "m" => 60,
        "h" => 3600,
        _ => panic!("{text}"),
    };
    Duration::from_secs(seconds * number.parse::<u64>().unwrap())
}

fn bytes(text: &str) -> usize {
    let number: usize = text.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap();
    number << if text.to_lowercase().contains('k') { 10 } else { 0 }
}

/// Paths of the contract with `*` for each parameter, and the media types of their answers.
fn documented() -> BTreeMap<String, Vec<String>> {
    let api: Value = serde_json::from_str(&contract::JSON).unwrap();
    let paths = api["paths"].members();
    let types = |item: &Value| {
        let operations = item.members().values();
        let contents = operations.filter_map(|operation| operation["responses"]["200"]["content"].as_object());
        contents.flat_map(|content| content.keys().cloned().collect::<Vec<_>>()).collect()
    };
    let starred = |path: &str| {
        path.split('/').map(|part| if part.starts_with('{') { "*" } else { part }).collect::<Vec<_>>().join("/")
    };
    paths.iter().map(|(path, item)| (starred(path), types(item))).collect()
}

/// Paths whose answers are streams or files.
fn streaming() -> BTreeSet<String> {
    let kinds = ["text/event-stream", "application/x-ndjson", "application/octet-stream"];
    let documented = documented();
    let streams = documented.iter().filter(|(_, types)| types.iter().any(|kind| kinds.contains(&kind.as_str())));
    streams.map(|(path, _)| path.clone()).collect()
}

/// The defaults of the service.
fn server() -> Server {
    load::load(None, std::iter::empty(), &[]).unwrap().server
}

/// The values of a key of the unit.
fn unit(key: &str) -> Vec<&'static str> {
    UNIT.lines().filter_map(|line| line.strip_prefix(key)?.strip_prefix('=')).collect()
}

#[test]
fn the_unit_starts_the_service_and_lets_it_finish() {
    let server = server();
    let [start] = unit("ExecStart")[..] else { panic!("not one ExecStart") };
    let Command::Serve(serve) = Cli::try_parse_from(start.split_whitespace()).unwrap().command else {
        panic!("{start}");
    };
    // Flags would override the variables of the file.
    let flags = [serve.service.flags(), serve.configuration.flags()].concat();
    assert!(flags.is_empty() && unit("EnvironmentFile").len() == 1, "{flags:?}");
    let variables = unit("Environment").into_iter().map(|line| line.split_once('=').unwrap());
    let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let config = load::load(None, variables, &[]).unwrap();
    assert_eq!(config.server.listen.to_string(), server.listen.to_string());
    assert_eq!((&config.server.hosts, config.log.format), (&names_of_nginx(), LogFormat::Json));
    // %C is where CacheDirectory is.
    assert_eq!(config.tables.dir.unwrap(), PathBuf::from(format!("%C/{}", unit("CacheDirectory")[0])));
    assert!(
        length(unit("TimeoutStopSec")[0]) > Duration::from_millis(server.drain_timeout_ms) + Duration::from_secs(5)
    );
    assert!(unit("LimitNOFILE")[0].parse::<usize>().unwrap() > server.max_connections + 100);
    assert_eq!((unit("Restart"), unit("RestartPreventExitStatus")), (vec!["on-failure"], vec!["2"]));
    // The memory of the machine is read from /proc/meminfo, which `ProcSubset=pid` would hide.
    assert!(unit("ProcSubset").is_empty() && unit("DynamicUser") == ["yes"] && unit("AmbientCapabilities") == [""]);
    for line in UNIT.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '['])) {
        assert!(line.split_once('=').is_some_and(|(key, _)| key.chars().all(char::is_alphanumeric)), "{line}");
    }
}

/// The names of the host in the configuration of nginx, which passes them on.
fn names_of_nginx() -> Vec<String> {
    let file = proxy(NGINX, false);
    let secure = file.inner.iter().rfind(|block| block.name() == "server").unwrap();
    let headers: Vec<_> = secure.inner.iter().filter(|directive| directive.name() == "proxy_set_header").collect();
    assert!(headers.iter().any(|header| header.words[1..] == ["Host", "$host"]));
    secure.get("server_name").unwrap().words[1..].to_vec()
}

/// The zones of nginx count requests by a key that is empty for the files of the page.
#[test]
fn nginx_does_not_limit_the_files_of_the_page() {
    let file = proxy(NGINX, false);
    let map = file.inner.iter().find(|block| block.words.get(2).is_some_and(|key| key == "$superflip_client")).unwrap();
    assert_eq!((map.value(), map.get("default").unwrap().value()), ("$request_uri", "$binary_remote_addr"));
    let patterns: Vec<_> = map.inner.iter().filter(|line| line.value() == "\"\"").map(Directive::name).collect();
    assert_eq!(patterns, ["~^/web/", "~^/(docs|favicon\\.ico|openapi\\.json)?(\\?|$)"]);
    for zone in ["limit_req_zone", "limit_conn_zone"] {
        assert_eq!(file.get(zone).unwrap().value(), "$superflip_client", "{zone}");
    }
}

#[test]
fn nginx_streams_and_has_longer_timeouts() {
    let (server, file) = (server(), proxy(NGINX, false));
    let upstream = file.get("upstream").unwrap();
    assert_eq!(upstream.get("server").unwrap().value(), server.listen.to_string());
    assert!(
        length(upstream.get("keepalive_timeout").unwrap().value()) < Duration::from_millis(server.header_timeout_ms)
    );
    let secure = file.inner.iter().filter(|block| block.name() == "server").find(|block| {
        block.inner.iter().any(|directive| directive.name() == "listen" && directive.words.contains(&"ssl".to_owned()))
    });
    let secure = secure.unwrap();
    assert_eq!(secure.get("proxy_http_version").unwrap().value(), "1.1");
    // Headers of a block of its own would take the place of these.
    assert!(secure.inner.iter().all(|block| block.get("proxy_set_header").is_none()));
    let limit = bytes(secure.get("client_max_body_size").unwrap().value());
    assert!(limit > server.body_limit_bytes && limit <= 2 * server.body_limit_bytes, "{limit}");
    assert!(length(secure.get("send_timeout").unwrap().value()) > Duration::from_millis(server.write_timeout_ms));

    let mut unbuffered = BTreeSet::new();
    for location in secure.inner.iter().filter(|block| block.name() == "location") {
        let path = location.words.last().unwrap().trim_start_matches('^').trim_end_matches('$').replace("[^/]+", "*");
        assert!(documented().contains_key(&path), "the contract has no {path}");
        let value = |name: &str| location.get(name).or_else(|| secure.get(name)).map(Directive::value);
        if path == "/metrics" {
            assert_eq!(value("return"), Some("404"));
            continue;
        }
        assert_eq!(value("proxy_pass"), Some("http://superflip"), "{path}");
        for name in ["proxy_read_timeout", "proxy_send_timeout"] {
            assert!(length(value(name).unwrap()) > server.request_timeout(), "{path}: {name}");
        }
        if value("proxy_buffering") == Some("off") {
            unbuffered.insert(path.clone());
        }
        let is_batch = path == "/solve/batch";
        assert_eq!(value("proxy_request_buffering") == Some("off"), is_batch, "{path}");
        assert_eq!(value("client_max_body_size") == Some("0"), is_batch, "{path}");
        assert!(
            !is_batch
                || length(value("client_body_timeout").unwrap()) > Duration::from_millis(server.batch_idle_timeout_ms)
        );
    }
    assert_eq!(unbuffered, streaming());
}

#[test]
fn caddy_streams_and_has_longer_timeouts() {
    let (server, file) = (server(), proxy(CADDY, true));
    let [site] = &file.inner[..] else { panic!("not one site") };
    let mut paths = Vec::new();
    for block in site.inner.iter().filter(|block| block.name() == "handle") {
        let path = block.words.get(1).map_or("/", String::as_str);
        assert!(documented().contains_key(path), "the contract has no {path}");
        paths.push(path);
        if path == "/metrics" {
            assert_eq!(block.get("respond").unwrap().value(), "404");
            continue;
        }
        let proxy = block.get("reverse_proxy").unwrap();
        assert_eq!(proxy.value(), server.listen.to_string(), "{path}");
        // Caddy forwards streams at once; these directives would make it buffer, or continue after the client disconnects.
        let names: Vec<_> = block.all().into_iter().map(Directive::name).collect();
        assert!(!names.iter().any(|name| name.contains("buffer") || *name == "flush_interval"), "{path}: {names:?}");
        let transport = proxy.get("transport").unwrap();
        assert!(
            length(transport.get("keepalive").unwrap().value()) < Duration::from_millis(server.header_timeout_ms),
            "{path}"
        );
        assert_eq!(transport.get("compression").unwrap().value(), "off");
        let limit = block.get("request_body").map(|body| bytes(body.get("max_size").unwrap().value()));
        let timeout = transport.get("response_header_timeout").map(|timeout| length(timeout.value()));
        if path == "/solve/batch" {
            assert_eq!((limit, timeout), (None, None));
        } else {
            assert!(limit.unwrap() > server.body_limit_bytes, "{path}");
            assert!(timeout.unwrap() > server.request_timeout(), "{path}");
        }
    }
    assert_eq!(paths, ["/metrics", "/solve/batch", "/"]);
}

/// The words after a keyword, on each line of `haproxy.cfg` that begins with it.
fn haproxy(keyword: &str) -> Vec<&'static str> {
    HAPROXY.lines().filter_map(|line| line.trim().strip_prefix(keyword)?.strip_prefix(' ')).collect()
}

#[test]
fn haproxy_has_longer_timeouts_and_lets_searches_finish() {
    let of_template: Vec<&str> = INSTANCE.lines().filter_map(|line| line.strip_prefix("Environment=")).collect();
    let variables =
        unit("Environment").into_iter().chain(of_template.iter().copied()).filter_map(|line| line.split_once('='));
    // The number of an instance is the last digit of its port.
    let variables = variables.map(|(name, value)| (name.to_owned(), value.replace("%i", "1")));
    let config = load::load(None, variables, &[]).unwrap();
    let (server, drain) = (&config.server, Duration::from_millis(config.server.drain_timeout_ms));
    assert!(drain > Duration::from_millis(config.search.max_time_limit_ms) && !config.tables.serve_while_building);
    let stop = INSTANCE.lines().find_map(|line| line.strip_prefix("TimeoutStopSec=")).unwrap();
    assert!(length(stop) > drain + Duration::from_secs(5));
    let servers = haproxy("server");
    assert_eq!(servers[0], format!("superflip1 {}", server.listen));
    assert_eq!(servers.len(), 3);

    let timeouts: BTreeMap<_, _> = haproxy("timeout").into_iter().filter_map(|line| line.split_once(' ')).collect();
    assert!(length(timeouts["server"]) > server.request_timeout());
    let silent = server.write_timeout_ms.max(server.batch_idle_timeout_ms);
    assert!(length(timeouts["client"]) > Duration::from_millis(silent));
    // A check at a loopback address names a loopback host.
    let check = haproxy("http-check")[0];
    assert!(
        check.contains("uri /readyz") && check.contains("hdr Host localhost") && documented().contains_key("/readyz")
    );
}

/// Cargo reads the manifest of each member, and looks for its sources, before it builds one of them. The image is built from the files that
/// `.dockerignore` names.
#[test]
fn the_image_has_all_that_cargo_reads_first() {
    let folder = tempfile::tempdir().unwrap();
    for kept in include_str!("../../../.dockerignore").lines().filter_map(|line| line.strip_prefix('!')) {
        let (from, to) = (root().join(kept), folder.path().join(kept));
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        // Cargo follows links.
        std::os::unix::fs::symlink(from, to).unwrap();
    }
    let cargo = std::process::Command::new(env!("CARGO"))
        .args(["metadata", "--offline", "--locked", "--no-deps", "--format-version", "1"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert!(cargo.status.success(), "{}", String::from_utf8_lossy(&cargo.stderr));
}
