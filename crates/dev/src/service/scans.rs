//! Scans with changes, and published ones.

use super::camera::real_scans;
pub use super::stickers::with;

/// A camera's reading of one sticker: red, green and blue.
pub type Sample = [u8; 3];

/// Published scans: name, the cube as its own program reads it, and 54 samples in the order U L F R B D.
pub fn published() -> Vec<(&'static str, &'static str, [Sample; 54])> {
    real_scans().into_iter().filter(|(_, cube, _)| *cube != "-").collect()
}

/// The samples in the order U R F D L B.
pub fn in_facelet_order(samples: &[Sample]) -> Vec<Sample> {
    [0, 3, 2, 5, 1, 4].iter().flat_map(|face| samples[9 * face..9 * face + 9].to_vec()).collect()
}
