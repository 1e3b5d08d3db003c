//! Stickers with errors: unknown ones are completed, and problems keep them for the search for repairs.

use crate::api::problem::{Code, Problem};
use superflip_cube::forms::shown;
use superflip_cube::forms::{Buffers, Read};
use superflip_cube::verify::sticker;
use superflip_cube::{Form, Violation, forms};
use superflip_scan::repair::{Completions, Repair, Stickers, completions, misread_centres, turned_faces};

/// Replaces each `?` by a sticker, in the symbols of the text. It takes about a millisecond.
///
/// # Errors
/// Returns an error if no legal cube, or more than one, has the known stickers.
pub(crate) fn complete(text: &str) -> Result<String, Problem> {
    let stickers = Stickers::parse(text)?;
    let unknown = stickers.unknown().len();
    let Completions { total, first, undecided } = completions(&stickers);
    match first {
        Some(only) if total == 1 => Ok(only.facelets),
        Some(example) => {
            let detail = format!(
                "{unknown} of 54 stickers are unknown (`?`), and {total} legal cubes have the known stickers. Read more of the stickers \
                 in `doubtful`."
            );
            Err(Problem::new(Code::UnknownStickers, detail).with(|document| {
                (document.completions, document.example) = (Some(total.to_string()), Some(example.facelets));
                document.doubtful = Some(undecided);
            }))
        }
        None => {
            let message = "No legal cube has the known stickers. At least one of them is misread.";
            Err(impossible("no_completion", message).of_stickers(text))
        }
    }
}

/// Returns the form of a text, and its 54 symbols in the order U R F D L B. Without `format`, the form is recognised.
///
/// # Errors
/// Returns an error if the text is not in a form that lists stickers, or has several meanings.
pub(crate) fn of_text(text: &str, format: Option<Form>) -> Result<(Form, String), Problem> {
    let read = Read::of(text, format, Buffers::default());
    let text = &*forms::without_list(text);
    let format = match &read {
        Ok(read) => Some(read.format),
        Err(error) => error.format(),
    };
    let stickers = format.and_then(|format| Some((format, forms::in_facelet_order(text, format)?)));
    match (stickers, read) {
        (Some(stickers), _) => Ok(stickers),
        (None, Err(error)) => Err(error.into()),
        (None, Ok(read)) => {
            let detail = format!(
                "Read as {}: the text lists no stickers. Only stickers can be repaired; give 54 symbols in `facelets`.",
                read.format
            );
            Err(Problem::new(Code::UnreadableCube, detail).in_field("cube"))
        }
    }
}

/// Creates the problem of a cube that is impossible for a reason that concerns the whole cube.
pub(crate) fn impossible(code: &'static str, message: &str) -> Problem {
    let (slots, pieces, stickers) = (Vec::new(), Vec::new(), Vec::new());
    let violation = Violation { code, message: message.to_owned(), slots, pieces, stickers, kociemba: None };
    Problem::new(Code::ImpossibleCube, message).with(|document| document.violations = Some(vec![violation.into()]))
}

/// Describes a rotation of a face.
pub(crate) fn turns_in_words(turns: u8) -> &'static str {
    match turns {
        1 => "90 degrees clockwise",
        2 => "180 degrees",
        _ => "90 degrees counterclockwise",
    }
}

/// Describes a change of centres as a sentence.
fn centres_in_words(repair: &Repair) -> String {
    let name = |facelet: &u8| sticker((*facelet).into());
    match repair.changed.as_slice() {
        [one, other] => {
            format!(" The cube is possible if the centres {} and {} are exchanged.", name(one), name(other))
        }
        changed => {
            let symbol =
                |facelet: &u8| repair.facelets.chars().nth(usize::from(*facelet)).map_or_else(String::new, shown);
            let centres = changed.iter().map(|facelet| format!("{} is `{}`", name(facelet), symbol(facelet)));
            format!(" The cube is possible if centre {}.", centres.collect::<Vec<_>>().join(" and "))
        }
    }
}

impl Problem {
    /// Keeps the stickers of an impossible cube, in the order U R F D L B, if a legal cube may be near. Adds to the text which face
    /// was probably rotated, or which centre was misread.
    #[must_use]
    pub(crate) fn of_stickers(self, text: &str) -> Self {
        if self.code() != Code::ImpossibleCube {
            return self;
        }
        let stickers = Stickers::parse(text);
        let turned = stickers.as_ref().map_or_else(|_| Vec::new(), turned_faces);
        let symbols: String = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        self.with(|document| {
            document.stickers = stickers.is_ok().then(|| text.into());
            if let [first, ..] = turned.as_slice() {
                let (face, way) = (first.face.name(), turns_in_words(first.turns));
                let sentence = format!(" The cube is possible if face {face} is turned by {way}.");
                document.detail += &sentence;
            }
            // With the six centres known, an error of other stickers is as likely.
            for centre in misread_centres(&symbols).iter().filter(|_| turned.is_empty()).take(1) {
                document.detail += &centres_in_words(centre);
            }
        })
    }
}
