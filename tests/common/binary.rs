//! The program itself, serving on a port of its own, and its log.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

/// `superflip serve` with the small tables; killed when dropped.
pub struct Serving {
    child: Child,
    pub address: String,
    lines: Arc<Mutex<Vec<String>>>,
    reader: Option<std::thread::JoinHandle<()>>,
}

impl Serving {
    /// Starts it and waits until it is ready.
    pub fn start(flags: &[&str], environment: &[(&str, &str)]) -> Self {
        let _ = super::SMALL.profile();
        let mut command = Command::new(env!("CARGO_BIN_EXE_superflip"));
        command.args([
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--log-format",
            "json",
            "--profile",
            "small",
            "--tables-dir",
        ]);
        command.arg(super::tables_folder()).args(flags).envs(environment.iter().copied());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the binary starts");
        let output = BufReader::new(child.stderr.take().expect("piped"));
        let lines = Arc::new(Mutex::new(Vec::new()));
        let reader = std::thread::spawn({
            let lines = Arc::clone(&lines);
            move || output.lines().for_each(|line| lines.lock().expect("sound").push(line.expect("UTF-8")))
        });
        let mut serving = Self { child, address: String::new(), lines, reader: Some(reader) };
        let listening = serving.line(|line| line["message"] == "listening");
        listening["address"].as_str().expect("an address").clone_into(&mut serving.address);
        serving.line(|line| line["message"] == "tables ready");
        let deadline = Instant::now() + Duration::from_secs(10);
        while !serving.ask("GET", "/readyz", "", "").starts_with("HTTP/1.1 200 ") {
            assert!(Instant::now() < deadline, "not ready");
        }
        serving
    }

    /// Every line of the log so far, each of which must be JSON.
    pub fn log(&self) -> Vec<Value> {
        let lines = self.lines.lock().expect("sound").clone();
        lines.iter().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
    }

    /// The first line that is such a one, once it is there.
    pub fn line(&self, is_such: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + Duration::from_secs(20);
        loop {
            if let Some(line) = self.log().into_iter().find(&is_such) {
                return line;
            }
            assert!(Instant::now() < deadline, "no such line in {:#?}", self.log());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// The line of a request by its id.
    pub fn request(&self, id: &str) -> Value {
        self.line(|line| line["message"] == "request" && line["request_id"] == id)
    }

    /// Waits until the metrics have this line.
    pub fn line_of_metrics(&self, line: &str) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while !self.ask("GET", "/metrics", "", "").lines().any(|own| own == line) {
            assert!(Instant::now() < deadline, "no such line: {line}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Sends a request and leaves the connection open. Each of `headers` ends with CR and LF.
    pub fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\ncontent-length: {length}\r\nconnection: close\r\n{headers}\r\n"
        );
        stream.write_all((head + body).as_bytes()).expect("written");
        stream
    }

    /// The answer to a request.
    pub fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let mut answer = Vec::new();
        self.send(method, path, headers, body).read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Stops it as an operator does, and returns all of its log.
    pub fn stopped(mut self) -> Vec<Value> {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().expect("kill").success());
        assert!(self.child.wait().expect("an end").success());
        if let Some(reader) = self.reader.take() {
            reader.join().expect("no panic");
        }
        self.log()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
