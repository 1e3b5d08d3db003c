//! A request of a client of `twips serve`: a refusal is a text, and the cube of an accepted request is legal. A request without a definition
//! gets that of the 3x3x3 of cubing.js.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use serde_json::Value;
use superflip::operations::other_servers::twips::{TwipsRequest, TwipsTask};

/// Longest message of a refusal.
const MAX_BYTES: usize = 4096;

static DEFINITION: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../tests/service/fixtures/3x3x3.kpuzzle.json")).expect("a definition")
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(Value::Object(mut request)) = serde_json::from_slice(bytes) else { return Corpus::Reject };
    request.entry("definition").or_insert_with(|| DEFINITION.clone());
    let Ok(request) = serde_json::from_value::<TwipsRequest>(Value::Object(request)) else { return Corpus::Keep };
    match TwipsTask::new(&request) {
        Ok(Some(asked)) => {
            superflip_fuzz::is_the_same_through_every_form(&asked.cube);
            // Rotations alone lead from a pattern to itself, if its target is the same.
            let is_solved = request.start_pattern.as_ref() == Some(&request.pattern);
            assert!(!is_solved || (asked.cube.is_solved() && asked.alg(&[]).is_empty()), "{request:?}");
        }
        // A limit that no solution stays below.
        Ok(None) => assert!(request.search_args.is_some_and(|args| args.max_depth.is_some())),
        Err(text) => assert!((1..MAX_BYTES).contains(&text.len()), "{text}"),
    }
    Corpus::Keep
});
