//! Scans that contain errors: repairs, unknown stickers, unknown rotations and order of faces.

use crate::common::in_process;
use crate::common::prelude::*;
use crate::common::stickers::with;

const SCRAMBLES: [&str; 3] = ["R U F2 L' D B' R2 U' L F", "D2 B' L U2 R F' D R' B2 L2 U", "F R' U2 B D' L2 F' U R B2"];

fn scrambled(moves: &str) -> String {
    Cube::from_scramble(moves).unwrap().to_string()
}

pub(crate) fn is_legal(facelets: &str) -> bool {
    Cube::from_facelets(facelets).is_ok()
}

/// Every legal cube with one sticker changed, and no centre.
fn single_changes(facelets: &str) -> BTreeSet<String> {
    let places = (0..54).filter(|at| at % 9 != 4);
    let changed = places.flat_map(|at| "URFDLB".chars().map(move |symbol| with(facelets, &[(at, symbol)])));
    changed.filter(|text| text != facelets && is_legal(text)).collect()
}

pub(crate) async fn repair(body: Value) -> Value {
    post(ready(), "/repair", &body).await.ok()
}

fn texts(found: &Value) -> BTreeSet<String> {
    found["repairs"].list().iter().map(|one| one["facelets"].text().to_owned()).collect()
}

pub(crate) async fn batch(lines: &[Value]) -> Vec<Value> {
    let body = lines.iter().map(|line| line.to_string() + "\n").collect::<String>();
    in_process::batch(ready(), "/solve/batch", body).await
}

#[tokio::test]
async fn repairs_are_every_legal_cube_with_one_sticker_changed() {
    for moves in SCRAMBLES {
        let legal = scrambled(moves);
        assert_eq!(repair(json!({"facelets": legal})).await["distance"], 0);
        for at in [0, 1, 8, 10, 21, 29, 38, 52] {
            let symbol = "URFDLB".chars().find(|symbol| legal.chars().nth(at) != Some(*symbol)).unwrap();
            let scan = with(&legal, &[(at, symbol)]);
            let expected = single_changes(&scan);
            assert!(expected.contains(&legal));
            let found = repair(json!({"facelets": scan, "limit": 100})).await;
            assert_eq!(found["distance"], 1);
            assert_eq!(texts(&found), expected, "{scan}");
            assert_eq!((&found["total"], &found["truncated"]), (&json!(expected.len().to_string()), &json!(false)));
            for one in found["repairs"].list() {
                let text: Vec<char> = one["facelets"].text().chars().collect();
                let differs: Vec<usize> =
                    scan.chars().enumerate().filter(|(at, symbol)| text[*at] != *symbol).map(|(at, _)| at).collect();
                assert_eq!(one["changed"], json!(differs));
            }
        }
    }
}

#[tokio::test]
async fn repairs_keep_symbols_and_order_within_the_limit() {
    let legal = scrambled(SCRAMBLES[0]);
    let colours =
        |text: &str| text.chars().map(|c| "wrgyob".as_bytes()["URFDLB".find(c).unwrap()] as char).collect::<String>();
    let scan = with(&colours(&legal), &[(0, 'w'), (1, '?'), (12, '?')]);
    let found = repair(json!({"facelets": scan})).await;
    assert!(texts(&found).contains(&colours(&legal)) && found["distance"].number() <= 1, "{found}");
    // As digits, in the order U L F R B D.
    let faces = |text: &str| [0, 4, 2, 1, 5, 3].map(|face| text[9 * face..9 * face + 9].to_owned()).concat();
    let digits = |text: &str| {
        faces(text).chars().map(|c| char::from(b'1' + "ULFRBD".find(c).unwrap() as u8)).collect::<String>()
    };
    let wrong = with(&legal, &[(53, if legal.ends_with('U') { 'D' } else { 'U' })]);
    let by_letters = repair(json!({"facelets": wrong})).await;
    let by_digits = repair(json!({"cube": format!("0{}", digits(&wrong))})).await;
    for member in ["distance", "total"] {
        assert_eq!(by_digits[member], by_letters[member]);
    }
    let to_digit =
        |text: &str| text.chars().map(|c| char::from(b'1' + "ULFRBD".find(c).unwrap() as u8)).collect::<String>();
    let translated: BTreeSet<String> = texts(&by_letters).iter().map(|text| to_digit(text)).collect();
    assert_eq!(texts(&by_digits), translated);
    // Only the centres are known.
    let blank: String = SOLVED.chars().enumerate().map(|(at, c)| if at % 9 == 4 { c } else { '?' }).collect();
    let found = repair(json!({"facelets": blank, "limit": 7})).await;
    assert_eq!(found["total"], "43252003274489856000");
    assert_eq!((texts(&found).len(), &found["truncated"]), (7, &json!(true)));
    assert!(texts(&found).iter().all(|text| is_legal(text)));
}

#[tokio::test]
async fn repairs_are_found_for_a_query_too() {
    let scan = with(SOLVED, &[(0, 'D')]);
    let expected = repair(json!({"cube": scan, "limit": 3})).await;
    assert_eq!(get(ready(), &format!("/repair?cube={scan}&limit=3")).await.ok(), expected);
    assert_eq!(get(ready(), &format!("/repair?facelets={scan}&limit=3")).await.ok(), expected);
    get(ready(), "/repair?colors=R").await.problem(400, "unknown_field");
    get(ready(), "/repair").await.problem(422, "cube_form");
    get(ready(), "/repair?cube=R&format=scramble").await.problem(422, "option_out_of_range");
}

#[tokio::test]
async fn physical_repairs_touch_only_their_slots() {
    // The solved cube with URF twisted, UR flipped, and UR and UF exchanged.
    let twisted = with(SOLVED, &[(8, 'R'), (9, 'F'), (20, 'U')]);
    let flipped = with(SOLVED, &[(5, 'R'), (10, 'U')]);
    let exchanged = with(SOLVED, &[(10, 'F'), (19, 'R')]);
    for (scan, kind, total) in [(twisted, "twist", 8), (flipped, "flip", 12), (exchanged, "exchange", 28 + 66)] {
        let found = repair(json!({"facelets": scan})).await;
        let physical = &found["physical"];
        assert_eq!((&physical["actions"], &physical["total"]), (&json!(1), &json!(total.to_string())), "{found}");
        let first = &physical["ways"][0];
        assert_eq!(first["facelets"], SOLVED);
        assert!(first["actions"][0]["action"].text().starts_with(kind), "{first}");
        for way in physical["ways"].list() {
            assert!(is_legal(way["facelets"].text()));
        }
    }
    // A piece is missing, and a legal cube needs nothing.
    assert!(repair(json!({"facelets": with(SOLVED, &[(0, 'D')])})).await.get("physical").is_none());
    assert!(repair(json!({"facelets": SOLVED})).await.get("physical").is_none());
}

#[tokio::test]
async fn a_problem_of_impossible_stickers_lists_the_nearest_cubes() {
    let scan = with(&scrambled(SCRAMBLES[1]), &[(2, 'D'), (30, 'U')]);
    assert!(!is_legal(&scan));
    let mut expected = repair(json!({"facelets": scan, "limit": 3})).await;
    // The form is that of the request, which a problem does not repeat.
    assert_eq!(expected.as_object_mut().unwrap().remove("format"), Some(json!("facelets")));
    let body = json!({"facelets": scan}).to_string();
    let cube = json!({"cube": scan}).to_string();
    let mut answers: Vec<Answer> = Vec::new();
    for uri in ["/solve", "/solve/stream", "/explain", "/convert", "/coords"] {
        answers.push(post(ready(), uri, body.clone()).await);
        answers.push(post(ready(), uri, cube.clone()).await);
        answers.push(get(ready(), &format!("{uri}?facelets={scan}")).await);
    }
    answers.push(get(ready(), &format!("/solve/{scan}")).await);
    let mut documents: Vec<Value> = answers.iter().map(|answer| answer.problem(422, "impossible_cube")).collect();
    documents.extend(batch(&[json!({"facelets": scan})]).await.into_iter().map(|line| line["problem"].clone()));
    assert_eq!(documents.len(), 17);
    for document in documents {
        assert_eq!(document["repairs"], expected, "{document}");
        assert!(document["violations"].as_array().is_some_and(|reasons| !reasons.is_empty()));
        assert!(document.get("stickers").is_none());
    }
    // Cubes that are not given as stickers, and stickers of seven colours, have no nearest cube.
    let seven = json!({"facelets": with(SOLVED, &[(0, 'x')])}).to_string();
    let cubies = json!({"cubies": cubies(1, 0, 0)});
    for body in [seven, cubies.to_string()] {
        assert!(post(ready(), "/solve", body).await.problem(422, "impossible_cube").get("repairs").is_none());
    }
}

#[tokio::test]
async fn the_only_completion_of_unknown_stickers_is_solved() {
    let legal = scrambled(SCRAMBLES[2]);
    let lines: Vec<Value> = (0..54)
        .filter(|at| at % 9 != 4)
        .map(|at| json!({"facelets": with(&legal, &[(at, '?'), ((at + 9) % 54 / 9 * 9, '?')])}))
        .collect();
    for answer in batch(&lines).await {
        let given = answer["line"].as_u64().map(|line| lines[line as usize - 1]["facelets"].text()).unwrap();
        // The completions by brute force: every colour for both stickers.
        let places: Vec<usize> = given.match_indices('?').map(|(at, _)| at).collect();
        let pairs = "URFDLB".chars().flat_map(|one| "URFDLB".chars().map(move |other| (one, other)));
        let complete = |(one, other)| with(given, &[(places[0], one), (*places.last().unwrap(), other)]);
        let possible: BTreeSet<String> = pairs.map(complete).filter(|text| is_legal(text)).collect();
        if possible.len() == 1 {
            assert_eq!(answer["facelets"], legal, "{answer}");
        } else {
            assert_eq!(answer["problem"]["code"], "unknown_stickers");
            assert_eq!(answer["problem"]["completions"], possible.len().to_string());
            assert!(possible.contains(answer["problem"]["example"].text()));
        }
    }
    let partial = with(&legal, &[(3, '?'), (17, '?'), (44, '?')]);
    for uri in ["/solve", "/explain", "/coords", "/convert"] {
        for field in ["facelets", "cube"] {
            let answer = post(ready(), uri, json!({field: partial})).await.ok();
            assert!(answer.to_string().contains(&legal), "{uri} {field}: {answer}");
        }
    }
    assert_eq!(get(ready(), &format!("/solve?facelets={}", partial.replace('?', "%3F"))).await.ok()["facelets"], legal);
}

#[tokio::test]
async fn unknown_stickers_without_a_completion_have_nearest_cubes() {
    let legal = scrambled(SCRAMBLES[0]);
    let places: Vec<usize> = (0..54).filter(|at| at % 9 != 4).collect();
    let scan = with(&legal, &[(places[0], '?'), (places[9], if &legal[10..11] == "U" { 'D' } else { 'U' })]);
    let document = post(ready(), "/solve", json!({"facelets": scan})).await.problem(422, "impossible_cube");
    assert_eq!(document["violations"][0]["code"], "no_completion");
    assert!(document["repairs"]["distance"].number() >= 1, "{document}");
    assert!(texts(&document["repairs"]).iter().all(|text| is_legal(text)));
}
