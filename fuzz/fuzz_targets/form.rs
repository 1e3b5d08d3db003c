//! Text forms of a cube: the first byte picks the form, or leaves it to be recognised. What is read is the same in every form that
//! is written, and a refusal names a place in the text.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use superflip_cube::forms::{Buffers, KPattern, Read};
use superflip_cube::{Cube, Form, FormError, Holding};

/// Longest message of a refusal.
const MAX_BYTES: usize = 4096;

fn written_forms_read_back(cube: &Cube, holding: Holding) {
    for (form, text) in Form::ALL.into_iter().filter_map(|form| Some((form, form.write(cube, holding)?))) {
        let again = Read::of(&text, Some(form), Buffers::default()).expect(&text);
        assert_eq!(again.cube, *cube, "{text}");
        match Read::of(&text, None, Buffers::default()) {
            Ok(found) => assert_eq!(found.cube, *cube, "{text}"),
            Err(error) => assert!(matches!(error, FormError::Ambiguous(_)), "{text}: {error}"),
        }
    }
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((first, rest)) = bytes.split_first() else { return Corpus::Reject };
    if let Ok(pattern) = serde_json::from_slice::<KPattern>(rest)
        && let Ok((cube, holding)) = pattern.to_cube()
    {
        written_forms_read_back(&cube, holding);
    }
    let Ok(text) = std::str::from_utf8(rest) else { return Corpus::Reject };
    let format = Form::ALL.get(usize::from(*first) % (Form::ALL.len() + 1)).copied();
    match Read::of(text, format, Buffers::default()) {
        Ok(found) => {
            assert!(format.is_none_or(|format| format == found.format));
            written_forms_read_back(&found.cube, found.holding.unwrap_or(Holding::HOME));
        }
        Err(error) => {
            assert!((1..MAX_BYTES).contains(&error.to_string().len()), "{error}");
            match error {
                FormError::Ambiguous(readings) => assert!(format.is_none() && readings.len() > 1),
                FormError::Unreadable { format, position, nearest, .. } => {
                    assert!(position <= text.chars().count());
                    assert!(nearest.is_none_or(|nearest| Read::of(&nearest, format, Buffers::default()).is_ok()));
                }
                FormError::Impossible { violations, .. } => assert!(!violations.is_empty()),
                FormError::UnknownStickers { stickers, .. } => assert!(!stickers.is_empty()),
                error => panic!("{error}"),
            }
        }
    }
    Corpus::Keep
});
