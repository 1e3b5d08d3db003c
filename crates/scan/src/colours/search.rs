//! Finds the most likely cube and its rivals, from a few starts.

use super::arranged::{Arranged, is_explained, misplaced};
use super::candidate::{ALTERNATIONS, CANDIDATES, CLEAR, Candidate, ROUNDS, alternate, compare, rivals};
use super::model::{Colouring, Noise};
use super::samples::Samples;
use super::starts::{by_brightness, by_chromaticity, without_centre};
use superflip_cube::face::Face;
use superflip_cube::geometry::CENTRE_FACELETS;

/// Probability of the best cube below which more starts are tried.
const DOUBTFUL: f64 = 0.95;

/// Standard deviation of the noise above which no cube is accepted. Of 2000 sets, random colours have 31 or more, and the simulated scans
/// at most 26.
pub const MAX_NOISE: f64 = 30.0;

/// Returns several candidates, the most likely first, and other arrangements of the faces that explain the scan too, the best first.
pub(crate) fn candidates(samples: &Samples) -> (Vec<Candidate>, Vec<Arranged>) {
    let mut known = Vec::new();
    for start in [by_brightness(samples), by_chromaticity(samples)] {
        known.extend(alternate(samples, &start, &known));
    }
    if let Some(best) = best(&known).filter(|best| best.model.noise > MAX_NOISE) {
        return (rivals(samples, &best, CANDIDATES), misplaced(samples, &best));
    }
    let mut found = best(&known).map_or_else(Vec::new, |best| compare(samples, best));
    let mut others = found.first().map_or_else(Vec::new, |best| misplaced(samples, best));
    let is_refuted =
        others.first().zip(found.first()).is_some_and(|(other, best)| other.candidate.nats + CLEAR < best.nats);
    if probability(&found) < DOUBTFUL && !is_refuted {
        for face in Face::ALL {
            known.extend(alternate(samples, &without_centre(samples, face), &known));
        }
        let better = best(&known).filter(|best| found.first().is_none_or(|first| best.nats < first.nats));
        if let Some(better) = better.filter(|better| found.iter().all(|other| other.cube != better.cube)) {
            found = compare(samples, better);
            others = found.first().map_or_else(Vec::new, |best| misplaced(samples, best));
        }
    }
    (found, others)
}

/// Nats by which the colours without a cube must be more likely than the best cube, for even odds that the faces are in an arrangement that
/// was not compared. Such colours fit to the noise too: by up to 23 nats for 500 simulated scans with the right cube. For 2500 scans of a
/// cube in another order or mirrored, read in any rotation, it was 50 nats or more for most, and 7 to 46 for one in twenty.
const UNEXPLAINED: f64 = 30.0;

/// Returns the negative log-likelihood of a scan whose faces are in an arrangement that was not compared, in nats.
pub(crate) fn unexplained(samples: &Samples, best: &Candidate) -> f64 {
    let nats = best.model.surprises(samples);
    if is_explained(&nats, best) { f64::INFINITY } else { without_cube(samples) + UNEXPLAINED }
}

/// Returns the least negative log-likelihood found with any colour for each sticker but the centres, in nats.
fn without_cube(samples: &Samples) -> f64 {
    let mut least = f64::INFINITY;
    for start in [by_brightness(samples), by_chromaticity(samples)] {
        let (mut nats, mut model) = (start.nats, start.model);
        let mut last: Option<Colouring> = None;
        for _ in 0..ALTERNATIONS {
            let cheapest = |costs: &[f64; Face::COUNT]| {
                let colours = (0..Face::COUNT).min_by(|a, b| costs[*a].total_cmp(&costs[*b]));
                colours.unwrap_or(0)
            };
            let mut colouring: Colouring = nats.each_ref().map(cheapest);
            CENTRE_FACELETS.iter().enumerate().for_each(|(face, &centre)| colouring[centre] = face);
            model.fit(samples, &colouring, ROUNDS, Noise::Fitted);
            least = least.min(model.total(samples, &colouring));
            if last.replace(colouring) == Some(colouring) {
                break;
            }
            nats = model.surprises(samples);
        }
    }
    least
}

fn best(known: &[Candidate]) -> Option<Candidate> {
    known.iter().copied().min_by(|a, b| a.nats.total_cmp(&b.nats))
}

/// Returns the probability of the first candidate among all of them.
pub(crate) fn probability(found: &[Candidate]) -> f64 {
    found.first().map_or(0.0, |first| 1.0 / found.iter().map(|other| (first.nats - other.nats).exp()).sum::<f64>())
}
