//! What cannot be right is refused: hundreds of malformed requests to every route that takes a body or a query, each answered
//! with a problem document that says what is wrong.

use std::sync::LazyLock;

use super::checker::{INVALID, MALFORMED, RANGE, RefusalChecker, TWICE, UNKNOWN};
use crate::common::in_process;
use crate::common::prelude::*;

/// A route with a JSON body: a valid one, and which of its fields are what.
pub(crate) struct Route {
    pub(crate) uri: String,
    valid: Value,
    numbers: Vec<String>,
    texts: Vec<String>,
    /// Lists of numbers at the top.
    arrays: Vec<String>,
}

fn api() -> &'static Value {
    static API: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(&contract::JSON).unwrap());
    &API
}

/// Follows a reference.
fn resolved(part: &'static Value) -> &'static Value {
    match part["$ref"].as_str() {
        Some(name) => resolved(api().pointer(name.trim_start_matches('#')).unwrap()),
        None => part,
    }
}

/// The operations of a method, with their paths. Routes of other programs read what those programs read.
fn operations(method: &str) -> impl Iterator<Item = (&'static str, &'static Value)> {
    let all = api()["paths"].members().iter().filter_map(move |(path, item)| Some((path.as_str(), item.get(method)?)));
    all.filter(|(_, operation)| operation["tags"][0] != "clients")
}

/// Adds the fields of an object, in whichever of its forms, with their schemas.
fn add_fields(schema: &'static Value, fields: &mut BTreeMap<&'static str, &'static Value>) {
    let schema = resolved(schema);
    for part in ["allOf", "oneOf"].into_iter().filter_map(|parts| schema[parts].as_array()).flatten() {
        add_fields(part, fields);
    }
    let own = schema["properties"].as_object().into_iter().flatten();
    fields.extend(own.filter(|(_, field)| field["type"] != "null").map(|(name, field)| (name.as_str(), field)));
}

/// The types that a value may have, without null. That of a list has the types of its items, such as `array of integer`.
fn types(schema: &'static Value) -> BTreeSet<String> {
    let schema = resolved(schema);
    let named = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
    let own = named.iter().filter_map(Value::as_str).filter(|name| *name != "null").map(|name| match name {
        "array" => format!("array of {}", Vec::from_iter(types(&schema["items"])).join(", ")),
        name => name.to_owned(),
    });
    own.chain(schema["oneOf"].as_array().into_iter().flatten().flat_map(types)).collect()
}

/// Returns the routes that take a body in JSON, with their fields, as the contract describes them.
pub(crate) fn routes() -> Vec<Route> {
    let route = |(path, operation): (&str, &'static Value)| {
        let body = operation["requestBody"]["content"].get("application/json")?;
        let mut fields = BTreeMap::new();
        add_fields(&body["schema"], &mut fields);
        let of = |is: &dyn Fn(&str, &[&str]) -> bool| -> Vec<String> {
            let types = |field| types(field).into_iter().collect::<Vec<_>>();
            let is_wanted = |(name, field): (&&str, &&'static Value)| {
                let types = types(field);
                is(name, &types.iter().map(String::as_str).collect::<Vec<_>>()).then(|| (*name).to_owned())
            };
            fields.iter().filter_map(is_wanted).collect()
        };
        let examples = body["examples"].members().values().map(|example| &example["value"]);
        Some(Route {
            uri: path.to_owned(),
            valid: examples.min_by_key(|valid| valid.to_string().len()).unwrap().clone(),
            numbers: of(&|_, types| types == ["integer"]),
            texts: of(&|name, types| {
                ["cube", "target"].contains(&name) || types == ["string"] || types == ["array of string", "string"]
            }),
            arrays: of(&|_, types| types == ["array of integer"]),
        })
    };
    let routes: Vec<Route> = operations("post").filter_map(route).collect();
    assert!(routes.len() >= 11 && routes.iter().all(|route| !route.texts.is_empty()));
    routes
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
        let uri = route.uri.as_str();
        let valid = route.valid.to_string();
        for (body, word) in no_json(&valid, &route.texts[0]) {
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
            let comma = if object.is_empty() { "" } else { ", " };
            let rest = Value::from(object).to_string();
            format!("{}{comma}{}: {value}}}", rest.strip_suffix('}').unwrap(), json!(field))
        };
        for field in &route.texts {
            let lists: &[&str] = match field.as_str() {
                "cube" | "target" => &["[null]", "[\"R\", {}]"],
                "moves" => &["[1]", "[[\"R\"]]"],
                _ => &["[]", "[\"R\"]"],
            };
            for value in ["1", "-1.5", "true", "{}", "{\"moves\": \"R\"}"].iter().chain(lists) {
                let document = checker.json(uri, with(field, value), INVALID, &[field]).await;
                let path = document["field"].as_str().and_then(|path| path.split('[').next());
                let is_named = path == Some(field);
                assert!(document.is_null() || is_named, "{document}");
            }
        }
        for field in route.texts.iter().filter(|field| ["cube", "target"].contains(&field.as_str())) {
            for value in ["[]", "[\"R U\", \"F\"]"] {
                checker.json(uri, with(field, value), RANGE, &[field]).await;
            }
        }
        for field in &route.numbers {
            for (expected, values) in [
                (INVALID, &["\"20\"", "1.5", "true", "[]", "{}", "[20]", "-0.5", "\"\""][..]),
                (RANGE, &["-1", "1e300", "18446744073709551616", "-2.0"]),
            ] {
                for value in values {
                    let document = checker.json(uri, with(field, value), expected, &[field]).await;
                    assert!(document.is_null() || document["field"] == field.as_str(), "{document}");
                }
            }
            for value in ["01", "+1", ".5", "1.", "0x10", "1e", "1e999", "1_000", "Infinity", "--1"] {
                checker.json(uri, with(field, value), MALFORMED, &["line 1"]).await;
            }
        }
        for field in &route.arrays {
            for value in ["null", "1", "\"01234567\"", "{}", "true", "[[0]]", "[null]", "[\"0\"]", "[1.5]", "[true]"] {
                checker.json(uri, with(field, value), INVALID, &[field]).await;
            }
            for value in ["[]", "[1e19]"] {
                checker.json(uri, with(field, value), RANGE, &[field]).await;
            }
        }
        for field in route.numbers.iter().chain(&route.texts).chain(&route.arrays) {
            let value = route.valid.get(field).map_or("null".to_owned(), Value::to_string);
            let body = format!("{{\"{field}\": {value}, \"{field}\": {value}}}");
            let document = checker.json(uri, body, TWICE, &[field, "more than once"]).await;
            assert!(document.is_null() || document["field"] == field.as_str(), "{document}");
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

/// Costs and machines that are wrong in form, or have too few states or too many.
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
        for states in ["[]", "[\"a\", \"a\"]", &json!((0..101).map(|n| n.to_string()).collect::<Vec<_>>()).to_string()]
        {
            let machine = format!("{{\"start\": \"a\", \"states\": {states}, \"actions\": []}}");
            checker.json(uri, body("machine", &machine), (422, "invalid_machine"), &["machine.states"]).await;
        }
    }
}

/// Query strings, to every route that reads one.
async fn queries(checker: &mut RefusalChecker) {
    for (path, operation) in operations("get") {
        // Rows are looked for in tables, which are not there yet. That of `/readyz` may have anything.
        if ["tables", "operation"].contains(&operation["tags"][0].text()) {
            continue;
        }
        let parameters = operation["parameters"].as_array().into_iter().flatten().map(resolved);
        let of_query: Vec<_> = parameters.filter(|parameter| parameter["in"] == "query").collect();
        let has_type = |parameter: &Value, name: &str| parameter["schema"]["type"] == *name;
        let Some(valid) = of_query.iter().find(|one| has_type(one, "string")).or(of_query.first()) else { continue };
        let valid = format!("{}={}", valid["name"].text(), if has_type(valid, "string") { "R" } else { "1" });
        let uri = path.replace("{cube}", SOLVED).replace("{name}", "slice").replace("{value}", "0");
        for name in ["x", "cubes", "", "SCRAMBLE", "scramble%00", "%FF", "a.b", "a[]", "%D0%BA"] {
            checker.get(&format!("{uri}?{valid}&{name}=1"), UNKNOWN, &["Unknown field", "Expected one of"]).await;
        }
        let document = checker.get(&format!("{uri}?{valid}&{valid}"), TWICE, &["more than once"]).await;
        assert!(document.is_null() || document["field"].as_str() == valid.split('=').next(), "{document}");
        for name in of_query.iter().filter(|one| has_type(one, "integer")).map(|one| one["name"].text()) {
            #[rustfmt::skip]
            let unreadable = [
                "x", "1.5", "", "0x10", "1e3", "%EF%BC%94", "+1", "1+", "1,5", "null", "true", "%00", "%FF", "-", "--1",
            ];
            for (expected, texts) in [(INVALID, &unreadable[..]), (RANGE, &["-1", "99999999999999999999999"])] {
                for text in texts {
                    let document = checker.get(&format!("{uri}?{name}={text}"), expected, &[name]).await;
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
