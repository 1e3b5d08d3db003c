//! Arrows between stickers.

use superflip_cube::Face;

use crate::colour::{self, Rgb};
use crate::geometry::{Grid, Point, middle, towards};
use crate::scene::Shape;

/// Greatest number of arrows in a picture.
pub(crate) const MAX_ARROWS: usize = 100;

/// Width of the line of an arrow on a cube of one layer.
const WIDTH: f64 = 0.12;
/// Corners of the head, relative to the end of the line, with the arrow pointing to the right.
const HEAD: [Point; 3] = [[5.77, 0.0], [-2.88, 5.0], [-2.88, -5.0]];
/// Scale of the head on a cube of one layer.
const HEAD_SCALE: f64 = 0.033;

/// A place: its face, row and column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Face.
    pub face: Face,
    /// Row, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
}

/// An arrow from one sticker to another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrow {
    /// Start.
    pub from: Place,
    /// End.
    pub to: Place,
    /// Sticker towards which the arrow is bent.
    pub via: Option<Place>,
    /// Length as a fraction of the distance between the centres of the stickers.
    pub scale: f64,
    /// Distance of the control point from the middle of the arrow, as a multiple of the distance of `via`.
    pub influence: f64,
    /// Colour; `None` means the default colour of arrows in the picture.
    pub colour: Option<Rgb>,
}

impl Arrow {
    /// Reads an arrow such as `R6R2R0-s8-i5-yellow` on a cube of `size` layers. A part behind a dash that cannot be read is an error, or
    /// ignored if `is_forgiving`. Numbers that are too large mean the last sticker, and the greatest scale and influence.
    pub fn read(text: &str, size: usize, is_forgiving: bool) -> Option<Self> {
        let mut parts = text.split('-');
        let mut places = places(parts.next()?, size, is_forgiving)?.into_iter();
        let (from, to, via) = (places.next()?, places.next()?, places.next());
        if places.next().is_some() && !is_forgiving {
            return None;
        }
        let mut arrow = Self { from, to, via, scale: 1.0, influence: 2.0, colour: None };
        for part in parts {
            let tenths = |letter| part.strip_prefix(letter).and_then(number);
            if let Some(scale) = tenths('s') {
                arrow.scale = scale.min(20) as f64 / 10.0;
            } else if let Some(influence) = tenths('i').filter(|_| via.is_some() || !is_forgiving) {
                arrow.influence = influence.min(50) as f64 / 5.0;
            } else if let Some(paint) = colour::parse(part) {
                // An arrow in a transparent colour is not drawn.
                arrow.colour = Some(paint?);
            } else if !is_forgiving {
                return None;
            }
        }
        Some(arrow)
    }

    /// Returns the line and the head of the arrow.
    pub fn shapes(&self, grids: &[Grid; 6], size: usize, default: Rgb) -> [Shape; 2] {
        let centre = |place: Place| grids[place.face.index()].centre(place.row, place.column);
        let (from, to) = (centre(self.from), centre(self.to));
        let between = middle(from, to);
        let [from, to] = [from, to].map(|end| towards(between, end, self.scale));
        let via = self.via.map(|via| towards(between, centre(via), self.influence));
        let size = size as f64;
        drawn(from, via, to, self.colour.unwrap_or(default), WIDTH / size, HEAD_SCALE / size)
    }
}

/// Returns a line, bent if it has a control point, and a head at its end.
pub fn drawn(from: Point, via: Option<Point>, to: Point, colour: Rgb, width: f64, head: f64) -> [Shape; 2] {
    let origin = via.unwrap_or(from);
    let [x, y] = [to[0] - origin[0], to[1] - origin[1]];
    let length = x.hypot(y);
    let [cos, sin] = if length > 0.0 { [x / length, y / length] } else { [0.0, 1.0] };
    let corners = HEAD.map(|[a, b]| [to[0] + (a * cos - b * sin) * head, to[1] + (a * sin + b * cos) * head]);
    [Shape::Line { from, via, to, colour, width }, Shape::Triangle(corners, colour)]
}

/// Reads places such as `U0U2`.
fn places(text: &str, size: usize, is_forgiving: bool) -> Option<Vec<Place>> {
    let mut places = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = &rest[letter.len_utf8()..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        match (Face::from_letter(letter), number(&rest[..digits])) {
            (Some(face), Some(index)) => {
                let index = index.min(size * size - 1);
                places.push(Place { face, row: index / size, column: index % size });
                rest = &rest[digits..];
            }
            _ if is_forgiving => {}
            _ => return None,
        }
    }
    Some(places)
}

/// Reads a number of digits only. A number that is too large saturates.
fn number(digits: &str) -> Option<usize> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(usize::MAX))
}
