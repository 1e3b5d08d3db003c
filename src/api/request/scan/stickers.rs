//! Stickers with errors: unknown ones are completed, and problems keep them for the search for repairs.

use crate::api::problem::{Code, Problem};
use crate::cube::forms::{self, Buffers, Format};
use crate::cube::input::Violation;
use crate::cube::repair::{Completions, Stickers, completions};

/// Completes stickers of which some are `?`, in the symbols of the text. It takes about a millisecond.
///
/// # Errors
/// Returns an error if no legal cube, or more than one, has the known stickers.
pub(crate) fn complete(text: &str) -> Result<String, Problem> {
    let stickers = Stickers::parse(text)?;
    let unknown = stickers.unknown().len();
    let Completions { total, first } = completions(&stickers);
    match first {
        Some(only) if total == 1 => Ok(only.facelets),
        Some(example) => {
            let detail = format!(
                "{unknown} of 54 stickers are unknown (`?`), and {total} legal cubes have the known stickers. Read more stickers."
            );
            Err(Problem::new(Code::UnknownStickers, detail).with(|document| {
                (document.completions, document.example) = (Some(total.to_string()), Some(example.facelets));
            }))
        }
        None => {
            let message = "No legal cube has the known stickers. At least one of them is misread.";
            Err(impossible("no_completion", message).of_stickers(text))
        }
    }
}

/// Returns the 54 symbols of a text in the order U R F D L B. Without `format`, the form is recognised.
///
/// # Errors
/// Returns an error if the text is not in a form that lists stickers, or has several meanings.
pub(crate) fn of_text(text: &str, format: Option<Format>) -> Result<String, Problem> {
    let read = forms::read(text, format, Buffers::default());
    let format = match &read {
        Ok(read) => Some(read.format),
        Err(error) => error.format(),
    };
    let stickers = format.and_then(|format| forms::in_facelet_order(text, format));
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
    Problem::new(Code::ImpossibleCube, message).with(|document| document.violations = Some(vec![violation]))
}

impl Problem {
    /// Keeps the stickers of an impossible cube, in the order U R F D L B, if a legal cube may be near.
    #[must_use]
    pub(crate) fn of_stickers(self, text: &str) -> Self {
        let is_impossible = self.code() == Code::ImpossibleCube;
        let is_repairable = is_impossible && Stickers::parse(text).is_ok();
        self.with(|document| document.stickers = is_repairable.then(|| text.into()))
    }
}
