//! Problems: error responses, with their stable codes.

mod causes;
mod codes;
pub mod coordinates;
mod document;
mod tables;

pub use codes::Code;
pub use document::{Document, Problem, ProgressBody, ViolationBody};
