//! The committed contract matches the code, and its examples are true.

use std::sync::LazyLock;

use superflip::operations;
use superflip_coords::four_arrays::Convention;
use superflip_coords::move_check::{Choice, FindingCode};
use superflip_coords::space::catalogue::{Construction, System};
use superflip_cube::forms::KPattern;
use superflip_cube::notation::fewest_moves::Rule;
use superflip_solver::search::StoppedBy;

use crate::common::prelude::*;

/// The contract, in which each operation has its parameters and responses instead of references to them.
fn api() -> &'static Value {
    static API: LazyLock<Value> = LazyLock::new(resolved);
    &API
}

fn resolved() -> Value {
    let mut api: Value = serde_json::from_str(&contract::JSON).unwrap();
    let components = api["components"].clone();
    let resolve = |part: &mut Value, kind: &str| {
        if let Some(name) = part["$ref"].as_str().map(str::to_owned) {
            let target =
                name.strip_prefix(&format!("#/components/{kind}/")).and_then(|name| components[kind].get(name));
            *part = target.unwrap_or_else(|| panic!("{name} leads nowhere")).clone();
        }
    };
    for item in api["paths"].as_object_mut().unwrap().values_mut() {
        for operation in item.as_object_mut().unwrap().values_mut() {
            operation["parameters"].as_array_mut().into_iter().flatten().for_each(|part| resolve(part, "parameters"));
            operation["responses"].as_object_mut().unwrap().values_mut().for_each(|part| resolve(part, "responses"));
        }
    }
    api
}

/// The libraries write the names; the contract only describes them.
#[test]
fn names_that_the_libraries_send_are_those_of_the_contract() {
    let schemas = &api()["components"]["schemas"];
    for (schema, names) in [
        ("Profile", json!(Profile::ALL)),
        ("StoppedBy", json!(StoppedBy::ALL)),
        ("Axis", json!(Axis::ALL)),
        ("CubeForm", json!(Form::ALL)),
        ("SolutionRule", json!(Rule::ALL)),
        ("Convention", json!(Convention::ALL)),
        ("FindingCode", json!(FindingCode::ALL)),
        ("ReferenceChoice", json!(Choice::ALL)),
        ("CoordinateKind", json!(Construction::ALL)),
        ("AliasSystem", json!(System::ALL)),
    ] {
        assert_eq!(schemas[schema]["enum"], names, "{schema}");
    }
    // All members, also the optional ones.
    let mut pattern = KPattern::of(&Cube::SOLVED, Holding::ALL[1]);
    pattern.pattern_data.edges.orientation_mod = Some(vec![0; 12]);
    let pattern = serde_json::to_value(&pattern).unwrap();
    let data = &pattern["patternData"];
    for (schema, object) in [("KPattern", &pattern), ("PatternPieces", data), ("Orbit", &data["EDGES"])] {
        let keys = |value: &Value| value.members().keys().cloned().collect::<BTreeSet<_>>();
        assert_eq!(keys(&schemas[schema]["properties"]), keys(object), "{schema}");
    }
}

/// A path of the contract with a value for each parameter.
fn with_parameters(path: &str) -> String {
    let path = path.replace("{name}", "twist").replace("{value}", "7").replace("{index}", "0").replace("{move}", "F");
    path.replace("{i}", "1").replace("{j}", "2").replace("{cube}", SOLVED).replace("{facelets}", SOLVED)
}

#[tokio::test]
async fn the_contract_has_every_route_and_no_other() {
    let api = api();
    let documented = api["paths"].members();
    let routes: BTreeSet<_> = operations::routes().into_iter().map(|(path, _)| path).collect();
    assert_eq!(documented.keys().map(String::as_str).collect::<BTreeSet<_>>(), routes);
    for (path, item) in documented {
        let answer = send(ready(), request(&Method::TRACE, &with_parameters(path), &[])).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        let allowed = answer.headers[header::ALLOW].to_str().unwrap().to_lowercase();
        let allowed: BTreeSet<_> = allowed.split(',').filter(|method| *method != "head").collect();
        assert_eq!(item.members().keys().map(String::as_str).collect::<BTreeSet<_>>(), allowed, "{path}");
    }
}

/// Lists the texts with which a part of the contract describes something.
fn descriptions<'a>(part: &'a Value, texts: &mut Vec<&'a str>) {
    match part {
        Value::Object(members) => {
            texts.extend(members.get("description").and_then(Value::as_str));
            members.values().for_each(|member| descriptions(member, texts));
        }
        Value::Array(items) => items.iter().for_each(|item| descriptions(item, texts)),
        _ => {}
    }
}

#[test]
fn what_operations_share_stands_once() {
    let api: Value = serde_json::from_str(&contract::JSON).unwrap();
    let mut known = BTreeSet::new();
    for (path, item) in api["paths"].members() {
        for (method, operation) in item.members() {
            let refusals = operation["responses"].members().iter().filter(|(status, _)| status.as_str() >= "400");
            let parameters = operation["parameters"].as_array().into_iter().flatten();
            for part in refusals.map(|(_, response)| response).chain(parameters) {
                assert!(part["$ref"].is_string() || known.insert(part.to_string()), "{method} {path}: {part}");
            }
        }
    }
    for (kind, part) in api["components"].members() {
        let mut texts = Vec::new();
        descriptions(part, &mut texts);
        let mut known = BTreeSet::new();
        for text in texts.into_iter().filter(|text| text.len() > 150) {
            assert!(known.insert(text), "{kind}: {text}");
        }
    }
    assert!(contract::YAML.len() < 350_000, "{}", contract::YAML.len());
}

#[test]
fn every_code_and_every_refusal_is_documented() {
    let api = api();
    let names: Vec<_> = api["components"]["schemas"]["ProblemCode"]["oneOf"].as_array().map_or_else(
        || api["components"]["schemas"]["ProblemCode"]["enum"].list().clone(),
        |variants| variants.iter().map(|variant| variant["enum"][0].clone()).collect(),
    );
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        assert!(names.contains(&Value::from(code.name())), "{}", code.name());
    }
    for (path, item) in api["paths"].members() {
        for (method, operation) in item.members() {
            let responses = operation["responses"].members();
            assert!(responses.contains_key("200") && responses.contains_key("500"), "{method} {path}");
            for (status, response) in responses.iter().filter(|(status, _)| status.as_str() >= "400") {
                let content = &response["content"];
                // Refusals of twips are text.
                if path == "/v0/solve/pattern" && status.as_str() < "429" && !["401", "403"].contains(&status.as_str())
                {
                    assert_eq!(content["text/plain"]["schema"]["type"], "string", "{status}");
                    continue;
                }
                let schema = &content["application/problem+json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/Problem", "{method} {path} {status}");
            }
        }
    }
}

#[tokio::test]
async fn documented_requests_are_answered() {
    let api = api();
    let mut asked = 0;
    for (path, item) in api["paths"].members() {
        for (name, example) in
            item["post"]["requestBody"]["content"]["application/json"]["examples"].as_object().into_iter().flatten()
        {
            let answer = post(small(), path, example["value"].to_string()).await;
            assert_eq!(answer.status, 200, "{path} {name}: {}", answer.text());
            asked += 1;
        }
        // A path with parameters is asked for with their examples.
        let parameters = item["get"]["parameters"].as_array().into_iter().flatten();
        let in_path: Vec<&Value> = parameters.filter(|parameter| parameter["in"] == "path").collect();
        if !in_path.is_empty() {
            let mut uri = path.clone();
            for parameter in in_path {
                let example = parameter["example"].as_str().map_or(parameter["example"].to_string(), str::to_owned);
                uri = uri.replace(&format!("{{{}}}", parameter["name"].text()), &example);
            }
            if path.starts_with("/solve") {
                uri += "?target_length=22";
            }
            if path.ends_with("/apply") {
                uri += "?moves=F%20R";
            } else if path.ends_with("/transform") {
                uri += "?symmetry=2";
            }
            assert_eq!(get(small(), &uri).await.status, 200, "{uri}");
            asked += 1;
        }
    }
    assert!(asked >= 40, "{asked}");
}

#[tokio::test]
async fn the_documented_answer_is_the_real_one() {
    let mut documented =
        api()["paths"]["/solve"]["post"]["responses"]["200"]["content"]["application/json"]["example"].clone();
    let mut real = post(ready(), "/solve", r#"{"scramble": "R U R' U'"}"#).await.ok();
    for body in [&mut documented, &mut real] {
        // These differ from run to run, or with the tables.
        for member in ["nodes", "elapsed_us", "queue_us"] {
            assert!(body[member].take().is_u64(), "{member}");
        }
        assert!(body["profile"].take().is_string());
    }
    assert_eq!(documented, real);
    let check = &api()["paths"]["/moves/check"]["post"];
    let request = check["requestBody"]["content"]["application/json"]["examples"]["wrong"]["value"].to_string();
    let real = post(ready(), "/moves/check", request).await.ok();
    assert_eq!(check["responses"]["200"]["content"]["application/json"]["example"], real);
    let check = &api()["paths"]["/check-solution"]["post"];
    let request = check["requestBody"]["content"]["application/json"]["examples"]["notation"]["value"].to_string();
    let real = post(ready(), "/check-solution", request).await.ok();
    assert_eq!(check["responses"]["200"]["content"]["application/json"]["example"], real);
}

/// Routes of other programs and of operation take any query.
#[tokio::test]
async fn a_parameter_that_the_contract_does_not_have_is_refused() {
    let mut asked = 0;
    for (path, item) in api()["paths"].members() {
        for (method, operation) in item.members() {
            if ["clients", "operation"].contains(&operation["tags"][0].text()) {
                continue;
            }
            let uri = with_parameters(path) + "?no_such=1&scramble";
            let request = Request::builder().method(method.to_uppercase().as_str()).uri(&uri);
            let body = if method == "post" { "{\"scramble\": \"R\"}" } else { "" };
            let request = request.header(header::CONTENT_TYPE, "application/json").body(Body::from(body)).unwrap();
            let problem = send(ready(), request).await.problem(400, "unknown_field");
            assert_eq!(problem["field"], "no_such", "{method} {uri}: {problem}");
            asked += 1;
        }
    }
    assert!(asked > 30, "{asked}");
    get(ready(), "/version?x=1").await.problem(400, "unknown_field");
    for uri in ["/livez?x=1", "/readyz?x=1", "/metrics?x=1", "/openapi.json?x=1", "/?x=1", "/api/v0/puzzles?x=1"] {
        assert_eq!(get(ready(), uri).await.status, 200, "{uri}");
    }
}

/// Whether a schema, or a part of it, describes the member of an object.
fn describes(schema: &Value, member: &str, api: &Value) -> bool {
    let target = schema["$ref"].as_str().and_then(|path| api.pointer(path.trim_start_matches('#')));
    let parts = schema["allOf"].as_array().into_iter().flatten().chain(target);
    schema["properties"].get(member).is_some() || parts.into_iter().any(|part| describes(part, member, api))
}

/// Whether the value is one of the schema, as far as the contract goes: JSON Schema without patterns and formats.
fn holds(schema: &Value, value: &Value, api: &Value) -> bool {
    let of_type = |name: &str| match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        other => panic!("{other}"),
    };
    let all_hold = |key: &str, holds_in: &dyn Fn(&Vec<Value>) -> bool| schema[key].as_array().is_none_or(holds_in);
    let names = |member: &Value| member.as_array().cloned().unwrap_or_else(|| vec![member.clone()]);
    let at_least =
        |key: &str, number: Option<f64>| schema[key].as_f64().zip(number).is_none_or(|(least, n)| n >= least);
    let at_most = |key: &str, number: Option<f64>| schema[key].as_f64().zip(number).is_none_or(|(most, n)| n <= most);
    let length = value.as_array().and_then(|list| u32::try_from(list.len()).ok()).map(f64::from);
    let refers = schema["$ref"].as_str().is_none_or(|path| {
        let target = api.pointer(path.trim_start_matches('#')).unwrap_or_else(|| panic!("{path} leads nowhere"));
        holds(target, value, api)
    });
    refers
        && (schema["type"].is_null() || names(&schema["type"]).iter().any(|name| of_type(name.text())))
        && all_hold("enum", &|allowed| allowed.contains(value))
        && all_hold("oneOf", &|parts| parts.iter().filter(|part| holds(part, value, api)).count() == 1)
        && all_hold("allOf", &|parts| parts.iter().all(|part| holds(part, value, api)))
        && at_least("minimum", value.as_f64())
        && at_most("maximum", value.as_f64())
        && at_least("minItems", length)
        && at_most("maxItems", length)
        && value
            .as_array()
            .is_none_or(|list| schema["items"].is_null() || list.iter().all(|item| holds(&schema["items"], item, api)))
        && value.as_object().is_none_or(|object| {
            all_hold("required", &|required| required.iter().all(|name| object.contains_key(name.text())))
                && object.iter().all(|(name, member)| match schema["properties"].get(name) {
                    Some(property) => holds(property, member, api),
                    None => {
                        schema["additionalProperties"] != false
                            && (schema["unevaluatedProperties"] != false || describes(schema, name, api))
                    }
                })
        })
}

fn is_one(schema: &str, value: &Value) -> bool {
    let api = api();
    let reference = json!({"$ref": format!("#/components/schemas/{schema}")});
    holds(&reference, value, api)
}

/// Each form of the superflip, as the members of a request.
fn forms() -> [(&'static str, Value); 3] {
    [("facelets", json!(SUPERFLIP)), ("scramble", json!("R U R' U'")), ("cubies", cubies(0, 1, 1))]
}

#[tokio::test]
async fn a_request_has_its_cube_in_exactly_one_form() {
    for (schema, path) in
        [("SolveRequest", "/solve"), ("CoordsRequest", "/coords"), ("ExplainRequest", "/explain"), ("BatchLine", "")]
    {
        // What the schema says of each, and what the server does.
        let mut cases = vec![(json!({}), false), (json!({"facelets": null}), false)];
        for (form, cube) in forms() {
            cases.push((json!({form: cube}), true));
            for (other, another) in forms().into_iter().filter(|(other, _)| *other != form) {
                cases.push((json!({form: cube, other: null}), true));
                cases.push((json!({form: cube, other: another}), false));
            }
        }
        cases.push((json!({"facelets": 1}), false));
        cases.push((json!({"facelets": SOLVED, "colour": 1}), false));
        for (mut request, is_valid) in cases {
            assert_eq!(is_one(schema, &request), is_valid, "{schema} {request}");
            if path == "/solve" || path == "/explain" {
                request["target_length"] = json!(30);
                assert_eq!(is_one(schema, &request), is_valid, "{schema} {request}");
            }
            if !path.is_empty() {
                let answer = post(ready(), path, request.to_string()).await;
                assert_eq!(answer.status.is_success(), is_valid, "{path} {request}: {}", answer.text());
            }
        }
        for (array, entries) in [
            ("cp", json!([0, 1, 2, 3, 4, 5, 6])),
            ("cp", json!([0, 1, 2, 3, 4, 5, 6, 8])),
            ("co", json!([0, 0, 0, 0, 0, 0, 0, 0, 0])),
            ("co", json!([0, 0, 0, 0, 0, 0, 0, 3])),
            ("ep", json!([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12])),
            ("eo", json!([-1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])),
            ("eo", json!([1])),
        ] {
            let [.., (_, mut cubies)] = forms();
            cubies[array] = entries;
            assert!(!is_one(schema, &json!({"cubies": cubies})), "{schema} {cubies}");
        }
    }
}

#[tokio::test]
async fn answers_are_as_their_schemas_say() {
    let value = get(ready(), "/coords/twist/1236").await.ok();
    assert!(is_one("Cubies", &value["cubies"]), "{value}");
    let mv = get(ready(), "/moves/F").await.ok();
    for arrays in [&mv["goes_to"], &mv["replaced_by"]] {
        assert!(is_one("FourArrays", arrays), "{mv}");
    }
    let lines = format!("{{\"id\": 1, \"facelets\": \"{SEXY}\"}}\n{{}}\n{{\"scramble\": \"R\", \"solutions\": 2}}\n");
    let answers = batch(ready(), "/solve/batch?target_length=22", lines.clone()).await;
    let is_line = |line: &str| is_one("BatchLine", &serde_json::from_str(line).unwrap());
    assert_eq!(lines.lines().map(is_line).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(answers.len(), 3);
    assert!(answers.iter().all(|line| is_one("BatchAnswer", line)), "{answers:?}");
}

#[test]
fn a_schema_has_one_plain_name() {
    const ENDINGS: [&str; 6] = ["Body", "Name", "Response", "Info", "Data", "Dto"];
    let api = api();
    for name in api["components"]["schemas"].members().keys() {
        let ending = ENDINGS.into_iter().find(|ending| name.ends_with(ending));
        assert_eq!(ending, None, "{name}: give it a plain noun with #[schema(as = ...)]");
    }
}

#[test]
fn both_bodies_of_a_batch_are_text() {
    let operation = &api()["paths"]["/solve/batch"]["post"];
    for content in [&operation["requestBody"]["content"], &operation["responses"]["200"]["content"]] {
        let content = content.members();
        assert_eq!(content.keys().collect::<Vec<_>>(), ["application/x-ndjson", "text/plain"]);
        for media in content.values() {
            assert_eq!(media["schema"], json!({"type": "string"}));
        }
    }
}

/// Generators of clients then give bytes.
#[test]
fn bodies_that_are_not_text_are_binary() {
    let api = api();
    let mut bodies = 0;
    for operation in api["paths"].members().values().flat_map(|item| item.members().values()) {
        for response in operation["responses"].members().values() {
            for media_type in ["application/octet-stream", "image/png"] {
                let Some(media) = response["content"].get(media_type) else { continue };
                assert_eq!(media["schema"], json!({"type": "string", "format": "binary"}), "{}", operation["summary"]);
                bodies += 1;
            }
        }
    }
    assert_eq!(bodies, 9);
}

#[test]
fn the_first_server_is_the_default_address() {
    let url = api()["servers"][0]["url"].clone();
    assert_eq!(url, format!("http://{}", config().server.listen));
}

#[test]
fn every_size_of_the_table_for_proofs_is_named_where_one_is() {
    let text = contract::YAML.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut places = 0;
    for (at, _) in text.match_indices("`s`,") {
        let near = &text[at..at + 30];
        places += 1;
        for size in Size::ALL {
            assert!(near.contains(&format!("`{}`", size.name())), "{near}");
        }
    }
    assert!(places >= 3, "{places}");
}
