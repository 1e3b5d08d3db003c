//! Reads objects, integers and words as the contract defines them, where serde's derived types differ from it.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, IntoDeserializer, SeqAccess, Unexpected, Visitor};
use superflip_cube::Form;
use superflip_solver::search::machine::Costs;

use crate::api::request::read::split_names;

use super::{
    BatchOrder, ChannelOrder, Colors, CubeValue, Cubies, ExecutedAction, FaceKnowledge, LineId, MachineBody,
    SearchMetric, TurnList,
};

/// Implements `Deserialize` for structs with `#[serde(remote = "Self")]`. Unlike the derived implementation, it does not accept a list.
macro_rules! objects {
    ($($name:ident)*) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Object;

                impl<'de> serde::de::Visitor<'de> for Object {
                    type Value = $name;

                    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        formatter.write_str("an object")
                    }

                    fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<$name, A::Error> {
                        $name::deserialize(serde::de::value::MapAccessDeserializer::new(map))
                    }
                }

                deserializer.deserialize_map(Object)
            }
        }
    )*};
}

pub(crate) use objects;

/// Reads an integer, a list of them, or an option of either. As in JSON Schema, `14.0` and `1.4e1` are integers too.
pub(crate) fn integers<'de, D: Deserializer<'de>, T: Value>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

/// A value of a field, a list of them, or an option of either.
pub(crate) trait Value: Clone {
    /// Whether a request needs the field.
    const IS_REQUIRED: bool = true;
    /// What an error says was expected in place of a list of these.
    const LIST: &'static str = "a sequence";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    /// Takes an absent value from `default`.
    fn or(self, _: &Self) -> Self {
        self
    }
}

/// Values that are integers, words of an enum, which derived types accept as objects too, or what serde derives.
macro_rules! values {
    (integers $($integer:ty)*) => {$(
        impl Value for $integer {
            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_i64(Number(PhantomData))
            }
        }
    )*};
    (words $($word:ty)*) => {$(
        impl $crate::api::types::strict::Value for $word {
            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let word = <String as serde::Deserialize>::deserialize(deserializer)?;
                serde::Deserialize::deserialize(serde::de::IntoDeserializer::into_deserializer(word))
            }
        }
    )*};
    (others $($other:ty)*) => {$(
        impl $crate::api::types::strict::Value for $other {
            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                serde::Deserialize::deserialize(deserializer)
            }
        }
    )*};
}

pub(crate) use values;

values! { integers u32 u64 i64 }
values! { words BatchOrder ChannelOrder Form FaceKnowledge SearchMetric }
values! { others bool Box<MachineBody> Colors Costs CubeValue Cubies LineId String TurnList }

impl Value for ExecutedAction {
    const LIST: &'static str = "a list of actions such as [\"flip\", \"D\"]";

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
}

impl<T: Value> Value for Option<T> {
    const IS_REQUIRED: bool = false;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let option: Option<Inner<T>> = Option::deserialize(deserializer)?;
        Ok(option.map(|Inner(value)| value))
    }

    fn or(self, default: &Self) -> Self {
        self.or_else(|| default.clone())
    }
}

impl<T: Value> Value for Vec<T> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = deserializer.deserialize_seq(List::<T>(PhantomData))?;
        Ok(list.into_iter().map(|Inner(value)| value).collect())
    }
}

/// Visitor for a list.
struct List<T>(PhantomData<T>);

impl<'de, T: Value> Visitor<'de> for List<T> {
    type Value = Vec<Inner<T>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(T::LIST)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<Inner<T>>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }
}

/// Names in a list, or in a text of a query with commas.
#[derive(Clone, Debug, Default)]
pub struct Names(pub Vec<String>);

impl Value for Names {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Only a query has texts here.
        deserializer.deserialize_seq(ListOrText).map(Self)
    }
}

struct ListOrText;

impl<'de> Visitor<'de> for ListOrText {
    type Value = Vec<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a sequence")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<String>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<String>, E> {
        Ok(split_names(text))
    }
}

/// Item of an option or a list.
struct Inner<T>(T);

impl<'de, T: Value> Deserialize<'de> for Inner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

/// Visitor for an integer of the type `T`. `expecting` writes the name of `T`, such as `u32`; `request::read` replaces it with the range.
struct Number<T>(PhantomData<T>);

impl<T: DeserializeOwned> Visitor<'_> for Number<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(type_name::<T>())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        T::deserialize(number.into_deserializer())
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        T::deserialize(number.into_deserializer())
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        /// 2^53. Every integer of smaller magnitude has an exact `f64`.
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if number.fract() != 0.0 {
            Err(E::invalid_type(Unexpected::Float(number), &self))
        } else if number.abs() >= EXACT {
            Err(E::invalid_value(Unexpected::Float(number), &self))
        } else {
            #[allow(clippy::cast_possible_truncation)] // checked
            self.visit_i64(number as i64)
        }
    }
}

/// Reads an integer of a query. If it cannot be read, the error names the range `FROM` to `TO`; whether it is in the range is not checked.
pub(crate) fn integer_of_range<'de, D: Deserializer<'de>, const FROM: u8, const TO: u8>(
    deserializer: D,
) -> Result<u32, D::Error> {
    struct Ranged<const FROM: u8, const TO: u8>;

    impl<const FROM: u8, const TO: u8> Visitor<'_> for Ranged<FROM, TO> {
        type Value = u32;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "an integer from {FROM} to {TO}")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
            u32::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<u32, E> {
            Err(E::invalid_value(Unexpected::Signed(number), &self))
        }
    }

    deserializer.deserialize_u32(Ranged::<FROM, TO>)
}

/// Reads a value of an enum. Unlike the derived implementation, it does not accept an object.
pub(crate) fn word<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let word: Option<String> = Option::deserialize(deserializer)?;
    word.map(|word| T::deserialize(word.into_deserializer())).transpose()
}
