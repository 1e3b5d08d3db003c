//! The contract: routes and their documentation in one place, and the text of `openapi.yaml`.

use std::sync::LazyLock;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::problem::Document;
use crate::api::types::{BatchAnswer, BatchLine};
use crate::http::AppState;
use crate::http::contract::shapes;
use crate::http::routes::{batch, coords, explain, health, moves, pages, solve, space_raw, spaces, stream, tables};

/// How to write `openapi.yaml` anew.
pub const REGENERATE: &str = "cargo run --release -- openapi > openapi.yaml";

#[derive(OpenApi)]
#[openapi(
    info(
        title = "superflip",
        description = "Solves Rubik's cubes: short, checked solutions, and the coordinates they are found with.\n\n\
            Every error is an `application/problem+json` document (RFC 9457) with a stable `code`. What cannot be read as \
            documented here is 400; what can be read but makes no cube, no search or no answer is 422.\n\n\
            A server may ask for an API key, as `Authorization: Bearer KEY` or `X-Api-Key: KEY`, for all but the index, the \
            contract, health and metrics; and may limit how often a client asks: `RateLimit-Policy` and `RateLimit` on every \
            answer tell."
    ),
    servers(
        (url = "http://127.0.0.1:8080", description = "A server on this machine that listens where it does by default"),
        (url = "/", description = "The server that this document came from")
    ),
    security((), ("bearer" = []), ("api_key" = [])),
    modifiers(&Keys),
    components(schemas(Document, BatchLine, BatchAnswer)),
    tags(
        (name = "solve", description = "Solutions"),
        (name = "coordinates", description = "The numbers behind them"),
        (name = "tables", description = "The precomputed tables: read them, fetch them, check them"),
        (name = "moves", description = "The 18 face turns as four arrays, and what is wrong with given ones"),
        (name = "operation", description = "For those who run it")
    )
)]
struct Base;

/// The ways to send an API key.
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

/// Every route, with its documentation.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(Base::openapi())
        .routes(routes!(solve::post, solve::get))
        .routes(routes!(stream::post, stream::get))
        .routes(routes!(batch::post))
        .routes(routes!(solve::get_path))
        .routes(routes!(explain::post, explain::get))
        .routes(routes!(coords::post, coords::get))
        .routes(routes!(spaces::one))
        .routes(routes!(space_raw::get))
        .routes(routes!(spaces::value))
        .routes(routes!(spaces::apply))
        .routes(routes!(spaces::transform))
        .routes(routes!(spaces::symmetries))
        .routes(routes!(spaces::symmetry_product))
        .routes(routes!(tables::list))
        .routes(routes!(tables::one))
        .routes(routes!(tables::rows::get))
        .routes(routes!(tables::raw::get))
        .routes(routes!(tables::verify::post))
        .routes(routes!(moves::list))
        .routes(routes!(moves::get))
        .routes(routes!(moves::check))
        .routes(routes!(health::livez))
        .routes(routes!(health::readyz))
        .routes(routes!(health::metrics))
        .routes(routes!(pages::openapi_yaml))
        .routes(routes!(pages::openapi_json))
        .routes(routes!(pages::index))
}

/// The contract as text.
pub struct Contract {
    /// As committed in `openapi.yaml`.
    pub yaml: String,
    /// The same as JSON.
    pub json: String,
}

/// The contract, made once.
pub fn contract() -> &'static Contract {
    static CONTRACT: LazyLock<Contract> = LazyLock::new(|| {
        let mut api = routes().into_openapi();
        shapes::require_one_form(&mut api);
        shapes::bound_arrays(&mut api);
        // Both writers fail only on maps with keys that are not strings, and there are none.
        Contract { yaml: api.to_yaml().unwrap_or_default(), json: api.to_pretty_json().unwrap_or_default() }
    });
    &CONTRACT
}
