//! A legal cube with its own camera, and the steps that improve it.
//!
//! Alternating maximization: from a start, find the most likely legal cube for the camera, then the most likely camera for
//! the cube, until the cube no longer changes. Then fit a camera to each of the next cubes in the exact ranking, and
//! compare the likelihoods.

use super::model::{Colouring, Model, Noise, colouring, placements};
use super::samples::Samples;
use super::starts::Start;
use crate::repair::Ranking;
use crate::repair::ranking::cheapest;
use superflip_cube::cubie::Cube;

/// A legal cube with the camera fitted to it.
#[derive(Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) cube: Cube,
    pub(crate) colouring: Colouring,
    pub(crate) model: Model,
    /// Negative log-likelihood in nats.
    pub(crate) nats: f64,
}

/// Number of candidates compared.
pub(crate) const CANDIDATES: usize = 24;

/// Greatest number of alternations from one start.
pub(crate) const ALTERNATIONS: usize = 12;

/// Greatest number of times that a rival replaces the best cube.
const REPLACEMENTS: usize = 8;

/// Rounds of alternating least squares per alternation, and per candidate.
pub(crate) const ROUNDS: usize = 6;
const CANDIDATE_ROUNDS: usize = 4;

/// Least difference in nats at which another arrangement of the faces rules out the scan as given.
pub(crate) const CLEAR: f64 = 10.0;

impl Candidate {
    fn new(samples: &Samples, cube: Cube, mut model: Model, rounds: usize, noise: Noise) -> Self {
        let colouring = colouring(&cube);
        model.fit(samples, &colouring, rounds, noise);
        Self { cube, colouring, model, nats: model.total(samples, &colouring) }
    }

    /// Returns the candidate with the noise fitted to it too.
    pub(crate) fn refitted(&self, samples: &Samples) -> Self {
        Self::new(samples, self.cube, self.model, CANDIDATE_ROUNDS, Noise::Fitted)
    }
}

/// Alternates between cube and camera. Returns `None` if it reaches a known cube.
pub(crate) fn alternate(samples: &Samples, start: &Start, known: &[Candidate]) -> Option<Candidate> {
    let (mut nats, mut last) = (start.nats, None);
    let mut model = start.model;
    for _ in 0..ALTERNATIONS {
        let cube = cheapest(&placements(&nats))?.cube;
        if known.iter().any(|known| known.cube == cube) {
            return None;
        }
        let next = Candidate::new(samples, cube, model, ROUNDS, Noise::Fitted);
        let is_same = last.is_some_and(|last: Candidate| last.cube == cube);
        model = next.model;
        nats = model.surprises(samples);
        last = Some(next);
        if is_same {
            break;
        }
    }
    last
}

/// Compares a candidate with the next cubes in the ranking, and starts again from a more likely one.
pub(crate) fn compare(samples: &Samples, mut best: Candidate) -> Vec<Candidate> {
    let mut found = Vec::new();
    for _ in 0..REPLACEMENTS {
        found = rivals(samples, &best, CANDIDATES);
        match found.first() {
            Some(first) if first.cube != best.cube && first.nats < best.nats => best = first.refitted(samples),
            _ => break,
        }
    }
    found
}

/// Returns the first `count` cubes in the ranking by a candidate's camera, the most likely first.
pub(crate) fn rivals(samples: &Samples, best: &Candidate, count: usize) -> Vec<Candidate> {
    let ranking = Ranking::new(&placements(&best.model.surprises(samples))).take(count);
    let rival = |cube| Candidate::new(samples, cube, best.model, CANDIDATE_ROUNDS, Noise::Kept);
    let mut found: Vec<_> = ranking.map(|ranked| rival(ranked.cube)).collect();
    found.sort_by(|a, b| a.nats.total_cmp(&b.nats));
    found
}
