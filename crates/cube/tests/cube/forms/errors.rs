//! What a refusal says: the form, the place, and the nearest text that can be read.

use superflip_cube::{Form, FormError};

use super::{B32, DIGITS, REID, SPEFFZ, TWIZZLE, assert_impossible, detect, read_as};

#[test]
fn one_wrong_character_is_found_and_corrected() {
    let b32 = B32.replacen('V', "v", 1);
    let twizzle = TWIZZLE.replacen('f', "g", 1);
    let digits = DIGITS.replacen("33", "73", 1);
    let speffz = SPEFFZ.replacen('q', "Y", 1);
    for (wrong, format, position, nearest) in [
        ("R U f2 Q L", Form::Scramble, 7, Some("R U f2  L")),
        ("R U (F L", Form::Scramble, 8, Some("R U (F L)")),
        ("R u\u{301} F", Form::Scramble, 3, Some("R u' F")),
        (&b32, Form::B32, 3, Some(B32)),
        (&twizzle, Form::Twizzle, 1, None),
        (&digits, Form::Digits, 10, Some(DIGITS)),
        (&speffz, Form::Speffz, 11, None),
    ] {
        match read_as(wrong, format) {
            Err(FormError::Unreadable { format: found, position: at, message, nearest: other, .. }) => {
                assert_eq!((found, at), (Some(format), position), "{wrong}: {message}");
                assert!(nearest.is_none() || nearest == other.as_deref(), "{wrong}: {other:?}");
                assert!(other.is_none_or(|text| read_as(&text, format).is_ok()));
            }
            other => panic!("{wrong}: {other:?}"),
        }
    }
}

#[test]
fn the_nearest_form_is_assumed() {
    for (text, format) in [
        ("R U Q", Form::Scramble),
        ("{\"EDGES\":{}}", Form::KPattern),
        ("https://example.org", Form::Link),
        ("GETVSBAH=ZFCXBAGLYTKE=", Form::B32),
        ("GETVSBAH=ZFCXBAGLYTKE=Z", Form::B32),
        ("af 1e 24 f4 46 2a c2 82 d8 00", Form::Twizzle),
        ("SING UF UR", Form::Reid),
        ("UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB", Form::Facelets),
        ("wwwwwwwwwrrrrrrrrrgggggggggyyyyyyyyyooooooooobbbbbbbb", Form::Facelets),
        ("011111111122222222233333333344444444455555555566666666", Form::Digits),
        ("dgtbcvc.onmqei", Form::Speffz),
    ] {
        assert_eq!(detect(text).expect_err(text).format(), Some(format), "{text}");
    }
}

#[test]
fn other_forms_have_no_nearest_text() {
    for (text, format) in [
        ("https://alg.cubing.net/?setup=RQ", Form::Link),
        ("https://alg.cubing.net/?setup=R&alg=Q", Form::Link),
        ("https://example.org/?alg=R", Form::Link),
        ("https://alg.cubing.net/?puzzle=4x4x4&setup=R", Form::Link),
        (REID, Form::Scramble),
    ] {
        let found = read_as(text, format);
        assert!(matches!(found, Err(FormError::Unreadable { nearest: None, .. })), "{text}: {found:?}");
    }
}

#[test]
fn digits_of_a_wrong_length_are_told_their_length() {
    let wrong = DIGITS.replacen("33", "73", 1);
    for text in [&wrong[..53], &wrong[..50], &format!("{wrong}1"), &format!("{}\n7", &DIGITS[..50])] {
        for found in [detect(text), read_as(text, Form::Digits)] {
            assert_impossible(&found, Some(Form::Digits), "wrong_length");
        }
    }
    // White space counts in the position.
    let spaced = format!(" {}\n{}", &wrong[..9], &wrong[9..]);
    for found in [detect(&spaced), read_as(&spaced, Form::Digits)] {
        assert!(matches!(found, Err(FormError::Unreadable { position: 12, .. })), "{found:?}");
    }
}

#[test]
fn messages_are_bounded() {
    for text in ["9".repeat(100_000), "\u{1F9CA}".repeat(100_000), format!("SING {}", "X".repeat(100_000))] {
        for found in [detect(&text), read_as(&text, Form::Reid), read_as(&text, Form::Net)] {
            let error = found.expect_err("no cube");
            assert!(error.to_string().len() < 4096, "{}", error.to_string().len());
        }
    }
}
