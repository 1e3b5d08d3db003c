//! Macros with the names and attributes of utoipa that generate nothing.
//!
//! The service serves the committed `openapi.yaml`, so only the generator of that file needs utoipa. A build without the feature
//! `contract` uses these macros instead, and the sources carry the same annotations either way. `superflip::contract` chooses.

use proc_macro::TokenStream;

/// Accepts the attributes of `utoipa::ToSchema`.
#[proc_macro_derive(ToSchema, attributes(schema, serde))]
pub fn to_schema(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Accepts the attributes of `utoipa::IntoParams`.
#[proc_macro_derive(IntoParams, attributes(into_params, param))]
pub fn into_params(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Accepts the attributes of the derives that a struct may have, also where it does not have them.
#[proc_macro_derive(Attributes, attributes(arg, command, group, schema, serde))]
pub fn attributes(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

/// Leaves the handler as it is, in place of `utoipa::path`.
#[proc_macro_attribute]
pub fn path(_: TokenStream, handler: TokenStream) -> TokenStream {
    handler
}
