//! Requests: from JSON, a query or a line of text to checked values.

pub mod clients;
pub mod convert;
pub mod coords;
pub mod cube;
pub mod diagnose;
pub mod explain;
pub mod image;
pub mod judge;
mod machine;
pub mod options;
pub(crate) mod read;
pub mod repair;
mod scan;
pub mod scramble;
pub mod steps;
