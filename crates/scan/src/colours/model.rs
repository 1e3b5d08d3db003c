//! How a camera sees a cube: six reference colours, a gain per face, and noise.
//!
//! A sample is `gain of its face * shade * reference of its colour + noise`. The shade is normal around 1 and differs from
//! sticker to sticker: light is uneven, and stickers reflect. The noise is normal and equal for all channels. The shade adds
//! errors along the expected colour only, so these are larger than the errors across it. Both spreads are estimated from
//! the scan. A few samples are outliers, such as reflections, and carry no information. A channel at 255 is clipped: a
//! censored sample, whose true value is 255 or more.
//!
//! The model uses encoded values, not linear light. The transfer function is nearly a power function, so a gain is a factor
//! in encoded values too. The noise of a camera is also closer to constant in encoded values.
#![allow(clippy::cast_possible_truncation)] // costs are bounded

use super::samples::{Rgb, Samples};
use crate::arrangement::Arrangement;
use crate::repair::Costs;
use superflip_cube::cubie::Cube;
use superflip_cube::face::Face;
use superflip_cube::geometry::FACELETS;

/// The colour of each facelet, as the index of the face whose centre has it.
pub(crate) type Colouring = [usize; FACELETS];

/// Returns the colours of a cube.
pub(crate) fn colouring(cube: &Cube) -> Colouring {
    cube.to_stickers().map(Face::index)
}

/// Cost units per nat, the natural unit of a negative log-likelihood.
pub(crate) const UNITS: f64 = 65_536.0;

/// Number of faces, and of channels of all samples.
pub(crate) const FACES: f64 = 6.0;
const CHANNELS: f64 = 162.0;

/// Share of outliers among the samples.
const OUTLIERS: f64 = 0.01;

/// Number of fitted parameters across the expected colours: the directions of 6 references.
const ACROSS: f64 = 12.0;

/// Number of fitted parameters along the expected colours: 6 lengths and 6 gains, less 1, because a common factor has no
/// effect.
const ALONG: f64 = 11.0;

/// Least standard deviation, in units of 0 to 255. Rounding alone has 0.3.
const MIN_NOISE: f64 = 1.0;

/// Standard deviation of the logarithm of a gain.
const GAIN_SPREAD: f64 = 0.5;

/// Least number of degrees of freedom that the noise is estimated from.
const MIN_FREEDOM: f64 = 20.0;

/// Greatest standard deviation of the shade.
const MAX_SHADE: f64 = 0.5;

/// Sums for the fit of one reference.
#[derive(Clone, Copy, Default)]
struct Sums {
    along: f64,
    squares_along: f64,
    across: Rgb,
    squares_across: f64,
}

/// Whether a fit changes the noise and the shade.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noise {
    Kept,
    Fitted,
}

/// The parameters of the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Model {
    /// Gain of each face.
    pub(crate) gains: [f64; Face::COUNT],
    /// Colour of each face's stickers, at gain 1.
    pub(crate) references: [Rgb; Face::COUNT],
    /// Standard deviation of the noise.
    pub(crate) noise: f64,
    /// Standard deviation of the shade.
    pub(crate) shade: f64,
}

fn dot(a: Rgb, b: Rgb) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

impl Model {
    /// Returns the camera for an arrangement of the scan.
    pub(crate) fn arranged(&self, arrangement: &Arrangement) -> Self {
        let order = arrangement.order.map(usize::from);
        let (gains, references) = (order.map(|face| self.gains[face]), order.map(|face| self.references[face]));
        Self { gains, references, ..*self }
    }

    /// Returns the camera for the scan as given, from that for an arrangement of it.
    pub(crate) fn scanned(&self, arrangement: &Arrangement) -> Self {
        let places = arrangement.places().map(Face::index);
        let (gains, references) = (places.map(|place| self.gains[place]), places.map(|place| self.references[place]));
        Self { gains, references, ..*self }
    }

    /// Returns the expected sample, not clipped.
    pub(crate) fn expected(&self, face: usize, colour: usize) -> Rgb {
        self.references[colour].map(|channel| self.gains[face] * channel)
    }

    /// Returns the error of a sample, and its part along the expected colour. A clipped channel has an error only if the
    /// expected value is below 255.
    fn error(&self, facelet: usize, sample: Rgb, colour: usize) -> (Rgb, f64) {
        let expected = self.expected(facelet / 9, colour);
        let limit = |k: usize| if sample[k] >= 255.0 { expected[k].min(255.0) } else { expected[k] };
        let error = [0, 1, 2].map(|k| sample[k] - limit(k));
        (error, dot(error, expected) / dot(expected, expected).sqrt().max(1.0))
    }

    /// Returns the variance along the expected colour, in units of the noise.
    fn stretch(&self, facelet: usize, colour: usize) -> f64 {
        let gain = self.gains[facelet / 9] * self.shade / self.noise;
        1.0 + gain * gain * dot(self.references[colour], self.references[colour])
    }

    /// Returns the negative log-likelihood of a sample that is not an outlier, in nats. It is 0 for a sample without error
    /// in a model without shade.
    fn normal(&self, facelet: usize, sample: Rgb, colour: usize) -> f64 {
        let (error, along) = self.error(facelet, sample, colour);
        let stretch = self.stretch(facelet, colour);
        let squared = dot(error, error) - along * along * (1.0 - 1.0 / stretch);
        squared / (2.0 * self.noise * self.noise) + stretch.ln() / 2.0
    }

    /// Returns the cost of an outlier in nats, relative to a sample without error in a model without shade.
    fn outlier(&self) -> f64 {
        // A uniform density over the cube of colours in place of a normal one.
        let volumes = (256.0 / (self.noise * (2.0 * std::f64::consts::PI).sqrt())).powi(3);
        (volumes * (1.0 - OUTLIERS) / OUTLIERS).max(1.0).ln()
    }

    /// Returns the negative log-likelihood of a sample, in nats, outliers included.
    fn surprise(&self, facelet: usize, sample: Rgb, colour: usize, outlier: f64) -> f64 {
        let normal = self.normal(facelet, sample, colour);
        // -ln(exp(-normal) + exp(-outlier)), with the smaller exponent taken out.
        let least = normal.min(outlier);
        least - (-(normal - outlier).abs()).exp().ln_1p()
    }

    /// Returns the cost in nats of each colour for each facelet.
    pub(crate) fn surprises(&self, samples: &Samples) -> [[f64; Face::COUNT]; FACELETS] {
        let outlier = self.outlier();
        std::array::from_fn(|facelet| {
            std::array::from_fn(|colour| self.surprise(facelet, samples.rgb()[facelet], colour, outlier))
        })
    }

    /// Returns the negative log-likelihood of a colouring plus that of the gains under their prior, in nats, up to a constant.
    pub(crate) fn total(&self, samples: &Samples, colouring: &Colouring) -> f64 {
        let outlier = self.outlier();
        let facelets = samples.rgb().iter().zip(colouring).enumerate();
        let stickers: f64 =
            facelets.map(|(facelet, (&sample, &colour))| self.surprise(facelet, sample, colour, outlier)).sum();
        let gains: f64 = self.gains.iter().map(|gain| gain.ln().powi(2)).sum();
        stickers + gains / (2.0 * GAIN_SPREAD * GAIN_SPREAD) + CHANNELS * self.noise.ln()
    }

    /// Fits gains and references to a colouring by alternating least squares, starting from this model.
    pub(crate) fn fit(&mut self, samples: &Samples, colouring: &Colouring, rounds: usize, noise: Noise) {
        for _ in 0..rounds {
            let weighted = self.weighted(samples, colouring);
            if noise == Noise::Fitted {
                self.fit_noise(samples, colouring, &weighted);
            }
            self.fit_references(colouring, &weighted);
            self.fit_gains(colouring, &weighted);
            self.normalize();
        }
    }

    /// Fits each reference. The components of the samples along it give its length, and the components across it correct its
    /// direction.
    fn fit_references(&mut self, colouring: &Colouring, weighted: &[(Rgb, f64); FACELETS]) {
        let mut sums = [Sums::default(); Face::COUNT];
        for (facelet, &(seen, weight)) in weighted.iter().enumerate() {
            let (colour, gain) = (colouring[facelet], self.gains[facelet / 9]);
            let unit = self.direction(colour);
            let along = dot(seen, unit);
            let weight_along = weight / self.stretch(facelet, colour);
            let sums = &mut sums[colour];
            sums.along += weight_along * gain * along;
            sums.squares_along += weight_along * gain * gain;
            (0..3).for_each(|k| sums.across[k] += weight * gain * (seen[k] - along * unit[k]));
            sums.squares_across += weight * gain * gain;
        }
        for (colour, sums) in sums.iter().enumerate() {
            let unit = self.direction(colour);
            let length = sums.along / sums.squares_along.max(1e-6);
            self.references[colour] =
                [0, 1, 2].map(|k| length * unit[k] + sums.across[k] / sums.squares_across.max(1e-6));
        }
    }

    fn fit_gains(&mut self, colouring: &Colouring, weighted: &[(Rgb, f64); FACELETS]) {
        for face in 0..Face::COUNT {
            // The prior of the gain acts as one more observation, with gain 1.
            let prior = self.noise * self.noise / (GAIN_SPREAD * GAIN_SPREAD);
            let (mut sum, mut squares) = (prior, prior);
            for facelet in 9 * face..9 * face + 9 {
                let colour = colouring[facelet];
                let weight = weighted[facelet].1 / self.stretch(facelet, colour);
                sum += weight * dot(weighted[facelet].0, self.references[colour]);
                squares += weight * dot(self.references[colour], self.references[colour]);
            }
            self.gains[face] = (sum / squares).clamp(0.05, 20.0);
        }
    }

    /// Returns the unit vector along a reference.
    fn direction(&self, colour: usize) -> Rgb {
        let length = dot(self.references[colour], self.references[colour]).sqrt();
        if length < 1.0 { [0.577_35; 3] } else { self.references[colour].map(|channel| channel / length) }
    }

    /// Returns the samples with clipped channels replaced by their expectation, and for each the probability that it is not
    /// an outlier.
    fn weighted(&self, samples: &Samples, colouring: &Colouring) -> [(Rgb, f64); FACELETS] {
        let outlier = self.outlier();
        std::array::from_fn(|facelet| {
            let (sample, colour) = (samples.rgb()[facelet], colouring[facelet]);
            let expected = self.expected(facelet / 9, colour);
            let seen = [0, 1, 2].map(|k| if sample[k] >= 255.0 { expected[k].max(255.0) } else { sample[k] });
            let normal = self.normal(facelet, sample, colour);
            (seen, 1.0 / (1.0 + (normal - outlier).exp()))
        })
    }

    /// Estimates the noise from the errors across the expected colours, and the shade from the excess of the errors along
    /// them.
    fn fit_noise(&mut self, samples: &Samples, colouring: &Colouring, weighted: &[(Rgb, f64); FACELETS]) {
        let (mut weights, mut across, mut along, mut lengths) = (0.0, 0.0, 0.0, 0.0);
        for (facelet, &(_, weight)) in weighted.iter().enumerate() {
            let (error, part) = self.error(facelet, samples.rgb()[facelet], colouring[facelet]);
            let expected = self.expected(facelet / 9, colouring[facelet]);
            weights += weight;
            across += weight * (dot(error, error) - part * part);
            along += weight * part * part;
            lengths += weight * dot(expected, expected);
        }
        let variance = (across / (2.0 * weights - ACROSS).max(MIN_FREEDOM)).max(MIN_NOISE * MIN_NOISE);
        let freedom = (weights - ALONG).max(MIN_FREEDOM);
        // Without shades, both parts estimate the noise.
        let excess = along / freedom - variance;
        if excess <= 0.0 {
            let all = (across + along) / (3.0 * weights - ACROSS - ALONG).max(MIN_FREEDOM);
            (self.noise, self.shade) = (all.sqrt().max(MIN_NOISE), 0.0);
        } else {
            let length = (lengths / weights.max(1.0)).max(1.0);
            (self.noise, self.shade) = (variance.sqrt(), (excess / length).sqrt().min(MAX_SHADE));
        }
    }

    /// Scales the gains so that their geometric mean is 1.
    fn normalize(&mut self) {
        let mean = (self.gains.iter().map(|gain| gain.ln()).sum::<f64>() / FACES).exp();
        self.gains = self.gains.map(|gain| gain / mean);
        self.references = self.references.map(|reference| reference.map(|channel| channel * mean));
    }
}

/// Converts the costs of stickers from nats to the integer costs of piece placements.
#[allow(clippy::cast_sign_loss)]
pub(crate) fn placements(nats: &[[f64; Face::COUNT]; FACELETS]) -> Costs {
    Costs::by_sticker(|facelet, face| (nats[facelet][face.index()] * UNITS).max(0.0) as u32)
}
