//! Errors in one field of a request, and their conversion to problems.

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
    /// Memory address of the innermost invalid part of the body, used to compute its position. `None` for a query.
    address: Option<usize>,
    /// Description of the invalid part.
    found: Option<String>,
}

#[derive(Debug)]
enum Kind {
    /// Unknown or repeated field: the code, the name and the detail.
    Name(Code, String, String),
    /// Name of a required field that is missing.
    Missing(&'static str),
    /// Message for a value of the wrong type, such as `expected a list`.
    Value(String),
    /// Message for a value of the right type that is out of range, or not one of those listed.
    NotAllowed(String),
    /// JSON text that cannot be decoded, such as an unpaired surrogate.
    Malformed(String),
}

impl FieldError {
    fn new(kind: Kind) -> Self {
        Self { kind, path: String::new(), address: None, found: None }
    }

    /// Creates an error for a value of the wrong type.
    pub(crate) fn mismatch(expected: impl fmt::Display) -> Self {
        Self::custom(format_args!("expected {expected}"))
    }

    /// Creates an error for a value that has the right type but is not allowed.
    pub(crate) fn not_allowed(expected: impl fmt::Display) -> Self {
        Self::new(Kind::NotAllowed(format!("expected {expected}")))
    }

    /// Creates an error for JSON text that cannot be decoded although its syntax is valid.
    pub(crate) fn malformed(error: &serde_json::Error) -> Self {
        Self::new(Kind::Malformed(syntax_message(error)))
    }

    /// Prepends `name` to the path.
    pub(crate) fn within(mut self, name: &str) -> Self {
        let separator = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = format!("{name}{separator}{}", self.path);
        self
    }

    /// Records the text that contains the error, unless a more deeply nested text is already recorded.
    pub(crate) fn found_in(mut self, text: &str, is_json: bool, address: Option<usize>) -> Self {
        self.found.get_or_insert_with(|| match text.chars().next() {
            Some('{') if is_json => "an object".to_owned(),
            Some('[') if is_json => "a list".to_owned(),
            _ => format!("`{}`", short(text)),
        });
        self.address = self.address.or(address);
        self
    }

    /// Returns the memory address of the innermost invalid part of the body.
    pub(crate) fn address(&self) -> Option<usize> {
        self.address
    }

    /// Formats alternatives as `` `a` or `b` ``.
    pub(crate) fn one_of(words: &[&str]) -> String {
        words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" or ")
    }

    /// Converts the error to a problem. `whole` names the parsed text: `body`, `line 3` or `query`. `place` is appended to syntax errors,
    /// for example ` at column 7`.
    pub(crate) fn problem(self, whole: &str, place: &str) -> Problem {
        let Self { kind, path, found, .. } = self;
        let code = if matches!(kind, Kind::NotAllowed(_)) { Code::OptionOutOfRange } else { Code::InvalidField };
        let (code, field, detail) = match kind {
            Kind::Name(code, name, detail) => (code, name, detail),
            Kind::Missing(name) => {
                let field = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
                let detail = format!("`{field}` is missing; it is required.");
                (Code::InvalidField, field, detail)
            }
            Kind::Value(message) | Kind::NotAllowed(message) => {
                let found = found.unwrap_or_default();
                if path.is_empty() {
                    return Problem::new(code, format!("Invalid {whole}: {message}, found {found}."));
                }
                let detail = format!("`{}`: {message}, found {found}.", short(&path));
                (code, path, detail)
            }
            Kind::Malformed(message) => {
                return Problem::new(Code::MalformedJson, format!("The {whole} is not JSON: {message}{place}."));
            }
        };
        Problem::new(code, detail).in_field(&field)
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
        Self::new(Kind::Value(message.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(expected)
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::mismatch(expected)
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Self::not_allowed(Self::one_of(known))
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        Self::new(Kind::Name(Code::UnknownField, short(name).into_owned(), unknown_field(name, known)))
    }

    fn missing_field(name: &'static str) -> Self {
        Self::new(Kind::Missing(name))
    }

    fn duplicate_field(name: &'static str) -> Self {
        let detail = format!("`{name}` is given more than once; give it once.");
        Self::new(Kind::Name(Code::DuplicateField, name.to_owned(), detail))
    }
}

/// Returns the message of a syntax error without its line and column.
pub(crate) fn syntax_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match message.strip_suffix(&place).unwrap_or(&message) {
        "expected ident" => "expected `true`, `false` or `null`; write strings in double quotes".to_owned(),
        message => message.to_owned(),
    }
}

/// Returns the detail for an unknown field: the most similar known name, if any, and all known names.
fn unknown_field(name: &str, known: &[&str]) -> String {
    let plain = name.to_lowercase().replace('_', "");
    let alias = ALIASES.iter().find(|(_, aliases)| aliases.split(' ').any(|alias| alias == plain));
    let alias = alias.map(|(name, _)| *name);
    let suggestion = alias.filter(|name| known.contains(name)).or_else(|| nearest(name, known.iter().copied()));
    let hint = suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
    let stop = if hint.is_empty() { "." } else { "" };
    let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    format!("Unknown field `{}`{hint}{stop} Expected one of: {known}.", short(name))
}

/// Shortens long text from a client by omitting its middle, so that a message that quotes the text stays short.
pub(crate) fn short(text: &str) -> Cow<'_, str> {
    const KEPT: usize = 150;
    if text.len() <= 4 * KEPT {
        return text.into();
    }
    let (start, end) = (text.floor_char_boundary(KEPT), text.ceil_char_boundary(text.len() - KEPT));
    format!("{} ... {}", &text[..start], &text[end..]).into()
}

/// Field names, each with the names that other programs use for it, in lower case without `_`. An unknown field with such a name gets a
/// suggestion.
const ALIASES: [(&str, &str); 21] = [
    ("cube", "kpattern reid b32 nissy speffz twizzle net digits link url ulfrbd"),
    ("inverse_moves", "niss inverse inversemoves inversescramble"),
    ("format", "form cubeformat notation"),
    ("buffers", "buffer"),
    ("holding", "orientation"),
    ("facelets", "cubestring state input position stickers facelet colors colours"),
    ("scramble", "alg algorithm moves maneuver maneuvre sequence"),
    ("cubies", "cubie pieces cubiecube pattern"),
    ("target_length", "target targetlength targetdepth"),
    ("max_length", "maxlength maxdepth depth maxmoves limit"),
    ("time_limit_ms", "timeout timeoutms timelimit time maxtime"),
    ("solutions", "count n maxsolutions numsolutions solutioncount limitsolutions"),
    ("threads", "thread workers cores numthreads jobs"),
    ("optimal", "prove proven shortest optimum provenoptimal"),
    ("all_solutions", "all alloptimal allsolutions"),
    ("id", "key ref uuid tag"),
    ("move", "name turn movename"),
    ("corner_perm", "cp cornerpermutation cornerperm corners"),
    ("corner_orient_delta", "co cornerorient cornerorientation cornerorientdelta"),
    ("edge_perm", "ep edgepermutation edgeperm edges"),
    ("edge_orient_delta", "eo edgeorient edgeorientation edgeorientdelta"),
];
