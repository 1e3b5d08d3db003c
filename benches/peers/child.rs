//! A child process that answers lines with lines.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child as Process, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::PATIENCE;

/// A running program; it is killed when dropped.
pub(crate) struct Child {
    process: Process,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
}

impl Child {
    /// Starts the program in its own folder, with 2 MiB pages where the C library can ask for them.
    pub(crate) fn start(program: &Path, arguments: &[String]) -> Self {
        let program = program.canonicalize().expect("the program of a peer");
        let folder = program.parent().expect("a file is in a folder");
        let mut command = Command::new(&program);
        if std::env::var_os("GLIBC_TUNABLES").is_none() {
            command.env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
        }
        command.args(arguments).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().expect("a peer that runs");
        let input = process.stdin.take().expect("a pipe");
        let output = BufReader::new(process.stdout.take().expect("a pipe"));
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Self { process, input, lines }
    }

    /// Writes one or more lines.
    pub(crate) fn write(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("a peer that reads");
        self.input.flush().expect("a peer that reads");
    }

    /// Returns the next line and its time of arrival.
    pub(crate) fn line(&self) -> (Instant, String) {
        self.line_within(PATIENCE * 2)
    }

    /// As [`Child::line`], for programs that take longer.
    pub(crate) fn line_within(&self, patience: Duration) -> (Instant, String) {
        self.lines.recv_timeout(patience).expect("a peer that answers")
    }

    /// Process id.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // Some programs wait for ever at the end of their input. A program that has ended already is ignored.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
