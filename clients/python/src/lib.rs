//! Native module `superflip._native` of the Python package.
//!
//! It has three parts: the solver, on the libraries (`cube`, `solver`, `many`); every operation of the service, through its router
//! (`service`); and the program (`program`). Errors are raised as exceptions of the package, made from the problem documents of the
//! service ([`exception`]).

// The comments of what Python sees are its docstrings.
#![allow(clippy::doc_markdown)]

mod cube;
mod many;
mod program;
mod service;
mod solver;

use pyo3::prelude::*;
use superflip::api::problem::Problem;

/// Native part of the package `superflip`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::cube::{PyCube, PyMoves};
    #[pymodule_export]
    use super::many::PySolutions;
    #[pymodule_export]
    use super::program::main;
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
