//! Finds the one misread sticker of an impossible cube.
//!
//! A misread sticker changes two counts: its true colour occurs eight times, the colour read instead ten times.
//! Correcting it makes the cube possible. At most one correction can do so: a second candidate would be in a slot that
//! shows the same piece, and correcting it would exchange two pieces, which changes the parity.

use super::error::shown;
use super::verify::sticker;
use crate::face::Face;
use crate::geometry::{CENTRE_FACELETS, FACELETS};

/// Number of stickers of each colour.
const EACH: usize = FACELETS / Face::COUNT;

/// A sticker that was probably misread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Misread {
    /// Index of the facelet.
    pub(crate) facelet: usize,
    /// Symbol that makes the cube possible.
    pub(crate) symbol: char,
}

impl Misread {
    /// Returns the only sticker for which another symbol makes the cube possible, or `None` if there is none or more
    /// than one.
    ///
    /// `counts` are the symbols with their counts. The correct symbol is the one that occurs eight times.
    pub(crate) fn find(symbols: &[char], counts: &[(char, usize)], is_possible: impl Fn(&str) -> bool) -> Option<Self> {
        let mut wrong = counts.iter().filter(|(_, count)| *count != EACH);
        let (Some(one), Some(other), None) = (wrong.next(), wrong.next(), wrong.next()) else { return None };
        let (seldom, often) = if one.1 == EACH - 1 { (one, other) } else { (other, one) };
        // Ten of a colour, or a seventh symbol.
        if seldom.1 != EACH - 1 || ![EACH + 1, 1].contains(&often.1) {
            return None;
        }
        let mends = |&facelet: &usize| {
            let mended = |(at, &symbol)| if at == facelet { seldom.0 } else { symbol };
            is_possible(&symbols.iter().enumerate().map(mended).collect::<String>())
        };
        let mut found = (0..symbols.len()).filter(|&facelet| symbols[facelet] == often.0).filter(mends);
        let (Some(facelet), None) = (found.next(), found.next()) else { return None };
        Some(Self { facelet, symbol: seldom.0 })
    }

    /// Returns whether it is the centre of a face.
    pub(crate) fn is_centre(self) -> bool {
        CENTRE_FACELETS.contains(&self.facelet)
    }

    /// Returns the advice to the user as a sentence.
    pub(crate) fn remedy(self) -> String {
        format!("Check sticker {}: the cube is possible if it is `{}`.", sticker(self.facelet), shown(self.symbol))
    }
}
