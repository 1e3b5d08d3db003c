//! What cannot be right is refused: hundreds of malformed requests to every route that takes a body or a query, each answered
//! with a problem document that says what is wrong.

use futures_util::stream;

use crate::common::prelude::*;

/// A route with a JSON body: a valid one, and which of its fields are what.
struct Route {
    uri: &'static str,
    valid: Value,
    numbers: &'static [&'static str],
    texts: &'static [&'static str],
    /// Lists of numbers at the top.
    arrays: &'static [&'static str],
}

fn routes() -> Vec<Route> {
    let search = &["target_length", "max_length", "time_limit_ms", "solutions", "threads"];
    let cube = json!({"scramble": "R U R' U'", "facelets": null, "cubies": null});
    let check = json!({"corner_perm": [0], "corner_orient_delta": [0], "edge_perm": [1, 2], "edge_orient_delta": [0], "move": "F"});
    let texts = &["facelets", "scramble", "cube", "format", "buffers", "inverse_moves"];
    vec![
        Route { uri: "/solve", valid: cube.clone(), numbers: search, texts, arrays: &[] },
        Route { uri: "/solve/stream", valid: cube.clone(), numbers: search, texts, arrays: &[] },
        Route {
            uri: "/explain",
            valid: cube.clone(),
            numbers: &search[..3],
            texts: &["facelets", "scramble", "cube", "solution"],
            arrays: &[],
        },
        Route { uri: "/coords", valid: cube.clone(), numbers: &[], texts, arrays: &[] },
        Route { uri: "/convert", valid: cube, numbers: &[], texts: &["facelets", "cube", "holding"], arrays: &[] },
        Route {
            uri: "/moves/check",
            valid: check,
            numbers: &[],
            texts: &["move", "convention"],
            arrays: &["corner_perm", "corner_orient_delta", "edge_perm", "edge_orient_delta"],
        },
    ]
}

/// Asks one service, counts the distinct requests that it refused, and lists the answers that were not right.
struct RefusalChecker {
    service: Router,
    refused: HashSet<(String, String, Vec<u8>)>,
    wrong: Vec<String>,
}

impl RefusalChecker {
    fn new() -> Self {
        Self { service: starting(), refused: HashSet::new(), wrong: Vec::new() }
    }

    /// Sends a body that must be refused with this status and code, for a reason that names all the words.
    async fn post(&mut self, uri: &str, kind: &str, body: Vec<u8>, expected: (u16, &str), words: &[&str]) -> Value {
        let answer = send(self.service.clone(), post_request(uri, kind, body.clone())).await;
        let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
        let document = self.judge(&answer, expected, words, &format!("POST {uri} {kind} {start}"));
        self.refused.insert((uri.to_owned(), kind.to_owned(), body));
        document
    }

    async fn json(&mut self, uri: &str, body: impl Into<Vec<u8>>, expected: (u16, &str), words: &[&str]) -> Value {
        self.post(uri, "application/json", body.into(), expected, words).await
    }

    async fn get(&mut self, uri: &str, expected: (u16, &str), words: &[&str]) -> Value {
        let answer = get(self.service.clone(), uri).await;
        let document = self.judge(&answer, expected, words, &format!("GET {uri}"));
        self.refused.insert((uri.to_owned(), String::new(), Vec::new()));
        document
    }

    /// A detail names what is wrong, without the jargon of this program, and does not grow with what it is about.
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

    fn finish(self) -> usize {
        assert!(self.wrong.is_empty(), "{} of {}:\n{}", self.wrong.len(), self.refused.len(), self.wrong.join("\n"));
        self.refused.len()
    }
}

const MALFORMED: (u16, &str) = (400, "malformed_json");
const INVALID: (u16, &str) = (400, "invalid_field");
const UNKNOWN: (u16, &str) = (400, "unknown_field");
const TWICE: (u16, &str) = (400, "duplicate_field");
const RANGE: (u16, &str) = (422, "option_out_of_range");

/// No JSON, in every way people manage that, with a word of the reason.
fn no_json(valid: &str, field: &str) -> Vec<(Vec<u8>, &'static str)> {
    #[rustfmt::skip]
    let texts = [
        "", " ", "\n", "{", "}", "{]", "{,}", "{\"scramble\"}", "{\"scramble\":}", "{\"scramble\": R}", "{'scramble': 'R'}",
        "{scramble: \"R\"}", "{\"scramble\": \"R\",}", "{\"scramble\": \"R\"", "{\"scramble\": \"R}",
        "{\"scramble\": \"R\nU\"}", "{\"scramble\": \"\\x52\"}", "{\"scramble\": \"\\ud800\"}", "{\"scramble\": \"\\u12\"}",
        "{\"scramble\": nil}", "{\"scramble\": undefined}", "{\"scramble\": NaN}", "// a cube\n{}", "{/* a cube */}", "#",
        "\u{feff}\u{feff}{}", "\u{feff}", "scramble=R", "<cube/>", "R U R' U'", SOLVED, "{1: 2}", "[", "[1,", "[}", "nul", "tru", "-", "01",
        "\"",
    ];
    let text = |text: &str| (text.replace("scramble", field).into_bytes(), "is not JSON");
    let mut bodies: Vec<(Vec<u8>, &str)> = texts.map(text).to_vec();
    bodies.extend(
        [" {}", "]", "x", "\0", ",", "\n//"].map(|after| (format!("{valid}{after}").into_bytes(), "is not JSON")),
    );
    bodies.extend((1..valid.len() - 1).step_by(5).map(|end| (valid.as_bytes()[..end].to_vec(), "is not JSON")));
    for depth in [200, 10_000, 60_000] {
        bodies.push(("[".repeat(depth).into_bytes(), "is not JSON"));
    }
    // Bytes that belong to no character: alone, overlong, cut off, a surrogate, beyond Unicode; and a text of 16-bit units.
    for bytes in [&b"\xff"[..], b"\xc0\xaf", b"\xe2\x98", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xfe\xff\x00{\x00}"] {
        bodies.push(([b"{\"scramble\": \"", bytes, b"\"}"].concat(), "UTF-8"));
        bodies.push((bytes.to_vec(), "UTF-8"));
    }
    bodies
}

#[tokio::test]
async fn malformed_requests_by_the_hundred() {
    let mut checker = RefusalChecker::new();
    for route in routes() {
        let uri = route.uri;
        let valid = route.valid.to_string();
        for (body, word) in no_json(&valid, route.texts[0]) {
            checker.json(uri, body, MALFORMED, &[word]).await;
        }
        for body in [
            "[]",
            "[{}]",
            "null",
            "true",
            "0",
            "1.5",
            "\"R U\"",
            &format!("[{valid}]"),
            "[[[]]]",
            &("[".repeat(30_000) + &"]".repeat(30_000)),
        ] {
            checker.json(uri, body, INVALID, &[]).await;
        }
        let with = |field: &str, value: &str| {
            let mut object = route.valid.members().clone();
            object.remove(field);
            let rest = Value::from(object).to_string();
            format!("{}, {}: {value}}}", rest.strip_suffix('}').unwrap(), json!(field))
        };
        for field in route.texts {
            for value in ["1", "-1.5", "true", "[]", "{}", "[\"R\"]", "{\"moves\": \"R\"}"] {
                let document = checker.json(uri, with(field, value), INVALID, &[field]).await;
                assert!(document.is_null() || document["field"] == *field, "{document}");
            }
        }
        for field in route.numbers {
            for (expected, values) in [
                (INVALID, &["\"20\"", "1.5", "true", "[]", "{}", "[20]", "-0.5", "\"\""][..]),
                (RANGE, &["-1", "1e300", "18446744073709551616", "-2.0"]),
            ] {
                for value in values {
                    let document = checker.json(uri, with(field, value), expected, &[field]).await;
                    assert!(document.is_null() || document["field"] == *field, "{document}");
                }
            }
            for value in ["01", "+1", ".5", "1.", "0x10", "1e", "1e999", "1_000", "Infinity", "--1"] {
                checker.json(uri, with(field, value), MALFORMED, &["line 1"]).await;
            }
        }
        for field in route.arrays {
            for value in ["null", "1", "\"01234567\"", "{}", "true", "[[0]]", "[null]", "[\"0\"]", "[1.5]", "[true]"] {
                checker.json(uri, with(field, value), INVALID, &[field]).await;
            }
            for value in ["[]", "[1e19]"] {
                checker.json(uri, with(field, value), RANGE, &[field]).await;
            }
        }
        for field in route.numbers.iter().chain(route.texts).chain(route.arrays) {
            let value = route.valid.get(field).map_or("null".to_owned(), Value::to_string);
            let body = format!("{{\"{field}\": {value}, \"{field}\": {value}}}");
            let document = checker.json(uri, body, TWICE, &[field, "more than once"]).await;
            assert!(document.is_null() || document["field"] == *field, "{document}");
        }
        #[rustfmt::skip]
        let names = [
            "", "x", "cubes", "Scramble", "scramble ", "target-length", "__proto__", "ключ", "\u{0}", "$ref", "facelets.x",
        ];
        for name in names {
            let document = checker.json(uri, with(name, "1"), UNKNOWN, &["Unknown field", "Expected one of"]).await;
            assert!(document.is_null() || document["field"] == name, "{document}");
        }
        // A name is not repeated at any length.
        checker.json(uri, with(&"x".repeat(30_000), "1"), UNKNOWN, &["Unknown field"]).await;
        #[rustfmt::skip]
        let declared = [
            "", "text/plain", "text/json", "text/html", "application/xml", "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=x", "application/octet-stream", "application/x-ndjson", "json", "*/*",
            "application/jsonp", "image/svg+json", "application/json, text/plain",
        ];
        for kind in declared {
            let expected = (415, "unsupported_media_type");
            checker.post(uri, kind, valid.clone().into_bytes(), expected, &["Content-Type: application/json"]).await;
        }
        for body in [" ".repeat(65_537), "[".repeat(1 << 20), with("x", &format!("\"{}\"", "x".repeat(1 << 20)))] {
            checker.json(uri, body, (413, "body_too_large"), &["65536 bytes"]).await;
        }
    }
    let check = "\"corner_perm\": [], \"corner_orient_delta\": [], \"edge_perm\": [], \"edge_orient_delta\": []";
    for (expected, values, words) in [
        (INVALID, &["1", "[]", "{}", "{\"goes_to\": null}", "[\"goes_to\"]", "true"][..], "expected a string"),
        (RANGE, &["\"\"", "\"goes\"", "\"GOES_TO\""], "expected `goes_to` or `replaced_by`"),
    ] {
        for value in values {
            let body = format!("{{{check}, \"convention\": {value}}}");
            checker.json("/moves/check", body, expected, &["convention", words]).await;
        }
    }
    for order in ["x", "", "INPUT", "1", "input,any"] {
        checker.get(&format!("/solve/batch?order={order}"), (405, "method_not_allowed"), &["Allow"]).await;
        let uri = format!("/solve/batch?order={order}");
        checker.post(&uri, "application/x-ndjson", Vec::new(), RANGE, &["order", "`input` or `any`"]).await;
    }
    cubes(&mut checker).await;
    queries(&mut checker).await;
    rows(&mut checker).await;
    let refused = checker.finish();
    println!("{refused} distinct malformed requests");
    assert!(refused > 1000, "{refused}");
}

/// Cubes and options that can be read and make no sense, or are wrong inside.
async fn cubes(checker: &mut RefusalChecker) {
    let arrays = json!({"cp": [0, 1, 2, 3, 4, 5, 6, 7], "co": [0, 0, 0, 0, 0, 0, 0, 0],
        "ep": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "eo": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]});
    for uri in ["/solve", "/solve/stream", "/explain", "/coords", "/convert"] {
        for cubies in ["[[0, 1], [], [], []]", "1", "\"x\"", "[]", "{}", "true", "[[0]]", "{\"cp\": []}"] {
            checker.json(uri, format!("{{\"cubies\": {cubies}}}"), INVALID, &["cubies"]).await;
        }
        for name in ["cp", "co", "ep", "eo"] {
            let with = |value: Value| {
                let mut cubies = arrays.clone();
                cubies[name] = value;
                json!({"cubies": cubies}).to_string()
            };
            let at = format!("cubies.{name}");
            for value in [json!("0"), json!(0), json!({}), json!(null), json!(["0"]), json!([0.5]), json!([null])] {
                checker.json(uri, with(value), INVALID, &[&at]).await;
            }
            checker.json(uri, with(json!([-1])), RANGE, &[&at]).await;
            // Each entry out of its range; every other length; and nothing but one entry.
            #[rustfmt::skip]
            let values = [
                json!([u32::MAX]), json!([]), json!(vec![0; 7]), json!(vec![12; 12]), json!(vec![0; 13]),
                json!(vec![0; 999]),
            ];
            for value in values {
                checker.json(uri, with(value), (422, "impossible_cube"), &[]).await;
            }
            let document = checker.json(uri, with(json!([0, "x"])), INVALID, &[&at]).await;
            assert!(document.is_null() || document["field"] == format!("{at}[1]"), "{document}");
            let mut without = arrays.clone();
            without.as_object_mut().unwrap().remove(name);
            checker.json(uri, json!({"cubies": without}).to_string(), INVALID, &[&at, "missing"]).await;
            let again = format!("{{\"cubies\": {{\"{name}\": [], \"{name}\": []}}}}");
            checker.json(uri, again, TWICE, &[name]).await;
        }
        // Each sticker but the centres misread, and each left out.
        for at in (0..54).filter(|at| at % 9 != 4).step_by(3) {
            let other = if &SOLVED[at..=at] == "U" { "R" } else { "U" };
            let misread = format!("{}{other}{}", &SOLVED[..at], &SOLVED[at + 1..]);
            let short = format!("{}{}", &SEXY[..at], &SEXY[at + 1..]);
            for facelets in [misread, short] {
                let document =
                    checker.json(uri, json!({"facelets": facelets}).to_string(), (422, "impossible_cube"), &[]).await;
                assert!(document.is_null() || document["violations"][0]["message"].is_string(), "{document}");
            }
        }
        #[rustfmt::skip]
        let mistakes = [
            "Q", "R U Q", "(R", "R)", "[R", "[R,", "[R]", "[R: U", "R''2x", "4Rw", "R10001", "(R)99999", "R,U", "→",
            "((((R)99)99)99)99",
        ];
        for moves in mistakes {
            checker.json(uri, json!({"scramble": moves}).to_string(), (422, "notation"), &["at character"]).await;
        }
        #[rustfmt::skip]
        let bodys = [
            "{}", "{\"scramble\": null}", "{\"scramble\": \"\", \"facelets\": \"\"}",
            "{\"scramble\": \"R\", \"facelets\": \"x\"}",
        ];
        for body in bodys {
            checker.json(uri, body, (422, "cube_form"), &["facelets", "scramble", "cubies"]).await;
        }
    }
    for uri in ["/solve", "/solve/stream"] {
        for field in ["optimal", "all_solutions"] {
            for value in ["0", "1", "-1", "0.5", "\"true\"", "\"\"", "[]", "[true]", "{}"] {
                let body = format!("{{\"scramble\": \"R\", \"{field}\": {value}}}");
                checker.json(uri, body, INVALID, &[field]).await;
            }
            let again = format!("{{\"scramble\": \"R\", \"{field}\": true, \"{field}\": true}}");
            checker.json(uri, again, TWICE, &[field]).await;
        }
        for (field, range, values) in [
            ("target_length", "from 0 to 30", &[31_u64, 255, 256, 4_294_967_295][..]),
            ("max_length", "from 0 to 30", &[31, 286, 4_294_967_295]),
            ("time_limit_ms", "from 1 to 30000", &[0, 30_001, u64::MAX]),
            ("solutions", "from 1 to 100", &[0, 101, 4_294_967_295]),
            ("threads", "from 1 to ", &[0, 257, 4_294_967_295]),
        ] {
            for value in values {
                let (words, body) = ([field, range, &value.to_string()], json!({"scramble": "R", field: value}));
                let document = checker.json(uri, body.to_string(), RANGE, &words).await;
                assert!(document.is_null() || document["field"] == field, "{document}");
                checker.get(&format!("{uri}?scramble=R&{field}={value}"), RANGE, &words).await;
            }
        }
    }
}

/// Query strings, to every route that reads one.
async fn queries(checker: &mut RefusalChecker) {
    let search: &[&str] = &["target_length", "max_length", "time_limit_ms", "solutions", "threads"];
    let solve = format!("/solve/{SOLVED}");
    let routes: [(&str, &str, &[&str]); 9] = [
        ("/solve", "scramble=R", search),
        ("/solve/stream", "scramble=R", search),
        (&solve, "target_length=20", &search[1..]),
        ("/explain", "scramble=R", &search[..3]),
        ("/coords", "scramble=R", &[]),
        ("/convert", "cube=R", &[]),
        ("/coords/twist/0/apply", "moves=R", &[]),
        ("/coords/slice/0/transform", "symmetry=1", &[]),
        ("/solve", "facelets=x", search),
    ];
    for (uri, valid, numbers) in routes {
        for name in ["x", "cubes", "", "SCRAMBLE", "scramble%00", "%FF", "a.b", "a[]", "%D0%BA"] {
            checker.get(&format!("{uri}?{valid}&{name}=1"), UNKNOWN, &["Unknown field", "Expected one of"]).await;
        }
        let document = checker.get(&format!("{uri}?{valid}&{valid}"), TWICE, &["more than once"]).await;
        assert!(document.is_null() || document["field"].as_str() == valid.split('=').next(), "{document}");
        for name in numbers {
            #[rustfmt::skip]
            let unreadable = [
                "x", "1.5", "", "0x10", "1e3", "%EF%BC%94", "+1", "1+", "1,5", "null", "true", "%00", "%FF", "-", "--1",
            ];
            for (expected, texts) in [(INVALID, &unreadable[..]), (RANGE, &["-1", "99999999999999999999999"])] {
                for text in texts {
                    let document = checker.get(&format!("{uri}?{valid}&{name}={text}"), expected, &[name]).await;
                    assert!(document.is_null() || document["field"] == *name, "{document}");
                }
            }
        }
    }
    for uri in ["/solve", "/coords?names=twist"] {
        checker.get(uri, (422, "cube_form"), &["facelets", "scramble", "cubies"]).await;
    }
    for (text, expected) in [("x", INVALID), ("", INVALID), ("-1", RANGE), ("4294967296", RANGE)] {
        checker.get(&format!("/coords/slice/0/transform?symmetry={text}"), expected, &["symmetry"]).await;
    }
    for query in ["kind=%0A", "kind=444", "kind=", "subset=Q", "format=xml", "format="] {
        checker.get(&format!("/scramble?{query}"), RANGE, &[&query[..query.find('=').unwrap()]]).await;
    }
    checker.get("/coords/slice/0/transform", INVALID, &["symmetry", "missing"]).await;
    checker.get("/coords/twist/0/apply", INVALID, &["moves", "missing"]).await;
    for uri in ["/coords/slice/0/transform?symmetry=48", "/coords/slice/0/transform?symmetry=4294967295"] {
        checker.get(uri, RANGE, &["48, from 0 to 47"]).await;
    }
    for value in ["x", "-1", "1.5", "1e3", "%20", "+1", "0x1"] {
        checker.get(&format!("/coords/twist/{value}"), (400, "invalid_path"), &["integer"]).await;
    }
    for name in ["twits", "%E2%98%83", "Twist!", "comp", "a.b"] {
        let code = if name.ends_with(['!', '3']) { (422, "expression") } else { (404, "unknown_coordinate") };
        checker.get(&format!("/coords/{name}"), code, &[]).await;
    }
    #[rustfmt::skip]
    let names = [
        "comp(", "comp()", "comp(twist", "sym(twist)", "nope(twist)", "symcomp(comp(twist,slice),flip)", &"(".repeat(150),
        &"x".repeat(500),
    ];
    for name in names {
        checker.get(&format!("/coords/{name}"), (422, "expression"), &[]).await;
    }
    for path in ["/solve/%FF", "/coords/%C0%AF", "/coords/twist/%ED%A0%80", "/tables/%FF", "/moves/%F5"] {
        checker.get(path, (400, "invalid_path"), &["UTF-8"]).await;
    }
}

/// Rows of a table, which are looked for once the tables are there.
async fn rows(checker: &mut RefusalChecker) {
    checker.service = ready();
    let uri = "/tables/twist_move/rows/7";
    for name in ["x", "row", "", "%FF", "From"] {
        checker.get(&format!("{uri}?{name}=1"), UNKNOWN, &["Unknown field", "Expected one of"]).await;
    }
    for name in ["from", "count"] {
        checker.get(&format!("{uri}?{name}=1&{name}=1"), TWICE, &[name]).await;
        for text in ["x", "1.5", "", "1e3"] {
            checker.get(&format!("{uri}?{name}={text}"), INVALID, &[name]).await;
        }
        for text in ["-1", "18446744073709551616"] {
            checker.get(&format!("{uri}?{name}={text}"), RANGE, &[name]).await;
        }
        checker.get(&format!("{uri}?{name}=18446744073709551615"), RANGE, &[name, "from"]).await;
    }
    for (query, name) in [("count=0", "count"), ("count=4097", "count"), ("from=18", "from")] {
        checker.get(&format!("{uri}?{query}"), RANGE, &[name]).await;
    }
    for row in ["x", "-1", "%20", "0x1", &"x".repeat(9000)] {
        checker
            .get(&format!("/tables/twist_move/rows/{row}"), (400, "invalid_path"), &["not a row", "from 0 to 2186"])
            .await;
    }
    for row in ["2187", "18446744073709551616", &"9".repeat(9000)] {
        checker.get(&format!("/tables/twist_move/rows/{row}"), (404, "unknown_row"), &["0 to 2186"]).await;
    }
    for name in ["x", "twist", "%00", &"x".repeat(9000)] {
        checker.get(&format!("/tables/{name}/rows/0"), (404, "unknown_table"), &["GET /tables"]).await;
    }
}

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
        ("target_length", "from 0 to 30"),
        ("max_length", "from 0 to 30"),
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

/// An empty `cube` in a query is refused as in the shell; in a body it is the empty scramble.
#[tokio::test]
async fn an_empty_cube_in_a_query_is_refused() {
    let mut checker = RefusalChecker::new();
    for uri in ["/solve", "/solve/stream", "/explain", "/coords", "/convert", "/repair", "/image.svg"] {
        for text in ["", "%20", "+%0A"] {
            checker.get(&format!("{uri}?cube={text}"), (422, "cube_form"), &["`cube` is empty"]).await;
        }
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
        checker.json("/solve", objects, UNKNOWN, &["`cubies`"]).await;
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
        post(starting(), route.uri, body).await.problem(413, "body_too_large");
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
