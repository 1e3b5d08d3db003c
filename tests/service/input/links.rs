//! Links of pages with puzzles, and maneuvers with what other programs write beside them.

use axum::extract::Query;

use super::forms::{FACELETS, convert, refused};
use crate::common::prelude::*;

#[tokio::test]
async fn moves_on_the_inverse_are_those_of_its_definition() {
    // `applymoves` of nissy-core with the moves `(B' D' L')` on the cube after `R U F F2 D`.
    let answer = convert(json!({"cube": "R U F F2 D", "inverse_moves": "B' D' L'", "to": ["b32"]})).await;
    assert_eq!((&answer["forms"]["b32"], &answer["links"]), (&json!("DJPCANUO=TKXCbAWVZYRE=A"), &Value::Null));
    for (scramble, moves) in [("R U F", "F' U2 B"), ("", "R"), ("L2 D", "")] {
        // The inverse of the scramble, then the moves, then the inverse of all that.
        let inverse = if scramble.is_empty() { String::new() } else { format!("({scramble})'") };
        let cube = Cube::from_scramble(&format!("({inverse} {moves})'")).unwrap();
        for field in ["cube", "scramble"] {
            let answer = convert(json!({field: scramble, "inverse_moves": moves})).await;
            assert_eq!(answer["forms"]["facelets"], cube.to_string(), "{scramble} ({moves})");
        }
        let solved = post(ready(), "/solve", json!({"scramble": scramble, "inverse_moves": moves})).await.ok();
        let solution = solved["solution"].text().parse::<Moves>().unwrap();
        assert!(cube.after(&solution).is_solved());
        assert_eq!(cube, Cube::from_scramble(scramble).unwrap().after_on_inverse(&moves.parse::<Moves>().unwrap()));
    }
    let problem = refused(json!({"cube": "R", "inverse_moves": "R U Q"}), "notation").await;
    assert_eq!((&problem["field"], &problem["position"]), (&json!("inverse_moves"), &json!(4)));
    refused(json!({"inverse_moves": "R"}), "cube_form").await;
}

/// `(1f)`, `(2f)` and `(3f)` could also be moves.
#[tokio::test]
async fn a_length_behind_a_scramble_is_ignored_in_every_field() {
    for (text, moves) in [("R (1f)", "R"), ("R U (2f)", "R U"), ("R U F (3f)", "R U F"), ("R U F (3f*) ", "R U F")] {
        let plain = convert(json!({"scramble": moves})).await;
        for field in ["cube", "scramble"] {
            let answer = convert(json!({field: text})).await;
            assert_eq!(answer, plain, "{field} {text}");
            let solved = post(ready(), "/solve", json!({field: text})).await.ok();
            assert_eq!(solved["facelets"], plain["forms"]["facelets"], "{field} {text}");
        }
    }
    // Elsewhere, the same characters are a group of moves.
    let turned = convert(json!({"scramble": "(3f) R"})).await;
    let rotated = convert(json!({"cube": "z R"})).await;
    assert_eq!((&turned["holding"], &turned["forms"]), (&rotated["holding"], &rotated["forms"]));
}

#[tokio::test]
async fn links_are_present_for_moves_only_and_show_the_cube() {
    let same = [
        ("R U F", "R U F", None),
        ("https://cubedb.net/?puzzle=3&scramble=R_U_F", "R U F", None),
        ("https://alg.cubing.net/?setup=R_U_F&alg=F-_U-_R-", "R U F", Some("F' U' R'")),
        ("https://alpha.twizzle.net/edit/?alg=R+U", "", Some("R U")),
        ("https://alpha.twizzle.net/edit/?setup-alg=F&alg=R+U&setup-anchor=end", "F (R U)'", Some("R U")),
        ("https://alg.cubing.net/?alg=R_%2F%2F_one%0AU_%2F%2F_two&type=alg", "(R U)'", Some("R // one\nU // two")),
    ];
    for (text, scramble, alg) in same {
        let answer = convert(json!({"cube": text})).await;
        assert_eq!(answer["forms"]["facelets"], Cube::from_scramble(scramble).unwrap().to_string(), "{text}");
        for link in answer["links"].members().values().map(Document::text) {
            let again = convert(json!({"cube": link})).await;
            assert_eq!(again["forms"], answer["forms"], "{link}");
            assert_eq!(link.contains("&alg="), alg.is_some(), "{link}");
        }
    }
    for body in [json!({"facelets": SEXY}), json!({"cube": SEXY}), json!({"cube": "R", "inverse_moves": "U"})] {
        assert_eq!(convert(body).await["links"], Value::Null);
    }
    assert!(convert(json!({"scramble": "R U"})).await["links"].is_object());
}

/// The pages read WCA notation, groups and `//`. What else is read here is written out for them.
#[tokio::test]
async fn links_hold_moves_in_the_notation_of_the_pages() {
    for (text, setup, alg) in [
        ("R U' (F2 Rw)3 [M, x] // all read this", "R U' (F2 Rw)3 [M, x] // all read this", None),
        ("R\u{2019} U- F3 (19f)", "R' U' F'", None),
        ("(R U)*2 3F 1L 2R 3Rw m", "R U R U B' L M' x M", None),
        ("https://alg.cubing.net/?setup=R_%2F*_one_*%2F_U&alg=F_%2F%2F_a_%2F*_b%0AL-", "R U", Some("F // a /* b\nL'")),
        ("https://alpha.twizzle.net/edit/?setup-alg=R%E2%80%99&alg=%2F*U*%2FF3", "R'", Some("F'")),
    ] {
        let links = convert(json!({"cube": text})).await["links"].take();
        let address = links["twizzle"].text();
        let Query(shown) = Query::<Vec<(String, String)>>::try_from_uri(&address.parse().unwrap()).unwrap();
        let mut wanted = vec![("setup-alg".to_owned(), setup.to_owned())];
        wanted.extend(alg.map(|alg| ("alg".to_owned(), alg.to_owned())));
        assert_eq!(shown, wanted, "{text}");
    }
}

#[tokio::test]
async fn hosts_of_links_are_read_in_any_case() {
    for link in [
        "HTTPS://Alg.Cubing.net/?setup=R_U_F",
        "WWW.CubeDB.net/?scramble=R_U_F",
        "Alpha.Twizzle.NET/edit/?setup-alg=R+U+F",
    ] {
        let read = convert(json!({"cube": link, "to": ["facelets"]})).await;
        assert_eq!((&read["format"], &read["forms"]["facelets"]), (&json!("link"), &json!(FACELETS)), "{link}");
    }
}
