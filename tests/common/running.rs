//! The program started on a folder of tables of its own, and what it says meanwhile.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::service::tables;

pub fn superflip(arguments: &[&str]) -> Command {
    with_environment(Command::new(env!("CARGO_BIN_EXE_superflip")), arguments)
}

/// The binary after a line of shell, such as one that sets a limit.
pub fn superflip_after(shell: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{shell}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_superflip")]);
    with_environment(command, arguments)
}

pub fn with_environment(mut command: Command, arguments: &[&str]) -> Command {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("SUPERFLIP_")) {
        command.env_remove(name);
    }
    command.env("SUPERFLIP_TABLES__PROFILE", "small").env("SUPERFLIP_LOG__FILTER", "superflip=debug");
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

pub fn solve(folder: &Path) -> Command {
    let mut command = superflip(&["solve", "R U", "--tables-dir"]);
    command.arg(folder);
    command
}

pub fn build(folder: &Path) -> Command {
    let mut command = superflip(&["tables", "build", "--tables-dir"]);
    command.arg(folder);
    command
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Checks that the cube was solved, and returns what was said beside that.
#[track_caller]
pub fn solved(output: &Output) -> String {
    let said = text(&output.stderr);
    assert!(output.status.success() && text(&output.stdout) == "U' R'\n", "{}: {said}", output.status);
    said
}

/// Checks that it ended with exit code 1 and no answer, and returns why.
#[track_caller]
pub fn refused(output: &Output) -> String {
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && output.stdout.is_empty(), "{}: {said}", output.status);
    said.lines().rfind(|line| line.starts_with("superflip: ")).unwrap_or_else(|| panic!("{said}")).to_owned()
}

/// The small tables in a folder of their own.
pub fn copied() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for table in tables().list() {
        fs::copy(&table.path, folder.path().join(table.file_name())).unwrap();
    }
    folder
}

pub fn names(folder: &Path, ending: &str) -> Vec<String> {
    let names = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name.ends_with(ending)).collect()
}

/// A process that is listened to while it runs, and killed when it is forgotten.
pub struct Running {
    pub child: Child,
    said: Arc<Mutex<String>>,
}

impl Running {
    pub fn start(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (said, mut stderr) = (Arc::new(Mutex::new(String::new())), child.stderr.take().unwrap());
        let hears = Arc::clone(&said);
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = stderr.read(&mut chunk) {
                hears.lock().unwrap().push_str(&text(&chunk[..read]));
            }
        });
        Self { child, said }
    }

    pub fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Waits until it has said something.
    #[track_caller]
    pub fn hear(&self, words: &str) {
        wait(|| self.said().contains(words), || format!("{words}: {}", self.said()));
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// The address of a server.
    pub fn address(&self) -> String {
        self.hear("listening");
        let said = self.said();
        let from = said.find("127.0.0.1:").unwrap_or_else(|| panic!("{said}"));
        said[from..].chars().take_while(|c| c.is_ascii_digit() || ".:".contains(*c)).collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
pub fn wait(mut is_so: impl FnMut() -> bool, what: impl Fn() -> String) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_mins(2), "never: {}", what());
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Status and body of an answer.
pub fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), body.to_owned())
}
