//! Writes the forms that list 54 stickers.

use super::layout::{NET, ULFRBD};
use crate::face::Face;
use crate::geometry::FACELETS;

/// Writes the stickers in the order U R F D L B.
pub(crate) fn facelets(colours: &[Face; FACELETS]) -> String {
    colours.iter().map(|colour| colour.letter()).collect()
}

/// Writes the stickers in the order U L F R B D.
pub(crate) fn ulfrbd(colours: &[Face; FACELETS]) -> String {
    ULFRBD.iter().map(|at| colours[usize::from(*at)].letter()).collect()
}

/// Writes nine lines: U above F, then L F R B side by side, then D below F.
pub(crate) fn net(colours: &[Face; FACELETS]) -> String {
    const WIDTH: usize = "LLL FFF RRR BBB\n".len();
    let mut text = String::with_capacity(9 * WIDTH);
    for (position, at) in NET.iter().enumerate() {
        let is_in_band = (9..45).contains(&position);
        let column = if is_in_band { (position - 9) % 12 } else { position % 3 };
        match column {
            0 if position > 0 => text.push('\n'),
            3 | 6 | 9 => text.push(' '),
            _ => {}
        }
        if column == 0 && !is_in_band {
            text.push_str("    ");
        }
        text.push(colours[usize::from(*at)].letter());
    }
    text
}

/// Writes `0` and 54 digits in the order U L F R B D, with U1 L2 F3 R4 B5 D6.
pub(crate) fn digits(colours: &[Face; FACELETS]) -> String {
    let digit = |colour: Face| ['1', '4', '3', '6', '2', '5'][colour.index()];
    std::iter::once('0').chain(ULFRBD.iter().map(|at| digit(colours[usize::from(*at)]))).collect()
}
