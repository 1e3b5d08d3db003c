//! The contract: routes and their documentation in one place, and the text of `openapi.yaml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ContentBuilder, HeaderBuilder, ObjectBuilder, Ref, RefOr, Type};
use utoipa::{IntoResponses, Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::problem::{Code, Document};
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

/// One response for each status among the codes, which its description lists.
fn problems(codes: &[Code]) -> BTreeMap<String, RefOr<Response>> {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in codes {
        let same = by_status.entry(code.status().as_u16()).or_default();
        if !same.contains(code) {
            same.push(*code);
        }
    }
    let responses = by_status.into_iter().map(|(status, codes)| {
        let lines: Vec<_> = codes.iter().map(|code| format!("`{}`: {}", code.name(), code.title())).collect();
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let mut response =
            ResponseBuilder::new().description(lines.join("; ")).content("application/problem+json", content);
        if status == 503 || status == 429 {
            let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
            let header =
                HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait before another try"));
            response = response.header("Retry-After", header.build());
        }
        if status == 401 {
            let text = ObjectBuilder::new().schema_type(Type::String);
            let header = HeaderBuilder::new().schema(Some(text)).description(Some("`Bearer`, and what was wrong"));
            response = response.header("WWW-Authenticate", header.build());
        }
        if status == 429 {
            for (name, description) in [
                ("RateLimit-Policy", "How many requests (q) in how many seconds (w), where there is such a limit"),
                ("RateLimit", "Requests left (r), and seconds until there is one more (t)"),
            ] {
                let text = ObjectBuilder::new().schema_type(Type::String);
                let header = HeaderBuilder::new().schema(Some(text)).description(Some(description));
                response = response.header(name, header.build());
            }
        }
        (status.to_string(), RefOr::T(response.build()))
    });
    responses.collect()
}

/// What any route may answer.
const COMMON: [Code; 2] = [Code::Internal, Code::TimedOut];
/// What any route may answer but those of health and metrics.
const BUSY: [Code; 5] = [Code::MissingKey, Code::UnknownKey, Code::RateLimited, Code::ClientLimit, Code::Overloaded];
const CUBE: [Code; 3] = [Code::CubeForm, Code::ImpossibleCube, Code::Notation];
const QUERY: [Code; 3] = [Code::UnknownField, Code::DuplicateField, Code::InvalidField];
const BODY: [Code; 4] = [Code::MalformedJson, Code::SlowRequest, Code::BodyTooLarge, Code::UnsupportedMediaType];
const SEARCH: [Code; 5] = [
    Code::OptionOutOfRange,
    Code::NoSolutionWithinLimits,
    Code::Overloaded,
    Code::DeadlineUnreachable,
    Code::ShuttingDown,
];
/// What naming a coordinate that is built on demand may answer.
const SPACE: [Code; 7] = [
    Code::UnknownCoordinate,
    Code::Expression,
    Code::SpaceTooLarge,
    Code::DoesNotAct,
    Code::Overloaded,
    Code::DeadlineUnreachable,
    Code::ShuttingDown,
];
const VALUE: [Code; 3] = [Code::InvalidPath, Code::ValueOutOfRange, Code::NoSuchValue];
const TABLE: [Code; 2] = [Code::InvalidPath, Code::UnknownTable];
const TABLES: [Code; 2] = [Code::TablesNotReady, Code::TablesFailed];
const OPTIMAL: [Code; 3] = [Code::OptimalNotEnabled, Code::OptimalTableNotReady, Code::OptimalTableFailed];

macro_rules! problem_sets {
    ($common:expr; $($(#[$doc:meta])* $name:ident = $codes:expr;)*) => {$(
        $(#[$doc])*
        pub struct $name;

        impl IntoResponses for $name {
            fn responses() -> BTreeMap<String, RefOr<Response>> {
                let (own, common): (&[&[Code]], &[&[Code]]) = ($codes, $common);
                problems(&[own.concat(), common.concat()].concat())
            }
        }
    )*};
}

problem_sets! {
    &[&COMMON];
    /// Problems of `/livez` and `/metrics`.
    OperationProblems = &[];
    /// Problems of `/readyz`.
    ReadinessProblems = &[&TABLES, &[Code::ShuttingDown]];
}

problem_sets! {
    &[&BUSY, &COMMON];
    /// Problems of every other route.
    CommonProblems = &[];
    /// Problems of `POST /solve` and `POST /solve/stream`.
    BodyProblems = &[&BODY, &QUERY, &CUBE, &SEARCH, &TABLES, &OPTIMAL];
    /// Problems of `GET /solve` and `GET /solve/stream`.
    QueryProblems = &[&[Code::InvalidPath], &QUERY, &CUBE, &SEARCH, &TABLES, &OPTIMAL];
    /// Problems of `POST /solve/batch`, before its first line.
    BatchProblems = &[
        &QUERY,
        &[Code::UnsupportedMediaType, Code::OptionOutOfRange],
        &[Code::Overloaded, Code::DeadlineUnreachable, Code::ShuttingDown],
        &TABLES,
        &OPTIMAL,
    ];
    /// Problems of `POST /explain`.
    ExplainBodyProblems = &[&BODY, &QUERY, &CUBE, &SEARCH, &[Code::NotASolution], &TABLES];
    /// Problems of `GET /explain`.
    ExplainQueryProblems = &[&QUERY, &CUBE, &SEARCH, &[Code::NotASolution], &TABLES];
    /// Problems of `POST /coords`.
    CoordsBodyProblems = &[&BODY, &QUERY, &CUBE, &[Code::OptionOutOfRange], &SPACE, &TABLES];
    /// Problems of `GET /coords`.
    CoordsQueryProblems = &[&QUERY, &CUBE, &[Code::OptionOutOfRange], &SPACE, &TABLES];
    /// Problems of `GET /coords/{name}`.
    SpaceProblems = &[&[Code::InvalidPath], &SPACE, &TABLES];
    /// Problems of `GET /coords/{name}/raw`.
    SpaceRawProblems =
        &[&[Code::InvalidPath, Code::NoDistances, Code::PreconditionFailed, Code::RangeNotSatisfiable], &SPACE, &TABLES];
    /// Problems of `GET /coords/{name}/{value}`.
    ValueProblems = &[&VALUE, &SPACE, &TABLES];
    /// Problems of `GET /coords/{name}/{value}/apply`.
    ApplyProblems =
        &[&VALUE, &SPACE, &QUERY, &[Code::Notation, Code::TurnNotValid, Code::OptionOutOfRange], &TABLES];
    /// Problems of `GET /coords/{name}/{value}/transform`.
    TransformProblems = &[&VALUE, &SPACE, &QUERY, &[Code::OptionOutOfRange], &TABLES];
    /// Problems of `GET /symmetries/{i}/{j}`.
    SymmetryProblems = &[&[Code::InvalidPath, Code::ValueOutOfRange]];
    /// Problems of `GET /tables`.
    TablesProblems = &[&TABLES];
    /// Problems of `GET /tables/{name}`.
    TableProblems = &[&TABLE, &TABLES];
    /// Problems of `GET /tables/{name}/rows/{index}`.
    RowProblems = &[&TABLE, &[Code::UnknownRow, Code::OptionOutOfRange], &QUERY, &TABLES];
    /// Problems of `GET /tables/{name}/raw`.
    RawProblems = &[&TABLE, &[Code::NotFound, Code::PreconditionFailed, Code::RangeNotSatisfiable], &TABLES];
    /// Problems of `POST /tables/{name}/verify`.
    VerifyProblems = &[&TABLE, &[Code::Overloaded, Code::DeadlineUnreachable, Code::ShuttingDown], &TABLES];
    /// Problems of `GET /moves/{move}`.
    MoveProblems = &[&[Code::InvalidPath, Code::UnknownMove]];
    /// Problems of `POST /moves/check`.
    MoveCheckProblems = &[&BODY, &QUERY, &[Code::OptionOutOfRange]];
}
