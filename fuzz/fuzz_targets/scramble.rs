//! The parameters of `/scramble`, one on each line: kind, subset, number, greatest length, seed. A request that is accepted is within the
//! limits, and its cubes are in the subset; the name of the subset is that subset again.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use superflip::operations::scramble::{MaxLength, Query, checked};
use superflip_solver::search::scramble::{
    MAX_MAX_LENGTH, MAX_SCRAMBLES, MIN_MAX_LENGTH, RandomStates, ScrambleRequest, Subset,
};

/// Longest message of a refusal.
const MAX_BYTES: usize = 4096;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(text) = std::str::from_utf8(bytes) else { return Corpus::Reject };
    let mut lines = text.splitn(5, '\n').map(|line| Some(line.to_owned()).filter(|line| !line.is_empty()));
    let mut next = || lines.next().flatten();
    let (kind, subset) = (next(), next());
    let mut number = || next().and_then(|number| number.parse().ok());
    let (count, max_length) = (number(), number().map(MaxLength));
    let query = Query { kind, subset, count, max_length, seed: next(), ..Query::default() };
    let request = match checked(query) {
        Ok(request) => request,
        Err(problem) => {
            let document = problem.document();
            assert!((400..500).contains(&document.status) && document.field.is_some(), "{document:?}");
            assert!((1..MAX_BYTES).contains(&document.detail.len()), "{document:?}");
            return Corpus::Keep;
        }
    };
    let ScrambleRequest { count, max_length, min_length, subset, seed, .. } = request;
    assert!((1..=MAX_SCRAMBLES).contains(&count) && (MIN_MAX_LENGTH..=MAX_MAX_LENGTH).contains(&max_length));
    assert_eq!(subset.to_string().parse::<Subset>().as_ref(), Ok(&subset));
    let mut states = RandomStates::new(subset, seed.as_deref(), min_length).expect("the request is checked");
    assert!(states.count() >= count as u128);
    let cube = states.next_cube().expect("random numbers");
    assert!(subset.contains(&cube));
    superflip_fuzz::is_the_same_through_every_form(&cube);
    Corpus::Keep
});
