//! Errors of parsing a cube or a maneuver.

use std::fmt;

/// Reason why a cube is impossible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Kind of the reason, as a stable word.
    pub code: &'static str,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Slots concerned, such as `URF`.
    pub slots: Vec<&'static str>,
    /// Pieces concerned, such as `UR`.
    pub pieces: Vec<&'static str>,
    /// Stickers concerned, as indices into `facelets`, 0 to 53 in ascending order. Empty if no sticker can be singled out, or if the
    /// cube was given as `cubies`.
    pub stickers: Vec<u8>,
    /// Kociemba's error number, 1 to 6; null if there is none.
    pub kociemba: Option<u8>,
}

impl Violation {
    /// Creates a violation without slots, pieces or stickers.
    pub fn new(code: &'static str, kociemba: Option<u8>, message: String) -> Self {
        Self { code, kociemba, message, slots: Vec::new(), pieces: Vec::new(), stickers: Vec::new() }
    }

    /// Adds the affected facelets.
    #[must_use]
    pub fn about(mut self, facelets: impl IntoIterator<Item = usize>) -> Self {
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
pub fn listed<T: AsRef<str>>(items: &[T]) -> String {
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
pub fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
