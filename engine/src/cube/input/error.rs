//! Errors of parsing a cube or a maneuver.

use std::fmt;

/// One fault of an impossible cube.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Stable `snake_case` code; the list is in [`input`](super).
    pub code: &'static str,
    /// Kociemba's error number 1..=6, if there is one.
    pub kociemba: Option<u8>,
    /// What is wrong and what to do, in one or two sentences.
    pub message: String,
    /// Affected slots, such as `URF`; for centres the face, such as `U`. Empty if they cannot be determined.
    pub slots: Vec<&'static str>,
    /// Affected pieces, named by the centres: the piece that belongs in slot `URF` is `URF`.
    pub pieces: Vec<&'static str>,
    /// Facelets that the message refers to, 0 to 53 in ascending order: those of the slots, the centres, or those with
    /// a wrong symbol. Empty if they cannot be determined, and for a cube not given as facelets.
    pub stickers: Vec<u8>,
}

impl Violation {
    /// Creates a violation without slots, pieces or stickers.
    pub(crate) fn new(code: &'static str, kociemba: Option<u8>, message: String) -> Self {
        Self { code, kociemba, message, slots: Vec::new(), pieces: Vec::new(), stickers: Vec::new() }
    }

    /// Adds the affected facelets.
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

/// Why a cube or a scramble is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputError {
    /// The cube is impossible. The list has every violated invariant and is never empty.
    #[error("{}", .0.iter().map(|v| v.message.as_str()).collect::<Vec<_>>().join(" "))]
    Impossible(Vec<Violation>),
    /// The text is not a maneuver.
    #[error("at character {position}: {message}")]
    Notation {
        /// Position in characters, from 0; the length of the text if it ended too early.
        position: usize,
        /// What was found and what was expected.
        message: String,
    },
}

/// Returns a printable form of a symbol. Invisible and combining characters are escaped; quotes and backslashes are
/// not.
pub fn shown(symbol: char) -> String {
    if symbol.is_ascii_graphic() { symbol.to_string() } else { symbol.escape_debug().collect() }
}

/// Joins items as `a`, `a and b`, `a, b and c`.
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

/// Returns the plural ending of a noun.
pub(crate) fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
