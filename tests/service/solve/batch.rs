//! Batches over HTTP: each line and its answer.

use std::collections::BTreeMap;

use crate::common::prelude::*;

pub(crate) fn numbers(lines: &[Value]) -> Vec<u64> {
    lines.iter().map(|line| line["line"].as_u64().unwrap_or(0)).collect()
}

pub(crate) fn assert_solved(line: &Value) {
    assert_solves(line["facelets"].text(), line);
}

/// The facelets after a scramble of face moves, from the model of stickers.
pub(crate) fn facelets(scramble: &str) -> String {
    stickers::apply(SOLVED, scramble)
}

#[tokio::test]
async fn every_line_is_answered_in_order_with_its_number_and_id() {
    let mut text = String::new();
    let mut scrambles = Vec::new();
    let mut rng = rng(0x5eed);
    for number in 0..60 {
        let cube = walk(&mut rng, 12, &superflip_cube::Move::ALL);
        let facelets = letters(&cube);
        text += &(json!({"id": number * 7, "facelets": facelets, "target_length": 22}).to_string() + "\n");
        scrambles.push(facelets);
    }
    let lines = batch(ready(), "/solve/batch", text).await;
    assert_eq!(numbers(&lines), (1..=60).collect::<Vec<u64>>());
    for (number, (line, facelets)) in lines.iter().zip(&scrambles).enumerate() {
        assert_eq!((&line["id"], &line["facelets"]), (&json!(number * 7), &json!(facelets)));
        assert_solved(line);
        for member in ["nodes", "elapsed_us", "queue_us", "lower_bound"] {
            assert!(line[member].is_u64(), "{member}: {line}");
        }
        assert!(line.get("solutions").is_none());
    }
}

#[tokio::test]
async fn a_line_is_answered_as_post_solve_would() {
    let moves: Vec<_> = superflip_cube::Move::ALL.into_iter().step_by(7).collect();
    let request = json!({"scramble": Moves::from(&moves).to_string()}).to_string();
    let mut lines = batch(ready(), "/solve/batch", request.clone()).await;
    let mut whole = post(ready(), "/solve", request).await.ok();
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].as_object_mut().unwrap().remove("line"), Some(json!(1)));
    for body in [&mut lines[0], &mut whole] {
        for member in ["nodes", "elapsed_us", "queue_us"] {
            assert!(body[member].take().is_u64());
        }
    }
    assert_eq!(lines[0], whole);
}

#[tokio::test]
async fn an_invalid_line_affects_no_other() {
    let long = format!("{{\"scramble\": \"{}\"}}", "R ".repeat(40_000));
    let deep = format!("{{\"id\": {}{}}}", "[".repeat(32_000), "]".repeat(32_000));
    let twisted = facelets("R").replacen('U', "F", 1);
    let body: Vec<(&[u8], u64, &str)> = vec![
        (b"{\"scramble\": \"R\"}\r", 1, ""),
        (b"{\"scramble\": \"U\"", 2, "malformed_json"),
        (b"", 0, ""),
        (b"  \t ", 0, ""),
        (b"{\"id\": \"typo\", \"scrambel\": \"U\"}", 5, "unknown_field"),
        (b"[1, 2]", 6, "impossible_cube"),
        (long.as_bytes(), 7, "body_too_large"),
        (b"{\"scramble\": \"\xff\"}", 8, "malformed_json"),
        (b"{\"id\": 9, \"scramble\": \"Q\"}", 9, "notation"),
        (b"{\"id\": \"many\", \"scramble\": \"R\", \"target_length\": 31}", 10, "option_out_of_range"),
        (b"{\"scramble\": \"R\", \"threads\": 1}", 11, "unknown_field"),
        (b"{\"id\": [1], \"scramble\": \"R\"}", 12, "invalid_field"),
        (b"{\"id\": 1, \"id\": 2, \"scramble\": \"R\"}", 13, "duplicate_field"),
        (b"{\"id\": 14.5}", 14, "cube_form"),
        (b"{\"id\": \"short\", \"facelets\": \"UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB\", \"max_length\": 3, \"time_limit_ms\": 50}", 15, "no_solution_within_limits"),
        (b"{\"scramble\": \"R\"} {}", 16, "malformed_json"),
        (deep.as_bytes(), 17, "invalid_field"),
        (b"{\"id\": \"last\", \"scramble\": \"F\"}", 18, ""),
    ];
    let bytes: Vec<u8> = body.iter().map(|(line, ..)| *line).collect::<Vec<_>>().join(&b'\n');
    let answer = send(ready(), batch_request("/solve/batch", bytes)).await;
    let lines = lines_of(&answer);
    let expected: Vec<_> = body.iter().filter(|(_, number, _)| *number > 0).collect();
    assert_eq!(numbers(&lines), expected.iter().map(|(_, number, _)| *number).collect::<Vec<_>>());
    for (line, (_, number, code)) in lines.iter().zip(expected) {
        let problem = &line["problem"];
        if code.is_empty() {
            assert_solved(line);
            continue;
        }
        assert_eq!(problem["code"], *code, "{line}");
        assert_eq!(problem["request_id"], answer.header("x-request-id"));
        assert_eq!(problem["type"], format!("urn:superflip:problem:{code}"));
        assert!(problem["detail"].as_str().is_some_and(|detail| !detail.contains("body is")), "{line}");
        // Where a problem names a line it is that of the batch.
        assert!(problem.get("line").is_none_or(|named| named == number), "{line}");
    }
    let ids: Vec<&Value> = lines.iter().filter_map(|line| line.get("id")).collect();
    assert_eq!(ids, [&json!("typo"), &json!(9), &json!("many"), &json!(14.5), &json!("short"), &json!("last")]);
    // An impossible cube tells why, as anywhere.
    let lines = batch(ready(), "/solve/batch", json!({"facelets": twisted}).to_string()).await;
    assert_eq!(lines[0]["problem"]["code"], "impossible_cube");
    assert!(!lines[0]["problem"]["violations"].list().is_empty());
    let lines = batch(ready(), "/solve/batch", json!({"scramble": "R", "id": "x".repeat(300)}).to_string()).await;
    assert_eq!((&lines[0]["problem"]["field"], lines[0].get("id")), (&json!("id"), None));
}

/// Scrambles with numbers, as `/api/v0/scramble/333/raw?enumerate` writes them, and stickers as JSON.
#[tokio::test]
async fn numbered_lines_and_stickers_as_json_are_read() {
    let after = facelets("R U F");
    let faces: Vec<&str> = (0..6).map(|face| &after[9 * face..][..9]).collect();
    let object: BTreeMap<_, _> = ["U", "R", "F", "D", "L", "B"].into_iter().zip(&faces).collect();
    let body = [
        "1. R U F".to_owned(),
        "12. R U F\r".to_owned(),
        "R, U, F".to_owned(),
        json!(object).to_string(),
        json!(faces).to_string(),
    ];
    for line in batch(ready(), "/solve/batch", body.join("\n")).await {
        assert_eq!((&line["facelets"], &line["length"]), (&json!(after), &json!(3)), "{line}");
    }
}

/// The header of a table says how to send the column of cubes.
#[tokio::test]
async fn a_table_is_refused_with_the_column_to_send() {
    for (header, row, command) in [
        ("cube,id", "R U F,1", "cut -d',' -f1"),
        ("id\tscramble", "1\tR U F", "cut -f2"),
        ("No.;Time;Comment;Scramble;Date;P.1", "1;12.34;;R U F;2025-01-01 10:00:00;12.34", "cut -d';' -f4"),
        (
            "Puzzle,Category,Time(millis),Date(millis),Scramble,Penalty,Comment",
            "\"333\";\"Normal\";\"12340\";\"1735725600000\";\"R U F\";\"0\";\"\"",
            "cut -d';' -f5",
        ),
        ("\"Time\",\"Scramble\"", "\"12.34\",\"R U F\"", "cut -d',' -f2"),
    ] {
        let lines = batch(ready(), "/solve/batch", format!("{header}\n{row}\nR U F")).await;
        let problem = &lines[0]["problem"];
        assert_eq!((&problem["code"], lines.len()), (&json!("unreadable_cube"), 3), "{problem}");
        assert!(problem["detail"].text().contains(&format!("`tail -n +2 FILE | {command} | tr")), "{problem}");
        assert!(lines[1]["problem"].is_object(), "{lines:?}");
        assert_eq!(lines[2]["length"], 3);
        // So does the parameter in the message.
        let parameter = problem["detail"].text().split('`').nth(1).unwrap();
        let lines = batch(ready(), &format!("/solve/batch?{parameter}"), format!("{header}\n{row}\n")).await;
        assert_eq!((lines.len(), &lines[0]["length"]), (1, &json!(3)), "{lines:?}");
        // The command in the message leaves the cubes.
        let program = problem["detail"].text().split('`').nth(3).unwrap().replace("FILE", "-");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &format!("printf '%s\\n' \"$1\" \"$2\" | {program}"), "sh", header, row]);
        assert_eq!(String::from_utf8(shell.output().unwrap().stdout).unwrap(), "R U F\n", "{program}");
    }
}

/// The first line may be the header of a table with one column.
#[tokio::test]
async fn a_word_in_the_first_line_may_be_a_header() {
    for header in ["Scrambles", "alg", "\"my_case\"", "position"] {
        let lines = batch(ready(), "/solve/batch", format!("{header}\nR U F\n")).await;
        let detail = lines[0]["problem"]["detail"].text();
        let parameter = format!("column={}", header.trim_matches('"'));
        assert!(detail.ends_with(&format!("name the column with `{parameter}`.")), "{detail}");
        let lines = batch(ready(), &format!("/solve/batch?{parameter}"), format!("{header}\nR U F\n")).await;
        assert_eq!((lines.len(), &lines[0]["length"]), (1, &json!(3)), "{lines:?}");
    }
    // Not a word, not the first line.
    for body in ["R U Q\n", "RUQ\n", "R U F\nalg\n"] {
        let lines = batch(ready(), "/solve/batch", body).await;
        let problem = lines.iter().find(|line| line["problem"].is_object()).unwrap();
        assert!(!problem["problem"]["detail"].text().contains("column="), "{problem}");
    }
}

/// Headers and rows as the programs write them.
#[tokio::test]
async fn a_column_of_a_table_is_read_by_its_name() {
    let twisty = "Puzzle,Category,Time(millis),Date(millis),Scramble,Penalty,Comment\n\
        \"333\";\"Normal\";\"12340\";\"1735725600000\";\"R U F\";\"0\";\"a; \"\"b\"\"\"\n\
        \"333\";\"OH\";\"9870\";\"1735725660000\";\"D2 B'\";\"2\";\"\"\n";
    let cs_timer = "No.;Time;Comment;Scramble;Date;P.1\r\n1;12.34;\"a; \"\"b\"\"\";R U F;2025-01-01 10:00:00;12.34\r\n\
        2;DNF(9.87);5\" off;D2 B';2025-01-01 10:01:00;9.87";
    for (name, table) in [
        ("Scramble", twisty.to_owned()),
        ("scramble", cs_timer.to_owned()),
        ("Scramble", format!("\u{feff}{cs_timer}\r\n")),
        ("cube", "id,cube\n1,R U F\n2,D2 B'".to_owned()),
        ("my%20cube", "\"id, old\"\t\"my cube\"\n1\t\"R U F\"\n\n2\tD2 B'\n".to_owned()),
        ("cube", "cube\nR U F\nD2 B'\n".to_owned()),
    ] {
        let lines = batch(ready(), &format!("/solve/batch?column={name}"), table.clone()).await;
        let found: Vec<_> = lines.iter().map(|line| line["facelets"].text()).collect();
        assert_eq!(found, [facelets("R U F"), facelets("D2 B'")], "{table}");
        assert_eq!(lines[0]["line"], 2);
        lines.iter().for_each(assert_solved);
    }
    let lines = batch(ready(), "/solve/batch?column=b", "a,b\n1\n1,\"R\n1,R\n1,\n1,R Q").await;
    let problems: Vec<_> = lines.iter().map(|line| line["problem"]["detail"].as_str().unwrap_or_default()).collect();
    let [short, open, "", empty, notation] = problems[..] else { panic!("{lines:?}") };
    assert!(short == empty && short.contains("no cell `b`, number 2"), "{lines:?}");
    assert!(open.contains("does not end") && notation.contains("`Q`"), "{lines:?}");
    for line in batch(ready(), "/solve/batch?column=c", "a,b\n1,R\n").await {
        assert_eq!(
            (&line["problem"]["code"], &line["problem"]["field"]),
            (&json!("option_out_of_range"), &json!("column"))
        );
        assert!(line["problem"]["detail"].text().contains("names `a`, `b`"), "{line}");
    }
}

#[tokio::test]
async fn an_empty_body_has_an_empty_answer() {
    for body in ["", "\n\n", "\r\n \n"] {
        assert!(batch(ready(), "/solve/batch", body).await.is_empty());
    }
}

#[tokio::test]
async fn a_line_is_a_request_or_a_cube_object_or_a_text() {
    let after = facelets("R U F");
    let pattern = json!({"cube": after, "to": ["kpattern", "cubies"]}).to_string();
    let forms = post(ready(), "/convert", pattern).await.ok()["forms"].take();
    let (kpattern, cubies) = (&forms["kpattern"], &forms["cubies"]);
    let bare =
        json!({"id": "bare", "EDGES": kpattern["patternData"]["EDGES"], "CORNERS": kpattern["patternData"]["CORNERS"]});
    let body = [
        "R U F".to_owned(),
        "# a comment".to_owned(),
        format!("  {after}\r"),
        "GETVSBAH=ZFCXBAGLYTKE=A".to_owned(),
        cubies.to_string(),
        kpattern.to_string(),
        bare.to_string(),
        json!({"id": 8, "cubies": cubies}).to_string(),
        "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR".to_owned(),
    ];
    for kind in ["application/x-ndjson", "text/plain"] {
        let lines = lines_of(&send(ready(), post_request("/solve/batch", kind, body.join("\n"))).await);
        assert_eq!(numbers(&lines), [1, 3, 4, 5, 6, 7, 8, 9]);
        for line in &lines {
            assert_eq!((&line["facelets"], &line["length"]), (&json!(after), &json!(3)), "{line}");
        }
        assert_eq!((&lines[5]["id"], &lines[6]["id"], lines[4].get("id")), (&json!("bare"), &json!(8), None));
    }
    // A cube beside a field with a cube is a wrong request, and cubies have no other members.
    let both = json!({"cp": [0], "scramble": "R"}).to_string();
    let lines = batch(ready(), "/solve/batch", format!("{both}\n{{\"cp\": [0], \"id\": 1}}\n")).await;
    for (line, field) in lines.iter().zip(["cp", "id"]) {
        assert_eq!((&line["problem"]["code"], &line["problem"]["field"]), (&json!("unknown_field"), &json!(field)));
    }
}

#[tokio::test]
async fn the_format_in_the_query_is_that_of_texts_without_one() {
    let body = "f.b\n{\"cube\": \"f.b\"}\n{\"cube\": \"f.b\", \"format\": \"speffz\"}\n{\"scramble\": \"R\"}\n";
    let lines = batch(ready(), "/solve/batch", body).await;
    assert_eq!([&lines[0]["problem"]["code"], &lines[1]["problem"]["code"]], ["ambiguous_cube"; 2]);
    let lines = batch(ready(), "/solve/batch?format=scramble", body).await;
    let wide = "RRRUUULLLURDURDURDFFFFFFFFFRRRDDDLLLULDULDULDBBBBBBBBB";
    assert_eq!([&lines[0]["facelets"], &lines[1]["facelets"]], [wide; 2]);
    assert_ne!(lines[2]["facelets"], wide);
    assert_eq!(lines[3]["solution"], "R'");
}

#[tokio::test]
async fn the_query_has_the_defaults_of_the_lines() {
    let body =
        format!("{}\n{}\n", json!({"facelets": SUPERFLIP}), json!({"scramble": "R", "max_length": 9, "solutions": 1}));
    let uri = "/solve/batch?target_length=24&max_length=2&time_limit_ms=50&solutions=2";
    let lines = batch(ready(), uri, body).await;
    assert_eq!(lines[0]["problem"]["max_length"], 2);
    assert_eq!((&lines[1]["solution"], lines[1].get("solutions")), (&json!("R'"), None));
    let lines =
        batch(ready(), "/solve/batch?solutions=2&target_length=24", json!({"facelets": SUPERFLIP}).to_string()).await;
    let listed = lines[0]["solutions"].list();
    assert!((1..=2).contains(&listed.len()) && listed[0]["solution"] == lines[0]["solution"]);
}

/// The rows beside U and D may be moves, so a row of the middle says what is wrong.
#[tokio::test]
async fn a_net_on_nine_lines_is_named() {
    let net = Cube::from_scramble("R U F").unwrap().to_form(Form::Net);
    let answers = batch(ready(), "/solve/batch", net.clone()).await;
    let problems: Vec<&Value> = answers.iter().map(|answer| &answer["problem"]).collect();
    for problem in &problems[3..6] {
        assert_eq!(problem["code"], "unreadable_cube");
        assert!(problem["detail"].text().contains("nine rows of the net on one line"), "{problem}");
    }
    // As the message says, and moves with spaces or in another grouping.
    let line = net.split_whitespace().collect::<Vec<_>>().join(" ");
    for (line, solved) in [(line.as_str(), "R U F"), ("F F D F F R", "F2 D F2 R"), ("FFD FFR", "F2 D F2 R")] {
        let answers = batch(ready(), "/solve/batch", line.to_owned()).await;
        assert_eq!(answers[0]["facelets"], Cube::from_scramble(solved).unwrap().to_string(), "{}", answers[0]);
    }
    let moves = "FFD FFR FBB LLL";
    assert!(batch(ready(), "/solve/batch?format=scramble", moves).await[0]["solution"].is_string());
}

#[tokio::test]
async fn lines_may_be_plain_text_both_ways() {
    let asked = |accept: &'static str| {
        Request::post("/solve/batch")
            .header(header::CONTENT_TYPE, "text/plain; charset=utf-8")
            .header(header::ACCEPT, accept)
            .header(header::ACCEPT_ENCODING, "gzip")
            .body(Body::from("{\"scramble\": \"R\"}\n".repeat(100)))
            .unwrap()
    };
    for (accept, kind) in [
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/plain, application/x-ndjson;q=0.5", "text/plain; charset=utf-8"),
        ("application/x-ndjson, text/plain", "application/x-ndjson"),
        ("application/jsonl, text/plain;q=0.9", "application/x-ndjson"),
        ("*/*", "application/x-ndjson"),
        ("", "application/x-ndjson"),
    ] {
        let answer = send(ready(), asked(accept)).await;
        assert_eq!((answer.status, answer.header("content-type")), (StatusCode::OK, kind), "{accept}");
        // It would wait in the compressor.
        assert_eq!(answer.header("content-encoding"), "");
        assert_eq!(answer.text().lines().count(), 100);
    }
}

#[tokio::test]
async fn an_invalid_request_is_refused_before_its_lines() {
    for (query, status, code) in [
        ("target_length=31", 422, "option_out_of_range"),
        ("solutions=0", 422, "option_out_of_range"),
        ("time_limit_ms=30001", 422, "option_out_of_range"),
        ("order=random", 422, "option_out_of_range"),
        ("threads=2", 400, "unknown_field"),
    ] {
        send(ready(), batch_request(&format!("/solve/batch?{query}"), "{}")).await.problem(status, code);
    }
    for kind in ["application/json", "text/html", ""] {
        send(ready(), post_request("/solve/batch", kind, "{}")).await.problem(415, "unsupported_media_type");
    }
    for kind in ["application/jsonlines", "application/json-lines; charset=utf-8", "Application/X-NDJSON"] {
        let request = post_request("/solve/batch", kind, r#"{"scramble": "R"}"#);
        assert_eq!(lines_of(&send(ready(), request).await)[0]["solution"], "R'");
    }
    send(starting(), batch_request("/solve/batch", "{}")).await.problem(503, "tables_not_ready");
}

#[tokio::test]
async fn lines_are_counted_by_outcome() {
    let state = ready_state(config());
    let counts = async || {
        let mut counts = Vec::new();
        for outcome in ["solved", "unsolved", "refused"] {
            let series = format!("superflip_batch_lines_total{{outcome=\"{outcome}\"}}");
            counts.push(metric(app(state.clone()), &series).await);
        }
        counts
    };
    let before = counts().await;
    let unsolved = json!({"facelets": SUPERFLIP, "max_length": 3, "time_limit_ms": 20});
    let body = format!("{{\"scramble\":\"R\"}}\n{{}}\n{unsolved}\n");
    assert_eq!(batch(app(state.clone()), "/solve/batch", body).await.len(), 3);
    // Other tests of this process count as well.
    assert!(counts().await.iter().zip(&before).all(|(after, before)| after > before), "{before:?}");
    metric(app(state.clone()), "superflip_batch_lines_in_flight").await;
}
