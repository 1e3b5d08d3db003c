//! From an arrival in G1 to its twin: the same position with a half turn made in advance.
//!
//! `h C s` has the pieces of `C s` under other names: those that the half turn `h` exchanges are exchanged. So each
//! coordinate of the twin is a function of the same coordinate, tabulated once for each of the four side faces.

use std::sync::LazyLock;

use super::root::SIDES;
use crate::coord::{CORNER_PERM, Descriptor, SLICE_SORTED, UD_EDGES};
use crate::cube::{Face, Move};
use crate::tables::phase_two::SLICE_ORDERS;

/// The half turn of one of the four side faces, made in advance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Twin(u8);

struct Renamed {
    corners: Vec<u16>,
    edges: Vec<u16>,
    slice: [u8; SLICE_ORDERS],
}

static RENAMED: LazyLock<[Renamed; 4]> = LazyLock::new(|| {
    SIDES.map(|face| {
        let renamed = |coordinate: &Descriptor, values: u32| -> Vec<u16> {
            let half = half_turn(face).cube();
            let after = |value| (coordinate.index)(&half.then(&(coordinate.representative)(value)));
            // The half turn is in G1, where all three have values.
            (0..values).map(|value| after(value).unwrap_or_default() as u16).collect()
        };
        let slice = renamed(&SLICE_SORTED, SLICE_ORDERS as u32);
        Renamed {
            corners: renamed(&CORNER_PERM, CORNER_PERM.size),
            edges: renamed(&UD_EDGES, UD_EDGES.size),
            slice: std::array::from_fn(|order| slice[order] as u8),
        }
    })
});

/// Makes the tables now, some milliseconds of work, rather than at the first arrival of the first search.
pub(super) fn prepare() {
    LazyLock::force(&RENAMED);
}

fn half_turn(face: Face) -> Move {
    Move::ALL[face.index() * 3 + 1]
}

impl Twin {
    /// One for each side face.
    pub(super) const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// The one of this face; none for U and D.
    pub(super) fn of(face: Face) -> Option<Self> {
        SIDES.iter().position(|&side| side == face).map(|at| Self(at as u8))
    }

    /// The clockwise quarter turn of the face.
    pub(super) fn quarter_turn(self) -> Move {
        Move::ALL[SIDES[usize::from(self.0)].index() * 3]
    }

    /// Corner permutation and order of the slice edges of the twin.
    #[inline]
    pub(super) fn corners_and_slice(self, corners: u16, slice: u16) -> (u16, u16) {
        let renamed = &RENAMED[usize::from(self.0)];
        (renamed.corners[usize::from(corners)], u16::from(renamed.slice[usize::from(slice)]))
    }

    /// Permutation of the U and D edges of the twin.
    #[inline]
    pub(super) fn edges(self, edges: u16) -> u16 {
        RENAMED[usize::from(self.0)].edges[usize::from(edges)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cube::Cube;

    #[test]
    fn a_twin_is_the_position_with_the_half_turn_in_front() {
        let within = "U R2 D' F2 U2 L2 B2 D R2 U' F2"
            .split(' ')
            .map(|name| Move::ALL.into_iter().find(|turn| turn.name() == name).expect("a turn"));
        let mut cube = Cube::SOLVED;
        for turn in within {
            cube = cube.then(turn.cube());
            let value = |coordinate: &Descriptor, cube: &Cube| (coordinate.index)(cube).expect("in G1") as u16;
            for twin in Twin::ALL {
                let twinned = half_turn(twin.quarter_turn().face()).cube().then(&cube);
                let pair = twin.corners_and_slice(value(&CORNER_PERM, &cube), value(&SLICE_SORTED, &cube));
                assert_eq!(pair, (value(&CORNER_PERM, &twinned), value(&SLICE_SORTED, &twinned)));
                assert_eq!(twin.edges(value(&UD_EDGES, &cube)), value(&UD_EDGES, &twinned));
            }
        }
    }
}
