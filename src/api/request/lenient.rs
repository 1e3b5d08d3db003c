//! JSON read as JSON Schema has it, where serde differs.
//!
//! | in the schema | serde | here |
//! | --- | --- | --- |
//! | an integer is a number without a fraction: `14.0`, `1.4e1` | tells integers by how they are written | as in the schema, up to 2^53 |
//! | an object | fills it from a list as well, by the order of the fields | an object |
//! | one of some texts | takes `{"text": null}` too, and calls anything else no JSON at all | one of the texts |
//!
//! `AsSchema` goes around a deserializer, and around the visitors and seeds that go through it.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};

/// Around whatever takes part in reading.
pub(crate) struct AsSchema<T>(pub(crate) T);

/// Around the visitor of an integer.
struct Integer<V>(V);

/// Around the visitor of an object with named fields.
struct Object<V>(V);

/// Around the visitor of an enum, all of whose variants are words with nothing inside.
struct Word<V> {
    words: &'static [&'static str],
    visitor: V,
}

/// Below this every whole number of floating point is what was written.
const EXACT: f64 = 9_007_199_254_740_992.0;

macro_rules! forward {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(AsSchema(visitor))
        }
    )*};
}

macro_rules! integers {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.$method(Integer(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for AsSchema<D> {
    type Error = D::Error;

    forward! {
        deserialize_any deserialize_bool deserialize_f32 deserialize_f64 deserialize_char deserialize_str deserialize_string
        deserialize_bytes deserialize_byte_buf deserialize_option deserialize_unit deserialize_seq deserialize_map
        deserialize_identifier deserialize_ignored_any
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_unit_struct(name, AsSchema(visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_newtype_struct(name, AsSchema(visitor))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple(len, AsSchema(visitor))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_tuple_struct(name, len, AsSchema(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(Object(visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.0.deserialize_str(Word { words, visitor })
    }
}

macro_rules! visit {
    ($($method:ident: $type:ty,)*) => {$(
        fn $method<E: Error>(self, value: $type) -> Result<V::Value, E> {
            self.0.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for AsSchema<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(formatter)
    }

    visit! {
        visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str, visit_borrowed_str: &'de str,
        visit_string: String, visit_bytes: &[u8], visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(AsSchema(deserializer))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(AsSchema(deserializer))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(AsSchema(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(AsSchema(object))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, word: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(word)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for AsSchema<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(AsSchema(deserializer))
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for AsSchema<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_element_seed(AsSchema(seed))
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for AsSchema<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.0.next_key_seed(AsSchema(seed))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(AsSchema(seed))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Integer<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(formatter)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<V::Value, E> {
        if value.fract() == 0.0 && value.abs() < EXACT {
            self.0.visit_i64(value as i64)
        } else {
            self.0.visit_f64(value)
        }
    }

    visit! {
        visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_str: &str, visit_borrowed_str: &'de str,
        visit_string: String, visit_bytes: &[u8], visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(list)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(object)
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Object<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(AsSchema(object))
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Word<V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self.words.iter().map(|word| format!("`{word}`")).collect();
        write!(formatter, "{}", words.join(" or "))
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<V::Value, E> {
        self.visitor.visit_enum(word.into_deserializer())
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize, PartialEq, Debug)]
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
    struct Outer {
        small: Option<i64>,
        ratio: Option<f64>,
        inner: Option<Inner>,
        id: Option<serde_json::Number>,
        order: Option<Order>,
    }

    fn read(text: &str) -> Result<Outer, String> {
        let mut json = serde_json::Deserializer::from_str(text);
        Outer::deserialize(AsSchema(&mut json)).map_err(|error| error.to_string())
    }

    #[test]
    fn whole_numbers_are_integers_however_they_are_written() {
        let outer = read(r#"{"small": -3.0, "ratio": 2, "inner": {"list": [1, 2.0, 0.3e1, 4e0, -0.0]}, "id": 7.0}"#);
        let outer = outer.unwrap();
        assert_eq!(outer.small, Some(-3));
        assert_eq!(outer.ratio, Some(2.0));
        assert_eq!(outer.inner, Some(Inner { list: vec![1, 2, 3, 4, 0] }));
        // What is no integer by its type is left as it was written.
        assert_eq!(outer.id.unwrap().to_string(), "7.0");
        for exact in [(1 << 53) - 1, 4_470_070_024_745_030] {
            assert_eq!(read(&format!(r#"{{"small": {exact}.0}}"#)).unwrap().small, Some(exact));
        }
        assert_eq!(read(r#"{"small": null, "inner": null}"#).unwrap().inner, None);
    }

    #[test]
    fn what_is_not_whole_or_not_exact_is_refused() {
        for text in
            [r#"{"small": 1.5}"#, r#"{"small": 1e300}"#, r#"{"small": 9007199254740993.0}"#, r#"{"small": "3"}"#]
        {
            assert!(read(text).is_err_and(|error| error.starts_with("invalid type")), "{text}");
        }
        assert!(read(r#"{"inner": {"list": [-1.0]}}"#).is_err_and(|error| error.contains("integer `-1`")));
        assert!(read(r#"{"inner": {"list": [1e12]}}"#).is_err_and(|error| error.contains("integer `1000000000000`")));
    }

    #[test]
    fn an_enum_is_one_of_its_words() {
        assert_eq!(read(r#"{"order": "any"}"#).unwrap().order, Some(Order::Any));
        assert!(read(r#"{"order": "all"}"#).is_err_and(|error| error.starts_with("unknown variant `all`")));
        for value in [r#"{"any": null}"#, "[]", "1", "true"] {
            let error = read(&format!(r#"{{"order": {value}}}"#)).unwrap_err();
            assert!(error.contains("expected `input` or `any`"), "{value}: {error}");
        }
    }

    #[test]
    fn an_object_is_no_list() {
        let error = read(r#"{"inner": [[1]]}"#).unwrap_err();
        assert!(error.starts_with("invalid type: sequence, expected an object"), "{error}");
        assert!(read("[]").is_err());
    }
}
