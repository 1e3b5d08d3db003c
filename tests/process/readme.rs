//! The examples of the README and the walk of docs/coordinates.md, run with curl as a reader would against a live server, and compared with the answers it prints.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const README: &str = include_str!("../../README.md");
const COORDINATES: &str = include_str!("../../docs/coordinates.md");
const ADDRESS: &str = "127.0.0.1:8080";

/// Differs from run to run.
const VOLATILE: [&str; 3] = ["elapsed_us", "queue_us", "request_id"];

/// How an answer is printed, which is the language of its block.
#[derive(Clone, Copy)]
enum Printed {
    /// One JSON text.
    Json,
    /// One a line.
    Lines,
    /// Server-Sent Events.
    Events,
}

impl Printed {
    const ALL: [(&str, Self); 3] = [("json\n", Self::Json), ("jsonl\n", Self::Lines), ("text\n", Self::Events)];

    /// What is printed, or answered: several as a list, events as pairs of name and data.
    fn read(self, text: &str) -> Result<Value, serde_json::Error> {
        match self {
            Self::Json => serde_json::from_str(text),
            Self::Lines => text.lines().map(serde_json::from_str::<Value>).collect(),
            Self::Events => {
                let blocks = text.split("\n\n").map(str::trim).filter(|block| !block.is_empty());
                let events = blocks.map(|block| {
                    let (name, data) = block.split_once("\ndata: ").unwrap_or_else(|| panic!("no event: {block}"));
                    Ok(json!([name.strip_prefix("event: "), serde_json::from_str::<Value>(data)?]))
                });
                events.collect()
            }
        }
    }
}

/// Each curl command with the answer printed below it.
fn examples(document: &str) -> Vec<(String, Printed, Value)> {
    let blocks: Vec<&str> = document.split("```").collect();
    // Text and blocks take turns; a block begins with its language.
    let code: Vec<&str> = blocks.iter().skip(1).step_by(2).copied().collect();
    let curls = code.windows(2).filter_map(|pair| {
        let command = pair[0].strip_prefix("sh\n").filter(|command| command.starts_with("curl "))?.trim();
        let (printed, answer) = Printed::ALL
            .into_iter()
            .find_map(|(language, printed)| Some((printed, pair[1].strip_prefix(language)?)))
            .unwrap_or_else(|| panic!("no answer below {command}"));
        Some((command.to_owned(), printed, printed.read(answer).unwrap_or_else(|error| panic!("{command}: {error}"))))
    });
    curls.collect()
}

/// A server on a port of its own; stopped when dropped.
struct Server(Child, String);

impl Server {
    fn start(flags: &[&str]) -> Self {
        let _ = crate::common::STANDARD.profile();
        let mut child = Command::new(env!("CARGO_BIN_EXE_superflip"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--tables-dir"])
            .arg(crate::common::tables_folder())
            .args(flags)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let address = lines
            .by_ref()
            .map(|line| serde_json::from_str::<Value>(&line.expect("UTF-8")).expect("a JSON line"))
            .find(|line| line["message"] == "listening")
            .and_then(|line| Some(line["address"].as_str()?.to_owned()))
            .expect("the log names the address");
        // Read on, or the server would block once the pipe is full.
        std::thread::spawn(move || lines.count());
        Self(child, address)
    }

    /// Waits until `/readyz` says so.
    fn wait(&self, part: &str) {
        let deadline = Instant::now() + Duration::from_mins(1);
        while !self.curl(&format!("curl -s http://{ADDRESS}/readyz")).contains(part) {
            assert!(Instant::now() < deadline, "not ready in a minute");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn curl(&self, command: &str) -> String {
        let output = Command::new("sh").args(["-c", &command.replace(ADDRESS, &self.1)]).output().expect("sh");
        assert!(output.status.success(), "{command}: is curl installed? {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself; either way it is gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether the answer is what the document prints: member by member, but for those that differ from run to run. A list or an
/// object that ends with `"..."` goes on in the answer.
fn matches(got: &Value, printed: &Value) -> bool {
    match (got, printed) {
        (Value::Object(got), Value::Object(printed)) => {
            let goes_on = printed.contains_key("...");
            let shown = || printed.iter().filter(|(name, _)| *name != "...");
            (goes_on || got.len() == printed.len())
                && shown().all(|(name, value)| {
                    got.get(name).is_some_and(|own| VOLATILE.contains(&name.as_str()) || matches(own, value))
                })
        }
        (Value::Array(got), Value::Array(printed)) => match printed.split_last() {
            Some((last, shown)) if last == "..." => {
                got.len() > shown.len() && got.iter().zip(shown).all(|(got, printed)| matches(got, printed))
            }
            _ => got.len() == printed.len() && got.iter().zip(printed).all(|(got, printed)| matches(got, printed)),
        },
        _ => got == printed,
    }
}

#[test]
fn every_example_gets_the_answer_that_the_readme_prints() {
    let server = Server::start(&[]);
    server.wait("\"status\":\"ready\"");
    let proving = Server::start(&["--optimal-table", "s"]);
    proving.wait("\"table\":\"s\",\"status\":\"ready\"");
    let (examples, walk) = (examples(README), examples(COORDINATES));
    for (command, how, printed) in examples.iter().chain(&walk) {
        let server = if command.contains("optimal") { &proving } else { &server };
        let got = how.read(&server.curl(command)).expect("JSON");
        assert!(matches(&got, printed), "{command}\n  printed {printed}\n  is      {got}");
    }
    assert!(walk.len() >= 12, "the walk through the coordinates has {} steps", walk.len());
    for route in ["POST", "/solve/", "/solve?", "/solve/stream", "/solve/batch", "/coords?", "/readyz", "/livez"] {
        let shown = examples
            .iter()
            .any(|(command, ..)| command.contains(route) || (route == "POST" && command.contains(" -d ")));
        assert!(shown, "the README shows no {route}");
    }
    assert!(examples.iter().any(|(command, ..)| command.contains("\"optimal\": true")), "the README proves nothing");
}

#[test]
fn the_batch_of_the_readme_gets_the_answers_that_it_prints() {
    let _ = crate::common::STANDARD.profile();
    let blocks: Vec<&str> = README.split("```").skip(1).step_by(2).collect();
    let shown = blocks.windows(2).find(|pair| pair[0].contains("superflip solve --batch")).expect("an example");
    let (command, printed) = (shown[0].strip_prefix("sh\n").unwrap(), shown[1].strip_prefix("text\n").unwrap());
    let output = Command::new("sh")
        .args(["-c", &command.replace("superflip", "\"$PROGRAM\"")])
        .env("PROGRAM", env!("CARGO_BIN_EXE_superflip"))
        .env("SUPERFLIP_TABLES__DIR", crate::common::tables_folder())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), printed, "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_configuration_table_has_every_key_with_its_default() {
    let mut section = "";
    for line in include_str!("../../config/default.toml").lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((key, _)) = line.split_once(" = ").filter(|_| !line.starts_with('#')) {
            assert!(README.contains(&format!("| `{section}.{key}` |")), "the README lacks {section}.{key}");
        }
    }
}
