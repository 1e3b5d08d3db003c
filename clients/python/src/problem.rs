//! Errors of the libraries as exceptions of the package.

use pyo3::prelude::*;
use superflip::api::problem::Problem;

/// Creates the exception for a problem: `superflip.SuperflipError` or a subclass, with `code`, `detail` and `violations`.
pub(crate) fn exception(py: Python<'_>, problem: impl Into<Problem>) -> PyErr {
    let problem: Problem = problem.into();
    let document = serde_json::to_string(problem.document()).unwrap_or_default();
    let create = || py.import("superflip._errors")?.call_method1("of_document", (document,));
    create().map_or_else(|error| error, PyErr::from_value)
}
