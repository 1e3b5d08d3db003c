//! Stickers as JSON: a list of stickers, rows or faces, or an object with the six faces.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};

use super::CubeValue;
use crate::contract::ToSchema;
use superflip_cube::forms;

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
