//! Scans: their fields in a request, stickers as JSON, and what a scan of colours adds to a response.

use std::fmt;

use serde::de::{Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::CubeValue;
use crate::contract::ToSchema;
use superflip_cube::geometry::CENTRE_FACELETS;
use superflip_cube::{Face, forms};
use superflip_scan::colours::{ColourReading, Margin};

/// What a scan adds to a response.
#[derive(Clone, Default, Debug)]
pub struct ScanDetails {
    /// Cube that was read from colours.
    pub scan: Option<Box<Scan>>,
    /// How faces in unknown rotations or order were put together.
    pub faces: Option<Box<ScannedFaces>>,
}

/// How the scanned faces were put together. A face of the cube that is solved is a scanned face, turned clockwise.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, ToSchema)]
pub struct ScannedFaces {
    /// Cube that results, as 54 symbols in the order U R F D L B, in the symbols of the request.
    pub facelets: String,
    /// For each face in the order U R F D L B, the number 0 to 5 of the scanned face that is there.
    pub order: [u8; 6],
    /// For each face in the order U R F D L B, the clockwise quarter turns, 0 to 3, by which the scanned face was turned.
    pub turns: [u8; 6],
    /// Symbols of the centres in the order U R F D L B.
    #[schema(example = "URFDLB")]
    pub symbols: String,
}

impl ScannedFaces {
    /// Creates the description from the cube that results.
    pub fn new(facelets: String, order: [u8; 6], turns: [u8; 6]) -> Self {
        let symbols = facelets.chars().enumerate().filter(|(at, _)| CENTRE_FACELETS.contains(at));
        let symbols = symbols.map(|(_, symbol)| symbol).collect();
        Self { facelets, order, turns, symbols }
    }
}

/// Cube that was read from colours.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Scan {
    /// Most likely legal cube, as 54 letters in the order U R F D L B.
    pub facelets: String,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
    /// How certain each sticker is, in the order of `facelets`; null for the six centres, which define the colours.
    #[schema(min_items = 54, max_items = 54)]
    pub margins: Vec<Option<StickerMargin>>,
    /// Next cubes, the most likely first.
    pub runners_up: Vec<String>,
    /// Colour of the stickers of each face in average light, estimated from the scan: red, green and blue, 0 to 255, in the order U R F D
    /// L B.
    pub references: Vec<[u8; 3]>,
}

/// Distance of a sticker from its next legal colour.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
pub struct StickerMargin {
    /// Letter of the face whose colour is the next most likely on this sticker: its colour on the most likely legal cube on which this
    /// sticker differs.
    #[schema(value_type = String)]
    pub next: Face,
    /// Colour difference (CIEDE2000) of the sample from that colour, less its difference from the chosen one. Negative if the sample
    /// looks like the other colour, and the pieces rule it out.
    pub delta_e: f64,
}

impl From<&Margin> for StickerMargin {
    fn from(margin: &Margin) -> Self {
        Self { next: margin.next, delta_e: margin.delta_e }
    }
}

impl From<&ColourReading> for Scan {
    fn from(reading: &ColourReading) -> Self {
        Self {
            facelets: reading.cube.to_string(),
            probability: reading.probability,
            margins: reading.margins.iter().map(|margin| margin.as_ref().map(Into::into)).collect(),
            runners_up: reading.runners_up.iter().map(|likely| likely.cube.to_string()).collect(),
            references: reading.references.to_vec(),
        }
    }
}

/// Text of a string, a digit, or a list of these. The items of a list have spaces between them.
#[derive(Clone, Debug)]
pub(super) struct Items {
    pub(super) text: String,
    is_list: bool,
    /// Whether this is a list of stickers, rows or faces, not of moves.
    is_of_stickers: bool,
}

impl<'de> Deserialize<'de> for Items {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AnyItem;

        impl<'de> Visitor<'de> for AnyItem {
            type Value = Items;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string, a digit or a list of these")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Items, E> {
                Ok(Items::of_text(text.to_owned()))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Items, E> {
                if number < 10 {
                    Ok(Items::of_text(number.to_string()))
                } else {
                    Err(E::invalid_value(Unexpected::Unsigned(number), &self))
                }
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Items, A::Error> {
                Items::of_list(items)
            }
        }

        deserializer.deserialize_any(AnyItem)
    }
}

impl Items {
    const fn of_text(text: String) -> Self {
        Self { text, is_list: false, is_of_stickers: false }
    }

    /// Returns the text of a list for `cube`. Stickers keep the marks of a list, so that they are not read as moves.
    pub(super) fn into_text(self) -> String {
        if !self.is_of_stickers {
            return self.text;
        }
        let items: Vec<String> = self.text.split_whitespace().map(|item| format!("\"{item}\"")).collect();
        format!("[[{}]]", items.join(" "))
    }

    /// Reads a list. An item with spaces must be the only one, because several of them are several cubes.
    pub(super) fn of_list<'de, A: SeqAccess<'de>>(mut list: A) -> Result<Self, A::Error> {
        let (mut texts, mut is_spaced, mut is_nested) = (Vec::new(), false, false);
        while let Some(Self { text, is_list, .. }) = list.next_element()? {
            is_spaced |= !is_list && text.trim().contains(char::is_whitespace);
            is_nested |= is_list;
            texts.push(text);
        }
        let text = texts.join(" ");
        if text.trim().is_empty() {
            return Err(A::Error::custom(
                "invalid value: list, expected stickers, rows, faces or moves, found an empty list",
            ));
        }
        if is_spaced && texts.len() > 1 {
            let message =
                "invalid value: list, expected stickers, rows, faces or single moves, found several texts with spaces";
            return Err(A::Error::custom(message));
        }
        let is_of_stickers = if is_nested {
            forms::are_stickers(&text.split_whitespace().collect::<Vec<_>>(), true)
        } else {
            forms::are_stickers(&texts, false)
        };
        Ok(Self { text, is_list: true, is_of_stickers })
    }
}

/// Names of the members of an object of faces, in the order of the stickers.
pub(super) const FACES: [&str; 6] = ["U", "R", "F", "D", "L", "B"];

/// Joins the stickers of six faces in the order U R F D L B.
pub(super) fn of_faces<E: Error>(faces: [Option<Items>; 6]) -> Result<CubeValue, E> {
    let mut text = String::new();
    for (name, face) in FACES.into_iter().zip(faces) {
        let Items { text: face, .. } = face.ok_or_else(|| E::missing_field(name))?;
        let symbols: Vec<char> = face.chars().filter(|symbol| !(symbol.is_whitespace() || *symbol == ',')).collect();
        if symbols.len() != 9 {
            let found = symbols.len();
            return Err(E::custom(format!("invalid value: {found}, expected 9 stickers in `{name}`, found {found}")));
        }
        text.extend(symbols);
    }
    Ok(CubeValue::Faces(text))
}

/// Stickers of each face, row by row as seen from outside: nine symbols in a text, or a list of them or of rows.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
#[allow(non_snake_case, dead_code)]
pub struct Faces {
    /// Face on top, seen with B at its top.
    U: String,
    /// Face on the right.
    R: String,
    /// Face in front.
    F: String,
    /// Face below, seen with F at its top.
    D: String,
    /// Face on the left.
    L: String,
    /// Face at the back.
    B: String,
}

/// Colour samples, as JSON whose numbers and lengths are not checked yet.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct Colors(pub Value);

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
pub enum FaceKnowledge {
    /// As documented for `facelets`.
    #[default]
    Known,
    /// To be found.
    Unknown,
}
