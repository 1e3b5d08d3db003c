//! The field `cube`: a text, or an object.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, Visitor};

use super::Cubies;
use superflip_cube::forms::{KPattern, Orbit, PatternData};

/// Cube as a text in any form, or as an object.
#[derive(Clone, Debug)]
pub enum CubeValue {
    /// Text in any form.
    Text(String),
    /// Kociemba's arrays.
    Cubies(Cubies),
    /// Object of cubing.js.
    Pattern(Box<KPattern>),
}

/// Members of a cubies object. An object with one of them has no others.
const CUBIES: &[&str] = &["cp", "co", "ep", "eo"];

/// Members of every object. Others are permitted in a `KPattern`.
#[derive(serde::Deserialize)]
struct Members {
    cp: Option<Vec<u32>>,
    co: Option<Vec<u32>>,
    ep: Option<Vec<u32>>,
    eo: Option<Vec<u32>>,
    #[serde(rename = "experimentalPuzzleName")]
    puzzle: Option<String>,
    #[serde(rename = "patternData")]
    whole: Option<PatternData>,
    #[serde(rename = "EDGES")]
    edges: Option<Orbit>,
    #[serde(rename = "CORNERS")]
    corners: Option<Orbit>,
    #[serde(rename = "CENTERS")]
    centers: Option<Orbit>,
}

impl Members {
    /// Returns the cube. `names` are the names of all members.
    fn cube<E: Error>(self, names: &[String]) -> Result<CubeValue, E> {
        let is_of_cubies = |name: &&String| CUBIES.contains(&name.as_str());
        if names.iter().any(|name| is_of_cubies(&name)) {
            if let Some(unknown) = names.iter().find(|name| !is_of_cubies(name)) {
                return Err(E::unknown_field(unknown, CUBIES));
            }
            let required = |array: Option<Vec<u32>>, name| array.ok_or_else(|| E::missing_field(name));
            let [cp, co] = [required(self.cp, "cp")?, required(self.co, "co")?];
            let [ep, eo] = [required(self.ep, "ep")?, required(self.eo, "eo")?];
            return Ok(CubeValue::Cubies(Cubies { cp, co, ep, eo }));
        }
        let bare = || Some(PatternData { edges: self.edges?, corners: self.corners?, centers: self.centers });
        let pattern_data = self.whole.or_else(bare).ok_or_else(|| {
            E::custom(
                "expected a KPattern with `patternData` or with `EDGES` and `CORNERS`, or cubies with `cp`, `co`, `ep` and `eo`",
            )
        })?;
        let experimental_puzzle_name = self.puzzle.unwrap_or_else(|| "3x3x3".to_owned());
        Ok(CubeValue::Pattern(Box::new(KPattern { experimental_puzzle_name, pattern_data })))
    }
}

/// Access to an object that keeps the names of its members.
struct Named<A> {
    map: A,
    names: Vec<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Named<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let Some(name) = self.map.next_key::<String>()? else { return Ok(None) };
        let key = seed.deserialize(name.as_str().into_deserializer())?;
        self.names.push(name);
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

impl<'de> Deserialize<'de> for CubeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrObject;

        impl<'de> Visitor<'de> for TextOrObject {
            type Value = CubeValue;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string, a KPattern object or a cubies object")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<CubeValue, E> {
                Ok(CubeValue::Text(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<CubeValue, A::Error> {
                let mut named = Named { map, names: Vec::new() };
                let members = Members::deserialize(MapAccessDeserializer::new(&mut named))?;
                members.cube(&named.names)
            }
        }

        deserializer.deserialize_any(TextOrObject)
    }
}

/// Cube in any form: a text, or an object.
#[cfg(feature = "contract")]
#[derive(utoipa::ToSchema)]
#[schema(as = AnyCube)]
#[serde(untagged)]
pub enum CubeSchema {
    /// Text in any form.
    Text(String),
    /// Kociemba's arrays.
    Cubies(super::Cubies),
    /// Object of cubing.js, whole or only its `patternData`.
    Pattern(super::described::KPattern),
}
