//! Requests: from JSON, a query or a line of text to checked values.

pub mod clients;
pub mod convert;
pub mod coords;
pub mod cube;
pub mod diagnose;
pub mod explain;
pub mod fewest_moves;
pub(crate) mod field_error;
pub mod image;
pub(crate) mod json;
pub mod options;
mod parameter;
pub mod repair;
mod scan;
pub mod scramble;
