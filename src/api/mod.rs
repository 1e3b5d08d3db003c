//! What callers send and receive: wire types, problem documents with their codes, and the parsing of requests.
//!
//! `http` and `cli` both use this layer, so the shell understands and prints exactly what the service does.

pub mod batch;
pub mod problem;

pub mod request {
    //! Requests: from JSON, a query or a line of text to checked values.

    pub(crate) mod colors;
    pub(crate) mod cube;
    pub(crate) mod machine;
    pub mod options;
    pub(crate) mod read;
    pub(crate) mod scan;
}

pub mod types {
    //! The wire types of requests and responses. `openapi.yaml` is generated from them.
    //!
    //! Structs of the libraries are repeated here, so that a renamed field there changes no answer. Enums of the libraries, and the `KPattern` of
    //! cubing.js, are sent as they are; `described` has their schemas. Types of the service that have the right shape are not repeated.
    //!
    //! The name of a schema is a plain noun, without `Body`, `Name`, `Schema` or `Response`, and the name of its Rust type. Where a library has a
    //! type of that name, the paths tell them apart, as in `types::Symmetry`. `#[schema(as = ...)]` is for names that code would misread, such
    //! as `Code`. The request of an operation is `Request` in its module; `fields!` gives it the name in the contract.

    /// Implements `From` for a type of a library and one with the same fields. A field that only one of them has is an error.
    macro_rules! same_fields {
        ($($from:path => $to:ident { $($field:ident),+ })+) => {$(
            impl From<$from> for $to {
                fn from($from { $($field),+ }: $from) -> Self {
                    Self { $($field),+ }
                }
            }
        )+};
    }

    pub(crate) use same_fields;

    mod coords;
    mod cubes;
    #[cfg(feature = "contract")]
    pub mod described;
    pub mod fields;
    mod machine;
    mod operation;
    mod requests;
    mod scan;
    mod solve;
    pub(crate) mod strict;
    mod tables;

    pub use coords::*;
    pub use cubes::*;
    pub use machine::*;
    pub use operation::*;
    pub use requests::*;
    pub use scan::*;
    pub use solve::*;
    pub use tables::*;
}
