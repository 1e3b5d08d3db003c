//! Weights of placements and how they combine: the minimum, and the minimum with its number of cubes.

use superflip_cube::Face;
use superflip_cube::Stickers;
use superflip_cube::geometry::{CORNER_FACELETS, EDGE_FACELETS};
use superflip_cube::piece::{Corner, Edge};

/// A semiring: the dynamic program in [`table`](super::table) combines its values.
pub(crate) trait Weight: Copy {
    /// Weight of the empty set of cubes; neutral for [`or`](Weight::or).
    const NONE: Self;
    /// Weight of a cube without pieces; neutral for [`and`](Weight::and).
    const UNIT: Self;

    /// Combines two disjoint sets of cubes.
    fn or(self, other: Self) -> Self;

    /// Combines two parts of one cube.
    fn and(self, other: Self) -> Self;

    /// Exchanges the two weights if `odd` is 1, and keeps them if it is 0.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // 0 or 1
    fn exchanged([even, other]: [Self; 2], odd: usize) -> [Self; 2] {
        if odd == 0 { [even, other] } else { [other, even] }
    }
}

/// Least total cost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Least(pub(crate) u32);

impl Weight for Least {
    /// Above every total cost: 20 placements cost at most `20 * Costs::MAX`. The sum of three is in range.
    const NONE: Self = Self(1 << 30);
    const UNIT: Self = Self(0);

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0.min(other.0))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// Works without a branch, which would often be mispredicted.
    #[inline(always)]
    #[allow(clippy::cast_possible_truncation)] // 0 or 1
    fn exchanged([even, other]: [Self; 2], odd: usize) -> [Self; 2] {
        let differing = (even.0 ^ other.0) & (odd as u32).wrapping_neg();
        [Self(even.0 ^ differing), Self(other.0 ^ differing)]
    }
}

/// Least total cost and the number of arrangements that have it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Counted {
    pub(crate) least: Least,
    /// At most 12! 2^12 for one kind of pieces.
    pub(crate) count: u64,
}

impl Weight for Counted {
    const NONE: Self = Self { least: Least::NONE, count: 0 };
    const UNIT: Self = Self { least: Least::UNIT, count: 1 };

    fn or(self, other: Self) -> Self {
        match self.least.cmp(&other.least) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => Self { least: self.least, count: self.count + other.count },
        }
    }

    fn and(self, other: Self) -> Self {
        Self { least: self.least.and(other.least), count: self.count * other.count }
    }
}

/// Weights of the placements of one kind of pieces, by slot, piece and orientation.
pub(crate) type Placements<W, const N: usize, const M: usize> = [[[W; M]; N]; N];

/// Weights of all placements of a cube.
#[derive(Clone)]
pub(crate) struct Weights<W> {
    pub(crate) corners: Placements<W, { Corner::COUNT }, 3>,
    pub(crate) edges: Placements<W, { Edge::COUNT }, 2>,
}

impl<W: Copy> Weights<W> {
    pub(crate) fn map<V>(&self, mut to: impl FnMut(W) -> V) -> Weights<V> {
        Weights {
            corners: self.corners.map(|slot| slot.map(|piece| piece.map(&mut to))),
            edges: self.edges.map(|slot| slot.map(|piece| piece.map(&mut to))),
        }
    }
}

/// Cost of every placement: what it costs that a piece stands in a slot in an orientation.
///
/// The cost of a cube is the sum over its twenty placements.
///
/// # Examples
/// ```
/// use superflip_scan::repair::{Costs, Ranking};
/// use superflip_cube::{Corner, Cube, Edge};
///
/// // Every piece that is moved or turned costs 1.
/// let corner = |slot: Corner, piece: Corner, twist: u8| u32::from(slot != piece || twist != 0);
/// let edge = |slot: Edge, piece: Edge, flip: u8| u32::from(slot != piece || flip != 0);
/// let ranked: Vec<_> = Ranking::new(&Costs::new(corner, edge)).take(2).collect();
/// assert_eq!((ranked[0].cost, ranked[0].cube), (0, Cube::SOLVED));
/// // In the next cubes, two corners or two edges are turned in place.
/// assert_eq!(ranked[1].cost, 2);
/// ```
#[derive(Clone)]
pub struct Costs(pub(crate) Weights<Least>);

impl Costs {
    /// Greatest cost of a placement. Larger values are lowered to it.
    pub const MAX: u32 = 1 << 25;

    /// Collects the costs: `corner(slot, piece, twist)` with twists 0..3, and `edge(slot, piece, flip)` with flips 0..2,
    /// in the convention of [`Cube`](superflip_cube::Cube).
    pub fn new(corner: impl Fn(Corner, Corner, u8) -> u32, edge: impl Fn(Edge, Edge, u8) -> u32) -> Self {
        let bounded = |cost: u32| Least(cost.min(Self::MAX));
        Self(Weights {
            corners: Corner::ALL
                .map(|slot| Corner::ALL.map(|piece| [0, 1, 2].map(|twist| bounded(corner(slot, piece, twist))))),
            edges: Edge::ALL.map(|slot| Edge::ALL.map(|piece| [0, 1].map(|flip| bounded(edge(slot, piece, flip))))),
        })
    }

    /// Returns the cost of a corner in a slot.
    pub fn of_corner(&self, slot: Corner, piece: Corner, twist: u8) -> u32 {
        self.0.corners[slot.index()][piece.index()][usize::from(twist)].0
    }

    /// Returns the cost of an edge in a slot.
    pub fn of_edge(&self, slot: Edge, piece: Edge, flip: u8) -> u32 {
        self.0.edges[slot.index()][piece.index()][usize::from(flip)].0
    }

    /// Returns the number of known stickers that each placement would change.
    pub fn of_stickers(stickers: &Stickers) -> Self {
        Self::by_sticker(|facelet, face| u32::from(stickers.faces()[facelet].is_some_and(|read| read != face)))
    }

    /// Adds up the costs of stickers: `sticker(facelet, face)` is what it costs that this facelet (0..54, no centre) has
    /// the colour of this face.
    pub fn by_sticker(sticker: impl Fn(usize, Face) -> u32) -> Self {
        let add = |total: u32, cost: u32| total.saturating_add(cost);
        Self::new(
            |slot, piece, twist| {
                let facelets = CORNER_FACELETS[slot.index()];
                let costs = piece.faces().into_iter().enumerate();
                costs.map(|(k, face)| sticker(facelets[(k + usize::from(twist)) % 3], face)).fold(0, add)
            },
            |slot, piece, flip| {
                let facelets = EDGE_FACELETS[slot.index()];
                let costs = piece.faces().into_iter().enumerate();
                costs.map(|(k, face)| sticker(facelets[(k + usize::from(flip)) % 2], face)).fold(0, add)
            },
        )
    }
}
