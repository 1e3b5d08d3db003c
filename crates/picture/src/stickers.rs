//! Stickers of a cube: the kind of sticker in each place, before colours are assigned.

use superflip_cube::forms::Holding;
use superflip_cube::geometry::{CENTRE_FACELETS, CORNER_FACELETS, EDGE_FACELETS};
use superflip_cube::{Cube, Face};

use crate::colour::{DARK_GREY, GREY, Paint, Scheme};

/// A sticker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sticker {
    /// Sticker of a face, in the colour of the scheme.
    Of(Face),
    /// Blank sticker: `n`, dark grey.
    Blank,
    /// Sticker that is known to be oriented: `o`, grey.
    Oriented,
    /// Sticker in a colour of its own.
    Painted(Paint),
}

impl Sticker {
    /// Sticker that is not drawn.
    pub const TRANSPARENT: Self = Self::Painted(None);

    /// Returns the sticker of a lower-case letter: `u r f d l b`, `n` blank, `o` oriented, `t` transparent.
    pub fn of_letter(letter: char) -> Option<Self> {
        match letter {
            'n' => Some(Self::Blank),
            'o' => Some(Self::Oriented),
            't' => Some(Self::TRANSPARENT),
            'a'..='z' => Face::from_letter(letter.to_ascii_uppercase()).map(Self::Of),
            _ => None,
        }
    }

    /// Returns the paint of the sticker.
    pub fn paint(self, scheme: &Scheme) -> Paint {
        match self {
            Self::Of(face) => scheme.0[face.index()],
            Self::Blank => Some(DARK_GREY),
            Self::Oriented => Some(GREY),
            Self::Painted(paint) => paint,
        }
    }
}

/// Returns the stickers of a solved cube.
pub fn solved(size: usize) -> Vec<Sticker> {
    Face::ALL.into_iter().flat_map(|face| std::iter::repeat_n(Sticker::Of(face), size * size)).collect()
}

/// Returns for each place of a cube the place where its sticker is on the solved cube.
pub fn origins(cube: &Cube) -> [usize; 54] {
    let mut origins = [0; 54];
    for centre in CENTRE_FACELETS {
        origins[centre] = centre;
    }
    for (slot, (piece, twist)) in cube.corners().iter().zip(cube.twists()).enumerate() {
        for (at, from) in CORNER_FACELETS[piece.index()].into_iter().enumerate() {
            origins[CORNER_FACELETS[slot][(at + usize::from(*twist)) % 3]] = from;
        }
    }
    for (slot, (piece, flip)) in cube.edges().iter().zip(cube.flips()).enumerate() {
        for (at, from) in EDGE_FACELETS[piece.index()].into_iter().enumerate() {
            origins[EDGE_FACELETS[slot][(at + usize::from(*flip)) % 2]] = from;
        }
    }
    origins
}

/// Returns the stickers of a cube that is held as `holding` says. `shown` says which stickers of the solved cube, held likewise, are
/// shown; the others become `hidden`.
pub fn of_cube(cube: &Cube, holding: Holding, shown: Option<&[bool]>, hidden: Sticker) -> Vec<Sticker> {
    let centres = holding.centres();
    let sticker = |from: usize| {
        let is_shown = shown.is_none_or(|shown| shown[from]);
        if is_shown { Sticker::Of(centres[from / 9]) } else { hidden }
    };
    origins(cube).into_iter().map(sticker).collect()
}

#[cfg(test)]
mod tests {
    use superflip_cube::input::{parse_scramble, to_facelets};

    use super::*;

    #[test]
    fn origins_have_the_faces_of_the_facelets() {
        let mut scramble = String::new();
        for turn in ["R", "U", "F", "D'", "L", "B", "U'", "R2", "F'", "L", "D", "B2"] {
            scramble.push_str(turn);
            let cube = parse_scramble(&scramble).unwrap();
            let letters: String = origins(&cube).iter().map(|from| Face::ALL[from / 9].letter()).collect();
            assert_eq!(letters, to_facelets(&cube), "{scramble}");
            let mut all = origins(&cube);
            all.sort_unstable();
            assert!(all.into_iter().eq(0..54), "{scramble}");
        }
    }
}
