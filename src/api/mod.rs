//! What callers send and receive: wire types, problem documents with their codes, and the parsing of requests.
//!
//! `http` and `cli` both use this layer, so the shell understands and prints exactly what the service does.

pub mod batch;
pub mod problem;
pub mod request;
pub mod types;
