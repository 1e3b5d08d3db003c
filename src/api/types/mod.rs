//! The wire types of requests and responses. `openapi.yaml` is generated from them.
//!
//! Structs of the libraries are repeated here, so that a renamed field there changes no answer. Enums of the libraries, and the `KPattern` of
//! cubing.js, are sent as they are; `described` has their schemas. Types of the service that have the right shape are not repeated.
//!
//! The name of a schema is a plain noun, without `Body`, `Name`, `Schema` or `Response`. A Rust type that needs such an ending, because a
//! library has a type of that name, sets its schema name with `#[schema(as = ...)]`. The request of an operation is `Request` in its module;
//! `request!` gives it the name in the contract.

mod coords;
mod cubes;
#[cfg(feature = "contract")]
pub mod described;
pub mod fields;
mod machine;
mod operation;
mod requests;
mod solve;
pub(crate) mod strict;
mod tables;

pub use coords::*;
pub use cubes::*;
pub use machine::*;
pub use operation::*;
pub use requests::*;
pub use solve::*;
pub use tables::*;
