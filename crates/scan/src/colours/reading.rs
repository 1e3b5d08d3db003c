//! The answer to a scan in colours.

use super::candidate::Candidate;
use super::difference::delta_e;
use super::model::{UNITS, placements};
use super::rotations::{AS_GIVEN, EQUAL, Turned, Turns, in_any_rotation};
use super::samples::Samples;
use super::search::{MAX_NOISE, candidates};
use crate::repair::table::{least_with_colour, marginals};
use superflip_cube::cubie::Cube;
use superflip_cube::face::Face;
use superflip_cube::geometry::{CENTRE_FACELETS, FACELETS};

/// A legal cube and its probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Likely {
    /// The cube.
    pub cube: Cube,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
    /// Clockwise quarter turns by which the scanned faces are to be turned for this cube.
    pub turns: Turns,
}

/// Faces that are probably rotated.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Misplaced {
    /// Clockwise quarter turns by which the scanned faces have to be turned.
    pub turns: Turns,
    /// The most likely cube after that, and its probability.
    pub likely: Likely,
}

/// Distance of a sticker from its next legal colour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Margin {
    /// Face whose colour the sticker has on the most likely legal cube on which it has another colour.
    pub next: Face,
    /// Colour difference (CIEDE2000) of the sample from that colour, less its difference from the chosen one. Negative if the sample
    /// looks like the other colour, and the pieces rule it out.
    // Both colours are those expected on this face, with its gain.
    pub delta_e: f64,
    /// Negative log-likelihood of that cube minus that of the chosen one, in nats, with the camera fitted to the chosen cube.
    pub nats: f64,
}

/// What a camera saw.
#[derive(Clone, PartialEq, Debug)]
pub struct ColourReading {
    /// The most likely legal cube.
    pub cube: Cube,
    /// Estimate of the probability that this is the cube, 0 to 1.
    pub probability: f64,
    /// Clockwise quarter turns by which the scanned faces are to be turned. 0 unless the rotations are unknown.
    pub turns: Turns,
    /// Rotations of faces that explain the samples too, if there are any and the faces should not be rotated.
    pub misplaced: Option<Misplaced>,
    /// Whether the samples do not decide between several cubes: the probability is below [`CERTAIN`], or the noise is above
    /// [`MAX_NOISE`]. Then ask the user to check the stickers on which the runners-up differ, or to scan again.
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

/// Least probability at which the most likely cube is accepted.
///
/// A wrong cube costs twice as much as a refusal, so a cube should be refused if its probability is below one half. The
/// estimate is slightly too high; with 0.6, simulated scans (`benches/scans.rs`) have the least score over all levels.
pub const CERTAIN: f64 = 0.6;

/// Greatest number of runners-up, except those that are as likely as the best cube.
const RUNNERS_UP: usize = 5;

/// Finds the legal cube that explains the colours best.
///
/// No colour scheme is assumed: the colours of the stickers are estimated from the scan itself, together with a gain per
/// face, so faces may differ in brightness. Single reflections are recognised as outliers. The orientation is that of the
/// scan. It takes some milliseconds.
///
/// # Examples
/// ```
/// use superflip_cube::Cube;
/// use superflip_scan::colours::{Samples, read_colours};
///
/// // A solved cube; the right face is in the shade.
/// let faces = [[250, 248, 245], [70, 8, 12], [10, 140, 70], [240, 210, 20], [250, 110, 20], [10, 60, 160]];
/// let rgb: Vec<[u8; 3]> = (0..54).map(|facelet| faces[facelet / 9]).collect();
/// let reading = read_colours(&Samples::new(&rgb.try_into().unwrap()));
/// assert_eq!(reading.cube, Cube::SOLVED);
/// assert!(!reading.is_ambiguous);
/// ```
pub fn read_colours(samples: &Samples) -> ColourReading {
    let (found, misplaced) = candidates(samples);
    let found: Vec<Turned> = found.into_iter().map(|candidate| Turned { turns: AS_GIVEN, candidate }).collect();
    reading(samples, &found, RUNNERS_UP, misplaced.as_ref())
}

/// Finds the legal cube that explains the colours best, if each face may have been scanned in any rotation.
///
/// The same stickers may form several legal cubes. They are equally likely, so the reading is ambiguous and has all of them,
/// at most 20. The margins refer to the faces after they were turned. It takes some milliseconds.
pub fn read_colours_in_any_rotation(samples: &Samples) -> ColourReading {
    let found = in_any_rotation(samples);
    let equal = found.iter().skip(1).take_while(|other| other.candidate.nats <= found[0].candidate.nats).count();
    reading(samples, &found, RUNNERS_UP.max(equal.min(EQUAL - 1)), None)
}

/// Compares candidates, the most likely first. There is at least one.
fn reading(samples: &Samples, found: &[Turned], runners_up: usize, misplaced: Option<&Turned>) -> ColourReading {
    let Some(Turned { candidate: best, .. }) = found.first() else { unreachable!("a ranking has all legal cubes") };
    let ratio = |other: &Turned| (best.nats - other.candidate.nats).exp();
    let total = found.iter().chain(misplaced).map(ratio).sum::<f64>();
    let likely = |other: &Turned| {
        // If the other one is much more likely, both the ratio and the total are infinite.
        let share = if total.is_finite() { ratio(other) / total } else { f64::from(ratio(other).is_infinite()) };
        Likely { cube: other.candidate.cube, probability: share, turns: other.turns }
    };
    let Likely { cube, probability, turns } = likely(&found[0]);
    let misplaced = misplaced.map(|other| Misplaced { turns: other.turns, likely: likely(other) });
    ColourReading {
        cube,
        probability,
        turns,
        misplaced,
        is_ambiguous: probability < CERTAIN || best.model.noise > MAX_NOISE,
        runners_up: found[1..].iter().take(runners_up).map(likely).collect(),
        margins: margins(&samples.turned(turns), best),
        references: best.model.references.map(|rgb| rgb.map(rounded)),
        gains: best.model.gains,
        noise: best.model.noise,
        shade: best.model.shade,
    }
}

/// Returns a channel as a whole number of 0 to 255.
#[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)] // clamped
fn rounded(channel: f64) -> u8 {
    channel.round().clamp(0.0, 255.0) as u8
}

/// Returns the margin of every sticker, `None` for the centres.
fn margins(samples: &Samples, best: &Candidate) -> [Option<Margin>; FACELETS] {
    let costs = placements(&best.model.surprises(samples));
    let least = least_with_colour(&marginals(&costs.0));
    std::array::from_fn(|facelet| {
        let chosen = best.colouring[facelet];
        let others = Face::ALL.into_iter().filter(|face| face.index() != chosen);
        let next = others.min_by_key(|face| least[facelet][face.index()])?;
        let difference = |colour: usize| delta_e(samples.rgb()[facelet], best.model.expected(facelet / 9, colour));
        let nats = (f64::from(least[facelet][next.index()]) - f64::from(least[facelet][chosen])) / UNITS;
        let margin = Margin { next, delta_e: difference(next.index()) - difference(chosen), nats };
        (!CENTRE_FACELETS.contains(&facelet)).then_some(margin)
    })
}
