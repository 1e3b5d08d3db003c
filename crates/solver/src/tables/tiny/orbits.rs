//! What the 18 moves do to the distances of a product, an orbit at a time.
//!
//! The turns of one face lead from an entry through four entries and back to it. The distances of these four differ by at
//! most one, because any two are one move apart. So four bits tell the nearer entries of an orbit from the farther ones,
//! and give the effect of the three turns on each of the four. They are collected once for all four: with two reads of
//! other rows for each entry and face instead of three. What remains is read in order.

use crate::tables::pruning::breadth_first::Graph;
use crate::tables::pruning::product::{Columns, ReducedProduct};
use superflip_cube::{Face, Move, Symmetry};

/// Number of faces.
const FACES: usize = Face::ALL.len();

/// The orbits of a product of all 18 moves.
pub(super) struct Orbits<'p, C> {
    product: &'p ReducedProduct<'p, C>,
    distances: &'p [u8],
    /// Image of the clockwise turn of each face under each symmetry of the product.
    seen: Vec<[Move; FACES]>,
    /// Effects of the turns of a face on a row, at `FACES * row + face`, if they are computed. Those of the orbits follow.
    computed: Vec<Vec<u8>>,
    /// Distances after the turns of a face.
    neighbours: [Vec<u8>; 3],
    /// Effects of the turns of a face.
    effects: Vec<u8>,
}

impl<'p, C: Columns> Orbits<'p, C> {
    /// Takes the distances of a product, and its symmetries.
    pub(super) fn new(
        product: &'p ReducedProduct<'p, C>,
        distances: &'p [u8],
        symmetries: impl Iterator<Item = Symmetry>,
    ) -> Self {
        let clockwise = |symmetry: Symmetry| Face::ALL.map(|face| symmetry.conjugate_move(turn(face.index(), 1)));
        Self {
            product,
            distances,
            seen: symmetries.map(clockwise).collect(),
            computed: vec![Vec::new(); FACES * product.self_symmetries.len()],
            neighbours: std::array::from_fn(|_| vec![0; product.columns()]),
            effects: vec![0; product.columns()],
        }
    }

    /// Computes the masked entries of a row, without the distance.
    pub(super) fn mask_row(&mut self, row: usize, out: &mut [u32]) {
        out.fill(0);
        for face in 0..FACES {
            for (entry, &effects) in out.iter_mut().zip(self.effects(row, face)) {
                let effects = u32::from(effects);
                *entry |= (effects & 7) << (3 * face) | (effects >> 3) << (Move::COUNT + face);
            }
        }
    }

    /// Returns the effects of the turns of a face on the entries of a row: which of the three change the distance, in bits 0 to
    /// 2, and whether they increase it, in bit 3.
    fn effects(&mut self, row: usize, face: usize) -> &[u8] {
        // The orbits of a row under a face are those of three other rows under some face. For the lowest, they are computed.
        let own = (FACES * row + face, 0, false);
        let other = |quarters: usize| {
            let (to, symmetry) = self.product.class_after(row, turn(face, quarters).index());
            let seen = self.seen[symmetry][face];
            (FACES * to + seen.face().index(), quarters, seen.quarters() == 3)
        };
        let (lowest, quarters, is_reflected) = [own, other(1), other(2), other(3)].into_iter().min().unwrap_or(own);
        if self.computed[lowest].is_empty() {
            self.computed[lowest] = self.compute(lowest / FACES, lowest % FACES);
        }
        if quarters == 0 {
            return &self.computed[lowest];
        }
        let seen: [u8; 16] = std::array::from_fn(|effects| seen_from(effects, quarters, is_reflected));
        let mv = turn(face, quarters).index();
        let symmetry = self.product.class_after(row, mv).1;
        let seen = |effects: u8| seen[usize::from(effects % 16)];
        self.product.columns.read(mv, symmetry, &self.computed[lowest], &mut self.effects, seen);
        &self.effects
    }

    /// Computes the effects of the turns of a face on the entries of a row from the distances.
    fn compute(&mut self, row: usize, face: usize) -> Vec<u8> {
        for (quarters, neighbours) in (1..).zip(&mut self.neighbours) {
            self.product.neighbour_distances(self.distances, row, turn(face, quarters).index(), neighbours);
        }
        let columns = self.product.columns();
        let own = &self.distances[row * columns..][..columns];
        let [a, b, c] = &self.neighbours;
        let effects = |(((own, a), b), c): (((&u8, &u8), &u8), &u8)| {
            let changes = u8::from(a != own) | u8::from(b != own) << 1 | u8::from(c != own) << 2;
            changes | u8::from(a.max(b).max(c) > own) << 3
        };
        own.iter().zip(a).zip(b).zip(c).map(effects).collect()
    }
}

/// Returns the turn of a face by one to three clockwise quarters.
fn turn(face: usize, quarters: usize) -> Move {
    Move::ALL[3 * face + quarters - 1]
}

/// Returns the effects on the entry from which some clockwise quarters lead to an entry with these effects. If that is seen
/// through a reflection, the turns are counter-clockwise there.
fn seen_from(effects: usize, quarters: usize, is_reflected: bool) -> u8 {
    // Whether an entry is farther than the nearest of the orbit.
    let is_farther = |turns: usize| {
        let from_there = (turns + 4 - quarters) % 4;
        let there = if is_reflected { (4 - from_there) % 4 } else { from_there };
        let is_nearest = effects.trailing_zeros() >= 3 || effects >> 3 == 1;
        (there > 0 && effects << 1 >> there & 1 == 1) == is_nearest
    };
    let own = is_farther(0);
    let changes = (1..4).filter(|&turns| is_farther(turns) != own).fold(0, |changes, turns| changes | 1 << (turns - 1));
    if changes != 0 && !own { changes | 8 } else { changes }
}
