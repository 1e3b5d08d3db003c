//! The forms of a cube over HTTP: the field `cube` on every route, its errors, and `/convert`.

use std::fmt::Write as _;

use crate::common::prelude::*;

/// The cube after `R U F`, as other programs print it; `crates/cube/tests/cube/forms` has the sources.
pub(crate) const FACELETS: &str = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
const EXAMPLES: [(&str, &str); 12] = [
    ("facelets", FACELETS),
    ("facelets", "wwwwwwooygbbgrrgrrggrggryyrrrwyybyybggyooyoobooowbbwbb"),
    ("ulfrbd", "UUUUUULLDFFDLLDLLBFFRFFRDDRFBBFRRFRRLLLUBBUBBRRUDDBDDB"),
    ("digits", "0111111226336226225334334664355344344222155155441665665"),
    ("net", "UUU\nUUU\nLLD\nFFDFFRFBBLLL\nLLDFFRFRRUBB\nLLBDDRFRRUBB\nRRU\nDDB\nDDB"),
    ("reid", "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR"),
    ("b32", "GETVSBAH=ZFCXBAGLYTKE=A"),
    ("speffz", "dgtbcvc.onmqeilJ"),
    ("twizzle", "af 1e 24 f4 46 2a c2 82 d8 00 00"),
    ("link", "https://alg.cubing.net/?setup=R_U_F&alg=F-_U-_R-"),
    ("scramble", "R1 U1 F1 (3f)"),
    ("scramble", "R U F // https://alg.cubing.net/?alg=U"),
];

/// Length of the longest texts, near the limit of a body.
const LENGTH: usize = 65_000;

/// The same cube as cubing.js prints its `patternData`.
fn pattern() -> Value {
    json!({
        "EDGES": {"pieces": [9, 2, 3, 0, 5, 10, 6, 7, 8, 4, 1, 11], "orientation": [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0]},
        "CORNERS": {"pieces": [4, 2, 3, 5, 0, 7, 6, 1], "orientation": [0, 0, 0, 2, 0, 2, 0, 2]},
        "CENTERS": {"pieces": [0, 1, 2, 3, 4, 5], "orientation": [0, 0, 0, 0, 0, 0], "orientationMod": [1, 1, 1, 1, 1, 1]}
    })
}

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |encoded, byte| encoded + &format!("%{byte:02X}"))
}

pub(crate) async fn convert(body: Value) -> Value {
    post(starting(), "/convert", &body).await.ok()
}

pub(crate) async fn refused(body: Value, code: &str) -> Value {
    let status = if ["unknown_field", "invalid_field", "duplicate_field"].contains(&code) { 400 } else { 422 };
    post(starting(), "/convert", &body).await.problem(status, code)
}

/// The list of forms in the library is that of the manual, of the command line and of the page.
#[test]
fn the_lists_of_forms_agree() {
    let manual = include_str!("../../../docs/formats.md");
    let page = include_str!("../../../web/sentences.js");
    for form in Form::ALL {
        let (name, title) = (form.name(), form.title());
        let row = manual.lines().find(|line| line.starts_with(&format!("| `{name}` | "))).expect(name);
        let contents = row.split(" | ").nth(2).expect(name);
        assert!(contents.replace('`', "").starts_with(title), "{row}");
        assert_eq!(row.contains("Read only") || form == Form::Scramble, !form.is_writable(), "{row}");
        assert!(page.contains(&format!("\n    {name}: \"{title}\",\n")), "{name}: {title}");
    }
}

#[tokio::test]
async fn every_example_is_read_in_a_body_a_query_a_path_and_a_batch() {
    let router = ready();
    let mut lines = String::new();
    for (format, text) in EXAMPLES {
        for body in [json!({"cube": text}), json!({"cube": text, "format": format})] {
            let answer = post(&router, "/solve", &body).await.ok();
            assert_eq!((&answer["facelets"], &answer["length"]), (&json!(FACELETS), &json!(3)), "{text}");
            let _ = writeln!(lines, "{body}");
        }
        let converted = convert(json!({"cube": text})).await;
        assert_eq!(converted["format"], format, "{text}");
        assert_eq!(converted["forms"]["facelets"], FACELETS, "{text}");
        let text = encoded(text);
        for uri in ["/solve", "/explain", "/coords", "/convert"].map(|route| format!("{route}?cube={text}")) {
            let answer = get(&router, &uri).await.ok();
            let facelets = answer["forms"].get("facelets").unwrap_or(&answer["facelets"]);
            assert!(answer["facelets"] == FACELETS || facelets == FACELETS, "{uri}: {answer}");
        }
        assert_eq!(get(&router, &format!("/solve/{text}")).await.ok()["facelets"], FACELETS, "{text}");
    }
    let answers = batch(router, "/solve/batch", lines).await;
    assert_eq!(answers.len(), 2 * EXAMPLES.len());
    assert!(answers.iter().all(|answer| answer["facelets"] == FACELETS), "{answers:?}");
}

#[tokio::test]
async fn objects_are_read_whole_bare_and_as_text() {
    let cubies = convert(json!({"cube": "R U F", "to": ["cubies"]})).await["forms"]["cubies"].clone();
    let mut named = pattern();
    named["note"] = json!([[[["members that a KPattern does not have are ignored"]]]]);
    let whole = json!({"experimentalPuzzleName": "3x3x3", "patternData": pattern()});
    for (object, format) in [
        (pattern(), json!("kpattern")),
        (named, json!("kpattern")),
        (whole.clone(), json!("kpattern")),
        (cubies, Value::Null),
    ] {
        let text = object.to_string();
        for converted in [
            convert(json!({"cube": object})).await,
            convert(json!({"cube": text})).await,
            get(starting(), &format!("/convert?cube={}", encoded(&text))).await.ok(),
        ] {
            assert_eq!((&converted["format"], &converted["forms"]["facelets"]), (&format, &json!(FACELETS)), "{text}");
            assert_eq!((&converted["forms"]["kpattern"], &converted["links"]), (&whole, &Value::Null));
        }
    }
}

/// The error of each text names the form that was assumed, and the place of the fault.
#[tokio::test]
async fn what_cannot_be_read_says_its_form_place_and_correction() {
    let (b32, digits) = ("GETvSBAH=ZFCXBAGLYTKE=A", "011111122633622622533433466435534434422215515544166566a");
    let reid = "LF UB UL UF RX BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR";
    let rows: [(&str, &str, &str, Value, Value); 10] = [
        ("R U f2 Q L", "notation", "scramble", json!(7), json!("R U f2  L")),
        ("  R U (F L", "notation", "scramble", json!(10), json!("  R U (F L)")),
        (b32, "unreadable_cube", "b32", json!(3), json!("GETVSBAH=ZFCXBAGLYTKE=A")),
        (reid, "unreadable_cube", "reid", json!(13), json!(EXAMPLES[5].1)),
        ("af 1e 24 f4 46 2a c2 82 d8 00", "unreadable_cube", "twizzle", json!(29), Value::Null),
        (digits, "unreadable_cube", "digits", Value::Null, Value::Null),
        ("https://example.org/?alg=R", "unreadable_cube", "link", json!(8), Value::Null),
        ("https://alg.cubing.net/?setup=R&alg=Q", "unreadable_cube", "link", json!(32), Value::Null),
        ("{\"EDGES\": 1", "unreadable_cube", "kpattern", json!(10), Value::Null),
        (&FACELETS[1..], "impossible_cube", "facelets", Value::Null, Value::Null),
    ];
    for (text, code, form, position, nearest) in rows {
        let format = if form == "digits" { json!("digits") } else { Value::Null };
        let problem = refused(json!({"cube": text, "format": format}), code).await;
        assert_eq!(problem["format"], form, "{problem}");
        if form != "digits" {
            assert_eq!(problem["position"], position, "{text}: {problem}");
        }
        if nearest != Value::Null {
            assert_eq!(problem["nearest"], nearest, "{problem}");
        }
        let detail = problem["detail"].text();
        assert!(detail.starts_with(&format!("Read as {form}: ")) && detail.ends_with('.'), "{detail}");
        assert!(!detail.contains("..") && detail.len() < 500, "{detail}");
    }
}

#[tokio::test]
async fn letters_in_a_row_are_stickers_unless_format_names_moves() {
    let half = "DRLUUBFBRBLURRLRUBLRDDFDLFU";
    let body = json!({"cube": half}).to_string();
    let long = FACELETS.repeat(2);
    for (refused, number) in [
        (get(ready(), &format!("/solve/{half}")).await, "27 missing"),
        (get(ready(), &format!("/solve?cube={half}")).await, "27 missing"),
        (post(ready(), "/solve", body).await, "27 missing"),
        (get(ready(), &format!("/solve/{long}")).await, "54 too many"),
    ] {
        refused.problem_with(422, "impossible_cube", &[number, "`format=scramble`"]);
    }
    let moves = Cube::from_scramble(half).unwrap().to_string();
    for uri in [format!("/solve/{half}?format=scramble"), format!("/solve?cube={half}&format=scramble")] {
        assert_eq!(get(ready(), &uri).await.ok()["facelets"], moves, "{uri}");
    }
    let named = get(ready(), &format!("/solve/{half}?format=facelets")).await.problem(422, "impossible_cube");
    assert!(!named["detail"].text().contains("format=scramble"), "{named}");
    let spaced = vec!["R U"; 27].join(" ");
    let read = convert(json!({"cube": spaced})).await;
    assert_eq!(read["forms"]["facelets"], Cube::from_scramble(&spaced).unwrap().to_string(), "{read}");
    let problem = refused(json!({"cube": "R U ".repeat(5_001)}), "notation").await;
    assert!(problem["detail"].text().contains("10000 moves"), "{problem}");
}

#[tokio::test]
async fn an_ambiguous_text_lists_its_readings_and_format_chooses() {
    let problem = refused(json!({"cube": "f.b"}), "ambiguous_cube").await;
    let readings = problem["readings"].list();
    assert_eq!(readings.len(), 2, "{problem}");
    assert!(problem["detail"].text().ends_with("name the form that you mean in `format`."), "{problem}");
    for reading in readings {
        let read = convert(json!({"cube": "f.b", "format": reading["format"]})).await;
        assert_eq!((&read["forms"]["facelets"], &read["format"]), (&reading["facelets"], &reading["format"]));
    }
    let scramble = Cube::from_scramble("f.b").unwrap().to_string();
    assert_eq!(readings[1], json!({"format": "scramble", "facelets": scramble}));
    assert_ne!(readings[0]["facelets"], readings[1]["facelets"]);
}

#[tokio::test]
async fn positions_count_a_byte_order_mark() {
    for (text, code) in
        [("R U Q", "notation"), ("GETvSBAH=ZFCXBAGLYTKE=A", "unreadable_cube"), ("{\"EDGES\": 1", "unreadable_cube")]
    {
        let plain = refused(json!({"cube": text}), code).await;
        let marked = refused(json!({"cube": format!("\u{feff}{text}")}), code).await;
        assert_eq!(marked["position"].as_u64(), plain["position"].as_u64().map(|position| position + 1), "{text}");
    }
    assert_eq!(convert(json!({"cube": "\u{feff}R U F"})).await, convert(json!({"cube": "R U F"})).await);
}

/// In the path and in `facelets`, 54 symbols are in the order U R F D L B if they are a cube in it.
#[tokio::test]
async fn facelets_in_the_path_are_read_as_in_the_field() {
    let colours = SEXY.replace('U', "1").replace('R', "2").replace('F', "3");
    for text in [SEXY, &colours] {
        let field = get(ready(), &format!("/solve?facelets={text}")).await.ok();
        let path = get(ready(), &format!("/solve/{text}")).await.ok();
        assert_eq!((&path["facelets"], &path["solution"]), (&field["facelets"], &field["solution"]));
    }
}

#[tokio::test]
async fn a_cube_is_written_as_it_is_held_or_as_asked() {
    let held = convert(json!({"cube": "x R"})).await;
    assert_eq!(held["holding"], "FD");
    // After `x`, R is still R, F is on top, and the centres of cubing.js are at U L F R B D.
    assert_eq!(held["forms"]["kpattern"]["patternData"]["CENTERS"]["pieces"], json!([2, 1, 5, 3, 0, 4]));
    assert_eq!(held["forms"]["b32"].text().chars().last(), Some('Q'));
    let home = convert(json!({"cube": "x R", "holding": "UF"})).await;
    let plain = convert(json!({"cube": "R"})).await;
    assert_eq!((&home["holding"], &home["forms"]), (&json!("UF"), &plain["forms"]));
    let turned = convert(json!({"cube": "R", "holding": "FD", "to": ["facelets"]})).await;
    assert_eq!(turned["forms"], json!({"facelets": held["forms"]["facelets"]}));
    let query = get(starting(), "/convert?scramble=R&holding=FD&to=facelets,%20b32").await.ok();
    assert_eq!(query["forms"], json!({"facelets": held["forms"]["facelets"], "b32": held["forms"]["b32"]}));
}

/// So that the enumeration `CubeForm` of the contract is complete.
#[tokio::test]
async fn a_form_has_one_name() {
    for name in ["nissy", "kociemba", "urfdlb", "vcube", "twips", "alg", "moves", "url"] {
        let problem = refused(json!({"cube": FACELETS, "format": name}), "option_out_of_range").await;
        assert_eq!(problem["field"], "format", "{problem}");
        assert!(problem["detail"].text().contains("`facelets`"), "{problem}");
        assert_eq!(refused(json!({"cube": FACELETS, "to": [name]}), "option_out_of_range").await["field"], "to");
    }
}

/// An object with the stickers of each face.
fn faces_of(facelets: &str) -> Value {
    let face = |at: usize| facelets.get(9 * at..9 * at + 9).unwrap_or(&facelets[facelets.len() - 8..]);
    json!({"U": face(0), "R": face(1), "F": face(2), "D": face(3), "L": face(4), "B": face(5)})
}

/// The JSON of other programs: faces in an object, lists of faces, rows, stickers and moves, and arrays with centres.
#[tokio::test]
async fn stickers_as_json_are_read() {
    let rows: Vec<Vec<&str>> =
        (0..6).map(|face| (0..3).map(|row| &FACELETS[9 * face + 3 * row..][..3]).collect()).collect();
    let stickers: Vec<String> = FACELETS.chars().map(String::from).collect();
    let matrices: Vec<Vec<&[String]>> = stickers.chunks(9).map(|face| face.chunks(3).collect()).collect();
    let digits: Vec<u8> = EXAMPLES[3].1.bytes().skip(1).map(|digit| digit - b'0').collect();
    let colours = FACELETS
        .replace('U', "w")
        .replace('R', "r")
        .replace('F', "g")
        .replace('D', "y")
        .replace('L', "o")
        .replace('B', "b");
    for cube in [
        faces_of(FACELETS),
        faces_of(&colours),
        json!({"U": matrices[0], "R": rows[1], "F": rows[2], "D": matrices[3].concat(), "L": rows[4], "B": rows[5]}),
        json!(rows.concat()),
        json!((0..6).map(|face| &FACELETS[9 * face..][..9]).collect::<Vec<_>>()),
        json!(rows),
        json!(matrices),
        json!(stickers),
        json!(digits),
        json!(EXAMPLES[4].1.lines().collect::<Vec<_>>()),
        json!(["R", "U", "F"]),
        json!(["R U F"]),
    ] {
        let answer = convert(json!({"cube": cube, "to": ["facelets"]})).await;
        assert_eq!(answer["forms"]["facelets"], FACELETS, "{cube}");
        // As text, such as a parameter of a query.
        let query = get(starting(), &format!("/convert?to=facelets&cube={}", encoded(&cube.to_string()))).await.ok();
        assert_eq!(query["forms"], answer["forms"], "{cube}");
    }
    let python = format!("['{}']", rows.concat().join("', '"));
    for body in [json!({"cube": python}), json!({"facelets": python})] {
        assert_eq!(convert(body).await["forms"]["facelets"], FACELETS);
    }
    // The centres of faces say how the cube is held, wherever the cube is taken.
    let held = Form::Facelets.write(&Cube::from_scramble("x R").unwrap(), Holding::from_name("FD").unwrap()).unwrap();
    assert_eq!(convert(json!({"cube": faces_of(&held)})).await["holding"], "FD");
    for (uri, body) in [
        ("/solve", json!({"scramble": "R U", "target": faces_of(FACELETS)})),
        ("/solve", json!({"scramble": "R U", "target": faces_of(&FACELETS.replacen('L', "?", 1))})),
        ("/solve", json!({"cube": faces_of(&FACELETS.replacen('L', "?", 1)), "target": "R U"})),
        ("/repair", json!({"cube": faces_of(FACELETS)})),
    ] {
        post(ready(), uri, body).await.ok();
    }
    // Arrays of cubejs after M.
    let cubejs = json!({
        "center": [5, 1, 0, 2, 4, 3], "cp": [0, 1, 2, 3, 4, 5, 6, 7], "co": [0, 0, 0, 0, 0, 0, 0, 0],
        "ep": [0, 3, 2, 7, 4, 1, 6, 5, 8, 9, 10, 11], "eo": [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0]
    });
    let wanted = convert(json!({"cube": "M"})).await;
    for body in [json!({"cube": cubejs}), json!({"cubies": cubejs})] {
        let answer = convert(body).await;
        assert_eq!((&answer["holding"], &answer["forms"]), (&wanted["holding"], &wanted["forms"]));
    }
}

/// The path, and the field for one order, say which other form a text has.
#[tokio::test]
async fn another_form_that_fits_is_named() {
    let problem = refused(json!({"facelets": EXAMPLES[2].1}), "impossible_cube").await;
    let detail = "The text can be read as 54 stickers, faces in the order U L F R B D (form `ulfrbd`). Send it in `cube`, which takes every form.";
    let start = format!("{detail} Without that, it has ");
    assert!(problem["detail"].text().starts_with(&start), "{problem}");
    assert!(problem["violations"].list().len() > 10, "{problem}");
    let problem = refused(json!({"cube": EXAMPLES[2].1, "format": "net"}), "impossible_cube").await;
    assert!(problem["detail"].text().contains("The text is a cube in the form `ulfrbd`: name that form."), "{problem}");
    let problem = refused(json!({"facelets": "R U F"}), "impossible_cube").await;
    assert!(problem["detail"].text().contains("The text can be read as a scramble (form `scramble`)."), "{problem}");
    // Letters whose centres show another order are read in it, in the path too.
    for (_, text) in &EXAMPLES[..3] {
        assert_eq!(get(ready(), &format!("/solve/{text}")).await.ok()["facelets"], FACELETS);
    }
    let problem = refused(json!({"cube": "UUUURRRRFFFFDDDDLLLLBBBB"}), "impossible_cube").await;
    assert!(problem["detail"].text().contains("2x2x2"), "{problem}");
}

/// A list of moves has one move in each item. Other lists, and printed dictionaries, are stickers.
#[tokio::test]
async fn lists_of_rows_are_never_moves_and_dictionaries_are_faces() {
    for cube in [
        json!(["UUU", "UUU", "LLD"]),
        json!("['UUU', 'UUU', 'LLD']"),
        json!([["U", "U", "U"], ["U", "U", "U"], ["U", "U", "U"]]),
        json!("[['U', 'U', 'U'], ['U', 'U', 'U'], ['U', 'U', 'U']]"),
    ] {
        let problem = refused(json!({"cube": cube}), "impossible_cube").await;
        assert!(problem["detail"].text().contains("54 stickers, but 9 symbols were given"), "{problem}");
        convert(json!({"cube": cube, "format": "scramble"})).await;
    }
    let moves = convert(json!({"cube": ["R", "U", "F"]})).await;
    assert_eq!((&moves["format"], &moves["forms"]["facelets"]), (&json!("scramble"), &json!(FACELETS)));
    let faces = |quote: &str| -> String {
        let faces = FACELETS.as_bytes().chunks(9).zip("URFDLB".chars());
        let faces: Vec<String> = faces
            .map(|(face, name)| format!("{quote}{name}{quote}: {quote}{}{quote}", std::str::from_utf8(face).unwrap()))
            .collect();
        format!("{{{}}}", faces.join(", "))
    };
    let tuples = "{'cp': (0, 1, 2, 3, 4, 5, 6, 7), 'co': (0, 0, 0, 0, 0, 0, 0, 0), 'ep': (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), \
                  'eo': (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)}";
    for (text, facelets) in [(faces("'"), FACELETS), (faces("\""), FACELETS), (tuples.to_owned(), SOLVED)] {
        assert_eq!(convert(json!({"cube": text})).await["forms"]["facelets"], facelets, "{text}");
    }
    refused(json!({"cube": "{'U': 'UUUUUUUUU'"}), "unreadable_cube").await;
}

#[tokio::test]
async fn the_fields_of_a_conversion_are_checked() {
    let (garbage, orbit) = ("\u{1F9CA}".repeat(5000), json!({"pieces": [-1], "orientation": []}));
    for (body, code, field) in [
        (json!({"cube": "R", "to": ["reid", "cubing"]}), "option_out_of_range", "to"),
        (json!({"cube": "R", "to": [garbage]}), "option_out_of_range", "to"),
        (json!({"cube": "R", "to": "reid"}), "invalid_field", "to"),
        (json!({"cube": "R", "holding": "UD"}), "option_out_of_range", "holding"),
        (json!({"cube": "R", "holding": garbage}), "option_out_of_range", "holding"),
        (json!({"cube": "R", "buffers": "A"}), "option_out_of_range", "buffers"),
        (json!({"cube": "R", "buffers": garbage}), "option_out_of_range", "buffers"),
        (json!({"cube": "R", "format": "cubing"}), "option_out_of_range", "format"),
        (json!({"cube": "R", "format": garbage}), "option_out_of_range", "format"),
        (json!({"facelets": SOLVED, "format": "facelets"}), "option_out_of_range", "format"),
        (json!({"cube": 5}), "invalid_field", "cube"),
        (json!({"cube": []}), "option_out_of_range", "cube"),
        (json!({"cube": [[]]}), "option_out_of_range", "cube[0]"),
        (json!({"cube": ["R", null]}), "invalid_field", "cube[1]"),
        (json!({"cube": [["R", 10]]}), "option_out_of_range", "cube[0][1]"),
        (json!({"cube": ["R U", "F"]}), "option_out_of_range", "cube"),
        (json!({"cube": {"U": "UUUUUUUUU"}}), "invalid_field", "cube.R"),
        (json!({"cube": {"U": "UUUUUUUUU", "cp": []}}), "unknown_field", "cube.U"),
        (json!({"cube": {"U": "UUUUUUUUU", "X": ""}}), "unknown_field", "cube.X"),
        (json!({"cube": {"U": null, "R": "RRRRRRRRR"}}), "invalid_field", "cube.U"),
        (json!({"cube": faces_of(&FACELETS[1..])}), "option_out_of_range", "cube"),
        (json!({"cube": {"cp": [], "co": [], "ep": [], "eo": [], "center": [6]}}), "impossible_cube", ""),
        (json!({"cube": {}}), "invalid_field", "cube"),
        (json!({"cube": {"EDGES": 1}}), "invalid_field", "cube.EDGES"),
        (json!({"cube": {"EDGES": orbit}}), "option_out_of_range", "cube.EDGES.pieces[0]"),
        (json!({"cube": {"cp": [0, "1"]}}), "invalid_field", "cube.cp[1]"),
        (json!({"cube": {"cp": []}}), "invalid_field", "cube.co"),
        (json!({"cube": {"cp": [], "corners": []}}), "unknown_field", "cube.corners"),
        (json!({"cube": format!("{{\"cp\": {}}}", "[".repeat(100))}), "unreadable_cube", ""),
        (json!({"cube": "{\"cp\": []}"}), "invalid_field", "cube.co"),
        (json!({"cube": garbage}), "notation", ""),
    ] {
        let problem = refused(body, code).await;
        assert_eq!(problem["field"].as_str().unwrap_or_default(), field, "{problem}");
        assert!(problem["detail"].text().len() < 1500, "{problem}");
    }
    let twice = post(starting(), "/convert", r#"{"cube": {"cp": [], "cp": []}}"#).await;
    assert_eq!(twice.problem(400, "duplicate_field")["field"], "cube.cp");
    post(starting(), "/convert", r#"{"cube": "R \ud800"}"#).await.problem(400, "malformed_json");
    // The empty scramble.
    assert_eq!(convert(json!({"cube": ""})).await["forms"]["facelets"], SOLVED);
    // Buffers of the letters to write may stand beside any form.
    let written = convert(json!({"facelets": SEXY, "buffers": "CK", "to": ["speffz"]})).await;
    assert_ne!(written["forms"], convert(json!({"facelets": SEXY, "to": ["speffz"]})).await["forms"]);
    // A query with a field that describes a cube is not the one for the catalogue.
    for query in ["format=b32", "buffers=AU", "inverse_moves=R"] {
        get(ready(), &format!("/coords?{query}")).await.problem(422, "cube_form");
    }
}

/// A member that is ignored is not read, however deep it is; nor is any other value that ends the request.
#[tokio::test]
async fn deep_objects_and_long_texts_are_answered() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(9000), close.repeat(9000));
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let value = deep(open, close);
        let mut known = pattern().to_string();
        known.insert_str(1, &format!("\"extra\": {value}, "));
        let answer = post(starting(), "/convert", format!("{{\"cube\": {known}, \"to\": [\"facelets\"]}}")).await;
        assert_eq!(answer.ok()["forms"]["facelets"], FACELETS);
        for body in [format!("{{\"cube\": {value}}}"), format!("{{\"cube\": {{\"cp\": {value}}}}}")] {
            post(starting(), "/convert", body).await.problem(400, "invalid_field");
        }
    }
    for piece in [
        "R", "R ", "(", "[R,", "{", "[", "a", "b.", "=", "0", "0 ", "?", "://", "/*", "UF ", "\u{301}", "\u{feff}",
        "-", "\n",
    ] {
        for start in ["", "https://alg.cubing.net/?setup=", "SING "] {
            let text = start.to_owned() + &piece.repeat((LENGTH - start.len()) / piece.len().max(2));
            let answer = post(starting(), "/convert", json!({"cube": text, "to": ["b32"]})).await;
            assert!([200, 422].contains(&answer.status.as_u16()), "{start}{piece}: {}", answer.text());
            assert!(answer.body.len() < 8192, "{start}{piece}: {}", answer.text());
        }
    }
}
