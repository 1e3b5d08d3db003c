//! Scans whose faces were rotated, mixed up or mirrored, and what problems of scans say.

use crate::common::camera::{Sample, in_facelet_order, published};
use crate::common::prelude::*;
use crate::common::stickers::with;
use superflip::api::types::CubeRequest;
use superflip_cube::FormError;

fn scrambled() -> String {
    Cube::from_scramble("R U F2 L' D B' R2 U' L F").unwrap().to_string()
}

fn face<T: Clone>(stickers: &[T], number: usize, quarters: u64) -> Vec<T> {
    let one = |face: Vec<T>| (0..9).map(|i| face[3 * (2 - i % 3) + i / 3].clone()).collect();
    (0..quarters).fold(stickers[9 * number..9 * number + 9].to_vec(), |face, _| one(face))
}

/// The cube that `faces` describes: at each place a scanned face, turned.
fn together<T: Clone>(scan: &[T], faces: &Value) -> Vec<T> {
    let number = |member: &str, place: usize| faces[member][place].number();
    let at = |place| face(scan, number("order", place) as usize, number("turns", place));
    (0..6).flat_map(at).collect()
}

/// Whether the cube is impossible after any turn of one face in the scan.
fn shows_turns(cube: &str) -> bool {
    let symbols: Vec<char> = cube.chars().collect();
    let turned = |number: usize, quarters: u64| -> String {
        (0..6).flat_map(|at| face(&symbols, at, if at == number { quarters } else { 0 })).collect()
    };
    (0..6).all(|number| (1..4).all(|quarters| Cube::from_facelets(&turned(number, quarters)).is_err()))
}

/// The 54 samples of a published scan in the order U R F D L B, and its cube, on which a turned face is noticed.
fn noticeable() -> (&'static str, Vec<Sample>) {
    let is_noticed = |(name, cube, _): &(&str, &str, _)| name.starts_with("random") && shows_turns(cube);
    let (_, cube, samples) = published().into_iter().find(is_noticed).unwrap();
    (cube, in_facelet_order(&samples))
}

async fn solved(body: Value) -> Value {
    post(ready(), "/solve", &body).await.ok()
}

async fn refused(uri: &str, body: Value, code: &str) -> Value {
    post(ready(), uri, &body).await.problem(422, code)
}

#[tokio::test]
async fn the_answer_says_how_the_faces_were_put_together() {
    let legal = scrambled();
    for (order, turns, fields) in [
        ([2, 3, 0, 5, 1, 4], [0; 6], json!({"face_order": "unknown"})),
        ([0, 1, 2, 3, 4, 5], [1, 2, 3, 0, 1, 2], json!({"face_rotations": "unknown"})),
        ([5, 0, 4, 2, 3, 1], [3, 1, 0, 2, 1, 0], json!({"face_order": "unknown", "face_rotations": "unknown"})),
    ] {
        let symbols: Vec<char> = legal.chars().collect();
        let scan: Vec<char> =
            order.iter().zip(turns).flat_map(|(number, turns)| face(&symbols, *number, turns)).collect();
        let mut body = fields.clone();
        body["facelets"] = scan.iter().collect::<String>().into();
        for uri in ["/solve", "/convert", "/repair"] {
            let answer = post(ready(), uri, &body).await.ok();
            let faces = &answer["faces"];
            let expected: String = together(&scan, faces).into_iter().collect();
            assert_eq!(faces["facelets"], expected, "{uri} {answer}");
            let centres: String = [4, 13, 22, 31, 40, 49].map(|at| &expected[at..=at]).concat();
            assert_eq!(faces["symbols"], centres);
            // It is the cube of the scramble, perhaps held in another way.
            let home = json!({"cube": expected, "format": "facelets", "holding": "UF", "to": ["facelets"]});
            let home = post(ready(), "/convert", &home).await.ok();
            assert_eq!(home["forms"]["facelets"], legal, "{uri} {fields}");
            if uri == "/solve" {
                // The moves turn the faces in their places.
                let solution = answer["solution"].text();
                let inverse = Cube::from_scramble(&format!("({solution})'")).unwrap();
                assert_eq!(Cube::from_facelets(&expected).unwrap(), inverse);
            } else if uri == "/repair" {
                assert_eq!((&answer["distance"], &answer["format"]), (&json!(0), &json!("facelets")));
            }
        }
        let line = body.to_string() + "\n";
        let answer = batch(ready(), "/solve/batch", line).await.remove(0);
        assert_eq!(answer["faces"]["facelets"], together(&scan, &answer["faces"]).iter().collect::<String>());
        // In a query and in a path too.
        let fields = fields.members().keys().map(|name| format!("{name}=unknown")).collect::<Vec<_>>().join("&");
        let text: String = scan.iter().collect();
        for uri in [format!("/solve?facelets={text}&{fields}"), format!("/solve/{text}?{fields}")] {
            assert_eq!(get(ready(), &uri).await.ok()["faces"], answer["faces"], "{uri}");
        }
    }
    assert!(solved(json!({"facelets": legal})).await.get("faces").is_none());
}

#[tokio::test]
async fn a_mirrored_scan_in_unknown_order_is_refused() {
    let scan: String = mirrored(&scrambled().chars().collect::<Vec<_>>()).into_iter().collect();
    let document = refused("/solve", json!({"facelets": scan, "face_order": "unknown"}), "impossible_cube").await;
    assert_eq!(document["violations"][0]["code"], "mirrored_scan");
    assert!(document["detail"].text().contains("mirroring"));
    // Digits say nothing about the places of the colours.
    let digits: String = scan.chars().map(|c| char::from(b'1' + "URFDLB".find(c).unwrap() as u8)).collect();
    solved(json!({"facelets": digits, "face_order": "unknown"})).await;
}

/// The faces in another order, given as letters of their places.
fn in_order<T: Clone>(stickers: &[T], order: &str) -> Vec<T> {
    order.chars().flat_map(|place| face(stickers, "URFDLB".find(place).unwrap(), 0)).collect()
}

/// Each face mirrored from left to right.
fn mirrored<T: Clone>(stickers: &[T]) -> Vec<T> {
    stickers.chunks(3).flat_map(|row| row.iter().rev().cloned()).collect()
}

#[tokio::test]
async fn facelets_in_another_order_or_mirrored_get_the_order_first() {
    let legal = scrambled();
    let digits = |text: &str| text.chars().map(|c| char::from(b'1' + "URFDLB".find(c).unwrap() as u8)).collect();
    let colours = |text: &str| text.chars().map(|c| "WRGYOB".as_bytes()["URFDLB".find(c).unwrap()] as char).collect();
    let names: [&dyn Fn(&str) -> String; 3] = [&str::to_owned, &digits, &colours];
    for order in ["DRFULB", "FRBLUD", "BDLFRU", "UFLBRD"] {
        for (number, name) in names.iter().enumerate() {
            let cube = name(&legal);
            let text: String = in_order(&cube.chars().collect::<Vec<_>>(), order).into_iter().collect();
            let document = refused("/solve", json!({"facelets": text}), "impossible_cube").await;
            let detail = document["detail"].text();
            let letters: Vec<String> = order.chars().map(String::from).collect();
            let start = format!("The text is a legal cube if the faces are in the order {}", letters.join(" "));
            // Without names of the colours, a mirrored scan shows the same as two opposite faces exchanged.
            let is_open = number == 1 && order == "DRFULB";
            let other = if is_open { ", or if each face is mirrored from top to bottom. " } else { ". " };
            assert!(detail.starts_with(&(start + other)) && detail.len() < 500, "{detail}");
            assert_eq!(detail.contains("face_order"), !is_open, "{detail}");
            // The violations are all there.
            let FormError::Impossible { violations, .. } = Cube::from_facelets(&text).unwrap_err() else { panic!() };
            assert_eq!(document["violations"].list().len(), violations.len());
            let found = solved(json!({"facelets": cube})).await;
            if !is_open {
                let by_option = solved(json!({"facelets": text, "face_order": "unknown"})).await;
                assert_eq!(by_option["solution"], found["solution"], "{text}");
            }
        }
    }
    let text: String = mirrored(&legal.chars().collect::<Vec<_>>()).into_iter().collect();
    for body in [json!({"facelets": text}), json!({"cube": text}), json!({"cube": text, "format": "facelets"})] {
        let detail = refused("/solve", body, "impossible_cube").await["detail"].text().to_owned();
        assert!(
            detail.starts_with("The text is a legal cube if each face is mirrored from left to right."),
            "{detail}"
        );
        assert!(detail.len() < 500 && !detail.contains("face_order"), "{detail}");
    }
    // A single misread sticker is no other order.
    let document = refused("/solve", json!({"facelets": with(&legal, &[(0, 'x')])}), "impossible_cube").await;
    assert!(!document["detail"].text().contains("legal cube if"), "{document}");
}

/// Every order, in three alphabets: the text is read as the cube, or the error says the order first and little more.
#[test]
fn cubes_in_any_order_of_the_faces_get_the_order_first() {
    let legal: Vec<char> = scrambled().chars().collect();
    let mut orders = vec![String::new()];
    for _ in 0..6 {
        let longer =
            |order: &String| "URFDLB".chars().filter(|c| !order.contains(*c)).map(|c| format!("{order}{c}")).collect();
        orders = orders.iter().flat_map(|order| -> Vec<String> { longer(order) }).collect();
    }
    assert_eq!(orders.len(), 720);
    let mut named = 0;
    for alphabet in ["URFDLB", "WRGYOB", "abcdef"] {
        for order in &orders {
            let text: String = in_order(&legal, order)
                .iter()
                .map(|c| alphabet.as_bytes()["URFDLB".find(*c).unwrap()] as char)
                .collect();
            let Err(problem) = CubeRequest::of_text(&text).read() else {
                assert!(["URFDLB", "ULFRBD"].contains(&order.as_str()), "{text}");
                continue;
            };
            let letters: Vec<String> = order.chars().map(String::from).collect();
            let detail = &problem.document().detail;
            let order = format!("the faces are in the order {}", letters.join(" "));
            assert!(detail.starts_with("The text is a legal cube if ") && detail.contains(&order), "{text}: {detail}");
            assert!(detail.len() < 500 && !detail.contains("net"), "{text}: {detail}");
            named += 1;
        }
    }
    assert!(named >= 3 * 718, "{named}");
}

#[tokio::test]
async fn a_mirrored_solved_cube_is_called_mirrored() {
    let text = "YYYYYYYYYRRRRRRRRRGGGGGGGGGWWWWWWWWWOOOOOOOOOBBBBBBBBB";
    let detail = refused("/solve", json!({"cube": text}), "impossible_cube").await["detail"].text().to_owned();
    assert!(detail.starts_with("Read as facelets: The colours of the centres are mirrored"), "{detail}");
    assert!(!detail.contains("arrangements") && !detail.contains("ulfrbd"), "{detail}");
}

#[tokio::test]
async fn a_rotated_face_is_named_with_the_legal_cube() {
    let legal = scrambled();
    let symbols: Vec<char> = legal.chars().collect();
    let mut offered = 0;
    for (number, name) in "URFDLB".chars().enumerate() {
        for (quarters, words) in [(3, "90 degrees clockwise"), (2, "180 degrees"), (1, "90 degrees counterclockwise")] {
            let turned: Vec<char> =
                (0..6).flat_map(|at| face(&symbols, at, if at == number { quarters } else { 0 })).collect();
            let scan: String = turned.iter().collect();
            if Cube::from_facelets(&scan).is_ok() {
                continue;
            }
            let document = refused("/solve", json!({"facelets": scan}), "impossible_cube").await;
            let detail = document["detail"].text();
            assert!(detail.contains(&format!("The cube is possible if face {name} is turned by {words}.")), "{detail}");
            let expected = json!([{"face": name, "turns": 4 - quarters, "facelets": legal}]);
            assert_eq!(document["repairs"]["turned_faces"], expected);
            let found = post(ready(), "/repair", json!({"facelets": scan})).await.ok();
            assert_eq!(found["turned_faces"], expected);
            offered += 1;
        }
    }
    assert!(offered >= 15, "{offered}");
    let document = refused("/solve", json!({"facelets": with(SOLVED, &[(0, 'D')])}), "impossible_cube").await;
    assert!(document["repairs"].get("turned_faces").is_none());
}

#[tokio::test]
async fn a_rotated_face_of_colours_is_refused_with_its_name() {
    let (cube, samples) = noticeable();
    let mut named = 0;
    for (number, name) in "URFDLB".chars().enumerate() {
        let scan: Vec<[u8; 3]> = (0..6).flat_map(|at| face(&samples, at, u64::from(at == number))).collect();
        let answer = post(ready(), "/solve", json!({"colors": scan})).await;
        if answer.status == StatusCode::OK {
            // The stickers that differ are fewer than reflections may be, and the turned face shows the same cube.
            assert_eq!(answer.ok()["facelets"], cube);
            continue;
        }
        let document = answer.problem(422, "ambiguous_scan");
        let detail = document["detail"].text();
        if detail.contains(&format!("face {name} by 90 degrees counterclockwise")) {
            let first = &document["candidates"][0];
            assert_eq!((&first["facelets"], &first["turns"][number]), (&json!(cube), &json!(3)), "{document}");
            named += 1;
        }
        let answer = solved(json!({"colors": scan, "face_rotations": "unknown"})).await;
        assert_eq!((&answer["facelets"], &answer["scan"]["facelets"]), (&json!(cube), &json!(cube)));
        let together = together(&scan, &answer["faces"]);
        assert_eq!(solved(json!({"colors": together})).await["facelets"], cube);
    }
    assert!(named >= 3, "{named}");
}

/// Advice is followed as its candidates say it: none of them leads to another cube, and none is certain beside another.
#[tokio::test]
async fn colours_in_another_order_or_mirrored_get_the_arrangements_that_fit() {
    let (cube, samples) = noticeable();
    let bottom_up = mirrored(&(0..6).flat_map(|number| face(&samples, number, 2)).collect::<Vec<_>>());
    for (scan, words) in [
        (
            in_order(&samples, "ULFRBD"),
            vec![
                "the faces are in the order U L F R B D,",
                "the faces are in the order U R F L B D, each mirrored from left to right",
            ],
        ),
        (
            mirrored(&in_order(&samples, "FRBLUD")),
            vec![
                "the faces are in the order F L B R U D,",
                "the faces are in the order F R B L U D, each mirrored from left to right",
            ],
        ),
        (
            in_order(&samples, "DRFULB"),
            vec!["the faces are in the order D R F U L B", "each face is mirrored from top to bottom"],
        ),
        (bottom_up, vec!["the faces are in the order D R F U L B", "each face is mirrored from top to bottom"]),
        (
            mirrored(&samples),
            vec!["the faces are in the order U L F D R B", "each face is mirrored from left to right"],
        ),
    ] {
        let document = refused("/solve", json!({"colors": scan}), "ambiguous_scan").await;
        let detail = document["detail"].text();
        assert!(detail.starts_with("The colours fit no cube as given. They fit one if "), "{detail}");
        assert!(words.iter().all(|words| detail.contains(words)) && !detail.contains('%'), "{detail}");
        assert_eq!(detail.matches(" if ").count(), words.len(), "{detail}");
        let likely = document["candidates"].list().iter().filter(|one| one["probability"].as_f64() > Some(0.05));
        let likely: Vec<&Value> = likely.collect();
        assert_eq!(likely.len(), words.len(), "{document}");
        let mut found = 0;
        for candidate in likely {
            let faces = json!({
                "order": candidate.get("order").unwrap_or(&json!([0, 1, 2, 3, 4, 5])),
                "turns": candidate.get("turns").unwrap_or(&json!([0, 0, 0, 0, 0, 0]))
            });
            let scan = if candidate["mirrored"] == true { mirrored(&scan) } else { scan.clone() };
            let answer = solved(json!({"colors": together(&scan, &faces)})).await;
            assert_eq!(answer["facelets"], candidate["facelets"]);
            assert!(words.len() == 1 || candidate["probability"].as_f64() < Some(0.6), "{document}");
            found += usize::from(answer["facelets"] == cube);
        }
        assert_eq!(found, 1, "{document}");
        // With the option, the mirror image would be taken for the cube.
        assert!(!detail.contains("face_order"), "{detail}");
        // Rotations are not what is wrong.
        refused("/solve", json!({"colors": scan, "face_rotations": "unknown"}), "ambiguous_scan").await;
    }
}

#[tokio::test]
async fn colours_in_unknown_order_are_put_together() {
    let (cube, samples) = noticeable();
    for order in ["URFDLB", "ULFRBD", "DRFULB", "FRBLUD", "BDLFRU"] {
        let scan = in_order(&samples, order);
        for uri in ["/solve", "/convert", "/repair"] {
            let answer = post(ready(), uri, json!({"colors": scan, "face_order": "unknown"})).await.ok();
            assert_eq!((&answer["faces"]["facelets"], &answer["scan"]["facelets"]), (&json!(cube), &json!(cube)));
            assert_eq!(together(&scan, &answer["faces"]), samples);
        }
    }
    // A mirrored scan fits only with mirrored colours.
    let usual = [[255, 255, 255], [185, 0, 0], [0, 155, 72], [255, 213, 0], [255, 89, 0], [0, 69, 173]];
    let usual: Vec<[u8; 3]> = scrambled().chars().map(|c| usual["URFDLB".find(c).unwrap()]).collect();
    for order in ["URFDLB", "ULFRBD", "BDLFRU"] {
        let scan = in_order(&usual, order);
        assert_eq!(solved(json!({"colors": scan, "face_order": "unknown"})).await["facelets"], scrambled());
        let body = json!({"colors": mirrored(&scan), "face_order": "unknown"});
        let document = refused("/solve", body, "impossible_cube").await;
        assert_eq!(
            (&document["violations"][0]["code"], &document["field"]),
            (&json!("mirrored_scan"), &json!("colors"))
        );
    }
    let both = json!({"colors": samples, "face_order": "unknown", "face_rotations": "unknown"});
    let document = refused("/solve", both, "option_out_of_range").await;
    assert_eq!(document["field"], "face_order");
    // As with letters, several cubes are listed.
    let solid: Vec<[u8; 3]> = [[255, 255, 255], [200, 0, 0], [0, 160, 60], [250, 220, 0], [255, 110, 0], [0, 60, 180]]
        .iter()
        .flat_map(|rgb| [*rgb; 9])
        .collect();
    let document = refused("/solve", json!({"colors": solid, "face_order": "unknown"}), "ambiguous_scan").await;
    assert!(document["detail"].text().contains("because the order of the faces is unknown"), "{document}");
    assert!(document["candidates"].list().iter().all(|one| one["order"].list().len() == 6), "{document}");
}

#[tokio::test]
async fn problems_of_stickers_say_what_would_mend_them() {
    let legal = scrambled();
    // Two wrong stickers with one nearest cube.
    let wrong = with(&legal, &[(0, legal.chars().nth(1).unwrap()), (10, legal.chars().nth(11).unwrap())]);
    let found = post(ready(), "/repair", json!({"cube": wrong})).await.ok();
    assert_eq!(found["format"], "facelets");
    if found["total"] == "1" && found["distance"] == 2 {
        let document = refused("/solve", json!({"facelets": wrong}), "impossible_cube").await;
        assert!(document["detail"].text().contains("differs in 2 stickers"), "{document}");
    }
    let ulfrbd = [0, 4, 2, 1, 5, 3].map(|at: usize| &wrong[9 * at..9 * at + 9]).concat();
    let found = post(ready(), "/repair", json!({"cube": ulfrbd, "format": "ulfrbd"})).await.ok();
    assert_eq!(found["format"], "ulfrbd");
    // A centre that was misread, and two that were exchanged.
    for (scan, words) in [
        (with(&legal, &[(4, 'R')]), "centre U5 is `U`"),
        (with(&legal, &[(4, 'R'), (13, 'U')]), "the centres U5 and R5 are exchanged"),
    ] {
        for uri in ["/solve", "/repair"] {
            let answer = post(ready(), uri, json!({"facelets": scan})).await;
            let answer: Value = serde_json::from_str(answer.text()).unwrap();
            if answer.get("repairs").is_some() && answer.get("detail").is_none() {
                assert_eq!(answer["centres"], json!([{"facelets": legal, "changed": [4, 13]}]));
            } else {
                assert!(answer["detail"].text().contains(words), "{answer}");
            }
        }
    }
    // The stickers that the known ones do not determine.
    let scan = with(&legal, &[(0, '?'), (1, '?'), (3, '?'), (10, '?'), (37, '?'), (46, '?'), (53, '?')]);
    let all = ["URFDLB"; 7].map(|symbols| symbols.chars().collect::<Vec<_>>());
    let mut possible: Vec<Vec<char>> = Vec::new();
    for code in 0..6_usize.pow(7) {
        let symbols = (0..7).map(|k| all[k][code / 6_usize.pow(k as u32) % 6]);
        let places = [0, 1, 3, 10, 37, 46, 53];
        let nine = |text: &str| "URFDLB".chars().all(|symbol| text.matches(symbol).count() == 9);
        let text = with(&scan, &places.into_iter().zip(symbols).collect::<Vec<_>>());
        if nine(&text) && Cube::from_facelets(&text).is_ok() {
            possible.push(text.chars().collect());
        }
    }
    let differs: Vec<usize> = (0..54).filter(|at| possible.iter().any(|one| one[*at] != possible[0][*at])).collect();
    if possible.len() > 1 {
        let document = refused("/solve", json!({"facelets": scan}), "unknown_stickers").await;
        assert_has(&document, &json!({"completions": possible.len().to_string(), "doubtful": differs}));
    }
}

#[tokio::test]
async fn unknown_stickers_in_a_path_and_as_other_symbols_get_advice() {
    let legal = scrambled();
    for at in [0, 2, 30, 53] {
        let answer = get(ready(), &format!("/solve/{}", with(&legal, &[(at, '?')]))).await;
        answer.problem_with(400, "invalid_path", &["%3F"]);
    }
    get(ready(), &format!("/solve/{}", with(&legal, &[(2, '?')]).replace('?', "%3F"))).await.ok();
    get(ready(), &format!("/solve/{legal}?nonsense")).await.problem(400, "unknown_field");
    get(ready(), "/solve/R?nonsense").await.problem(400, "unknown_field");
    // In `cube`, `x` and `.` may be moves.
    for symbol in ['x', 'X', '-', '.', '_'] {
        let scan = with(&legal, &[(0, symbol), (3, symbol)]);
        let document = refused("/solve", json!({"facelets": scan}), "impossible_cube").await;
        let detail = document["detail"].text();
        assert!(detail.contains(&format!("If `{symbol}` is an unknown sticker, write `?`")), "{document}");
    }
}

#[tokio::test]
async fn ambiguous_colours_are_refused_like_letters() {
    let colour = |letter: char| match letter {
        'U' => [255, 255, 255],
        'R' => [200, 0, 0],
        'F' => [0, 160, 60],
        'D' => [250, 220, 0],
        'L' => [255, 110, 0],
        _ => [0, 60, 180],
    };
    let cube: Vec<char> = Cube::from_scramble("R").unwrap().to_string().chars().collect();
    let scan: Vec<char> = (0..6).flat_map(|number| face(&cube, number, 2)).collect();
    let letters = json!({"facelets": scan.iter().collect::<String>(), "face_rotations": "unknown"});
    let letters = refused("/solve", letters, "ambiguous_cube").await;
    let samples: Vec<[u8; 3]> = scan.iter().map(|letter| colour(*letter)).collect();
    let colours = json!({"colors": samples, "face_rotations": "unknown"});
    let colours = refused("/solve", colours, "ambiguous_scan").await;
    let cubes = |list: &Value| {
        let mut cubes: Vec<String> = list.list().iter().map(|one| one["facelets"].text().to_owned()).collect();
        cubes.sort();
        cubes
    };
    assert_eq!(cubes(&colours["candidates"]), cubes(&letters["readings"]));
    assert!(colours["detail"].text().contains("fit 2 cubes equally well"), "{colours}");
    assert!(colours["candidates"].list().iter().all(|candidate| candidate["probability"] == 0.5), "{colours}");
    for one in colours["candidates"].list().iter().chain(letters["readings"].list()) {
        let faces = json!({"order": [0, 1, 2, 3, 4, 5], "turns": one["turns"]});
        assert_eq!(together(&scan, &faces).into_iter().collect::<String>(), one["facelets"].text());
        assert!(one.get("order").is_none(), "{one}");
    }
    // A longer list is cut. A misread sticker leaves no arrangement.
    let symbols: String = "abcdef".chars().flat_map(|symbol| [symbol; 9]).collect();
    let many = refused("/solve", json!({"facelets": symbols, "face_order": "unknown"}), "ambiguous_cube").await;
    assert_eq!(many["readings"].list().len(), 20);
    assert!(many["detail"].text().contains("form 30 legal cubes"), "{many}");
    let wrong = json!({"facelets": with(SOLVED, &[(0, 'D')]), "face_rotations": "unknown"});
    let none = refused("/solve", wrong, "impossible_cube").await;
    assert_eq!(none["violations"][0]["code"], "no_arrangement");
}
