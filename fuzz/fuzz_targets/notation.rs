//! A maneuver: face moves print and read back as the same moves, make the cube that those moves make, and are undone by the
//! same text in parentheses with an apostrophe. As a written solution, each broken rule names symbols of the text.
#![no_main]

use libfuzzer_sys::fuzz_target;
use superflip_cube::notation::fewest_moves::SolutionCheck;
use superflip_cube::notation::without_length;
use superflip_cube::{Cube, FormError, Moves};

/// The longest maneuver, written out; what is as long has no room for more.
const MAX_MOVES: usize = 10_000;

fn place(error: &FormError, text: &str) {
    let FormError::Unreadable { position, message, .. } = error else { panic!("no cube to be impossible: {error}") };
    assert!(*position <= text.chars().count(), "{position} in {text:?}");
    assert!((1..2048).contains(&message.len()), "{message}");
}

fuzz_target!(|text: &str| {
    let scramble = Cube::from_scramble(text).inspect_err(|error| place(error, text));
    if let Ok(cube) = &scramble {
        superflip_fuzz::is_the_same_through_every_form(cube);
    }
    let check = SolutionCheck::new(&Cube::SOLVED, text);
    for broken in &check.broken {
        assert!((1..2048).contains(&broken.message.len()), "{}", broken.message);
        let found = broken.character.map(|character| text.chars().nth(character - 1));
        assert!(found.is_none_or(|found| found.is_some()), "{broken:?}");
    }
    assert!(check.length <= check.executed && check.is_valid() <= (check.solves() == Some(true)));
    let moves = match text.parse::<Moves>() {
        Ok(moves) => moves,
        Err(error) => return place(&error, text),
    };
    assert!(moves.len() <= MAX_MOVES);
    assert_eq!(moves.to_string().parse::<Moves>().as_ref(), Ok(&moves));
    let cube = Cube::SOLVED.after(&moves);
    // A length at the end of a scramble is not a move.
    if without_length(text) == text {
        assert_eq!(scramble.as_ref(), Ok(&cube));
    }
    if let Ok(undone) = format!("({text})'").parse::<Moves>() {
        assert_eq!(undone, moves.inverse());
        assert!(cube.after(&undone).is_solved());
    }
});
