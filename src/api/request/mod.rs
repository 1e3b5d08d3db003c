//! Requests: from JSON, a query or a line of text to checked values.

pub mod coords;
pub mod cube;
pub mod explain;
pub(crate) mod fields;
pub(crate) mod json;
mod lenient;
pub mod options;
