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
    /// Bits of the orbits of each row and face, at `FACES * row + face`, or nothing as long as no row needs them. Bit j is set if
    /// the entry after j clockwise turns is farther than the nearest of the orbit.
    bits: Vec<Vec<u8>>,
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
            bits: vec![Vec::new(); FACES * product.self_symmetries.len()],
            neighbours: std::array::from_fn(|_| vec![0; product.columns()]),
            effects: vec![0; product.columns()],
        }
    }

    /// Computes the masked entries of a row, without the distance.
    pub(super) fn mask_row(&mut self, row: usize, out: &mut [u32]) {
        out.fill(0);
        let mut effects = std::mem::take(&mut self.effects);
        for face in 0..FACES {
            self.read_effects(row, face, &mut effects);
            for (entry, &effects) in out.iter_mut().zip(&effects) {
                let effects = u32::from(effects);
                *entry |= (effects & 7) << (3 * face) | (effects >> 3) << (Move::COUNT + face);
            }
        }
        self.effects = effects;
    }

    /// Reads the effects of the turns of a face on the entries of a row: which of the three change the distance, in bits 0 to
    /// 2, and whether they increase it, in bit 3.
    fn read_effects(&mut self, row: usize, face: usize, out: &mut [u8]) {
        // The orbits of a row under a face are those of three other rows under some face. The lowest holds the bits.
        let own = (FACES * row + face, 0, false);
        let other = |quarters: usize| {
            let (to, symmetry) = self.product.class_after(row, turn(face, quarters).index());
            let seen = self.seen[symmetry][face];
            (FACES * to + seen.face().index(), quarters, seen.quarters() == 3)
        };
        let (holder, quarters, is_reflected) = [own, other(1), other(2), other(3)].into_iter().min().unwrap_or(own);
        if self.bits[holder].is_empty() {
            self.bits[holder] = self.collect(holder / FACES, holder % FACES);
        }
        let effects: [u8; 16] = std::array::from_fn(|bits| effects(bits, quarters, is_reflected));
        let effects = |bits: u8| effects[usize::from(bits % 16)];
        if quarters == 0 {
            out.iter_mut().zip(&self.bits[holder]).for_each(|(effect, &bits)| *effect = effects(bits));
        } else {
            let mv = turn(face, quarters).index();
            let symmetry = self.product.class_after(row, mv).1;
            self.product.columns.read(mv, symmetry, &self.bits[holder], out, effects);
        }
    }

    /// Returns the bits of the orbits of a row under a face.
    fn collect(&mut self, row: usize, face: usize) -> Vec<u8> {
        for (quarters, neighbours) in (1..).zip(&mut self.neighbours) {
            self.product.neighbour_distances(self.distances, row, turn(face, quarters).index(), neighbours);
        }
        let columns = self.product.columns();
        let own = &self.distances[row * columns..][..columns];
        let [a, b, c] = &self.neighbours;
        let bits = |(((own, a), b), c): (((&u8, &u8), &u8), &u8)| {
            let nearest = own.min(a).min(b).min(c);
            u8::from(own > nearest)
                | u8::from(a > nearest) << 1
                | u8::from(b > nearest) << 2
                | u8::from(c > nearest) << 3
        };
        own.iter().zip(a).zip(b).zip(c).map(bits).collect()
    }
}

/// Returns the turn of a face by one to three clockwise quarters.
fn turn(face: usize, quarters: usize) -> Move {
    Move::ALL[3 * face + quarters - 1]
}

/// Returns the effects on an entry whose orbit has these bits in the frame that some clockwise quarters lead to. If it is a
/// reflected one, the turns are counter-clockwise there.
fn effects(bits: usize, quarters: usize, is_reflected: bool) -> u8 {
    let is_farther = |turns: usize| {
        let from_there = (turns + 4 - quarters) % 4;
        bits >> if is_reflected { (4 - from_there) % 4 } else { from_there } & 1 == 1
    };
    let own = is_farther(0);
    let changes = (1..4).filter(|&turns| is_farther(turns) != own).fold(0, |changes, turns| changes | 1 << (turns - 1));
    if changes != 0 && !own { changes | 8 } else { changes }
}
