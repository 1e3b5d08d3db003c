//! The form of a text is recognised, or refused: never silently another cube.

use proptest::prelude::*;
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::{Cube, Form, FormError, Holding, Move, Moves};

use super::{FACELETS, after, assert_impossible, assert_read, detect, read_as};

fn ambiguous(text: &str) -> Vec<(Form, String)> {
    match detect(text) {
        Err(FormError::Ambiguous(readings)) => {
            readings.into_iter().map(|reading| (reading.format, reading.facelets)).collect()
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_text_with_two_meanings_is_refused_with_both() {
    for text in ["f.b", "L.F", "bdL.", "bd."] {
        let readings = ambiguous(text);
        let formats: Vec<Form> = readings.iter().map(|(format, _)| *format).collect();
        assert_eq!(formats, [Form::Speffz, Form::Scramble], "{text}");
        for (format, facelets) in readings {
            assert_eq!(read_as(text, format).map(|found| found.cube.to_string()), Ok(facelets));
        }
    }
}

/// The example of a package that writes nets without separators, with other colours on opposite faces than usual.
#[test]
fn a_net_without_separators_is_a_net_or_ambiguous() {
    let net = "OOOOOOOOOYYYWWWGGGBBBYYYWWWGGGBBBYYYWWWGGGBBBRRRRRRRRR";
    let readings = ambiguous(net);
    assert_eq!(readings.iter().map(|(format, _)| *format).collect::<Vec<_>>(), [Form::Ulfrbd, Form::Net]);
    assert_eq!(readings[1].1, Cube::SOLVED.to_string());
    // With the usual colours, the centres decide.
    for symbols in ["OGWBYR", "WOGRBY", "ygobrw", "ULFRBD"] {
        let text: String = net.chars().map(|c| symbols.as_bytes()["OYWGBR".find(c).unwrap()] as char).collect();
        assert_read(&text, Form::Net, Cube::SOLVED);
    }
}

/// With free colours, a text may be a cube in several orders of the faces. Every position up to three moves away.
#[test]
fn colours_in_either_order_are_never_another_cube() {
    let mut cubes = vec![Cube::SOLVED];
    let mut last = cubes.clone();
    for _ in 0..3 {
        last = last.iter().flat_map(|cube| Move::ALL.map(|mv| cube.then(mv.cube()))).collect();
        cubes.extend(&last);
    }
    let mut read = 0;
    for cube in cubes.iter().step_by(7) {
        for text in [Form::Facelets, Form::Ulfrbd, Form::Net].map(|form| cube.to_form(form)) {
            let colours: String = text.chars().map(|c| c.to_string().replace('U', "g").replace('F', "w")).collect();
            for text in [text, colours] {
                match detect(&text) {
                    Ok(found) => {
                        assert_eq!(found.cube, *cube, "{text}");
                        read += 1;
                    }
                    Err(error) => assert!(matches!(error, FormError::Ambiguous(_)), "{text}: {error}"),
                }
            }
        }
    }
    assert!(read > 1000);
}

#[test]
fn upper_case_moves_are_a_scramble() {
    for text in ["L", "F", "R U F", "LF", "FBL", "MES", "R2", "x", "u", "b", "R.U", "(R U) . F", "F3U3R3", ""] {
        assert_read(text, Form::Scramble, after(text));
    }
}

#[test]
fn white_space_does_not_change_what_a_move_means() {
    for mv in ["F", "L", "M", "U", "F2", "d"] {
        for text in [format!("{mv}\n"), format!("{mv} "), format!(" {mv}"), format!("\t{mv}\r\n")] {
            assert_read(&text, Form::Scramble, after(mv));
        }
    }
}

#[test]
fn letters_without_a_point_are_no_speffz() {
    for text in ["fb", "bd", "bdL"] {
        assert_read(text, Form::Scramble, after(text));
    }
    for text in ["null", "true", "dgtbcvc"] {
        assert_eq!(detect(text).expect_err(text).format(), Some(Form::Scramble), "{text}");
    }
}

#[test]
fn face_letters_of_54_stickers_are_never_moves() {
    let spaced: String = FACELETS.chars().flat_map(|letter| [letter, ' ']).collect();
    for text in [FACELETS.to_owned(), spaced, FACELETS.to_lowercase()] {
        assert_read(&text, Form::Facelets, after("R U F"));
    }
    for length in [30, 45, 46, 53, 55, 62, 100] {
        let text: String = FACELETS.chars().cycle().take(length).collect();
        let error = detect(&text).expect_err("not 54");
        assert_eq!(error.format(), Some(Form::Facelets), "{text}");
        assert_eq!(read_as(&text, Form::Scramble).map(|found| found.cube), Ok(after(&text)));
    }
}

#[test]
fn stickers_that_are_half_typed_are_never_moves() {
    for text in
        ["UUUUUUUUURRRRRRRRRFFFFFFFFF", "UUUUUUUUU RRRRRRRRR FFFFFFFFF", "UUUUUUUUU RRR", "UUUUU", "uuuuuuuuurrrrrrrrr"]
    {
        assert_impossible(&detect(text), Some(Form::Facelets), "wrong_length");
        assert_eq!(read_as(text, Form::Scramble).map(|found| found.cube), Ok(after(text)));
    }
    for text in ["U U U U U", "UUUU", "UUUUU'", "RRRR UUUU", "U2U2U2U2U2", "MMMMM", "(UUUUU)"] {
        assert_read(text, Form::Scramble, after(text));
    }
}

#[test]
fn nine_letters_in_a_word_are_stickers_but_not_if_spaced() {
    let stickers = ["DRLUUBFBRBLURRLRUBLRDDFDLFU", "RUFLDBRUF", "rufrufruf", "MESMESMES", "RUFRUFRUF RUF", "wrgwrgwrg"];
    for text in stickers {
        assert_impossible(&detect(text), Some(Form::Facelets), "wrong_length");
    }
    for text in ["RUFLDBRU", "RUFLDB'RUFLDB", "(RUFLDBRUFLDB)", "RUFLDB2RUFLDB"] {
        assert_read(text, Form::Scramble, after(text));
    }
    for count in 46..=62 {
        for moves in ["RU", "RUFDLB"] {
            let letters: Vec<String> = moves.chars().cycle().take(count).map(String::from).collect();
            let text = letters.join(" ");
            assert_read(&text, Form::Scramble, after(&text));
        }
    }
}

/// 54 letters with spaces and at most one misread letter are stickers: no maneuver has the centres and the colours of a cube.
#[test]
fn spaced_stickers_with_a_misread_one_are_no_moves() {
    for at in (0..54).filter(|at| at % 9 != 4) {
        let mut letters: Vec<char> = FACELETS.chars().collect();
        letters[at] = if letters[at] == 'U' { 'R' } else { 'U' };
        let text: String = letters.into_iter().flat_map(|letter| [letter, ' ']).collect();
        assert_eq!(detect(&text).expect_err(&text).format(), Some(Form::Facelets), "{text}");
    }
}

#[test]
fn longer_than_a_maneuver_may_be_is_no_text_of_stickers() {
    for text in ["R U ".repeat(5_001), "RUF".repeat(3_334), "R' U ".repeat(5_001)] {
        let Err(FormError::Unreadable { format: Some(Form::Scramble), message, .. }) = detect(&text) else {
            panic!("{:?}", detect(&text))
        };
        assert!(message.contains("10000 moves"), "{message}");
    }
}

#[test]
fn an_address_in_a_comment_is_no_link() {
    for text in ["R U F // https://alg.cubing.net/?alg=U", "// see http://cubedb.net\nR U F"] {
        assert_read(text, Form::Scramble, after("R U F"));
    }
}

#[test]
fn two_forms_of_one_cube_are_no_ambiguity() {
    // Without letters both a scramble and Speffz letters are the solved cube.
    assert_eq!(detect(".").map(|found| found.cube), Ok(Cube::SOLVED));
    let solved = "111111111222222222333333333444444444555555555666666666";
    let found = detect(solved).expect("solved in every order");
    assert_eq!((found.format, found.cube, found.holding), (Form::Digits, Cube::SOLVED, Some(Holding::HOME)));
}

fn symbols() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[URFDLBurfdlbMESxyzw0-9'()\\[\\],:*. =-]{0,70}",
        "[URFDLB ]{20,80}",
        "[a-xA-X.]{0,20}",
        "[0-9a-f ]{20,34}",
        "[A-Za-f=]{20,25}",
        "[A-Za-z0-9+/]{15}=",
        "[wrgyob]{54}",
        "[0-6]{54,55}",
        "https://(alg.cubing.net|alpha.twizzle.net/edit|cubedb.net)/\\?(setup|alg|scramble|type|puzzle)=[RUF_%0-9&=-]{0,20}",
        "(SING )?([URFDLB]{2} ){12}([URFDLB]{3} ){8}[URFDLB ]{0,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in symbols()) {
        let length = text.chars().count();
        for format in Form::ALL.into_iter().map(Some).chain([None]) {
            match Read::of(&text, format, Buffers::default()) {
                Ok(found) => prop_assert!(format.is_none_or(|format| format == found.format)),
                Err(FormError::Unreadable { position, message, .. }) => {
                    prop_assert!(position <= length && !message.is_empty(), "{} of {}", position, length);
                }
                Err(FormError::Impossible { violations, .. }) => prop_assert!(!violations.is_empty()),
                Err(FormError::UnknownStickers { stickers, .. }) => prop_assert!(!stickers.is_empty()),
                Err(FormError::Ambiguous(readings)) => {
                    prop_assert!(format.is_none() && readings.len() > 1);
                }
                Err(error) => prop_assert!(false, "{:?}", error),
            }
        }
    }

    /// Scrambles of any length, in one word or with spaces: as a scramble, or ambiguous.
    #[test]
    fn scrambles_are_never_another_cube(indices in prop::collection::vec(0..Move::COUNT, 0..60), spaced: bool) {
        let moves: Moves = indices.into_iter().map(|index| Move::ALL[index]).collect();
        let text = if spaced { moves.to_string() } else { moves.to_string().replace(' ', "") };
        let meant = Cube::from_scramble(&text).expect("moves");
        match detect(&text) {
            Ok(found) => prop_assert_eq!(found.cube, meant),
            Err(error) => prop_assert!(matches!(error, FormError::Ambiguous(_)) || text.chars().all(char::is_alphabetic)),
        }
    }

    #[test]
    fn letters_of_speffz_are_never_another_cube(indices in prop::collection::vec(0..Move::COUNT, 0..6)) {
        let moves: Vec<Move> = indices.into_iter().map(|index| Move::ALL[index]).collect();
        let cube = Cube::SOLVED.after(&moves);
        match detect(&Buffers::default().write(&cube)) {
            Ok(found) => prop_assert_eq!(found.cube, cube),
            Err(error) => prop_assert!(matches!(error, FormError::Ambiguous(_)), "{:?}", error),
        }
    }
}

/// A sticker that a camera did not read is often written as a symbol that is also notation. It is never read as a maneuver.
#[test]
fn stickers_with_a_stray_symbol_are_no_maneuver() {
    for symbol in ['x', '-', '.', '_', '*', '1', '2', '3', '\'', '’', 'E', 'M', 'S', 'y', 'z'] {
        for (at, cube) in [(0, "R U F"), (1, "R U F"), (30, "D L2 B' U"), (53, "F2 L' D R B2 U' F R2 D' L B U2")] {
            let mut facelets: Vec<char> = Cube::from_scramble(cube).unwrap().to_string().chars().collect();
            facelets[at] = symbol;
            let word: String = facelets.iter().collect();
            let words: Vec<String> = facelets.chunks(9).map(|face| face.iter().collect()).collect();
            for text in [word, words.join(" ")] {
                assert!(detect(&text).is_err(), "{text}");
            }
        }
    }
    // A maneuver of 54 symbols has more amounts, or more moves of one face.
    let maneuver = "RUR'U'".repeat(9);
    assert_eq!(maneuver.len(), 54);
    assert_eq!(detect(&maneuver).map(|found| found.format), Ok(Form::Scramble));
}
