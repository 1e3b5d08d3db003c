//! The committed contract is the one the code makes, and its examples are true.

use serde_json::Value;
use superflip::http::error::Code;
use superflip::http::openapi::{REGENERATE, contract};

mod common;
use common::service::{get, post, ready};

fn api() -> Value {
    serde_json::from_str(&contract().json).unwrap()
}

#[test]
fn the_committed_contract_has_not_drifted() {
    let committed = include_str!("../openapi.yaml");
    if let Some((number, (is, made))) =
        committed.lines().zip(contract().yaml.lines()).enumerate().find(|(_, (is, made))| is != made)
    {
        panic!("openapi.yaml, line {}:\n  is       {is}\n  would be {made}\nWrite it anew: {REGENERATE}", number + 1);
    }
    assert_eq!(committed, contract().yaml, "write openapi.yaml anew: {REGENERATE}");
}

#[test]
fn yaml_and_json_say_the_same() {
    let yaml: Value = yaml_serde::from_str(&contract().yaml).unwrap();
    assert_eq!(yaml, api());
}

#[test]
fn every_code_and_every_refusal_is_documented() {
    let api = api();
    let names: Vec<_> = api["components"]["schemas"]["Code"]["oneOf"].as_array().map_or_else(
        || api["components"]["schemas"]["Code"]["enum"].as_array().unwrap().clone(),
        |variants| variants.iter().map(|variant| variant["enum"][0].clone()).collect(),
    );
    assert_eq!(names.len(), Code::ALL.len());
    for code in Code::ALL {
        assert!(names.contains(&Value::from(code.name())), "{}", code.name());
    }
    for (path, item) in api["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.contains_key("200") && responses.contains_key("500"), "{method} {path}");
            for (status, response) in responses.iter().filter(|(status, _)| status.as_str() >= "400") {
                let content = &response["content"]["application/problem+json"]["schema"]["$ref"];
                assert_eq!(content, "#/components/schemas/Problem", "{method} {path} {status}");
            }
        }
    }
}

#[tokio::test]
async fn documented_requests_are_answered() {
    let api = api();
    let mut asked = 0;
    for (path, item) in api["paths"].as_object().unwrap() {
        for (name, example) in
            item["post"]["requestBody"]["content"]["application/json"]["examples"].as_object().into_iter().flatten()
        {
            let answer = post(ready(), path, example["value"].to_string()).await;
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
                uri = uri.replace(&format!("{{{}}}", parameter["name"].as_str().unwrap()), &example);
            }
            if path.starts_with("/solve") {
                uri += "?target_length=22";
            }
            if path.ends_with("/apply") {
                uri += "?moves=F%20R";
            } else if path.ends_with("/transform") {
                uri += "?symmetry=2";
            }
            assert_eq!(get(ready(), &uri).await.status, 200, "{uri}");
            asked += 1;
        }
    }
    assert_eq!(asked, 23);
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
    }
    assert_eq!(documented, real);
    let check = &api()["paths"]["/moves/check"]["post"];
    let request = check["requestBody"]["content"]["application/json"]["examples"]["wrong"]["value"].to_string();
    let real = post(ready(), "/moves/check", request).await.ok();
    assert_eq!(check["responses"]["200"]["content"]["application/json"]["example"], real);
}
