//! Requests: from JSON, a query or a line of text to checked values.

pub mod clients;
pub mod convert;
pub mod coords;
pub mod cube;
pub mod explain;
pub(crate) mod field_error;
pub mod image;
pub(crate) mod json;
pub mod judge;
mod machine;
pub mod options;
mod parameter;
pub mod repair;
mod scan;
pub mod scramble;
pub mod steps;
