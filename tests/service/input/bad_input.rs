//! What cannot be right is refused: hundreds of malformed requests to every route that takes a body or a query, each answered
//! with a problem document that says what is wrong.

use super::checker::{INVALID, MALFORMED, RANGE, RefusalChecker, TWICE, UNKNOWN};
use crate::common::in_process;
use crate::common::prelude::*;

/// A route with a JSON body: a valid one, and which of its fields are what.
pub(crate) struct Route {
    pub(crate) uri: &'static str,
    valid: Value,
    numbers: &'static [&'static str],
    texts: &'static [&'static str],
    /// Lists of numbers at the top.
    arrays: &'static [&'static str],
}

pub(crate) fn routes() -> Vec<Route> {
    let search = &["target_length", "max_length", "time_limit_ms", "solutions", "threads", "candidates"];
    let cube = json!({"scramble": "R U R' U'", "facelets": null, "cubies": null});
    let check = json!({"corner_perm": [0], "corner_orient_delta": [0], "edge_perm": [1, 2], "edge_orient_delta": [0], "move": "F"});
    let texts = &["facelets", "scramble", "cube", "format", "buffers", "inverse_moves", "target", "target_format"];
    let (of_cube, solve) = (&texts[..6], &texts[..]);
    vec![
        Route { uri: "/solve", valid: cube.clone(), numbers: search, texts: solve, arrays: &[] },
        Route { uri: "/solve/stream", valid: cube.clone(), numbers: search, texts: solve, arrays: &[] },
        Route {
            uri: "/explain",
            valid: cube.clone(),
            numbers: &search[..3],
            texts: &["facelets", "scramble", "cube", "solution", "target"],
            arrays: &[],
        },
        Route {
            uri: "/check-solution",
            valid: json!({"scramble": "R U R' U'", "solution": "U R U' R'", "facelets": null}),
            numbers: &[],
            texts: &["scramble", "solution", "facelets"],
            arrays: &[],
        },
        Route {
            uri: "/diagnose",
            valid: json!({"scramble": "R U", "moves": "R", "seen": SOLVED, "facelets": null}),
            numbers: &["target_length", "max_length", "time_limit_ms", "max_explanations", "candidates"],
            texts: &["scramble", "moves", "seen", "facelets", "faces"],
            arrays: &[],
        },
        Route {
            uri: "/steps",
            valid: json!({"scramble": "R U", "steps": "eo", "facelets": null, "cubies": null}),
            numbers: &["solutions", "time_limit_ms"],
            texts: &["scramble", "facelets", "cube"],
            arrays: &[],
        },
        Route {
            uri: "/steps/stream",
            valid: json!({"scramble": "R U", "steps": [{"goal": "eo"}], "facelets": null}),
            numbers: &["solutions", "time_limit_ms"],
            texts: &["scramble", "facelets"],
            arrays: &[],
        },
        Route { uri: "/coords", valid: cube.clone(), numbers: &[], texts: of_cube, arrays: &[] },
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

/// No JSON, in every way people manage that, with a word of the reason.
pub(crate) fn no_json(valid: &str, field: &str) -> Vec<(Vec<u8>, &'static str)> {
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
            let lists: &[&str] = match *field {
                "cube" | "target" => &["[null]", "[\"R\", {}]"],
                "moves" => &["[1]", "[[\"R\"]]"],
                _ => &["[]", "[\"R\"]"],
            };
            for value in ["1", "-1.5", "true", "{}", "{\"moves\": \"R\"}"].iter().chain(lists) {
                let document = checker.json(uri, with(field, value), INVALID, &[field]).await;
                let is_named = document["field"].as_str().is_some_and(|path| path.split('[').next() == Some(field));
                assert!(document.is_null() || is_named, "{document}");
            }
        }
        for field in route.texts.iter().filter(|field| ["cube", "target"].contains(field)) {
            for value in ["[]", "[\"R U\", \"F\"]"] {
                checker.json(uri, with(field, value), RANGE, &[field]).await;
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
    machines(&mut checker).await;
    queries(&mut checker).await;
    rows(&mut checker).await;
    let refused = checker.finish();
    println!("{refused} distinct malformed requests");
    assert!(refused > 1000, "{refused}");
}

/// Cubes and options that can be read and make no sense, or are wrong inside.
async fn cubes(checker: &mut RefusalChecker) {
    let arrays = in_process::cubies(0, 0, 0);
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

/// Costs and machines that are wrong in form or in meaning.
async fn machines(checker: &mut RefusalChecker) {
    let body = |field: &str, value: &str| format!("{{\"scramble\": \"R\", \"{field}\": {value}}}");
    let action = |action: &str| format!("{{\"start\": \"a\", \"states\": [\"a\"], \"actions\": [{action}]}}");
    for uri in ["/solve", "/solve/stream", "/explain"] {
        for value in ["1", "\"x\"", "[]", "[1]", "true"] {
            checker.json(uri, body("costs", value), INVALID, &["costs", "expected an object"]).await;
            checker.json(uri, body("machine", value), INVALID, &["machine", "expected an object"]).await;
        }
        for value in ["\"1\"", "null", "[1]", "{}", "true"] {
            let document = checker
                .json(uri, body("costs", &format!("{{\"U\": {value}}}")), INVALID, &["costs.U", "a number"])
                .await;
            assert!(document.is_null() || document["field"] == "costs.U", "{document}");
            let document = checker
                .json(uri, body("machine", &action(&format!("{{\"cost\": {value}}}"))), INVALID, &["cost", "a number"])
                .await;
            assert!(document.is_null() || document["field"] == "machine.actions[0].cost", "{document}");
        }
        for (value, words) in [
            ("{}", ["machine.start", "missing"]),
            ("{\"start\": 1}", ["machine.start", "expected a string"]),
            ("{\"start\": \"a\"}", ["machine.states", "missing"]),
            ("{\"start\": \"a\", \"states\": \"a\"}", ["machine.states", "a list"]),
            ("{\"start\": \"a\", \"states\": [1]}", ["machine.states[0]", "expected a string"]),
            ("{\"start\": \"a\", \"states\": [\"a\"]}", ["machine.actions", "missing"]),
            (&action("1"), ["machine.actions[0]", "an object"]),
            (&action("[\"U\"]"), ["machine.actions[0]", "an object"]),
            (&action("{}"), ["machine.actions[0].cost", "missing"]),
            (&action("{\"cost\": 1, \"turn\": 1}"), ["machine.actions[0].turn", "expected a string"]),
            (&action("{\"cost\": 1, \"rotates\": []}"), ["machine.actions[0].rotates", "expected a string"]),
            (
                &action("{\"cost\": 1, \"from\": 1}"),
                ["machine.actions[0].from", "expected the name of a state, or a list"],
            ),
            (
                &action("{\"cost\": 1, \"from\": [1]}"),
                ["machine.actions[0].from", "expected the name of a state, or a list"],
            ),
        ] {
            checker.json(uri, body("machine", value), INVALID, &words).await;
        }
        for value in [&action("{\"cost\": 1, \"x\": 1}"), "{\"begin\": \"a\"}"] {
            checker.json(uri, body("machine", value), UNKNOWN, &["Unknown field", "Expected one of"]).await;
        }
        checker.json(uri, body("machine", &action("{\"cost\": 1, \"cost\": 1}")), TWICE, &["cost"]).await;
        for (value, words) in [
            ("{\"cost\": 0}", ["machine.actions[0].cost", "from 0.000001"]),
            ("{\"cost\": 9e-7}", ["machine.actions[0].cost", "from 0.000001"]),
            ("{\"cost\": -1}", ["machine.actions[0].cost", "from 0.000001"]),
            ("{\"cost\": 1e300}", ["machine.actions[0].cost", "from 0.000001"]),
            ("{\"cost\": 1, \"turn\": \"\"}", ["machine.actions[0].turn", "neither a turn of one face"]),
            ("{\"cost\": 1, \"turn\": \"x\"}", ["machine.actions[0].turn", "neither a turn of one face"]),
            ("{\"cost\": 1, \"turn\": \"U F\"}", ["machine.actions[0].turn", "neither a turn of one face"]),
            ("{\"cost\": 1, \"turn\": \"U D U\"}", ["machine.actions[0].turn", "neither a turn of one face"]),
            ("{\"cost\": 1, \"rotates\": \"U\"}", ["machine.actions[0].rotates", "not a rotation"]),
            ("{\"cost\": 1, \"rotates\": \"q\"}", ["machine.actions[0].rotates", "not a rotation"]),
            ("{\"cost\": 1, \"from\": \"b\"}", ["machine.actions[0].from", "no state `b`"]),
            ("{\"cost\": 1, \"to\": \"\"}", ["machine.actions[0].to", "no state ``"]),
            ("{\"cost\": 1}", ["machine.actions", "the turn U of the cube"]),
            ("", ["machine.actions", "No action is possible"]),
        ] {
            checker.json(uri, body("machine", &action(value)), (422, "invalid_machine"), &words).await;
        }
        for states in ["[]", "[\"a\", \"a\"]", &json!((0..101).map(|n| n.to_string()).collect::<Vec<_>>()).to_string()]
        {
            let machine = format!("{{\"start\": \"a\", \"states\": {states}, \"actions\": []}}");
            checker.json(uri, body("machine", &machine), (422, "invalid_machine"), &["machine.states"]).await;
        }
        for (value, words) in [
            ("{}", ["costs.U", "U has no cost"]),
            ("{\"U\": 1}", ["costs.U2", "U2 has no cost"]),
            ("{\"Q\": 1}", ["costs.Q", "neither a turn of one face"]),
            ("{\"U\": 0}", ["costs.U", "from 0.000001"]),
            ("{\"U\": 9e-7}", ["costs.U", "from 0.000001"]),
            ("{\"U\": 1e7}", ["costs.U", "from 0.000001"]),
            ("{\"U\": 1, \"U\": 1}", ["costs.U", "several costs"]),
            ("{\"U R\": 1}", ["costs.U R", "neither a turn of one face"]),
        ] {
            checker.json(uri, body("costs", value), (422, "invalid_costs"), &words).await;
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
    checker.service = small();
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
