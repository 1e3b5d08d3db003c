//! Results in a bucket: moto as the S3 server, with and without TLS, and a server without conditional writes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::common::{Cubes, Process, Queue, kill, text, until};

const PLACE: &str = "s3://results/some/prefix";

/// A queue, and an S3 server that keeps its objects in memory.
struct Bucket {
    queue: Queue,
    server: Option<Child>,
    port: u16,
    scheme: &'static str,
}

impl Bucket {
    /// Starts an empty server with a bucket.
    fn start() -> Self {
        let mut bucket = Self::prepare("http");
        bucket.start_server(&[]);
        bucket
    }

    fn prepare(scheme: &'static str) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self { queue: Queue::start(), server: None, port, scheme }
    }

    fn start_server(&mut self, more: &[&str]) {
        let program = std::env::var_os("MOTO_SERVER").unwrap_or_else(|| "moto_server".into());
        let mut command = Command::new(program);
        command.args(["-H", "127.0.0.1", "-p", &self.port.to_string()]).args(more);
        let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        self.server =
            Some(started.expect("no moto_server: pip install -r jobs/tests/requirements.txt, and set MOTO_SERVER"));
        let port = self.port;
        until("the S3 server listens", 60, || TcpStream::connect(("127.0.0.1", port)).is_ok());
    }

    fn program(&self, arguments: &[&str]) -> Command {
        let mut command = self.queue.program(arguments);
        command.env("AWS_ENDPOINT_URL", format!("{}://127.0.0.1:{}", self.scheme, self.port));
        command.env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "secret").env("AWS_ALLOW_HTTP", "true");
        command
    }

    fn run(&self, arguments: &[&str]) -> String {
        succeed(&mut self.program(arguments))
    }

    /// Submits cubes in chunks of ten lines, and returns the identifier of the job.
    fn submit(&self, cubes: &Cubes, more: &[&str]) -> String {
        succeed(&mut self.submission(cubes, more))
    }

    fn submission(&self, cubes: &Cubes, more: &[&str]) -> Command {
        let file = self.queue.folder.path().join("cubes.jsonl");
        std::fs::write(&file, cubes.lines()).unwrap();
        let file = file.display().to_string();
        self.program(&[&["submit", &file, "--results", PLACE, "--chunk-lines", "10"], more].concat())
    }

    fn worker(&self) -> Command {
        let mut command =
            self.program(&["work", "--profile", "tiny", "--threads", "1", "--ack-wait-ms", "3000", "--until-idle"]);
        // As in the image. It replaces folders only.
        command.env("SUPERFLIP_JOBS__RESULTS", self.queue.results());
        command
    }

    /// Sends a request without TLS, and returns the response.
    fn send(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        // moto does not check the signature, but refuses strangers.
        let key = "Authorization: AWS4-HMAC-SHA256 Credential=key/20260101/us-east-1/s3/aws4_request";
        let head = format!(
            "{method} /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{key}\r\nContent-Length: {}",
            body.len()
        );
        write!(stream, "{head}\r\n\r\n{body}").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    fn create(&self) {
        let created = self.send("PUT", "results", "");
        assert!(created.contains("200 OK"), "{created}");
    }

    fn check(&self, job: &str, cubes: &Cubes, more: &[&str]) {
        cubes.check(self.run(&[&["results", job], more].concat()).as_bytes());
    }
}

impl Drop for Bucket {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            kill(server);
        }
    }
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", text(&output.stderr));
    text(&output.stdout).trim().to_owned()
}

/// Returns what a command that fails with exit code 2 says.
fn refusal(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{command:?}: {}", text(&output.stderr));
    text(&output.stderr)
}

#[test]
fn results_in_a_bucket_survive_a_killed_worker_and_need_no_queue() {
    let (bucket, cubes) = (Bucket::start(), Cubes::new(200, 25));
    bucket.create();
    let job = bucket.submit(&cubes, &["--target-length", "22"]);
    let worker = Process::start(&mut bucket.worker());
    until("a chunk is stored", 60, || bucket.queue.status(&job)["chunks_done"].as_u64().unwrap() > 2);
    worker.kill();
    let workers = [Process::start(&mut bucket.worker()), Process::start(&mut bucket.worker())];
    for worker in workers {
        let output = worker.wait();
        assert!(output.status.success(), "{}: {}", output.status, text(&output.stderr));
    }
    bucket.queue.wait_until_done(&job);
    bucket.check(&job, &cubes, &[]);
    bucket.check(&job, &cubes, &["--results", PLACE, "--nats", "127.0.0.1:1"]);

    let listing = bucket.send("GET", "results?list-type=2", "");
    assert_eq!(listing.matches(&format!("<Key>some/prefix/{job}/chunk-00000")).count(), 20, "{listing}");
    // The manifest, and the empty file that each worker tries to write.
    assert_eq!(listing.matches("<Key>").count(), 22, "{listing}");
    let replaced = bucket.send("PUT", &format!("results/some/prefix/{job}/chunk-0000003.ndjson.zst"), "damage");
    assert!(replaced.contains("200 OK"), "{replaced}");
    let damaged = bucket.program(&["results", &job]).output().unwrap();
    assert!(text(&damaged.stderr).contains("its checksum is wrong"), "{}", text(&damaged.stderr));
    assert_eq!(damaged.status.code(), Some(1));
}

#[test]
fn workers_wait_for_a_bucket_that_is_unreachable() {
    let (mut bucket, cubes) = (Bucket::prepare("http"), Cubes::new(30, 6));
    let job = bucket.submit(&cubes, &[]);
    let mut worker = Process::start(&mut bucket.worker());
    worker.until_log("Connection refused", 1);
    assert!(worker.is_running());
    bucket.start_server(&[]);
    bucket.create();
    bucket.queue.wait_until_done(&job);
    bucket.check(&job, &cubes, &[]);
    let log = text(&worker.stop().stderr);
    assert!(log.contains("Connection refused"), "{log}");
}

#[test]
fn places_that_cannot_be_used_are_refused() {
    let (bucket, cubes) = (Bucket::start(), Cubes::new(5, 5));
    let missing = refusal(&mut bucket.submission(&cubes, &[]));
    assert!(missing.contains("there is no such bucket"), "{missing}");
    let plain = refusal(bucket.submission(&cubes, &[]).env_remove("AWS_ALLOW_HTTP"));
    assert!(plain.contains("has no TLS; set AWS_ALLOW_HTTP=true"), "{plain}");
    for (place, message) in [
        ("s3://", "it has no name"),
        ("s3:///x", "it has no name"),
        ("s3://results/a//b", "empty path segment"),
        ("gs://results", "gs:// is not supported"),
    ] {
        let refused = refusal(&mut bucket.program(&["submit", "/dev/null", "--results", place]));
        assert!(refused.contains(message), "{place}: {refused}");
    }
}

/// A server that accepts every write, and ignores the headers.
fn careless_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming().map(Result::unwrap) {
            let mut lines = BufReader::new(&stream).lines();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let _ = (&stream)
                .write_all(b"HTTP/1.1 200 OK\r\nETag: \"x\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        }
    });
    port
}

#[test]
fn a_server_without_conditional_writes_is_refused() {
    let (mut bucket, cubes) = (Bucket::prepare("http"), Cubes::new(5, 5));
    bucket.port = careless_server();
    let refused = refusal(&mut bucket.submission(&cubes, &[]));
    assert!(refused.contains("ignores conditional writes (If-None-Match)"), "{refused}");
}

/// Makes a certificate for 127.0.0.1, and returns it with its key.
fn certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    let mut command = Command::new("openssl");
    command.args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]);
    command.args(["-addext", "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE"]);
    succeed(command.arg("-keyout").arg(&key).arg("-out").arg(&certificate));
    (certificate, key)
}

#[test]
fn connections_are_encrypted_and_the_certificate_is_verified() {
    let (mut bucket, cubes) = (Bucket::prepare("https"), Cubes::new(30, 6));
    let (certificate, key) = certificate(bucket.queue.folder.path());
    bucket.start_server(&["-c", certificate.to_str().unwrap(), "-k", key.to_str().unwrap()]);
    let url = format!("https://127.0.0.1:{}/results", bucket.port);
    succeed(Command::new("curl").args(["--silent", "--fail", "--insecure", "-X", "PUT", &url]));
    let trusting = |mut command: Command| {
        command.env("SSL_CERT_FILE", &certificate).env_remove("AWS_ALLOW_HTTP");
        command
    };
    let job = succeed(&mut trusting(bucket.submission(&cubes, &[])));
    succeed(&mut trusting(bucket.worker()));
    cubes.check(succeed(&mut trusting(bucket.program(&["results", &job]))).as_bytes());
    let stranger = bucket.program(&["results", &job]).output().unwrap();
    assert_eq!(stranger.status.code(), Some(1));
    assert!(text(&stranger.stderr).contains("invalid peer certificate"), "{}", text(&stranger.stderr));
}
