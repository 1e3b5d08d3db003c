//! Several solutions of one cube, and several threads for one search.

use superflip::api::types::SolveResult;
use superflip_cube::metric::Metric;
use superflip_solver::{Found, Solution, StoppedBy};

use crate::common::prelude::*;

/// Checks a list of solutions, and returns how many it has.
fn check_list(body: &Value, most: usize) -> usize {
    let list = body["solutions"].list();
    assert!((1..=most).contains(&list.len()), "{body}");
    let facelets = body["facelets"].text();
    let mut seen = HashSet::new();
    let mut last = 0;
    for one in list {
        let length = assert_solves(facelets, one);
        assert!(seen.insert(one["solution"].text()), "twice: {one}");
        assert_eq!(list_of::<usize>(&one["phases"]["lengths"]).iter().sum::<usize>(), length);
        assert!(length >= last, "{length} after {last}");
        last = length;
    }
    for member in ["solution", "moves", "length", "phases"] {
        assert_eq!(body[member], list[0][member]);
    }
    list.len()
}

#[tokio::test]
async fn several_solutions_are_listed_in_every_form_of_a_request() {
    let uri = format!("/solve/{SUPERFLIP}?solutions=3&target_length=24");
    let request = json!({"facelets": SUPERFLIP, "solutions": 3, "target_length": 24}).to_string();
    let answers = [
        post(ready(), "/solve", request).await,
        get(ready(), &uri).await,
        get(ready(), &format!("/solve?facelets={SUPERFLIP}&solutions=3&target_length=24")).await,
    ];
    for answer in answers {
        check_list(&answer.ok(), 3);
    }
}

#[tokio::test]
async fn one_solution_is_not_listed() {
    for uri in ["/solve?scramble=R", "/solve?scramble=R&solutions=1"] {
        assert!(get(ready(), uri).await.ok().get("solutions").is_none(), "{uri}");
    }
}

#[test]
fn the_list_has_what_the_search_found() {
    let cube = Cube::from_scramble("R U R' U'").unwrap();
    let found = |text: &str| text.parse::<Moves>().unwrap();
    let outcome = Solution {
        metric: Metric::Htm,
        moves: found("U R U' R'"),
        phases: Phases::Near,
        optimal_solutions: None,
        proof: None,
        others: vec![
            Found { moves: found("U R U2 U R'"), phases: Phases::Near },
            Found { moves: found("D D' U R U' R'"), phases: Phases::Near },
        ],
        lower_bound: 4,
        stopped_by: StoppedBy::ProvenOptimal,
        profile: Profile::Small,
        nodes: 1,
        elapsed: Duration::ZERO,
    };
    let plain = SolveResult::new(&cube, &outcome, Duration::ZERO);
    assert!(serde_json::to_value(plain.clone().listing(false, &outcome)).unwrap().get("solutions").is_none());
    let listed = serde_json::to_value(plain.listing(true, &outcome)).unwrap();
    assert_eq!(listed["facelets"], SEXY);
    assert_eq!(check_list(&listed, 5), 3);
}

#[tokio::test]
async fn counts_outside_their_limits_are_refused() {
    for (member, value) in [("solutions", 0), ("solutions", 101), ("threads", 0)] {
        let request = json!({"scramble": "R", member: value}).to_string();
        for uri in ["/solve", "/solve/stream"] {
            let problem = post(ready(), uri, request.clone()).await.problem(422, "option_out_of_range");
            assert_eq!(problem["field"], member);
        }
        get(ready(), &format!("/solve?scramble=R&{member}={value}")).await.problem(422, "option_out_of_range");
    }
    post(ready(), "/solve", r#"{"scramble": "R", "threads": "2"}"#).await.problem(400, "invalid_field");
}

#[tokio::test]
async fn threads_are_capped_by_the_configuration() {
    let mut config = config_with(|config| (config.search.threads, config.search.max_threads_per_solve) = (4, 3));
    let router = || app(ready_state(config.clone()));
    for threads in [1, 3] {
        let answer = get(router(), &format!("/solve/{SUPERFLIP}?target_length=24&threads={threads}")).await.ok();
        assert!(stickers::solves(SUPERFLIP, answer["solution"].text()));
    }
    let four = get(router(), "/solve?scramble=R&threads=4").await;
    four.problem_with(422, "option_out_of_range", &["from 1 to 3, the maximum of this server"]);
    // By default one per core.
    let cores = std::thread::available_parallelism().unwrap().get();
    for (setting, most) in [(0, cores), (9, 9)] {
        config.search.max_threads_per_solve = setting;
        let router = || app(ready_state(config.clone()));
        get(router(), &format!("/solve?scramble=R&threads={most}")).await.ok();
        let more = get(router(), &format!("/solve?scramble=R&threads={}", most + 1)).await;
        more.problem(422, "option_out_of_range");
    }
}
