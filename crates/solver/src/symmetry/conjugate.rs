//! Conjugation tables: the 16 symmetries that keep the UD axis, acting on the values of a coordinate.

use crate::coord::Descriptor;
use superflip_cube::Symmetry;

/// Computes the value of `S * x * S^-1`, at `16 * x + S`, for a coordinate of at most 65536 values.
///
/// # Panics
/// When the symmetries do not act on the coordinate.
pub fn conjugation_table(coordinate: &Descriptor) -> Vec<u16> {
    assert!(coordinate.symmetric, "the symmetries do not act on {}", coordinate.name);
    (0..coordinate.size)
        .flat_map(|value| {
            let cube = (coordinate.representative)(value);
            Symmetry::all().take(Symmetry::KEEPING_UD).map(move |s| {
                let image = (coordinate.index)(&s.conjugate(&cube));
                image.expect("symmetries that keep the axis keep where a coordinate is valid") as u16
            })
        })
        .collect()
}
