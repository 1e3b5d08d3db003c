//! Reasons why a cube is impossible, in problem documents.

use serde::Serialize;

use crate::contract::ToSchema;
use superflip_cube::Violation;

/// Reason why a cube is impossible.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Violation)]
pub struct ViolationBody {
    /// Kind of the reason, as a stable word.
    pub code: &'static str,
    /// Explanation in one or two sentences.
    pub message: String,
    /// Slots concerned, such as `URF`.
    pub slots: Vec<&'static str>,
    /// Pieces concerned, such as `UR`.
    pub pieces: Vec<&'static str>,
    /// Stickers concerned, as indices into `facelets`, 0 to 53 in ascending order. Empty if no sticker can be singled out, or if the
    /// cube was given as `cubies`.
    pub stickers: Vec<u8>,
    /// Kociemba's error number, 1 to 6; null if there is none.
    #[schema(minimum = 1, maximum = 6)]
    pub kociemba: Option<u8>,
}

impl From<Violation> for ViolationBody {
    fn from(from: Violation) -> Self {
        let Violation { code, message, slots, pieces, stickers, kociemba } = from;
        Self { code, message, slots, pieces, stickers, kociemba }
    }
}
