//! Security of the program: the files it writes, and keys that it must not reveal.

use std::io::Write as _;

use crate::common::prelude::*;

/// Output of curl for a path, head included.
fn curl(program: &Program, arguments: &[&str]) -> String {
    let (path, rest) = arguments.split_last().unwrap();
    let url = format!("http://{}{path}", program.address());
    let output = Command::new("curl").args(["--silent", "--include"]).args(rest).arg(url).output().expect("curl");
    // A table file is not text.
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Length and modification time of each file of a folder.
fn state_of(folder: &Path) -> BTreeMap<String, (u64, String)> {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let state = files.map(|file| {
        let about = file.metadata().unwrap();
        (file.file_name().into_string().unwrap(), (about.len(), format!("{:?}", about.modified().unwrap())))
    });
    state.collect()
}

/// Files that a process has open for writing, without pipes and sockets.
#[cfg(target_os = "linux")]
fn written_by(process: u32) -> Vec<String> {
    let open = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().map(Result::unwrap);
    let files = open.filter_map(|link| {
        let path = std::fs::read_link(link.path()).ok()?.to_str()?.to_owned();
        let number = link.file_name().into_string().ok()?;
        // Standard input and output belong to the parent process.
        if ["0", "1", "2"].contains(&number.as_str()) {
            return None;
        }
        let about = std::fs::read_to_string(format!("/proc/{process}/fdinfo/{number}")).ok()?;
        let flags = about.lines().find_map(|line| line.strip_prefix("flags:"))?.trim().to_owned();
        // The last octal digit is the access mode; 0 is read-only.
        let is_file = path.starts_with('/') && !path.starts_with("/dev/");
        (is_file && !flags.ends_with('0') && !flags.ends_with('4')).then_some(path)
    });
    files.collect()
}

#[cfg(target_os = "linux")]
#[test]
fn with_complete_tables_no_file_is_written() {
    let tables = copied();
    let (home, before) = (tempfile::tempdir().unwrap(), state_of(tables.path()));
    std::fs::set_permissions(tables.path(), std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
    // With a file size limit of 0, the kernel ends a process that writes to a file.
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -f 0; exec \"$0\" serve --listen 127.0.0.1:0 --profile small --log-format json --tables-dir \"$1\"",
    ]);
    command.arg(&*BINARY).arg(tables.path()).env_clear();
    command
        .env("SUPERFLIP_TABLES__SERVE_WHILE_BUILDING", "false")
        .env("HOME", home.path())
        .env("XDG_CACHE_HOME", home.path())
        .env("TMPDIR", "/nowhere/at/all")
        .current_dir("/");
    let program = Program::ready(command);
    for path in ["/solve?scramble=R%20U%20F", "/coords/comp(twist,flip)", "/tables/twist_move/raw", "/metrics"] {
        let answer = curl(&program, &["--globoff", path]);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", &answer[..answer.len().min(600)]);
    }
    let check = curl(&program, &["--request", "POST", "/tables/twist_move/verify"]);
    assert!(check.starts_with("HTTP/1.1 200"), "{check}");
    assert_eq!(written_by(program.id()), [""; 0], "open for writing");
    program.stopped();
    std::fs::set_permissions(tables.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(state_of(tables.path()), before);
    assert_eq!(state_of(home.path()), BTreeMap::new());
}

/// The key that `superflip key new` prints, and its lines for the configuration file.
fn new_key() -> (String, String) {
    let printed = run(&["key", "new", "--name", "ci"], 0);
    let (key, lines) = (printed.err.strip_suffix('\n').unwrap(), printed.out);
    assert!(key.starts_with("superflip_") && !key.contains(char::is_whitespace), "{key}");
    assert!(!lines.contains("superflip_"), "{lines}");
    (key.to_owned(), lines)
}

#[test]
fn a_new_key_is_printed_with_its_configuration() {
    let (key, lines) = new_key();
    assert_ne!(new_key().0, key);
    // sha256sum is an independent implementation.
    let mut sum = Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sum.stdin.take().unwrap().write_all(key.as_bytes()).unwrap();
    let sum = Ran::check(&sum.wait_with_output().unwrap(), 0).out;
    assert!(lines.contains(&format!("sha256 = \"{}\"", sum.split(' ').next().unwrap())), "{lines}");
    // `>>` appends the lines to a file, whose last line may have no end.
    let config = load::load(Some(toml(&format!("[log]\nfilter = \"warn\"{lines}")).path()), [], &[]).unwrap();
    assert_eq!((config.log.filter.as_str(), config.access.keys[0].name.as_str()), ("warn", "ci"));
    assert_eq!(config.access.keys[0].sha256, KeyDigest::of(key.as_bytes()));
    run(&["key", "new", "--name", "a b"], 2);
}

#[test]
fn keys_and_digests_are_never_revealed() {
    let (key, lines) = new_key();
    let digest = KeyDigest::of(key.as_bytes()).to_hex();
    let wrong = "superflip_c0ffee00c0ffee00c0ffee00c0ffee00";
    let file = toml(&format!("{lines}requests_per_second = 50\n"));
    let tables = copied();
    let mut command = superflip(&["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--log-filter", "trace"]);
    command.arg("--tables-dir").arg(tables.path()).arg("--config").arg(file.path());
    let program = Program::ready(command);
    let mut told = String::new();
    for given in [key.as_str(), wrong] {
        for header in [format!("authorization: Bearer {given}"), format!("x-api-key: {given}")] {
            for protocol in ["--http1.1", "--http2-prior-knowledge"] {
                for path in ["/solve?scramble=R", "/nowhere", "/solve", "/moves/F", "/metrics", "/readyz"] {
                    let answer = curl(&program, &[protocol, "--header", &header, path]);
                    assert!(answer.starts_with("HTTP/"), "{protocol} {path}");
                    told += &answer;
                }
            }
        }
    }
    told += &http2(program.address(), &key);
    assert!(told.contains("\"solution\"") && told.contains("unknown_key") && told.contains("superflip_rejected_total"));
    let log = program.stopped().iter().map(|line| line.to_string() + "\n").collect::<String>();
    assert!(log.contains("\"level\":\"TRACE\""), "the log has no trace events");
    assert!(log.contains("\"key\":\"ci\""), "the log does not name the key");
    for (what, text) in [("a response", &told), ("the log", &log)] {
        for secret in [key.as_str(), &key["superflip_".len()..], &digest, &digest.to_uppercase(), wrong, &wrong[10..]] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{what} reveals a key or its digest");
        }
    }
    let config = format!("{:#?}", load::load(Some(file.path()), [], &[]).unwrap());
    assert!(config.contains("redacted") && !config.contains(&digest) && !config.contains(&digest[..16]), "{config}");
}

/// Sends a request over HTTP/2 without curl, which may be built without it.
fn http2(address: SocketAddr, key: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let (sender, connection) = h2::client::handshake(stream).await.unwrap();
        tokio::spawn(connection);
        let request = Request::get(format!("http://{address}/solve?scramble=R")).header("x-api-key", key);
        let mut sender = sender.ready().await.unwrap();
        let (answer, _) = sender.send_request(request.body(()).unwrap(), true).unwrap();
        let answer = answer.await.unwrap();
        assert_eq!(answer.status(), 200);
        format!("{answer:?}")
    })
}

#[test]
fn errors_about_keys_do_not_repeat_them() {
    let (key, lines) = new_key();
    let digest = KeyDigest::of(key.as_bytes()).to_hex();
    let of = |text: &str| load::load(Some(toml(text).path()), [], &[]).map(|_| ()).unwrap_err().to_string();
    let cases = [
        (lines.replace(&digest, &key), "this is an API key"),
        (lines.replace(&digest, &digest[1..]), "64 hexadecimal digits"),
        (lines.replace("\"ci\"", "\"\""), "the name of key 1"),
        (lines.replace("\"ci\"", &format!("\"{key}\"")), "the name of key 1"),
        (lines.clone() + &lines, "two keys are named `ci`"),
        (lines.clone() + &lines.replace("ci", "other"), "`ci` and `other` have the same sha256"),
        (lines.clone() + "requests_per_second = true\n", "an integer from 0 to 1000000"),
        (lines.clone() + "requests_per_second = -1\n", "an integer from 0 to 1000000"),
        (
            lines.clone() + "requests_per_second = 9\nrequest_burst = 3\n",
            "must be 0 or at least its requests_per_second (9)",
        ),
        (lines.clone() + "limit = 9\n", "`limit`"),
        ("[access]\nkeys = 7\n".to_owned(), "expected an array"),
        ("[server]\nrequests_per_second = 9\nrequest_burst = 3\n".to_owned(), "server.requests_per_second (9)"),
    ];
    for (text, part) in cases {
        let said = of(&text);
        assert!(said.contains(part), "{part}: {said}");
        assert!(!said.contains(&digest[1..]) && !said.contains(&key[10..]), "{said}");
    }
    let variable = |value: &str| load::load(None, [("SUPERFLIP_ACCESS__KEYS".to_owned(), value.to_owned())], &[]);
    let config =
        variable(&format!("ci:{digest}, b:{}:requests_per_second=5:max_requests=2", digest.replace(&digest[..1], "7")));
    if let Ok(config) = config {
        let (ci, b) = (&config.access.keys[0], &config.access.keys[1]);
        let limits = |key| {
            let limits = config.client_limits(Some(key));
            (limits.requests_per_second, limits.burst, limits.max_requests)
        };
        assert_eq!((ci.name.as_str(), ci.requests_per_second, limits(ci)), ("ci", None, (0, 0, 0)));
        assert_eq!((b.name.as_str(), limits(b)), ("b", (5, 5, 2)));
    } else {
        // Only if the digest begins with a 7, so that both digests are equal.
        assert!(digest.starts_with('7'));
    }
    for (value, part) in [
        (key.clone(), "name:sha256"),
        (format!("ci:{key}"), "this is an API key"),
        (format!("ci:{digest}:5"), "requests_per_second=5"),
        (format!("ci:{digest}:limit=5"), "limit"),
    ] {
        let said = variable(&value).unwrap_err().to_string();
        assert!(said.contains(part) && said.contains("SUPERFLIP_ACCESS__KEYS"), "{part}: {said}");
        assert!(!said.contains(&digest) && !said.contains(&key), "{said}");
    }
}
