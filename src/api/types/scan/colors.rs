//! Fields of a request that describe a scan: colours, and faces in unknown rotations or order.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::contract::ToSchema;

/// Colour samples, as JSON whose numbers and lengths are not checked yet.
#[derive(Clone, PartialEq, Debug)]
pub struct Colors(pub Value);

/// Greatest depth of lists in [`Colors`]: faces, rows, samples, channels.
const DEPTH: usize = 4;

impl<'de> Deserialize<'de> for Colors {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Nested(DEPTH).deserialize(deserializer).map(Self)
    }
}

/// Reads JSON with lists of at most this depth, so that nested lists of any depth need no stack.
#[derive(Clone, Copy)]
struct Nested(usize);

impl<'de> DeserializeSeed<'de> for Nested {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Nested {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.0 == DEPTH { "54 colour samples" } else { "a colour sample" })
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let deeper = self.0.checked_sub(1).map(Nested).ok_or_else(|| A::Error::invalid_type(Unexpected::Seq, &self))?;
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(deeper)? {
            values.push(value);
        }
        Ok(values.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Value, A::Error> {
        if self.0 < DEPTH {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        let mut members = Map::new();
        while let Some(name) = object.next_key()? {
            // A sample is a list of numbers.
            members.insert(name, object.next_value_seed(Self(1))?);
        }
        Ok(members.into())
    }
}

/// Order of the three numbers of a colour sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ChannelOrder {
    /// Red, green, blue.
    #[default]
    Rgb,
    /// Blue, green, red, as `OpenCV` stores them.
    Bgr,
}

/// Whether the rotations or the order of the scanned faces are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = FaceKnowledge)]
pub enum Knowledge {
    /// As documented for `facelets`.
    #[default]
    Known,
    /// To be found.
    Unknown,
}

/// 54 colour samples.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[schema(as = Colors)]
#[serde(untagged)]
pub enum ColorsSchema {
    /// Samples in the order U R F D L B, each face row by row.
    Samples(Vec<ColorSample>),
    /// Six matrices of three rows of three samples, in the order U R F D L B.
    Faces(Vec<Vec<Vec<ColorSample>>>),
    /// Samples by their numbers from 1 to 54, in the order U L F R B D.
    Numbered(std::collections::BTreeMap<String, ColorSample>),
}

/// One colour sample.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
pub enum ColorSample {
    /// Three numbers from 0 to 255, in the order `channel_order`.
    Channels([u8; 3]),
    /// Hexadecimal digits, such as `#ffcc00`.
    Hex(String),
}
