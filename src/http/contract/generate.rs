//! Generates the contract from the parts that the operations have in it.

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};

use crate::api::problem::Document;
use crate::api::types::{BatchAnswer, BatchLine};
use crate::http::contract::{shapes, shared, yaml};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "superflip",
        description = "Solves Rubik's cubes, and shows the coordinates that the solver uses.\n\n\
            Every error is an `application/problem+json` document (RFC 9457) with a stable `code`. Status 400 means that the request \
            cannot be read: syntax, unknown names, wrong types. 422 means that a value is not allowed: out of range, not one of those \
            listed, an empty list, or a text that is no cube or maneuver.\n\n\
            A server may require an API key, sent as `Authorization: Bearer KEY` or `X-Api-Key: KEY`, for all routes but the \
            index, the contract, health and metrics. It may also limit the request rate; then every response has the headers \
            `RateLimit-Policy` and `RateLimit`."
    ),
    servers(
        (url = "http://127.0.0.1:8080", description = "A server on this machine with the default address"),
        (url = "/", description = "The server that returned this document")
    ),
    security((), ("bearer" = []), ("api_key" = [])),
    modifiers(&Keys),
    components(schemas(Document, BatchLine, BatchAnswer)),
    tags(
        (name = "solve", description = "Solutions"),
        (name = "cubes", description = "Forms of a cube, and repairs of scans"),
        (name = "scrambles", description = "Random-state scrambles"),
        (name = "pictures", description = "Pictures of cubes"),
        (name = "coordinates", description = "Coordinates, their values and symmetries"),
        (name = "tables", description = "Precomputed tables: rows, files and checks"),
        (name = "moves", description = "The 18 moves as four arrays, and a check of given arrays"),
        (name = "clients", description = "Routes of other programs, for their clients"),
        (name = "operation", description = "Index, contract, health and metrics")
    )
)]
struct Contract;

/// Adds the ways to send an API key.
struct Keys;

impl Modify for Keys {
    fn modify(&self, api: &mut utoipa::openapi::OpenApi) {
        let bearer = SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        let api_key = SecurityScheme::ApiKey(ApiKey::Header(ApiKeyValue::new("X-Api-Key")));
        let components = api.components.get_or_insert_default();
        components.add_security_scheme("bearer", bearer);
        components.add_security_scheme("api_key", api_key);
    }
}

/// Generates the contract with these parts, as YAML and as JSON, in this order.
///
/// # Errors
/// Returns an error if the document cannot be written, or if something that operations share has no name.
pub(crate) fn generate(
    parts: impl IntoIterator<Item = utoipa::openapi::OpenApi>,
) -> Result<(String, String), Box<dyn std::error::Error>> {
    let mut api = parts.into_iter().fold(Contract::openapi(), utoipa::openapi::OpenApi::merge_from);
    shapes::require_one_form(&mut api);
    shapes::bound_arrays(&mut api);
    shapes::bytes_are_binary(&mut api);
    shared::share(&mut api)?;
    let json = api.to_json()?;
    Ok((yaml::from_json(&json)?, json))
}
