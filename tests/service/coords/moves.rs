//! `/moves`: lists, names, the checker on the wire, and every refusal.

use superflip_coords::four_arrays::Convention;

use crate::common::arrays::{Arrays, GOES_TO, REPLACED_BY};
use crate::common::prelude::*;

#[tokio::test]
async fn moves_are_listed_with_links_that_work() {
    let body = get(starting(), "/moves").await.ok();
    let moves = body["moves"].list();
    assert_eq!(moves.len(), 18);
    for (index, link) in moves.iter().enumerate() {
        let mv = Move::ALL[index];
        assert_eq!((&link["index"], &link["name"]), (&json!(index), &json!(mv.name())));
        let href = link["href"].text();
        let body = get(starting(), href).await.ok();
        for member in ["index", "name", "face", "quarters", "inverse"] {
            assert_eq!(body[member], link[member], "{href}");
        }
        for convention in Convention::ALL {
            assert_eq!(body[convention.name()], Arrays::of(mv.name(), convention).json(), "{href}");
        }
        assert_eq!(body["order"], if mv.quarters() == 2 { 2 } else { 4 });
        assert_eq!(body, get(starting(), &format!("/moves/{index}")).await.ok());
    }
}

#[tokio::test]
async fn a_move_is_told_in_cycles_of_slots() {
    let body = get(starting(), "/moves/F").await.ok();
    assert_eq!(body["corner_cycles"], json!(["URF -> DFR -> DLF -> UFL"]));
    assert_eq!(body["edge_cycles"], json!(["UF -> FR -> DF -> FL"]));
    assert_eq!((&body["corner_slots"][4], &body["edge_slots"][8]), (&json!("DFR"), &json!("FR")));
    let body = get(starting(), "/moves/F2").await.ok();
    assert_eq!(body["corner_cycles"], json!(["URF <-> DLF", "UFL <-> DFR"]));
}

#[tokio::test]
async fn a_move_has_every_name_that_the_notation_has_for_it() {
    for (path, name) in
        [("U'", "U'"), ("U%27", "U'"), ("U3", "U'"), ("U%E2%80%99", "U'"), ("U2'", "U2"), ("1R", "R"), ("Ui", "U'")]
    {
        assert_eq!(get(starting(), &format!("/moves/{path}")).await.ok()["name"], name, "{path}");
    }
}

#[tokio::test]
async fn an_unknown_move_is_refused_with_the_names() {
    for path in ["x", "M", "18", "-1", "99999999999999999999999", "u", "Uq", "Rw2"] {
        let answer = get(starting(), &format!("/moves/{path}")).await;
        answer.problem_with(404, "unknown_move", &["U U2 U'", "0 to 17"]);
    }
    get(starting(), "/moves/%FF").await.problem(400, "invalid_path");
    get(starting(), "/moves/check").await.problem(405, "method_not_allowed");
}

#[tokio::test]
async fn arrays_are_checked_in_the_given_convention_or_both() {
    let mut request = Arrays::of("F", REPLACED_BY).json();
    // Any move will do, so they are right in both.
    let body = post(starting(), "/moves/check", &request).await.ok();
    assert_eq!(body["valid_in"], json!(["goes_to", "replaced_by"]));
    let is = ["is", "is_in_other_convention"].map(|member| &body["reports"][0][member]);
    assert_eq!(is, [&json!("F'"), &json!("F")]);
    assert_eq!((&body["matches"][0]["whole"], &body["matches"][1]["whole"]), (&json!("F'"), &json!("F")));

    request["move"] = json!("F");
    let body = post(starting(), "/moves/check", &request).await.ok();
    assert_eq!(body["valid_in"], json!(["replaced_by"]));
    let reports = body["reports"].list();
    assert_eq!((&reports[0]["convention"], &reports[0]["valid"]), (&json!("goes_to"), &json!(false)));
    assert_eq!(reports[0]["findings"][0]["code"], "other_move");
    assert_eq!(reports[0]["findings"][1]["code"], "other_convention");
    assert_eq!(reports[0]["reference"]["chosen_as"], "named");
    assert_eq!(reports[0]["corrected"], Arrays::of("F", GOES_TO).json());
    assert_eq!((&reports[1]["valid"], &reports[1]["is"]), (&json!(true), &json!("F")));
    assert_eq!((&reports[1]["findings"], &reports[1]["corrected"]), (&json!([]), &Value::Null));
    assert_eq!((reports.len(), body["matches"].list().len()), (2, 2));

    request["convention"] = json!("replaced_by");
    request["move"] = json!("F3");
    let body = post(starting(), "/moves/check", &request).await.ok();
    assert_eq!((body["reports"].list().len(), &body["valid_in"]), (1, &json!([])));
    let findings = body["reports"][0]["findings"].list();
    let codes: Vec<_> = findings.iter().map(|finding| finding["code"].text()).collect();
    assert_eq!(codes, ["other_move", "other_convention", "wrong_direction", "wrong_direction"]);
    assert_eq!((&findings[0]["array"], &findings[2]["array"]), (&Value::Null, &json!("corner_perm")));
    let first = json!({"index": 0, "slot": "URF", "got": 1, "expected": 4});
    assert_eq!(findings[2]["differences"][0], first);
}

#[tokio::test]
async fn what_is_wrong_with_the_numbers_is_a_finding() {
    let request = json!({"move": "F", "convention": "goes_to", "corner_perm": [0], "corner_orient_delta": [-1, 4_294_967_295_u32],
        "edge_perm": [9, 9, 9], "edge_orient_delta": [i64::MIN, i64::MAX]});
    let body = post(starting(), "/moves/check", &request).await.ok();
    let report = &body["reports"][0];
    assert_eq!(report["valid"], false);
    assert_eq!(report["corrected"], Arrays::of("F", GOES_TO).json());
    let lengths = report["findings"].list().iter().filter(|f| f["code"] == "wrong_array_length").count();
    assert_eq!(lengths, 4, "{report}");
    assert_eq!((&report["corner_cycles"], &report["order"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn what_is_no_four_arrays_is_refused() {
    let with = |name: &str, value: Value| {
        let mut request = Arrays::of("F", GOES_TO).json();
        request[name] = value;
        request.to_string()
    };
    for (name, value, field) in [
        ("corner_perm", json!("01234567"), "corner_perm"),
        ("corner_perm", json!([0, 1, 2.5]), "corner_perm[2]"),
        ("edge_perm", json!([0, null]), "edge_perm[1]"),
        ("edge_orient_delta", json!({"UR": 1}), "edge_orient_delta"),
        ("edge_orient_delta", Value::Null, "edge_orient_delta"),
        ("move", json!(6), "move"),
    ] {
        let document = post(starting(), "/moves/check", with(name, value)).await.problem(400, "invalid_field");
        assert_eq!(document["field"], field, "{document}");
    }
    for (name, value) in [("corner_perm", json!([])), ("edge_orient_delta", json!([])), ("convention", json!("goesto"))]
    {
        let answer = post(starting(), "/moves/check", with(name, value)).await;
        assert_eq!(answer.problem(422, "option_out_of_range")["field"], name);
    }
    for (body, code) in [("{}", "invalid_field"), ("[]", "invalid_field"), ("[", "malformed_json")] {
        post(starting(), "/moves/check", body).await.problem(400, code);
    }
    let unknown = post(starting(), "/moves/check", with("cp", json!([]))).await;
    unknown.problem_with(400, "unknown_field", &["did you mean `corner_perm`?"]);
    for name in ["Uq", "r", "F B"] {
        let answer = post(starting(), "/moves/check", with("move", json!(name))).await;
        assert_eq!(answer.problem_with(422, "option_out_of_range", &["U U2 U'"])["field"], "move");
    }
}

#[tokio::test]
async fn a_check_takes_a_move_by_name_or_by_index() {
    let arrays = get(starting(), "/moves/F").await.ok()["goes_to"].clone();
    for name in ["F", "6", "F1"] {
        let mut request = arrays.clone();
        request["convention"] = json!("goes_to");
        request["move"] = json!(name);
        let body = post(starting(), "/moves/check", &request).await.ok();
        assert_eq!(body["valid_in"], json!(["goes_to"]), "{name}");
    }
}
