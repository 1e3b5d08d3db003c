//! The directions of a search: three axes, for the cube and for its inverse. With some turns only, they may be fewer.

use std::sync::LazyLock;

use super::phase_one::PhaseOneNode;
use crate::tables::Tables;
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{Axis, ByteConjugation, ByteCube, Cube, Move, Moves, Symmetry};

/// Conjugation that brings the next axis to UD. The diagonal symmetry is a rotation, so there is one.
static NEXT_AXIS: LazyLock<Option<ByteConjugation>> = LazyLock::new(|| ByteConjugation::of(Symmetry::DIAGONAL));

/// The symmetries that bring each axis to UD.
const TO_UD: [Symmetry; Axis::COUNT] =
    [Symmetry::IDENTITY, Symmetry::DIAGONAL, Symmetry::DIAGONAL.then(Symmetry::DIAGONAL)];

/// One direction: the starting point of a two-phase search.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    /// Axis of the subgroup.
    pub axis: Axis,
    /// Whether the inverse cube is searched.
    pub inverse: bool,
    /// The cube or its inverse, conjugated so that the axis lies along UD, and the allowed turns are the turns of the tables.
    pub cube: ByteCube,
    /// The symmetry by which it is conjugated.
    pub(crate) symmetry: Symmetry,
    /// Phase-1 coordinates.
    pub start: PhaseOneNode,
}

impl Direction {
    /// Returns all six directions, the three of the cube first.
    pub fn all(tables: &Tables, cube: &Cube) -> [Self; 6] {
        let sides = [ByteCube::of(cube), ByteCube::of(&cube.inverse())];
        let cubes = NEXT_AXIS.as_ref().map_or([sides[0]; 6], |next_axis| dispatch(Along { sides, next_axis }));
        let mut directions = std::array::from_fn(|i| Self {
            axis: Axis::ALL[i % Axis::COUNT],
            inverse: i >= Axis::COUNT,
            cube: cubes[i],
            symmetry: TO_UD[i % Axis::COUNT],
            start: PhaseOneNode::default(),
        });
        PhaseOneNode::of_each(tables, &mut directions, |direction| (&direction.cube, &mut direction.start));
        directions
    }

    /// Returns the directions of some axes, on the cube first. Each axis has the symmetry that brings it to UD. `start` computes the
    /// phase-1 coordinates.
    pub(crate) fn of_frames(
        frames: &[(Axis, Symmetry)],
        cube: &Cube,
        start: impl Fn(&Cube) -> PhaseOneNode,
    ) -> Vec<Self> {
        let direction = |inverse: bool, cube: Cube, (axis, symmetry): (Axis, Symmetry)| {
            let cube = symmetry.conjugate(&cube);
            Self { axis, inverse, cube: ByteCube::of(&cube), symmetry, start: start(&cube) }
        };
        let sides = [(false, *cube), (true, cube.inverse())];
        let all = sides.into_iter().flat_map(|(inverse, cube)| frames.iter().map(move |frame| (inverse, cube, *frame)));
        all.map(|(inverse, cube, frame)| direction(inverse, cube, frame)).collect()
    }

    /// Returns a lower bound on the distance from solved: the greatest phase-1 distance. The last move of a solution lies in
    /// G1 of its own axis. So if the distances along all three axes are equal and not 0, the bound is that distance plus one.
    pub(crate) fn lower_bound(directions: &[Self]) -> u8 {
        let axes = directions.len() / 2;
        let bound = |side: &[Self]| {
            let distances = || side.iter().map(|direction| direction.start.distance);
            let least = distances().min().unwrap_or(0);
            distances().max().unwrap_or(0).max(if least > 0 && axes == Axis::COUNT { least + 1 } else { 0 })
        };
        directions.chunks(axes).map(bound).max().unwrap_or(0)
    }

    /// Translates a solution of [`Direction::cube`] into a solution of the original cube.
    pub fn translate(&self, moves: &[Move]) -> Moves {
        let back = self.symmetry.inverse();
        let seen: Moves = moves.iter().map(|&mv| back.conjugate_move(mv)).collect();
        if self.inverse { seen.inverse() } else { seen }
    }
}

/// The cube and its inverse, along each axis.
struct Along<'a> {
    sides: [ByteCube; 2],
    next_axis: &'a ByteConjugation,
}

impl Kernel for Along<'_> {
    type Output = [ByteCube; 6];

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> [ByteCube; 6] {
        let [cube, inverse] = self.sides;
        let mut out = [cube, cube, cube, inverse, inverse, inverse];
        for first in [0, Axis::COUNT] {
            for axis in first + 1..first + Axis::COUNT {
                out[axis] = self.next_axis.apply(simd, &out[axis - 1]);
            }
        }
        out
    }
}
