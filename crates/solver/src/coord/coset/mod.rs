//! Cosets on which all 48 symmetries act: tetrads of corners, slices of edges, and the axes of their pieces.
//!
//! Symmetries permute the two *tetrads* of corners (four corners that half turns permute among themselves) and the
//! three *slices* of edges. Twist and flip are measured from a reference face, so symmetries that move the UD axis change their meaning. The
//! *axis map* of a piece in a slot does not depend on a reference. For each axis on which the piece has a sticker at home, it gives the axis
//! along which that sticker points now. Each slot is labelled with the tetrad or slice and the axis map of its piece.
//!
//! The cubes with the labels of the solved cube form a subgroup. It contains all half turns, and every symmetry maps it
//! to itself. The same holds for the larger subgroups of [`CornerKind`] and [`EdgeKind`]. So the number of a
//! coset after a move, or conjugated by a symmetry, depends on the number alone.

pub(crate) use crate::coord::coset::edges::EdgeMap;
pub use corners::{CornerCosets, CornerKind};
pub use edges::{EdgeColumns, EdgeKind, EdgeReader, Orientation};
use superflip_cube::{Axis, Corner, Edge, Face, Move, Symmetry};

mod corners;
mod edges;

/// Number of quarter turns that may come before a cube that is looked up: one for each face, and none.
const TURNS: usize = Face::ALL.len() + 1;
/// No turn before a cube that is looked up.
pub(crate) const NO_TURN: usize = Face::ALL.len();

/// A permutation of the three axes: entry `a` is the axis to which axis `a` goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct AxisMap([u8; Axis::COUNT]);

impl AxisMap {
    /// The identity.
    pub(crate) const IDENTITY: Self = Self([0, 1, 2]);

    /// Iterates over all six, the identity first.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let axes = 0..Axis::COUNT as u8;
        axes.clone().flat_map(move |a| axes.clone().filter(move |&b| b != a).map(move |b| Self([a, b, 3 - a - b])))
    }

    /// Returns the image of an axis.
    pub(crate) const fn image(self, axis: Axis) -> Axis {
        Axis::ALL[self.0[axis.index()] as usize]
    }

    /// Returns the composition: first `first`, then `self`.
    #[must_use]
    pub(crate) fn after(self, first: Self) -> Self {
        Self(Axis::ALL.map(|axis| self.image(first.image(axis)) as u8))
    }

    /// Returns the inverse.
    #[must_use]
    pub(crate) fn inverse(self) -> Self {
        let mut out = Self::IDENTITY;
        for axis in Axis::ALL {
            out.0[self.image(axis).index()] = axis as u8;
        }
        out
    }

    /// Returns whether it is a power of the 3-cycle.
    pub(crate) fn is_even(self) -> bool {
        let fixed = Axis::ALL.into_iter().filter(|&axis| self.image(axis) == axis).count();
        fixed != 1
    }

    /// Returns the map that takes the axes `from` to the axes `to`, in this order. The third axis of an edge, which has
    /// no sticker, goes to the remaining one.
    fn taking<const N: usize>(from: [Axis; N], to: [Axis; N]) -> Self {
        const UNSET: u8 = u8::MAX;
        let mut out = [UNSET; Axis::COUNT];
        for (from, to) in from.into_iter().zip(to) {
            out[from.index()] = to as u8;
        }
        let used: u8 = out.iter().filter(|&&to| to != UNSET).sum();
        Self(out.map(|to| if to == UNSET { 3 - used } else { to }))
    }

    /// Returns the effect of conjugation by a symmetry on axes.
    pub(crate) fn of_symmetry(symmetry: Symmetry) -> Self {
        let image = |axis: Axis| symmetry.conjugate_move(Move::ALL[3 * axis.index()]).face().axis();
        debug_assert!(Axis::ALL.into_iter().all(|axis| Face::ALL[axis.index()].axis() == axis));
        Self(Axis::ALL.map(|axis| image(axis) as u8))
    }
}

/// Returns the tetrad of a corner. It is 0 for the tetrad of URF, whose members have the axes UD, RL, FB in clockwise
/// order, and 1 for the other.
pub(crate) fn tetrad(corner: Corner) -> u8 {
    u8::from(!AxisMap::taking(Axis::ALL, corner.faces().map(Face::axis)).is_even())
}

/// Returns the slice of an edge, named by the axis on which it has no sticker.
pub(crate) fn slice(edge: Edge) -> Axis {
    let [a, b] = edge.faces().map(Face::axis);
    Axis::ALL[Axis::COUNT - a.index() - b.index()]
}

/// Returns the axis map of a corner piece in a slot with this twist (0..3). It is even if piece and slot share the
/// tetrad.
pub(crate) fn corner_map(piece: Corner, slot: Corner, twist: u8) -> AxisMap {
    let mut to = slot.faces().map(Face::axis);
    to.rotate_left(usize::from(twist));
    AxisMap::taking(piece.faces().map(Face::axis), to)
}

/// Returns the axis map of an edge piece in a slot, flipped if `flip` is 1. It maps the slice of the piece to that of
/// the slot.
pub(crate) fn edge_map(piece: Edge, slot: Edge, flip: u8) -> AxisMap {
    let mut to = slot.faces().map(Face::axis);
    to.rotate_left(usize::from(flip));
    AxisMap::taking(piece.faces().map(Face::axis), to)
}

/// Returns the map of an edge of slice `from` that is *straight* in a slot of slice `to`. The sticker on the axis that
/// piece and slot share points along that axis. So it exchanges the two axes; it is the identity if they are equal.
pub(crate) fn straight(from: Axis, to: Axis) -> AxisMap {
    let mut out = AxisMap::IDENTITY;
    out.0.swap(from.index(), to.index());
    out
}

/// Returns whether an edge of slice `from` with this map is not [`straight`].
pub(crate) fn is_crooked(from: Axis, map: AxisMap) -> bool {
    map != straight(from, map.image(from))
}
