//! Recognises Reid strings, which are not read, so that they are refused by name.
//!
//! A Reid string names the piece in each of the twenty slots, the solved cube being `UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF
//! DRF DFL DLB DBR`; some programs write the six centres behind it. All its letters are turns as well, so read as a scramble it would
//! be another cube.

use crate::cube::face::Face;
use crate::cube::piece::{Corner, Edge};

/// Why such a text is refused, and what to do.
pub(crate) const REFUSAL: &str = "20 names of pieces in a row look like a Reid string (`UF UR UB ...`), a form that is not supported: \
                                  convert it to facelets or cubies.";

/// Whether the text is twenty names of pieces, their letters in any order, with or without the six centres behind them. Comments and pauses are
/// skipped.
pub(crate) fn is_reid(text: &str) -> bool {
    const PIECES: usize = Edge::COUNT + Corner::COUNT;
    // What the notation skips between turns.
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
