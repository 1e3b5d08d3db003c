//! The routes of other programs, asked as their clients ask.

use crate::common::prelude::*;

/// The cube in Kociemba's documentation.
const KOCIEMBA: &str = "DUUBULDBFRBFRRULLLBRDFFFBLURDBFDFDRFRULBLUFDURRBLBDUDL";

/// Returns the answer in a page of Kociemba's server.
#[track_caller]
fn answer_of(page: &Answer) -> String {
    assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"));
    let start = "<html><head><title>Answer from Cubesolver</title></head><body>\n";
    let inside = page.text().strip_prefix(start).and_then(|rest| rest.strip_suffix("\n</body></html>\n"));
    inside.unwrap_or_else(|| panic!("{}", page.text())).to_owned()
}

#[tokio::test]
async fn a_cube_in_the_path_is_solved_as_by_kociembas_server() {
    for letters in [KOCIEMBA.to_owned(), KOCIEMBA.to_lowercase()] {
        let answer = answer_of(&get(ready(), &format!("/{letters}")).await);
        let (moves, count) = answer.rsplit_once(' ').unwrap();
        let moves: Vec<&str> = moves.split(' ').collect();
        assert_eq!(count, format!("({}f)", moves.len()));
        assert!(moves.len() <= 20, "{answer}");
        let spelled: Vec<String> = moves.iter().map(|mv| mv.replace('1', "").replace('3', "'")).collect();
        assert!(moves.iter().all(|mv| mv.len() == 2), "{answer}");
        assert!(stickers::solves(KOCIEMBA, &spelled.join(" ")), "{answer}");
    }
    assert_eq!(answer_of(&get(ready(), &format!("/{SOLVED}")).await), "(0f)");
    assert_eq!(answer_of(&get(ready(), &format!("/{}", stickers::apply(SOLVED, "R"))).await), "R3 (1f)");
    // That server does not look at the centres.
    let centres = swapped(SOLVED, &[(4, 22)]);
    assert_eq!(answer_of(&get(ready(), &format!("/{centres}")).await), "(0f)");
}

/// Returns the letters with these pairs of facelets exchanged.
fn swapped(facelets: &str, pairs: &[(usize, usize)]) -> String {
    pairs.iter().fold(facelets.to_owned(), |letters, &(a, b)| stickers::cycled(&letters, &[a, b]))
}

/// Kociemba's program has the same messages for the same letters.
#[tokio::test]
async fn an_impossible_cube_gets_the_message_of_kociembas_server() {
    let ten = format!("R{}", &SOLVED[1..]);
    let of = |letters: &str, fault: &str| format!("Error: Cube definition string {letters} {fault}");
    for (letters, message) in [
        (SOLVED[1..].to_owned(), of(&SOLVED[1..], "contains less than 54 facelets.")),
        (format!("{SOLVED}B"), of(&format!("{SOLVED}B"), "contains more than 54 facelets.")),
        (ten.clone(), of(&ten, "does not contain exactly 9 facelets of each color.")),
        (swapped(SOLVED, &[(10, 28)]), "Error: Some edges are undefined.".to_owned()),
        (swapped(SOLVED, &[(5, 10)]), "Error: Total edge flip is wrong.".to_owned()),
        (swapped(SOLVED, &[(9, 20)]), "Error: Some corners are undefined.".to_owned()),
        (swapped(SOLVED, &[(8, 9), (9, 20)]), "Error: Total corner twist is wrong.".to_owned()),
        (swapped(SOLVED, &[(10, 19)]), "Error: Wrong edge and corner parity".to_owned()),
        // The first check that fails decides.
        (swapped(SOLVED, &[(5, 10), (9, 20)]), "Error: Total edge flip is wrong.".to_owned()),
        (swapped(SOLVED, &[(10, 28), (5, 41)]), "Error: Some edges are undefined.".to_owned()),
    ] {
        // A message needs no tables.
        assert_eq!(answer_of(&get(starting(), &format!("/{letters}")).await), message, "{letters}");
    }
}

#[tokio::test]
async fn other_paths_of_one_segment_do_not_exist() {
    let other_letter = format!("X{}", &SOLVED[1..]);
    for path in ["robots.txt", "solver", &SOLVED[2..], &format!("{SOLVED}BB"), &other_letter, "W%C3%9F"] {
        for method in [Method::GET, Method::POST, Method::HEAD] {
            let answer = send(ready(), request(&method, &format!("/{path}"), &[])).await;
            assert_eq!(answer.status.as_u16(), 404, "{method} {path}");
        }
        get(ready(), &format!("/{path}")).await.problem(404, "not_found");
    }
    let answer = send(ready(), request(&Method::POST, &format!("/{SOLVED}"), &[])).await;
    answer.problem(405, "method_not_allowed");
    assert_eq!(answer.header("allow"), "GET,HEAD");
    get(starting(), &format!("/{SOLVED}")).await.problem(503, "tables_not_ready");
}

#[tokio::test]
async fn unknown_paths_stay_without_a_label_in_the_metrics() {
    let router = app(ready_state(config()));
    get(&router, "/some-path-of-one-segment").await.problem(404, "not_found");
    get(&router, &format!("/{SOLVED}")).await;
    let text = get(router, "/metrics").await;
    let has = |route: &str, status: u16| {
        text.text()
            .contains(&format!("superflip_requests_total{{method=\"GET\",route=\"{route}\",status=\"{status}\"}}"))
    };
    assert!(has("unmatched", 404) && has("/{facelets}", 200) && !has("/{facelets}", 404), "{}", text.text());
}

#[tokio::test]
async fn scrambles_are_served_as_by_tnoodle() {
    for (uri, count) in [
        ("/api/v0/scramble/333", 1),
        ("/api/v0/scramble/333?numScrambles=5", 5),
        ("/api/v0/scramble/333fm?numScrambles=2&seed=1", 2),
        ("/api/v0/scramble/333ni?numScrambles=3", 3),
        ("/api/v0/scramble/333?numScrambles=many", 1),
        ("/api/v0/scramble/333?numScrambles=0", 0),
    ] {
        let list: Vec<String> = list_of(&get(ready(), uri).await.ok());
        assert_eq!(list.len(), count, "{uri}");
        for scramble in list {
            assert!(!stickers::is_solved(&stickers::apply(SOLVED, &scramble)), "{scramble}");
            assert_eq!(scramble.starts_with("R' U' F ") && scramble.ends_with(" R' U' F"), uri.contains("333fm"));
        }
    }
    let puzzles = get(starting(), "/api/v0/puzzles").await.ok();
    assert_eq!(puzzles[0], json!({"shortName": "333", "longName": "3x3x3"}));
    let keys: Vec<&Value> = puzzles.list().iter().map(|puzzle| &puzzle["shortName"]).collect();
    assert_eq!(keys, ["333", "333fm", "333ni"]);
}

#[tokio::test]
async fn scrambles_are_text_as_by_tnoodle() {
    let plain = get(ready(), "/api/v0/scramble/333/raw?numScrambles=3").await;
    assert_eq!(plain.header("content-type"), "text/plain; charset=utf-8");
    assert_eq!((plain.text().matches("\r\n").count(), plain.text().ends_with('\n')), (2, false), "{:?}", plain.text());
    for query in ["enumerate&numScrambles=12", "numScrambles=12&enumerate=false"] {
        let numbered = get(ready(), &format!("/api/v0/scramble/333/raw?{query}")).await;
        let lines: Vec<&str> = numbered.text().split("\r\n").collect();
        assert_eq!(lines.len(), 12);
        for (number, line) in (1..).zip(lines) {
            let scramble = line.strip_prefix(&format!("{number}. ")).unwrap_or_else(|| panic!("{line}"));
            assert!(!stickers::is_solved(&stickers::apply(SOLVED, scramble)), "{scramble}");
        }
    }
}

#[tokio::test]
async fn scrambles_are_refused_as_by_tnoodle() {
    for path in ["", "/raw"] {
        for (request, text) in [
            ("333x", "333x is not a valid TNoodle puzzle!"),
            ("333oh", "333oh is not a valid TNoodle puzzle!"),
            ("222", "222 is not available: this server has scrambles of the 3x3x3 only (333, 333fm, 333ni)."),
            ("333", "numScrambles is 101; this server generates 0 to 100 scrambles for a request."),
        ] {
            let answer = get(starting(), &format!("/api/v0/scramble/{request}{path}?numScrambles=101")).await;
            assert_eq!((answer.status.as_u16(), answer.text()), (200, text));
            assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        }
        get(starting(), &format!("/api/v0/scramble/333{path}")).await.problem(503, "tables_not_ready");
    }
}
