//! Recognises Reid strings where stickers or moves are expected, to reject them by name.
//!
//! A Reid string names the piece in each of the twenty slots; the solved cube is `UF UR UB UL DF DR DB DL FR FL BR BL
//! UFR URB UBL ULF DRF DFL DLB DBR`. Some programs append the six centres. All its letters are turns as well, so as a
//! scramble it would give another cube.

use crate::face::Face;
use crate::piece::{Corner, Edge};

/// Message of the error for a Reid string. [`forms::read`](crate::forms::read) reads it.
pub const REID_REFUSAL: &str =
    "20 names of pieces in a row look like a Reid string (`UF UR UB ...`), not like stickers or moves.";

/// Returns whether the text consists of twenty names of pieces, their letters in any order, with or without the six
/// centres. Comments and pauses are skipped.
pub(crate) fn is_reid(text: &str) -> bool {
    const PIECES: usize = Edge::COUNT + Corner::COUNT;
    // The notation ignores these between turns.
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let mut words =
        lines.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '.')).filter(|word| !word.is_empty());
    if words.by_ref().take(PIECES).take_while(|word| is_piece(word)).count() != PIECES {
        return false;
    }
    let rest: Vec<_> = words.take(Face::COUNT + 1).collect();
    rest.is_empty() || (rest.len() == Face::COUNT && Face::ALL.iter().all(|face| rest.contains(&face.name())))
}

fn is_piece(word: &str) -> bool {
    Edge::NAMES
        .iter()
        .chain(&Corner::NAMES)
        .any(|name| name.len() == word.len() && name.chars().all(|c| word.contains(c)))
}
