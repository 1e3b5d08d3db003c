//! Initial estimates of the camera, from the centres and the brightness of the faces.

use super::model::{FACES, Model};
use super::samples::Samples;
use superflip_cube::face::Face;
use superflip_cube::geometry::{CENTRE_FACELETS, FACELETS};

/// Cost in nats of each colour for each facelet, and the model to fit from.
pub(crate) struct Start {
    pub(crate) nats: [[f64; Face::COUNT]; FACELETS],
    pub(crate) model: Model,
}

/// Standard deviation assumed before the first fit.
const NOISE: f64 = 25.0;

/// Standard deviation of the shade assumed before the first fit.
const SHADE: f64 = 0.0;

/// Standard deviation assumed for the comparison of chromaticities, which costs at most `MAX_COST` nats.
const CHROMATICITY_NOISE: f64 = 12.0;
const MAX_COST: f64 = 20.0;

/// Cost in nats of a colour without a reference.
const UNDECIDED: f64 = 2.0;

/// Range of the gains of a first guess.
const GAINS: std::ops::RangeInclusive<f64> = 0.1..=4.0;

fn from_centres(samples: &Samples) -> Model {
    let references = CENTRE_FACELETS.map(|centre| samples.rgb()[centre]);
    Model { gains: [1.0; Face::COUNT], references, noise: NOISE, shade: SHADE }
}

/// Takes the median brightness of each face as its gain, and its centre at gain 1 as the reference of its colour.
pub(crate) fn by_brightness(samples: &Samples) -> Start {
    let mut model = from_centres(samples);
    let medians = [0, 1, 2, 3, 4, 5].map(|face| {
        let mut sums: Vec<f64> = samples.rgb()[9 * face..9 * face + 9].iter().map(|rgb| rgb.iter().sum()).collect();
        sums.sort_by(f64::total_cmp);
        sums[4]
    });
    let mean = (medians.iter().sum::<f64>() / FACES).max(1.0);
    model.gains = medians.map(|median| (median / mean).clamp(*GAINS.start(), *GAINS.end()));
    for (reference, gain) in model.references.iter_mut().zip(model.gains) {
        *reference = reference.map(|channel| channel / gain);
    }
    Start { nats: model.surprises(samples), model }
}

/// Compares the directions of samples and centres, which do not depend on gains.
pub(crate) fn by_chromaticity(samples: &Samples) -> Start {
    let squared = |a: [f64; 3]| a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    let nats = samples.rgb().map(|sample| {
        CENTRE_FACELETS.map(|centre| {
            let reference = samples.rgb()[centre];
            let along = sample[0] * reference[0] + sample[1] * reference[1] + sample[2] * reference[2];
            let length = squared(reference).max(1.0);
            // The reference is as noisy as the sample; its noise is scaled to the length of the sample.
            let variance = CHROMATICITY_NOISE * CHROMATICITY_NOISE * (1.0 + squared(sample) / length);
            ((squared(sample) - along * along / length) / (2.0 * variance)).clamp(0.0, MAX_COST)
        })
    });
    Start { nats, model: from_centres(samples) }
}

/// Ignores the centre of one face, which may be a reflection. Its colour is that of the stickers that fit no other centre.
pub(crate) fn without_centre(samples: &Samples, face: Face) -> Start {
    let mut start = by_chromaticity(samples);
    start.nats.iter_mut().for_each(|costs| costs[face.index()] = UNDECIDED);
    start
}
