//! Layers of the configuration, and the errors for unknown keys and invalid values.

use superflip::service::config::load::{DEFAULTS, Flag, load, load_with_sources};
use tempfile::NamedTempFile;

use crate::common::prelude::*;

/// One key with its documentation.
struct ConfigKey {
    /// The key, such as `server.listen`.
    key: String,
    /// The environment variable, such as `SUPERFLIP_SERVER__LISTEN`.
    variable: String,
    /// The default as it is written in TOML.
    default: String,
    /// The comment above the key.
    meaning: String,
}

/// Every key in the order of the file.
fn config_keys() -> Vec<ConfigKey> {
    let (mut keys, mut section, mut comment) = (Vec::new(), "", Vec::new());
    for line in DEFAULTS.lines() {
        if let Some(text) = line.strip_prefix('#') {
            comment.push(text.trim());
            continue;
        }
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((name, default)) = line.split_once(" = ") {
            let variable = format!("SUPERFLIP_{section}__{name}").to_uppercase();
            let (key, default) = (format!("{section}.{name}"), default.to_owned());
            keys.push(ConfigKey { key, variable, default, meaning: comment.join(" ") });
        }
        comment.clear();
    }
    keys
}

fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn refusal(file: Option<&str>, environment: &[(&str, &str)], flags: &[Flag]) -> String {
    let file = file.map(toml);
    load(file.as_ref().map(NamedTempFile::path), variables(environment), flags).unwrap_err().to_string()
}

#[test]
fn the_defaults_have_the_documented_values() {
    let config = load(None, [], &[]).unwrap();
    assert_eq!((config.server.listen.to_string().as_str(), config.server.body_limit_bytes), ("127.0.0.1:8080", 65536));
    assert_eq!((config.tables.dir, config.tables.profile), (None, Profile::Standard));
    assert_eq!((config.search.default_target_length, config.search.default_time_limit_ms), (20, 1000));
    assert!(config.search.threads >= 1 || config.search.threads() >= 1);
}

#[test]
fn every_key_is_documented_above_its_default() {
    let keys = config_keys();
    assert!(keys.len() > 30);
    for ConfigKey { key, meaning, .. } in keys {
        assert!(meaning.split(' ').count() > 3, "{key}");
    }
}

#[test]
fn later_sources_win() {
    let file = toml("[server]\nlisten = \"0.0.0.0:1\"\nmax_connections = 7\n[tables]\nprofile = \"small\"\n");
    let path = file.path();
    let environment = variables(&[
        ("SUPERFLIP_SERVER__LISTEN", "0.0.0.0:2"),
        ("SUPERFLIP_SEARCH__THREADS", "3"),
        ("SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS", "https://a.example, https://b.example"),
        ("SUPERFLIP_SERVER__COMPRESSION", "false"),
        ("PATH", "/bin"),
    ]);
    let flags = [Flag { key: "server.listen", flag: "--listen", value: "0.0.0.0:3".into() }];
    let config = load(Some(path), environment.clone(), &flags).unwrap();
    assert_eq!(config.server.listen.to_string(), "0.0.0.0:3");
    assert_eq!(config.server.max_connections, 7);
    assert_eq!((config.search.threads(), config.tables.profile), (3, Profile::Small));
    assert_eq!(config.server.cors_allowed_origins, ["https://a.example", "https://b.example"]);
    assert!(!config.server.compression);
    assert_eq!(load(Some(path), environment, &[]).unwrap().server.listen.to_string(), "0.0.0.0:2");
    let named = variables(&[("SUPERFLIP_CONFIG", path.to_str().unwrap())]);
    assert_eq!(load(None, named, &[]).unwrap().server.listen.to_string(), "0.0.0.0:1");
}

#[test]
fn an_unknown_key_is_refused_with_its_source() {
    let (file, variable) = (|text| refusal(Some(text), &[], &[]), [("SUPERFLIP_SERVER__LISTNE", "x")]);
    for (text, parts) in [
        (file("[server]\nlistne = \"0.0.0.0:1\"\n"), &["`server.listne`", "given.toml", "`server.listen`"][..]),
        (file("[bogus]\n"), &["unknown key `bogus`", "given.toml"]),
        (file("\"server.listen\" = 5\n"), &["`server.listen`", "given.toml", "write `listen` below `[server]`"]),
        (file("[\"server.listen\"]\n"), &["`server.listen`", "write `listen` below `[server]`"]),
        (file("[log]\n\"log.format\" = 5\n"), &["`log.log.format`", "write `format` below `[log]`"]),
        (
            refusal(None, &variable, &[]),
            &["variable SUPERFLIP_SERVER__LISTNE", "did you mean SUPERFLIP_SERVER__LISTEN?"],
        ),
    ] {
        assert!(parts.iter().all(|part| text.contains(part)), "{parts:?}: {text}");
    }
    let text = refusal(None, &[("SUPERFLIP_SERVER", "5"), ("SUPERFLIP_LOG", "info")], &[]);
    for (section, key) in [("server", "SUPERFLIP_SERVER__LISTEN"), ("log", "SUPERFLIP_LOG__FORMAT")] {
        let name = section.to_uppercase();
        let said = format!("the environment variable SUPERFLIP_{name} names the section `{section}`, not a key");
        assert!(text.contains(&said) && text.contains(&format!("such as {key};")), "{text}");
    }
    for name in ["SUPERFLIP_SERVER__PORTT", "SUPERFLIP_SERVER__PORT"] {
        let text = refusal(None, &[(name, "5")], &[]);
        assert!(text.contains("unknown key `server.port") && !text.contains("did you mean"), "{text}");
    }
    let text = refusal(None, &[("SUPERFLIP_SERVR__LISTEN", "5")], &[]);
    assert!(text.contains("did you mean SUPERFLIP_SERVER__LISTEN?"), "{text}");
    for (text, such) in [
        (refusal(None, &[("SUPERFLIP_SERVER__", "5")], &[]), "SUPERFLIP_SERVER__LISTEN"),
        (file("[server]\n\"\" = 5\n"), "`server.listen`"),
    ] {
        assert!(text.starts_with("the name of the setting is missing in the "), "{text}");
        assert!(text.contains(&format!("after the section `server`; set one of its keys, such as {such};")), "{text}");
    }
    // These differ from the names that Kubernetes sets.
    for name in ["SUPERFLIP_LISTEN", "SUPERFLIP_SERVICE_NAME", "SUPERFLIP_PORT_8080", "SUPERFLIP_SERVER__PORT"] {
        let text = refusal(None, &[(name, "8080")], &[]);
        assert!(text.contains("unknown key") && text.contains(&format!("variable {name}")), "{text}");
    }
}

/// The variables of a pod in a namespace with the Services `superflip` and `superflip-http`, as the documentation of Kubernetes lists them.
#[test]
fn variables_of_kubernetes_services_are_ignored() {
    let ends = [
        ("SERVICE_HOST", "10.0.0.11"),
        ("SERVICE_PORT", "8080"),
        ("SERVICE_PORT_HTTP", "8080"),
        ("PORT", "tcp://10.0.0.11:8080"),
        ("PORT_8080_TCP", "tcp://10.0.0.11:8080"),
        ("PORT_8080_TCP_PROTO", "tcp"),
        ("PORT_8080_TCP_PORT", "8080"),
        ("PORT_8080_TCP_ADDR", "10.0.0.11"),
        ("PORT_8080_UDP_ADDR", "10.0.0.11"),
    ];
    let services = ["SUPERFLIP", "SUPERFLIP_HTTP"].into_iter();
    let mut environment: Vec<(String, String)> =
        services.flat_map(|service| ends.map(|(end, value)| (format!("{service}_{end}"), value.to_owned()))).collect();
    let mut names: Vec<String> = environment.iter().map(|(name, _)| name.clone()).collect();
    names.sort();
    environment.push(("SUPERFLIP_SERVER__LISTEN".into(), "127.0.0.1:9000".into()));
    let config = load(None, environment, &[]).unwrap();
    assert_eq!((config.server.listen.to_string().as_str(), config.ignored_variables), ("127.0.0.1:9000", names));
}

#[test]
fn the_variable_of_every_key_is_read() {
    for ConfigKey { key, variable, default, .. } in config_keys() {
        let text = match (key.as_str(), default.as_str()) {
            // An empty variable of keys is refused.
            ("access.keys", _) => format!("ci:{}", "0123456789abcdef".repeat(4)),
            (_, list) if list.starts_with('[') => list.trim_matches(['[', ']']).replace('"', ""),
            _ => default.trim_matches('"').to_owned(),
        };
        let config = load(None, variables(&[(&variable, &text)]), &[]).unwrap();
        assert!(config.ignored_variables.is_empty(), "{variable}");
        // An ignored variable would accept anything.
        let wrong = load(None, variables(&[(&variable, "\u{1}wrong")]), &[]);
        assert!(wrong.is_err() || ["tables.dir", "log.filter"].contains(&key.as_str()), "{variable}");
    }
}

#[test]
fn all_failing_keys_are_reported_together() {
    let file = "[server]\nlistne = 1\nmax_connections = 0\n[tables]\nprofile = \"huge\"\n[log]\nformat = \"xml\"\n";
    let text = refusal(Some(file), &[("SUPERFLIP_SEARCH__THREADS", "many"), ("SUPERFLIP_BOGUS", "1")], &[]);
    for part in [
        "unknown key `server.listne` in the file",
        "`server.max_connections` in the file",
        "`tables.profile` in the file",
        "`log.format` in the file",
        "`search.threads` in the environment variable SUPERFLIP_SEARCH__THREADS",
        "unknown key `bogus` in the environment variable SUPERFLIP_BOGUS",
    ] {
        assert!(text.lines().any(|line| line.contains(part)), "{part}: {text}");
    }
    assert_eq!(text.lines().count(), 6, "{text}");
    let environment = [("SUPERFLIP_SERVER__REQUEST_TIMEOUT_MS", "2000"), ("SUPERFLIP_SERVER__REQUEST_BURST", "5")];
    let text = refusal(None, &environment, &[]);
    assert!(text.contains("`server.request_timeout_ms`") && text.contains("`server.request_burst`"), "{text}");
}

#[test]
fn host_names_are_accepted_as_addresses() {
    let listen = |text: &str| load(None, variables(&[("SUPERFLIP_SERVER__LISTEN", text)]), &[]).unwrap().server.listen;
    let localhost = listen("localhost:8080");
    assert_eq!(localhost.to_string(), "localhost:8080");
    assert_eq!(localhost.addresses().unwrap()[0].to_string(), "127.0.0.1:8080");
    assert_eq!(listen("[::1]:0").addresses().unwrap()[0].to_string(), "[::1]:0");
    assert!(listen("nowhere.invalid:1").addresses().is_err());
    for (text, part) in [
        ("localhost", "`localhost` is not an address or host name with a port"),
        ("8080", "0.0.0.0"),
        (":8080", "0.0.0.0"),
        ("localhost:80800", "from 0 to 65535"),
        ("http://localhost:8080", "localhost:8080"),
        ("::1:8080", "[::1]:8080"),
        ("local host:80", "localhost:8080"),
    ] {
        let told = refusal(None, &[("SUPERFLIP_SERVER__LISTEN", text)], &[]);
        assert!(told.contains(part) && told.contains("SUPERFLIP_SERVER__LISTEN"), "{told}");
    }
}

/// A browser serializes an origin in one way (WHATWG URL, "serialization of an origin"), and it is compared as a whole.
#[test]
fn origins_that_never_match_are_refused() {
    for (given, part) in [
        ("https://*.example.org", "list each subdomain"),
        ("https://example.org:*", "is not an origin"),
        ("https://example.org:443", "browsers send `https://example.org`"),
        ("http://example.org:80", "browsers send `http://example.org`"),
        ("https://Example.org", "browsers send `https://example.org`"),
        ("https://example.org/", "browsers send `https://example.org`"),
        ("https://example.org/app", "browsers send `https://example.org`"),
        ("https://me@example.org", "browsers send `https://example.org`"),
        ("https://b\u{fc}cher.example", "is not an origin"),
        ("file:///home/me", "is not an origin"),
        ("", "is not an origin"),
        ("null", "sandboxed frame"),
    ] {
        let file = format!("[server]\ncors_allowed_origins = [\"https://good.example\", \"{given}\"]\n");
        let told = refusal(Some(&file), &[], &[]);
        assert!(told.contains("`server.cors_allowed_origins` in the file") && told.contains(part), "{given}: {told}");
        assert!(told.contains(&format!("`{given}`")), "{told}");
    }
    let good =
        "https://example.org,http://example.org:8080,https://example.org:80,http://[::1]:3000,moz-extension://0f2a1a5e";
    let config = load(None, variables(&[("SUPERFLIP_SERVER__CORS_ALLOWED_ORIGINS", good)]), &[]).unwrap();
    assert_eq!(config.server.cors_allowed_origins.len(), 5);
}

/// The output of `superflip config --effective` is a valid file that gives the same configuration.
#[test]
fn the_effective_configuration_is_a_valid_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("given \u{1} \"file\".toml");
    let file = "[server]\nmax_connections = 7\ncors_allowed_origins = [\"https://a.example\", \"https://b.example\"]\n\
        [tables]\ndir = \"a \\\"quoted\\\" \\\\ folder\\t\u{fc}\"\n[telemetry]\nsample_ratio = 1\n";
    std::fs::write(&path, file).unwrap();
    let environment = || {
        variables(&[
            ("SUPERFLIP_SEARCH__THREADS", "3"),
            ("SUPERFLIP_SERVER__COMPRESSION", "off"),
            ("SUPERFLIP_SERVER__LISTEN", "localhost:9000"),
            ("SUPERFLIP_TELEMETRY__SAMPLE_RATIO", "0.25"),
        ])
    };
    let flags = [Flag { key: "tables.profile", flag: "--profile", value: "small".into() }];
    let loaded = load_with_sources(Some(&path), environment(), &flags).unwrap();
    let printed = loaded.to_toml();
    let again = folder.path().join("again.toml");
    std::fs::write(&again, &printed).unwrap();
    let config = load(Some(&again), [], &[]).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(format!("{config:?}"), format!("{:?}", loaded.config));
    for line in [
        "listen = \"localhost:9000\"  # the environment variable SUPERFLIP_SERVER__LISTEN",
        "threads = 3  # the environment variable SUPERFLIP_SEARCH__THREADS",
        "compression = false  # the environment variable SUPERFLIP_SERVER__COMPRESSION",
        "sample_ratio = 0.25  # the environment variable SUPERFLIP_TELEMETRY__SAMPLE_RATIO",
        "profile = \"small\"  # the flag --profile",
        "queue_length = 64  # the defaults",
        "keys = []  # the defaults",
    ] {
        assert!(printed.lines().any(|printed| printed == line), "{line}\n{printed}");
    }
    assert!(printed.contains("max_connections = 7  # the file ") && !printed.contains('\u{1}'), "{printed}");
    // Every key is printed.
    let keys = |text: &str| text.lines().filter(|line| line.contains(" = ") && !line.starts_with('#')).count();
    assert_eq!(keys(&printed), keys(DEFAULTS));
    // The defaults alone round-trip too.
    std::fs::write(&again, load_with_sources(None, [], &[]).unwrap().to_toml()).unwrap();
    assert_eq!(format!("{:?}", load(Some(&again), [], &[]).unwrap()), format!("{:?}", load(None, [], &[]).unwrap()));
}

#[test]
fn the_effective_configuration_has_no_digest() {
    let digest = "0123456789abcdef".repeat(4);
    let file =
        format!("[[access.keys]]\nname = \"ci\"\nsha256 = \"{digest}\"\nrequests_per_second = 5\nmax_requests = 2\n");
    let environment = variables(&[("SUPERFLIP_PORT", "tcp://10.0.0.1:80")]);
    let loaded = load_with_sources(Some(toml(&file).path()), environment, &[]).unwrap();
    let printed = loaded.to_toml();
    assert!(!printed.contains(&digest[..16]), "{printed}");
    assert!(printed.contains("masked") && printed.contains("SUPERFLIP_PORT"), "{printed}");
    // It is refused as a file, so no service starts without its keys.
    let told = refusal(Some(&printed), &[], &[]);
    assert!(told.contains("`access.keys[0].sha256`"), "{told}");
    let again = load(Some(toml(&printed.replace("[masked]", &digest)).path()), [], &[]).unwrap();
    assert_eq!(format!("{:?}", again.access), format!("{:?}", loaded.config.access));
}

#[test]
fn an_invalid_value_is_refused_with_its_key_and_source() {
    let file = |text| refusal(Some(text), &[], &[]);
    let variable = |name: &str, value| refusal(None, &[(&format!("SUPERFLIP_{name}"), value)], &[]);
    let given = |key, flag, value: &str| [Flag { key, flag, value: value.into() }];
    let flag = |key, flag, value| refusal(None, &[], &given(key, flag, value));
    let cases = [
        (file("[search]\nthreads = \"many\"\n"), ["search.threads", "given.toml"]),
        (file("[server]\nmax_connections = 0\n"), ["server.max_connections", "given.toml"]),
        (file("[search]\nlong_threads = 0\n"), ["search.long_threads", "from 1 to 256"]),
        (file("[coords]\ncache_bytes = 9\n"), ["coords.cache_bytes", "0 or at least 134217728"]),
        (file("[search]\nmemory_bytes = 9\n"), ["search.memory_bytes", "0 or at least 16777216"]),
        (file("[search]\nthreads = true\n"), ["`search.threads`", "a boolean, expected an integer"]),
        (file("[search]\nthreads = 1.7\n"), ["`search.threads`", "expected an integer"]),
        (file("[server]\ncompression = 1\n"), ["`server.compression`", "expected a boolean"]),
        (file("[server]\nlisten = 8080\n"), ["`server.listen`", "an integer, expected a string"]),
        (file("[server.listen]\n"), ["`server.listen`", "a table, expected a string"]),
        (file("server = 3\n"), ["`server`", "an integer, expected a table"]),
        (variable("SEARCH__THREADS", "true"), ["`search.threads`", "`true`, expected an integer from 0 to 256"]),
        (variable("TELEMETRY__SAMPLE_RATIO", "yes"), ["`telemetry.sample_ratio`", "`yes`, expected a number"]),
        (variable("SEARCH__THREADS", "-1"), ["search.threads", "`-1`, expected an integer from 0 to 256"]),
        (
            variable("SEARCH__THREADS", "99999999999999999999"),
            ["SUPERFLIP_SEARCH__THREADS", "expected an integer from 0 to 256"],
        ),
        (variable("TELEMETRY__SAMPLE_RATIO", "1.5"), ["telemetry.sample_ratio", "0.0 to 1.0"]),
        (variable("LOG__FORMAT", "xml"), ["log.format", "SUPERFLIP_LOG__FORMAT"]),
        (variable("LOG__FILTER", "a=b=c"), ["log.filter", "SUPERFLIP_LOG__FILTER"]),
        (variable("LOG__FILTER", "wran"), ["nothing would be logged", "Did you mean `warn`?"]),
        (variable("LOG__FILTER", "hyper=debug"), ["nothing would be logged", "superflip=debug"]),
        (variable("SEARCH__QUEUE_LENGTH", "65537"), ["search.queue_length", "from 0 to 65536"]),
        (flag("server.listen", "--listen", "here"), ["server.listen", "--listen"]),
        (flag("tables.profile", "--profile", "huge"), ["tables.profile", "--profile"]),
        (
            variable("SERVER__CORS_ALLOWED_ORIGINS", "example.org"),
            ["server.cors_allowed_origins", "https://app.example.org"],
        ),
        (variable("SERVER__FRAME_ANCESTORS", "example.org"), ["server.frame_ancestors", "https://school.example.org"]),
        (variable("SERVER__FRAME_ANCESTORS", "https://[::1]"), ["server.frame_ancestors", "not the origin"]),
        (variable("SERVER__FRAME_ANCESTORS", "https://A.example;x"), ["server.frame_ancestors", "not the origin"]),
        (variable("SERVER__FRAME_ANCESTORS", "https://A.example"), ["server.frame_ancestors", "https://a.example"]),
        (
            variable("SEARCH__MAX_TIME_LIMIT_MS", "170000"),
            [
                "`server.request_timeout_ms` in the defaults",
                "(170000), as set by the environment variable SUPERFLIP_SEARCH__MAX_TIME_LIMIT_MS",
            ],
        ),
        (
            variable("SERVER__REQUEST_TIMEOUT_MS", "2000"),
            ["`server.request_timeout_ms` in the environment variable", "search.max_time_limit_ms"],
        ),
        (
            refusal(Some("[server]\nrequest_timeout_ms = 2000\n"), &[], &given("server.listen", "--listen", "[::1]:1")),
            ["`server.request_timeout_ms` in the file", "search.max_time_limit_ms"],
        ),
        (file("[access]\nkeys = [{ name = \"a\" }]\n"), ["`access.keys[0]`", "missing key `sha256`"]),
        (
            file("[access]\nkeys = [{ name = \"a\", sha256 = 3 }]\n"),
            ["`access.keys[0].sha256`", "64 hexadecimal digits"],
        ),
        (flag("optimal.table", "--optimal-table", "xxl"), ["--optimal-table", "`off`, `s`, `m`, `l`, `xl`"]),
        (
            file("[tables]\nwhen_memory_is_short = \"go-on\"\n"),
            ["tables.when_memory_is_short", "unknown value `go-on`, expected `refuse` or `go_on`"],
        ),
        (
            file("[log]\nformat = \"xyz\"\n"),
            ["log.format", "unknown value `xyz`, expected one of `auto`, `pretty`, `json`"],
        ),
        (variable("SERVER__REQUEST_BURST", "5"), ["server.requests_per_second", "server.request_burst"]),
        (file("[optimal]\nthreads = 257\n"), ["`optimal.threads`", "from 0 to 256"]),
        (
            file("[optimal]\ntable = \"s\"\nmax_time_limit_ms = 150000\n"),
            ["server.request_timeout_ms", "optimal.max_time_limit_ms (150000)"],
        ),
        (
            file("[optimal]\ntable = \"s\"\ndefault_time_limit_ms = 120001\n"),
            ["optimal.default_time_limit_ms", "optimal.max_time_limit_ms (120000)"],
        ),
    ];
    for (text, parts) in cases {
        assert!(parts.iter().all(|part| text.contains(part)), "{parts:?}: {text}");
    }
}

#[test]
fn the_optimal_table_is_off_by_default() {
    let optimal = load(None, [], &[]).unwrap().optimal;
    assert_eq!((optimal.table, optimal.default_time_limit_ms, optimal.max_time_limit_ms), (None, 60_000, 120_000));
    assert!(optimal.threads() >= 1);
    let table = |name: &str| Flag { key: "optimal.table", flag: "--optimal-table", value: name.into() };
    for size in Size::ALL {
        assert_eq!(load(None, [], &[table(size.name())]).unwrap().optimal.table, Some(size));
    }
    let variable = || variables(&[("SUPERFLIP_OPTIMAL__TABLE", "m")]);
    assert_eq!(load(None, variable(), &[]).unwrap().optimal.table, Some(Size::M));
    assert_eq!(load(None, variable(), &[table("off")]).unwrap().optimal.table, None);
    // Without a table its limits do not apply.
    let short = || variables(&[("SUPERFLIP_SERVER__REQUEST_TIMEOUT_MS", "31000")]);
    load(None, short(), &[]).unwrap();
    assert!(load(None, short(), &[table("s")]).is_err());
}

#[test]
fn a_table_may_be_empty() {
    let file = toml("[server]\n[search]\n");
    assert_eq!(load(Some(file.path()), [], &[]).unwrap().server.listen.to_string(), "127.0.0.1:8080");
}

#[test]
fn a_missing_or_malformed_file_is_named() {
    let text = load(Some(Path::new("/nowhere/at-all.toml")), [], &[]).unwrap_err().to_string();
    assert!(text.contains("/nowhere/at-all.toml: No such file"), "{text}");
    assert!(refusal(Some("[server\n"), &[], &[]).contains("given.toml"));
}

#[cfg(not(feature = "otlp"))]
#[test]
fn an_otlp_endpoint_needs_a_build_with_opentelemetry() {
    let said = refusal(None, &[("SUPERFLIP_TELEMETRY__OTLP_ENDPOINT", "http://127.0.0.1:4318")], &[]);
    assert!(said.contains("telemetry.otlp_endpoint") && said.contains("--features otlp"), "{said}");
}

#[test]
fn errors_do_not_repeat_keys_or_digests() {
    let secret = "0123456789abcdef".repeat(4);
    let key = format!("superflip_{secret}");
    for text in [
        format!("[[access.keys]]\nname = \"ci\"\nsha256 = \"{secret}\n"),
        format!("[[access.keys]]\nname = \"ci\"\nsha256 = {secret}\n"),
        format!("[[access.keys]]\nname = \"ci\"\nsha256 = \"{secret}\"\nsha256 = \"{key}\"\n"),
        format!("{key}\n\n[[access.keys]]\n"),
        format!("[access]\nkeys = [\"{key}\"]\n"),
        format!("[access]\n{key} = 1\n"),
        format!("[[access.keys]]\nname = \"{secret}\"\nsha256 = \"{secret}\"\n"),
        format!("[[access.keys]]\nname = \"ci\"\nsha256 = \"{secret}\"\nrequests_per_second = \"{key}\"\n"),
        format!("[[access.keys]]\nname = \"ci\"\nsha256 = \"{secret}\"\n{key} = 1\n"),
    ] {
        let told = refusal(Some(&text), &[], &[]);
        assert!(!told.contains(&secret[..40]), "{told}");
    }
    for value in [format!("{secret}:ci:x"), format!("ci:{secret}:{key}=5"), format!("{secret}:{secret}")] {
        let told = refusal(None, &[("SUPERFLIP_ACCESS__KEYS", &value)], &[]);
        assert!(!told.contains(&secret[..40]), "{told}");
    }
}

/// A secret that was not mounted must not turn authentication off.
#[test]
fn an_empty_variable_of_keys_is_refused() {
    for value in ["", " ", ",", " , "] {
        let told = refusal(None, &[("SUPERFLIP_ACCESS__KEYS", value)], &[]);
        assert!(told.contains("`access.keys`") && told.contains("contains no key"), "{told}");
    }
}
