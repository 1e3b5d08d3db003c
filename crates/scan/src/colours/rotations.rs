//! Faces of a camera scan that were rotated.
//!
//! Each face may have been scanned in four rotations, so there are 4096 combinations. The cost of the best legal cube is
//! bounded below by the cheapest piece for each slot on its own. These bounds are sums of twenty table entries, because a slot
//! depends on two or three faces only. Best-first branch and bound: combinations are evaluated exactly in the order of their
//! bounds, until no bound is below the costs found.
#![allow(clippy::cast_possible_truncation)] // codes of rotations have 12 bits, and costs are bounded

use super::candidate::{CANDIDATES, CLEAR, Candidate, alternate, rivals};
use super::model::{UNITS, colouring};
use super::samples::Samples;
use super::starts::{Start, by_brightness, by_chromaticity};
use crate::repair::edge_table::EdgeTable;
use crate::repair::ranking::cheapest_placements;
use crate::repair::table::Table;
use crate::repair::weights::{Least, Weight};
use crate::repair::{Costs, Scanned, Stickers, read_faces};
use superflip_cube::face::Face;
use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS, FACELETS, TURNED_FACE};
use superflip_cube::piece::{Corner, Edge};

/// Clockwise quarter turns of each face, 0..4, in the order U R F D L B.
pub type Turns = [u8; Face::COUNT];

/// No face is turned.
pub(crate) const AS_GIVEN: Turns = [0; Face::COUNT];

/// Cost in nats of each colour for each facelet.
pub(crate) type Nats = [[f64; Face::COUNT]; FACELETS];

/// Negative logarithm of the prior probability of a particular rotation of a face that should not be rotated.
const UNEXPECTED: f64 = 7.0;

/// Greatest number of combinations that are evaluated exactly.
const EVALUATED: usize = 48;

/// Greatest difference in nats from the best combination at which another is compared.
const WINDOW: f64 = 8.0;

/// Number of combinations that are compared, and number of cubes from each but the first.
const COMPARED: usize = 4;
const OTHERS: usize = 4;

/// Greatest number of times that a better combination replaces the best one.
const REPLACEMENTS: usize = 4;

/// Greatest number of equally likely cubes.
pub(crate) const EQUAL: usize = 20;

/// The scan with some faces turned, and the cube that explains it.
#[derive(Clone, Copy)]
pub(crate) struct Turned {
    pub(crate) turns: Turns,
    pub(crate) candidate: Candidate,
}

/// Returns all combinations.
fn all() -> impl Iterator<Item = Turns> {
    (0..4_u16.pow(Face::COUNT as u32)).map(|code| std::array::from_fn(|face| (code >> (2 * face) & 3) as u8))
}

/// Returns the facelet that a facelet shows after its face was turned.
fn source(facelet: usize, turns: Turns) -> usize {
    9 * (facelet / 9) + TURNED_FACE[usize::from(turns[facelet / 9])][facelet % 9]
}

/// Returns the costs after the faces were turned.
fn turned(nats: &Nats, turns: Turns) -> Nats {
    std::array::from_fn(|facelet| nats[source(facelet, turns)])
}

/// Least cost in nats of a piece for each slot, by the turns of its faces.
struct Bounds {
    corners: [[f64; 64]; Corner::COUNT],
    edges: [[f64; 16]; Edge::COUNT],
}

impl Bounds {
    fn new(nats: &Nats) -> Self {
        // Cost of a colour on the facelet number `k` of a slot, if the faces of the slot are turned as `code` says.
        let cost = |facelet: usize, code: usize, k: usize, face: Face| {
            let shown = TURNED_FACE[code >> (2 * k) & 3][facelet % 9];
            nats[9 * (facelet / 9) + shown][face.index()]
        };
        Self {
            corners: CORNER_FACELETS.map(|facelets| {
                std::array::from_fn(|code| {
                    let placed = Corner::ALL.iter().flat_map(|piece| (0..3).map(move |twist| (piece.faces(), twist)));
                    let costs = placed.map(|(faces, twist)| {
                        (0..3).map(|k| cost(facelets[k], code, k, faces[(k + 3 - twist) % 3])).sum::<f64>()
                    });
                    costs.fold(f64::INFINITY, f64::min)
                })
            }),
            edges: EDGE_FACELETS.map(|facelets| {
                std::array::from_fn(|code| {
                    let placed = Edge::ALL.iter().flat_map(|piece| (0..2).map(move |flip| (piece.faces(), flip)));
                    let costs = placed.map(|(faces, flip)| {
                        (0..2).map(|k| cost(facelets[k], code, k, faces[(k + flip) % 2])).sum::<f64>()
                    });
                    costs.fold(f64::INFINITY, f64::min)
                })
            }),
        }
    }

    /// Returns a lower bound for corners and for edges.
    fn of(&self, turns: Turns) -> (f64, f64) {
        let code = |facelets: &[usize]| {
            facelets.iter().enumerate().map(|(k, facelet)| usize::from(turns[facelet / 9]) << (2 * k)).sum::<usize>()
        };
        let corners = CORNER_FACELETS.iter().zip(&self.corners).map(|(facelets, bounds)| bounds[code(facelets)]);
        let edges = EDGE_FACELETS.iter().zip(&self.edges).map(|(facelets, bounds)| bounds[code(facelets)]);
        (corners.sum(), edges.sum())
    }
}

/// Returns the cost in nats of the best legal cube, or `None` if it exceeds `ceiling`.
#[allow(clippy::cast_sign_loss)] // costs are not negative
fn least(nats: &Nats, turns: Turns, edges_bound: f64, ceiling: f64) -> Option<f64> {
    let costs = Costs::by_sticker(|facelet, face| (nats[source(facelet, turns)][face.index()] * UNITS).max(0.0) as u32);
    if let Some(cheapest) = cheapest_placements(&costs) {
        let least = f64::from(cheapest.cost) / UNITS;
        return (least <= ceiling).then_some(least);
    }
    let corners = Table::<Least, { Corner::COUNT }, 3>::after(&costs.0.corners).whole();
    // The corners alone refute most combinations, in a tenth of the time.
    if f64::from(corners[0].or(corners[1]).0) / UNITS + edges_bound > ceiling {
        return None;
    }
    let edges = EdgeTable::after(&costs.0.edges).whole();
    let least = f64::from(corners[0].and(edges[0]).or(corners[1].and(edges[1])).0) / UNITS;
    (least <= ceiling).then_some(least)
}

/// Returns the combinations other than `except` whose best legal cubes cost at most `ceiling` and at most `WINDOW` above the
/// best one, ascending. `extra` is added to the cost of a combination.
fn ranked(nats: &Nats, except: Option<Turns>, mut ceiling: f64, extra: impl Fn(Turns) -> f64) -> Vec<(f64, Turns)> {
    let bounds = Bounds::new(nats);
    let mut open: Vec<_> = all()
        .filter(|turns| Some(*turns) != except)
        .map(|turns| {
            let ((corners, edges), extra) = (bounds.of(turns), extra(turns));
            (corners + edges + extra, edges, extra, turns)
        })
        .filter(|(bound, ..)| *bound <= ceiling)
        .collect();
    open.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut found: Vec<(f64, Turns)> = Vec::new();
    for (bound, edges, extra, turns) in open.into_iter().take(EVALUATED) {
        if bound > ceiling {
            break;
        }
        if let Some(cost) = least(nats, turns, edges, ceiling - extra) {
            found.push((cost + extra, turns));
            ceiling = ceiling.min(cost + extra + WINDOW);
        }
    }
    found.retain(|(cost, _)| *cost <= ceiling);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Returns the number of turned faces, times the cost of one.
pub(crate) fn unexpected(turns: Turns) -> f64 {
    turns.iter().filter(|turns| **turns != 0).map(|_| UNEXPECTED).sum()
}

/// Finds faces whose rotation explains the scan better than `best`, the best cube for the scan as given.
pub(crate) fn misplaced(samples: &Samples, best: &Candidate) -> Option<Turned> {
    let nats = best.model.surprises(samples);
    let chosen = |nats: &Nats| nats.iter().zip(&best.colouring).map(|(costs, &colour)| costs[colour]).sum::<f64>();
    // No rotation costs less than the cheapest colour of each sticker.
    let floor: f64 = nats.iter().map(|costs| costs.iter().copied().fold(f64::INFINITY, f64::min)).sum();
    if chosen(&nats) - floor < UNEXPECTED {
        return None;
    }
    let mut found: Option<Turned> = None;
    let chromaticity = by_chromaticity(samples);
    for start in [Start { nats, model: best.model }, chromaticity] {
        let ceiling = chosen(&start.nats);
        let Some(&(_, turns)) = ranked(&start.nats, Some(AS_GIVEN), ceiling, unexpected).first() else { continue };
        if found.is_some_and(|found| found.turns == turns) {
            continue;
        }
        let start = Start { nats: turned(&start.nats, turns), ..start };
        let candidate = alternate(&samples.turned(turns), &start, &[]);
        let candidate = candidate.map(|candidate| Candidate { nats: candidate.nats + unexpected(turns), ..candidate });
        let better = candidate.filter(|one| found.is_none_or(|found| one.nats < found.candidate.nats));
        found = better.map(|candidate| Turned { turns, candidate }).or(found);
        if found.is_some_and(|found| found.candidate.nats + CLEAR < best.nats) {
            break;
        }
    }
    found.filter(|found| found.candidate.cube != best.cube)
}

/// Returns the most likely cubes of a scan whose rotations are unknown, each once, the most likely first.
pub(crate) fn in_any_rotation(samples: &Samples) -> Vec<Turned> {
    let mut best: Option<Turned> = None;
    for start in [by_brightness(samples), by_chromaticity(samples)] {
        let Some(&(_, turns)) = ranked(&start.nats, None, f64::INFINITY, |_| 0.0).first() else { continue };
        let known: Vec<_> = best.iter().filter(|best| best.turns == turns).map(|best| best.candidate).collect();
        let start = Start { nats: turned(&start.nats, turns), model: start.model };
        let candidate = alternate(&samples.turned(turns), &start, &known);
        let better = candidate.filter(|one| best.is_none_or(|best| one.nats < best.candidate.nats));
        best = better.map(|candidate| Turned { turns, candidate }).or(best);
    }
    let Some(mut best) = best else { return Vec::new() };
    let mut found: Vec<Turned> = Vec::new();
    for _ in 0..REPLACEMENTS {
        found.clear();
        let nats = best.candidate.model.surprises(samples);
        for (rank, (_, turns)) in ranked(&nats, None, f64::INFINITY, |_| 0.0).into_iter().take(COMPARED).enumerate() {
            let count = if rank == 0 { CANDIDATES } else { OTHERS };
            for candidate in rivals(&samples.turned(turns), &best.candidate, count) {
                found.push(Turned { turns, candidate });
            }
        }
        found.sort_by(|a, b| a.candidate.nats.total_cmp(&b.candidate.nats));
        match found.first() {
            Some(first)
                if first.candidate.cube != best.candidate.cube && first.candidate.nats < best.candidate.nats =>
            {
                let samples = samples.turned(first.turns);
                best = Turned { candidate: first.candidate.refitted(&samples), turns: first.turns };
            }
            _ => break,
        }
    }
    let mut distinct: Vec<Turned> = found.first().map(equally_likely).unwrap_or_default();
    for one in found {
        if distinct.iter().all(|other| other.candidate.cube != one.candidate.cube) {
            distinct.push(one);
        }
    }
    distinct
}

/// Returns a cube, and the other legal cubes that the same stickers form if their faces are turned in other ways.
///
/// The comparison of combinations does not find all of them: faces that look the same after a turn fill it with one cube.
fn equally_likely(best: &Turned) -> Vec<Turned> {
    let mut scanned = [Face::U; FACELETS];
    for (facelet, &colour) in best.candidate.colouring.iter().enumerate() {
        scanned[source(facelet, best.turns)] = Face::ALL[colour];
    }
    let text: String = scanned.iter().map(|face| face.name()).collect();
    let unknown = Scanned { unknown_rotations: true, unknown_order: false };
    let found = Stickers::parse(&text).and_then(|stickers| read_faces(&stickers, unknown, EQUAL));
    let readings = found.map(|found| found.readings).unwrap_or_default().into_iter();
    let others = readings.filter(|reading| reading.cube != best.candidate.cube).map(|reading| Turned {
        turns: reading.turns,
        candidate: Candidate { cube: reading.cube, colouring: colouring(&reading.cube), ..best.candidate },
    });
    std::iter::once(*best).chain(others).take(EQUAL).collect()
}
