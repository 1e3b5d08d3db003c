//! The net of a cube of three layers, as `TNoodle` draws it.
#![allow(clippy::cast_possible_truncation)] // a picture has some thousand pixels

use superflip_cube::Face;

use crate::colour::{BLACK, Paint, Rgb, Scheme};
use crate::scene::{Group, Scene, Shape};

/// Width of a sticker.
const CELL: usize = 10;
/// Gap between faces.
const GAP: usize = 2;
/// Width of a face and the gap beside it.
const STEP: usize = 3 * CELL + GAP;

/// Column and row of each face in the order U R F D L B.
const PLACES: [(usize, usize); 6] = [(1, 0), (2, 1), (1, 1), (1, 2), (0, 1), (3, 1)];

/// Colours of `TNoodle` in the order U R F D L B: white, red, green, yellow, orange, blue.
pub const SCHEME: Scheme = Scheme([
    Some(Rgb::new(0xFF_FFFF)),
    Some(Rgb::new(0xFF_0000)),
    Some(Rgb::new(0x00_FF00)),
    Some(Rgb::new(0xFF_FF00)),
    Some(Rgb::new(0xFF_8000)),
    Some(Rgb::new(0x00_00FF)),
]);

/// Parses six colours in the alphabetical order of the faces, B D F L R U: hexadecimal digits separated by commas. An empty text means
/// [`SCHEME`].
pub fn scheme(text: &str) -> Option<Scheme> {
    if text.is_empty() {
        return Some(SCHEME);
    }
    let colours = text.split(',').map(|colour| crate::colour::hexadecimal(colour).map(Some));
    let Scheme([back, down, front, left, right, up]) = Scheme::collect(colours)?;
    Some(Scheme([up, right, front, down, left, back]))
}

/// Returns the net of 54 stickers, 130 pixels wide and 98 high.
pub fn scene(stickers: &[Paint]) -> Scene {
    let (width, height) = (4 * STEP + GAP, 3 * STEP + GAP);
    let mut shapes = Vec::with_capacity(stickers.len());
    for (at, paint) in stickers.iter().enumerate() {
        let Some(colour) = paint else { continue };
        let (column, row) = PLACES[at / 9];
        // The outlines are one pixel wide; half a pixel further they cover whole pixels.
        let left = (GAP + column * STEP + at % 3 * CELL) as f64 + 0.5;
        let top = (GAP + row * STEP + at % 9 / 3 * CELL) as f64 + 0.5;
        let (right, bottom) = (left + CELL as f64, top + CELL as f64);
        shapes.push(Shape::Quad([[left, top], [right, top], [right, bottom], [left, bottom]], *colour));
    }
    Scene {
        pixels: [width as u32, height as u32],
        window: [0.0, 0.0, width as f64, height as f64],
        background: None,
        groups: vec![Group { opacity: 100, outline: Some((BLACK, 1.0)), shapes }],
        title: format!("Net of a cube: {}", Face::ALL.map(Face::name).join(" ")),
    }
}
