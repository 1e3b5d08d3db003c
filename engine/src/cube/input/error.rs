//! Why a cube or a maneuver was refused.

use std::fmt;

/// One thing that is wrong with a cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// A stable `snake_case` code; the list is in [`input`](super::input).
    pub code: &'static str,
    /// Kociemba's error number 1..=6, where he has one for it.
    pub kociemba: Option<u8>,
    /// What is wrong and how to mend it, in one or two sentences.
    pub message: String,
    /// The slots concerned, such as `URF`; for centres the face, such as `U`. Empty when no slot can be singled out.
    pub slots: Vec<&'static str>,
    /// The pieces concerned, named by the centres: the piece that belongs in slot `URF` is `URF`.
    pub pieces: Vec<&'static str>,
    /// The facelets that the message speaks of, 0 to 53 in ascending order: those of the slots, the centres, or those with a wrong
    /// symbol. Empty when no sticker can be singled out, and for a cube that was not given as facelets.
    pub stickers: Vec<u8>,
}

impl Violation {
    /// A violation that singles out no slot, no piece and no sticker.
    pub(crate) fn new(code: &'static str, kociemba: Option<u8>, message: String) -> Self {
        Self { code, kociemba, message, slots: Vec::new(), pieces: Vec::new(), stickers: Vec::new() }
    }

    /// The same about these facelets.
    pub(crate) fn about(mut self, facelets: impl IntoIterator<Item = usize>) -> Self {
        self.stickers.extend(facelets.into_iter().filter_map(|facelet| u8::try_from(facelet).ok()));
        self.stickers.sort_unstable();
        self
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// Why a cube or a scramble was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// An impossible cube: every invariant that fails, never an empty list.
    #[error("{}", .0.iter().map(|v| v.message.as_str()).collect::<Vec<_>>().join(" "))]
    Impossible(Vec<Violation>),
    /// A maneuver that cannot be read.
    #[error("at character {position}: {message}")]
    Notation {
        /// Where, counted in characters from 0; the number of characters when the text ended too early.
        position: usize,
        /// What stands there and what was expected.
        message: String,
    },
}

/// A symbol as it can be printed: what cannot be seen, or would join its neighbour, is escaped; quotes and backslashes are not.
pub fn shown(symbol: char) -> String {
    if symbol.is_ascii_graphic() { symbol.to_string() } else { symbol.escape_debug().collect() }
}

/// `a`, `a and b`, `a, b and c`.
pub(crate) fn listed<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [most @ .., last] => {
            let most: Vec<_> = most.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", most.join(", "), last.as_ref())
        }
    }
}

/// The plural ending of a noun.
pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
