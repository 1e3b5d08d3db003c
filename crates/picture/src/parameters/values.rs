//! Errors of parameters, and numbers as texts.

/// A parameter that cannot be read, or does not fit the others.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{parameter}` {message}")]
pub struct ParameterError {
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Kind of the fault.
    pub fault: Fault,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The text of a number is no number.
    Syntax,
    /// A value is not allowed: a number out of range, or a text that is too long or not as expected.
    Range,
    /// The parameter contradicts another one.
    Conflict,
    /// The moves cannot be read; the number is the character, from 0.
    Moves(usize),
}

impl ParameterError {
    pub(crate) fn new(parameter: &'static str, fault: Fault, message: impl Into<String>) -> Self {
        Self { parameter, fault, message: message.into() }
    }

    /// Creates the error for a text that is not what is expected.
    pub(crate) fn unexpected(parameter: &'static str, found: &str, expected: &str) -> Self {
        Self::new(parameter, Fault::Range, format!("is {}; expected {expected}", quoted(found)))
    }

    /// Creates the error for a text that is no number of the expected kind.
    pub(crate) fn no_number(parameter: &'static str, found: &str, expected: &str) -> Self {
        Self { fault: Fault::Syntax, ..Self::unexpected(parameter, found, expected) }
    }
}

/// Quotes a text of the caller, shortened.
pub(crate) fn quoted(text: &str) -> String {
    const KEPT: usize = 60;
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("`{}...`", text[..end].escape_debug()),
        None => format!("`{}`", text.escape_debug()),
    }
}

/// Parses a number as PHP does: with white space around it, a sign, decimals and an exponent.
pub(crate) fn numeric(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_plain = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E'));
    if is_plain { text.parse().ok() } else { None }
}

/// Parses decimal digits.
pub(crate) fn whole(text: &str) -> Option<u32> {
    let is_number = text.bytes().all(|digit| digit.is_ascii_digit());
    if is_number { text.parse().ok() } else { None }
}
