//! Servers, workers and cubes.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use serde_json::Value;
use superflip_cube::{Cube, Moves};
use tempfile::TempDir;

/// Deadline of chunks in most tests: short, so that chunks of killed workers come back soon.
pub(crate) const ACK_WAIT: &str = "3000";

/// A NATS server with file storage, and a folder for results.
pub(crate) struct Queue {
    server: Option<Child>,
    address: String,
    port: u16,
    pub(crate) folder: TempDir,
    /// Maximum time for a job, in seconds.
    pub(crate) patience: u64,
}

impl Queue {
    pub(crate) fn start() -> Self {
        Self::start_at("127.0.0.1")
    }

    pub(crate) fn start_at(address: &str) -> Self {
        let port = TcpListener::bind((address, 0)).unwrap().local_addr().unwrap().port();
        let mut queue = Self {
            server: None,
            address: address.to_owned(),
            port,
            folder: tempfile::tempdir().unwrap(),
            patience: 150,
        };
        queue.start_server();
        queue
    }

    pub(crate) fn start_server(&mut self) {
        self.start_server_with(&["-js"]);
    }

    pub(crate) fn start_server_with(&mut self, more: &[&str]) {
        let store = self.folder.path().join("nats");
        let log = self.folder.path().join("nats.log");
        let port = self.port.to_string();
        let mut command = Command::new("nats-server");
        command.args(more).args(["-a", &self.address, "-p", &port, "-l"]).arg(log).arg("-sd").arg(store);
        self.server = Some(command.spawn().expect("nats-server is not installed: apt-get install nats-server"));
        let address = (self.address.as_str(), self.port);
        until("the NATS server listens", 20, || std::net::TcpStream::connect(address).is_ok());
    }

    /// Kills the server with SIGKILL.
    pub(crate) fn kill_server(&mut self) {
        kill(self.server.take().unwrap());
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://{}:{}", self.address, self.port)
    }

    pub(crate) fn results(&self) -> PathBuf {
        self.folder.path().join("results")
    }

    /// Returns the program with the address of the server.
    pub(crate) fn program(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_superflip-jobs"));
        command.args(arguments).env("SUPERFLIP_JOBS__URL", self.url()).stdin(Stdio::null());
        command
    }

    /// Runs the program, and returns its standard output.
    pub(crate) fn run(&self, arguments: &[&str]) -> String {
        let output = self.program(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Writes a file of cubes, submits it, and returns the identifier of the job.
    pub(crate) fn submit(&self, input: &str, more: &[&str]) -> String {
        let submitted: Value = serde_json::from_str(&self.run(&self.submission(input, more).as_args())).unwrap();
        submitted["job"].as_str().unwrap().to_owned()
    }

    /// Returns the arguments of a submission of a new file.
    pub(crate) fn submission(&self, input: &str, more: &[&str]) -> Arguments {
        let file = self.folder.path().join("cubes.jsonl");
        std::fs::write(&file, input).unwrap();
        let results = self.results();
        let mut arguments = vec!["submit".to_owned(), file.display().to_string(), "--json".to_owned()];
        arguments.extend(["--results".to_owned(), results.display().to_string()]);
        arguments.extend(more.iter().map(|&more| more.to_owned()));
        Arguments(arguments)
    }

    /// Starts a worker.
    pub(crate) fn worker(&self, more: &[&str]) -> Process {
        Process::start(&mut self.worker_command(more))
    }

    pub(crate) fn worker_command(&self, more: &[&str]) -> Command {
        let mut command = self.program(&["work", "--profile", "tiny", "--threads", "1", "--ack-wait-ms", ACK_WAIT]);
        // The log tells of the connection too.
        command.args(more).env("SUPERFLIP_LOG__FILTER", "warn,async_nats=info");
        command
    }

    pub(crate) fn status(&self, job: &str) -> Value {
        serde_json::from_str(&self.run(&["status", job, "--json"])).unwrap()
    }

    /// Runs an operation on the streams.
    pub(crate) fn with_streams<T>(&self, operation: impl AsyncFnOnce(jetstream::Context) -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { operation(jetstream::new(async_nats::connect(self.url()).await.unwrap())).await })
    }

    /// Returns what the server knows of the consumer that the workers share.
    pub(crate) fn consumer_info(&self) -> Value {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let client = async_nats::connect(self.url()).await.unwrap();
            let answer = client.request("$JS.API.CONSUMER.INFO.SUPERFLIP_CHUNKS.workers", "".into()).await.unwrap();
            serde_json::from_slice(&answer.payload).unwrap()
        })
    }

    pub(crate) fn wait_until_done(&self, job: &str) {
        until("the job is done", self.patience, || self.status(job)["state"] == "done");
    }

    /// Checks that the job is done, with one answer for each line, in order, and replays every solution.
    pub(crate) fn check(&self, job: &str, cubes: &Cubes) {
        self.wait_until_done(job);
        let mut printing = self.program(&["results", job]).stdout(Stdio::piped()).spawn().unwrap();
        cubes.check(BufReader::new(printing.stdout.take().unwrap()));
        assert!(printing.wait().unwrap().success());
        let status = self.status(job);
        assert_eq!(status["lines_done"], cubes.scrambles.len(), "{status}");
    }
}

impl Drop for Queue {
    fn drop(&mut self) {
        if self.server.is_some() {
            self.kill_server();
        }
    }
}

/// Options of a job of [`Cubes::long_job`].
pub(crate) const LONG_JOB: &[&str] = &["--chunk-lines", "20", "--target-length", "20"];

/// Arguments of a command.
pub(crate) struct Arguments(Vec<String>);

impl Arguments {
    pub(crate) fn as_args(&self) -> Vec<&str> {
        self.0.iter().map(String::as_str).collect()
    }
}

/// A process that ends with its test. Its log is read while it runs.
pub(crate) struct Process {
    child: Child,
    log: Arc<Mutex<Vec<u8>>>,
    reader: Option<JoinHandle<()>>,
}

impl Process {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::<Mutex<Vec<u8>>>::default();
        let reader = std::thread::spawn({
            let log = Arc::clone(&log);
            move || {
                let mut line = Vec::new();
                while errors.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                    log.lock().unwrap().append(&mut line);
                }
            }
        });
        Self { child, log, reader: Some(reader) }
    }

    /// Waits until the log contains these words so many times.
    pub(crate) fn until_log(&self, words: &str, times: usize) {
        until(words, 60, || text(&self.log.lock().unwrap()).matches(words).count() >= times);
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(self) {
        drop(self);
    }

    /// Asks it to stop with SIGTERM, and returns its output.
    pub(crate) fn stop(self) -> Output {
        signal(&self.child, "TERM");
        self.wait()
    }

    pub(crate) fn wait(mut self) -> Output {
        let status = self.child.wait().unwrap();
        self.reader.take().unwrap().join().unwrap();
        let stderr = std::mem::take(&mut *self.log.lock().unwrap());
        Output { status, stdout: Vec::new(), stderr }
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

pub(crate) fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().unwrap();
    assert!(status.success());
}

/// Cubes as scrambles.
pub(crate) struct Cubes {
    pub(crate) scrambles: Vec<String>,
}

impl Cubes {
    /// Returns `count` scrambles of `moves` moves, the same each time.
    pub(crate) fn new(count: usize, moves: usize) -> Self {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from((state >> 33) % below).unwrap()
        };
        let mut scramble = || {
            let moves = (0..moves)
                .map(|_| format!("{}{}", ["U", "R", "F", "D", "L", "B"][random(6)], ["", "2", "'"][random(3)]));
            moves.collect::<Vec<_>>().join(" ")
        };
        Self { scrambles: (0..count).map(|_| scramble()).collect() }
    }

    /// Formats them as lines with identifiers.
    pub(crate) fn lines(&self) -> String {
        let lines = self.scrambles.iter().enumerate();
        let line = |(i, scramble)| format!("{{\"id\": {i}, \"scramble\": \"{scramble}\"}}\n");
        lines.map(line).collect::<Vec<_>>().concat()
    }

    /// Cubes of random moves: with [`LONG_JOB`], a job of 100 chunks that takes some seconds also on a fast machine.
    pub(crate) fn long_job() -> Self {
        Self::new(2000, 25)
    }

    /// Checks that there is one answer for each cube, in order, and that its solution solves it.
    pub(crate) fn check(&self, answers: impl BufRead) {
        let mut count = 0;
        for (i, answer) in answers.lines().enumerate() {
            let answer: Value = serde_json::from_str(&answer.unwrap()).unwrap();
            assert_eq!((&answer["id"], &answer["line"]), (&i.into(), &(i + 1).into()), "{answer}");
            let solution = answer["solution"].as_str().unwrap_or_else(|| panic!("{answer}"));
            assert!(is_solved(&self.scrambles[i], solution), "{solution} does not solve {}", self.scrambles[i]);
            count += 1;
        }
        assert_eq!(count, self.scrambles.len());
    }
}

fn is_solved(scramble: &str, solution: &str) -> bool {
    let mut cube = Cube::from_scramble(scramble).unwrap();
    for mv in solution.parse::<Moves>().unwrap() {
        cube = cube.then(mv.cube());
    }
    cube.is_solved()
}

/// Returns the names of the files of a job with their inodes, which a replaced file does not keep.
pub(crate) fn files(folder: &Path) -> HashMap<String, u64> {
    use std::os::unix::fs::MetadataExt as _;
    let entries = std::fs::read_dir(folder).into_iter().flatten().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), entry.metadata().unwrap().ino())).collect()
}

/// Waits until a condition holds.
pub(crate) fn until(what: &str, seconds: u64, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(seconds);
    while !condition() {
        assert!(Instant::now() < end, "not within {seconds} s: {what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
