//! Security of the program: the files it writes, and keys that it must not reveal.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant, SystemTime};

use axum::http::Request;
use serde_json::Value;
use superflip::service::access::keys::KeyDigest;
use superflip::service::config::load;

/// A folder with hard links to the small tables.
fn tables() -> tempfile::TempDir {
    let _ = crate::common::SMALL.profile();
    let copy = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let list = crate::common::SMALL.list();
    for file in std::fs::read_dir(crate::common::tables_folder()).unwrap().map(Result::unwrap) {
        let name = file.file_name().into_string().unwrap();
        if list.iter().any(|table| name.contains(table.name)) && file.metadata().unwrap().len() < 64 << 20 {
            // The program replaces files and never writes into them, so links are enough.
            std::fs::hard_link(file.path(), copy.path().join(name)).unwrap();
        }
    }
    copy
}

/// A running server and its log; killed on drop.
struct Server {
    child: Child,
    address: String,
    log: mpsc::Receiver<String>,
    head: Vec<String>,
}

impl Server {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let (sender, log) = mpsc::channel();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let mut head = Vec::new();
        let address = loop {
            let line = log.recv_timeout(Duration::from_mins(1)).unwrap_or_else(|_| panic!("{head:#?}"));
            let value: Value = serde_json::from_str(&line).unwrap_or_default();
            head.push(line);
            if value["message"] == "listening" {
                break value["address"].as_str().unwrap().to_owned();
            }
        };
        let server = Self { child, address, log, head };
        let start = Instant::now();
        while !server.curl(&["/readyz"]).contains("200") {
            assert!(
                start.elapsed() < Duration::from_mins(1),
                "not ready: {:?}",
                server.log.try_iter().collect::<Vec<_>>()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Output of curl for a path, head included.
    fn curl(&self, arguments: &[&str]) -> String {
        let (path, rest) = arguments.split_last().unwrap();
        let url = format!("http://{}{path}", self.address);
        let output = Command::new("curl").args(["--silent", "--include"]).args(rest).arg(url).output().expect("curl");
        // A table file is not text.
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Stops the server and returns its log.
    fn stopped(mut self) -> String {
        let status = Command::new("kill").arg(self.child.id().to_string()).status().unwrap();
        assert!(status.success() && self.child.wait().unwrap().success());
        let rest: Vec<String> = self.log.iter().collect();
        [std::mem::take(&mut self.head), rest].concat().join("\n")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It fails if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_superflip"));
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUPERFLIP_")) {
        command.env_remove(name);
    }
    command
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Length and modification time of each file of a folder.
fn state_of(folder: &Path) -> BTreeMap<String, (u64, SystemTime)> {
    let files = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let state = files.map(|file| {
        let about = file.metadata().unwrap();
        (file.file_name().into_string().unwrap(), (about.len(), about.modified().unwrap()))
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
    let tables = tables();
    let (home, before) = (tempfile::tempdir().unwrap(), state_of(tables.path()));
    std::fs::set_permissions(tables.path(), std::os::unix::fs::PermissionsExt::from_mode(0o555)).unwrap();
    // With a file size limit of 0, the kernel ends a process that writes to a file.
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "ulimit -f 0; exec \"$0\" serve --listen 127.0.0.1:0 --profile small --log-format json --tables-dir \"$1\"",
    ]);
    command.arg(env!("CARGO_BIN_EXE_superflip")).arg(tables.path()).env_clear();
    command
        .env("HOME", home.path())
        .env("XDG_CACHE_HOME", home.path())
        .env("TMPDIR", "/nowhere/at/all")
        .current_dir("/");
    let server = Server::start(&mut command);
    for path in ["/solve?scramble=R%20U%20F", "/coords/comp(twist,flip)", "/tables/twist_move/raw", "/metrics"] {
        let answer = server.curl(&["--globoff", path]);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", &answer[..answer.len().min(600)]);
    }
    let check = server.curl(&["--request", "POST", "/tables/twist_move/verify"]);
    assert!(check.starts_with("HTTP/1.1 200"), "{check}");
    assert_eq!(written_by(server.child.id()), [""; 0], "open for writing");
    server.stopped();
    std::fs::set_permissions(tables.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    assert_eq!(state_of(tables.path()), before);
    assert_eq!(state_of(home.path()), BTreeMap::new());
}

/// The key that `superflip key new` prints, and its lines for the configuration file.
fn new_key() -> (String, String) {
    let output = binary().args(["key", "new", "--name", "ci"]).output().unwrap();
    assert!(output.status.success(), "{}", text(&output));
    let printed = String::from_utf8(output.stdout).unwrap();
    let (key, lines) = printed.split_once("\n\n").unwrap();
    (key.to_owned(), lines.to_owned())
}

#[test]
fn a_new_key_is_printed_with_its_configuration() {
    let (key, lines) = new_key();
    assert_ne!(new_key().0, key);
    // sha256sum is an independent implementation.
    let mut sum = Command::new("sha256sum").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    sum.stdin.take().unwrap().write_all(key.as_bytes()).unwrap();
    let sum = text(&sum.wait_with_output().unwrap());
    assert!(lines.contains(&format!("sha256 = \"{}\"", sum.split(' ').next().unwrap())), "{lines}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("superflip.toml");
    std::fs::write(&path, &lines).unwrap();
    let config = load::load(Some(&path), [], &[]).unwrap();
    assert_eq!(config.access.keys[0].name, "ci");
    assert_eq!(config.access.keys[0].sha256, KeyDigest::of(key.as_bytes()));
    let output = binary().args(["key", "new", "--name", "a b"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
}

#[test]
fn keys_and_digests_are_never_revealed() {
    let (key, lines) = new_key();
    let digest = KeyDigest::of(key.as_bytes()).to_hex();
    let wrong = "superflip_c0ffee00c0ffee00c0ffee00c0ffee00";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("superflip.toml");
    std::fs::write(&path, format!("{lines}requests_per_second = 50\n")).unwrap();
    let tables = tables();
    let mut command = binary();
    command.args(["serve", "--listen", "127.0.0.1:0", "--profile", "small", "--log-format", "json"]);
    command.args(["--log-filter", "trace", "--tables-dir"]).arg(tables.path()).arg("--config").arg(&path);
    let server = Server::start(&mut command);
    let mut told = String::new();
    for given in [key.as_str(), wrong] {
        for header in [format!("authorization: Bearer {given}"), format!("x-api-key: {given}")] {
            for protocol in ["--http1.1", "--http2-prior-knowledge"] {
                for path in ["/solve?scramble=R", "/nowhere", "/solve", "/moves/F", "/metrics", "/readyz"] {
                    let answer = server.curl(&[protocol, "--header", &header, path]);
                    assert!(answer.starts_with("HTTP/"), "{protocol} {path}");
                    told += &answer;
                }
            }
        }
    }
    told += &http2(&server.address, &key);
    assert!(told.contains("\"solution\"") && told.contains("unknown_key") && told.contains("superflip_rejected_total"));
    let log = server.stopped();
    assert!(log.contains("\"level\":\"TRACE\""), "the log has no trace events");
    assert!(log.contains("\"key\":\"ci\""), "the log does not name the key");
    for (what, text) in [("a response", &told), ("the log", &log)] {
        for secret in [key.as_str(), &key["superflip_".len()..], &digest, &digest.to_uppercase(), wrong, &wrong[10..]] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "{what} reveals a key or its digest");
        }
    }
    let config = format!("{:#?}", load::load(Some(&path), [], &[]).unwrap());
    assert!(config.contains("redacted") && !config.contains(&digest) && !config.contains(&digest[..16]), "{config}");
}

/// Sends a request over HTTP/2 without curl, which may be built without it.
fn http2(address: &str, key: &str) -> String {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let stream = TcpStream::connect(address).unwrap();
    stream.set_nonblocking(true).unwrap();
    runtime.block_on(async {
        let stream = tokio::net::TcpStream::from_std(stream).unwrap();
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
    let of = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("given.toml");
        std::fs::write(&path, text).unwrap();
        load::load(Some(&path), [], &[]).map(|_| ()).unwrap_err().to_string()
    };
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
