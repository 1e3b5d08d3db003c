//! Runs the curl examples of the README and of docs/api.md, clients.md, coordinates.md, formats.md and steps.md against a live server, and compares
//! the answers.

use crate::common::prelude::*;

const README: &str = include_str!("../../README.md");
const API: &str = include_str!("../../docs/api.md");
const CLIENTS: &str = include_str!("../../docs/clients.md");
const COORDINATES: &str = include_str!("../../docs/coordinates.md");
const FORMATS: &str = include_str!("../../docs/formats.md");
const STEPS: &str = include_str!("../../docs/steps.md");
const ADDRESS: &str = "127.0.0.1:8080";

/// Members that differ from run to run.
const VOLATILE: [&str; 3] = ["elapsed_us", "queue_us", "request_id"];

/// Format of a printed answer, given by the language of its block.
#[derive(Clone, Copy)]
enum Printed {
    /// One JSON document.
    Json,
    /// One JSON document per line.
    Lines,
    /// Server-Sent Events.
    Events,
    /// A page of HTML.
    Page,
}

impl Printed {
    const ALL: [(&str, Self); 4] =
        [("json\n", Self::Json), ("jsonl\n", Self::Lines), ("text\n", Self::Events), ("html\n", Self::Page)];

    /// Parses text of this format: lines as a list, events as pairs of name and data.
    fn read(self, text: &str) -> Result<Value, serde_json::Error> {
        match self {
            Self::Json => serde_json::from_str(text),
            Self::Page => Ok(json!(text)),
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

/// The curl commands of a document, each with the answer printed below it.
fn examples(document: &str) -> Vec<(String, Printed, Value)> {
    let blocks: Vec<&str> = document.split("```").collect();
    // Every second part is a code block; it begins with its language.
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

/// A server with the standard tables, once `/readyz` has these words.
fn start(flags: &[&str], ready: &str) -> Program {
    let _ = STANDARD.profile();
    let mut command = serve();
    command.args(["--profile", "standard"]).args(flags);
    // Searches in steps have no core while other tests use all of them.
    command.env("SUPERFLIP_SEARCH__DEFAULT_TIME_LIMIT_MS", "5000");
    let program = Program::start(command);
    program.until_ready(ready);
    program
}

/// Runs a command of the document on a server.
fn curl(program: &Program, command: &str) -> String {
    let command = command.replace(ADDRESS, &program.address().to_string());
    let output = Command::new("sh").args(["-c", &command]).output().expect("sh");
    assert!(output.status.success(), "{command}: is curl installed? {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Whether the answer equals the printed one, except for members that differ from run to run. A printed list or object that ends with
/// `"..."` may be longer in the answer.
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

/// Routes that the examples of the README and the API page show together.
const SHOWN: [&str; 7] =
    [" -d ", "/solve/", "/solve?", "/solve/stream", "/solve/batch", "/coords?", "\"optimal\": true"];

#[test]
fn examples_of_the_documents_have_the_printed_answers() {
    let server = start(&[], "\"status\":\"ready\"");
    let proving = start(&["--optimal-table", "s"], "\"optimal\":\"s\",\"status\":\"ready\"");
    let pages = [README, API, COORDINATES, FORMATS, CLIENTS, STEPS].map(examples);
    for (command, how, printed) in pages.iter().flatten() {
        let server = if command.contains("optimal") { &proving } else { &server };
        let got = how.read(&curl(server, command)).expect("JSON");
        assert!(matches(&got, printed), "{command}\n  printed {printed}\n  is      {got}");
    }
    let [readme, api, coordinates, formats, clients, steps] = &pages;
    assert!(formats.len() >= 2, "docs/formats.md has {} examples", formats.len());
    assert!(coordinates.len() >= 12, "docs/coordinates.md has {} examples", coordinates.len());
    assert_eq!((clients.len(), steps.len()), (3, 1), "docs/clients.md or docs/steps.md has other examples");
    for part in SHOWN {
        assert!(readme.iter().chain(api).any(|(command, ..)| command.contains(part)), "no example contains {part}");
    }
    assert!(readme.iter().any(|(command, ..)| command.contains("/readyz")), "the README does not show /readyz");
}

#[test]
fn the_batch_of_the_readme_gets_the_answers_that_it_prints() {
    let _ = STANDARD.profile();
    let blocks: Vec<&str> = README.split("```").skip(1).step_by(2).collect();
    let shown = blocks.windows(2).find(|pair| pair[0].contains("superflip solve --batch")).expect("an example");
    let (command, printed) = (shown[0].strip_prefix("sh\n").unwrap(), shown[1].strip_prefix("text\n").unwrap());
    let output = Command::new("sh")
        .args(["-c", &command.replace("superflip", "\"$PROGRAM\"")])
        .env("PROGRAM", &*BINARY)
        .env("SUPERFLIP_TABLES__DIR", tables_folder())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), printed, "{}", String::from_utf8_lossy(&output.stderr));
}
