//! A query string, sent to one route of those that take one: an answer or a problem, the same when every character is escaped.
#![no_main]

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Request;
use libfuzzer_sys::{Corpus, fuzz_target};
use superflip_fuzz::{ask, paths, sense};

/// The routes with a query, except one that redirects.
static ROUTES: LazyLock<Vec<String>> = LazyLock::new(|| {
    paths("get", |operation| {
        let parameters = operation["parameters"].as_array();
        parameters.is_some_and(|all| all.iter().any(|parameter| parameter["in"] == "query"))
            && operation["responses"].get("302").is_none()
    })
});

fn escaped(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("%{byte:02X}")).collect()
}

/// The bytes that a name or a value stands for.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let digits = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (first, digits.and_then(|digits| u8::from_str_radix(digits, 16).ok())) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            (b'+', _) => {
                bytes.push(b' ');
                rest = after;
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    bytes
}

fn get(route: &str, query: &str) -> superflip_fuzz::Answer {
    ask(Request::get(format!("{route}?{query}")).body(Body::empty()).expect("a request"))
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((&route, query)) = bytes.split_first() else { return Corpus::Reject };
    // A Uri holds 65534 bytes, and escaping makes three of one.
    if query.len() > 4096 {
        return Corpus::Reject;
    }
    let route = &ROUTES[usize::from(route) % ROUTES.len()];
    // What may not stand in a Uri at all comes escaped.
    let written: String = query
        .iter()
        .map(|&byte| match byte {
            b'!' | b'$'..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'z' | b'~' => char::from(byte).to_string(),
            _ => escaped(&[byte]),
        })
        .collect();
    let pairs = written.as_bytes().split(|&byte| byte == b'&').filter(|pair| !pair.is_empty());
    let pairs: Vec<String> = pairs
        .map(|pair| {
            let mut sides = pair.splitn(2, |&byte| byte == b'=').map(|side| escaped(&unescaped(side)));
            let (name, value) = (sides.next().unwrap_or_default(), sides.next().unwrap_or_default());
            format!("{name}={value}")
        })
        .collect();
    assert_eq!(sense(get(route, &written)), sense(get(route, &pairs.join("&"))), "{route}?{written}");
    Corpus::Keep
});
