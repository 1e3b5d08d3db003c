//! Any text and any arrays are answered, with messages of bounded length.

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::StdRng;
use superflip_cube::{Cube, FormError, random_cube};

use crate::common::stickers::{SOLVED, with};
use crate::input::{codes, violations};

#[test]
fn ten_megabytes_are_answered() {
    for symbol in ["U", "\0", "e\u{301}", "\u{10ffff}"] {
        let found = violations(Cube::from_facelets(&symbol.repeat(10_000_000 / symbol.len())));
        assert_eq!(found[0].code, "wrong_length");
    }
    let every: String = (0..=0x0010_ffff).filter_map(char::from_u32).collect();
    let found = violations(Cube::from_facelets(&every));
    assert_eq!(codes(&found), ["wrong_length", "too_many_symbols"]);
    assert!(found.iter().all(|v| v.message.len() < 1000));
}

#[test]
fn every_refusal_is_the_same_twice_and_reads_as_sentences() {
    let text = with(SOLVED, &[(8, 'X'), (10, 'Y'), (45, 'Z'), (0, 'R')]);
    let error = Cube::from_facelets(&text).expect_err("impossible");
    assert_eq!(Err(error.clone()), Cube::from_facelets(&text));
    let found = violations(Err::<(), _>(error.clone()));
    assert!(found.iter().all(|v| v.message.ends_with('.') && v.message.len() > 40));
    assert!(error.to_string().starts_with(&found[0].message));
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in any::<String>(), length in 0..70_usize) {
        let _ = Cube::from_facelets(&text);
        let _ = Cube::from_facelets(&text.chars().cycle().take(length).collect::<String>());
    }

    #[test]
    fn no_fifty_four_letters_are_too_strange(text in "[URFDLB]{54}") {
        match Cube::from_facelets(&text) {
            Ok(cube) => prop_assert_eq!(cube.to_string().len(), 54),
            Err(FormError::Impossible { violations: found, .. }) => prop_assert!(!found.is_empty()),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }

    #[test]
    fn no_arrays_are_too_strange(
        cp in prop::collection::vec(0..9_u32, 0..10), co in prop::collection::vec(0..4_u32, 8),
        ep in prop::collection::vec(any::<u32>(), 0..14), eo in prop::collection::vec(0..3_u32, 12),
    ) {
        prop_assert!(Cube::from_cubies(&cp, &co, &ep, &eo).is_err() || cp.len() == 8 && ep.len() == 12);
    }

    #[test]
    fn any_random_cube_round_trips(seed in any::<u64>()) {
        let cube = random_cube(&mut StdRng::seed_from_u64(seed));
        prop_assert_eq!(Cube::from_facelets(&cube.to_string()), Ok(cube));
    }

    /// One sticker changed on a possible cube is always refused, by count and by slot or piece.
    #[test]
    fn one_misread_sticker_is_always_found(seed in any::<u64>(), at in 0..54_usize, to in 0..6_usize) {
        let text = random_cube(&mut StdRng::seed_from_u64(seed)).to_string();
        let changed = with(&text, &[(at, "URFDLB".as_bytes()[to] as char)]);
        if changed != text {
            let found = violations(Cube::from_facelets(&changed));
            prop_assert_eq!(found[0].code, "symbol_count");
            prop_assert!(found.len() >= 2);
        }
    }
}
