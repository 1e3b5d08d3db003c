//! Cubes from scanned stickers: unknown ones are completed, and faces in unknown rotations or order are put together. Problems keep the
//! stickers for the search for repairs, and say in which arrangement of the faces they are a legal cube.

use crate::api::problem::{Code, CubeReading, Problem};
use crate::api::types::ScannedFaces;
use superflip_cube::forms::{Buffers, Read, listed, shown};
use superflip_cube::verify::sticker;
use superflip_cube::{Face, Form, Violation, forms};
use superflip_scan::repair::{
    Completions, FaceReading, Repair, Scanned, Stickers, completions, misread_centres, read_faces, turned_faces,
};
use superflip_scan::{Arrangement, legal_arrangements};

/// Replaces each `?` by a sticker, in the symbols of the text. It takes about a millisecond.
///
/// # Errors
/// Returns an error if no legal cube, or more than one, has the known stickers.
pub(crate) fn complete(text: &str) -> Result<String, Problem> {
    let stickers = Stickers::parse(text)?;
    let unknown = stickers.unknown().len();
    let Completions { total, first, undecided } = completions(&stickers);
    match first {
        Some(only) if total == 1 => Ok(only.facelets),
        Some(example) => {
            let detail = format!(
                "{unknown} of 54 stickers are unknown (`?`), and {total} legal cubes have the known stickers. Read more of the stickers \
                 in `doubtful`."
            );
            Err(Problem::new(Code::UnknownStickers, detail).with(|document| {
                (document.completions, document.example) = (Some(total.to_string()), Some(example.facelets));
                document.doubtful = Some(undecided);
            }))
        }
        None => {
            let message = "No legal cube has the known stickers. At least one of them is misread.";
            Err(impossible("no_completion", message).of_stickers(text))
        }
    }
}

/// Returns the form of a text, and its 54 symbols in the order U R F D L B. Without `format`, the form is recognised.
///
/// # Errors
/// Returns an error if the text is not in a form that lists stickers, or has several meanings.
pub(crate) fn of_text(text: &str, format: Option<Form>) -> Result<(Form, String), Problem> {
    let read = Read::of(text, format, Buffers::default());
    let text = &*forms::without_list(text);
    let format = match &read {
        Ok(read) => Some(read.format),
        Err(error) => error.format(),
    };
    let stickers = format.and_then(|format| Some((format, forms::in_facelet_order(text, format)?)));
    match (stickers, read) {
        (Some(stickers), _) => Ok(stickers),
        (None, Err(error)) => Err(error.into()),
        (None, Ok(read)) => {
            let detail = format!(
                "Read as {}: the text lists no stickers. Only stickers can be repaired; give 54 symbols in `facelets`.",
                read.format
            );
            Err(Problem::new(Code::UnreadableCube, detail).in_field("cube"))
        }
    }
}

/// Creates the problem of a cube that is impossible for a reason that concerns the whole cube.
pub(crate) fn impossible(code: &'static str, message: &str) -> Problem {
    let (slots, pieces, stickers) = (Vec::new(), Vec::new(), Vec::new());
    let violation = Violation { code, message: message.to_owned(), slots, pieces, stickers, kociemba: None };
    Problem::new(Code::ImpossibleCube, message).with(|document| document.violations = Some(vec![violation.into()]))
}

/// Describes a rotation of a face.
pub(crate) fn turns_in_words(turns: u8) -> &'static str {
    match turns {
        1 => "90 degrees clockwise",
        2 => "180 degrees",
        _ => "90 degrees counterclockwise",
    }
}

/// Describes a change of centres as a sentence.
fn centres_in_words(repair: &Repair) -> String {
    let name = |facelet: &u8| sticker((*facelet).into());
    match repair.changed.as_slice() {
        [one, other] => {
            format!(" The cube is possible if the centres {} and {} are exchanged.", name(one), name(other))
        }
        changed => {
            let symbol =
                |facelet: &u8| repair.facelets.chars().nth(usize::from(*facelet)).map_or_else(String::new, shown);
            let centres = changed.iter().map(|facelet| format!("{} is `{}`", name(facelet), symbol(facelet)));
            format!(" The cube is possible if centre {}.", centres.collect::<Vec<_>>().join(" and "))
        }
    }
}

impl Problem {
    /// Keeps the stickers of an impossible cube, in the order U R F D L B, if a legal cube may be near. Adds to the text which face
    /// was probably rotated, or which centre was misread.
    #[must_use]
    pub(crate) fn of_stickers(self, text: &str) -> Self {
        if self.code() != Code::ImpossibleCube {
            return self;
        }
        let stickers = Stickers::parse(text);
        let turned = stickers.as_ref().map_or_else(|_| Vec::new(), turned_faces);
        let symbols: String = text.chars().filter(|symbol| !symbol.is_whitespace()).collect();
        self.with(|document| {
            document.stickers = stickers.is_ok().then(|| text.into());
            if let [first, ..] = turned.as_slice() {
                let (face, way) = (first.face.name(), turns_in_words(first.turns));
                let sentence = format!(" The cube is possible if face {face} is turned by {way}.");
                document.detail += &sentence;
            }
            // With the six centres known, an error of other stickers is as likely.
            for centre in misread_centres(&symbols).iter().filter(|_| turned.is_empty()).take(1) {
                document.detail += &centres_in_words(centre);
            }
        })
    }
}

/// Maximum number of readings in a problem.
const LISTED: usize = 20;

/// Puts six faces together to the only legal cube. It takes less than a millisecond.
///
/// # Errors
/// Returns an error if a sticker is unknown, or if there is no legal cube, or more than one.
pub(crate) fn put_together(text: &str, scanned: Scanned) -> Result<ScannedFaces, Problem> {
    if text.contains(Stickers::UNKNOWN) {
        let detail = "Faces in unknown rotations or order can be put together only if every sticker is known. Read the stickers that \
                      are `?`, or remove `face_rotations` and `face_order`.";
        return Err(Problem::new(Code::UnknownStickers, detail).in_field("facelets"));
    }
    let mut found = read_faces(&Stickers::parse(text)?, scanned, LISTED)?;
    let Scanned { unknown_order, unknown_rotations } = scanned;
    match found.total {
        0 if found.is_mirrored => {
            let message = "The faces fit together only with mirrored centres. Turn off the mirroring of the camera. If the colours of \
                           your cube are mirrored, write other symbols.";
            Err(impossible("mirrored_scan", message))
        }
        0 => {
            let ways = match (unknown_rotations, unknown_order) {
                (true, true) => "rotations or order",
                (true, false) => "rotations",
                _ => "order",
            };
            let message = format!("The faces form no legal cube in any {ways}. At least one sticker is misread.");
            Err(impossible("no_arrangement", &message))
        }
        1 => {
            let FaceReading { facelets, order, turns, .. } = found.readings.remove(0);
            Ok(ScannedFaces::new(facelets, order, turns))
        }
        total => {
            let detail = format!(
                "The faces form {total} legal cubes. Choose one of `readings`, or scan the faces as documented."
            );
            let readings = found.readings.into_iter();
            let readings = readings.map(|reading| CubeReading::of_faces(reading, unknown_order, unknown_rotations));
            Err(Problem::new(Code::AmbiguousCube, detail)
                .in_field("facelets")
                .with(|document| document.readings = Some(readings.collect())))
        }
    }
}

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
