//! A maneuver: face turns print and read back as the same turns, make the cube that those turns make, and are undone by the
//! same text in parentheses with an apostrophe.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superflip_cube::input::{InputError, parse_scramble, parse_turns};
use superflip_cube::{Cube, Move, join};

/// The longest maneuver, written out; what is as long has no room for more.
const MAX_MOVES: usize = 10_000;

fn place(error: &InputError, text: &str) {
    let InputError::Notation { position, message } = error else { panic!("no cube to be impossible: {error}") };
    assert!(*position <= text.chars().count(), "{position} in {text:?}");
    assert!((1..2048).contains(&message.len()), "{message}");
}

fuzz_target!(|text: &str| {
    let scramble = parse_scramble(text).inspect_err(|error| place(error, text));
    if let Ok(cube) = &scramble {
        superflip_fuzz::is_the_same_through_every_form(cube);
    }
    let turns = match parse_turns(text) {
        Ok(turns) => turns,
        Err(error) => return place(&error, text),
    };
    assert!(turns.len() <= MAX_MOVES);
    assert_eq!(parse_turns(&join(&turns)).as_ref(), Ok(&turns));
    let cube = Cube::SOLVED.after(&turns);
    assert_eq!(scramble.as_ref(), Ok(&cube));
    if let Ok(undone) = parse_turns(&format!("({text})'")) {
        let inverse: Vec<Move> = turns.iter().rev().map(|turn| turn.inverse()).collect();
        assert_eq!(undone, inverse);
        assert!(cube.after(&undone).is_solved());
    }
});
