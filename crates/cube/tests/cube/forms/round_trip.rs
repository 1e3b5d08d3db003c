//! Every form of random cubes reads back as the same cube.

use superflip_cube::{Form, Holding};

use super::{assert_read, random_cubes, read_as, written};

#[test]
fn ten_thousand_cubes_round_trip_through_every_form() {
    for (number, cube) in random_cubes(10_000, 11).enumerate() {
        let holding = Holding::ALL[number % Holding::COUNT];
        for format in Form::ALL.into_iter().filter(|form| form.is_writable()) {
            let text = written(format, &cube, holding);
            let found = read_as(&text, format).expect(&text);
            assert_eq!((found.cube, found.format), (cube, format), "{text}");
            let says_holding = format != Form::Speffz && (format != Form::Reid || holding != Holding::HOME);
            assert_eq!(found.holding, says_holding.then_some(holding), "{text}");
        }
    }
}

#[test]
fn every_form_is_recognised_as_itself() {
    for (number, cube) in random_cubes(2_000, 12).enumerate() {
        for format in Form::ALL.into_iter().filter(|form| form.is_writable()) {
            let text = written(format, &cube, Holding::ALL[number % Holding::COUNT]);
            assert_read(&text, format, cube);
        }
    }
}
