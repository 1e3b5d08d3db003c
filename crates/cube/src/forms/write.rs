//! Writes a cube in every text form.

use super::kpattern::KPattern;
use super::speffz::Buffers;
use super::{Form, b32, reid, stickers, twizzle};
use crate::cubie::Cube;
use crate::holding::Holding;

impl Form {
    /// Writes a cube, named by places as held, in this form. Returns `None` if the form is only read.
    ///
    /// Each text is canonical: the same cube and holding always give the same text. Forms that have centres show the holding:
    /// facelets, nets, digits, Reid strings, `KPattern`. In those, letters name centres. B32 and Twizzle binary name the pieces
    /// relative to the centres and give the holding apart. Speffz has no holding: there, letters name places as held, and the
    /// buffers are `A` and `U`.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, Form, FormError, Holding};
    ///
    /// let cube: Cube = "R U F".parse()?;
    /// let twizzle = Form::Twizzle.write(&cube, Holding::HOME);
    /// assert_eq!(twizzle.as_deref(), Some("af 1e 24 f4 46 2a c2 82 d8 00 00"));
    /// # Ok::<(), FormError>(())
    /// ```
    pub fn write(self, cube: &Cube, holding: Holding) -> Option<String> {
        match self {
            Self::Facelets | Self::Ulfrbd | Self::Net | Self::Digits => stickers::write(&holding.stickers(cube), self),
            Self::Reid => Some(reid::write(cube, holding)),
            Self::B32 => Some(b32::write(cube, holding)),
            Self::KPattern => serde_json::to_string(&KPattern::of(cube, holding)).ok(),
            Self::Speffz => Some(Buffers::default().write(cube)),
            Self::Twizzle => Some(twizzle::write(cube, holding)),
            Self::Scramble | Self::Link => None,
        }
    }
}

impl Cube {
    /// Writes the cube in a form, held with U on top and F in front. Forms that are only read give facelets.
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::{Cube, Form, FormError};
    ///
    /// let cube: Cube = "R U F".parse()?;
    /// assert_eq!(cube.to_form(Form::Facelets), "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB");
    /// assert_eq!(cube.to_form(Form::Reid), "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR");
    /// # Ok::<(), FormError>(())
    /// ```
    pub fn to_form(&self, form: Form) -> String {
        form.write(self, Holding::HOME).unwrap_or_else(|| self.to_string())
    }
}
