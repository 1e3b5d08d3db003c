//! The problems of each route, as responses of the contract.

use std::collections::BTreeMap;

use utoipa::IntoResponses;
use utoipa::openapi::response::{Response, ResponseBuilder};
use utoipa::openapi::{ContentBuilder, HeaderBuilder, ObjectBuilder, Ref, RefOr, Type};

use crate::api::problem::Code;

/// Responses by status.
pub(crate) type Responses = BTreeMap<String, RefOr<Response>>;

/// Returns the responses of an operation with these problems, and with those of every route.
pub(crate) fn responses(own: &[&[Code]]) -> Responses {
    problems(&[&own.concat()[..], &BUSY, &COMMON].concat())
}

/// One response per status; its description lists the codes, in the order of [`Code::ALL`].
fn problems(codes: &[Code]) -> Responses {
    let mut by_status: BTreeMap<u16, Vec<Code>> = BTreeMap::new();
    for code in Code::ALL.into_iter().filter(|code| codes.contains(code)) {
        by_status.entry(code.status()).or_default().push(code);
    }
    let responses = by_status.into_iter().map(|(status, codes)| {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
        let mut response =
            ResponseBuilder::new().description(describe(&codes)).content("application/problem+json", content);
        if status == 503 || status == 429 {
            let seconds = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1));
            let header = HeaderBuilder::new().schema(Some(seconds)).description(Some("Seconds to wait before a retry"));
            response = response.header("Retry-After", header.build());
        }
        if status == 401 {
            let text = ObjectBuilder::new().schema_type(Type::String);
            let header = HeaderBuilder::new().schema(Some(text)).description(Some("Scheme `Bearer`, and the error"));
            response = response.header("WWW-Authenticate", header.build());
        }
        if status == 429 {
            for (name, description) in [
                ("RateLimit-Policy", "Rate limit: requests (q) per window in seconds (w); absent if there is none"),
                ("RateLimit", "Remaining requests (r), and seconds until one more is allowed (t)"),
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

/// Describes the codes of a response.
fn describe(codes: &[Code]) -> String {
    let lines: Vec<_> = codes.iter().map(|code| format!("`{}`: {}", code.name(), code.title())).collect();
    lines.join("; ")
}

/// Returns the names of shared responses, by their descriptions. A response with a single code has the name of the code.
pub(crate) fn names() -> BTreeMap<String, String> {
    let single = Code::ALL.map(|code| (describe(&[code]), format!("{code:?}")));
    let several = NAMES.into_iter().map(|(status, name, sets)| {
        let codes = sets.concat();
        let is_in = |code: &Code| code.status() == status && codes.contains(code);
        (describe(&Code::ALL.into_iter().filter(is_in).collect::<Vec<_>>()), name.to_owned())
    });
    single.into_iter().chain(several).collect()
}

/// Responses with several codes that several operations share: the status, the name, and sets with these codes of that status.
const NAMES: [(u16, &str, &[&[Code]]); 18] = [
    (400, "InvalidBody", &[&BODY, &QUERY]),
    (400, "InvalidQuery", &[&QUERY]),
    (400, "InvalidPathOrQuery", &[&QUERY, &[Code::InvalidPath]]),
    (400, "InvalidPathOrUnknownField", &[&NO_QUERY, &[Code::InvalidPath]]),
    (401, "Unauthorized", &[&BUSY]),
    (403, "Forbidden", &[&COMMON]),
    (422, "InvalidCube", &[&CUBE, &[Code::OptionOutOfRange]]),
    (422, "InvalidCubeOrCoordinate", &[&CUBE, &[Code::OptionOutOfRange], &SPACE]),
    (422, "InvalidCubeOrSteps", &[&CUBE, &[Code::OptionOutOfRange, Code::UnpreparedStep], &SPACE]),
    (422, "InvalidCubeOrUnsolved", &[&CUBE, &TARGET, &SEARCH, &OPTIMAL]),
    (422, "InvalidCubeOrMachineOrUnsolved", &[&CUBE, &TARGET, &SEARCH, &OPTIMAL, &MACHINE]),
    (422, "Unsolved", &[&SEARCH]),
    (429, "TooManyRequests", &[&BUSY]),
    (503, "Busy", &[&CUBE]),
    (503, "BusyOrTablesNotReady", &[&CUBE, &TABLES]),
    (503, "BusyOrMetricNotReady", &[&CUBE, &TABLES, &METRIC]),
    (503, "BusyOrProofsNotReady", &[&CUBE, &TABLES, &OPTIMAL]),
    (503, "OverloadedOrTablesNotReady", &[&[Code::Overloaded], &TABLES]),
];

/// Problems of all routes.
const COMMON: [Code; 4] = [Code::HostNotAllowed, Code::OriginNotAllowed, Code::Internal, Code::TimedOut];
/// Problems of all routes except health and metrics.
const BUSY: [Code; 5] = [Code::MissingKey, Code::UnknownKey, Code::RateLimited, Code::ClientLimit, Code::Overloaded];
pub(crate) const CUBE: [Code; 10] = [
    Code::CubeForm,
    Code::ImpossibleCube,
    Code::Notation,
    Code::UnreadableCube,
    Code::AmbiguousCube,
    Code::UnknownStickers,
    Code::AmbiguousScan,
    // Scans are read on worker threads.
    Code::Overloaded,
    Code::DeadlineUnreachable,
    Code::ShuttingDown,
];
pub(crate) const QUERY: [Code; 3] = [Code::UnknownField, Code::DuplicateField, Code::InvalidField];
/// Problem of a query of a route that takes none.
pub(crate) const NO_QUERY: [Code; 1] = [Code::UnknownField];
pub(crate) const BODY: [Code; 5] =
    [Code::MalformedJson, Code::IncompleteBody, Code::SlowRequest, Code::BodyTooLarge, Code::UnsupportedMediaType];
pub(crate) const TARGET: [Code; 1] = [Code::TargetTooOpen];
pub(crate) const MACHINE: [Code; 2] = [Code::InvalidCosts, Code::InvalidMachine];
pub(crate) const SEARCH: [Code; 5] = [
    Code::OptionOutOfRange,
    Code::NoSolutionWithinLimits,
    Code::Overloaded,
    Code::DeadlineUnreachable,
    Code::ShuttingDown,
];
/// Problems of a coordinate that is built on demand.
pub(crate) const SPACE: [Code; 7] = [
    Code::UnknownCoordinate,
    Code::Expression,
    Code::SpaceTooLarge,
    Code::DoesNotAct,
    Code::Overloaded,
    Code::DeadlineUnreachable,
    Code::ShuttingDown,
];
pub(crate) const VALUE: [Code; 3] = [Code::InvalidPath, Code::ValueOutOfRange, Code::NoSuchValue];
pub(crate) const TABLE: [Code; 2] = [Code::InvalidPath, Code::UnknownTable];
pub(crate) const TABLES: [Code; 2] = [Code::TablesNotReady, Code::TablesFailed];
/// Problems of a metric that needs further tables.
pub(crate) const METRIC: [Code; 2] = [Code::MetricNotReady, Code::MetricFailed];
/// Problems of an option that needs further tables.
pub(crate) const OPTIMAL: [Code; 8] = [
    Code::OptimalNotEnabled,
    Code::OptimalTableNotReady,
    Code::OptimalTableFailed,
    Code::MetricNotProvable,
    Code::UnsupportedMoves,
    Code::OutOfReach,
    Code::MetricNotReady,
    Code::MetricFailed,
];

macro_rules! problem_sets {
    ($common:expr; $($(#[$doc:meta])* $name:ident = $codes:expr;)*) => {$(
        $(#[$doc])*
        pub(crate) struct $name;

        impl IntoResponses for $name {
            fn responses() -> Responses {
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
    ReadinessProblems = &[
        &TABLES,
        &[Code::ShuttingDown, Code::DuplicateField, Code::InvalidField, Code::OptionOutOfRange],
    ];
}

problem_sets! {
    &[&BUSY, &COMMON];
    /// Problems of every other route.
    CommonProblems = &[];
    /// Problems of `GET /version`.
    ListProblems = &[&NO_QUERY];
    /// Problems of `GET /tables`.
    TablesProblems = &[&NO_QUERY, &TABLES];
    /// Problems of `GET /tables/{name}`.
    TableProblems = &[&NO_QUERY, &TABLE, &TABLES];
    /// Problems of `GET /tables/{name}/rows/{index}`.
    RowProblems = &[&TABLE, &[Code::UnknownRow, Code::OptionOutOfRange], &QUERY, &TABLES];
    /// Problems of `GET /tables/{name}/raw`.
    RawProblems = &[&NO_QUERY, &TABLE, &[Code::NotFound, Code::PreconditionFailed, Code::RangeNotSatisfiable], &TABLES];
    /// Problems of `POST /tables/{name}/verify`.
    VerifyProblems = &[&NO_QUERY, &TABLE, &[Code::Overloaded, Code::DeadlineUnreachable, Code::ShuttingDown], &TABLES];
}
