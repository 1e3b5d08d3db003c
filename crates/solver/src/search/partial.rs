//! Targets that leave most of the cube open: a cross, a block, a face.
//!
//! A [`PartialTarget`] says for each slot which pieces it may hold, and in which orientations. Pieces that it does not tell apart are one
//! *class*. Where the pieces of each class are, and how they are turned, is a coordinate: it says whether the target is reached, and a
//! move leads from each of its values to one value. The coordinate of a cross has 190 080 values.
//!
//! ```text
//!   slots -> classes of pieces -> orbit: one coordinate of corners, one of edges -> distances of their pairs -> depth-first search
//! ```
//!
//! A breadth-first search from all values of the target gives the distance of each value. With this exact bound, a depth-first search of
//! one length after the other goes straight to the shortest solutions ([`PartialSearch`](super::targets::PartialSearch)).
//!
//! The value of the coordinate of one kind of pieces is the rank of the arrangement of the classes, times the number of orientations, plus the orientations as digits, one for
//! each slot that holds a piece whose orientation counts.
//!
//! The move tables have 32 bits and quarter turns only, because either part may have some hundred million values. So the pairs are a
//! graph of their own.
#![allow(clippy::cast_possible_truncation)] // numbers of slots, classes and orientations fit in 8 bits, and values in 32

use std::sync::{Arc, OnceLock};

use crate::control::{Cancelled, Control};
use crate::tables::pruning::breadth_first::{self, Graph};
use superflip_cube::{Corner, Cube, Edge, Face, Move};

/// A set of cubes: for each slot, the pieces that it may hold and their orientations. Clones share the distances.
///
/// # Examples
/// ```
/// use superflip_cube::{Corner, Cube, Edge};
/// use superflip_solver::{Goal, Solver};
/// use superflip_solver::search::PartialTarget;
///
/// // The cross: each edge of the layer D is in its slot.
/// let is_of_cross = |edge: Edge| edge.name().starts_with('D');
/// let in_place = |slot, edge, flip| slot == edge && flip == 0;
/// let cross = PartialTarget::new(
///     Cube::SOLVED,
///     |_, _, _| true,
///     |slot, edge, flip| if is_of_cross(slot) { in_place(slot, edge, flip) } else { !is_of_cross(edge) },
/// );
/// assert_eq!(cross.values(), 12 * 11 * 10 * 9 * 16);
/// let cube = Cube::from_scramble("R2 U F'")?;
/// let way = Solver::open_default()?.solve(&cube, &Goal::default().to_partial(cross.clone()))?;
/// assert!(cross.contains(&cube.after(&way.moves)) && way.is_optimal());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PartialTarget(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    /// One cube of the set.
    example: Cube,
    corners: Orbit,
    edges: Orbit,
    distances: OnceLock<Distances>,
}

impl PartialEq for PartialTarget {
    fn eq(&self, other: &Self) -> bool {
        (&self.0.corners, &self.0.edges) == (&other.0.corners, &other.0.edges)
    }
}

impl Eq for PartialTarget {}

impl PartialTarget {
    /// Greatest number of values that a search accepts.
    pub const MAX_VALUES: u64 = 1 << 31;

    /// Creates the target from one of its cubes, and from what is allowed: `corner(slot, piece, twist)` with twists 0..3, and
    /// `edge(slot, piece, flip)` with flips 0..2, in the convention of [`Cube`].
    ///
    /// # Panics
    /// When `example` is not allowed.
    pub fn new(
        example: Cube,
        corner: impl Fn(Corner, Corner, u8) -> bool,
        edge: impl Fn(Edge, Edge, u8) -> bool,
    ) -> Self {
        let target = Self(Arc::new(Parts {
            example,
            corners: Orbit::new(Kind::Corners, |slot, piece, twist| {
                corner(Corner::ALL[slot], Corner::ALL[piece], twist)
            }),
            edges: Orbit::new(Kind::Edges, |slot, piece, flip| edge(Edge::ALL[slot], Edge::ALL[piece], flip)),
            distances: OnceLock::new(),
        }));
        assert!(target.contains(&example), "{example:?} is not in the target");
        target
    }

    /// Returns one cube of the set.
    pub(crate) fn example(&self) -> &Cube {
        &self.0.example
    }

    /// Returns the number of values of its coordinate. A search needs one byte for each, and some milliseconds for a million.
    pub fn values(&self) -> u64 {
        self.0.corners.size().saturating_mul(self.0.edges.size())
    }

    /// Returns whether a cube is in the set.
    pub fn contains(&self, cube: &Cube) -> bool {
        self.0.corners.allows(cube) && self.0.edges.allows(cube)
    }

    /// Returns the number of values at each distance from the target.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn depth_histogram(&self, control: &Control) -> Result<Vec<u64>, Cancelled> {
        Ok(self.distances(control)?.by_pair.histograms().entries)
    }

    /// Returns the least number of moves from a cube to the target. The first call computes the distances of all values.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub fn distance(&self, cube: &Cube, control: &Control) -> Result<u8, Cancelled> {
        Ok(self.distances(control)?.get(self.values_of(cube)))
    }

    /// Returns the distances, which are computed at the first call.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(crate) fn distances(&self, control: &Control) -> Result<&Distances, Cancelled> {
        if let Some(distances) = self.0.distances.get() {
            return Ok(distances);
        }
        let computed = Distances::new(&self.0.corners, &self.0.edges, control)?;
        Ok(self.0.distances.get_or_init(|| computed))
    }

    /// Returns the values of a cube: of the corners, and of the edges.
    pub(crate) fn values_of(&self, cube: &Cube) -> [u32; 2] {
        [self.0.corners.value_of(cube), self.0.edges.value_of(cube)]
    }
}

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
    fn oriented(&self, at: &Arrangement) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.slots()).filter(|&slot| self.is_oriented[usize::from(at.classes[slot])])
    }

    /// Returns an arrangement with these orientations.
    fn turned(&self, at: &Arrangement, mut digits: u32) -> Arrangement {
        let turns = u32::from(self.kind.shape().1);
        let mut out = *at;
        for slot in self.oriented(at).rev() {
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

/// The distances, one byte for each pair, and the move tables.
pub(crate) struct Distances {
    pairs: Pairs,
    by_pair: breadth_first::Distances,
}

/// The pairs of values as a graph. The part with more values has the columns.
struct Pairs {
    /// The move tables of the corners and of the edges.
    tables: [MoveTable; 2],
    /// The part of the rows, and the part of the columns.
    parts: [usize; 2],
}

/// The pairs with the values of each part that the target allows.
struct Targeted<'p>(&'p Pairs, [Vec<u32>; 2]);

impl Graph for Targeted<'_> {
    fn rows(&self) -> usize {
        self.0.size(0)
    }

    fn columns(&self) -> usize {
        self.0.size(1)
    }

    fn moves(&self) -> usize {
        Move::COUNT
    }

    fn neighbour(&self, row: usize, mv: usize) -> (usize, impl Fn(usize) -> usize) {
        let [rows, columns] = self.0.parts.map(|part| &self.0.tables[part]);
        let mv = Move::ALL[mv];
        (rows.after(row as u32, mv) as usize, move |column| columns.after(column as u32, mv) as usize)
    }

    fn goals(&self, mut found: impl FnMut(usize)) {
        let [corners, edges] = &self.1;
        corners.iter().flat_map(|&c| edges.iter().map(move |&e| [c, e])).for_each(|at| found(self.0.index(at)));
    }
}

impl Pairs {
    fn size(&self, side: usize) -> usize {
        self.tables[self.parts[side]].size()
    }

    #[inline]
    fn index(&self, at: [u32; 2]) -> usize {
        let [row, column] = self.parts.map(|part| at[part] as usize);
        row * self.size(1) + column
    }
}

impl std::fmt::Debug for Distances {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Distances").field("values", &self.by_pair.entries().len()).finish_non_exhaustive()
    }
}

impl Distances {
    /// Computes the distances by a breadth-first search from the target.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(super) fn new(corners: &Orbit, edges: &Orbit, control: &Control) -> Result<Self, Cancelled> {
        let (of_corners, corners) = corners.table(control)?;
        let (of_edges, edges) = edges.table(control)?;
        let parts = if corners.size() > edges.size() { [1, 0] } else { [0, 1] };
        let pairs = Pairs { tables: [corners, edges], parts };
        let mut by_pair = breadth_first::Distances::default();
        by_pair.grow(&Targeted(&pairs, [of_corners, of_edges]), control)?;
        Ok(Self { pairs, by_pair })
    }

    /// Returns the pair of values after a move.
    pub(crate) fn after(&self, [corners, edges]: [u32; 2], mv: Move) -> [u32; 2] {
        let [of_corners, of_edges] = &self.pairs.tables;
        [of_corners.after(corners, mv), of_edges.after(edges, mv)]
    }

    /// Returns the number of moves from a pair of values to the target.
    pub(crate) fn get(&self, at: [u32; 2]) -> u8 {
        self.by_pair.entries()[self.pairs.index(at)]
    }
}
