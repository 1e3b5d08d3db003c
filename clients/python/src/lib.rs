//! Native module `superflip._native` of the Python package.
//!
//! It has three parts: the solver, on the libraries (`cube`, `solver`, `many`); every operation of the service, through its router
//! (`service`); and the program ([`main`]). Errors are raised as exceptions of the package, made from the problem documents of the
//! service ([`exception`]).

// The comments of what Python sees are its docstrings.
#![allow(clippy::doc_markdown)]

mod cube;
mod many;
mod service;
mod solver;

use std::ffi::OsString;
use std::io::{Write as _, stdout};
use std::process::ExitCode;

use clap::Parser as _;
use pyo3::prelude::*;
use superflip::api::problem::Problem;
use superflip::operations::{Cli, run};

/// Native part of the package `superflip`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::cube::{PyCube, PyMoves};
    #[pymodule_export]
    use super::main;
    #[pymodule_export]
    use super::many::PySolutions;
    #[pymodule_export]
    use super::service::{PyResponse, request};
    #[pymodule_export]
    use super::solver::{PySolution, PySolver};
}

/// Longest time for which Python's signals wait.
const SIGNAL_INTERVAL: std::time::Duration = std::time::Duration::from_millis(20);

/// Runs the handlers of pending signals, such as that of Ctrl-C, which raises `KeyboardInterrupt`.
#[allow(clippy::redundant_closure_for_method_calls)] // the method is not general enough
fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}

/// Creates the exception for a problem: `superflip.SuperflipError` or a subclass, with `code`, `detail` and `violations`.
pub(crate) fn exception(py: Python<'_>, problem: impl Into<Problem>) -> PyErr {
    let problem: Problem = problem.into();
    let document = serde_json::to_string(problem.document()).unwrap_or_default();
    let create = || py.import("superflip._errors")?.call_method1("of_document", (document,));
    create().map_or_else(|error| error, PyErr::from_value)
}

/// Runs the program `superflip` with these arguments, the first of which is its name. Returns its exit code. Standard input and output are those
/// of the process.
#[pyfunction]
#[allow(clippy::needless_pass_by_value)] // Python's list is converted
fn main(py: Python<'_>, argv: Vec<OsString>) -> i32 {
    py.detach(|| {
        let code = match Cli::try_parse_from(argv) {
            Ok(cli) => {
                let ended = run(&cli);
                // The standard library does not tell the number of an exit code.
                (0..=u8::MAX).find(|&code| ExitCode::from(code) == ended).map_or(1, i32::from)
            }
            Err(error) => {
                let _ = error.print();
                error.exit_code()
            }
        };
        // The program ends in Python, which does not know this buffer.
        let _ = stdout().flush();
        code
    })
}
