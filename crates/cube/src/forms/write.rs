//! Writes a cube in every text form.

use super::colours::colours;
use super::format::Format;
use super::holding::Holding;
use super::pieces::kpattern::KPattern;
use super::pieces::speffz::{Buffers, to_speffz};
use super::pieces::{b32, reid, twizzle};
use super::stickers::write as pictures;
use crate::cubie::Cube;

/// One cube in every form. Each text is canonical: the same cube and holding always give the same text.
///
/// Forms that have centres show the holding: facelets, nets, digits, Reid strings, `KPattern`. In those, letters name
/// centres. B32 and Twizzle binary name the pieces relative to the centres and give the holding apart. Speffz has no
/// holding: there, letters name places as held.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Forms {
    /// How the cube is held.
    pub holding: Holding,
    /// 54 letters in the order U R F D L B.
    pub facelets: String,
    /// 54 letters in the order U L F R B D.
    pub ulfrbd: String,
    /// Nine lines of an unfolded cube.
    pub net: String,
    /// `0` and 54 digits in the order U L F R B D, as rubiks-cube-solver.com has them.
    pub digits: String,
    /// Reid string; with centres only if the cube is not held as [`Holding::HOME`].
    pub reid: String,
    /// Nissy's letters.
    pub b32: String,
    /// Numbers of pieces for cubing.js and twips.
    pub kpattern: KPattern,
    /// Speffz letters with the buffers `A` and `U`.
    pub speffz: String,
    /// Twizzle binary as hexadecimal digits in pairs.
    pub twizzle: String,
}

impl Forms {
    /// Writes a cube, named by places as held, in every form.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::{Forms, Holding};
    /// use superflip_cube::{Cube, Move};
    ///
    /// let forms = Forms::of(&Cube::SOLVED.after(&[Move::R, Move::U, Move::F]), Holding::HOME);
    /// assert_eq!(forms.facelets, "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB");
    /// assert_eq!(forms.reid, "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR");
    /// assert_eq!(forms.twizzle, "af 1e 24 f4 46 2a c2 82 d8 00 00");
    /// ```
    pub fn of(cube: &Cube, holding: Holding) -> Self {
        let colours = colours(cube, holding);
        Self {
            holding,
            facelets: pictures::facelets(&colours),
            ulfrbd: pictures::ulfrbd(&colours),
            net: pictures::net(&colours),
            digits: pictures::digits(&colours),
            reid: reid::write(cube, holding),
            b32: b32::write(cube, holding),
            kpattern: KPattern::of(cube, holding),
            speffz: to_speffz(cube, Buffers::default()),
            twizzle: twizzle::write(cube, holding),
        }
    }

    /// Returns each form that is a text.
    pub fn texts(&self) -> [(Format, &str); 8] {
        [
            (Format::Facelets, &self.facelets),
            (Format::Ulfrbd, &self.ulfrbd),
            (Format::Net, &self.net),
            (Format::Digits, &self.digits),
            (Format::Reid, &self.reid),
            (Format::B32, &self.b32),
            (Format::Speffz, &self.speffz),
            (Format::Twizzle, &self.twizzle),
        ]
    }
}
