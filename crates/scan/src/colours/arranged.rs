//! Arrangements of the faces of a camera scan: rotations, orders and mirror images.
//!
//! Each face may have been scanned in four rotations, so there are 4096 combinations, and in 720 orders. The cost of the best legal
//! cube is bounded below by the cheapest piece for each slot on its own. For rotations, these bounds are sums of twenty table
//! entries, because a slot depends on two or three faces only. Best-first branch and bound: arrangements are evaluated exactly in the
//! order of their bounds, until no bound is below the costs found.
#![allow(clippy::cast_possible_truncation)] // codes of rotations have 12 bits, and costs are bounded

use super::candidate::{CANDIDATES, CLEAR, Candidate, alternate, compare, rivals};
use super::model::{UNITS, colouring};
use super::samples::Samples;
use super::search::{MAX_NOISE, unexplained};
use super::starts::{Start, by_brightness, by_chromaticity};
use crate::arrangement::{Arrangement, ORDERS, Turns, alike};
use crate::repair::edge_table::EdgeTable;
use crate::repair::faces::least_form;
use crate::repair::ranking::cheapest_placements;
use crate::repair::table::Table;
use crate::repair::weights::{Least, Weight};
use crate::repair::{Costs, Scanned, Stickers, read_faces};
use superflip_cube::cubie::Cube;
use superflip_cube::face::Face;
use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS, FACELETS, TURNED_FACE};
use superflip_cube::piece::{Corner, Edge};

/// Cost in nats of each colour for each facelet.
pub(crate) type Nats = [[f64; Face::COUNT]; FACELETS];

/// Negative logarithm of the prior probability of a mistake: a particular rotation of a face that should not be rotated, a particular
/// order of faces that should be in order, or all faces turned or mirrored alike.
const UNEXPECTED: f64 = 7.0;

/// Greatest number of arrangements that are evaluated exactly.
const EVALUATED: usize = 48;

/// Greatest difference in nats from the best arrangement at which another is compared.
const WINDOW: f64 = 8.0;

/// Number of arrangements that are compared, and number of cubes from each but the first.
const COMPARED: usize = 4;
const OTHERS: usize = 4;

/// Greatest number of times that a better arrangement replaces the best one.
const REPLACEMENTS: usize = 4;

/// Greatest number of equally likely cubes.
pub(crate) const EQUAL: usize = 20;

/// An arrangement of the scan, and the cube that explains it then.
#[derive(Clone, Copy)]
pub(crate) struct Arranged {
    pub(crate) arrangement: Arrangement,
    pub(crate) candidate: Candidate,
}

/// What is unknown of the faces of a scan.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// Each face may be in any rotation.
    Rotations,
    /// The faces may be in any order.
    Order,
    /// Whether the faces are in another arrangement by mistake.
    Mistakes,
}

/// Returns all combinations.
fn all() -> impl Iterator<Item = Turns> {
    (0..4_u16.pow(Face::COUNT as u32)).map(|code| std::array::from_fn(|face| (code >> (2 * face) & 3) as u8))
}

/// Returns the costs after the faces were arranged. Their colours are then named by the new places of the centres.
fn arranged(nats: &Nats, arrangement: &Arrangement) -> Nats {
    arrangement.arrange(nats).map(|costs| arrangement.order.map(|face| costs[usize::from(face)]))
}

impl Arrangement {
    /// Returns the cost of the mistake that it mends.
    fn cost(&self) -> f64 {
        let is_alike = self.turns.iter().all(|turns| *turns == self.turns[0]);
        if is_alike { UNEXPECTED } else { unexpected(self.turns) }
    }
}

impl Start {
    fn arranged(&self, arrangement: &Arrangement) -> Self {
        Self { nats: arranged(&self.nats, arrangement), model: self.model.arranged(arrangement) }
    }
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

/// Returns lower bounds for corners and for edges of arranged costs, or `None` if they exceed `ceiling`.
fn bounds_of(nats: &Nats, ceiling: f64) -> Option<(f64, f64)> {
    let (mut corners, mut edges) = (0.0, 0.0);
    for facelets in &EDGE_FACELETS {
        let placed = Edge::ALL.iter().flat_map(|piece| (0..2).map(move |flip| (piece.faces(), flip)));
        let costs =
            placed.map(|(faces, flip)| (0..2).map(|k| nats[facelets[k]][faces[(k + flip) % 2].index()]).sum::<f64>());
        edges += costs.fold(f64::INFINITY, f64::min);
        if edges > ceiling {
            return None;
        }
    }
    for facelets in &CORNER_FACELETS {
        let placed = Corner::ALL.iter().flat_map(|piece| (0..3).map(move |twist| (piece.faces(), twist)));
        let costs = placed
            .map(|(faces, twist)| (0..3).map(|k| nats[facelets[k]][faces[(k + 3 - twist) % 3].index()]).sum::<f64>());
        corners += costs.fold(f64::INFINITY, f64::min);
        if corners + edges > ceiling {
            return None;
        }
    }
    Some((corners, edges))
}

/// Returns the cost in nats of the best legal cube for arranged costs, or `None` if it exceeds `ceiling`.
#[allow(clippy::cast_sign_loss)] // costs are not negative
fn least(nats: &Nats, edges_bound: f64, ceiling: f64) -> Option<f64> {
    let costs = Costs::by_sticker(|facelet, face| (nats[facelet][face.index()] * UNITS).max(0.0) as u32);
    if let Some(cheapest) = cheapest_placements(&costs) {
        let least = f64::from(cheapest.cost) / UNITS;
        return (least <= ceiling).then_some(least);
    }
    let corners = Table::<Least, { Corner::COUNT }, 3>::after(&costs.0.corners).whole();
    // The corners alone refute most arrangements, in a tenth of the time.
    if f64::from(corners[0].or(corners[1]).0) / UNITS + edges_bound > ceiling {
        return None;
    }
    let edges = EdgeTable::after(&costs.0.edges).whole();
    let least = f64::from(corners[0].and(edges[0]).or(corners[1].and(edges[1])).0) / UNITS;
    (least <= ceiling).then_some(least)
}

/// An arrangement with a lower bound on its cost, and a lower bound on the part of the edges.
struct Open {
    bound: f64,
    edges: f64,
    /// Cost of the arrangement itself.
    extra: f64,
    arrangement: Arrangement,
}

/// Returns the arrangements whose bounds are at most `ceiling`.
fn open(nats: &Nats, unknown: Unknown, ceiling: f64) -> Vec<Open> {
    let is_mistake = unknown == Unknown::Mistakes;
    let mut open = Vec::new();
    if unknown != Unknown::Order {
        let bounds = Bounds::new(nats);
        open.extend(all().map(|turns| {
            let ((corners, edges), extra) = (bounds.of(turns), if is_mistake { unexpected(turns) } else { 0.0 });
            Open { bound: corners + edges + extra, edges, extra, arrangement: Arrangement::turned(turns) }
        }));
    }
    if unknown != Unknown::Rotations {
        let extra = if is_mistake { UNEXPECTED } else { 0.0 };
        let all = ORDERS.iter().copied().chain(alike().filter(|_| is_mistake));
        open.extend(all.filter_map(|arrangement| {
            let (corners, edges) = bounds_of(&arranged(nats, &arrangement), ceiling - extra)?;
            Some(Open { bound: corners + edges + extra, edges, extra, arrangement })
        }));
    }
    open.retain(|open| open.bound <= ceiling && !(is_mistake && open.arrangement == Arrangement::AS_GIVEN));
    open.sort_by(|a, b| a.bound.total_cmp(&b.bound));
    open
}

/// Returns the arrangements whose best legal cubes cost at most `ceiling` and at most `WINDOW` above the best one, ascending.
fn ranked(nats: &Nats, unknown: Unknown, mut ceiling: f64) -> Vec<(f64, Arrangement)> {
    let mut found: Vec<(f64, Arrangement)> = Vec::new();
    for Open { bound, edges, extra, arrangement } in open(nats, unknown, ceiling).into_iter().take(EVALUATED) {
        if bound > ceiling {
            break;
        }
        if let Some(cost) = least(&arranged(nats, &arrangement), edges, ceiling - extra) {
            found.push((cost + extra, arrangement));
            ceiling = ceiling.min(cost + extra + WINDOW);
        }
    }
    found.retain(|(cost, _)| *cost <= ceiling);
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Returns the number of turned faces, times the cost of one.
fn unexpected(turns: Turns) -> f64 {
    turns.iter().filter(|turns| **turns != 0).map(|_| UNEXPECTED).sum()
}

/// Returns whether the best cube explains nearly all that any colours of the stickers would. A cube that fits by its noise only does not.
pub(crate) fn is_explained(nats: &Nats, best: &Candidate) -> bool {
    // No arrangement costs less than the cheapest colour of each sticker.
    let floor: f64 = nats.iter().map(|costs| costs.iter().copied().fold(f64::INFINITY, f64::min)).sum();
    best.model.noise <= MAX_NOISE && chosen(nats, best) - floor < UNEXPECTED
}

/// Returns the cost of the colours of a cube.
fn chosen(nats: &Nats, best: &Candidate) -> f64 {
    nats.iter().zip(&best.colouring).map(|(costs, &colour)| costs[colour]).sum()
}

/// Finds arrangements of the faces that explain the scan better than `best`, the best cube for the scan as given, or nearly as well as
/// the best of them. The best is first.
pub(crate) fn misplaced(samples: &Samples, best: &Candidate) -> Vec<Arranged> {
    let nats = best.model.surprises(samples);
    if is_explained(&nats, best) {
        return Vec::new();
    }
    // Better than as given is not enough: another start may find what explains all of the scan.
    let enough = unexplained(samples, best).min(best.nats - CLEAR);
    let (mut found, mut tried): (Vec<Arranged>, Vec<Arrangement>) = (Vec::new(), Vec::new());
    for start in [Start { nats, model: best.model }, by_chromaticity(samples)] {
        let ceiling = chosen(&start.nats, best);
        for (_, arrangement) in ranked(&start.nats, Unknown::Mistakes, ceiling).into_iter().take(EQUAL) {
            if tried.contains(&arrangement) {
                continue;
            }
            tried.push(arrangement);
            let known: Vec<Candidate> = found.iter().map(|found| found.candidate).collect();
            let candidate = alternate(&samples.arranged(&arrangement), &start.arranged(&arrangement), &known);
            let extra = arrangement.cost();
            let candidate = candidate.map(|candidate| Candidate { nats: candidate.nats + extra, ..candidate });
            found.extend(candidate.map(|candidate| Arranged { arrangement, candidate }));
        }
        if found.iter().any(|found| found.candidate.nats < enough) {
            break;
        }
    }
    found.sort_by(|a, b| a.candidate.nats.total_cmp(&b.candidate.nats));
    if let Some(least) = found.first().map(|first| first.candidate.nats).filter(|least| *least >= enough) {
        // Those that look the same stay equally likely.
        found.iter_mut().filter(|one| one.candidate.nats <= least + WINDOW).for_each(|one| one.improve(samples));
        found.sort_by(|a, b| a.candidate.nats.total_cmp(&b.candidate.nats));
    }
    found.retain(|found| found.candidate.model.noise <= MAX_NOISE);
    let mirrored: Vec<Arranged> = found.iter().filter_map(|one| one.mirrored(&found)).collect();
    found.extend(mirrored);
    found.sort_by(|a, b| a.candidate.nats.total_cmp(&b.candidate.nats));
    found
}

/// Returns the most likely cubes of a scan whose rotations or order are unknown, each once, the most likely first.
pub(crate) fn in_any(samples: &Samples, unknown: Unknown) -> Vec<Arranged> {
    let mut best: Option<Arranged> = None;
    for start in [by_brightness(samples), by_chromaticity(samples)] {
        let Some(&(_, arrangement)) = ranked(&start.nats, unknown, f64::INFINITY).first() else { continue };
        let known: Vec<_> =
            best.iter().filter(|best| best.arrangement == arrangement).map(|best| best.candidate).collect();
        let candidate = alternate(&samples.arranged(&arrangement), &start.arranged(&arrangement), &known);
        let better = candidate.filter(|one| best.is_none_or(|best| one.nats < best.candidate.nats));
        best = better.map(|candidate| Arranged { arrangement, candidate }).or(best);
    }
    let Some(mut best) = best else { return Vec::new() };
    let mut found: Vec<Arranged> = Vec::new();
    for _ in 0..REPLACEMENTS {
        found.clear();
        let model = best.candidate.model.scanned(&best.arrangement);
        let all = ranked(&model.surprises(samples), unknown, f64::INFINITY).into_iter();
        for (rank, (_, arrangement)) in all.take(COMPARED).enumerate() {
            let count = if rank == 0 { CANDIDATES } else { OTHERS };
            let like = Candidate { model: model.arranged(&arrangement), ..best.candidate };
            for candidate in rivals(&samples.arranged(&arrangement), &like, count) {
                found.push(Arranged { arrangement, candidate });
            }
        }
        found.sort_by(|a, b| a.candidate.nats.total_cmp(&b.candidate.nats));
        match found.first() {
            Some(first)
                if first.candidate.cube != best.candidate.cube && first.candidate.nats < best.candidate.nats =>
            {
                let samples = samples.arranged(&first.arrangement);
                best = Arranged { candidate: first.candidate.refitted(&samples), ..*first };
            }
            _ => break,
        }
    }
    let mut distinct: Vec<Arranged> = found.first().map(|first| equally_likely(first, unknown)).unwrap_or_default();
    for one in found {
        if distinct.iter().all(|other| other.shown(unknown) != one.shown(unknown)) {
            distinct.push(one);
        }
    }
    distinct
}

impl Arranged {
    /// Searches for a more likely cube in this arrangement, from other starts and among the next cubes in the ranking.
    fn improve(&mut self, samples: &Samples) {
        let arranged = samples.arranged(&self.arrangement);
        let extra = self.arrangement.cost();
        let mut known = vec![Candidate { nats: self.candidate.nats - extra, ..self.candidate }];
        for start in [by_brightness(&arranged), by_chromaticity(&arranged)] {
            known.extend(alternate(&arranged, &start, &known));
        }
        let best = known.into_iter().min_by(|a, b| a.nats.total_cmp(&b.nats));
        if let Some(better) = best.and_then(|best| compare(&arranged, best).first().copied()) {
            let nats = (better.nats + extra).min(self.candidate.nats);
            self.candidate = Candidate { nats, ..better };
        }
    }

    /// Returns the mirror image, which the colours fit as well, of faces in another order: each is mirrored from left to right, and those on L and
    /// R are exchanged. Returns `None` if `found` has it already, perhaps mirrored from top to bottom.
    fn mirrored(&self, found: &[Self]) -> Option<Self> {
        let Arrangement { order, is_mirrored, turns } = self.arrangement;
        if is_mirrored || turns != Arrangement::AS_GIVEN.turns || order == Arrangement::AS_GIVEN.order {
            return None;
        }
        let exchanged = |face: Face, turns: u8| {
            let mut order = order;
            order.swap(face.index(), face.opposite().index());
            Arrangement { order, is_mirrored: true, turns: [turns; Face::COUNT] }
        };
        let arrangement = exchanged(Face::R, 0);
        let same = [arrangement, exchanged(Face::U, 2)];
        if found.iter().any(|other| same.contains(&other.arrangement)) {
            return None;
        }
        let image = |place: usize| match Face::ALL[place] {
            face @ (Face::L | Face::R) => face.opposite(),
            face => face,
        };
        let stickers: [Face; FACELETS] = std::array::from_fn(|facelet| {
            let (face, number) = (image(facelet / 9).index(), facelet % 9);
            image(self.candidate.colouring[9 * face + number / 3 * 3 + 2 - number % 3])
        });
        let cube = Cube::from_stickers(&stickers.map(Some))?;
        let model = self.candidate.model.scanned(&self.arrangement).arranged(&arrangement);
        let candidate = Candidate { cube, colouring: colouring(&cube), model, ..self.candidate };
        Some(Self { arrangement, candidate })
    }

    /// Returns whether it is this cube with some faces turned, so that the faces as given differ from it in a few stickers only.
    pub(crate) fn is_turned(&self, cube: &Cube) -> bool {
        let Arrangement { order, is_mirrored, .. } = self.arrangement;
        self.candidate.cube == *cube && order == Arrangement::AS_GIVEN.order && !is_mirrored
    }

    /// Returns the colours of the cube, named by the scanned faces. With an unknown order, they are those of all rotations of the cube.
    fn shown(&self, unknown: Unknown) -> [Face; FACELETS] {
        let colours = self.candidate.colouring.map(|colour| Face::ALL[usize::from(self.arrangement.order[colour])]);
        if unknown == Unknown::Order { least_form(&colours) } else { colours }
    }
}

/// Returns a cube, and the other legal cubes that the same stickers form if their faces are arranged in other ways.
///
/// The comparison of arrangements does not find all of them: faces that look the same after a turn fill it with one cube.
fn equally_likely(best: &Arranged, unknown: Unknown) -> Vec<Arranged> {
    let mut scanned = [0; FACELETS];
    for (facelet, &colour) in best.candidate.colouring.iter().enumerate() {
        scanned[best.arrangement.source(facelet)] = best.arrangement.order[colour];
    }
    // Digits, because letters of faces would tell how the centres are arranged.
    let text: String = scanned.iter().map(|face| char::from(b'1' + face)).collect();
    let is = |one| unknown == one;
    let unknown_faces = Scanned { unknown_rotations: is(Unknown::Rotations), unknown_order: is(Unknown::Order) };
    let found = Stickers::parse(&text).and_then(|stickers| read_faces(&stickers, unknown_faces, EQUAL));
    let readings = found.map(|found| found.readings).unwrap_or_default().into_iter();
    let others = readings.map(|reading| Arranged {
        arrangement: Arrangement { order: reading.order, ..Arrangement::turned(reading.turns) },
        candidate: Candidate { cube: reading.cube, colouring: colouring(&reading.cube), ..best.candidate },
    });
    let others = others.filter(|other| other.shown(unknown) != best.shown(unknown));
    std::iter::once(*best).chain(others).take(EQUAL).collect()
}
