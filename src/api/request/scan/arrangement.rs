//! Arrangements of scanned faces in words.

use super::stickers::turns_in_words;
use crate::api::problem::Problem;
use superflip_cube::Face;
use superflip_cube::forms::listed;
use superflip_scan::repair::Stickers;
use superflip_scan::{Arrangement, legal_arrangements};

/// Greatest number of arrangements in a sentence.
const NAMED: usize = 4;

/// Greatest number of faults in words behind a sentence that says what mends them all.
const FAULTS: usize = 2;

/// Describes what has to be done with the faces, or is the case, as a condition: "the faces are in the order U L F R B D".
pub(crate) fn condition(arrangement: &Arrangement) -> String {
    let Arrangement { order, is_mirrored, turns } = *arrangement;
    if order != Arrangement::AS_GIVEN.order {
        let letters = arrangement.places().map(|place| place.name().to_owned());
        let mirrored = if is_mirrored { ", each mirrored from left to right" } else { "" };
        return format!("the faces are in the order {}{mirrored}", letters.join(" "));
    }
    let is_alike = turns.iter().all(|other| *other == turns[0]);
    match (is_mirrored, is_alike, turns[0]) {
        (true, _, 0) => "each face is mirrored from left to right".to_owned(),
        (true, _, 1) => "each face is mirrored in its diagonal from top right to bottom left".to_owned(),
        (true, _, 2) => "each face is mirrored from top to bottom".to_owned(),
        (true, _, _) => "each face is given column by column".to_owned(),
        (false, true, turns) => format!("each face is turned by {}", turns_in_words(turns)),
        (false, false, _) => {
            let turned = Face::ALL.iter().zip(turns).filter(|(_, turns)| *turns != 0);
            let faces: Vec<String> =
                turned.map(|(face, turns)| format!("face {} by {}", face.name(), turns_in_words(turns))).collect();
            format!("these faces are turned: {}", listed(&faces))
        }
    }
}

/// Joins conditions as alternatives: at most [`NAMED`] in words, then the number of the others.
pub(crate) fn conditions(arrangements: &[Arrangement]) -> String {
    let named: Vec<String> = arrangements.iter().take(NAMED).map(condition).collect();
    let more = match arrangements.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(", and in {more} more arrangements"),
    };
    named.join(", or if ") + &more
}

impl Problem {
    /// Puts a sentence first that says what makes an impossible cube legal. In place of more than [`FAULTS`] faults in words, the text then
    /// has their number; the violations have them all.
    #[must_use]
    pub(crate) fn mended_by(self, sentence: &str) -> Self {
        self.with(|document| {
            let faults = document.violations.as_ref().map_or(0, Vec::len);
            let rest = if faults > FAULTS {
                format!("Without that, it has {faults} faults, which `violations` lists.")
            } else {
                std::mem::take(&mut document.detail)
            };
            document.detail = format!("{sentence} {rest}");
        })
    }
}

/// Names the other arrangements of the faces in which impossible stickers are a legal cube, in a sentence that says what to do. `text` has the
/// stickers in the order U R F D L B. `is_field` says that they are from the field `facelets`, which allows an unknown order.
pub(crate) fn other_arrangements(text: &str, is_field: bool) -> Option<String> {
    let found = legal_arrangements(&Stickers::parse(text).ok()?);
    let is_order = matches!(found.as_slice(), [only] if only.order != Arrangement::AS_GIVEN.order);
    let option = if is_order && is_field { ", or send `\"face_order\": \"unknown\"`" } else { "" };
    (!found.is_empty()).then(|| {
        format!(
            "The text is a legal cube if {}. Give the faces in the order U R F D L B, each row by row as seen from outside{option}.",
            conditions(&found)
        )
    })
}
