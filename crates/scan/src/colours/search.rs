//! Finds the most likely cube and its rivals, from a few starts.

use super::candidate::{CANDIDATES, CLEAR, Candidate, alternate, compare, rivals};
use super::rotations::{Turned, misplaced};
use super::samples::Samples;
use super::starts::{by_brightness, by_chromaticity, without_centre};
use superflip_cube::face::Face;

/// Probability of the best cube below which more starts are tried.
const DOUBTFUL: f64 = 0.95;

/// Standard deviation of the noise above which no cube is accepted. Of 2000 sets, random colours have 31 or more, and the simulated scans
/// at most 26.
pub const MAX_NOISE: f64 = 30.0;

/// Returns several candidates, the most likely first, and a rotation of faces that also explains the scan, if there is one.
pub(crate) fn candidates(samples: &Samples) -> (Vec<Candidate>, Option<Turned>) {
    let mut known = Vec::new();
    for start in [by_brightness(samples), by_chromaticity(samples)] {
        known.extend(alternate(samples, &start, &known));
    }
    if let Some(best) = best(&known).filter(|best| best.model.noise > MAX_NOISE) {
        return (rivals(samples, &best, CANDIDATES), misplaced(samples, &best));
    }
    let mut found = best(&known).map_or_else(Vec::new, |best| compare(samples, best));
    let mut rotated = found.first().and_then(|best| misplaced(samples, best));
    let is_refuted = rotated.zip(found.first()).is_some_and(|(other, best)| other.candidate.nats + CLEAR < best.nats);
    if probability(&found) < DOUBTFUL && !is_refuted {
        for face in Face::ALL {
            known.extend(alternate(samples, &without_centre(samples, face), &known));
        }
        let better = best(&known).filter(|best| found.first().is_none_or(|first| best.nats < first.nats));
        if let Some(better) = better.filter(|better| found.iter().all(|other| other.cube != better.cube)) {
            found = compare(samples, better);
            rotated = found.first().and_then(|best| misplaced(samples, best));
        }
    }
    (found, rotated)
}

fn best(known: &[Candidate]) -> Option<Candidate> {
    known.iter().copied().min_by(|a, b| a.nats.total_cmp(&b.nats))
}

/// Returns the probability of the first candidate among all of them.
pub(crate) fn probability(found: &[Candidate]) -> f64 {
    found.first().map_or(0.0, |first| 1.0 / found.iter().map(|other| (first.nats - other.nats).exp()).sum::<f64>())
}
