//! The contract: an `OpenAPI` document of every route and its schemas.
//!
//! The document is generated from the handlers and the wire types, and committed as `openapi.yaml`. The service serves that file, so only
//! its generator needs utoipa, which the feature `contract` adds. Tests with that feature compare the file with the code. [`JSON`] is
//! derived from it at the first request.

#[cfg(feature = "contract")]
pub mod generate;
mod json;
#[cfg(feature = "contract")]
mod problems;
#[cfg(feature = "contract")]
mod shapes;
#[cfg(feature = "contract")]
mod shared;
#[cfg(feature = "contract")]
mod yaml;

use std::sync::LazyLock;

pub(crate) use crate::contract::path;
#[cfg(feature = "contract")]
pub(crate) use problems::*;

/// The committed contract.
pub const YAML: &str = include_str!("../../../openapi.yaml");
/// The same document as JSON.
pub static JSON: LazyLock<String> = LazyLock::new(|| json::from_yaml(YAML));
/// The version of the contract, which is that of the program.
pub const VERSION: &str = crate::service::VERSION;
/// The command that writes the file.
pub const REGENERATE: &str = "cargo test -p superflip-telemetry-tests contract::write -- --ignored";
