//! Stickers with unknown ones in every order.

use superflip_cube::forms::{Buffers, Read, in_facelet_order};
use superflip_cube::{Cube, Form, FormError, Holding};
use superflip_scan::order_of;
use superflip_scan::repair::{Stickers, completions};

use crate::common::{rng, scrambled};

/// Returns the order of a text with unknown stickers.
fn order(text: &str) -> Result<Form, FormError> {
    match Read::of(text, None, Buffers::default()) {
        Err(FormError::UnknownStickers { formats, stickers }) => {
            let facelets = in_facelet_order(text, formats[0]).expect("stickers");
            assert_eq!(Stickers::parse(&facelets).expect("six colours").unknown(), stickers, "{text}");
            order_of(text, &formats)
        }
        other => panic!("{text}: {other:?}"),
    }
}

/// Replaces the stickers at these places of the text by `?`.
fn hidden(text: &str, places: &[usize]) -> String {
    text.chars().enumerate().map(|(place, symbol)| if places.contains(&place) { '?' } else { symbol }).collect()
}

/// Returns the form that was chosen and the only cube with the known stickers.
fn completed(text: &str) -> (Form, Cube) {
    let format = order(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let facelets = in_facelet_order(text, format).expect("stickers");
    let found = completions(&Stickers::parse(&facelets).expect("six colours"));
    (format, found.unique().unwrap_or_else(|| panic!("{text}: {} cubes", found.total)).cube)
}

#[test]
fn one_hidden_sticker_leaves_the_order_of_every_text() {
    let mut rng = rng(71);
    for number in 0..20 {
        let cube = scrambled(&mut rng);
        let holding = Holding::ALL[number % Holding::COUNT];
        let [facelets, ulfrbd, digits] = [Form::Facelets, Form::Ulfrbd, Form::Digits]
            .map(|form| form.write(&cube, holding).expect("a form that is written"));
        // Colours without names: the pieces show the order.
        let coloured = |text: &str| text.replace('U', "#").replace('R', "+");
        for (text, format) in [
            (&facelets, Form::Facelets),
            (&coloured(&facelets), Form::Facelets),
            (&ulfrbd, Form::Ulfrbd),
            (&coloured(&ulfrbd), Form::Ulfrbd),
            (&digits[1..].to_owned(), Form::Digits),
        ] {
            for place in [0, 12, 21, 33, 53] {
                let hidden = hidden(text, &[place]);
                assert_eq!(completed(&hidden), (format, cube), "{hidden}");
            }
        }
        let digits = hidden(&digits, &[1, 20]);
        assert_eq!(completed(&digits), (Form::Digits, cube), "{digits}");
    }
}

#[test]
fn hidden_stickers_keep_the_order_of_the_centres() {
    let text = "UU?UU?UU?LLLLLLLLLFF?FF?FF?RRRRRRRRR?BB?BB?BBDD?DD?DD?";
    assert_eq!(order(text), Ok(Form::Ulfrbd));
}

#[test]
fn stickers_with_completions_in_several_orders_are_refused() {
    // Only the centres are known, and no colour names a face.
    let centres = ["a", "b", "c", "d", "e", "f"].map(|colour| format!("????{colour}????")).concat();
    match order(&centres) {
        Err(FormError::Ambiguous(readings)) => {
            let formats: Vec<Form> = readings.iter().map(|reading| reading.format).collect();
            assert_eq!(formats, [Form::Facelets, Form::Ulfrbd]);
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
    let cube = Cube::from_scramble("R U F L2 D' B").expect("a scramble");
    let text = cube.to_form(Form::Ulfrbd).replace('U', "#").replace('R', "+");
    let wrong = hidden(&text, &[0]).replacen('L', "D", 1);
    assert_eq!(order(&wrong), Ok(Form::Ulfrbd));
}
