//! The answer to a scan in colours.

use super::arranged::{Arranged, EQUAL, Unknown, in_any};
use super::candidate::Candidate;
use super::difference::delta_e;
use super::model::{UNITS, placements};
use super::samples::Samples;
use super::search::{MAX_NOISE, candidates, unexplained};
use super::usual;
use crate::arrangement::Arrangement;
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
    /// How the scanned faces are to be arranged for this cube.
    pub arrangement: Arrangement,
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
    /// How the scanned faces are to be arranged: [`Arrangement::AS_GIVEN`] unless their rotations or order are unknown.
    pub arrangement: Arrangement,
    /// Other arrangements of the faces that explain the samples too, with the most likely cube of each, the most likely first. None if
    /// the rotations or the order are unknown.
    pub misplaced: Vec<Likely>,
    /// Estimate of the probability that the faces are in an arrangement that was not compared, 0 to 1.
    pub unexplained: f64,
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

/// Probability of an arrangement, relative to the most likely one, from which it is among those advised.
const ADVISED: f64 = 0.05;

impl ColourReading {
    /// Returns the arrangements that together are more likely than the faces as given, and than any that was not compared: the most likely
    /// one, and those that explain the samples nearly as well. None if there is no such arrangement.
    pub fn advised(&self) -> Vec<Likely> {
        let least = self.misplaced.first().map_or(0.0, |first| ADVISED * first.probability);
        let named: Vec<Likely> = self.misplaced.iter().filter(|other| other.probability >= least).copied().collect();
        let together: f64 = named.iter().map(|other| other.probability).sum();
        if together > self.probability.max(self.unexplained) { named } else { Vec::new() }
    }

    /// Returns whether the centres clearly have the usual colours, but as in a mirror: then the scan is probably mirrored, and the cube is its
    /// mirror image.
    pub fn has_mirrored_colours(&self) -> bool {
        usual::are_mirrored(&self.references)
    }
}

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
    let as_given = |candidate| Arranged { arrangement: Arrangement::AS_GIVEN, candidate };
    let found: Vec<Arranged> = found.into_iter().map(as_given).collect();
    reading(samples, &found, RUNNERS_UP, &misplaced)
}

/// Finds the legal cube that explains the colours best, if each face may have been scanned in any rotation.
///
/// The same stickers may form several legal cubes. They are equally likely, so the reading is ambiguous and has all of them,
/// at most 20. The margins refer to the faces after they were turned. It takes some milliseconds.
pub fn read_colours_in_any_rotation(samples: &Samples) -> ColourReading {
    read_arranged(samples, Unknown::Rotations)
}

/// Finds the legal cube that explains the colours best, if the faces may be in any order, each as seen from outside in its usual rotation.
///
/// As with unknown rotations, stickers that form several cubes are ambiguous. If the faces are mirrored, the mirror image of the cube fits
/// in another order. Only [`ColourReading::has_mirrored_colours`] tells, if the colours are the usual ones.
///
/// # Examples
/// ```
/// use superflip_cube::Cube;
/// use superflip_scan::colours::{Samples, read_colours_in_any_order};
///
/// let colours = [[250, 248, 245], [180, 8, 12], [10, 140, 70], [240, 210, 20], [250, 110, 20], [10, 60, 160]];
/// let cube = Cube::from_scramble("R U F2 L' D B' R2 U' L F")?;
/// let stickers = cube.to_stickers();
/// // The faces in the order U L F R B D.
/// let faces = [0, 4, 2, 1, 5, 3];
/// let rgb = std::array::from_fn(|at| colours[stickers[9 * faces[at / 9] + at % 9].index()]);
/// let reading = read_colours_in_any_order(&Samples::new(&rgb));
/// assert_eq!((reading.cube, reading.arrangement.order), (cube, [0, 3, 2, 5, 1, 4]));
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
pub fn read_colours_in_any_order(samples: &Samples) -> ColourReading {
    read_arranged(samples, Unknown::Order)
}

fn read_arranged(samples: &Samples, unknown: Unknown) -> ColourReading {
    let found = in_any(samples, unknown);
    let equal = found.iter().skip(1).take_while(|other| other.candidate.nats <= found[0].candidate.nats).count();
    reading(samples, &found, RUNNERS_UP.max(equal.min(EQUAL - 1)), &[])
}

/// Compares candidates, the most likely first. There is at least one.
fn reading(samples: &Samples, found: &[Arranged], runners_up: usize, misplaced: &[Arranged]) -> ColourReading {
    let Some(first) = found.first() else { unreachable!("a ranking has all legal cubes") };
    let best = &first.candidate;
    let samples_of_best = samples.arranged(&first.arrangement);
    let other = unexplained(&samples_of_best, best);
    let all = || found.iter().chain(misplaced).map(|one| one.candidate.nats).chain([other]);
    let least = all().fold(f64::INFINITY, f64::min);
    let total: f64 = all().map(|nats| (least - nats).exp()).sum();
    let share = |nats: f64| (least - nats).exp() / total;
    let likely = |one: &Arranged| Likely {
        cube: one.candidate.cube,
        probability: share(one.candidate.nats),
        arrangement: one.arrangement,
    };
    let Likely { cube, probability, arrangement } = likely(first);
    // Where a turned face shows nearly the same, the cube is certain, though the rotation is not.
    let (same, misplaced): (Vec<Arranged>, Vec<Arranged>) = misplaced.iter().partition(|other| other.is_turned(&cube));
    let probability = same.iter().map(likely).map(|other| other.probability).fold(probability, |a, b| a + b);
    ColourReading {
        cube,
        probability,
        arrangement,
        misplaced: misplaced.iter().map(likely).collect(),
        unexplained: share(other),
        is_ambiguous: probability < CERTAIN || best.model.noise > MAX_NOISE,
        runners_up: found[1..].iter().take(runners_up).map(likely).collect(),
        margins: margins(&samples_of_best, best),
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
