//! Reads objects, integers and enums as the contract defines them, where serde's derived types differ from it.

use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, IntoDeserializer, Unexpected, Visitor};

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
pub(crate) fn integers<'de, D: Deserializer<'de>, T: Integers>(deserializer: D) -> Result<T, D::Error> {
    T::read(deserializer)
}

/// An integer, a list of them, or an option of either.
pub(crate) trait Integers: Sized {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

macro_rules! single {
    ($($integer:ty)*) => {$(
        impl Integers for $integer {
            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_i64(Number(PhantomData))
            }
        }
    )*};
}

single! { u32 u64 i64 }

impl<T: Integers> Integers for Option<T> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let option: Option<Inner<T>> = Option::deserialize(deserializer)?;
        Ok(option.map(|Inner(integer)| integer))
    }
}

impl<T: Integers> Integers for Vec<T> {
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Vec<Inner<T>> = Vec::deserialize(deserializer)?;
        Ok(list.into_iter().map(|Inner(integer)| integer).collect())
    }
}

/// Item of an option or a list.
struct Inner<T>(T);

impl<'de, T: Integers> Deserialize<'de> for Inner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

/// Visitor for an integer of the type `T`. `expecting` writes the name of `T`, such as `u32`; `field_error` replaces it with the range.
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
) -> Result<Option<u32>, D::Error> {
    struct Ranged<const FROM: u8, const TO: u8>;

    impl<const FROM: u8, const TO: u8> Visitor<'_> for Ranged<FROM, TO> {
        type Value = Option<u32>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "an integer from {FROM} to {TO}")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Option<u32>, E> {
            u32::try_from(number).map(Some).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Option<u32>, E> {
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
