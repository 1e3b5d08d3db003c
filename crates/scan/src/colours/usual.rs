//! Recognises the usual colours of a cube, and whether they are mirrored.

use super::difference::delta_e;
use super::samples::Rgb;
use crate::repair::faces::all_orders;
use crate::repair::scheme;
use superflip_cube::face::Face;

/// The usual colours of U R F D L B: white, red, green, yellow, orange, blue.
const USUAL: [Rgb; Face::COUNT] = [
    [255.0, 255.0, 255.0],
    [185.0, 0.0, 0.0],
    [0.0, 155.0, 72.0],
    [255.0, 213.0, 0.0],
    [255.0, 89.0, 0.0],
    [0.0, 69.0, 173.0],
];

/// Least difference of two sums of five colour differences at which the smaller one is certain.
///
/// In simulated scans without reflections, the mirrored sum is 20 to 45 above the right one. In published scans of usual cubes it is 2 to 21
/// above, because red and orange look nearly alike there.
const CERTAIN_BY: f64 = 10.0;

/// Returns whether the centres of U R F D L B have the usual colours as in a mirror, and clearly in no other arrangement.
///
/// The white centre shows the light. Each assignment of the usual colours to the centres has a sum of colour differences.
pub(super) fn are_mirrored(centres: &[[u8; 3]; Face::COUNT]) -> bool {
    let differences = centres.map(|white| {
        let balanced = |rgb: [u8; 3]| std::array::from_fn(|k| 255.0 * f64::from(rgb[k]) / f64::from(white[k].max(1)));
        centres.map(|rgb| USUAL.map(|usual| delta_e(balanced(rgb), usual)))
    });
    let (mut mirrored, mut others) = (f64::INFINITY, f64::INFINITY);
    for colours in all_orders(false) {
        let Some(white) = colours.iter().position(|colour| *colour == Face::U) else { continue };
        // The white one is white by definition.
        let coloured = colours.iter().zip(&differences[white]).filter(|(colour, _)| **colour != Face::U);
        let sum: f64 = coloured.map(|(colour, row)| row[colour.index()]).sum();
        let least = if scheme::is_mirrored(colours) { &mut mirrored } else { &mut others };
        *least = least.min(sum);
    }
    mirrored + CERTAIN_BY < others
}
