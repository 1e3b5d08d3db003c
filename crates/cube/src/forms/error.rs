//! Reasons why a text is not read as a cube.

use super::format::Format;
use crate::input::error::{InputError, Violation, listed};

/// One way to read an ambiguous text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// The form.
    pub format: Format,
    /// The cube in that form, as 54 letters in the order U R F D L B. Stickers that the text leaves open are `?`.
    pub facelets: String,
}

/// Why a text is not read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FormError {
    /// The text is a cube in several forms, and not the same cube. There are at least two readings.
    #[error(
        "the text is a different cube in each of these forms: {}; name the form that you mean",
        listed(&.0.iter().map(|reading| reading.format.name()).collect::<Vec<_>>())
    )]
    Ambiguous(Vec<Reading>),
    /// The text does not follow the rules of the form.
    #[error("read as {format}: at character {position}: {message}")]
    Unreadable {
        /// The form named by the caller, or else the form that the text resembles most.
        format: Format,
        /// Position in characters, from 0; the length of the text if it ended too early.
        position: usize,
        /// What was found and what was expected.
        message: String,
        /// A text that differs by one character at this position and is a cube in this form, if there is one.
        nearest: Option<String>,
    },
    /// The text describes a cube that no turns can reach. The list has every violated invariant and is never empty.
    #[error("read as {format}: {}", .violations.iter().map(|v| v.message.as_str()).collect::<Vec<_>>().join(" "))]
    Impossible {
        /// The form named by the caller, or else the form that the text resembles most.
        format: Format,
        /// All faults.
        violations: Vec<Violation>,
    },
    /// Some stickers are `?`.
    #[error("read as {}: {} of 54 stickers are unknown (`?`)", .formats[0], .stickers.len())]
    UnknownStickers {
        /// The form named by the caller, or else all forms that the text can have: at least one.
        formats: Vec<Format>,
        /// The unknown facelets in the first form, 0 to 53 in the order U R F D L B, ascending.
        stickers: Vec<u8>,
    },
}

impl FormError {
    /// Returns the form that was assumed, or the first of several; `None` if the text is ambiguous.
    pub fn format(&self) -> Option<Format> {
        match self {
            Self::Ambiguous(_) => None,
            Self::Unreadable { format, .. } | Self::Impossible { format, .. } => Some(*format),
            Self::UnknownStickers { formats, .. } => formats.first().copied(),
        }
    }
}

/// What a parser of one form reports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    At { position: usize, message: String },
    Impossible(Vec<Violation>),
    UnknownStickers(Vec<u8>),
}

impl Fault {
    pub(crate) fn at(position: usize, message: impl Into<String>) -> Self {
        Self::At { position, message: message.into() }
    }

    pub(crate) fn in_form(self, format: Format) -> FormError {
        match self {
            Self::At { position, message } => FormError::Unreadable { format, position, message, nearest: None },
            Self::Impossible(violations) => FormError::Impossible { format, violations },
            Self::UnknownStickers(stickers) => FormError::UnknownStickers { formats: vec![format], stickers },
        }
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Self {
        match error {
            InputError::Impossible(violations) => Self::Impossible(violations),
            InputError::Notation { position, message } => Self::At { position, message },
        }
    }
}
