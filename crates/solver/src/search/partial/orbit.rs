//! The coordinate of one kind of pieces: which classes stand in which slots, and how their pieces are turned.
//!
//! The value is the rank of the arrangement of the classes, times the number of orientations, plus the orientations as digits, one for
//! each slot that holds a piece whose orientation counts.
#![allow(clippy::cast_possible_truncation)] // numbers of slots, classes and orientations fit in 8 bits, and values in 32

use crate::control::{Cancelled, Control};
use superflip_cube::{Corner, Cube, Edge, Face, Move};

/// Greatest number of slots.
const SLOTS: usize = Edge::COUNT;
/// Arrangements between two checks of the control.
const PERIOD: u32 = 64;

/// The kind of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Corners,
    Edges,
}

/// The coordinate, and the arrangements of the target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Orbit {
    kind: Kind,
    /// Class of each piece.
    classes: [u8; SLOTS],
    /// Number of pieces of each class.
    counts: Vec<u8>,
    /// Whether the orientation of the pieces of a class counts.
    is_oriented: Vec<bool>,
    /// For each slot, one bit for each class and orientation that the target allows.
    allowed: [u64; SLOTS],
}

/// One arrangement: the class in each slot, and the orientation, 0 if it does not count.
#[derive(Clone, Copy, Default)]
struct Arrangement {
    classes: [u8; SLOTS],
    orientations: [u8; SLOTS],
}

/// The values that the quarter turns of the six faces lead to.
pub(super) struct MoveTable([Vec<u32>; Face::COUNT]);

impl MoveTable {
    /// Returns the number of values.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.0[0].len()
    }

    /// Returns the value after a move.
    #[inline]
    pub(super) fn after(&self, value: u32, mv: Move) -> u32 {
        let quarter = &self.0[mv.face().index()];
        (0..mv.quarters()).fold(value, |value, _| quarter[value as usize])
    }
}

impl Orbit {
    pub(super) fn of_corners(is_allowed: impl Fn(usize, usize, u8) -> bool) -> Self {
        Self::new(Kind::Corners, is_allowed)
    }

    pub(super) fn of_edges(is_allowed: impl Fn(usize, usize, u8) -> bool) -> Self {
        Self::new(Kind::Edges, is_allowed)
    }

    fn new(kind: Kind, is_allowed: impl Fn(usize, usize, u8) -> bool) -> Self {
        let (slots, turns) = kind.shape();
        // What the target says of each piece: one bit for each slot and orientation.
        let of_piece = |piece| -> Vec<bool> {
            (0..slots)
                .flat_map(|slot| (0..turns).map(move |turn| (slot, turn)))
                .map(|(s, t)| is_allowed(s, piece, t))
                .collect()
        };
        let (mut known, mut classes, mut counts): (Vec<Vec<bool>>, _, Vec<u8>) = (Vec::new(), [0; SLOTS], Vec::new());
        for (piece, class) in classes.iter_mut().enumerate().take(slots) {
            let own = of_piece(piece);
            let found = known.iter().position(|other| *other == own).unwrap_or_else(|| {
                known.push(own);
                counts.push(0);
                counts.len() - 1
            });
            counts[found] += 1;
            *class = found as u8;
        }
        let is_oriented: Vec<bool> = known
            .iter()
            .map(|own| own.chunks(turns.into()).any(|slot| slot.iter().any(|&bit| bit != slot[0])))
            .collect();
        let mut allowed = [0; SLOTS];
        for (slot, bits) in allowed.iter_mut().enumerate().take(slots) {
            for (class, own) in known.iter().enumerate() {
                for turn in (0..turns).filter(|&turn| own[slot * usize::from(turns) + usize::from(turn)]) {
                    *bits |= bit(class as u8, turn);
                }
            }
        }
        Self { kind, classes, counts, is_oriented, allowed }
    }

    fn slots(&self) -> usize {
        self.kind.shape().0
    }

    /// Number of orientations of all pieces whose orientation counts.
    fn orientations(&self) -> u64 {
        let oriented =
            self.counts.iter().zip(&self.is_oriented).filter(|(_, is)| **is).map(|(count, _)| u32::from(*count));
        u64::from(self.kind.shape().1).pow(oriented.sum())
    }

    /// Number of arrangements of the classes.
    fn arrangements(&self) -> u64 {
        let factorial = |n: u8| (1..=u64::from(n)).product::<u64>();
        factorial(self.slots() as u8) / self.counts.iter().map(|&count| factorial(count)).product::<u64>()
    }

    /// Returns the number of values.
    pub(super) fn size(&self) -> u64 {
        self.arrangements() * self.orientations()
    }

    /// Returns whether the target allows the pieces of a cube.
    pub(super) fn allows(&self, cube: &Cube) -> bool {
        self.is_reached(&self.arrangement_of(cube))
    }

    fn is_reached(&self, at: &Arrangement) -> bool {
        let is_allowed = |slot: usize| self.allowed[slot] & bit(at.classes[slot], at.orientations[slot]) != 0;
        (0..self.slots()).all(is_allowed)
    }

    /// Returns the value of a cube.
    pub(super) fn value_of(&self, cube: &Cube) -> u32 {
        self.value(&self.arrangement_of(cube))
    }

    fn arrangement_of(&self, cube: &Cube) -> Arrangement {
        let mut out = Arrangement::default();
        for slot in 0..self.slots() {
            let (piece, turn) = self.kind.at(cube, slot);
            out.classes[slot] = self.classes[piece];
            out.orientations[slot] = if self.is_oriented[usize::from(out.classes[slot])] { turn } else { 0 };
        }
        out
    }

    fn value(&self, at: &Arrangement) -> u32 {
        let turns = u64::from(self.kind.shape().1);
        let mut total = self.arrangements();
        let mut left = self.counts.clone();
        let mut rank = 0;
        let mut digits = 0;
        for slot in 0..self.slots() {
            let (class, slots_left) = (usize::from(at.classes[slot]), (self.slots() - slot) as u64);
            rank += left[..class].iter().map(|&count| total * u64::from(count) / slots_left).sum::<u64>();
            total = total * u64::from(left[class]) / slots_left;
            left[class] -= 1;
            if self.is_oriented[class] {
                digits = digits * turns + u64::from(at.orientations[slot]);
            }
        }
        (rank * self.orientations() + digits) as u32
    }

    fn arrangement(&self, value: u32) -> Arrangement {
        let orientations = self.orientations();
        let mut rank = u64::from(value) / orientations;
        let mut total = self.arrangements();
        let mut left = self.counts.clone();
        let mut out = Arrangement::default();
        for slot in 0..self.slots() {
            let slots_left = (self.slots() - slot) as u64;
            let mut class = 0;
            loop {
                let with_class = total * u64::from(left[class]) / slots_left;
                if rank < with_class {
                    total = with_class;
                    break;
                }
                rank -= with_class;
                class += 1;
            }
            left[class] -= 1;
            out.classes[slot] = class as u8;
        }
        self.turned(&out, (u64::from(value) % orientations) as u32)
    }

    /// Returns the slots that hold a piece whose orientation counts, in the order of their digits.
    fn oriented(&self, at: &Arrangement) -> impl Iterator<Item = usize> {
        (0..self.slots()).filter(|&slot| self.is_oriented[usize::from(at.classes[slot])])
    }

    /// Returns an arrangement with these orientations.
    fn turned(&self, at: &Arrangement, mut digits: u32) -> Arrangement {
        let turns = u32::from(self.kind.shape().1);
        let slots = self.slots();
        let mut out = *at;
        for slot in (0..slots).rev().filter(|&slot| self.is_oriented[usize::from(at.classes[slot])]) {
            out.orientations[slot] = (digits % turns) as u8;
            digits /= turns;
        }
        out
    }

    /// Appends the values to which a move leads from one arrangement of classes, for each of its orientations. `effect` is the slot from
    /// which the piece of each slot comes, and how it is turned.
    fn add_rows(&self, table: &mut Vec<u32>, turned: &[Arrangement], effect: &[(usize, u8); SLOTS]) {
        let turns = self.kind.shape().1;
        let mut after = Arrangement::default();
        for (slot, &(from, _)) in effect.iter().enumerate() {
            after.classes[slot] = turned[0].classes[from];
        }
        let first = self.value(&after);
        let mut sources = [(0, 0); SLOTS];
        let mut count = 0;
        for slot in self.oriented(&after) {
            sources[count] = effect[slot];
            count += 1;
        }
        for before in turned {
            let digit = |&(from, turn): &(usize, u8)| u32::from((before.orientations[from] + turn) % turns);
            let digits = sources[..count].iter().fold(0, |digits, source| digits * u32::from(turns) + digit(source));
            table.push(first + digits);
        }
    }

    /// Returns the values that the target allows, and the move table.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(super) fn table(&self, control: &Control) -> Result<(Vec<u32>, MoveTable), Cancelled> {
        let size = self.size() as u32;
        let mut table = MoveTable(std::array::from_fn(|_| Vec::with_capacity(size as usize)));
        let mut reached = Vec::new();
        let moves = Face::ALL.map(|face| Move::of(face, 1).map_or(Cube::SOLVED, |mv| *mv.cube()));
        let effects =
            moves.map(|mv| {
                std::array::from_fn::<_, SLOTS, _>(|slot| {
                    if slot < self.slots() { self.kind.at(&mv, slot) } else { (slot, 0) }
                })
            });
        let orientations = self.orientations() as u32;
        for arrangement in 0..size / orientations {
            if arrangement % PERIOD == 0 {
                control.check()?;
            }
            let at = self.arrangement(arrangement * orientations);
            let turned: Vec<Arrangement> = (0..orientations).map(|digits| self.turned(&at, digits)).collect();
            let values = arrangement * orientations..;
            reached.extend(values.zip(&turned).filter(|(_, at)| self.is_reached(at)).map(|(value, _)| value));
            for (face, effect) in table.0.iter_mut().zip(&effects) {
                self.add_rows(face, &turned, effect);
            }
        }
        Ok((reached, table))
    }
}

/// Returns the bit of a class and an orientation.
const fn bit(class: u8, turn: u8) -> u64 {
    1 << (3 * class + turn)
}

impl Kind {
    /// Returns the number of slots, and of orientations.
    const fn shape(self) -> (usize, u8) {
        match self {
            Self::Corners => (Corner::COUNT, 3),
            Self::Edges => (Edge::COUNT, 2),
        }
    }

    /// Returns the piece in a slot, and its orientation.
    fn at(self, cube: &Cube, slot: usize) -> (usize, u8) {
        match self {
            Self::Corners => (cube.corners()[slot].index(), cube.twists()[slot]),
            Self::Edges => (cube.edges()[slot].index(), cube.flips()[slot]),
        }
    }
}
