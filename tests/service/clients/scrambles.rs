//! `GET /scramble`: each scramble is replayed on an independent model of stickers.

use crate::common::prelude::*;

/// Checks every promise of a response, and returns its scrambles.
#[track_caller]
fn check(body: &Value, kind: &str, count: usize, max_length: usize) -> Vec<String> {
    let (scrambles, facelets): (Vec<String>, Vec<String>) = (list_of(&body["scrambles"]), list_of(&body["facelets"]));
    assert_eq!((body["kind"].as_str(), scrambles.len(), facelets.len()), (Some(kind), count, count), "{body}");
    assert!(body["note"].text().contains("Official competitions must use the official"), "{body}");
    assert_eq!(facelets.iter().collect::<HashSet<_>>().len(), count, "the cubes are distinct: {body}");
    for (scramble, facelets) in scrambles.iter().zip(&facelets) {
        assert_eq!(*facelets, stickers::renamed(&stickers::apply(SOLVED, scramble)), "{scramble}");
        let (wide, moves): (Vec<&str>, Vec<&str>) = scramble.split(' ').partition(|word| word.contains('w'));
        assert_eq!(stickers::form_fault(&moves.join(" ")), None);
        let fixed = if kind == "333fm" { 6 } else { 0 };
        assert!((2..=max_length + fixed).contains(&moves.len()), "{scramble}");
        assert!(wide.len() <= if kind == "333ni" { 2 } else { 0 }, "{scramble}");
        if kind == "333fm" {
            assert!(scramble.starts_with("R' U' F ") && scramble.ends_with(" R' U' F"), "{scramble}");
        }
    }
    scrambles
}

#[tokio::test]
async fn one_random_scramble_is_the_default() {
    let answers = [get(small(), "/scramble").await, get(small(), "/scramble").await];
    let [first, second] = answers.map(|answer| {
        assert_eq!(answer.header("cache-control"), "no-store");
        let body = answer.ok();
        assert_eq!([&body["subset"], &body["generator"]], ["all", "operating system"]);
        assert_eq!([&body["random"], &body["seed"]], [&json!(true), &Value::Null]);
        check(&body, "333", 1, 21)
    });
    assert_ne!(first, second);
}

#[tokio::test]
async fn every_kind_and_subset_is_generated() {
    for kind in ["333", "333oh", "333ni", "333fm"] {
        let body = get(small(), &format!("/scramble?kind={kind}&count=10&max_length=22")).await.ok();
        check(&body, kind, 10, 22);
    }
    // A subset, and slots that are solved after each of its scrambles.
    for (subset, solved) in [
        ("last_layer", ["DFR", "DF", "FR"].as_slice()),
        ("corners", &["UF", "DB", "FR"]),
        ("edges", &["URF", "DLF", "UBR"]),
        ("URF%20UFL%20UF%20UB", &["UR", "DF", "DRB"]),
        ("htr", &[]),
        ("eo_ud", &[]),
        ("after_cross", &["DR", "DF", "DL", "DB"]),
        ("last_slot", &["DR", "DF", "DLF", "FL", "BR"]),
        ("pll", &["DFR", "DF", "FR"]),
    ] {
        let body = get(small(), &format!("/scramble?subset={subset}&count=5")).await.ok();
        assert_eq!(body["subset"], subset.replace("%20", " "));
        check(&body, "333", 5, 21);
        for facelets in body["facelets"].list() {
            for slot in solved {
                assert_eq!(stickers::shown(facelets.text(), slot), *slot, "{subset}: {facelets}");
            }
        }
    }
}

#[tokio::test]
async fn a_seed_gives_the_same_scrambles_again() {
    let seeded = async |query: &str| get(small(), &format!("/scramble?{query}")).await.ok();
    let five = seeded("seed=lesson%203&count=5&kind=333ni").await;
    assert_eq!(five, seeded("seed=lesson%203&count=5&kind=333ni").await);
    assert_eq!([&five["seed"], &five["generator"]], ["lesson 3", "superflip-scramble-1"]);
    assert_eq!(five["random"], false);
    check(&five, "333ni", 5, 21);
    let three = seeded("seed=lesson%203&count=3&kind=333ni").await;
    assert_eq!(three["facelets"].list()[..], five["facelets"].list()[..3]);
    assert_ne!(three["facelets"], seeded("seed=lesson%204&count=3&kind=333ni").await["facelets"]);
}

/// Asks with a header `Accept`.
async fn accepting(accept: &str, uri: &str) -> Answer {
    get_with(small(), uri, &[("accept", accept)]).await
}

#[tokio::test]
async fn scrambles_are_lines_of_text_if_the_client_prefers_that() {
    let json = get(small(), "/scramble?seed=1&count=3").await.ok();
    let lines = check(&json, "333", 3, 21).join("\n") + "\n";
    for answer in [
        get(small(), "/scramble?seed=1&count=3&format=text").await,
        accepting("text/plain", "/scramble?seed=1&count=3").await,
        accepting("text/plain, application/json;q=0.5", "/scramble?seed=1&count=3").await,
        accepting("application/json", "/scramble?seed=1&count=3&format=text").await,
    ] {
        assert_eq!((answer.status.as_u16(), answer.text()), (200, lines.as_str()));
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
        assert!(answer.header("vary").contains("accept"));
    }
    for answer in [
        accepting("*/*", "/scramble?seed=1&count=3").await,
        accepting("text/plain", "/scramble?seed=1&count=3&format=json").await,
    ] {
        assert_eq!(answer.ok(), json);
    }
}

#[tokio::test]
async fn a_wrong_parameter_is_refused_with_what_is_expected() {
    let long = "x".repeat(201);
    for (query, status, code, field, words) in [
        ("kind=222", 422, "option_out_of_range", "kind", "`222` is not a kind of scramble; expected one of: 333,"),
        ("kind=", 422, "option_out_of_range", "kind", "expected one of: 333,"),
        ("subset=f2l", 422, "option_out_of_range", "subset", "`f2l` is not a subset; expected one of: all, edges"),
        ("subset=UF%20XY", 422, "option_out_of_range", "subset", "`XY` is not a piece"),
        ("subset=UF%20FU", 422, "option_out_of_range", "subset", "named twice"),
        ("subset=", 422, "option_out_of_range", "subset", "name at least two corners or two edges"),
        ("subset=UF%20URF", 422, "option_out_of_range", "subset", "cannot be moved"),
        ("count=0", 422, "option_out_of_range", "count", "from 1 to 100"),
        ("count=101", 422, "option_out_of_range", "count", "from 1 to 100"),
        ("count=-1", 422, "option_out_of_range", "count", "from 1 to 100"),
        ("count=many", 400, "invalid_field", "count", "found `many`"),
        ("subset=UF%20UB%20UL&count=100", 422, "option_out_of_range", "count", "request fewer"),
        ("max_length=19", 422, "option_out_of_range", "max_length", "from 20 to 30"),
        ("max_length=31", 422, "option_out_of_range", "max_length", "from 20 to 30"),
        ("max_length=-1", 422, "option_out_of_range", "max_length", "from 20 to 30, found `-1`"),
        ("max_length=long", 400, "invalid_field", "max_length", "from 20 to 30, found `long`"),
        ("min_length=21", 422, "option_out_of_range", "min_length", "from 0 to 20"),
        ("min_length=two", 400, "invalid_field", "min_length", "found `two`"),
        ("cube=R&count=2&kind=333fm", 422, "option_out_of_range", "count", "use the kind `333`"),
        ("cube=R&cross_length=5", 422, "option_out_of_range", "cross_length", "remove `cross_length` or `cube`"),
        ("faces=RX", 422, "option_out_of_range", "faces", "has the symbol `X`"),
        ("faces=RU&subset=edges", 422, "option_out_of_range", "subset", "remove `subset` or `faces`"),
        ("faces=RU&kind=333fm", 422, "option_out_of_range", "kind", "the kind must be `333`"),
        ("faces=RL&count=20", 422, "option_out_of_range", "count", "`faces R L` has at most 9 cubes"),
        ("cross_length=0", 422, "option_out_of_range", "cross_length", "from 1 to 8"),
        ("cross_length=9", 422, "option_out_of_range", "cross_length", "from 1 to 8"),
        ("cross_length=five", 400, "invalid_field", "cross_length", "from 1 to 8, found `five`"),
        ("cross_length=5&subset=edges", 422, "option_out_of_range", "cross_length", "remove `cross_length`"),
        ("cross_length=5&faces=RU", 422, "option_out_of_range", "cross_length", "remove `cross_length`"),
        ("cross_length=5&cross_face=X", 422, "option_out_of_range", "cross_face", "U, R, F, D, L and B"),
        ("cross_face=D", 422, "option_out_of_range", "cross_face", "give `cross_length`"),
        ("cube=R&seed=1", 422, "option_out_of_range", "seed", "remove `seed` or `cube`"),
        ("cube=R&subset=all", 422, "option_out_of_range", "subset", "remove `subset` or `cube`"),
        ("cube=R&min_length=2", 422, "option_out_of_range", "min_length", "remove `min_length` or `cube`"),
        ("cube=R&kind=333ni", 422, "option_out_of_range", "kind", "use the kind `333`"),
        ("cube_format=reid", 422, "option_out_of_range", "cube_format", "give `cube`, or remove `cube_format`"),
        ("cube=R&cube_format=nissy", 422, "option_out_of_range", "cube_format", "`facelets`"),
        ("seed=", 422, "option_out_of_range", "seed", "1 to 200"),
        (&format!("seed={long}"), 422, "option_out_of_range", "seed", "201 bytes"),
        ("format=xml", 422, "option_out_of_range", "format", "expected `json` or `text`"),
        ("length=20", 400, "unknown_field", "length", "did you mean `max_length`?"),
        ("seed=1&seed=2", 400, "duplicate_field", "seed", "give it once"),
    ] {
        // Parameters are checked before the tables are needed.
        let document = get(starting(), &format!("/scramble?{query}")).await.problem(status, code);
        assert_eq!(document["field"], field, "{query}: {document}");
        let detail = document["detail"].text();
        assert!(detail.contains(words) && detail.ends_with('.') && detail.len() < 400, "{query}: {detail}");
    }
}

/// Asks for the scramble to this cube, and returns it.
async fn to_cube(query: &str, facelets: &str) -> String {
    let body = get(small(), &format!("/scramble?cube={query}")).await.ok();
    assert_eq!([&body["subset"], &body["seed"]], [&Value::Null, &Value::Null]);
    assert_eq!((&body["random"], &body["generator"]), (&json!(false), &json!("request")));
    assert_eq!(body["facelets"], json!([facelets]), "{query}");
    let [scramble] = body["scrambles"].list().as_slice() else { panic!("{body}") };
    let scramble = scramble.text();
    assert_eq!(stickers::renamed(&stickers::apply(SOLVED, scramble)), facelets, "{query}");
    scramble.to_owned()
}

#[tokio::test]
async fn the_scramble_to_a_cube_in_any_form_leads_to_it() {
    let facelets = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";
    for query in ["R%20U%20F", "GETVSBAH%3DZFCXBAGLYTKE%3DA", "af1e24f4462ac282d80000&cube_format=twizzle", facelets] {
        assert_eq!(to_cube(query, facelets).await, "R U F", "{query}");
    }
    // An unknown sticker is completed on a worker thread.
    to_cube(&format!("{}%3F", &facelets[..53]), facelets).await;
    let padded = to_cube("R%20U%20F&kind=333fm&max_length=22", facelets).await;
    assert!(padded.starts_with("R' U' F ") && padded.ends_with(" R' U' F"), "{padded}");
    assert!(to_cube(SUPERFLIP, SUPERFLIP).await.split(' ').count() >= 20);
    assert_eq!(to_cube(&format!("{SOLVED}&count=1"), SOLVED).await, "");
}

#[tokio::test]
async fn several_scrambles_to_one_cube_are_distinct() {
    for cube in ["R%20U%20F", SUPERFLIP] {
        let body = get(small(), &format!("/scramble?cube={cube}&count=5&max_length=22")).await.ok();
        let (scrambles, facelets): (Vec<String>, Vec<String>) =
            (list_of(&body["scrambles"]), list_of(&body["facelets"]));
        assert_eq!((scrambles.iter().collect::<HashSet<_>>().len(), facelets.len()), (5, 5), "{body}");
        for (scramble, facelets) in scrambles.iter().zip(&facelets) {
            assert_eq!(stickers::renamed(&stickers::apply(SOLVED, scramble)), *facelets, "{scramble}");
            assert_eq!((facelets, stickers::form_fault(scramble)), (&body["facelets"][0].text().to_owned(), None));
        }
    }
}

/// Returns the scramble with turns of opposite faces in alphabetical order.
fn in_one_order(scramble: &str) -> String {
    let axis = |mv: &str| "UDRLFB".find(&mv[..1]).unwrap() / 2;
    let mut moves: Vec<&str> = scramble.split(' ').collect();
    for at in 1..moves.len() {
        if axis(moves[at - 1]) == axis(moves[at]) && moves[at] < moves[at - 1] {
            moves.swap(at - 1, at);
        }
    }
    moves.join(" ")
}

/// Asks for scrambles to a case, and returns the cubes after them. All are different, and each leads to its cube.
async fn to_case(query: &str, count: usize) -> Vec<String> {
    let body = get(small(), &format!("/scramble?{query}&count={count}&max_length=22")).await.ok();
    let (scrambles, facelets): (Vec<String>, Vec<String>) = (list_of(&body["scrambles"]), list_of(&body["facelets"]));
    let different: HashSet<String> = scrambles.iter().map(|scramble| in_one_order(scramble)).collect();
    assert_eq!((different.len(), facelets.len()), (count, count), "{body}");
    for (scramble, facelets) in scrambles.iter().zip(&facelets) {
        assert_eq!(stickers::renamed(&stickers::apply(SOLVED, scramble)), *facelets, "{scramble}");
        assert_eq!(stickers::form_fault(scramble), None);
    }
    assert_eq!((&body["subset"], &body["random"], &body["seed"]), (&Value::Null, &json!(true), &Value::Null));
    assert_eq!(body["generator"], "operating system");
    facelets
}

fn set(cubes: impl IntoIterator<Item = String>) -> HashSet<String> {
    cubes.into_iter().collect()
}

/// The cubes of a case are those of the model of stickers, and each is reached as often as the others.
#[tokio::test]
async fn scrambles_to_a_case_reach_its_cubes_equally_often() {
    let permutation = "R U R' U' R' F R2 U' R' U' R U R' F'";
    let expected = set(["", "U", "U2", "U'"].map(|turn| stickers::apply(SOLVED, &format!("{permutation} {turn}"))));
    let query = format!("target={}&target_up_to_turn=U", permutation.replace(' ', "+"));
    for count in [1, 4, 10] {
        let found = to_case(&query, count).await;
        let times = |cube: &String| found.iter().filter(|other| *other == cube).count();
        assert!(found.iter().all(|cube| expected.contains(cube)), "{found:?}");
        assert!(expected.iter().all(|cube| (count / 4..=count.div_ceil(4)).contains(&times(cube))), "{found:?}");
    }
    // The fixed moves allow one scramble to each cube.
    let padded = get(small(), &format!("/scramble?{query}&kind=333fm&count=4&max_length=24")).await.ok();
    assert_eq!(set(list_of(&padded["facelets"])), expected);
    let refused = get(small(), &format!("/scramble?{query}&kind=333fm&count=5")).await;
    assert_eq!(refused.problem(422, "option_out_of_range")["field"], "count");
    // One turn, of any face: the colours are those of the faces. Some of the six need other faces than R and U.
    let one_turn = |faces: &str| set(faces.chars().map(|face| stickers::apply(SOLVED, &face.to_string())));
    let turned = "target=U&target_up_to_rotation=true";
    assert_eq!(set(to_case(turned, 6).await), one_turn("URFDLB"));
    assert_eq!(set(to_case(&format!("{turned}&faces=RU"), 4).await), one_turn("RU"));
    get(small(), "/scramble?target=R&target_up_to_turn=U&faces=FB").await.problem_with(422, "out_of_reach", &["F B"]);
}

#[tokio::test]
async fn scrambles_to_a_case_show_its_known_stickers() {
    // The upper rows of the four sides are unknown: the last layer is oriented, and its pieces are in any order.
    let is_open = |place: usize| [9..12, 18..21, 36..39, 45..48].iter().any(|row| row.contains(&place));
    let target: String = SOLVED.char_indices().map(|(at, letter)| if is_open(at) { '?' } else { letter }).collect();
    let found = to_case(&format!("target={}&target_format=facelets", target.replace('?', "%3F")), 100).await;
    // The case has 4! * 4! / 2 = 288 cubes, so no cube repeats.
    assert_eq!(set(found.clone()).len(), 100);
    for cube in found {
        assert!(cube.chars().zip(target.chars()).all(|(shown, known)| known == '?' || shown == known), "{cube}");
    }
    // One cube is as `cube`.
    let body = get(small(), "/scramble?target=R+U+F&count=2&max_length=22").await.ok();
    assert_eq!((&body["random"], &body["generator"]), (&json!(false), &json!("request")));
    assert_eq!(set(list_of(&body["facelets"])), set([stickers::apply(SOLVED, "R U F")]));
}

#[tokio::test]
async fn a_case_that_cannot_be_read_is_refused() {
    let cross = "????U????????R??R?????F??F??D?DDD?D?????L??L?????B??B?".replace('?', "%3F");
    for (query, code, field, words) in [
        ("cube=R&target=R", "option_out_of_range", "target", "remove one of them"),
        ("target=R&seed=1", "option_out_of_range", "seed", "remove `seed` or `target`"),
        ("target=R&kind=333ni", "option_out_of_range", "kind", "use the kind `333`"),
        ("target_format=reid", "option_out_of_range", "target_format", "remove `target_format`"),
        ("target_up_to_turn=U", "option_out_of_range", "target_up_to_turn", "Give the cube in `target`"),
        ("target=R&target_up_to_turn=X", "option_out_of_range", "target_up_to_turn", "U, R, F, D, L or B"),
        ("target=R&target_format=nissy", "option_out_of_range", "target_format", "`facelets`"),
        ("target=R+Q", "notation", "target", "found `Q`"),
        ("target=", "cube_form", "target", "is empty"),
        (&format!("target={cross}"), "target_too_open", "target", "at most 1000"),
    ] {
        let document = get(small(), &format!("/scramble?{query}")).await.problem(422, code);
        assert_eq!(document["field"], field, "{query}: {document}");
        assert!(document["detail"].text().contains(words), "{query}: {document}");
    }
}

#[tokio::test]
async fn scrambles_of_some_faces_turn_no_others() {
    let router = small();
    let body = get(&router, "/scramble?faces=RU&count=10").await.ok();
    assert_eq!((&body["faces"], &body["subset"]), (&json!("U R"), &Value::Null));
    for scramble in check(&body, "333", 10, 25) {
        assert!(scramble.split(' ').all(|mv| mv.starts_with(['R', 'U'])), "{scramble}");
    }
    let seeded = get(&router, "/scramble?faces=UR&count=3&seed=two").await.ok();
    assert_eq!(seeded, get(&router, "/scramble?faces=RU&count=3&seed=two").await.ok());
    let found = get(&router, "/scramble?faces=RU&cube=R2%20U%20R%27&count=2").await.ok();
    let scrambles: Vec<String> = list_of(&found["scrambles"]);
    assert!(scrambles.len() == 2 && scrambles.iter().all(|scramble| !scramble.contains(['F', 'D', 'L', 'B'])));
    get(&router, "/scramble?faces=RU&cube=F").await.problem_with(422, "out_of_reach", &["DLF"]);
}

/// The service solves the cross as a target of stickers, by a shortest way.
#[tokio::test]
async fn the_cross_needs_as_many_moves_as_requested() {
    // The places of the centres, and of the stickers of each cross: of its four edges on its own face and on the others.
    let centres = [4, 13, 22, 31, 40, 49];
    let (on_d, on_r) = ([28, 30, 32, 34, 16, 25, 43, 52], [10, 12, 14, 16, 5, 23, 32, 48]);
    for (query, cross, length) in [("cross_length=6", on_d, 6), ("cross_length=2&cross_face=R", on_r, 2)] {
        let body = get(small(), &format!("/scramble?{query}&count=3")).await.ok();
        check(&body, "333", 3, 21);
        let is_known = |place: &usize| cross.contains(place) || centres.contains(place);
        let shown = SOLVED.char_indices().map(|(place, letter)| if is_known(&place) { letter } else { '?' });
        let target: String = shown.collect();
        for facelets in body["facelets"].list() {
            let solved = post(small(), "/solve", json!({"facelets": facelets, "target": target})).await.ok();
            assert_eq!((&solved["length"], &solved["proven_optimal"]), (&json!(length), &json!(true)), "{facelets}");
        }
    }
}

#[tokio::test]
async fn a_cube_that_cannot_be_read_gets_the_problem_of_a_cube() {
    for (cube, code, words) in [
        ("", "cube_form", "`cube` is empty"),
        ("R%20U%20Q", "notation", "found `Q`"),
        ("RUFRUFRUFRUF", "impossible_cube", "give `cube_format=scramble`"),
        (&SOLVED[1..], "impossible_cube", "Read as facelets"),
    ] {
        get(small(), &format!("/scramble?cube={cube}")).await.problem_with(422, code, &[words]);
    }
}

#[tokio::test]
async fn scrambles_need_tables_time_and_a_thread() {
    get(starting(), "/scramble").await.problem(503, "tables_not_ready");

    let config = config_with(|config| config.search.max_time_limit_ms = 1);
    let document = get(app(small_state(config)), "/scramble?kind=333fm&max_length=20&count=100").await;
    document.problem_with(422, "no_solution_within_limits", &["of 100 scrambles were found"]);

    let state = small_state(config_with(|config| (config.search.threads, config.search.queue_length) = (1, 0)));
    let _holder = hold(&state, |state| state.lanes.quick(), 1, 1).await;
    get(app(state.clone()), "/scramble").await.problem(503, "overloaded");
}
