//! The two-phase coordinates of a cube.

use super::catalogue::id::Id;
use super::loaded::Tables;
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, FLIP, FLIP_SLICE, SLICE, SLICE_SORTED, TWIST, U_EDGES, UD_EDGES};
use crate::cube::{Axis, Cube, Symmetry};
use crate::symmetry::SymCoordinate;

/// A raw value with its class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymValue {
    /// Raw value.
    pub raw: u32,
    /// Number of the class.
    pub class: u32,
    /// Symmetry S, 0..16, for which `S * x * S^-1` is the representative.
    pub symmetry: u32,
    /// Raw value of the representative.
    pub representative: u32,
}

/// The coordinates of a cube, or of its inverse, along one axis.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the coordinates are documented in `coord`
pub struct DirectionCoordinates {
    /// The axis in the role of UD.
    pub axis: Axis,
    /// Whether these are the coordinates of the inverse cube.
    pub inverse: bool,
    pub twist: u32,
    pub flip: u32,
    pub slice: u32,
    pub slice_sorted: u32,
    pub corner_perm: u32,
    pub u_edges: u32,
    pub d_edges: u32,
    /// `Some` only inside G1.
    pub ud_edges: Option<u32>,
    pub flip_slice: SymValue,
    pub corner: SymValue,
    /// Exact number of turns to G1 along this axis.
    pub phase_one_distance: u32,
    /// Lower bound on the number of phase-2 turns to solved; only inside G1.
    pub phase_two_bound: Option<u32>,
}

/// Conjugates the cube by the diagonal symmetry until `axis` lies along UD.
pub fn along(axis: Axis, cube: &Cube) -> Cube {
    (0..axis.index()).fold(*cube, |cube, _| Symmetry::DIAGONAL.conjugate(&cube))
}

impl Tables {
    /// Returns the coordinates of the cube for the three axes, then those of its inverse.
    pub fn inspect(&self, cube: &Cube) -> [DirectionCoordinates; 6] {
        std::array::from_fn(|i| {
            let inverse = i >= Axis::COUNT;
            let axis = Axis::ALL[i % Axis::COUNT];
            let seen = if inverse { cube.inverse() } else { *cube };
            self.inspect_direction(axis, inverse, &along(axis, &seen))
        })
    }

    fn inspect_direction(&self, axis: Axis, inverse: bool, cube: &Cube) -> DirectionCoordinates {
        // Only `ud_edges` has no value on some cubes; it is computed separately below.
        let value = |coordinate: &Descriptor| (coordinate.index)(cube).unwrap_or_default();
        let flip_slice = self.sym_value(value(&FLIP_SLICE), Id::FlipSliceClass, Id::FlipSliceRepresentative);
        let corner = self.sym_value(value(&CORNER_PERM), Id::CornerClass, Id::CornerRepresentative);
        let (twist, flip, slice, slice_sorted) = (value(&TWIST), value(&FLIP), value(&SLICE), value(&SLICE_SORTED));
        let in_g1 = (twist, flip, slice) == (0, 0, 0);
        let ud_edges = if in_g1 { (UD_EDGES.index)(cube) } else { None };
        let phase_two_bound = ud_edges
            .map(|edges| u32::from(self.phase_two().bound(corner.raw as u16, edges as u16, slice_sorted as u16)));
        DirectionCoordinates {
            axis,
            inverse,
            twist,
            flip,
            slice,
            slice_sorted,
            corner_perm: corner.raw,
            u_edges: value(&U_EDGES),
            d_edges: value(&D_EDGES),
            ud_edges,
            flip_slice,
            corner,
            phase_one_distance: self.phase_one_distance(flip_slice, twist),
            phase_two_bound,
        }
    }

    fn sym_value(&self, raw: u32, classes: Id, representatives: Id) -> SymValue {
        let packed = SymCoordinate::unpack(self.opened().u32s(classes)[raw as usize]);
        let representative = self.opened().u32s(representatives)[packed.class as usize];
        SymValue { raw, class: packed.class, symmetry: u32::from(packed.symmetry), representative }
    }

    fn phase_one_distance(&self, flip_slice: SymValue, twist: u32) -> u32 {
        let column = self.opened().u16s(Id::TwistConjugate)[(twist * 16 + flip_slice.symmetry) as usize];
        u32::from(self.phase_one().distance(flip_slice.class, column))
    }
}
