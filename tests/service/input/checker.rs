//! Sends requests that must be refused, and judges the problems that come back.

use crate::common::prelude::*;

/// Asks one service, counts the distinct requests that it refused, and lists the answers that were not right.
pub(crate) struct RefusalChecker {
    pub(crate) service: Router,
    pub(crate) refused: HashSet<(String, String, Vec<u8>)>,
    pub(crate) wrong: Vec<String>,
}

impl RefusalChecker {
    pub(crate) fn new() -> Self {
        Self { service: starting(), refused: HashSet::new(), wrong: Vec::new() }
    }

    /// Sends a body that must be refused with this status and code, for a reason that names all the words.
    pub(crate) async fn post(
        &mut self,
        uri: &str,
        kind: &str,
        body: Vec<u8>,
        expected: (u16, &str),
        words: &[&str],
    ) -> Value {
        let answer = send(self.service.clone(), post_request(uri, kind, body.clone())).await;
        let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
        let document = self.judge(&answer, expected, words, &format!("POST {uri} {kind} {start}"));
        self.refused.insert((uri.to_owned(), kind.to_owned(), body));
        document
    }

    pub(crate) async fn json(
        &mut self,
        uri: &str,
        body: impl Into<Vec<u8>>,
        expected: (u16, &str),
        words: &[&str],
    ) -> Value {
        self.post(uri, "application/json", body.into(), expected, words).await
    }

    pub(crate) async fn get(&mut self, uri: &str, expected: (u16, &str), words: &[&str]) -> Value {
        let answer = get(self.service.clone(), uri).await;
        let document = self.judge(&answer, expected, words, &format!("GET {uri}"));
        self.refused.insert((uri.to_owned(), String::new(), Vec::new()));
        document
    }

    /// Checks a refusal: its detail names the fault, contains no internal names, and its length does not grow with the input.
    fn judge(&mut self, answer: &Answer, (status, code): (u16, &str), words: &[&str], request: &str) -> Value {
        if answer.status != status || answer.header("content-type") != "application/problem+json" {
            self.wrong.push(format!("{request}\n  {} {}", answer.status, answer.text()));
            return Value::Null;
        }
        let document = answer.json();
        let detail = document["detail"].as_str().unwrap_or_default();
        let jargon = ["u32", "u64", "i64", "struct ", "deserialize", "untagged"];
        let is_specific = (12..2048).contains(&detail.len())
            && detail.ends_with(['.', '?'])
            && words.iter().all(|word| detail.contains(word))
            && !jargon.iter().any(|word| detail.contains(word));
        if document["code"] != code || !is_specific {
            self.wrong.push(format!("{request}\n  wanted {code} {words:?}\n  {document}"));
        } else {
            answer.problem(status, code);
        }
        document
    }

    pub(crate) fn finish(self) -> usize {
        assert!(self.wrong.is_empty(), "{} of {}:\n{}", self.wrong.len(), self.refused.len(), self.wrong.join("\n"));
        self.refused.len()
    }
}

pub(crate) const MALFORMED: (u16, &str) = (400, "malformed_json");
pub(crate) const INVALID: (u16, &str) = (400, "invalid_field");
pub(crate) const UNKNOWN: (u16, &str) = (400, "unknown_field");
pub(crate) const TWICE: (u16, &str) = (400, "duplicate_field");
pub(crate) const RANGE: (u16, &str) = (422, "option_out_of_range");
