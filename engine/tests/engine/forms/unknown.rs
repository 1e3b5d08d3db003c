//! Stickers with unknown ones in every order.

use superflip_engine::cube::Cube;
use superflip_engine::cube::forms::{FormError, Format, Forms, Holding, in_facelet_order};
use superflip_engine::cube::repair::{Stickers, completions};

use super::{after, detect, random_cubes};

/// Replaces the stickers at these places of the text by `?`.
fn hidden(text: &str, places: &[usize]) -> String {
    text.chars().enumerate().map(|(place, symbol)| if places.contains(&place) { '?' } else { symbol }).collect()
}

/// Returns the form that was recognised and the only cube with the known stickers.
fn completed(text: &str) -> (Format, Cube) {
    match detect(text) {
        Err(FormError::UnknownStickers { format, stickers }) => {
            let facelets = in_facelet_order(text, format).expect("stickers");
            let parsed = Stickers::parse(&facelets).expect("six colours");
            assert_eq!(parsed.unknown(), stickers, "{text}");
            let found = completions(&parsed);
            (format, found.unique().unwrap_or_else(|| panic!("{text}: {} cubes", found.total)).cube)
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn one_hidden_sticker_leaves_the_order_of_every_text() {
    for (number, cube) in random_cubes(20, 71).enumerate() {
        let forms = Forms::of(&cube, Holding::ALL[number % Holding::COUNT]);
        // Colours without names: the pieces show the order.
        let coloured = |text: &str| text.replace('U', "#").replace('R', "+");
        for (text, format) in [
            (&forms.facelets, Format::Facelets),
            (&coloured(&forms.facelets), Format::Facelets),
            (&forms.ulfrbd, Format::Ulfrbd),
            (&coloured(&forms.ulfrbd), Format::Ulfrbd),
            (&forms.digits[1..].to_owned(), Format::Digits),
        ] {
            for place in [0, 12, 21, 33, 53] {
                let hidden = hidden(text, &[place]);
                assert_eq!(completed(&hidden), (format, cube), "{hidden}");
            }
        }
        let digits = hidden(&forms.digits, &[1, 20]);
        assert_eq!(completed(&digits), (Format::Digits, cube), "{digits}");
    }
}

#[test]
fn face_letters_with_hidden_stickers_keep_the_order_of_their_centres() {
    let text = "UU?UU?UU?LLLLLLLLLFF?FF?FF?RRRRRRRRR?BB?BB?BBDD?DD?DD?";
    assert!(matches!(detect(text), Err(FormError::UnknownStickers { format: Format::Ulfrbd, .. })));
}

#[test]
fn stickers_with_completions_in_several_orders_are_refused() {
    // Only the centres are known, and no colour names a face.
    let centres = ["a", "b", "c", "d", "e", "f"].map(|colour| format!("????{colour}????")).concat();
    match detect(&centres) {
        Err(FormError::Ambiguous(readings)) => {
            let formats: Vec<Format> = readings.iter().map(|reading| reading.format).collect();
            assert_eq!(formats, [Format::Facelets, Format::Ulfrbd]);
            for reading in readings {
                assert_eq!(reading.facelets, "????U????????R????????F????????D????????L????????B????");
            }
        }
        other => panic!("{other:?}"),
    }
    // The same cube in both orders is no ambiguity.
    let solved = hidden("aaaaaaaaabbbbbbbbbcccccccccdddddddddeeeeeeeeefffffffff", &[0, 53]);
    assert_eq!(completed(&solved).1, Cube::SOLVED);
}

#[test]
fn a_misread_sticker_does_not_change_the_order() {
    let text = Forms::of(&after("R U F L2 D' B"), Holding::HOME).ulfrbd.replace('U', "#").replace('R', "+");
    let wrong = hidden(&text, &[0]).replacen('L', "D", 1);
    assert_eq!(detect(&wrong).expect_err("no cube").format(), Some(Format::Ulfrbd));
}
