//! The answer to a scan in colours.

use super::margin::{Margin, margins};
use super::samples::Samples;
use super::search::{Candidate, candidates};
use crate::cube::cubie::Cube;
use crate::cube::face::Face;
use crate::cube::geometry::FACELETS;

/// A legal cube and its probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Likely {
    /// The cube.
    pub cube: Cube,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
}

/// What a camera saw.
#[derive(Clone, PartialEq, Debug)]
pub struct ColourReading {
    /// The most likely legal cube.
    pub cube: Cube,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
    /// Whether the samples do not decide between several cubes: the probability is below [`CERTAIN`]. Then ask the user to
    /// check the stickers on which the runners-up differ, or to scan again.
    pub is_ambiguous: bool,
    /// The next cubes, the most likely first.
    pub runners_up: Vec<Likely>,
    /// How certain each sticker is; `None` for the centres, which define the colours.
    pub margins: [Option<Margin>; FACELETS],
    /// The colour of each face's stickers in average light, estimated from the scan: red, green, blue, 0 to 255.
    pub references: [[u8; 3]; Face::COUNT],
    /// Brightness of each face; the geometric mean is 1.
    pub gains: [f64; Face::COUNT],
    /// Estimated standard deviation of the noise of a channel, in units of 0 to 255.
    pub noise: f64,
    /// Estimated standard deviation of the brightness of stickers of one colour on one face, relative to the mean.
    pub shade: f64,
}

/// Probability from which the most likely cube is taken as read.
///
/// A wrong cube is counted as twice as bad as a refusal, so a cube should be refused if its probability is below one half. The
/// estimate is slightly too high; with 0.6, simulated scans (the example `scans`) have the least score over all levels.
pub const CERTAIN: f64 = 0.6;

/// Greatest number of runners-up.
const RUNNERS_UP: usize = 5;

/// Finds the legal cube that explains the colours best.
///
/// No colour scheme is assumed: the colours of the stickers are estimated from the scan itself, together with a gain per
/// face, so faces may differ in brightness. Single reflections are recognised as outliers. The orientation is that of the
/// scan. It takes some milliseconds.
///
/// # Examples
/// ```
/// use superflip_engine::cube::Cube;
/// use superflip_engine::cube::scan::{Samples, read_colours};
///
/// // A solved cube; the right face is in the shade.
/// let faces = [[250, 248, 245], [70, 8, 12], [10, 140, 70], [240, 210, 20], [250, 110, 20], [10, 60, 160]];
/// let rgb: Vec<[u8; 3]> = (0..54).map(|facelet| faces[facelet / 9]).collect();
/// let reading = read_colours(&Samples::new(&rgb.try_into().unwrap()));
/// assert_eq!(reading.cube, Cube::SOLVED);
/// assert!(!reading.is_ambiguous);
/// ```
pub fn read_colours(samples: &Samples) -> ColourReading {
    let found = candidates(samples);
    let Some(best) = found.first() else { unreachable!("a ranking has all legal cubes") };
    let total: f64 = found.iter().map(|other| (best.nats - other.nats).exp()).sum();
    let likely = |other: &Candidate| Likely { cube: other.cube, probability: (best.nats - other.nats).exp() / total };
    let Likely { cube, probability } = likely(best);
    ColourReading {
        cube,
        probability,
        is_ambiguous: probability < CERTAIN,
        runners_up: found[1..].iter().take(RUNNERS_UP).map(likely).collect(),
        margins: margins(samples, best),
        references: best.model.references.map(|rgb| rgb.map(rounded)),
        gains: best.model.gains,
        noise: best.model.noise,
        shade: best.model.shade,
    }
}

/// Returns a channel as a whole number of 0 to 255.
#[allow(clippy::cast_sign_loss)]
fn rounded(channel: f64) -> u8 {
    channel.round().clamp(0.0, 255.0) as u8
}
