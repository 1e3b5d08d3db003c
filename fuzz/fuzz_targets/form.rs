//! Text forms of a cube: the first byte picks the form, or leaves it to be recognised. What is read is the same in every form that
//! is written, and a refusal names a place in the text.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use superflip_cube::forms::{Buffers, FormError, Format, Forms, Holding, KPattern, read};
use superflip_cube::input::to_facelets;

/// Longest message of a refusal.
const MAX_BYTES: usize = 4096;

fn written_forms_read_back(forms: &Forms, facelets: &str) {
    for (format, text) in forms.texts() {
        let again = read(text, Some(format), Buffers::default()).expect(text);
        assert_eq!(to_facelets(&again.cube), facelets, "{text}");
        match read(text, None, Buffers::default()) {
            Ok(found) => assert_eq!(to_facelets(&found.cube), facelets, "{text}"),
            Err(error) => assert!(matches!(error, FormError::Ambiguous(_)), "{text}: {error}"),
        }
    }
    assert_eq!(forms.kpattern.to_cube().map(|(cube, _)| to_facelets(&cube)).as_deref(), Ok(facelets));
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((first, rest)) = bytes.split_first() else { return Corpus::Reject };
    if let Ok(pattern) = serde_json::from_slice::<KPattern>(rest)
        && let Ok((cube, holding)) = pattern.to_cube()
    {
        written_forms_read_back(&Forms::of(&cube, holding), &to_facelets(&cube));
    }
    let Ok(text) = std::str::from_utf8(rest) else { return Corpus::Reject };
    let format = Format::ALL.get(usize::from(*first) % (Format::ALL.len() + 1)).copied();
    match read(text, format, Buffers::default()) {
        Ok(found) => {
            assert!(format.is_none_or(|format| format == found.format));
            let forms = Forms::of(&found.cube, found.holding.unwrap_or(Holding::HOME));
            written_forms_read_back(&forms, &to_facelets(&found.cube));
        }
        Err(error) => {
            assert!((1..MAX_BYTES).contains(&error.to_string().len()), "{error}");
            match error {
                FormError::Ambiguous(readings) => assert!(format.is_none() && readings.len() > 1),
                FormError::Unreadable { format, position, nearest, .. } => {
                    assert!(position <= text.chars().count());
                    assert!(nearest.is_none_or(|nearest| read(&nearest, Some(format), Buffers::default()).is_ok()));
                }
                FormError::Impossible { violations, .. } => assert!(!violations.is_empty()),
                FormError::UnknownStickers { stickers, .. } => assert!(!stickers.is_empty()),
            }
        }
    }
    Corpus::Keep
});
