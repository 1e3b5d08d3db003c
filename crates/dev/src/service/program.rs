//! Starts the program `superflip` and watches it from outside: its log, its exit status and what it uses.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::wire::blocking::fetch;

/// A binary that takes the place of the usual one in this test program.
pub static OTHER_BINARY: OnceLock<&str> = OnceLock::new();

/// Path of the binary, which cargo builds before the tests of its package.
pub static BINARY: LazyLock<String> = LazyLock::new(|| {
    if let Some(&other) = OTHER_BINARY.get() {
        return other.to_owned();
    }
    let program = std::env::current_exe().expect("a path");
    let folder = program.ancestors().nth(2).expect("target/debug");
    folder.join("superflip").to_str().expect("UTF-8").to_owned()
});

/// The program with these arguments, the small profile and none of the `SUPERFLIP_` variables of the caller.
pub fn superflip(arguments: &[&str]) -> Command {
    isolated(Command::new(&*BINARY), arguments)
}

/// The program started by a shell after this command, such as `ulimit -v 300000`.
pub fn superflip_after(shell: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{shell}; exec \"$0\" \"$@\""), &BINARY]);
    isolated(command, arguments)
}

/// The program with the tables of the profile `tiny`, which are ready at once. Coset tables are in the folder that all tests share.
pub fn on_tables(arguments: &[&str]) -> Command {
    let mut command = superflip(arguments);
    command.env("SUPERFLIP_TABLES__PROFILE", "tiny").env("SUPERFLIP_TABLES__DIR", super::tables_folder());
    command
}

/// The program with the small tables, in the folder that all tests share.
pub fn on_small_tables(arguments: &[&str]) -> Command {
    drop(super::small_tables());
    let mut command = on_tables(arguments);
    command.env("SUPERFLIP_TABLES__PROFILE", "small");
    command
}

/// A shell script with a tmpfs mounted on `folder`, with these options, such as `size=8m`. In the script, `$0` is the program and `$1` the
/// folder. `None` if no file system can be mounted here.
#[cfg(target_os = "linux")]
pub fn on_disk(folder: &Path, options: &str, script: &str) -> Option<Command> {
    let is_root = rustix::process::getuid().is_root();
    let namespace: &[&str] = if is_root { &["--mount"] } else { &["--user", "--map-root-user", "--mount"] };
    let mounted = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(namespace).args(["sh", "-c"]);
        command.arg(format!("mount -t tmpfs -o {options} tmpfs \"$1\" || exit 77; {script}"));
        let mut command = isolated(command, &[&BINARY]);
        command.arg(folder);
        command
    };
    let is_possible = mounted("true").output().is_ok_and(|output| output.status.success());
    is_possible.then(|| mounted(script))
}

/// Removes the `SUPERFLIP_` variables of the caller from a command and sets the small profile. A service is ready only with those
/// tables.
pub fn isolated(mut command: Command, arguments: &[&str]) -> Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUPERFLIP_")) {
        command.env_remove(name);
    }
    command.envs([("SUPERFLIP_TABLES__PROFILE", "small"), ("SUPERFLIP_TABLES__SERVE_WHILE_BUILDING", "false")]);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// `superflip solve "R U"` on a folder of small tables, with a log of each table that is built.
pub fn solve(folder: &Path) -> Command {
    let mut command = superflip(&["solve", "R U", "--profile", "small", "--tables-dir"]);
    command.arg(folder).env("SUPERFLIP_LOG__FILTER", "superflip=debug");
    command
}

/// `superflip tables build` on a folder, with the same log.
pub fn build(folder: &Path) -> Command {
    let mut command = superflip(&["tables", "build", "--tables-dir"]);
    command.arg(folder).env("SUPERFLIP_LOG__FILTER", "superflip=debug");
    command
}

/// What a command wrote before it ended with the expected exit code.
pub struct Ran {
    pub out: String,
    pub err: String,
}

impl Ran {
    /// Runs a command, and checks its exit code.
    #[track_caller]
    pub fn of(command: &mut Command, code: i32) -> Self {
        Self::check(&command.output().expect("it runs"), code)
    }

    #[track_caller]
    pub fn check(output: &Output, code: i32) -> Self {
        let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8(bytes.clone()).expect("UTF-8"));
        assert_eq!(output.status.code(), Some(code), "{out}{err}");
        Self { out, err }
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}{}", self.out, self.err))
    }

    /// The lines of standard output as one JSON document each.
    #[track_caller]
    pub fn documents(&self) -> Vec<Value> {
        self.lines().into_iter().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"))).collect()
    }

    pub fn lines(&self) -> Vec<&str> {
        self.out.lines().collect()
    }
}

/// Runs `superflip` with these arguments, and checks its exit code.
#[track_caller]
pub fn run(arguments: &[&str], code: i32) -> Ran {
    Ran::of(&mut superflip(arguments), code)
}

/// The same with the tables of the profile `tiny`.
#[track_caller]
pub fn run_on_tables(arguments: &[&str], code: i32) -> Ran {
    Ran::of(&mut on_tables(arguments), code)
}

/// The same with the small tables.
#[track_caller]
pub fn run_on_small_tables(arguments: &[&str], code: i32) -> Ran {
    Ran::of(&mut on_small_tables(arguments), code)
}

/// Runs it with the tables of the profile `tiny` and this text on standard input.
#[track_caller]
pub fn run_with_input(arguments: &[&str], input: &str, code: i32) -> Ran {
    let mut command = on_tables(arguments);
    command.stdin(Stdio::piped());
    Ran::check(&Program::start(command).answered(input), code)
}

/// Bytes that a program wrote, as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Checks that the command of [`solve`] succeeded, and returns its standard error.
#[track_caller]
pub fn solved(output: &Output) -> String {
    let errors = text(&output.stderr);
    assert!(output.status.success() && text(&output.stdout) == "U' R'\n", "{}: {errors}", output.status);
    errors
}

/// Checks that a command ended with exit code 1 and no answer, and returns its error message.
#[track_caller]
pub fn refused(output: &Output) -> String {
    let errors = text(&output.stderr);
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{}: {errors}", output.status);
    errors.lines().rfind(|line| line.starts_with("superflip: ")).unwrap_or_else(|| panic!("{errors}")).to_owned()
}

/// Waits for a condition, and fails after two minutes.
#[track_caller]
pub fn wait(mut is_so: impl FnMut() -> bool, what: impl Fn() -> String) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_mins(2), "never: {}", what());
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A running process of the program. Its log is read while it runs; it is killed when dropped.
pub struct Program {
    child: Child,
    lines: Arc<Mutex<Vec<String>>>,
    reader: Option<JoinHandle<()>>,
}

/// Resources that a process uses.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    pub resident_kib: u64,
    pub descriptors: usize,
    pub threads: usize,
}

impl Program {
    /// Starts a command with pipes for standard output and standard error.
    pub fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
        let errors = BufReader::new(child.stderr.take().expect("a pipe"));
        let lines = Arc::new(Mutex::new(Vec::new()));
        let reader = std::thread::spawn({
            let lines = Arc::clone(&lines);
            move || {
                errors.lines().map_while(Result::ok).for_each(|line| lines.lock().expect("no panic").push(line));
            }
        });
        Self { child, lines, reader: Some(reader) }
    }

    /// Starts [`serve`] with these flags and variables, and waits until it is ready.
    pub fn serve(flags: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut command = serve();
        command.args(flags).envs(environment.iter().copied());
        Self::ready(command)
    }

    /// Starts a command that serves, and waits until it is ready.
    pub fn ready(command: Command) -> Self {
        let program = Self::start(command);
        program.until_ready("");
        program
    }

    /// Address on which it listens.
    pub fn address(&self) -> SocketAddr {
        let line = self.line(|line| line["message"] == "listening");
        line["address"].as_str().expect("an address").parse().expect("an address")
    }

    /// Waits until `/readyz` answers 200 with these words.
    #[track_caller]
    pub fn until_ready(&self, words: &str) {
        let address = self.address();
        let is_ready = || {
            let reply = fetch(address, "/readyz");
            reply.status == 200 && reply.body.contains(words)
        };
        wait(is_ready, || format!("ready {words}: {}", self.text_of_log()));
    }

    /// The log so far, as text.
    pub fn text_of_log(&self) -> String {
        self.lines.lock().expect("no panic").join("\n")
    }

    /// Every line of the log so far, each of which must be JSON.
    #[track_caller]
    pub fn log(&self) -> Vec<Value> {
        let lines = self.lines.lock().expect("no panic").clone();
        lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
    }

    /// Waits for a line of the log that meets the condition, and returns the first one.
    #[track_caller]
    pub fn line(&self, is_such: impl Fn(&Value) -> bool) -> Value {
        let (mut found, mut from) = (None, 0);
        let is_there = || {
            let lines = self.lines.lock().expect("no panic");
            let new = lines[from..].iter().filter_map(|line| serde_json::from_str(line).ok());
            found = new.into_iter().find(&is_such);
            from = lines.len();
            found.is_some() || self.has_closed_its_log()
        };
        wait(is_there, || format!("a line of the log: {}", self.text_of_log()));
        found.unwrap_or_else(|| panic!("it ended before: {}", self.text_of_log()))
    }

    /// The line of the log for a request, by its id.
    #[track_caller]
    pub fn request(&self, id: &str) -> Value {
        self.line(|line| line["message"] == "request" && line["request_id"] == id)
    }

    /// Waits until the log contains these words.
    #[track_caller]
    pub fn until_log(&self, words: &str) {
        wait(|| self.text_of_log().contains(words), || format!("{words}: {}", self.text_of_log()));
    }

    /// Waits until the metrics have this line.
    #[track_caller]
    pub fn until_metric(&self, line: &str) {
        let address = self.address();
        wait(|| fetch(address, "/metrics").body.lines().any(|own| own == line), || line.to_owned());
    }

    fn has_closed_its_log(&self) -> bool {
        self.reader.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Standard input, if the command has a pipe for it.
    pub fn input(&mut self) -> ChildStdin {
        self.child.stdin.take().expect("a pipe for standard input")
    }

    /// Standard output; it can be taken once.
    pub fn output(&mut self) -> BufReader<ChildStdout> {
        BufReader::new(self.child.stdout.take().expect("standard output, not taken yet"))
    }

    /// Writes this to standard input, and waits for the end.
    pub fn answered(mut self, input: &str) -> Output {
        let (mut stdin, input) = (self.input(), input.to_owned());
        // It may end without reading everything.
        let writing = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
        let mut stdout = Vec::new();
        self.output().read_to_end(&mut stdout).expect("bytes");
        let status = self.ended();
        writing.join().expect("no panic");
        Output { status, stdout, stderr: self.text_of_log().into_bytes() }
    }

    /// Process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal, such as `TERM`.
    pub fn signal(&self, name: &str) {
        let sent = Command::new("kill").args([&format!("-{name}"), &self.id().to_string()]).status();
        assert!(sent.expect("kill").success(), "it runs");
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("a status");
    }

    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_none())
    }

    /// Waits until it has ended and its log is complete.
    pub fn ended(&mut self) -> ExitStatus {
        let status = self.child.wait().expect("a status");
        if let Some(reader) = self.reader.take() {
            reader.join().expect("no panic");
        }
        status
    }

    /// Stops it with SIGTERM, checks that it succeeds, and returns its whole log.
    pub fn stopped(mut self) -> Vec<Value> {
        self.signal("TERM");
        let status = self.ended();
        assert!(status.success(), "{status}: {}", self.text_of_log());
        self.log()
    }

    /// Resources that it uses now, as Linux counts them.
    pub fn usage(&self) -> Usage {
        let folder = format!("/proc/{}", self.id());
        let entries = |name: &str| std::fs::read_dir(format!("{folder}/{name}")).expect("it runs").count();
        let status = std::fs::read_to_string(format!("{folder}/status")).expect("it runs");
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let resident_kib = resident.and_then(|text| text.split_whitespace().next()?.parse().ok()).expect("kibibytes");
        Usage { resident_kib, descriptors: entries("fd"), threads: entries("task") }
    }
}

/// `superflip serve` with the tables of the profile `tiny` and a free port, with a JSON log.
pub fn serve() -> Command {
    let mut command = on_tables(&["serve"]);
    command.envs([("SUPERFLIP_SERVER__LISTEN", "127.0.0.1:0"), ("SUPERFLIP_LOG__FORMAT", "json")]);
    command
}

/// The same with the small tables.
pub fn serve_small() -> Command {
    drop(super::small_tables());
    let mut command = serve();
    command.env("SUPERFLIP_TABLES__PROFILE", "small");
    command
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The log while tables are built in a new folder, with the default configuration of the log, until it contains these words; and
/// the folder.
pub fn log_of_build(arguments: &[&str], until: &str) -> (PathBuf, String) {
    let place = tempfile::tempdir().expect("a folder");
    // A mistyped path: relative, and not there.
    let folder = place.path().canonicalize().expect("a folder").join("mistyped");
    let mut command = superflip(arguments);
    command.args(["--tables-dir", "mistyped"]).current_dir(place.path());
    // One thread: the build lasts longer than the interval of progress lines on every machine.
    command.env("RAYON_NUM_THREADS", "1");
    let mut program = Program::start(command);
    program.until_log(until);
    program.kill();
    (folder, program.text_of_log())
}
