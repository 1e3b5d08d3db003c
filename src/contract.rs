//! The annotations that describe wire types and handlers in the contract.
//!
//! With the feature `contract` they are the macros of utoipa, from which the service generates `openapi.yaml`. Without
//! it they generate nothing.

pub(crate) use contract_macros::Attributes;
#[cfg(not(feature = "contract"))]
pub(crate) use contract_macros::{IntoParams, ToSchema, path};
#[cfg(feature = "contract")]
pub(crate) use utoipa::{IntoParams, ToSchema, path};
