//! The fields `cube` and `cubies`: a text, a list, or an object.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use super::scan::{FACES, Items, of_faces};
use crate::api::request::read::short;
use crate::api::types::strict::{integers, objects};
use crate::contract::ToSchema;
use superflip_cube::forms::{self, KPattern};
use superflip_cube::{Cube, Form};

/// Cube as a text in any form, or as an object.
#[derive(Clone, Debug)]
pub enum CubeValue {
    /// Text in any form.
    Text(String),
    /// 54 stickers in the order U R F D L B.
    Faces(String),
    /// Kociemba's arrays.
    Cubies(Cubies),
    /// Object of cubing.js.
    Pattern(Box<KPattern>),
}

impl CubeValue {
    /// Returns the text, and its form if the value says it; `None` for an object of pieces.
    pub fn text(&self) -> Option<(&str, Option<Form>)> {
        match self {
            Self::Text(text) => Some((text, None)),
            Self::Faces(text) => Some((text, Some(Form::Facelets))),
            Self::Cubies(_) | Self::Pattern(_) => None,
        }
    }
}

impl Serialize for CubeValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) | Self::Faces(text) => serializer.serialize_str(text),
            Self::Cubies(cubies) => cubies.serialize(serializer),
            Self::Pattern(pattern) => pattern.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CubeValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrObject;

        impl<'de> Visitor<'de> for TextOrObject {
            type Value = CubeValue;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string, a list of stickers, or an object: faces, cubies or a KPattern")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<CubeValue, E> {
                Ok(CubeValue::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<CubeValue, A::Error> {
                Items::of_list(list).map(|items| CubeValue::Text(items.into_text()))
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

/// A cube as Kociemba's arrays, "replaced-by": entry i is the piece in slot i.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(remote = "Self", deny_unknown_fields)]
#[schema(example = json!({"cp": [0, 1, 2, 3, 4, 5, 6, 7], "co": [0, 0, 0, 0, 0, 0, 0, 0],
    "ep": [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "eo": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}))]
pub struct Cubies {
    /// Corner in each slot, 0 to 7, in the order URF UFL ULB UBR DFR DLF DBL DRB.
    #[serde(deserialize_with = "integers")]
    pub cp: Vec<u32>,
    /// Clockwise twist of the corner in each slot, 0 to 2.
    #[serde(deserialize_with = "integers")]
    pub co: Vec<u32>,
    /// Edge in each slot, 0 to 11, in the order UR UF UL UB DR DF DL DB FR FL BL BR.
    #[serde(deserialize_with = "integers")]
    pub ep: Vec<u32>,
    /// Flip of the edge in each slot, 0 or 1.
    #[serde(deserialize_with = "integers")]
    pub eo: Vec<u32>,
    /// Centre at each of the places U R F D L B, 0 to 5 in that order, as in `toJSON` of cubejs (default: the cube is held with U on top
    /// and F in front). Pieces are then named by their centres.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "integers")]
    pub center: Option<Vec<u32>>,
}

impl Serialize for Cubies {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

impl From<&Cube> for Cubies {
    fn from(cube: &Cube) -> Self {
        let entries = |numbers: &[u8]| numbers.iter().copied().map(u32::from).collect();
        Self {
            cp: cube.corners().iter().map(|piece| u32::from(*piece as u8)).collect(),
            co: entries(cube.twists()),
            ep: cube.edges().iter().map(|piece| u32::from(*piece as u8)).collect(),
            eo: entries(cube.flips()),
            center: None,
        }
    }
}

/// A `KPattern` of cubing.js: the whole object, or only its `patternData`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "Members")]
pub struct Pattern(pub KPattern);

impl TryFrom<Members> for Pattern {
    type Error = &'static str;

    fn try_from(members: Members) -> Result<Self, Self::Error> {
        members.pattern().map(Self).ok_or("expected `patternData`, or `EDGES` and `CORNERS` (and `CENTERS`)")
    }
}

/// Names of the members of a cubies object. An object with any of these names may have no other members.
const CUBIES: &[&str] = &["cp", "co", "ep", "eo", "center"];

/// Known members of a cubies object, of an object of faces and of a `KPattern`. Unknown members are ignored in a `KPattern`.
#[derive(Deserialize)]
#[serde(remote = "Self")]
struct Members {
    #[serde(default, deserialize_with = "integers")]
    cp: Option<Vec<u32>>,
    #[serde(default, deserialize_with = "integers")]
    co: Option<Vec<u32>>,
    #[serde(default, deserialize_with = "integers")]
    ep: Option<Vec<u32>>,
    #[serde(default, deserialize_with = "integers")]
    eo: Option<Vec<u32>>,
    #[serde(default, deserialize_with = "integers")]
    center: Option<Vec<u32>>,
    #[serde(rename = "U")]
    up: Option<Items>,
    #[serde(rename = "R")]
    right: Option<Items>,
    #[serde(rename = "F")]
    front: Option<Items>,
    #[serde(rename = "D")]
    down: Option<Items>,
    #[serde(rename = "L")]
    left: Option<Items>,
    #[serde(rename = "B")]
    back: Option<Items>,
    #[serde(rename = "experimentalPuzzleName")]
    puzzle: Option<String>,
    #[serde(rename = "patternData")]
    whole: Option<PatternPieces>,
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
        // An object of one kind has no members of another.
        for members in [CUBIES, &FACES] {
            let is_of_kind = |name: &&String| members.contains(&name.as_str());
            let unknown = names.iter().find(|name| !is_of_kind(name));
            if let Some(unknown) = unknown.filter(|_| names.iter().any(|name| is_of_kind(&name))) {
                return Err(E::unknown_field(unknown, members));
            }
        }
        let has = |members: &[&str]| names.iter().any(|name| members.contains(&name.as_str()));
        if has(&FACES) {
            return of_faces([self.up, self.right, self.front, self.down, self.left, self.back]);
        }
        if !has(CUBIES) {
            let pattern = self.pattern().ok_or_else(|| {
                E::custom(format!(
                    "expected a KPattern with `patternData` or with `EDGES` and `CORNERS`, cubies with `cp`, `co`, `ep` and `eo`, or \
                     faces with `U`, `R`, `F`, `D`, `L` and `B`, found {}",
                    object_of(names)
                ))
            })?;
            return Ok(CubeValue::Pattern(Box::new(pattern)));
        }
        let required = |array: Option<Vec<u32>>, name| array.ok_or_else(|| E::missing_field(name));
        let [cp, co] = [required(self.cp, "cp")?, required(self.co, "co")?];
        let [ep, eo] = [required(self.ep, "ep")?, required(self.eo, "eo")?];
        Ok(CubeValue::Cubies(Cubies { cp, co, ep, eo, center: self.center }))
    }

    fn pattern(self) -> Option<KPattern> {
        let Self { puzzle, whole, edges, corners, centers, .. } = self;
        let bare = || Some(PatternPieces { edges: edges?, corners: corners?, centers });
        let pattern_data = whole.or_else(bare)?.into();
        let experimental_puzzle_name = puzzle.unwrap_or_else(|| "3x3x3".to_owned());
        Some(KPattern { experimental_puzzle_name, pattern_data })
    }
}

/// Describes an object by the names of its first members.
fn object_of(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{}`", short(name))).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    if shown.is_empty() {
        "an object without members".into()
    } else {
        format!("an object with {}", forms::listed(&shown))
    }
}

/// `MapAccess` that records the names of the members that it reads.
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

/// The pieces of a [`KPattern`].
#[derive(Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "UPPERCASE")]
pub struct PatternPieces {
    /// Edges, 12 entries; orientations 0 and 1.
    pub edges: Orbit,
    /// Corners, 8 entries; orientations 0 to 2.
    pub corners: Orbit,
    /// Centres, 6 entries in the order U L F R B D; orientations 0 to 3 are ignored. If `CENTERS` is absent, the cube is held with
    /// U on top and F in front.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub centers: Option<Orbit>,
}

impl From<PatternPieces> for forms::PatternData {
    fn from(PatternPieces { edges, corners, centers }: PatternPieces) -> Self {
        Self { edges: edges.into(), corners: corners.into(), centers: centers.map(Into::into) }
    }
}

/// The pieces of one kind in a [`KPattern`].
#[derive(Deserialize, ToSchema)]
#[serde(remote = "Self", rename_all = "camelCase")]
pub struct Orbit {
    /// The piece in each slot.
    #[serde(deserialize_with = "integers")]
    pub pieces: Vec<u32>,
    /// The orientation of the piece in each slot.
    #[serde(deserialize_with = "integers")]
    pub orientation: Vec<u32>,
    /// Divisor of each orientation: 0 for exact orientations, 1 if the orientation does not count.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "integers")]
    pub orientation_mod: Option<Vec<u32>>,
}

impl From<Orbit> for forms::Orbit {
    fn from(Orbit { pieces, orientation, orientation_mod }: Orbit) -> Self {
        Self { pieces, orientation, orientation_mod }
    }
}

objects! { Cubies Members PatternPieces Orbit }
