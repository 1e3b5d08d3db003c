//! Reads bodies, queries and paths strictly, and says exactly what cannot be read.

use std::borrow::Cow;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, FailedToBufferBody};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::AppState;
use crate::api::problem::{Code, Problem};
use crate::api::schema::AsSchema;
use crate::search::options::MOST_SOLUTIONS;
use crate::service::config::limits::MAX_LENGTH;
use crate::service::did_you_mean::nearest;

/// A JSON body.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &AppState) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            let detail = "The body must be JSON: send the header `Content-Type: application/json`.";
            return Err(Problem::new(Code::UnsupportedMediaType, detail));
        }
        check_encoding(request.headers())?;
        let limits = &state.config.server;
        let body = tokio::time::timeout(limits.body_timeout(), Bytes::from_request(request, state)).await;
        let body = body.map_err(|_| {
            let detail = format!("The whole body must arrive within {} ms.", limits.body_timeout_ms);
            Problem::new(Code::SlowRequest, detail)
        })?;
        let body = body.map_err(|rejection| match rejection {
            BytesRejection::FailedToBufferBody(FailedToBufferBody::LengthLimitError(_)) => {
                let detail = format!("The body may have at most {} bytes.", limits.body_limit_bytes);
                Problem::new(Code::BodyTooLarge, detail)
            }
            other => {
                Problem::new(Code::MalformedJson, format!("The body did not arrive whole: {}.", other.body_text()))
            }
        })?;
        parse(&body, Whole::Body).map(Self)
    }
}

/// What is read as one JSON text.
#[derive(Clone, Copy)]
pub(crate) enum Whole {
    /// A body.
    Body,
    /// A line of a body, counted from 1.
    Line(usize),
}

impl Whole {
    const fn name(self) -> &'static str {
        match self {
            Self::Body => "body",
            Self::Line(_) => "line",
        }
    }

    /// The line of the body, for one counted from 1 within the text.
    const fn line(self, line: usize) -> usize {
        match self {
            Self::Body => line,
            Self::Line(number) => number,
        }
    }
}

/// The declared type of the body without its parameters, in small letters.
pub(crate) fn essence(headers: &HeaderMap) -> String {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn is_json(headers: &HeaderMap) -> bool {
    let essence = essence(headers);
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

/// Bodies are read as they come.
pub(crate) fn check_encoding(headers: &HeaderMap) -> Result<(), Problem> {
    let values = headers.get_all(CONTENT_ENCODING).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    let is_none = |coding: &str| coding.trim().is_empty() || coding.trim().eq_ignore_ascii_case("identity");
    let encoded = values.into_iter().find(|value| !value.split(',').all(is_none));
    let Some(encoding) = encoded else { return Ok(()) };
    let detail = format!(
        "Bodies are read as they are, and this one comes with `Content-Encoding: {}`: send it without that, not compressed.",
        short(&encoding)
    );
    Err(Problem::new(Code::UnsupportedMediaType, detail))
}

/// Reads an object as the documented schema has it.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], whole: Whole) -> Result<T, Problem> {
    let name = whole.name();
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail =
            format!("The {name} is not UTF-8: the byte at offset {} belongs to no character.", error.valid_up_to());
        Problem::new(Code::MalformedJson, detail)
    })?;
    // Some editors and platforms put it before all they write; it is no part of the text (RFC 8259, 8.1).
    let text = text.strip_prefix('\u{feff}').filter(|_| matches!(whole, Whole::Body)).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        let detail = format!("The {name} is not JSON: it is empty, and a JSON object is expected.");
        return Err(Problem::new(Code::MalformedJson, detail).with(|document| document.line = Some(whole.line(1))));
    }
    // Looked through first, so that a list which breaks off is said to be no JSON.
    if text.trim_start().starts_with('[') {
        let list = serde_json::from_str::<serde::de::IgnoredAny>(text);
        return Err(list.err().map_or_else(
            || Problem::new(Code::InvalidField, format!("The {name} must be a JSON object, not a list.")),
            |error| malformed(&error, whole),
        ));
    }
    // Only what is refused is read again for where it went wrong: to note every name on the way takes longer than reading does.
    let mut deserializer = serde_json::Deserializer::from_str(text);
    if let Ok(value) = T::deserialize(AsSchema(&mut deserializer))
        && deserializer.end().is_ok()
    {
        return Ok(value);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let parsed = serde_path_to_error::deserialize(AsSchema(&mut deserializer))
        .map_err(|error| (error.path().to_string(), error.into_inner()))
        .and_then(|value| deserializer.end().map(|()| value).map_err(|error| (String::new(), error)));
    parsed.map_err(|(path, error)| match error.classify() {
        serde_json::error::Category::Data => at(&error, whole, |message, _| misread(&path, message)),
        _ => malformed(&error, whole),
    })
}

fn malformed(error: &serde_json::Error, whole: Whole) -> Problem {
    let name = whole.name();
    at(error, whole, |message, place| {
        let message = match message {
            "expected ident" => "a word that is none of `true`, `false` and `null`; texts stand between double quotes",
            "recursion limit exceeded" => "lists and objects within each other more than 128 deep",
            other => other,
        };
        Problem::new(Code::MalformedJson, format!("The {name} is not JSON: {message}{place}."))
    })
}

/// The problem made of an error's message and place, with its line and column.
fn at(error: &serde_json::Error, whole: Whole, problem: impl FnOnce(&str, &str) -> Problem) -> Problem {
    let (line, column) = (whole.line(error.line()), error.column());
    let message = error.to_string();
    let within = format!(" at line {} column {column}", error.line());
    let message = message.strip_suffix(&within).unwrap_or(&message);
    problem(message, &format!(" at line {line} column {column}")).with(|document| {
        document.line = Some(line);
        document.column = Some(column);
    })
}

/// A query string.
pub struct QueryString<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for QueryString<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Problem> {
        match Query::<T>::try_from_uri(&parts.uri) {
            Ok(Query(query)) => Ok(Self(query)),
            Err(rejection) => {
                let text = rejection.body_text();
                let text = text.rsplit_once("query string: ").map_or(text.as_str(), |(_, rest)| rest);
                let (path, message) = text.split_once(": ").unwrap_or(("", text));
                Err(misread(path, message))
            }
        }
    }
}

/// What stands in the path: one text, or a tuple of them.
pub struct PathParts<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for PathParts<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let path = Path::<T>::from_request_parts(parts, state).await;
        path.map(|Path(parts)| Self(parts)).map_err(|rejection| {
            let text = rejection.body_text();
            let reason = text.strip_prefix("Invalid URL: ").unwrap_or(&text);
            Problem::new(Code::InvalidPath, format!("The path cannot be read: {reason}."))
        })
    }
}

/// What a field is called here that people call otherwise elsewhere.
const ALIASES: [(&str, &[&str]); 16] = [
    (
        "facelets",
        &[
            "cube",
            "cubestring",
            "cube_string",
            "cubeString",
            "state",
            "input",
            "position",
            "stickers",
            "facelet",
            "colors",
            "colours",
        ],
    ),
    ("scramble", &["alg", "algorithm", "moves", "maneuver", "maneuvre", "sequence"]),
    ("cubies", &["cubie", "pieces", "cubie_cube", "pattern"]),
    ("target_length", &["target", "targetLength", "target_depth"]),
    ("max_length", &["maxLength", "max_depth", "maxDepth", "maxdepth", "depth", "max_moves", "limit"]),
    ("time_limit_ms", &["timeout", "timeOut", "time_out", "timeout_ms", "time_limit", "timeLimit", "time", "max_time"]),
    ("solutions", &["count", "n", "max_solutions", "num_solutions", "solution_count", "limit_solutions"]),
    ("threads", &["thread", "workers", "cores", "num_threads", "jobs"]),
    ("optimal", &["prove", "proven", "shortest", "optimum", "proven_optimal"]),
    ("all_solutions", &["all", "all_optimal", "allSolutions"]),
    ("id", &["key", "ref", "uuid", "tag"]),
    ("move", &["name", "turn", "move_name"]),
    ("corner_perm", &["cp", "corner_permutation", "cornerPerm", "corners"]),
    ("corner_orient_delta", &["co", "corner_orient", "corner_orientation", "cornerOrientDelta"]),
    ("edge_perm", &["ep", "edge_permutation", "edgePerm", "edges"]),
    ("edge_orient_delta", &["eo", "edge_orient", "edge_orientation", "edgeOrientDelta"]),
];

/// The problem for a message of serde, which names fields between back quotes.
fn misread(path: &str, message: &str) -> Problem {
    let mut quoted = message.split('`').skip(1).step_by(2);
    if message.starts_with("unknown field `") {
        let unknown = quoted.next().unwrap_or_default();
        let known: Vec<&str> = quoted.collect();
        let alias = ALIASES.iter().find(|(_, aliases)| aliases.contains(&unknown)).map(|(name, _)| *name);
        let meant = alias.filter(|name| known.contains(name)).or_else(|| nearest(unknown, known.iter().copied()));
        let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let unknown = short(unknown);
        let detail = match meant {
            Some(name) => format!("There is no field `{unknown}` here; did you mean `{name}`? Known here: {known}."),
            None => format!("There is no field `{unknown}` here. Known here: {known}."),
        };
        return Problem::new(Code::UnknownField, detail).with(|document| document.field = Some(unknown.into_owned()));
    }
    if message.starts_with("duplicate field `") {
        let field = quoted.next().unwrap_or_default().to_owned();
        let detail = format!("`{field}` is given more than once.");
        return Problem::new(Code::DuplicateField, detail).with(|document| document.field = Some(field));
    }
    let missing = message.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    let field = match missing {
        Some(name) if path.is_empty() || path == "." => Some(name.to_owned()),
        Some(name) => Some(format!("{path}.{name}")),
        None => (!path.is_empty() && path != ".").then(|| path.to_owned()),
    };
    let message = plain(&short(message), field.as_deref().unwrap_or_default());
    let detail = match &field {
        Some(field) if missing.is_some() => format!("`{field}` is missing."),
        Some(field) => format!("`{}`: {message}.", short(field)),
        None => format!("{message}."),
    };
    Problem::new(Code::InvalidField, detail).with(|document| document.field = field)
}

/// The text, without its middle if it is long: what came from a caller is not worth repeating at any length.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    const KEPT: usize = 150;
    if text.len() <= 4 * KEPT {
        return text.into();
    }
    let (start, end) = (text.floor_char_boundary(KEPT), text.ceil_char_boundary(text.len() - KEPT));
    format!("{} ... {}", &text[..start], &text[end..]).into()
}

/// What a number in a field may be, where that is the same on every server.
fn range_of(field: &str) -> String {
    match field {
        "target_length" | "max_length" => format!("from 0 to {MAX_LENGTH}"),
        "solutions" => format!("from 1 to {MOST_SOLUTIONS}"),
        "time_limit_ms" | "threads" => "from 1 on".to_owned(),
        _ => "from 0 on".to_owned(),
    }
}

/// From here on a whole number is read as one of floating point.
const TWO_TO_THE_64: f64 = 18_446_744_073_709_551_616.0;

/// The message about a field without the names that types have in this program.
fn plain(message: &str, field: &str) -> String {
    let whole = format!("expected a whole number {}", range_of(field));
    let integer = "expected a whole number from -9223372036854775808 to 9223372036854775807".to_owned();
    let types = [("expected u32", &whole), ("expected u64", &whole), ("expected i64", &integer)];
    // So the standard library says of the text of a number, as it stands in a query.
    if ["invalid digit", "cannot parse integer"].iter().any(|start| message.starts_with(start)) {
        return whole;
    }
    let is_positive = message.starts_with("invalid value: integer `") && !message.contains("`-");
    let float = message.strip_prefix("invalid type: floating point `").and_then(|rest| rest.split('`').next());
    let is_huge =
        float.and_then(|number| number.parse::<f64>().ok()).is_some_and(|n| n >= TWO_TO_THE_64 && n.fract() == 0.0);
    if let Some((_, words)) = types.iter().find(|(name, _)| is_huge && message.ends_with(name)) {
        return format!("the number is too large; {words}");
    }
    let is_beyond_its_type =
        is_positive && whole.ends_with(" on") && types.iter().any(|(name, _)| message.ends_with(name));
    if is_beyond_its_type || message.starts_with("number too large") {
        return format!("the number is too large; {whole}");
    }
    let found =
        types.iter().find_map(|(name, words)| message.strip_suffix(name).map(|start| format!("{start}{words}")));
    found.unwrap_or_else(|| message.to_owned())
}
