//! Faces scanned in unknown rotations, in unknown order, or both: every legal way to put them together.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::scheme;
use superflip_cube::cubie::Cube;
use superflip_cube::face::Face;
use superflip_cube::forms::listed;
use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS, FACELETS, TURNED_FACE, layer_move};
use superflip_cube::verify::sticker;
use superflip_cube::{Corner, Edge, FormError, PieceKind, Stickers, Violation};

/// What is unknown of a scan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scanned {
    /// Each face may have been scanned in any of four rotations.
    pub unknown_rotations: bool,
    /// The faces may have been scanned in any order.
    pub unknown_order: bool,
}

/// One legal way to put six faces together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaceReading {
    /// For each place in the order U R F D L B: the scanned face that belongs there, 0..6.
    pub order: [u8; Face::COUNT],
    /// For each place: clockwise quarter turns by which the scanned face has to be turned, 0..4.
    pub turns: [u8; Face::COUNT],
    /// The cube; each of its centres defines the colour of its face.
    pub cube: Cube,
    /// The cube as 54 symbols, with the symbols of the scan.
    pub facelets: String,
}

/// Every legal way to put six faces together.
///
/// Readings are distinct as coloured cubes. With a known order, two readings differ if any sticker differs. With an unknown
/// order, readings that differ only by a rotation of the whole cube count as one, and the first one found is returned. If
/// the rotations are unknown too, this is the one with the first scanned face on top, not turned.
///
/// With an unknown order, the faces of a mirrored scan fit together as the mirror image of the cube. The symbols tell if they
/// are face letters, or the letters of the usual colours. Then readings with mirrored centres are left out, and those that
/// contradict face letters are left out if another one agrees with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaceReadings {
    /// Number of readings.
    pub total: usize,
    /// The first of them, at most as many as asked for.
    pub readings: Vec<FaceReading>,
    /// Whether every way to put the faces together has mirrored centres, so that there is no reading.
    pub is_mirrored: bool,
}

/// Order in which places are filled: each face adds as many complete slots as possible.
const PLACES: [Face; Face::COUNT] = [Face::U, Face::F, Face::R, Face::B, Face::L, Face::D];

type FaceColours = [Face; 9];

/// Finds every legal reading of six error-free faces. The stickers are the faces one after the other, each row by row.
///
/// # Examples
/// ```
/// use superflip_cube::Cube;
/// use superflip_scan::repair::{Scanned, Stickers, read_faces};
///
/// let facelets = Cube::from_scramble("R U F2 L D' B R2 U' L2 F")?.to_string();
/// let scanned = Scanned { unknown_rotations: true, unknown_order: false };
/// let found = read_faces(&Stickers::parse(&facelets)?, scanned, 20)?;
/// assert!(found.readings.iter().any(|reading| reading.facelets == facelets));
/// # Ok::<(), superflip_cube::FormError>(())
/// ```
///
/// # Errors
/// [`FormError::Impossible`] with the code `unknown_sticker` if a sticker is unknown.
pub fn read_faces(stickers: &Stickers, scanned: Scanned, limit: usize) -> Result<FaceReadings, FormError> {
    let unknown = stickers.unknown();
    if !unknown.is_empty() {
        let named: Vec<_> = unknown.iter().take(12).map(|&facelet| sticker(usize::from(facelet))).collect();
        let message = format!(
            "Faces in unknown rotations or order can be combined only if every sticker is known. Unknown: {}.",
            listed(&named)
        );
        let violation = Violation::new("unknown_sticker", None, message).about(unknown.into_iter().map(usize::from));
        return Err(FormError::impossible(vec![violation]));
    }
    let colours: [Face; FACELETS] = stickers.faces().map(|face| face.unwrap_or(Face::U));
    let mut search =
        Search { faces: turned_faces(&colours), stickers, scanned, seen: HashSet::new(), found: Vec::new() };
    let orders = if scanned.unknown_order { all_orders(scanned.unknown_rotations) } else { vec![Face::ALL] };
    for order in orders {
        search.with_order(order);
    }
    let mut readings = search.found;
    let is_mirrored = scanned.unknown_order && scheme::retain(&mut readings, |reading| &reading.facelets);
    let total = readings.len();
    readings.truncate(limit);
    Ok(FaceReadings { total, readings, is_mirrored })
}

/// Returns each scanned face in its distinct rotations, with the number of quarter turns.
fn turned_faces(colours: &[Face; FACELETS]) -> [Vec<(u8, FaceColours)>; Face::COUNT] {
    std::array::from_fn(|face| {
        let mut rotations: Vec<(u8, FaceColours)> = Vec::new();
        for (turns, from) in (0..).zip(TURNED_FACE) {
            let turned = from.map(|i| colours[9 * face + i]);
            if rotations.iter().all(|(_, other)| *other != turned) {
                rotations.push((turns, turned));
            }
        }
        rotations
    })
}

/// Returns every order of the scanned faces, by place. With `is_first_on_top`, returns only the orders with the first face
/// on top; rotations of the whole cube give the others.
pub(crate) fn all_orders(is_first_on_top: bool) -> Vec<[Face; Face::COUNT]> {
    let mut orders = vec![Vec::new()];
    for _ in 0..Face::COUNT {
        let longer = |order: &Vec<Face>| {
            let order = order.clone();
            let left = Face::ALL.into_iter().filter(move |face| !order.contains(face));
            left.collect::<Vec<_>>()
        };
        orders = orders
            .iter()
            .flat_map(|order| longer(order).into_iter().map(|face| [order.as_slice(), &[face]].concat()))
            .collect();
    }
    let orders = orders.into_iter().filter_map(|order| order.try_into().ok());
    orders.filter(|order: &[Face; Face::COUNT]| !is_first_on_top || order[0] == Face::U).collect()
}

struct Search<'a> {
    faces: [Vec<(u8, FaceColours)>; Face::COUNT],
    stickers: &'a Stickers,
    scanned: Scanned,
    /// Cubes found, each rotated to its least form, if the order is unknown.
    seen: HashSet<[Face; FACELETS]>,
    found: Vec<FaceReading>,
}

/// The places filled so far.
#[derive(Clone, Copy)]
struct Partial {
    /// Scanned face at each place.
    order: [Face; Face::COUNT],
    /// Place of each scanned face, which is the place of its colour.
    places: [Face; Face::COUNT],
    turns: [u8; Face::COUNT],
    colours: [Option<Face>; FACELETS],
}

impl Search<'_> {
    fn with_order(&mut self, order: [Face; Face::COUNT]) {
        let mut places = order;
        order.iter().zip(Face::ALL).for_each(|(scanned, place)| places[scanned.index()] = place);
        let partial = Partial { order, places, turns: [0; Face::COUNT], colours: [None; FACELETS] };
        self.fill(&partial, 0, Used::default());
    }

    /// Fills the place number `depth` of [`PLACES`] in every rotation that leaves all complete slots possible.
    fn fill(&mut self, partial: &Partial, depth: usize, used: Used) {
        let Some(&place) = PLACES.get(depth) else { return self.record(partial) };
        let scanned = partial.order[place.index()];
        let is_turned = self.scanned.unknown_rotations && !(self.scanned.unknown_order && depth == 0);
        let count = if is_turned { self.faces[scanned.index()].len() } else { 1 };
        for rotation in 0..count {
            let (turns, colours) = self.faces[scanned.index()][rotation];
            let mut next = *partial;
            next.turns[place.index()] = turns;
            for (i, colour) in colours.into_iter().enumerate() {
                next.colours[9 * place.index() + i] = Some(colour);
            }
            if let Some(used) = next.check(depth, used) {
                self.fill(&next, depth + 1, used);
            }
        }
    }

    fn record(&mut self, partial: &Partial) {
        let shown = partial.colours.map(|colour| colour.map(|colour| partial.places[colour.index()]));
        let Some(cube) = Cube::from_stickers(&shown).filter(Cube::is_reachable) else { return };
        let colours = partial.colours.map(|colour| colour.unwrap_or(Face::U));
        if self.scanned.unknown_order && !self.seen.insert(least_form(&colours)) {
            return;
        }
        self.found.push(FaceReading {
            order: partial.order.map(|face| face as u8),
            turns: partial.turns,
            cube,
            facelets: colours.iter().map(|&colour| self.stickers.symbol(colour)).collect(),
        });
    }
}

/// Returns the least of the 24 rotations of the whole cube, which is the same for all of them.
pub(crate) fn least_form(colours: &[Face; FACELETS]) -> [Face; FACELETS] {
    let held = |holding: &[u8; FACELETS]| holding.map(|from| colours[usize::from(from)]);
    HOLDINGS.iter().map(held).min().unwrap_or(*colours)
}

/// Sets of the pieces in complete slots.
#[derive(Clone, Copy, Default)]
struct Used {
    corners: u32,
    edges: u32,
}

impl Partial {
    /// Checks the slots that the place number `depth` completes, and adds their pieces.
    fn check(&self, depth: usize, mut used: Used) -> Option<Used> {
        let is_new = |facelets: &[usize]| {
            let depths = facelets.iter().map(|facelet| DEPTHS[facelet / 9]);
            depths.max() == Some(depth)
        };
        for slot in Edge::ALL.into_iter().filter(|slot| is_new(&EDGE_FACELETS[slot.index()])) {
            used.edges = self.add(slot, used.edges)?;
        }
        for slot in Corner::ALL.into_iter().filter(|slot| is_new(&CORNER_FACELETS[slot.index()])) {
            used.corners = self.add(slot, used.corners)?;
        }
        Some(used)
    }

    /// Adds the piece in a slot to the set, unless the slot shows none or the piece is there already.
    fn add<P: PieceKind>(&self, slot: P, used: u32) -> Option<u32> {
        let shown = |facelet: usize| self.colours[facelet].map(|colour: Face| self.places[colour.index()]);
        let (piece, _) = slot.piece_in(shown)?;
        let bit = 1 << piece.index();
        (used & bit == 0).then_some(used | bit)
    }
}

/// Position of each place in [`PLACES`].
const DEPTHS: [usize; Face::COUNT] = {
    let mut depths = [0; Face::COUNT];
    let mut i = 0;
    while i < Face::COUNT {
        depths[PLACES[i].index()] = i;
        i += 1;
    }
    depths
};

/// The 24 rotations of the whole cube, as facelet permutations.
static HOLDINGS: LazyLock<Vec<[u8; FACELETS]>> = LazyLock::new(|| {
    let generators = [Face::U, Face::F].map(|face| layer_move(face, [true; 3], 1));
    let mut found: Vec<[u8; FACELETS]> = vec![Cube::SOLVED.to_facelet_permutation()];
    let mut at = 0;
    while let Some(&holding) = found.get(at) {
        for generator in generators {
            let next = generator.map(|from| holding[usize::from(from)]);
            if !found.contains(&next) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
});

#[cfg(test)]
mod tests {
    use super::*;
    use superflip_cube::geometry::CENTRE_FACELETS;

    #[test]
    fn a_cube_can_be_held_in_24_ways() {
        assert_eq!(HOLDINGS.len(), 24);
        let tops: HashSet<_> = HOLDINGS.iter().map(|holding| holding[CENTRE_FACELETS[0]]).collect();
        assert_eq!(tops.len(), 6);
    }

    #[test]
    fn a_face_turns_as_the_layer_below_it() {
        let mv = layer_move(Face::U, [true, false, false], 1);
        assert!((0..9).all(|i| usize::from(mv[i]) == TURNED_FACE[1][i]));
    }
}
