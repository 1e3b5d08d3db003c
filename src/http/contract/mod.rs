//! The contract: an `OpenAPI` document of every route and its schemas.
//!
//! The document is generated from the handlers and the wire types, and committed. The service serves the committed files, so only
//! their generator needs utoipa, which the feature `contract` adds. Tests with that feature compare the files with the code.

#[cfg(feature = "contract")]
pub mod generate;
#[cfg(feature = "contract")]
mod problems;
#[cfg(feature = "contract")]
mod shapes;

pub(crate) use crate::contract::path;
#[cfg(feature = "contract")]
pub(crate) use problems::*;

/// The committed contract.
pub const YAML: &str = include_str!("../../../openapi.yaml");
/// The same document as JSON.
pub const JSON: &str = include_str!("../../../openapi.json");
/// The version of the contract, which is that of the program.
pub const VERSION: &str = crate::service::build::VERSION;
/// The command that writes both files.
pub const REGENERATE: &str = "cargo test --features contract --test service openapi::generated::write -- --ignored";
