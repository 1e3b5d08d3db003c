//! What a command prints, and how it fails.

use std::io::Write;

use crate::api::problem::Problem;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command failed: exit code 1.
    #[error("{0}")]
    Runtime(String),
    /// The input is invalid: exit code 2, as for flags that clap rejects.
    #[error("{0}")]
    Input(String),
    /// The command has reported the failure itself.
    #[error("failed with exit code {0}")]
    Reported(u8),
}

impl Failure {
    pub(crate) fn runtime(error: impl std::fmt::Display) -> Self {
        Self::Runtime(error.to_string())
    }
}

/// Writes to standard output. A closed pipe is not a failure.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    match std::io::stdout().lock().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::runtime(error)),
        _ => Ok(()),
    }
}

/// Writes a JSON document and a newline.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<(), Failure> {
    print(&(serde_json::to_string_pretty(value).map_err(Failure::runtime)? + "\n"))
}

/// Reports a problem: with `json` as the service would, otherwise as a sentence.
pub(crate) fn refuse(json: bool, problem: &Problem, code: u8) -> Failure {
    if json {
        return match print_json(problem.document()) {
            Ok(()) => Failure::Reported(code),
            Err(failure) => failure,
        };
    }
    let detail = problem.document().detail.clone();
    if code == 2 { Failure::Input(detail) } else { Failure::Runtime(detail) }
}
