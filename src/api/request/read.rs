//! Reads requests strictly: a JSON object, which is a body or one line of a body, or a query string.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::marker::PhantomData;

use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Command};
use serde::de::value::{Error, MapDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IgnoredAny, IntoDeserializer, Unexpected, Visitor};
use serde_json::value::RawValue;
use serde_path_to_error::{Path, Segment};

use crate::api::problem::{Code, Problem};
use crate::api::request::options::{after_range_of, range_of, range_of_step};
use crate::service::nearest;
use superflip_cube::{Corner, Edge, Face};

/// Parses a JSON text into `T`. The text is a body, or line `line` of a batch, counted from 1.
///
/// # Errors
/// Returns an error for text that is not JSON, and for a field that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(bytes: &[u8], line: Option<usize>) -> Result<T, Problem> {
    parse_as(if line.is_some() { "line" } else { "body" }, bytes, line)
}

/// Parses a JSON text like [`parse`]. Errors call the text `name`.
pub(crate) fn parse_as<T: DeserializeOwned>(name: &str, bytes: &[u8], line: Option<usize>) -> Result<T, Problem> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let detail = format!("The {name} is not UTF-8: invalid byte at offset {}.", error.valid_up_to());
        Problem::new(Code::MalformedJson, detail)
    })?;
    // Skip a byte order mark, which is not part of the text (RFC 8259, 8.1).
    let text = text.strip_prefix('\u{feff}').filter(|_| line.is_none()).unwrap_or(text);
    if text.trim_ascii().is_empty() {
        let detail = format!("The {name} is not JSON: it is empty; send a JSON object.");
        return Err(Problem::new(Code::MalformedJson, detail).with(|document| document.line = line.or(Some(1))));
    }
    let at = |error: &serde_json::Error, problem: Problem| {
        let (line, column) = (line.unwrap_or(error.line()), column_of(text, error));
        problem.with(|document| (document.line, document.column) = (Some(line), Some(column)))
    };
    let malformed = |error: &serde_json::Error| {
        let (line, column) = (line.unwrap_or(error.line()), column_of(text, error));
        let message = no_number(text, error).unwrap_or_else(|| syntax_message(error));
        let detail = format!("The {name} is not JSON: {message} at line {line} column {column}.");
        at(error, Problem::new(Code::MalformedJson, detail))
    };
    // An error of syntax anywhere in the text is reported before one in a field.
    let syntax: Result<IgnoredAny, _> = serde_json::from_str(text);
    syntax.map_err(|error| malformed(&error))?;
    serde_path_to_error::deserialize(&mut serde_json::Deserializer::from_str(text)).map_err(|error| {
        let (path, found) = (error.path().to_string(), found_at(text, error.path()));
        let (error, path) = (error.into_inner(), path.trim_end_matches('.'));
        let message = syntax_message(&error);
        // The first pass finds neither unpaired surrogates nor numbers beyond `f64`.
        if error.is_syntax() && message != TOO_DEEP {
            return malformed(&error);
        }
        at(&error, problem(name, path, &message, &found))
    })
}

/// Returns the column at which the parser stopped, in characters from 1. `serde_json` counts bytes, and counts a line break as
/// column 0.
fn column_of(text: &str, error: &serde_json::Error) -> usize {
    let line = text.split('\n').nth(error.line().saturating_sub(1)).unwrap_or_default();
    let before = &line[..line.floor_char_boundary(error.column())];
    let is_inside = before.len() < error.column().min(line.len());
    (before.chars().count() + usize::from(is_inside)).max(1)
}

/// Returns the message for a number that other programs write and JSON does not have.
fn no_number(text: &str, error: &serde_json::Error) -> Option<String> {
    let line = text.split('\n').nth(error.line().checked_sub(1)?)?;
    // The parser stops at the first letter of the word, or behind it.
    let from = line.floor_char_boundary(error.column().saturating_sub(2));
    let word = ["NaN", "Infinity"].into_iter().find(|word| {
        let found = line[from..].find(word);
        found.is_some_and(|at| at < 2)
    })?;
    Some(format!("`{word}` is not a number in JSON; write a finite number"))
}

/// Describes the value at a path.
fn found_at(text: &str, path: &Path) -> String {
    let value = path.iter().try_fold(text, |text, segment| match segment {
        Segment::Seq { index } => serde_json::from_str::<Vec<&RawValue>>(text).ok()?.get(*index).map(|raw| raw.get()),
        Segment::Map { key } => {
            serde_json::from_str::<HashMap<String, &RawValue>>(text).ok()?.get(key).map(|raw| raw.get())
        }
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    let value = value.unwrap_or(text).trim_ascii();
    match value.chars().next() {
        Some('{') => "an object".to_owned(),
        Some('[') => "a list".to_owned(),
        _ => format!("`{}`", short(value)),
    }
}

/// Reads decoded parameters as a documented query.
///
/// # Errors
/// Returns an error for a parameter that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse_query<T: DeserializeOwned>(parameters: &[(String, String)]) -> Result<T, Problem> {
    let pairs = parameters.iter().map(|(name, text)| (name.as_str(), Parameter(text)));
    serde_path_to_error::deserialize(MapDeserializer::<_, Error>::new(pairs)).map_err(|error| {
        let path = error.path().to_string();
        let text = parameters.iter().find(|(name, _)| *name == path).map_or("", |(_, text)| text);
        let (path, message) = (path.trim_end_matches('.'), error.inner().to_string());
        in_one_parameter(problem("query", path, &message, &format!("`{}`", short(text))), parameters)
    })
}

/// Adds to the problem of a list that is given in several parameters how to write it.
fn in_one_parameter(problem: Problem, parameters: &[(String, String)]) -> Problem {
    problem.with(|document| {
        let list = LISTS.into_iter().find(|list| document.field.as_deref() == Some(list));
        let Some(list) = list.filter(|_| document.code == Code::DuplicateField) else { return };
        let values = parameters.iter().filter(|(name, _)| name == list).map(|(_, text)| text.as_str());
        let joined = values.collect::<Vec<_>>().join(",");
        document.detail = format!(
            "`{list}` is given more than once; write its values in one parameter, with commas: `{list}={}`.",
            short(&joined)
        );
    })
}

/// Parameters that are lists.
const LISTS: [&str; 2] = ["names", "to"];

/// Splits a list in a query at the commas outside parentheses.
pub(crate) fn split_names(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// Message of `serde_json` for a value with too many nested lists and objects.
const TOO_DEEP: &str = "recursion limit exceeded";

/// Converts a message of serde to a problem. `whole` names the text that was read, such as `body`, `line`, `query` or `list`. `path` leads to
/// the invalid value, such as `cubies.cp[3]`, and is empty for the whole. `found` describes the value.
fn problem(whole: &str, path: &str, message: &str, found: &str) -> Problem {
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

/// Decoded text of a parameter.
#[derive(Clone, Copy)]
struct Parameter<'de>(&'de str);

impl<'de> Parameter<'de> {
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let Self(text) = self;
        let digits = text.strip_prefix('-').unwrap_or(text);
        match (text.parse(), text.parse()) {
            (Ok(number), _) => visitor.visit_u64(number),
            (_, Ok(number)) => visitor.visit_i64(number),
            _ if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Err(Error::invalid_value(Unexpected::Other(text), &visitor))
            }
            _ => visitor.visit_str(text),
        }
    }
}

impl<'de> IntoDeserializer<'de> for Parameter<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Parameter<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0.parse() {
            Ok(value) => visitor.visit_bool(value),
            Err(_) => visitor.visit_str(self.0),
        }
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.integer(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}

/// Reads the value of a flag: a JSON object or list, or the path of a file with one.
///
/// # Errors
/// Returns a message that names the flag or the file.
pub(crate) fn json_of<T: DeserializeOwned>(flag: &str, value: &str) -> Result<T, String> {
    let read = |source, text: &str| {
        parse_as("text", text.as_bytes(), None)
            .map_err(|problem| format!("cannot read {source}: {}", problem.document().detail))
    };
    if value.trim_start().starts_with(['{', '[']) {
        return read(flag, value);
    }
    let text = std::fs::read_to_string(value).map_err(|error| {
        format!("cannot read {value}: {error}; {flag} takes a file, or JSON that starts with `{{` or `[`")
    })?;
    read(value, &text)
}

/// Parser of such a flag. Its errors do not repeat the value, which may be long.
#[derive(Clone)]
pub(crate) struct JsonOrFile<T>(PhantomData<T>);

impl<T> JsonOrFile<T> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

impl<T: DeserializeOwned + Clone + Send + Sync + 'static> TypedValueParser for JsonOrFile<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, flag: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let name = flag.and_then(Arg::get_long).unwrap_or_default();
        json_of(&format!("--{name}"), &value.to_string_lossy())
            .map_err(|message| clap::Error::raw(ErrorKind::ValueValidation, message + "\n").with_cmd(command))
    }
}

#[cfg(test)]
mod tests {
    use super::{parse, split_names};
    use crate::api::problem::{Code, Document};
    use crate::api::types::{BatchLine, ChannelOrder};

    fn read(text: &str) -> BatchLine {
        parse(text.as_bytes(), None).unwrap()
    }

    fn refusal(text: &str) -> Document {
        let line: Result<BatchLine, _> = parse(text.as_bytes(), None);
        line.map(|line| panic!("{text}: {line:?}")).unwrap_err().document().clone()
    }

    #[test]
    fn integers_may_have_a_fraction_of_zero_or_an_exponent() {
        let line = read(
            r#"{"max_length": 14.0, "id": 7.0, "cubies": {"cp": [2.0, 0.3e1, 4e0, -0.0], "co": [], "ep": [], "eo": []}}"#,
        );
        assert_eq!((line.limits.max_length, line.cube.cubies.unwrap().cp), (Some(14), vec![2, 3, 4, 0]));
        // A number that is not an integer by its type stays as it was written.
        assert_eq!(serde_json::to_string(&line.id).unwrap(), "7.0");
        for exact in [(1 << 53) - 1, 4_470_070_024_745_030] {
            assert_eq!(read(&format!(r#"{{"time_limit_ms": {exact}.0}}"#)).limits.time_limit_ms, Some(exact));
        }
        assert_eq!(read(r#"{"max_length": null, "cubies": null}"#).limits.max_length, None);
    }

    #[test]
    fn numbers_that_are_not_exact_integers_are_refused() {
        for value in ["1.5", "1e300", "9007199254740993.0", "\"3\"", "-1.0", "4294967296"] {
            let document = refusal(&format!(r#"{{"cubies": {{"co": [0, {value}]}}}}"#));
            assert_eq!(document.detail, format!("`cubies.co[1]`: expected an integer from 0 to 2, found `{value}`."));
        }
        assert_eq!(refusal(r#"{"max_length": 1e999}"#).code, Code::MalformedJson);
    }

    #[test]
    fn an_enum_is_one_of_its_words() {
        assert_eq!(read(r#"{"channel_order": "bgr"}"#).cube.channel_order, Some(ChannelOrder::Bgr));
        for (value, expected) in [
            (r#""all""#, "expected `rgb` or `bgr`, found `\"all\"`"),
            (r#"{"rgb": null}"#, "expected a string, found an object"),
        ] {
            let detail = refusal(&format!(r#"{{"channel_order": {value}}}"#)).detail;
            assert_eq!(detail, format!("`channel_order`: {expected}."));
        }
    }

    #[test]
    fn an_object_is_not_given_as_a_list() {
        assert_eq!(refusal(r#"{"cubies": [[1]]}"#).detail, "`cubies`: expected an object, found a list.");
        assert_eq!(refusal("[]").detail, "Invalid body: expected an object, found a list.");
    }

    #[test]
    fn errors_have_a_path_and_a_place() {
        let place = |document: Document| (document.field.unwrap(), document.line.unwrap(), document.column.unwrap());
        assert_eq!(place(refusal("{\n \"cubies\": {\"cp\": [1,\n\"x\"]}}")), ("cubies.cp[1]".into(), 3, 3));
        assert_eq!(place(refusal("{\"id\": 1, \"x\": 1}")), ("x".into(), 1, 13));
        // Characters count, not bytes, and a line has no column before the first.
        assert_eq!(place(refusal("{\"id\": \"éé\", \"x\": 1}")), ("x".into(), 1, 16));
        for (text, line, column) in
            [("{", 1, 1), ("{\n", 2, 1), ("{\"id\":\n", 2, 1), ("\n\n{\n\n", 5, 1), ("{\"é\" 1}", 1, 6)]
        {
            let document = refusal(text);
            assert_eq!((document.line, document.column), (Some(line), Some(column)), "{text:?}");
            assert!(document.detail.ends_with(&format!("at line {line} column {column}.")), "{document:?}");
        }
        assert_eq!(place(refusal("{\"cubies\": {}}")), ("cubies.cp".into(), 1, 13));
        let twice = refusal("{\"cubies\": {\"cp\": [], \"cp\": []}}");
        assert_eq!((twice.code, twice.field.as_deref()), (Code::DuplicateField, Some("cubies.cp")));
        let unknown = refusal(r#"{"machine": {"actions": [{"turns": "R"}]}}"#);
        assert_eq!(unknown.field.as_deref(), Some("machine.actions[0].turns"));
        assert!(
            unknown.detail.starts_with("Unknown field `machine.actions[0].turns`; did you mean `turn`?"),
            "{unknown:?}"
        );
    }

    #[test]
    fn commas_inside_an_expression_do_not_split() {
        assert_eq!(split_names("twist, comp(flip,slice) ,x"), ["twist", "comp(flip,slice)", "x"]);
        assert_eq!(split_names("a),b"), ["a)", "b"]);
        assert_eq!(split_names(""), [""]);
    }
}
