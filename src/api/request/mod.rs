//! Requests: from JSON, a query or a line of text to checked values.

pub mod cube;
pub(crate) mod machine;
pub mod options;
pub(crate) mod read;
pub(crate) mod scan;
