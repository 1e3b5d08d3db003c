//! `POST /v0/solve/pattern`, asked as the pages of cubing.js ask `twips serve`. The puzzle is the definition of cubing.js
//! (`3x3x3.kpuzzle.json.ts`), and its own moves check the solutions.

use std::sync::LazyLock;

use crate::common::prelude::*;

fn definition() -> Value {
    serde_json::from_str(include_str!("../fixtures/3x3x3.kpuzzle.json")).unwrap()
}

/// The moves that the page permits at first: all but rotations.
fn moves_of_the_page() -> Vec<String> {
    let definition = definition();
    let names = [&definition["moves"], &definition["derivedMoves"]].map(|moves| moves.members().keys());
    let is_rotation = |name: &&String| name.ends_with('v') || name.to_lowercase() == **name;
    names.into_iter().flatten().filter(|name| !is_rotation(name)).cloned().collect()
}

/// Options as the page sends them.
fn arguments_of_the_page() -> Value {
    json!({"minDepth": 0, "generatorMoves": moves_of_the_page(), "randomStart": true, "startPruneDepth": 5})
}

/// The pattern after an alg, by the moves of the definition.
fn after(pattern: &Value, alg: &str) -> Value {
    let definition = definition();
    let mut pattern = pattern.clone();
    for word in alg.split_whitespace() {
        let name = word.trim_end_matches(['2', '\'']);
        let effect = definition["moves"][name].as_object().unwrap_or_else(|| panic!("{word} in {alg}"));
        let amount = match &word[name.len()..] {
            "" => 1,
            "2" => 2,
            "'" => 3,
            other => panic!("{other} in {alg}"),
        };
        for _ in 0..amount {
            for orbit in definition["orbits"].list() {
                let (name, orientations) = (orbit["orbitName"].text(), orbit["numOrientations"].number());
                // The orientations of centres do not count.
                let orientations = if name == "CENTERS" { 1 } else { usize::try_from(orientations).unwrap() };
                let (from, delta) = (
                    list_of::<usize>(&effect[name]["permutation"]),
                    list_of::<usize>(&effect[name]["orientationDelta"]),
                );
                let (pieces, turned) =
                    (list_of::<usize>(&pattern[name]["pieces"]), list_of::<usize>(&pattern[name]["orientation"]));
                let moved: Vec<usize> = from.iter().map(|&slot| pieces[slot]).collect();
                let sums = from.iter().zip(delta).map(|(&slot, delta)| (turned[slot] + delta) % orientations);
                let sums: Vec<usize> = sums.collect();
                pattern[name]["pieces"] = json!(moved);
                pattern[name]["orientation"] = json!(sums);
            }
        }
    }
    pattern
}

fn solved() -> Value {
    definition()["defaultPattern"].clone()
}

async fn ask(request: &Value) -> Answer {
    static SERVICE: LazyLock<Router> =
        LazyLock::new(|| app(ready_state(config_with(|config| config.search.default_time_limit_ms = 100))));
    post(&*SERVICE, "/v0/solve/pattern", request).await
}

/// Asks for a solution, checks it, and returns it.
async fn solution(request: &Value) -> String {
    let answer = ask(request).await.ok();
    let alg = answer["alg"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
    let target = request["startPattern"].get("patternData").unwrap_or(&request["startPattern"]);
    let target = if target.is_null() { &request["definition"]["defaultPattern"] } else { target };
    assert_eq!(after(&request["pattern"], &alg), *target, "{alg}");
    if let Some(permitted) = request["searchArgs"]["generatorMoves"].as_array() {
        for word in alg.split_whitespace() {
            let name = word.trim_end_matches(['2', '\'']);
            assert!(permitted.contains(&json!(name)), "{word} in {alg}");
        }
    }
    alg
}

#[tokio::test]
async fn a_pattern_is_solved_as_by_twips() {
    let scrambled = after(&solved(), "R2 U' F D B2 L U2 F' R D2 L2 B U F2 R'");
    let superflip = {
        let mut pattern = solved();
        pattern["EDGES"]["orientation"] = json!(vec![1; 12]);
        pattern
    };
    for pattern in [scrambled, superflip, after(&solved(), "R U R' U'")] {
        solution(&json!({"definition": definition(), "pattern": pattern})).await;
        let options = arguments_of_the_page();
        solution(&json!({"definition": definition(), "pattern": pattern, "searchArgs": options})).await;
        // A whole KPattern is accepted too.
        let whole = json!({"experimentalPuzzleName": "3x3x3", "patternData": pattern});
        let answer = ask(&json!({"definition": definition(), "pattern": whole})).await.ok();
        assert_eq!(after(&pattern, answer["alg"].text()), solved());
    }
    assert_eq!(solution(&json!({"definition": definition(), "pattern": solved()})).await, "");
}

#[tokio::test]
async fn rotated_centres_are_rotated_back() {
    let rotations = ["", "x", "x2", "x'", "z", "z'"];
    for first in rotations {
        for second in ["", "y", "y2", "y'"] {
            let pattern = after(&solved(), &format!("R U' F2 {first} {second} L D"));
            let alg = solution(&json!({"definition": definition(), "pattern": pattern})).await;
            let is_rotation = |word: &&str| word.starts_with(['x', 'y', 'z']);
            assert!(alg.split_whitespace().filter(is_rotation).count() <= 2, "{alg}");
            // The page permits slice moves and no rotations.
            let options = arguments_of_the_page();
            solution(&json!({"definition": definition(), "pattern": pattern, "searchArgs": options})).await;
        }
    }
    for alg in ["M E S", "r u' f", "M2 E2", "S r2 y"] {
        solution(&json!({"definition": definition(), "pattern": after(&solved(), alg)})).await;
    }
}

#[tokio::test]
async fn the_target_may_be_any_pattern() {
    for (from, to) in [("R U F", "F2 D L'"), ("R U x F", "y B2 D"), ("M", "z U2"), ("", "x y"), ("L B", "L B")] {
        let (pattern, target) = (after(&solved(), from), after(&solved(), to));
        let whole = json!({"experimentalPuzzleName": "3x3x3", "patternData": target});
        for start_pattern in [target, whole] {
            let request = json!({"definition": definition(), "pattern": pattern, "startPattern": start_pattern});
            solution(&request).await;
        }
    }
}

#[tokio::test]
async fn solutions_stay_below_the_greatest_depth() {
    let request = |alg: &str, depth: u32| json!({"definition": definition(), "pattern": after(&solved(), alg), "searchArgs": {"maxDepth": depth}});
    for (alg, length) in [("R U F", 3), ("R U F x", 4), ("", 0)] {
        let found = solution(&request(alg, length + 1)).await;
        assert_eq!(found.split_whitespace().count(), length as usize, "{found}");
        solution(&request(alg, 1000)).await;
        let answer = ask(&request(alg, length)).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (404, "No solution found"));
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    }
}

/// Returns a valid request with one change.
fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let pattern = after(&solved(), "R U F");
    let mut request = json!({"definition": definition(), "pattern": pattern, "searchArgs": arguments_of_the_page()});
    change(&mut request);
    request
}

#[tokio::test]
async fn what_is_not_supported_is_refused_as_text() {
    let without = |names: &[&str]| -> Vec<String> {
        moves_of_the_page().into_iter().filter(|name| !names.contains(&name.as_str())).collect()
    };
    let rotated = after(&solved(), "R x");
    // A member of a valid request with another value, or without one.
    let other = |pointer: &str, value: Value| {
        changed(|request| {
            let (parent, name) = pointer.rsplit_once('/').unwrap();
            let parent = request.pointer_mut(parent).unwrap();
            match parent.as_array_mut() {
                Some(list) => list[name.parse::<usize>().unwrap()] = value,
                None if value.is_null() => _ = parent.as_object_mut().unwrap().remove(name).unwrap(),
                None => parent[name] = value,
            }
        })
    };
    let mut in_need_of_a_rotation = other("/searchArgs/generatorMoves", json!(without(&["M"])));
    in_need_of_a_rotation["pattern"] = rotated;
    let down = definition()["moves"]["D"].take();
    for (request, words) in [
        (other("/searchArgs/minDepth", json!(3)), "searchArgs.minDepth is 3"),
        (other("/searchArgs/quantumMetric", json!(true)), "searchArgs.quantumMetric is not supported"),
        (other("/searchArgs/generatorMoves", json!(["R", "U"])), "searchArgs.generatorMoves does not contain F"),
        (other("/searchArgs/generatorMoves", json!(without(&["B"]))), "generatorMoves does not contain B"),
        (in_need_of_a_rotation, "needs a rotation"),
        (other("/definition/orbits/0/numPieces", json!(24)), "this server solves the 3x3x3 only"),
        (other("/definition/orbits", json!([])), "definition.orbits are not those of the 3x3x3"),
        (other("/definition/moves/U", down), "definition.moves.U is not"),
        (other("/definition/moves/B", Value::Null), "definition.moves.B is not"),
        (other("/definition/moves", json!({})), "definition.moves.U is not"),
        (other("/definition/defaultPattern/CENTERS/orientationMod", Value::Null), "orientationMod of CENTERS"),
        (other("/pattern/CORNERS/orientation/0", json!(1)), "pattern: read as"),
        (other("/startPattern", json!({"EDGES": {}, "CORNERS": {}})), "startPattern"),
        (other("/pattern", Value::Null), "`pattern` is missing"),
        (other("/definition/orbits/0/numOrientations", json!(-1)), "numOrientations`: expected an integer from 0"),
        (json!({}), "`definition` is missing"),
        (json!([]), "expected an object, found a list"),
    ] {
        // A refusal needs no tables.
        let answer = post(starting(), "/v0/solve/pattern", &request).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (400, "text/plain; charset=utf-8"));
        assert!(answer.text().contains(words) && answer.text().len() < 500, "{words}: {}", answer.text());
    }
    let answer = send(ready(), request(&Method::POST, "/v0/solve/pattern", &[])).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (415, "text/plain; charset=utf-8"));
    post(starting(), "/v0/solve/pattern", changed(|_| ()).to_string()).await.problem(503, "tables_not_ready");
    get(ready(), "/v0/solve/pattern").await.problem(405, "method_not_allowed");
}

#[tokio::test]
async fn the_page_may_ask_if_its_origin_is_allowed() {
    let origin = "https://experiments.cubing.net";
    let router = app(ready_state(config_with(|config| config.server.cors_allowed_origins = vec![origin.to_owned()])));
    let headers = [("access-control-request-method", "POST"), ("access-control-request-headers", "content-type")];
    let headers = [[("origin", origin)].as_slice(), &headers].concat();
    let answer = send(&router, request(&Method::OPTIONS, "/v0/solve/pattern", &headers)).await;
    assert_eq!((answer.status.as_u16(), answer.header("access-control-allow-origin")), (200, origin));
    assert!(answer.header("access-control-allow-headers").contains("content-type"), "{answer:?}");
    let mut request = json_request("/v0/solve/pattern", changed(|_| ()).to_string());
    request.headers_mut().insert("origin", origin.parse().unwrap());
    let answer = send(router, request).await;
    assert_eq!(answer.header("access-control-allow-origin"), origin);
    assert_eq!(after(&changed(|_| ())["pattern"], answer.ok()["alg"].text()), solved());
}
