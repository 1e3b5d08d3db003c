//! The parameters as texts, their limits, and their errors.

/// Greatest number of layers.
pub(super) const MAX_SIZE: usize = 10;
/// Greatest width and height in pixels.
pub(super) const MAX_PIXELS: u32 = 1024;
/// Greatest number of rotations in `r`.
pub(super) const MAX_ROTATIONS: usize = 100;

/// How values that `VisualCube` does not accept are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// They are errors.
    Strict,
    /// They mean the default, as `VisualCube` has it. Only texts that are too long are errors.
    Forgiving,
}

/// Values of the parameters. An empty text counts as absent.
#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs)] // the names are those of the parameters
pub struct Parameters<'a> {
    pub pzl: Option<&'a str>,
    pub size: Option<&'a str>,
    pub view: Option<&'a str>,
    pub stage: Option<&'a str>,
    pub r: Option<&'a str>,
    pub alg: Option<&'a str>,
    pub case: Option<&'a str>,
    pub fd: Option<&'a str>,
    pub fc: Option<&'a str>,
    pub sch: Option<&'a str>,
    pub bg: Option<&'a str>,
    pub cc: Option<&'a str>,
    pub ac: Option<&'a str>,
    pub co: Option<&'a str>,
    pub fo: Option<&'a str>,
    pub dist: Option<&'a str>,
    pub arw: Option<&'a str>,
}

/// Special views.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Normal,
    Plan,
    Transparent,
}

/// A parameter that cannot be read, or does not fit the others.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{parameter}` {message}")]
pub struct ParameterError {
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Kind of the fault.
    pub fault: ParameterFault,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Kind of the fault of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterFault {
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
    pub(crate) fn new(parameter: &'static str, fault: ParameterFault, message: impl Into<String>) -> Self {
        Self { parameter, fault, message: message.into() }
    }

    /// Creates the error for a text that is not what is expected.
    pub(crate) fn unexpected(parameter: &'static str, found: &str, expected: &str) -> Self {
        Self::new(parameter, ParameterFault::Range, format!("is {}; expected {expected}", quoted(found)))
    }

    /// Creates the error for a text that is no number of the expected kind.
    pub(crate) fn no_number(parameter: &'static str, found: &str, expected: &str) -> Self {
        Self { fault: ParameterFault::Syntax, ..Self::unexpected(parameter, found, expected) }
    }
}

/// Quotes a text of the caller, shortened.
fn quoted(text: &str) -> String {
    const KEPT: usize = 60;
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("`{}...`", text[..end].escape_debug()),
        None => format!("`{}`", text.escape_debug()),
    }
}
