//! The phase-1 pruning table: flip x slice class (64430) times twist (2187), 140 908 410 entries.
//!
//! The search needs two sets of moves from an entry: those that lead nearer to G1, and those that do not lead farther.
//! Two layouts provide them; both are exact.
//!
//! **Masked** (`standard`, 32 bits per entry, 564 MB): the two sets themselves. A node costs one read, and no child
//! that is too far is ever created.
//!
//! ```text
//! bit  31..28   27..24     23..18            17..0
//!      unused   distance   away, per face    changes, per move
//! ```
//!
//! Two moves of one face differ by a move of that face. So the distances after them differ by at most one. One face
//! cannot have both a move that leads nearer and a move that leads farther. One bit per move says whether the distance
//! changes. One bit per face says in which direction.
//!
//! **Residues** (`small`, five to a byte, 28 MB): the *residue* is the distance modulo 3. The distance of a neighbour
//! differs by at most one, so its residue says whether it is nearer, equal or farther. The search knows the distance of
//! the current node. A node costs 18 reads, which do not depend on one another.
//!
//! ```text
//! byte c of a row, 0..438    sum of 3^k * (distance modulo 3 of the twist c + 438 k), k = 0..5; twists above 2186 count 0
//! ```
//!
//! In both layouts, moves are in the frame of the representative.

use std::ops::Range;

use rayon::prelude::*;

use crate::symmetry::SymCoordinate;
use crate::tables::file::table::{Id, Opened};
use crate::tables::prefetch;
use crate::tables::pruning::breadth_first::Graph;
use crate::tables::pruning::packed;
use crate::tables::pruning::product::{Columns, ReducedProduct};
use superflip_cube::Move;
use superflip_cube::simd::{Kernel, Simd, dispatch};

/// Number of entries of one row.
pub const TWISTS: usize = 2187;

/// Greatest distance from G1.
pub(crate) const MAX_DISTANCE: u8 = 12;

/// Bytes of one row of residues.
pub(crate) const RESIDUE_BYTES: usize = TWISTS.div_ceil(RESIDUES);
/// Residues in one byte.
pub(crate) const RESIDUES: usize = 5;

/// Rows of [`DIGITS`]: as many as three bits count. Those from [`RESIDUES`] on are unused.
const RESIDUE_DIGITS: usize = 8;

/// The digits of each byte in base 3, by digit and byte.
static DIGITS: [[u8; 256]; RESIDUE_DIGITS] = {
    let mut out = [[0; 256]; RESIDUE_DIGITS];
    let mut byte = 0;
    while byte < 256 {
        let (mut digit, mut rest) = (0, byte);
        while digit < RESIDUES {
            out[digit][byte] = (rest % 3) as u8;
            rest /= 3;
            digit += 1;
        }
        byte += 1;
    }
    out
};

/// Returns the residues in one byte, of the twists c, c + 438 ... of column c.
pub(crate) fn residues_in(byte: u8) -> [u8; RESIDUES] {
    std::array::from_fn(|digit| DIGITS[digit][usize::from(byte)])
}

/// Returns the distance modulo 3 of class and twist.
#[inline]
pub fn residue(residues: &[u8], class: usize, twist: usize) -> u8 {
    DIGITS[twist / RESIDUE_BYTES][usize::from(residues[class * RESIDUE_BYTES + twist % RESIDUE_BYTES])]
}

/// Packs one row of distances into residues.
pub(crate) fn pack_residues(distances: &[u8]) -> [u8; RESIDUE_BYTES] {
    let mut bytes = [0; RESIDUE_BYTES];
    for fifth in distances.chunks(RESIDUE_BYTES).rev() {
        for (column, byte) in bytes.iter_mut().enumerate() {
            *byte = 3 * *byte + fifth.get(column).map_or(0, |distance| distance % 3);
        }
    }
    bytes
}

/// Mask of all 18 moves.
pub(crate) const ALL_MOVES: u32 = (1 << Move::COUNT) - 1;

/// `SPREAD[faces]` repeats the bit of each face for its three moves.
static SPREAD: [u32; 64] = {
    let mut out = [0; 64];
    let mut faces = 0;
    while faces < 64 {
        let mut face = 0;
        while face < 6 {
            if faces >> face & 1 == 1 {
                out[faces] |= 0b111 << (3 * face);
            }
            face += 1;
        }
        faces += 1;
    }
    out
};

/// The effect of the 18 moves on the distance, as masks in move order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveEffects {
    /// Moves after which the distance is one less.
    pub nearer: u32,
    /// Moves after which the distance is not greater.
    pub(crate) not_farther: u32,
}

impl MoveEffects {
    /// Decodes a masked entry.
    #[inline]
    pub(crate) fn of_masked(entry: u32) -> Self {
        let changes = entry & ALL_MOVES;
        let away = SPREAD[(entry >> 18 & 63) as usize];
        Self { nearer: changes & !away, not_farther: ALL_MOVES & !(changes & away) }
    }

    /// Returns the moves after which the distance, now `distance`, is below `moves_left`.
    #[inline]
    pub fn below(self, distance: u8, moves_left: u8) -> u32 {
        match moves_left.wrapping_sub(distance) {
            0 => self.nearer,
            1 => self.not_farther,
            2..=127 => ALL_MOVES,
            _ => 0,
        }
    }

    /// Returns the distance after a move.
    #[inline]
    pub(crate) fn distance_after(self, distance: u8, mv: usize) -> u8 {
        distance + 1 - ((self.nearer >> mv & 1) + (self.not_farther >> mv & 1)) as u8
    }
}

/// Iterates over the set bits of a mask, lowest first.
#[inline]
pub fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let bit = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            bit
        })
    })
}

/// Returns the distance 0..=12 of a masked entry.
#[inline]
pub const fn masked_distance(entry: u32) -> u8 {
    (entry >> 24 & 15) as u8
}

/// Computes the masked entries of some rows of a product from the distances. Bit i is set if move i of `product.moves`
/// changes the distance.
pub(crate) fn masked_rows<C: Columns>(
    product: &ReducedProduct<'_, C>,
    distances: &[u8],
    rows: Range<usize>,
) -> Vec<u32> {
    let columns = product.columns();
    let mut out = vec![0; rows.len() * columns];
    out.par_chunks_mut(columns).zip(rows).with_min_len(16).for_each_init(Vec::new, |bytes, (entries, row)| {
        mask_row(product, distances, row, bytes, entries);
    });
    out
}

/// Computes the masked entries of a row. `bytes` is memory for the work, which the next row uses again.
pub(crate) fn mask_row<C: Columns>(
    product: &ReducedProduct<'_, C>,
    distances: &[u8],
    row: usize,
    bytes: &mut Vec<u8>,
    out: &mut [u32],
) {
    dispatch(MaskRow { product, distances, row, bytes, out });
}

/// The arguments of [`mask_row`]. As a kernel, its loops are compiled with the vector instructions of the processor.
struct MaskRow<'a, 'p, C> {
    product: &'a ReducedProduct<'p, C>,
    distances: &'a [u8],
    row: usize,
    bytes: &'a mut Vec<u8>,
    out: &'a mut [u32],
}

impl<C: Columns> Kernel for MaskRow<'_, '_, C> {
    type Output = ();

    #[inline(always)]
    fn run<K: Simd>(self, _: K) {
        let Self { product, distances, row, bytes, out } = self;
        let columns = product.columns();
        let own = &distances[row * columns..][..columns];
        out.iter_mut().zip(own).for_each(|(entry, &distance)| *entry = u32::from(distance) << 24);
        bytes.resize(2 * columns, 0);
        let (effects, neighbours) = bytes.split_at_mut(columns);
        let mut first = 0;
        for of_face in product.moves.chunk_by(|a, b| a.face() == b.face()) {
            effects.fill(0);
            // Bits 0 to 2: the moves that change the distance. Bit 3: whether some move increases it.
            for (mv, changed) in (first..first + of_face.len()).zip([1, 2, 4]) {
                let (to, symmetry) = product.class_after(row, mv);
                product.columns.read(mv, symmetry, &distances[to * columns..][..columns], neighbours);
                for ((effect, own), other) in effects.iter_mut().zip(own).zip(&*neighbours) {
                    *effect |= if other == own { 0 } else { changed } | if other > own { 8 } else { 0 };
                }
            }
            let away = Move::COUNT + of_face[0].face().index();
            for (entry, &effect) in out.iter_mut().zip(&*effects) {
                *entry |= u32::from(effect & 7) << first | u32::from(effect >> 3) << away;
            }
            first += of_face.len();
        }
    }
}

/// The residues of the nodes after each move: `8 * byte + digit`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbours([u32; Move::COUNT]);

impl Neighbours {
    /// Returns the effects of the moves on a node with this residue.
    #[inline(never)]
    fn effects(&self, residues: &[u8], own: u8) -> MoveEffects {
        let (nearer, mut effects) = ((own + 2) % 3, MoveEffects { nearer: 0, not_farther: 0 });
        for (mv, neighbour) in self.0.into_iter().enumerate() {
            let other = DIGITS[neighbour as usize % RESIDUE_DIGITS][usize::from(residues[(neighbour >> 3) as usize])];
            effects.nearer |= u32::from(other == nearer) << mv;
            effects.not_farther |= u32::from(other == own) << mv;
        }
        effects.not_farther |= effects.nearer;
        effects
    }
}

/// The phase-1 table in either layout, indexed by class and by the twist in the frame of the representative.
#[derive(Clone, Copy)]
pub struct PhaseOne<'t> {
    class_moves: &'t [u32],
    twist_moves: &'t [u16],
    twist_conjugates: &'t [u16],
    entries: Entries<'t>,
}

#[derive(Clone, Copy)]
enum Entries<'t> {
    Masked(&'t [u32]),
    Residues { residues: &'t [u8], at_least: &'t [u8] },
}

impl<'t> PhaseOne<'t> {
    /// Takes the views of the opened tables.
    pub(crate) fn new(opened: &'t Opened) -> Self {
        Self {
            class_moves: opened.u32s(Id::FlipSliceMove),
            twist_moves: opened.u16s(Id::TwistMove),
            twist_conjugates: opened.u16s(Id::TwistConjugate),
            entries: match opened.get(Id::PhaseOneMasked) {
                Some(masked) => Entries::Masked(masked.view()),
                None => Entries::Residues {
                    residues: opened.bytes(Id::PhaseOneResidues),
                    at_least: opened.bytes(Id::FlipSliceDistance),
                },
            },
        }
    }

    /// Returns class, twist and relative symmetry after a move of the representative's frame.
    #[inline(always)]
    pub fn after(&self, class: u32, twist: u16, mv: usize) -> (u32, u16, u8) {
        let to = SymCoordinate::unpack(self.class_moves[class as usize * Move::COUNT + mv]);
        let moved = self.twist_moves[usize::from(twist) * Move::COUNT + mv];
        (to.class, self.twist_conjugates[usize::from(moved) * 16 + usize::from(to.symmetry)], to.symmetry)
    }

    /// Returns which moves lead nearer to G1, and which do not lead farther.
    #[inline(always)]
    pub fn move_effects(&self, class: u32, twist: u16) -> MoveEffects {
        match self.entries {
            Entries::Masked(entries) => MoveEffects::of_masked(entries[class as usize * TWISTS + usize::from(twist)]),
            Entries::Residues { residues, .. } => self.residue_effects(residues, class, twist),
        }
    }

    #[inline(never)]
    fn residue_effects(&self, residues: &[u8], class: u32, twist: u16) -> MoveEffects {
        let mut neighbours = Neighbours::default();
        self.find_neighbours(class, twist, &mut neighbours);
        neighbours.effects(residues, residue(residues, class as usize, usize::from(twist)))
    }

    /// Returns the effects of the moves on a node at this distance, whose neighbours were prefetched.
    #[inline(always)]
    pub(crate) fn prefetched_effects(
        &self,
        class: u32,
        twist: u16,
        distance: u8,
        neighbours: &Neighbours,
    ) -> MoveEffects {
        match self.entries {
            Entries::Masked(_) => self.move_effects(class, twist),
            Entries::Residues { residues, .. } => neighbours.effects(residues, distance % 3),
        }
    }

    #[inline(always)]
    fn find_neighbours(&self, class: u32, twist: u16, out: &mut Neighbours) {
        let classes = &self.class_moves[class as usize * Move::COUNT..][..Move::COUNT];
        let twists = &self.twist_moves[usize::from(twist) * Move::COUNT..][..Move::COUNT];
        for ((class, twist), out) in classes.iter().zip(twists).zip(&mut out.0) {
            let to = SymCoordinate::unpack(*class);
            let column = self.twist_conjugates[usize::from(*twist) * 16 + usize::from(to.symmetry)];
            let (digit, column) = (u32::from(column) / RESIDUE_BYTES as u32, u32::from(column) % RESIDUE_BYTES as u32);
            *out = (to.class * RESIDUE_BYTES as u32 + column) << 3 | digit;
        }
    }

    /// Returns the distance to G1. A residue leaves a few candidates for the distance. A path of moves that each lead
    /// farther excludes high candidates, because no distance exceeds `MAX_DISTANCE`. A path of moves that each lead
    /// nearer excludes low candidates; it ends in G1 at the latest.
    pub fn distance(&self, class: u32, twist: u16) -> u8 {
        let (residues, at_least) = match self.entries {
            Entries::Masked(entries) => {
                return masked_distance(entries[class as usize * TWISTS + usize::from(twist)]);
            }
            Entries::Residues { residues, at_least } => (residues, at_least),
        };
        let own = residue(residues, class as usize, usize::from(twist));
        let mut at_most = MAX_DISTANCE - (MAX_DISTANCE + 3 - own) % 3;
        // Number of ascending moves from the highest candidate that would exceed the maximum. Three are not worth the
        // reads, because 10 is more likely than 7.
        let climb = MAX_DISTANCE - at_most + 1;
        if climb < 3 && self.climbs(residues, (class, twist), climb) {
            at_most -= 3;
        }
        let (mut class, mut twist, mut left) = (class, twist, own);
        for gone in 0.. {
            let bound = packed::nibble(at_least, class as usize) + gone;
            if bound + 3 > at_most {
                return at_most;
            }
            // Class 0 with twist 0 is G1, the only position from which no move leads nearer.
            if (class, twist) == (0, 0) {
                return gone;
            }
            left = (left + 2) % 3;
            let Some(next) = self.neighbour(residues, (class, twist), left) else { break };
            (class, twist) = next;
        }
        at_most
    }

    /// Returns whether there is a path of `moves` moves that each lead farther.
    fn climbs(&self, residues: &[u8], mut at: (u32, u16), moves: u8) -> bool {
        let mut own = residue(residues, at.0 as usize, usize::from(at.1));
        for _ in 0..moves {
            own = (own + 1) % 3;
            let Some(next) = self.neighbour(residues, at, own) else { return false };
            at = next;
        }
        true
    }

    /// Returns the first neighbour with this residue.
    fn neighbour(&self, residues: &[u8], (class, twist): (u32, u16), wanted: u8) -> Option<(u32, u16)> {
        let after = |mv| self.after(class, twist, mv);
        (0..Move::COUNT)
            .map(after)
            .map(|(class, twist, _)| (class, twist))
            .find(|&(c, t)| residue(residues, c as usize, usize::from(t)) == wanted)
    }

    /// Prefetches the entry that [`PhaseOne::distance`] reads first.
    #[inline]
    pub(crate) fn prefetch_distance(&self, class: u32, twist: u16) {
        match self.entries {
            Entries::Masked(entries) => prefetch::read(entries, class as usize * TWISTS + usize::from(twist)),
            Entries::Residues { residues, .. } => {
                prefetch::read(residues, class as usize * RESIDUE_BYTES + usize::from(twist) % RESIDUE_BYTES);
            }
        }
    }

    /// Prefetches what [`PhaseOne::after`] reads, and the masked entry.
    #[inline(always)]
    pub fn prefetch(&self, class: u32, twist: u16) {
        if let Entries::Masked(entries) = self.entries {
            prefetch::read(entries, class as usize * TWISTS + usize::from(twist));
        }
        // A row spans two cache lines.
        prefetch::read(self.class_moves, class as usize * Move::COUNT);
        prefetch::read(self.class_moves, class as usize * Move::COUNT + Move::COUNT - 1);
    }

    /// Returns whether the entries are residues.
    #[inline(always)]
    pub(crate) fn has_neighbours(&self) -> bool {
        matches!(self.entries, Entries::Residues { .. })
    }

    /// Finds and prefetches the residues of the neighbours. Does nothing if entries are masked.
    #[inline(always)]
    pub(crate) fn prefetch_neighbours(&self, class: u32, twist: u16, out: &mut Neighbours) {
        if let Entries::Residues { residues, .. } = self.entries {
            self.prefetch_residues(residues, class, twist, out);
        }
    }

    #[inline(never)]
    fn prefetch_residues(&self, residues: &[u8], class: u32, twist: u16, out: &mut Neighbours) {
        self.find_neighbours(class, twist, out);
        for neighbour in out.0 {
            prefetch::read(residues, (neighbour >> 3) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_that_are_packed_are_read_back() {
        let distances: Vec<u8> = (0..TWISTS).map(|twist| (twist * twist / 7 % 13) as u8).collect();
        let rows = [[0; RESIDUE_BYTES], pack_residues(&distances)].concat();
        for (twist, distance) in distances.iter().enumerate() {
            assert_eq!(residue(&rows, 1, twist), distance % 3);
            assert_eq!(residues_in(rows[RESIDUE_BYTES + twist % RESIDUE_BYTES])[twist / RESIDUE_BYTES], distance % 3);
        }
    }

    #[test]
    fn a_masked_entry_separates_nearer_level_and_farther() {
        // U nearer, U2 level, U' nearer; R farther, R2 farther, R' level; all others level; distance 9.
        let entry = 9 << 24 | 0b00_0010 << 18 | 0b011_101;
        let effects = MoveEffects::of_masked(entry);
        assert_eq!(effects.nearer, 0b101);
        assert_eq!(effects.not_farther, ALL_MOVES & !0b011_000);
        assert_eq!(masked_distance(entry), 9);
    }
}
