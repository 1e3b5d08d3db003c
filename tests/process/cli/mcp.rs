//! `superflip mcp`: the protocol on standard input and output.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout};

use crate::common::prelude::*;

/// A client that has started the program.
struct Client {
    program: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Client {
    /// Starts the program and the session.
    fn start() -> Self {
        let mut client = Self::spawn();
        // A line that is no JSON does not end the program.
        writeln!(client.input.as_mut().unwrap(), "junk").unwrap();
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}});
        let info = client.ask("initialize", &hello);
        assert_eq!(info["result"]["serverInfo"]["name"], "superflip", "{info}");
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    /// Starts the program.
    fn spawn() -> Self {
        let mut command = on_tables(&["mcp", "--profile", "tiny"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut program = command.spawn().unwrap();
        let (input, output) = (program.stdin.take(), BufReader::new(program.stdout.take().unwrap()));
        Self { program, input, output, id: 0 }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// Sends a request, and returns its response.
    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}));
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let response: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(response["id"], self.id, "{response}");
        response
    }

    /// Calls a tool. Returns the JSON document of its result, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: &Value) -> (Value, bool) {
        let response = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &response["result"];
        let document =
            serde_json::from_str(result["content"][0]["text"].text()).unwrap_or_else(|_| panic!("{response}"));
        (document, result["isError"] == true)
    }
}

#[test]
fn tools_are_described_by_the_contract_and_answer_as_the_service() {
    let mut client = Client::start();
    let listed = client.ask("tools/list", &json!({}));
    for tool in listed["result"]["tools"].list() {
        let (name, schema) = (tool["name"].text(), &tool["inputSchema"]);
        assert_eq!(schema["type"], "object", "{name}");
        // Clients refuse references and alternatives.
        assert!(!["$ref", "oneOf", "anyOf"].iter().any(|word| schema.to_string().contains(word)), "{schema}");
        let arguments = schema["properties"].members();
        assert!(arguments.contains_key("scramble") || name == "scramble", "{name}: {schema}");
        assert!(
            arguments.values().all(|argument| argument["type"].is_string() && argument["description"].is_string()),
            "{schema}"
        );
    }
    let (answer, is_error) = client.call("solve", &json!({"scramble": "R U F", "target_length": 20}));
    assert_eq!((&answer["solution"], is_error), (&json!("F' U' R'"), false), "{answer}");
    let (answer, is_error) = client.call("check_solution", &json!({"scramble": "R U F", "solution": "F' U' R'"}));
    assert_eq!((&answer["solves"], is_error), (&json!(true), false), "{answer}");
    let (answer, _) = client.call("explain", &json!({"scramble": "R U F", "solution": "F' U' R'"}));
    assert_eq!(answer["length"], 3, "{answer}");
    let (answer, _) = client.call("scramble", &json!({"count": 2, "kind": "333fm"}));
    assert_eq!(answer["scrambles"].list().len(), 2, "{answer}");
    let (answer, _) = client.call("steps", &json!({"scramble": "R U F", "steps": "cross"}));
    assert!(answer["solutions"].list()[0]["length"].number() <= 3, "{answer}");
    let (answer, _) = client.call("convert", &json!({"scramble": "R U F", "to": "b32"}));
    assert_eq!(answer["forms"]["b32"], "GETVSBAH=ZFCXBAGLYTKE=A", "{answer}");
    let picture = client.ask("tools/call", &json!({"name": "draw", "arguments": {"scramble": "R U F"}}));
    let content = &picture["result"]["content"][0];
    assert_eq!((&content["type"], &content["mimeType"]), (&json!("image"), &json!("image/png")), "{picture}");
    // The first bytes of a PNG.
    assert!(content["data"].text().starts_with("iVBORw0KGgo"), "{content}");
}

#[test]
fn errors_say_what_is_wrong_and_the_end_of_the_input_ends_it() {
    let mut client = Client::start();
    let twisted = SUPERFLIP.replacen("UBU", "BUU", 1);
    let (problem, is_error) = client.call("solve", &json!({"facelets": twisted}));
    assert!(is_error && problem["status"] == 422 && !problem["detail"].text().is_empty(), "{problem}");
    let (problem, is_error) = client.call("scramble", &json!({"count": "many"}));
    assert!(is_error && problem["field"] == "count", "{problem}");
    let unknown = client.ask("tools/call", &json!({"name": "guess", "arguments": {}}));
    assert!(unknown["error"]["message"].text().contains("unknown tool `guess`; there are solve,"), "{unknown}");
    client.input = None;
    assert!(client.program.wait().unwrap().success());
}

#[test]
fn without_initialize_the_program_says_what_it_expects() {
    let notification = json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string();
    for (line, reason) in [
        ("junk", "the input ended before the request `initialize`"),
        (&notification, "the first message is not the request `initialize`"),
    ] {
        let mut client = Client::spawn();
        writeln!(client.input.as_mut().unwrap(), "{line}").unwrap();
        client.input = None;
        let ended = client.program.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(
            said.contains(reason) && said.contains("Model Context Protocol") && said.lines().count() == 1,
            "{said}"
        );
    }
}
