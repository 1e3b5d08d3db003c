//! Every form of random cubes reads back as the same cube.

use superflip_cube::forms::{Format, Forms, Holding};

use super::{detect, random_cubes, read_as};

#[test]
fn ten_thousand_cubes_round_trip_through_every_form() {
    for (number, cube) in random_cubes(10_000, 11).enumerate() {
        let holding = Holding::ALL[number % Holding::COUNT];
        let forms = Forms::of(&cube, holding);
        for (format, text) in forms.texts() {
            let found = read_as(text, format).expect(text);
            assert_eq!((found.cube, found.format), (cube, format), "{text}");
            let says_holding = format != Format::Speffz && (format != Format::Reid || holding != Holding::HOME);
            assert_eq!(found.holding, says_holding.then_some(holding), "{text}");
        }
        assert_eq!(forms.kpattern.to_cube(), Ok((cube, holding)));
    }
}

#[test]
fn every_form_is_recognised_as_itself() {
    for (number, cube) in random_cubes(2_000, 12).enumerate() {
        let forms = Forms::of(&cube, Holding::ALL[number % Holding::COUNT]);
        for (format, text) in forms.texts() {
            let found = detect(text).expect(text);
            assert_eq!((found.cube, found.format), (cube, format), "{text}");
        }
    }
}
