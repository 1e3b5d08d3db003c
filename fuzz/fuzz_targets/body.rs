//! A JSON body, sent to one route of those that take one: an answer or a problem, and what is read means the same when it is
//! written anew.
#![no_main]

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Request;
use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;
use superflip_fuzz::{Answer, ask, paths, sense};

/// The routes with a body in JSON, except those of other programs, which answer as those do.
static ROUTES: LazyLock<Vec<String>> = LazyLock::new(|| {
    paths("post", |operation| {
        operation["requestBody"]["content"]["application/json"].is_object() && operation["tags"][0] != "clients"
    })
});

fn post(route: &str, body: Vec<u8>) -> Answer {
    let request = Request::post(route).header("content-type", "application/json").body(Body::from(body));
    ask(request.expect("a request"))
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((&route, body)) = bytes.split_first() else { return Corpus::Reject };
    let route = &ROUTES[usize::from(route) % ROUTES.len()];
    let answer = post(route, body.to_vec());
    // The service reads a body behind a byte order mark, as RFC 8259 allows.
    let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
    let value = serde_json::from_slice::<Value>(body);
    match (answer.0, value) {
        (400, Err(_)) => {}
        // Writing it anew would drop all but the last of a field that is given twice.
        (400, Ok(_)) => assert_ne!(answer.1.as_ref().map(|document| document["code"] == "malformed_json"), Some(true)),
        (_, Ok(value)) => {
            assert!(value.is_object(), "{route} took {value}");
            // With the same fields in the same order: of several faults, the first is told.
            let (mut anew, mut reader) = (Vec::new(), serde_json::Deserializer::from_slice(body));
            let mut writer = serde_json::Serializer::pretty(&mut anew);
            serde_transcode::transcode(&mut reader, &mut writer).expect("it was read before");
            assert_eq!(sense(answer), sense(post(route, anew)), "{route} {value}");
        }
        (status, Err(error)) => panic!("{route}: {status} for what is no JSON: {error}"),
    }
    Corpus::Keep
});
