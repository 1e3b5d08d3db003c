//! Scans as colours: shapes in which they are read, and colours that are refused.

use super::scans::{batch, is_legal, repair};
use crate::common::camera::{in_facelet_order, published};
use crate::common::prelude::*;
use crate::common::stickers::with;

fn numbered(samples: &[[u8; 3]]) -> Value {
    samples
        .iter()
        .enumerate()
        .map(|(at, rgb)| ((at + 1).to_string(), json!(rgb)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

#[tokio::test]
async fn colours_are_read_in_every_shape() {
    let scans = published();
    assert_eq!(scans.len(), 11);
    for (_, cube, squares) in &scans {
        let answer = post(ready(), "/convert", json!({"colors": numbered(squares), "to": ["facelets"]})).await;
        let answer = answer.ok();
        assert_eq!((&answer["forms"]["facelets"], &answer["scan"]["facelets"]), (&json!(cube), &json!(cube)));
        let scan = &answer["scan"];
        let margins = scan["margins"].list();
        assert_eq!(margins.len(), 54);
        for (at, margin) in margins.iter().enumerate() {
            assert_eq!(margin.is_null(), at % 9 == 4);
            assert!(margin.is_null() || margin["next"].as_str() != Some(&cube[at..=at]));
        }
        assert!(scan["probability"].as_f64().unwrap() > 0.6 && scan["references"].list().len() == 6);
        let others = scan["runners_up"].list();
        assert!(others.iter().all(|other| other != *cube && is_legal(other.text())));
    }
    let (_, cube, squares) = &scans[0];
    let ordered = in_facelet_order(squares);
    let hexadecimal: Vec<String> = ordered.iter().map(|[r, g, b]| format!("#{r:02x}{g:02X}{b:02x}")).collect();
    let faces: Vec<Vec<&[[u8; 3]]>> = ordered.chunks(9).map(|face| face.chunks(3).collect()).collect();
    let swapped: Vec<[u8; 3]> = ordered.iter().map(|[r, g, b]| [*b, *g, *r]).collect();
    let bodies = [
        json!({"colors": ordered}),
        json!({"colors": hexadecimal}),
        json!({"colors": faces}),
        json!({"colors": swapped, "channel_order": "bgr"}),
    ];
    for body in bodies {
        let solved = post(ready(), "/solve", &body).await.ok();
        assert_eq!((&solved["facelets"], &solved["scan"]["facelets"]), (&json!(cube), &json!(cube)), "{body}");
        let found = repair(body.clone()).await;
        assert_eq!((&found["distance"], &found["repairs"][0]["facelets"]), (&json!(0), &json!(cube)));
        assert_eq!(found["scan"], solved["scan"]);
        let line = batch(&[body]).await.remove(0);
        assert_eq!((&line["facelets"], &line["scan"]), (&json!(cube), &solved["scan"]));
    }
    assert!(post(ready(), "/solve", json!({"facelets": cube})).await.ok().get("scan").is_none());
}

#[tokio::test]
async fn colours_that_do_not_decide_are_refused_with_the_candidates() {
    let grey = json!({"colors": vec![[128, 128, 128]; 54]});
    for uri in ["/solve", "/solve/stream", "/explain", "/convert", "/coords", "/repair"] {
        let document = post(ready(), uri, &grey).await.problem(422, "ambiguous_scan");
        let candidates = document["candidates"].list();
        assert!(candidates.len() >= 2);
        let texts: Vec<Vec<char>> = candidates.iter().map(|one| one["facelets"].text().chars().collect()).collect();
        let differ: Vec<usize> = (0..54).filter(|at| texts.iter().any(|text| text[*at] != texts[0][*at])).collect();
        assert_eq!(document["doubtful"], json!(differ));
    }
    let line = batch(&[grey, json!({"scramble": "R"})]).await;
    assert_eq!((&line[0]["problem"]["code"], &line[1]["solution"]), (&json!("ambiguous_scan"), &json!("R'")));
}

#[tokio::test]
async fn colours_may_have_fractions() {
    let (_, cube, squares) = &published()[0];
    // Means of pixels, as numpy gives them.
    let means: Vec<[f64; 3]> = in_facelet_order(squares)
        .iter()
        .map(|rgb| rgb.map(|channel| (f64::from(channel) + 0.328_125).min(255.0)))
        .collect();
    let by_number: serde_json::Map<_, _> =
        squares.iter().zip(1..).map(|(rgb, number)| (number.to_string(), json!(rgb.map(f64::from)))).collect();
    for colors in [json!(means), json!(by_number)] {
        let answer = post(ready(), "/convert", json!({"colors": colors, "to": ["facelets"]})).await.ok();
        assert_eq!(answer["forms"]["facelets"], *cube);
    }
    for (sample, word) in
        [("[1, 2, NaN]", "`NaN`"), ("[Infinity, 1, 2]", "`Infinity`"), ("[-Infinity, 1, 2]", "`Infinity`")]
    {
        let body = format!("{{\"colors\": [{sample}]}}");
        let document = post(ready(), "/solve", body).await.problem(400, "malformed_json");
        assert!(document["detail"].text().contains(&format!("{word} is not a number in JSON")), "{document}");
    }
    let body = format!("{{\"colors\": [{}[1, 2, 1e999]]}}", "[1, 2, 3], ".repeat(53));
    let document = post(ready(), "/solve", body).await.problem(400, "malformed_json");
    assert!(document["detail"].text().contains("number out of range"), "{document}");
}

const RANGE: (u16, &str) = (422, "option_out_of_range");
const INVALID: (u16, &str) = (400, "invalid_field");
const IMPOSSIBLE: (u16, &str) = (422, "impossible_cube");

#[tokio::test]
async fn invalid_scans_are_refused_with_the_field() {
    let samples = vec![json!([1, 2, 3]); 54];
    let one = |value: Value| {
        let mut list = samples.clone();
        list[7] = value;
        json!({"colors": list})
    };
    let matrices = |face: Value| json!({"colors": [face, [], [], [], [], []]});
    let squares: Vec<[u8; 3]> = vec![[1, 2, 3]; 55];
    let table = [
        ("/solve", json!({"colors": samples, "facelets": SOLVED}), (422, "cube_form"), Value::Null),
        ("/solve", json!({"colors": 5}), INVALID, json!("colors")),
        ("/solve", json!({"colors": "x"}), INVALID, json!("colors")),
        ("/solve", json!({"colors": samples[..53]}), RANGE, json!("colors")),
        ("/solve", json!({"colors": numbered(&squares)}), RANGE, json!("colors")),
        ("/solve", json!({"colors": numbered(&squares[..53])}), RANGE, json!("colors")),
        ("/solve", one(json!([1, 2, 256])), RANGE, json!("colors[7]")),
        ("/solve", one(json!([1, 2])), RANGE, json!("colors[7]")),
        ("/solve", one(json!([1, 2, 255.5])), RANGE, json!("colors[7]")),
        ("/solve", one(json!([1, 2, -0.5])), RANGE, json!("colors[7]")),
        ("/solve", one(json!([1, 2, 1e300])), RANGE, json!("colors[7]")),
        ("/solve", one(json!([1, 2, "3"])), INVALID, json!("colors[7]")),
        ("/solve", json!({"colors": vec![[0.25, 0.5, 1.0]; 54]}), RANGE, json!("colors")),
        ("/solve", one(json!("#12345")), RANGE, json!("colors[7]")),
        ("/solve", one(json!("#+12345")), RANGE, json!("colors[7]")),
        ("/solve", one(json!(null)), INVALID, json!("colors[7]")),
        ("/solve", matrices(json!([])), RANGE, json!("colors[0]")),
        ("/solve", matrices(json!([[1, 2], [], []])), RANGE, json!("colors[0][0]")),
        ("/solve", matrices(json!([[1, 2, 3], [], []])), INVALID, json!("colors[0][0][0]")),
        ("/solve", json!({"facelets": SOLVED, "channel_order": "bgr"}), RANGE, json!("channel_order")),
        ("/solve", json!({"colors": samples, "channel_order": "hsv"}), RANGE, json!("channel_order")),
        ("/solve", json!({"scramble": "R", "face_order": "unknown"}), RANGE, json!("face_order")),
        (
            "/repair",
            json!({"colors": samples, "face_order": "unknown", "face_rotations": "unknown"}),
            RANGE,
            json!("face_order"),
        ),
        ("/solve", json!({"facelets": SOLVED, "face_rotations": 1}), INVALID, json!("face_rotations")),
        (
            "/solve",
            json!({"facelets": with(SOLVED, &[(0, '?')]), "face_rotations": "unknown"}),
            (422, "unknown_stickers"),
            json!("facelets"),
        ),
        ("/solve", json!({"facelets": with(SOLVED, &[(4, '?')])}), IMPOSSIBLE, Value::Null),
        ("/solve", one(json!({"r": 1})), INVALID, json!("colors[7]")),
        ("/solve", one(json!([[[[[1]]]]])), INVALID, json!("colors[7]")),
        ("/repair", json!({}), (422, "cube_form"), Value::Null),
        ("/repair", json!({"facelets": SOLVED, "limit": 0}), RANGE, json!("limit")),
        ("/repair", json!({"facelets": SOLVED, "limit": 101}), RANGE, json!("limit")),
        ("/repair", json!({"facelets": SOLVED, "limit": "1"}), INVALID, json!("limit")),
        ("/repair", json!({"scramble": "R"}), (400, "unknown_field"), json!("scramble")),
        ("/repair", json!({"cube": "R U"}), (422, "unreadable_cube"), json!("cube")),
        ("/repair", json!({"cube": {"cp": [0], "co": [0], "ep": [0], "eo": [0]}}), INVALID, json!("cube")),
        ("/repair", json!({"cube": "R U", "format": "scramble"}), RANGE, json!("format")),
        ("/repair", json!({"facelets": &SOLVED[1..]}), IMPOSSIBLE, Value::Null),
        ("/repair", json!({"facelets": with(SOLVED, &[(0, 'x')])}), IMPOSSIBLE, Value::Null),
        ("/repair", json!({"facelets": with(SOLVED, &[(4, 'R')])}), IMPOSSIBLE, Value::Null),
    ];
    for (uri, body, (status, code), field) in table {
        let document = post(ready(), uri, &body).await.problem(status, code);
        assert_eq!(document.get("field").cloned().unwrap_or_default(), field, "{body}: {document}");
        let detail = document["detail"].text();
        assert!(detail.ends_with('.') && detail.len() < 1000, "{detail}");
        assert_eq!(code == "impossible_cube", document.get("violations").is_some());
    }
}

#[tokio::test]
async fn deeply_nested_colours_are_refused() {
    for (depth, status, code) in
        [(5, 422, "option_out_of_range"), (200, 400, "invalid_field"), (30_000, 400, "invalid_field")]
    {
        let body = format!("{{\"colors\": {}{}}}", "[".repeat(depth), "]".repeat(depth));
        post(ready(), "/solve", body).await.problem(status, code);
    }
    let body = format!("{{\"colors\": {}1{}}}", "{\"1\": ".repeat(8000), "}".repeat(8000));
    post(ready(), "/solve", body).await.problem(400, "invalid_field");
}

#[tokio::test]
async fn lines_of_a_batch_may_be_scans() {
    let (_, cube, squares) = &published()[1];
    let legal = Move::R.cube().to_string();
    let impossible = with(SOLVED, &[(0, 'D')]);
    let lines = [
        json!({"id": 1, "colors": numbered(squares)}),
        json!({"id": 2, "facelets": with(&legal, &[(0, '?')])}),
        json!({"id": 3, "facelets": impossible}),
        json!({"id": 4, "facelets": legal}),
        json!({"id": 5, "colors": []}),
    ];
    let answers = batch(&lines).await;
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [1, 2, 3, 4, 5]);
    assert_eq!((&answers[0]["facelets"], &answers[0]["scan"]["facelets"]), (&json!(cube), &json!(cube)));
    assert_eq!((&answers[1]["solution"], &answers[3]["solution"]), (&json!("R'"), &json!("R'")));
    assert_eq!(answers[2]["problem"]["repairs"]["repairs"][0]["facelets"], SOLVED);
    assert_eq!(answers[4]["problem"]["field"], "colors");
}
