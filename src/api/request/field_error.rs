//! An error in one field of a request, and the problem made of it.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error, Expected, Unexpected};

use crate::api::problem::{Code, Problem};
use crate::service::did_you_mean::nearest;

/// An error in one field: what is wrong, and where.
#[derive(Debug)]
pub(crate) struct FieldError {
    kind: Kind,
    /// Path from the outermost object, such as `cubies.cp[3]`; empty for that object.
    path: String,
    /// Address of the innermost text that is wrong, once it is known; none for a query.
    address: Option<usize>,
    /// Description of that text.
    found: Option<String>,
}

#[derive(Debug)]
enum Kind {
    /// A field that is not documented, and those that are.
    Unknown(String, &'static [&'static str]),
    /// A field given twice.
    Duplicate(&'static str),
    /// A required field that is not there.
    Missing(&'static str),
    /// A value of another type than the one described here.
    Mismatch(String),
    /// A text that no value corresponds to, such as half of a surrogate pair.
    Malformed(String),
    /// Anything else.
    Other(String),
}

impl FieldError {
    fn new(kind: Kind) -> Self {
        Self { kind, path: String::new(), address: None, found: None }
    }

    /// A value of another type.
    pub(crate) fn mismatch(expected: impl Into<String>) -> Self {
        Self::new(Kind::Mismatch(expected.into()))
    }

    /// A JSON text that cannot be decoded although its syntax is right.
    pub(crate) fn malformed(error: &serde_json::Error) -> Self {
        Self::new(Kind::Malformed(syntax_message(error)))
    }

    /// Adds the outer end of the path.
    pub(crate) fn within(mut self, name: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{separator}{}", self.path);
        self
    }

    /// Notes the text in which the error was found, unless one further inside is known.
    pub(crate) fn found_in(mut self, text: &str, is_json: bool, address: Option<usize>) -> Self {
        self.found.get_or_insert_with(|| match text.chars().next() {
            Some('{') if is_json => "an object".to_owned(),
            Some('[') if is_json => "a list".to_owned(),
            _ => format!("`{}`", short(text)),
        });
        self.address = self.address.or(address);
        self
    }

    /// Address of the text that is wrong.
    pub(crate) fn address(&self) -> Option<usize> {
        self.address
    }

    /// The words to choose from.
    pub(crate) fn one_of(words: &[&str]) -> String {
        words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
    }

    /// The problem for the caller. `whole` names the text that was read: body, line or query; `place` ends a message about its syntax.
    pub(crate) fn problem(self, whole: &str, place: &str) -> Problem {
        let Self { kind, path, found, .. } = self;
        let (code, field, detail) = match kind {
            Kind::Unknown(name, known) => {
                let detail = unknown_field(&name, known);
                (Code::UnknownField, short(&name).into_owned(), detail)
            }
            Kind::Duplicate(name) => {
                (Code::DuplicateField, name.to_owned(), format!("`{name}` is given more than once; give it once."))
            }
            Kind::Missing(name) => {
                let field = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                let detail = format!("`{field}` is missing; it is required.");
                (Code::InvalidField, field, detail)
            }
            Kind::Mismatch(expected) if path.is_empty() => {
                let detail = format!("The {whole} must be {expected}, found {}.", found.unwrap_or_default());
                return Problem::new(Code::InvalidField, detail);
            }
            Kind::Mismatch(expected) => {
                let detail = format!("`{}`: expected {expected}, found {}.", short(&path), found.unwrap_or_default());
                (Code::InvalidField, path, detail)
            }
            Kind::Other(message) => {
                let detail = format!("`{}`: {message}, found {}.", short(&path), found.unwrap_or_default());
                (Code::InvalidField, path, detail)
            }
            Kind::Malformed(message) => {
                return Problem::new(Code::MalformedJson, format!("The {whole} is not JSON: {message}{place}."));
            }
        };
        Problem::new(code, detail).with(|document| document.field = Some(field))
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "`{}`: {:?}", self.path, self.kind)
    }
}

impl std::error::Error for FieldError {}

impl Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(Kind::Other(message.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(expected.to_string())
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::mismatch(Self::one_of(known))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(Kind::Unknown(name.to_owned(), known))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(Kind::Missing(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        Self::new(Kind::Duplicate(name))
    }
}

/// The message of a syntax error without its line and column.
pub(crate) fn syntax_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match message.strip_suffix(&place).unwrap_or(&message) {
        "expected ident" => "expected `true`, `false` or `null`; write strings in double quotes".to_owned(),
        message => message.to_owned(),
    }
}

/// The detail for an unknown field: the name that was probably meant, and those that are documented.
fn unknown_field(name: &str, known: &[&str]) -> String {
    let alias = ALIASES.iter().find(|(_, aliases)| aliases.contains(&name)).map(|(name, _)| *name);
    let meant = alias.filter(|name| known.contains(name)).or_else(|| nearest(name, known.iter().copied()));
    let hint = meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"));
    let stop = if hint.is_empty() { "." } else { "" };
    let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    format!("Unknown field `{}`{hint}{stop} Expected one of: {known}.", short(name))
}

/// Shortens long text from a caller by leaving out its middle, so that a message that repeats it stays short.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    const KEPT: usize = 150;
    if text.len() <= 4 * KEPT {
        return text.into();
    }
    let (start, end) = (text.floor_char_boundary(KEPT), text.ceil_char_boundary(text.len() - KEPT));
    format!("{} ... {}", &text[..start], &text[end..]).into()
}

/// Field names with the names that other programs have for the same thing.
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
