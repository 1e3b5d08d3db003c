//! Conversion of serde's errors to problems.

use std::borrow::Cow;

use crate::api::problem::{Code, Problem};
use crate::api::request::options::range_of_step;
use crate::api::request::options::{after_range_of, range_of};
use crate::service::did_you_mean::nearest;
use superflip_cube::{Corner, Edge, Face};

/// Message of `serde_json` for a value with too many nested lists and objects.
pub(crate) const TOO_DEEP: &str = "recursion limit exceeded";

/// Converts a message of serde to a problem. `whole` names the text that was read, such as `body`, `line`, `query` or `list`. `path` leads to
/// the invalid value, such as `cubies.cp[3]`, and is empty for the whole. `found` describes the value.
pub(crate) fn problem(whole: &str, path: &str, message: &str, found: &str) -> Problem {
    let quoted = |start| message.strip_prefix(start)?.strip_suffix('`');
    let inside = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    if let Some((name, known)) =
        message.strip_prefix("unknown field `").and_then(|rest| rest.rsplit_once("`, expected "))
    {
        let known: Vec<&str> = known.split('`').skip(1).step_by(2).collect();
        // The path may have the name already.
        let has_name = path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('.'));
        let field = if has_name { path.to_owned() } else { inside(name) };
        return Problem::new(Code::UnknownField, unknown_field(&short(&field), name, &known)).in_field(&short(&field));
    }
    if let Some(field) = quoted("duplicate field `").map(inside) {
        let detail = format!("`{field}` is given more than once; give it once.");
        return Problem::new(Code::DuplicateField, detail).in_field(&field);
    }
    if let Some(field) = quoted("missing field `").map(inside) {
        let detail = format!("`{field}` is missing; it is required.");
        return Problem::new(Code::InvalidField, detail).in_field(&field);
    }
    let is_allowed_type = message.starts_with("invalid value") || message.starts_with("unknown variant");
    let code = if is_allowed_type { Code::OptionOutOfRange } else { Code::InvalidField };
    let expected = message.strip_prefix("expected ").or_else(|| Some(message.rsplit_once(", expected ")?.1));
    let expected = expected_value(path, expected.unwrap_or(message));
    // A message that says itself what was found.
    let (expected, found) = expected.rsplit_once(", found ").unwrap_or((&expected, found));
    if path.is_empty() {
        return Problem::new(code, format!("Invalid {whole}: expected {expected}, found {found}."));
    }
    Problem::new(code, format!("`{}`: expected {expected}, found {found}.", short(path))).in_field(path)
}

/// Returns what is expected at a path, in terms of JSON and of the contract.
fn expected_value(path: &str, expected: &str) -> String {
    let of_type = match expected {
        "u32" => format!("an integer from 0 to {}", u32::MAX),
        "u64" => format!("an integer from 0 to {}", u64::MAX),
        "i64" => format!("an integer from {} to {}", i64::MIN, i64::MAX),
        "f64" => return "a number".to_owned(),
        "a boolean" => return "`true` or `false`".to_owned(),
        "a sequence" => return "a list".to_owned(),
        "a map" => return "an object".to_owned(),
        TOO_DEEP => return "at most 128 nested lists and objects".to_owned(),
        other => return other.to_owned(),
    };
    let mut names = path.rsplit('.').map(|name| name.split('[').next().unwrap_or_default());
    let (name, orbit) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
    let of_option =
        if path.starts_with("steps[") || path.starts_with('[') { range_of_step(name) } else { range_of(name) };
    match of_option.or_else(|| range_of_entries(name, orbit)) {
        Some((from, Some(to))) => format!("an integer from {from} to {to}{}", after_range_of(name)),
        Some((from, None)) => format!("an integer of at least {from}"),
        None => of_type,
    }
}

/// Range of the entries of a list that describes pieces. `orbit` is the name of the object around the list.
fn range_of_entries(list: &str, orbit: &str) -> Option<(u64, Option<u64>)> {
    let count = match (list, orbit) {
        ("cp", _) | ("pieces" | "permutation", "CORNERS") => Corner::COUNT,
        ("ep", _) | ("pieces" | "permutation", "EDGES") => Edge::COUNT,
        ("center", _) | ("pieces" | "permutation", "CENTERS") => Face::COUNT,
        ("co", _) | ("orientation" | "orientationDelta", "CORNERS") => 3,
        ("eo", _) | ("orientation" | "orientationDelta", "EDGES") => 2,
        ("orientation" | "orientationDelta", "CENTERS") => 4,
        _ => return None,
    };
    Some((0, Some(count as u64 - 1)))
}

/// Returns the message of a syntax error without its line and column.
pub(crate) fn syntax_message(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    match message.strip_prefix("EOF while parsing ").unwrap_or(message) {
        "a value" => "the text ends where a value is expected".to_owned(),
        part @ ("a list" | "an object" | "a string") => format!("the text ends inside {part}"),
        "expected ident" => "expected `true`, `false` or `null`; write strings in double quotes".to_owned(),
        message => message.to_owned(),
    }
}

/// Returns the detail for an unknown field. `field` is its path and `name` its name. Suggests the most similar known name, and lists all.
fn unknown_field(field: &str, name: &str, known: &[&str]) -> String {
    let plain = name.to_lowercase().replace('_', "");
    let alias = ALIASES.iter().find(|(_, aliases)| aliases.split(' ').any(|alias| alias == plain));
    let alias = alias.map(|(name, _)| *name);
    let suggestion = alias.filter(|name| known.contains(name)).or_else(|| nearest(name, known.iter().copied()));
    let hint = suggestion.map_or_else(String::new, |name| format!("; did you mean `{name}`?"));
    let stop = if hint.is_empty() { "." } else { "" };
    let known = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    format!("Unknown field `{field}`{hint}{stop} Expected one of: {known}.")
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
