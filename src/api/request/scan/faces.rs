//! Faces in unknown rotations or order: the only legal cube, or a problem with all of them.

use super::stickers::impossible;
use crate::api::problem::{Code, CubeReading, Problem};
use crate::api::types::ScannedFaces;
use superflip_scan::repair::{FaceReading, Scanned, Stickers, read_faces};

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
