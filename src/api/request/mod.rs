//! Requests: from JSON, a query or a line of text to checked values.

pub mod clients;
pub mod convert;
pub mod coords;
pub mod cube;
pub mod explain;
pub mod image;
mod machine;
pub mod options;
pub(crate) mod read;
pub mod repair;
pub(crate) mod scan;
pub mod steps;
