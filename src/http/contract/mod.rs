//! The contract in `OpenAPI`: every route with its schemas.

pub mod openapi;
pub(crate) mod problems;
pub(crate) mod shapes;
