//! Reasons why a text is not read as a cube, and words for messages.

use std::fmt;

use super::Form;

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

/// One way to read an ambiguous text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The form.
    pub format: Form,
    /// The cube in that form, as 54 letters in the order U R F D L B. Stickers that the text leaves open are `?`.
    pub facelets: String,
}

/// Why a cube or a maneuver is not read.
///
/// `format` is the form that the caller named, or else the form that the text resembles most. It is `None` for parsers of one
/// form, such as [`Cube::from_facelets`](crate::Cube::from_facelets).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FormError {
    /// The text is a cube in several forms, and not the same cube. There are at least two readings.
    #[error(
        "the text is a different cube in each of these forms: {}; name the form that you mean",
        listed(&.0.iter().map(|reading| reading.format.name()).collect::<Vec<_>>())
    )]
    Ambiguous(Vec<Reading>),
    /// The text does not follow the rules of the form.
    #[error("{}at character {}: {message}{}", read_as(*.format), .position + 1, read_otherwise(.others, .message))]
    Unreadable {
        /// The form.
        format: Option<Form>,
        /// Position in characters, from 0; the length of the text if it ended too early. The message counts from 1.
        position: usize,
        /// What was found and what was expected.
        message: String,
        /// A text that differs by one character at this position and is a cube in this form, if there is one.
        nearest: Option<String>,
        /// Other forms in which the text is a cube.
        others: Vec<Form>,
    },
    /// The text describes a cube that no moves can reach. The list has every violated invariant and is never empty.
    /// The message names other forms in which the text is a cube first, and then at most two faults; without such a form, all faults.
    #[error("{}{}", read_as(*.format), impossible(.violations, .others))]
    Impossible {
        /// The form.
        format: Option<Form>,
        /// All faults.
        violations: Vec<Violation>,
        /// Other forms in which the text is a cube.
        others: Vec<Form>,
    },
    /// Some stickers are `?`.
    #[error("{}{} of 54 stickers are unknown (`?`)", read_as(.formats.first().copied()), .stickers.len())]
    UnknownStickers {
        /// The form named by the caller, or else all forms that the text can have: at least one.
        formats: Vec<Form>,
        /// The unknown facelets in the first form, 0 to 53 in the order U R F D L B, ascending.
        stickers: Vec<u8>,
    },
}

fn read_as(form: Option<Form>) -> String {
    form.map_or_else(String::new, |form| format!("read as {form}: "))
}

/// Returns the sentence about other forms in which a text is a cube, behind a message that ends with a full stop or not.
fn read_otherwise(others: &[Form], message: &str) -> String {
    let stop = if message.ends_with('.') { "" } else { "." };
    if others.is_empty() { String::new() } else { format!("{stop} {}", other_forms(others)) }
}

/// Names the forms in which a text is a cube.
fn other_forms(others: &[Form]) -> String {
    let names: Vec<String> = others.iter().map(|form| format!("`{form}`")).collect();
    let (forms, which) = if names.len() == 1 { ("form", "that form") } else { ("forms", "one of these forms") };
    format!("The text is a cube in the {forms} {}: name {which}.", listed(&names))
}

/// Returns the message of an impossible cube.
fn impossible(violations: &[Violation], others: &[Form]) -> String {
    let faults = || violations.iter().map(|violation| violation.message.as_str()).collect::<Vec<_>>().join(" ");
    match (others.is_empty(), violations.len()) {
        (true, _) => faults(),
        (false, ..=2) => format!("{} {}", other_forms(others), faults()),
        (false, count) => format!("{} Without that, it has {count} faults.", other_forms(others)),
    }
}

impl FormError {
    /// Returns the form that was assumed, or the first of several; `None` if the text is ambiguous, or if no form was named.
    pub fn format(&self) -> Option<Form> {
        match self {
            Self::Ambiguous(_) => None,
            Self::Unreadable { format, .. } | Self::Impossible { format, .. } => *format,
            Self::UnknownStickers { formats, .. } => formats.first().copied(),
        }
    }

    /// Returns the error of a text that does not follow the rules of its form.
    pub fn at(position: usize, message: impl Into<String>) -> Self {
        Self::Unreadable { format: None, position, message: message.into(), nearest: None, others: Vec::new() }
    }

    /// Returns the error of a cube that no moves can reach.
    pub fn impossible(violations: Vec<Violation>) -> Self {
        Self::Impossible { format: None, violations, others: Vec::new() }
    }

    /// Adds the form of the text.
    pub(crate) fn in_form(mut self, form: Form) -> Self {
        match &mut self {
            Self::Ambiguous(_) => {}
            Self::Unreadable { format, .. } | Self::Impossible { format, .. } => *format = Some(form),
            Self::UnknownStickers { formats, .. } => *formats = vec![form],
        }
        self
    }
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
