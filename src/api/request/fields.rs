//! Says which field cannot be read, and why.

use std::borrow::Cow;

use crate::api::problem::{Code, Problem};
use crate::search::options::MOST_SOLUTIONS;
use crate::service::config::limits::MAX_LENGTH;
use crate::service::did_you_mean::nearest;

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
pub(crate) fn misread(path: &str, message: &str) -> Problem {
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
