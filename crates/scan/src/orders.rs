//! Chooses the order of the faces for a text with unknown stickers.

use superflip_cube::forms::{Reading, in_facelet_order};
use superflip_cube::geometry::FACELETS;
use superflip_cube::{Cube, Form, FormError};

use crate::repair::{Completions, Stickers, completions, nearest};

/// One order of the stickers, and the legal cubes that have the known ones in it.
struct Order {
    format: Form,
    /// The text in the order U R F D L B; `None` if a centre is unknown or repeated, or if a symbol is on no centre.
    stickers: Option<Stickers>,
    completions: Completions,
}

impl Order {
    fn of(format: Form, facelets: &str) -> Self {
        let stickers = Stickers::parse(facelets).ok();
        let completions =
            stickers.as_ref().map_or(Completions { total: 0, first: None, undecided: Vec::new() }, completions);
        Self { format, stickers, completions }
    }

    /// Returns the cube, if the known stickers determine it.
    fn cube(&self) -> Option<Cube> {
        self.completions.unique().map(|only| only.cube)
    }

    /// Returns the number of known stickers that must change to make the cube legal.
    fn changes(&self) -> usize {
        self.stickers.as_ref().map_or(FACELETS, |stickers| nearest(stickers, 1).distance as usize)
    }

    fn reading(&self) -> Reading {
        let letter = |(facelet, cube): (usize, char)| {
            let is_known = self.stickers.as_ref().is_some_and(|stickers| stickers.faces()[facelet].is_some());
            if is_known || self.completions.total == 1 { cube } else { Stickers::UNKNOWN }
        };
        let cube = self.completions.first.as_ref().map_or(Cube::SOLVED, |first| first.cube);
        Reading { format: self.format, facelets: cube.to_string().chars().enumerate().map(letter).collect() }
    }
}

/// Returns the form, of `formats`, in which a legal cube has the known stickers of the text. If there is none, returns the form in which
/// the fewest stickers must change. `formats` is the list of [`FormError::UnknownStickers`]. If there are several, each takes
/// about a millisecond.
///
/// # Examples
/// ```
/// use superflip_cube::{Form, FormError};
/// use superflip_cube::forms::{Buffers, Read};
/// use superflip_scan::order_of;
///
/// let text = "??UUUUUUULLLLLLLLLFFFFFFFFFRRRRRRRRRBBBBBBBBBDDDDDDDDD";
/// let Err(FormError::UnknownStickers { formats, .. }) = Read::of(text, None, Buffers::default()) else { return };
/// assert_eq!(order_of(text, &formats), Ok(Form::Ulfrbd));
/// ```
///
/// # Errors
/// [`FormError::Ambiguous`] if a legal cube has the known stickers in several orders, unless it is the only one in each
/// and the same.
pub fn order_of(text: &str, formats: &[Form]) -> Result<Form, FormError> {
    let mut distinct: Vec<(Form, String)> = Vec::new();
    for format in formats {
        if let Some(facelets) = in_facelet_order(text, *format)
            && distinct.iter().all(|(_, other)| *other != facelets)
        {
            distinct.push((*format, facelets));
        }
    }
    if let [(only, _)] = distinct.as_slice() {
        return Ok(*only);
    }
    let orders: Vec<Order> = distinct.iter().map(|(format, facelets)| Order::of(*format, facelets)).collect();
    let possible: Vec<&Order> = orders.iter().filter(|order| order.completions.total > 0).collect();
    match possible.as_slice() {
        [] => {
            let nearest = orders.iter().min_by_key(|order| order.changes()).map(|order| order.format);
            Ok(nearest.unwrap_or(Form::Facelets))
        }
        [first, rest @ ..] if rest.iter().all(|other| first.cube().is_some() && other.cube() == first.cube()) => {
            Ok(first.format)
        }
        several => Err(FormError::Ambiguous(several.iter().map(|order| order.reading()).collect())),
    }
}
