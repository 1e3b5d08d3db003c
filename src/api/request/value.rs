//! A serde deserializer for request data: JSON values, and the text of query parameters.
//!
//! serde's derived types read from it as from `serde_json`, with these differences:
//!
//! - An error is a [`FieldError`], which keeps the kind, the path and the offset as data, not as text.
//! - A JSON integer may be written with a fraction or an exponent, as JSON Schema has it: `14.0`, `1.4e1`.
//! - An object cannot be given as a list, nor an enum as an object.
//! - In a query, numbers and booleans are read from their text.
#![allow(clippy::cast_possible_truncation)] // numbers of pieces and limits of options are small

use std::fmt;

use serde::Deserializer;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserialize, IntoDeserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::field_error::FieldError;
use crate::service::config::limits::MAX_LENGTH;
use superflip_cube::{Corner, Edge, Face};
use superflip_scan::repair::MAX_REPAIRS;
use superflip_solver::search::MAX_SOLUTIONS;
use superflip_solver::search::scramble::{MAX_MIN_LENGTH, MAX_SCRAMBLES};

/// Greatest number of nested lists and objects, so that no value exhausts the stack. Requests need 5.
const MAX_DEPTH: u8 = 16;

/// Position of a value in the object or list that contains it.
#[derive(Clone, Copy)]
enum Place<'de> {
    /// No position: the outermost value, or a key.
    Root,
    /// Member of an object, by name.
    Name(&'de str),
    /// Element of a list, by index.
    Index(usize),
}

/// One value that is not deserialized yet.
#[derive(Clone, Copy)]
pub(crate) struct Value<'de> {
    /// Whether the text is JSON; otherwise it is decoded text of a query string.
    is_json: bool,
    /// Number of lists and objects that contain it.
    depth: u8,
    place: Place<'de>,
    /// Names of the innermost member that contains it, and of the member around that; empty if there is none.
    members: [&'de str; 2],
    text: &'de str,
}

/// Members of a JSON object in their order, including repeated names.
struct Members<'de>(Vec<(&'de RawValue, &'de RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl<'de> Value<'de> {
    /// Creates a value from a whole JSON text, which must be valid.
    pub(crate) fn json(raw: &'de RawValue) -> Self {
        Self { is_json: true, depth: 0, place: Place::Root, members: [""; 2], text: raw.get() }
    }

    /// Creates a value from the parameters of a query string.
    pub(crate) fn query(pairs: &'de [(String, String)]) -> impl Deserializer<'de, Error = FieldError> {
        let value = |place, text| Self { is_json: false, depth: 0, place, members: [""; 2], text };
        MapDeserializer::new(
            pairs.iter().map(move |(name, text)| (value(Place::Root, name), value(Place::Name(name), text))),
        )
    }

    fn starts_with(&self, start: char) -> bool {
        self.is_json && self.text.starts_with(start)
    }

    /// Adds the position of this value to the path of an error inside it.
    fn locate(&self, error: FieldError) -> FieldError {
        // The memory address gives the offset in the body.
        let address = self.is_json.then_some(self.text.as_ptr() as usize);
        let error = error.found_in(self.text, self.is_json, address);
        match self.place {
            Place::Root => error,
            Place::Name(name) => error.within(name),
            Place::Index(index) => error.within(&format!("[{index}]")),
        }
    }

    fn decode<T: Deserialize<'de>>(&self) -> Result<T, FieldError> {
        // The syntax was checked before, so report an unpaired surrogate or a number beyond `f64`.
        serde_json::from_str(self.text).map_err(|error| FieldError::malformed(&error))
    }

    fn string(&self, expected: &str) -> Result<String, FieldError> {
        if !self.is_json {
            return Ok(self.text.to_owned());
        }
        if self.starts_with('"') { self.decode() } else { Err(FieldError::mismatch(expected)) }
    }

    fn any<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, FieldError> {
        match self.text.chars().next() {
            _ if !self.is_json => visitor.visit_borrowed_str(self.text),
            Some('{') => self.object(visitor),
            Some('[') => self.list(visitor),
            Some('"') => self.text(visitor),
            Some('n') => visitor.visit_unit(),
            Some('t') => visitor.visit_bool(true),
            Some('f') => visitor.visit_bool(false),
            _ => match (self.text.parse(), self.text.parse()) {
                (Ok(number), _) => visitor.visit_u64(number),
                (_, Ok(number)) => visitor.visit_i64(number),
                _ => self.decode().and_then(|number| visitor.visit_f64(number)),
            },
        }
    }

    /// Returns the depth of what this list or object contains.
    fn inner_depth(&self) -> Result<u8, FieldError> {
        if self.depth < MAX_DEPTH {
            Ok(self.depth + 1)
        } else {
            Err(FieldError::mismatch(format_args!("at most {MAX_DEPTH} nested lists and objects")))
        }
    }

    fn boolean<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, FieldError> {
        let value = self.text.parse().map_err(|_| FieldError::mismatch("`true` or `false`"))?;
        visitor.visit_bool(value)
    }

    fn text<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_string(self.string("a string")?)
    }

    fn list<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, FieldError> {
        if !self.starts_with('[') {
            return Err(FieldError::mismatch("a list"));
        }
        let depth = self.inner_depth()?;
        let items: Vec<&'de RawValue> = self.decode()?;
        let members = self.members;
        let item = |(index, raw)| Self { depth, place: Place::Index(index), members, ..Self::json(raw) };
        visitor.visit_seq(SeqDeserializer::new(items.into_iter().enumerate().map(item)))
    }

    fn object<V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, FieldError> {
        if !self.starts_with('{') {
            return Err(FieldError::mismatch("an object"));
        }
        let depth = self.inner_depth()?;
        let Members(members) = self.decode()?;
        let members = members.into_iter().map(|(key, raw)| {
            // No known name contains an escape, so leave the name as it is; it is then reported as unknown.
            let name = key.get().trim_matches('"');
            let members = [name, self.members[0]];
            (Self::json(key), Self { depth, place: Place::Name(name), members, ..Self::json(raw) })
        });
        visitor.visit_map(MapDeserializer::new(members))
    }

    fn integer<V: Visitor<'de>>(&self, least: i128, most: i128, visitor: V) -> Result<V::Value, FieldError> {
        /// Up to here every integer is exact in floating point.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let is_exact = |number: &f64| self.is_json && number.fract() == 0.0 && number.abs() < EXACT;
        let number = self.text.parse().ok();
        let number = number.or_else(|| self.text.parse().ok().filter(is_exact).map(|number| number as i128));
        // Text with the syntax of a number but without a value is not a JSON number, so refuse it.
        if number.is_none() && self.is_json && self.text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
            self.decode::<serde_json::Number>()?;
        }
        let Some(number) = number.filter(|number| (least..=most).contains(number)) else {
            let named = match self.place {
                Place::Name(name) => range_of(name),
                Place::Index(_) => range_of_entries(self.members),
                Place::Root => None,
            };
            let expected = match named {
                Some((from, Some(to))) => format!("an integer from {from} to {to}"),
                Some((from, None)) => format!("an integer of at least {from}"),
                None => format!("an integer from {least} to {most}"),
            };
            let is_integer = is_integer(self.text, self.is_json);
            return Err(if is_integer { FieldError::not_allowed(expected) } else { FieldError::mismatch(expected) });
        };
        match u64::try_from(number) {
            Ok(number) => visitor.visit_u64(number),
            Err(_) => visitor.visit_i64(number as i64),
        }
    }
}

impl<'de> IntoDeserializer<'de, FieldError> for Value<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Defines methods that read a value with a function, and add the position of the value to an error.
macro_rules! methods {
    ($($method:ident: $read:expr,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
            let read: fn(&Self, V) -> Result<V::Value, FieldError> = $read;
            read(&self, visitor).map_err(|error| self.locate(error))
        }
    )*};
}

/// Reads an integer in the range of a type.
macro_rules! integer {
    ($type:ty) => {
        |value, visitor| value.integer(<$type>::MIN.into(), <$type>::MAX.into(), visitor)
    };
}

impl<'de> Deserializer<'de> for Value<'de> {
    type Error = FieldError;

    methods! {
        deserialize_any: Self::any,
        deserialize_bool: Self::boolean,
        deserialize_str: Self::text,
        deserialize_string: Self::text,
        deserialize_identifier: Self::text,
        deserialize_seq: Self::list,
        deserialize_i32: integer!(i32),
        deserialize_i64: integer!(i64),
        deserialize_u8: integer!(u8),
        deserialize_u16: integer!(u16),
        deserialize_u32: integer!(u32),
        deserialize_u64: integer!(u64),
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        let is_null = self.is_json && self.text == "null";
        if is_null { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        self.object(visitor).map_err(|error| self.locate(error))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let result = self.string(&FieldError::one_of(variants));
        let result = result.and_then(|text| visitor.visit_enum(text.into_deserializer()));
        result.map_err(|error| self.locate(error))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_newtype_struct(self)
    }

    /// Skips the value without descending into it: its syntax was checked before.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i128 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map
    }
}

/// Returns whether a text is an integer of any size. In JSON it may have a fraction of zero and an exponent.
fn is_integer(text: &str, is_json: bool) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_plain || (is_json && text.parse::<f64>().is_ok_and(|number| number.fract() == 0.0))
}

/// Range of an integer option in a request. The upper end is absent if the configuration of the server sets it.
fn range_of(option: &str) -> Option<(u32, Option<u32>)> {
    match option {
        "target_length" | "max_length" => Some((0, Some(MAX_LENGTH.into()))),
        "min_length" => Some((0, Some(MAX_MIN_LENGTH.into()))),
        "limit" => Some((1, Some(MAX_REPAIRS as u32))),
        "count" => Some((1, Some(MAX_SCRAMBLES as u32))),
        "solutions" => Some((1, Some(MAX_SOLUTIONS as u32))),
        "time_limit_ms" | "threads" => Some((1, None)),
        _ => None,
    }
}

/// Range of the entries of a list that describes pieces. `list` is its name, and `orbit` the name of the object around it.
fn range_of_entries([list, orbit]: [&str; 2]) -> Option<(u32, Option<u32>)> {
    const CORNERS: u32 = Corner::COUNT as u32;
    const EDGES: u32 = Edge::COUNT as u32;
    const CENTRES: u32 = Face::COUNT as u32;
    let count = match (list, orbit) {
        ("cp", _) | ("pieces" | "permutation", "CORNERS") => CORNERS,
        ("ep", _) | ("pieces" | "permutation", "EDGES") => EDGES,
        ("pieces" | "permutation", "CENTERS") => CENTRES,
        ("co", _) | ("orientation" | "orientationDelta", "CORNERS") => 3,
        ("eo", _) | ("orientation" | "orientationDelta", "EDGES") => 2,
        ("orientation" | "orientationDelta", "CENTERS") => 4,
        _ => return None,
    };
    Some((0, Some(count - 1)))
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use crate::api::problem::{Code, Document};
    use crate::api::request::json::{Whole, parse};

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Inner {
        list: Vec<u32>,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(rename_all = "lowercase")]
    enum Order {
        Input,
        Any,
    }

    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        small: Option<i64>,
        ratio: Option<f64>,
        inner: Option<Inner>,
        id: Option<serde_json::Number>,
        order: Option<Order>,
    }

    fn refusal(text: &str) -> Document {
        let outer: Result<Outer, _> = parse(text.as_bytes(), Whole::Body);
        outer.map(|outer| panic!("{text}: {outer:?}")).unwrap_err().document().clone()
    }

    #[test]
    fn integers_may_have_a_fraction_of_zero_or_an_exponent() {
        let text = r#"{"small": -3.0, "ratio": 2, "inner": {"list": [1, 2.0, 0.3e1, 4e0, -0.0]}, "id": 7.0}"#;
        let outer: Outer = parse(text.as_bytes(), Whole::Body).unwrap();
        assert_eq!((outer.small, outer.ratio), (Some(-3), Some(2.0)));
        assert_eq!(outer.inner, Some(Inner { list: vec![1, 2, 3, 4, 0] }));
        // A number that is not an integer by its type stays as it was written.
        assert_eq!(outer.id.unwrap().to_string(), "7.0");
        for exact in [(1 << 53) - 1, 4_470_070_024_745_030] {
            let text = format!(r#"{{"small": {exact}.0}}"#);
            assert_eq!(parse::<Outer>(text.as_bytes(), Whole::Body).unwrap().small, Some(exact));
        }
        assert_eq!(parse::<Outer>(br#"{"small": null, "inner": null}"#, Whole::Body).unwrap().inner, None);
    }

    #[test]
    fn numbers_that_are_not_exact_integers_are_refused() {
        for (value, found) in
            [("1.5", "`1.5`"), ("1e300", "`1e300`"), ("9007199254740993.0", "`9007"), ("\"3\"", "`\"3\"`")]
        {
            let detail = refusal(&format!(r#"{{"small": {value}}}"#)).detail;
            assert!(
                detail.starts_with("`small`: expected an integer from -9223") && detail.contains(found),
                "{detail}"
            );
        }
        for value in ["-1.0", "1e12", "4294967296"] {
            let document = refusal(&format!(r#"{{"inner": {{"list": [0, {value}]}}}}"#));
            assert_eq!(document.field.as_deref(), Some("inner.list[1]"));
            assert!(document.detail.contains("from 0 to 4294967295"), "{}", document.detail);
        }
        assert_eq!(refusal(r#"{"small": 1e999}"#).code, Code::MalformedJson);
    }

    #[test]
    fn an_enum_is_one_of_its_words() {
        let outer: Outer = parse(br#"{"order": "any"}"#, Whole::Body).unwrap();
        assert_eq!(outer.order, Some(Order::Any));
        for value in [r#""all""#, r#"{"any": null}"#, "[]", "1", "true"] {
            let detail = refusal(&format!(r#"{{"order": {value}}}"#)).detail;
            assert!(detail.starts_with("`order`: expected `input` or `any`, found "), "{detail}");
        }
    }

    #[test]
    fn an_object_is_not_given_as_a_list() {
        assert_eq!(refusal(r#"{"inner": [[1]]}"#).detail, "`inner`: expected an object, found a list.");
        assert_eq!(refusal("[]").detail, "Invalid body: expected an object, found a list.");
    }

    #[test]
    fn errors_have_a_path_and_a_place() {
        let place = |document: Document| (document.field.unwrap(), document.line.unwrap(), document.column.unwrap());
        assert_eq!(place(refusal("{\n \"inner\": {\"list\": [1,\n\"x\"]}}")), ("inner.list[1]".into(), 3, 1));
        assert_eq!(place(refusal("{\"order\": \"any\", \"x\": 1}")), ("x".into(), 1, 18));
        assert_eq!(place(refusal("{\"inner\": {}}")), ("inner.list".into(), 1, 11));
        let twice = refusal("{\"inner\": {\"list\": [], \"list\": []}}");
        assert_eq!((twice.code, twice.field.as_deref()), (Code::DuplicateField, Some("list")));
    }
}
