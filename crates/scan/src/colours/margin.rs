//! How certain each sticker is.

use super::candidate::Candidate;
use super::difference::delta_e;
use super::model::{UNITS, placements};
use super::samples::Samples;
use crate::repair::table::{least_with_colour, marginals};
use superflip_cube::face::Face;
use superflip_cube::geometry::{CENTRE_FACELETS, FACELETS};

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

/// Returns the margin of every sticker, `None` for the centres.
pub(crate) fn margins(samples: &Samples, best: &Candidate) -> [Option<Margin>; FACELETS] {
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
