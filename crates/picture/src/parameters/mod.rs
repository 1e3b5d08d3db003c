//! The parameters of `VisualCube`, read strictly or as `VisualCube` reads them.
//!
//! The meaning of each parameter is in `docs/pictures.md`. `VisualCube` never refuses a value: it uses the default instead. The strict
//! reading refuses it.

mod fields;
mod given;

use superflip_cube::{Cube, Holding};

use self::fields::{ColouredStickers, Fields};
use self::given::View;
use crate::Picture;
use crate::colour::{GREY, Paint, SILVER, Scheme};
use crate::geometry::Rotation;
use crate::moves;
use crate::stickers::{Sticker, of_cube};

pub use self::given::{ParameterError, ParameterFault, Parameters, Reading};

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
        let mut moves: Vec<_> = fields.moves("case", self.case, size)?;
        moves.reverse();
        for mv in &mut moves {
            *mv = mv.inverse();
        }
        moves.extend(fields.moves("alg", self.alg, size)?);
        moves::apply(&mut stickers, &moves, size);
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
        moves::apply(&mut stickers, &fields.moves("alg", self.alg, size)?, size);
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
