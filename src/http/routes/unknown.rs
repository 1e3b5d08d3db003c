//! The responses for unknown paths and methods.

use axum::http::{Method, Uri};

use crate::api::problem::{Code, Problem};
use crate::api::request::field_error::short;

/// Answers unknown paths.
pub(crate) async fn not_found(uri: Uri) -> Problem {
    let detail = format!("{} does not exist. GET / lists the routes.", short(uri.path()));
    Problem::new(Code::NotFound, detail)
}

/// Answers unsupported methods; axum adds `Allow`.
pub(crate) async fn method_not_allowed(method: Method, uri: Uri) -> Problem {
    let detail =
        format!("{method} is not supported at {}. The header `Allow` lists the supported methods.", short(uri.path()));
    Problem::new(Code::MethodNotAllowed, detail)
}
