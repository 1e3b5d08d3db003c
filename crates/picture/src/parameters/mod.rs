//! The parameters of `VisualCube`, read strictly or as `VisualCube` reads them.
//!
//! The meaning of each parameter is in `docs/pictures.md`. `VisualCube` never refuses a value: it uses the default instead. The strict
//! reading refuses it.

mod fields;

use superflip_cube::{Cube, Holding};

use self::fields::{ColouredStickers, Fields};
use crate::Picture;
use crate::colour::{GREY, Paint, SILVER, Scheme};
use crate::geometry::Rotation;
use crate::stickers::{Sticker, of_cube};
use crate::turns;

/// Greatest number of layers.
pub const MAX_SIZE: usize = 10;
/// Greatest width and height in pixels.
pub const MAX_PIXELS: u32 = 1024;
/// Greatest number of rotations in `r`.
pub const MAX_ROTATIONS: usize = 100;

/// How values that `VisualCube` does not accept are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// They are errors.
    Strict,
    /// They mean the default, as `VisualCube` has it. Only texts that are too long are errors.
    Forgiving,
}

/// Values of the parameters. An empty text counts as absent.
#[derive(Clone, Copy, Default, Debug)]
#[allow(missing_docs)] // the names are those of the parameters
pub struct Parameters<'a> {
    pub pzl: Option<&'a str>,
    pub size: Option<&'a str>,
    pub view: Option<&'a str>,
    pub stage: Option<&'a str>,
    pub r: Option<&'a str>,
    pub alg: Option<&'a str>,
    pub case: Option<&'a str>,
    pub fd: Option<&'a str>,
    pub fc: Option<&'a str>,
    pub sch: Option<&'a str>,
    pub bg: Option<&'a str>,
    pub cc: Option<&'a str>,
    pub ac: Option<&'a str>,
    pub co: Option<&'a str>,
    pub fo: Option<&'a str>,
    pub dist: Option<&'a str>,
    pub arw: Option<&'a str>,
}

/// Special views.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Normal,
    Plan,
    Transparent,
}

/// A parameter that cannot be read, or does not fit the others.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{parameter}` {message}")]
pub struct ParameterError {
    /// Name of the parameter.
    pub parameter: &'static str,
    /// Kind of the fault.
    pub fault: ParameterFault,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Kind of the fault of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterFault {
    /// The text of a number is no number.
    Syntax,
    /// A value is not allowed: a number out of range, or a text that is too long or not as expected.
    Range,
    /// The parameter contradicts another one.
    Conflict,
    /// The moves cannot be read; the number is the character, from 0.
    Moves(usize),
}

impl ParameterError {
    pub(crate) fn new(parameter: &'static str, fault: ParameterFault, message: impl Into<String>) -> Self {
        Self { parameter, fault, message: message.into() }
    }

    /// Creates the error for a text that is not what is expected.
    pub(crate) fn unexpected(parameter: &'static str, found: &str, expected: &str) -> Self {
        Self::new(parameter, ParameterFault::Range, format!("is {}; expected {expected}", quoted(found)))
    }

    /// Creates the error for a text that is no number of the expected kind.
    pub(crate) fn no_number(parameter: &'static str, found: &str, expected: &str) -> Self {
        Self { fault: ParameterFault::Syntax, ..Self::unexpected(parameter, found, expected) }
    }
}

impl Parameters<'_> {
    /// Creates the picture that the parameters describe.
    ///
    /// # Errors
    /// Returns an error for the first parameter that cannot be read.
    pub fn read(&self, reading: Reading) -> Result<Picture, ParameterError> {
        let fields = Fields { given: self, reading };
        let size = fields.size()?;
        let view = fields.view()?;
        let (scheme, letters) = fields.scheme(Scheme::VISUALCUBE)?;
        let ColouredStickers { mut stickers, scheme, hidden } =
            fields.stickers(size)?.coloured(size, view, scheme, letters);
        if let Some(shown) = fields.mask(size)? {
            for (sticker, _) in stickers.iter_mut().zip(shown).filter(|(_, is_shown)| !is_shown) {
                *sticker = hidden;
            }
        }
        let mut moves: Vec<_> = fields.turns("case", self.case, size)?;
        moves.reverse();
        for turn in &mut moves {
            *turn = turn.inverse();
        }
        moves.extend(fields.turns("alg", self.alg, size)?);
        turns::apply(&mut stickers, &moves, size);
        styled(&fields, view, size, paints(&stickers, &scheme))
    }

    /// Creates the picture of a cube that is held as `holding` says, in the colours of the World Cube Association unless `sch` is given.
    /// A stage shows the stickers of its pieces, wherever they are. `alg` is applied to the cube.
    ///
    /// # Errors
    /// Returns an error for the first parameter that cannot be read, and for those that describe other stickers.
    pub fn read_cube(&self, cube: &Cube, holding: Holding, reading: Reading) -> Result<Picture, ParameterError> {
        let fields = Fields { given: self, reading };
        fields.check_beside_cube()?;
        let size = 3;
        let view = fields.view()?;
        let (scheme, _) = fields.scheme(Scheme::WCA)?;
        let hidden = if view == View::Transparent { Sticker::TRANSPARENT } else { Sticker::Blank };
        let mut stickers = of_cube(cube, holding, fields.mask(size)?.as_deref(), hidden);
        turns::apply(&mut stickers, &fields.turns("alg", self.alg, size)?, size);
        styled(&fields, view, size, paints(&stickers, &scheme))
    }
}

fn paints(stickers: &[Sticker], scheme: &Scheme) -> Vec<Paint> {
    stickers.iter().map(|sticker| sticker.paint(scheme)).collect()
}

/// Creates the picture of these stickers with the style of the parameters.
fn styled(fields: &Fields<'_>, view: View, size: usize, stickers: Vec<Paint>) -> Result<Picture, ParameterError> {
    let default = Picture::new(size, stickers);
    let (body, opacity) = if view == View::Transparent { (SILVER, 50) } else { (default.body, 100) };
    let rotations = fields.rotations()?;
    Ok(Picture {
        pixels: fields.pixels()?.unwrap_or(default.pixels),
        rotations: if view == View::Plan { Rotation::FROM_ABOVE.to_vec() } else { rotations },
        distance: fields.distance()?.unwrap_or(default.distance),
        has_rim: view == View::Plan,
        background: fields.background()?.unwrap_or(default.background),
        body: fields.colour("cc", fields.given.cc)?.unwrap_or(body),
        body_opacity: fields.opacity("co", fields.given.co)?.unwrap_or(opacity),
        sticker_opacity: fields.opacity("fo", fields.given.fo)?.unwrap_or(100),
        arrows: fields.arrows(size)?,
        arrow_colour: fields.colour("ac", fields.given.ac)?.unwrap_or(GREY),
        ..default
    })
}

/// Quotes a text of the caller, shortened.
fn quoted(text: &str) -> String {
    const KEPT: usize = 60;
    match text.char_indices().nth(KEPT) {
        Some((end, _)) => format!("`{}...`", text[..end].escape_debug()),
        None => format!("`{}`", text.escape_debug()),
    }
}
