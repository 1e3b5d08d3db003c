//! Scrambles as programs print them.

use superflip_cube::{Form, FormError, Holding};

use super::{after, assert_read, detect, read_as};

#[test]
fn scrambles_of_other_programs_are_read() {
    for (text, plain) in [
        ("R1 U1 F1", "R U F"),
        ("R3 U2 F1 (3f)", "R' U2 F"),
        ("R3 U2 F1 (18f*)", "R' U2 F"),
        // Each of these lengths is also a move.
        ("R (1f)", "R"),
        ("R U (2f)", "R U"),
        ("R U F (3f*)\n", "R U F"),
        ("F3U3R3", "F' U' R'"),
        ("DDD R", "D' R"),
        ("F  L'   .  U2 R  (4f)", "F L' U2 R"),
        ("R\u{2019} U\u{2032} F", "R' U' F"),
        ("R- U2- F\u{2013} B\u{2212}", "R' U2 F' B'"),
        ("(R U-)2-", "(R U')2'"),
        ("R U // first\nF", "R U F"),
    ] {
        assert_read(text, Form::Scramble, after(plain));
        assert_eq!(detect(text).map(|found| found.holding), Ok(Some(Holding::HOME)));
    }
}

#[test]
fn a_dash_before_a_digit_is_no_apostrophe() {
    for text in ["R2-3Rw", "R-2", "2-3Rw"] {
        let found = read_as(text, Form::Scramble);
        assert!(matches!(found, Err(FormError::Unreadable { format: Some(Form::Scramble), .. })), "{text}: {found:?}");
    }
}

#[test]
fn rotations_say_how_the_cube_is_held() {
    for (text, name) in [("x", "FD"), ("y", "UR"), ("z", "LF"), ("Rw", "FD"), ("M", "BU"), ("R U F", "UF")] {
        let found = detect(text).expect(text);
        assert_eq!(found.holding.map(Holding::name).as_deref(), Some(name), "{text}");
    }
}
