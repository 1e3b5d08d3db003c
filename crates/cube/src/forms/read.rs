//! Reads a cube in any text form.

use std::str::FromStr;

use super::detect::detect;
use super::error::{Fault, FormError};
use super::format::Format;
use super::found::Found;
use super::holding::Holding;
use super::moves::link::Link;
use super::nearest::nearest;
use super::parse::parse;
use super::pieces::speffz::Buffers;
use crate::cubie::Cube;

/// A cube that was read, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    /// The form of the text.
    pub format: Format,
    /// The cube. Letters name places as the cube is held, so a solution can be turned without rotating the cube first.
    pub cube: Cube,
    /// How the cube is held; `None` if the form or the symbols do not say it.
    pub holding: Option<Holding>,
    /// The parts of a link; `None` for other forms.
    pub link: Option<Link>,
}

/// Reads a cube in any text form, as [`read`] does without a form.
impl FromStr for Cube {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        read(text, None, Buffers::default()).map(|read| read.cube)
    }
}

/// Reads a cube in the form `format`, or recognises the form if it is `None`. `buffers` are those of Speffz texts.
///
/// The forms and the rules by which they are recognised are listed in [`forms`](super).
///
/// # Examples
/// ```
/// use superflip_cube::forms::{Buffers, FormError, Format, Holding, read};
/// use superflip_cube::{Cube, Move};
///
/// let cube = Cube::SOLVED.after(&[Move::R, Move::U, Move::F]);
/// for text in ["R U F", "GETVSBAH=ZFCXBAGLYTKE=A", "dgtbcvc.onmqeilJ", "https://alg.cubing.net/?setup=R_U_F"] {
///     assert_eq!(read(text, None, Buffers::default())?.cube, cube);
/// }
/// let held = read("y R", None, Buffers::default())?;
/// assert_eq!((held.cube, held.holding), (*Move::R.cube(), Holding::from_name("UR")));
///
/// // Wide turns, or pieces to exchange?
/// let ambiguous = read("f.b", None, Buffers::default());
/// assert!(matches!(ambiguous, Err(FormError::Ambiguous(_))));
/// assert!(read("f.b", Some(Format::Speffz), Buffers::default()).is_ok());
/// # Ok::<(), FormError>(())
/// ```
///
/// # Errors
/// - [`FormError::Ambiguous`] if the text is a different cube in several forms, and `format` is `None`.
/// - [`FormError::Unreadable`], [`FormError::Impossible`] or [`FormError::UnknownStickers`] if it is a cube in no form, or
///   not in the form `format`.
pub fn read(text: &str, format: Option<Format>, buffers: Buffers) -> Result<Read, FormError> {
    let read = match format {
        Some(format) => parse(text, format, buffers).map(|found| (format, found)).map_err(|fault| (format, fault)),
        None => detect(text, buffers)?,
    };
    match read {
        Ok((format, Found { cube, holding, link })) => Ok(Read { format, cube, holding, link }),
        Err((format, fault @ Fault::At { position, .. })) => {
            let mut error = fault.in_form(format);
            if let FormError::Unreadable { nearest: found, .. } = &mut error {
                *found = nearest(text, format, buffers, position);
            }
            Err(error)
        }
        Err((format, fault)) => Err(fault.in_form(format)),
    }
}
