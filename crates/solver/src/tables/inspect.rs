//! The two-phase coordinates of a cube.

use super::catalogue::id::Id;
use super::htm::{ByProfile, Tables};
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, FLIP, FLIP_SLICE, SLICE, SLICE_SORTED, TWIST, U_EDGES, UD_EDGES};
use crate::symmetry::SymCoordinate;
use superflip_cube::{Axis, Cube, Symmetry};

/// Raw value and its class under the 16 symmetries that keep the axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymValue {
    /// Raw value.
    pub raw: u32,
    /// Number of the class.
    pub class: u32,
    /// Symmetry S, 0 to 15, for which S x S^-1 is the representative.
    pub symmetry: u32,
    /// Raw value of the representative.
    pub representative: u32,
}

/// Two-phase coordinates along one axis, of the cube or of its inverse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DirectionCoordinates {
    /// Axis that takes the role of UD.
    pub axis: Axis,
    /// Whether these are the coordinates of the inverse cube.
    pub inverse: bool,
    /// Corner orientation, 0 to 2186.
    pub twist: u32,
    /// Edge orientation, 0 to 2047.
    pub flip: u32,
    /// Set of slots that hold the four edges of the middle layer, 0 to 494.
    pub slice: u32,
    /// Slots and order of these edges, 0 to 11879.
    pub slice_sorted: u32,
    /// Corner permutation, 0 to 40319.
    pub corner_perm: u32,
    /// Slots and order of the edges of the first face of the axis, 0 to 11879.
    pub u_edges: u32,
    /// Slots and order of the edges of the other face, 0 to 11879.
    pub d_edges: u32,
    /// Permutation of the eight edges outside the middle layer, 0 to 40319; null outside phase 2.
    pub ud_edges: Option<u32>,
    /// `2048 * slice + flip` with its class, 0 to 64429.
    pub flip_slice: SymValue,
    /// `corner_perm` with its class, 0 to 2767.
    pub corner_class: SymValue,
    /// Exact number of moves to phase 2 along this axis.
    pub phase_one_distance: u32,
    /// Lower bound on the number of phase 2 moves to solved; null outside phase 2.
    pub phase_two_bound: Option<u32>,
    /// Reason why the values of phase 2 are null; null if they are not.
    pub phase_two_reason: Option<String>,
}

/// Conjugates the cube by the diagonal symmetry until `axis` lies along UD.
pub(crate) fn along(axis: Axis, cube: &Cube) -> Cube {
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
        let flip_slice = sym_value(value(&FLIP_SLICE), self.flip_slice_classes());
        let corner = sym_value(value(&CORNER_PERM), self.corner_classes());
        let (twist, flip, slice, slice_sorted) = (value(&TWIST), value(&FLIP), value(&SLICE), value(&SLICE_SORTED));
        let in_g1 = (twist, flip, slice) == (0, 0, 0);
        let ud_edges = if in_g1 { (UD_EDGES.index)(cube) } else { None };
        let phase_two_bound = ud_edges.and_then(|edges| {
            let [corners, edges, slice] = [corner.raw, edges, slice_sorted].map(u16::try_from);
            Some(u32::from(match self.by_profile() {
                ByProfile::Mapped { phase_two, .. } => phase_two.bound(corners.ok()?, edges.ok()?, slice.ok()?),
                ByProfile::Tiny(tiny) => tiny.inside.bound(cube),
            }))
        });
        let phase_one_distance = u32::from(match self.by_profile() {
            ByProfile::Mapped { phase_one, opened, .. } => {
                let column = (twist * 16 + flip_slice.symmetry) as usize;
                phase_one.distance(flip_slice.class, opened.u16s(Id::TwistConjugate)[column])
            }
            ByProfile::Tiny(tiny) => tiny.pairs.exact_distance(cube),
        });
        let phase_two_reason = ud_edges.is_none().then(|| {
            let side = if inverse { "inverse cube" } else { "cube" };
            format!(
                "the {side} along {axis} is not in phase 2: twist {twist}, flip {flip} and slice {slice} are not all 0; \
                 moves to it: {phase_one_distance}"
            )
        });
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
            corner_class: corner,
            phase_one_distance,
            phase_two_bound,
            phase_two_reason,
        }
    }
}

fn sym_value(raw: u32, (of_raw, representatives): (&[u32], &[u32])) -> SymValue {
    let packed = SymCoordinate::unpack(of_raw[raw as usize]);
    let representative = representatives[packed.class as usize];
    SymValue { raw, class: packed.class, symmetry: u32::from(packed.symmetry), representative }
}
