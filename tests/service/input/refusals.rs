//! Single kinds of bad input, and what their errors advise.

use futures_util::stream;

use super::bad_input::{no_json, routes};
use super::checker::{INVALID, MALFORMED, RANGE, RefusalChecker, TWICE, UNKNOWN};
use crate::common::prelude::*;

/// RFC 8259, 8.1: a mark of byte order may be left out of account, and what writes one does so unasked.
#[tokio::test]
async fn a_mark_of_byte_order_is_left_out_of_account() {
    let body = "\u{feff}{\"scramble\": \"R\"}";
    assert_eq!(post(ready(), "/solve", body).await.ok()["solution"], "R'");
    let lines = format!("{body}\n[\"x\"]\n [7]\n{{\"id\": 7, \"scramble\": 1}}\n");
    let answers = batch(ready(), "/solve/batch", lines).await;
    assert_eq!(answers[0]["solution"], "R'", "{}", answers[0]);
    // Only an object has a name.
    let names: Vec<_> = answers[1..].iter().map(|line| line.get("id").cloned().unwrap_or_default()).collect();
    assert_eq!(names, [Value::Null, Value::Null, json!(7)], "{answers:?}");
}

#[tokio::test]
async fn numbers_out_of_their_range_are_told_what_it_is() {
    let mut checker = RefusalChecker::new();
    for (field, range) in [
        ("target_length", "from 0 to 30, or to 60 in another metric than `htm` or with `faces` or `moves`, found"),
        ("max_length", "from 0 to 30, or to 60 in another metric than `htm` or with `faces` or `moves`, found"),
        ("solutions", "from 1 to 100"),
        ("time_limit_ms", "of at least 1, found"),
        ("time_limit_ms", "The maximum of this server is 30000, with `optimal` 120000."),
        ("threads", "of at least 1, found"),
        ("threads", "The maximum of this server is "),
    ] {
        for (expected, values) in [
            (INVALID, &["\"20\"", "1.5", "500.5"][..]),
            (RANGE, &["-1", "99999999999999999999", "1e300", "9007199254740993.0"]),
        ] {
            for value in values.iter().filter(|value| field != "time_limit_ms" || !value.starts_with("9007")) {
                let found = format!("found `{value}`");
                let body = format!("{{\"scramble\": \"R\", \"{field}\": {value}}}");
                checker.json("/solve", body, expected, &[range, &found]).await;
            }
        }
        checker.get(&format!("/solve?scramble=R&{field}=x"), INVALID, &[range, "found `x`"]).await;
    }
    for field in ["threads", "max_length"] {
        let body = format!("{{\"scramble\": \"R\", \"{field}\": 5000000000}}");
        checker.json("/solve", body, RANGE, &[field, "found `5000000000`"]).await;
    }
    checker.finish();
}

#[tokio::test]
async fn entries_out_of_their_range_are_told_what_it_is() {
    let mut checker = RefusalChecker::new();
    let cubies = [("cp", 8, 7), ("co", 8, 2), ("ep", 12, 11), ("eo", 12, 1)];
    let orbits = [("EDGES", 12, 2), ("CORNERS", 8, 3), ("CENTERS", 6, 4)];
    for (value, code) in
        [(json!(-1), RANGE), (json!(1.5), INVALID), (json!("0"), INVALID), (json!(5_000_000_000_u64), RANGE)]
    {
        for (array, _, most) in cubies {
            let mut body: Value =
                cubies.iter().map(|(array, count, _)| ((*array).to_owned(), json!(vec![0; *count]))).collect();
            body[array][2] = value.clone();
            let range = format!("`cubies.{array}[2]`: expected an integer from 0 to {most}, found ");
            checker.json("/solve", json!({"cubies": body}).to_string(), code, &[&range]).await;
        }
        for (orbit, count, orientations) in orbits {
            for (array, most) in [("pieces", count - 1), ("orientation", orientations - 1)] {
                let zeros = |count: usize| json!({"pieces": vec![0; count], "orientation": vec![0; count]});
                let mut body: Value =
                    orbits.iter().map(|(orbit, count, _)| ((*orbit).to_owned(), zeros(*count))).collect();
                body[orbit][array][3] = value.clone();
                let range = format!("`cube.{orbit}.{array}[3]`: expected an integer from 0 to {most}, found ");
                checker.json("/convert", json!({"cube": body}).to_string(), code, &[&range]).await;
            }
        }
    }
    checker.finish();
}

/// 400 is for what cannot be read, 422 for what is not allowed; each message says how to mend the request.
#[tokio::test]
async fn refused_values_are_told_what_to_write() {
    let mut checker = RefusalChecker::new();
    let convert = |to: Value| json!({"cube": "R", "to": to}).to_string();
    checker.json("/convert", convert(json!([])), RANGE, &["`to` is empty", "leave `to` out"]).await;
    checker
        .json("/coords", json!({"scramble": "R", "names": []}).to_string(), RANGE, &["`names`", "from 1 to 32"])
        .await;
    for (colors, expected) in [(json!([]), RANGE), (json!(5), INVALID), (json!("red"), INVALID)] {
        checker.json("/solve", json!({"colors": colors}).to_string(), expected, &["`colors`", "54 samples"]).await;
    }
    for (sample, expected) in
        [(json!([0, 0, 256]), RANGE), (json!("#12"), RANGE), (json!([0, 0]), RANGE), (json!([0, 0, "0"]), INVALID)]
    {
        checker.json("/solve", json!({"colors": vec![sample; 54]}).to_string(), expected, &["`colors[0]`"]).await;
    }
    for (query, list) in [
        ("/coords?scramble=R&names=twist&names=flip", "`names=twist,flip`"),
        ("/convert?cube=R&to=reid&to=b32", "`to=reid,b32`"),
    ] {
        checker.get(query, TWICE, &["in one parameter, with commas", list]).await;
    }
    for (format, expected, word) in [(json!("cubing"), RANGE, "`scramble`"), (json!(1), INVALID, "a string")] {
        checker.json("/solve", json!({"cube": "R", "format": format}).to_string(), expected, &["`format`", word]).await;
    }
    let problem = checker.json("/solve", json!({"cube": "Q"}).to_string(), (422, "notation"), &["Leave it out."]).await;
    assert!(problem.get("nearest").is_none(), "{problem}");
    checker.finish();
}

#[tokio::test]
async fn a_body_that_ends_early_is_incomplete() {
    let chunks = || {
        let broken = std::io::Error::other("connection reset");
        Body::from_stream(stream::iter([Ok(Bytes::from_static(b"{\"scramble\": \"R\"}\n")), Err(broken)]))
    };
    for uri in ["/solve", "/coords", "/moves/check"] {
        let problem = post(ready(), uri, chunks()).await.problem(400, "incomplete_body");
        assert!(problem["detail"].text().contains("send the whole body"), "{problem}");
    }
    let last = batch(ready(), "/solve/batch", chunks()).await.pop().unwrap();
    assert_eq!((last.get("line"), &last["problem"]["code"]), (None, &json!("incomplete_body")), "{last}");
}

/// An empty `cube` or `target` in a query is refused as in the shell; in a body it is the empty scramble.
#[tokio::test]
async fn an_empty_cube_in_a_query_is_refused() {
    let mut checker = RefusalChecker::new();
    for uri in ["/solve", "/solve/stream", "/explain", "/coords", "/convert", "/repair", "/image.svg"] {
        for text in ["", "%20", "+%0A"] {
            checker.get(&format!("{uri}?cube={text}"), (422, "cube_form"), &["`cube` is empty"]).await;
        }
    }
    for uri in ["/solve", "/solve/stream", "/explain"] {
        let uri = format!("{uri}?scramble=R&target=");
        checker.get(&uri, (422, "cube_form"), &["`target` is empty"]).await;
    }
    checker.finish();
}

#[tokio::test]
async fn compressed_bodies_are_told_as_such() {
    for (uri, kind) in [("/solve", "application/json"), ("/solve/batch", "application/x-ndjson")] {
        let request = |encoding: &str| {
            let mut request = post_request(uri, kind, "{\"scramble\": \"R\"}");
            request.headers_mut().insert("content-encoding", encoding.parse().unwrap());
            request
        };
        let told = send(ready(), request("gzip")).await.problem(415, "unsupported_media_type");
        let detail = told["detail"].text();
        assert!(detail.contains("`Content-Encoding: gzip`") && detail.contains("uncompressed"), "{detail}");
        send(ready(), request("Identity, br")).await.problem(415, "unsupported_media_type");
        for none in ["identity", "Identity", "", " , identity"] {
            assert_eq!(send(ready(), request(none)).await.status, 200, "{none}");
        }
    }
}

#[tokio::test]
async fn deep_nesting_is_refused_at_the_outermost_error() {
    let mut checker = RefusalChecker::new();
    for depth in [100, 130, 5_000] {
        let list = "[".repeat(depth) + &"]".repeat(depth);
        let objects = "{\"cubies\": ".repeat(depth) + "1" + &"}".repeat(depth);
        checker.json("/solve", objects, UNKNOWN, &["`cubies.cubies`"]).await;
        checker.json("/solve", format!("{{\"cubies\": {{\"cp\": {list}}}}}"), INVALID, &["cubies.cp"]).await;
        checker.json("/coords", format!("{{\"names\": {list}}}"), INVALID, &["names"]).await;
        checker.json("/moves/check", format!("{{\"corner_perm\": {list}}}"), INVALID, &["corner_perm"]).await;
        checker.json("/solve", format!("{{\"x\": {list}}}"), UNKNOWN, &["`x`"]).await;
        checker.json("/solve", format!("{{\"x\": {}", "[".repeat(depth)), MALFORMED, &["is not JSON"]).await;
    }
    checker.finish();
}

/// A body without an end, and how many bytes of it were read.
fn endless() -> (Arc<AtomicUsize>, Body) {
    let read = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&read);
    let chunks = stream::repeat_with(move || {
        counted.fetch_add(8192, Ordering::Relaxed);
        Ok::<_, std::convert::Infallible>(Bytes::from_static(&[b' '; 8192]))
    });
    (read, Body::from_stream(chunks))
}

#[tokio::test]
async fn a_body_without_an_end_is_read_to_the_limit_only() {
    for route in routes() {
        let (read, body) = endless();
        post(starting(), &route.uri, body).await.problem(413, "body_too_large");
        assert!(read.load(Ordering::Relaxed) <= 65_536 + 2 * 8192, "{}", route.uri);
    }
}

#[tokio::test]
async fn a_gigantic_batch_of_nonsense_is_answered_line_by_line() {
    // A line of 64 MiB, then every malformed object as a line, then twenty thousand more, then a cube.
    let long = stream::iter((0..8192).map(|_| Bytes::from_static(&[b'R'; 8192])));
    let mut lines = vec![String::new()];
    for (body, _) in no_json("{\"scramble\": \"R U\"}", "scramble") {
        lines.extend(String::from_utf8(body).ok().filter(|text| !text.contains('\n') && text.starts_with('{')));
    }
    let nonsense = lines.len() - 1;
    lines.extend((0..20_000).map(|number| format!("{{\"id\": {number}, \"scramble\": {number}}}")));
    lines.push("{\"id\": \"last\", \"scramble\": \"R U\"}".to_owned());
    let rest = stream::once(async move { Bytes::from(lines.join("\n")) });
    let body = Body::from_stream(futures_util::StreamExt::map(
        futures_util::StreamExt::chain(long, rest),
        Ok::<_, std::convert::Infallible>,
    ));
    let answers = batch(ready(), "/solve/batch", body).await;
    assert_eq!(answers.len(), 1 + nonsense + 20_000 + 1);
    for (index, line) in answers.iter().enumerate() {
        assert_eq!(line["line"], index + 1);
        let code = match index {
            0 => "body_too_large",
            _ if index <= nonsense => "malformed_json",
            _ if index <= nonsense + 20_000 => "invalid_field",
            _ => continue,
        };
        assert_eq!(line["problem"]["code"], code, "{line}");
        assert_eq!(line["problem"]["line"], index + 1);
        assert!(line["problem"]["detail"].as_str().is_some_and(|detail| detail.ends_with('.')), "{line}");
    }
    assert_eq!(answers[nonsense + 20_000]["id"], 19_999);
    assert_eq!(answers.last().map(|line| (&line["id"], &line["length"])), Some((&json!("last"), &json!(2))));
}
