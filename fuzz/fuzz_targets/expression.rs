//! An expression: its label reads back as the same plan with the same label.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superflip_coords::space::expression::{ExpressionError, MAX_BYTES, MAX_PARTS, Plan, plan};
use superflip_solver::coord::Descriptor;

fn parts(plan: &Plan) -> (Vec<&str>, Vec<&str>, Option<&str>, bool, Option<&str>) {
    let names = |parts: &[&'static Descriptor]| parts.iter().map(|part| part.name).collect();
    let (group, entry) = (plan.group.map(|group| group.name), plan.entry.map(|entry| entry.name));
    (names(&plan.base), names(&plan.rest), group, plan.packed, entry)
}

fuzz_target!(|text: &str| {
    match plan(text) {
        Ok(read) => {
            assert!(text.len() <= MAX_BYTES && read.base.len() + read.rest.len() <= MAX_PARTS);
            assert!(!read.base.is_empty() && read.base_size() > 0 && read.rest_size() > 0 && !read.moves().is_empty());
            let again = plan(&read.label).expect("a label is an expression");
            assert_eq!(again.label, read.label);
            assert_eq!(parts(&again), parts(&read));
        }
        Err(ExpressionError::Syntax { position, message }) => {
            assert!(position <= text.chars().count(), "{position} in {text:?}");
            assert!(!message.is_empty());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
