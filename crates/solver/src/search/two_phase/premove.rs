//! Pre-moves: up to two moves applied before the cube, which become the last moves of the solution. Twins: pre-moves
//! that share a phase 1.
//!
//! Let `s t` be a solution of the cube C. Then `s` solves `t C`. So a phase 1 that starts from `t C` finds solutions of
//! C that end with `t`, outside G1. The moves `t` are *pre-moves* (from Shuang Chen's min2phase):
//!
//! ```text
//!   solution   = phase 1 of t C | inside G1 | t
//!   level      = phase 1        +             t      moves that are not inside G1
//! ```
//!
//! The pre-moves R and R' differ by the half turn `h` = R2, which is in G1. So both have the same phase 1: they share one root, and each
//! arrival starts two phase-2 searches. Let `C s` be a cube that phase 1 has brought into G1. Its *twin* is `h C s`. Applying `h` before
//! the cube only permutes the labels of the pieces. So each phase-2 coordinate of the twin is a function of the same coordinate of `C s`.
//! This function is a table, one for each of the four side faces.

use std::sync::LazyLock;

use crate::coord::{CORNER_PERM, Descriptor, SLICE_SORTED, UD_EDGES};
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::{ByteMove, Cube, Face, Move};

/// Faces whose quarter turns lead out of G1.
const SIDES: [Face; 4] = [Face::R, Face::F, Face::L, Face::B];

/// Up to two pre-moves. The first is a clockwise quarter turn that leads out of G1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Premoves {
    first: Option<Move>,
    second: Option<Move>,
}

impl Premoves {
    /// No pre-moves.
    pub(crate) const NONE: Self = Self { first: None, second: None };

    /// Returns all pre-moves of `length` moves, 0 to 2, without twins: 1, 4 and 52. No two of them have the same phase
    /// 1.
    pub(crate) fn of_length(length: u8) -> &'static [AppliedPremoves] {
        &ALL[usize::from(length)]
    }

    fn all_of_length(length: usize) -> Vec<Self> {
        let out = Twin::ALL.map(Twin::quarter_turn);
        match length {
            0 => vec![Self::NONE],
            1 => out.map(|mv| Self { first: Some(mv), second: None }).to_vec(),
            _ => out
                .into_iter()
                .flat_map(|first| {
                    // A half turn of the opposite face would be a G1 move before the first.
                    let follows = move |next: &Move| {
                        next.may_follow(first) && !(next.face() == first.face().opposite() && next.quarters() == 2)
                    };
                    Move::ALL
                        .into_iter()
                        .filter(follows)
                        .map(move |next| Self { first: Some(first), second: Some(next) })
                })
                .collect(),
        }
    }

    /// Returns the number of moves.
    pub(crate) const fn len(self) -> u8 {
        self.first.is_some() as u8 + self.second.is_some() as u8
    }

    /// Returns the half turn that leads to the twin.
    pub(crate) fn twin(self) -> Option<Twin> {
        self.first.and_then(|mv| Twin::of(mv.face()))
    }

    /// Returns the images of these pre-moves, or of their twin if the first image is an anticlockwise quarter turn.
    pub(crate) fn map(self, image: impl Fn(Move) -> Move) -> Self {
        // The clockwise twin stands for both.
        let clockwise = |mv: Move| if mv.quarters() == 3 { mv.inverse() } else { mv };
        Self { first: self.first.map(|mv| clockwise(image(mv))), second: self.second.map(image) }
    }

    /// Returns the moves, or the moves of the twin.
    pub(crate) fn moves(self, twin: bool) -> impl Iterator<Item = Move> {
        let first = self.first.map(|mv| if twin { mv.inverse() } else { mv });
        first.into_iter().chain(self.second)
    }
}

/// Pre-moves, and their effect on the bytes of a cube.
pub(crate) struct AppliedPremoves {
    pub(crate) premoves: Premoves,
    pub(crate) effect: ByteMove,
}

/// All pre-moves by their number.
static ALL: LazyLock<[Vec<AppliedPremoves>; 3]> = LazyLock::new(|| {
    let applied = |premoves: Premoves| {
        let made = premoves.moves(false).fold(Cube::SOLVED, |cube, mv| cube.then(mv.cube()));
        AppliedPremoves { premoves, effect: ByteMove::of(&made) }
    };
    std::array::from_fn(|length| Premoves::all_of_length(length).into_iter().map(applied).collect())
});

/// The half turn of one of the four side faces, as a pre-move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Twin(u8);

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
            // The half turn is in G1, where all three coordinates have values.
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

/// Computes the tables, which takes some milliseconds. Otherwise the first search computes them.
pub(crate) fn prepare() {
    LazyLock::force(&RENAMED);
    LazyLock::force(&ALL);
}

fn half_turn(face: Face) -> Move {
    Move::ALL[face.index() * 3 + 1]
}

impl Twin {
    /// One for each side face.
    pub(crate) const ALL: [Self; 4] = [Self(0), Self(1), Self(2), Self(3)];

    /// Returns the half turn of this face; `None` for U and D.
    pub(crate) fn of(face: Face) -> Option<Self> {
        SIDES.iter().position(|&side| side == face).map(|at| Self(at as u8))
    }

    /// Returns the clockwise quarter turn of the face.
    pub(crate) fn quarter_turn(self) -> Move {
        Move::ALL[SIDES[usize::from(self.0)].index() * 3]
    }

    /// Returns the half turn.
    pub(crate) fn half_turn(self) -> Move {
        half_turn(SIDES[usize::from(self.0)])
    }

    /// Returns corner permutation and slice-edge order of the twin.
    #[inline]
    pub(crate) fn corners_and_slice(self, corners: u16, slice: u16) -> (u16, u16) {
        let renamed = &RENAMED[usize::from(self.0)];
        (renamed.corners[usize::from(corners)], u16::from(renamed.slice[usize::from(slice)]))
    }

    /// Returns the permutation of the U and D edges of the twin.
    #[inline]
    pub(crate) fn edges(self, edges: u16) -> u16 {
        RENAMED[usize::from(self.0)].edges[usize::from(edges)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_twin_is_the_position_with_the_half_turn_in_front() {
        let within = "U R2 D' F2 U2 L2 B2 D R2 U' F2"
            .split(' ')
            .map(|name| Move::ALL.into_iter().find(|mv| mv.name() == name).expect("a move"));
        let mut cube = Cube::SOLVED;
        for mv in within {
            cube = cube.then(mv.cube());
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
