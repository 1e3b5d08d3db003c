//! A text of facelets: what is accepted is the cube whose stickers were given, and is the same in every other form.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use superflip_cube::{Cube, FormError};

fuzz_target!(|text: &str| -> Corpus {
    match Cube::from_facelets(text) {
        Ok(cube) => {
            let symbols: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
            let centre = |symbol| (0..6).find(|face| symbols[9 * face + 4] == symbol).expect("a centre");
            let letters: String = symbols.iter().map(|&symbol| char::from(b"URFDLB"[centre(symbol)])).collect();
            assert_eq!(cube.to_string(), letters);
            superflip_fuzz::is_the_same_through_every_form(&cube);
        }
        Err(FormError::Impossible { violations, .. }) => {
            assert!(!violations.is_empty());
            // A refusal does not grow with what it refuses.
            assert!(violations.iter().all(|violation| (1..2048).contains(&violation.message.len())), "{violations:?}");
        }
        Err(error) => panic!("facelets have no notation: {error}"),
    }
    Corpus::Keep
});
