//! Digits: small coordinates with their move tables, from which goals are composed.

// Values of digits are below 2^16, slots and ranks below 40320.
#![allow(clippy::cast_possible_truncation)]

use std::collections::VecDeque;
use std::sync::LazyLock;

use super::super::move_set::MoveSet;
use superflip_cube::{Corner, Cube, Edge, Move};
use superflip_solver::coord::rank::BINOMIAL;
use superflip_solver::coord::{CORNER_PERM, Descriptor, SLICE, SLICE_SORTED};

/// Reads the value of a cube on which the digit has one.
type Reader = Box<dyn Fn(&Cube) -> u32 + Send + Sync>;

/// A coordinate of at most 65535 values with its move table.
pub(crate) struct Digit {
    pub(crate) size: u32,
    /// The value after each of the 18 moves, at `18 * value + move`; the value itself after moves that are not allowed.
    after: Vec<u16>,
    read: Reader,
}

impl Digit {
    /// Builds the move table by applying the moves to a cube of each value, from solved on.
    fn explored(size: u32, moves: MoveSet, read: impl Fn(&Cube) -> u32 + Send + Sync + 'static) -> Self {
        let mut after: Vec<u16> = (0..size as u16).flat_map(|value| [value; Move::COUNT]).collect();
        let mut is_known = vec![false; size as usize];
        let first = read(&Cube::SOLVED);
        is_known[first as usize] = true;
        let mut queue = VecDeque::from([(first, Cube::SOLVED)]);
        while let Some((value, cube)) = queue.pop_front() {
            for mv in moves.iter() {
                let next = cube.then(mv.cube());
                let to = read(&next);
                after[value as usize * Move::COUNT + mv.index()] = to as u16;
                if !std::mem::replace(&mut is_known[to as usize], true) {
                    queue.push_back((to, next));
                }
            }
        }
        Self { size, after, read: Box::new(read) }
    }

    /// A coordinate that has a value on every cube.
    pub(crate) fn coordinate(coordinate: &'static Descriptor) -> Self {
        Self::explored(coordinate.size, MoveSet::ALL, |cube| (coordinate.index)(cube).unwrap_or_default())
    }

    /// A coordinate under the moves of phase 2.
    pub(crate) fn of_phase_two(coordinate: &'static Descriptor) -> Self {
        Self::explored(coordinate.size, MoveSet::PHASE_TWO, |cube| (coordinate.index)(cube).unwrap_or_default())
    }

    /// Slot and orientation of one edge: `2 * slot + flip`.
    pub(crate) fn edge(piece: Edge) -> Self {
        Self::explored(24, MoveSet::ALL, move |cube| {
            let slot = cube.edges().iter().position(|&own| own == piece).unwrap_or_default();
            2 * slot as u32 + u32::from(cube.flips()[slot])
        })
    }

    /// Slot and orientation of one corner: `3 * slot + twist`.
    pub(crate) fn corner(piece: Corner) -> Self {
        Self::explored(24, MoveSet::ALL, move |cube| {
            let slot = cube.corners().iter().position(|&own| own == piece).unwrap_or_default();
            3 * slot as u32 + u32::from(cube.twists()[slot])
        })
    }

    /// The permutation of the four edges of the UD slice, under the moves of phase 2.
    pub(crate) fn slice_permutation() -> Self {
        Self::explored(24, MoveSet::PHASE_TWO, |cube| (SLICE_SORTED.index)(cube).unwrap_or_default())
    }

    /// The slots that hold edges of the slice between L and R, under the moves of phase 2.
    pub(crate) fn edge_separation() -> Self {
        Self::explored(70, MoveSet::PHASE_TWO, |cube| {
            subset(&edges(cube)[..8], |piece| Edge::ALL[usize::from(piece)].name().contains(['F', 'B']))
        })
    }

    /// The slots that hold corners of the tetrad of URF, under the moves of phase 2.
    pub(crate) fn corner_separation() -> Self {
        Self::explored(70, MoveSet::PHASE_TWO, |cube| subset(&corners(cube), is_of_first_tetrad))
    }

    /// The coset of the corner permutation under half turns: 420 values, under the moves of phase 2.
    pub(crate) fn half_turn_corner_cosets() -> Self {
        let (labels, count) = half_turn_cosets();
        Self::explored(count, MoveSet::PHASE_TWO, move |cube| {
            u32::from(labels[(CORNER_PERM.index)(cube).unwrap_or_default() as usize])
        })
    }

    /// The permutation of corners that half turns reach: 96 values.
    pub(crate) fn half_turn_corners() -> Self {
        let reached = half_turn_permutations();
        let mut ranks = vec![0; CORNER_PERM.size as usize];
        for (number, &value) in reached.iter().enumerate() {
            ranks[value as usize] = number as u16;
        }
        Self::explored(reached.len() as u32, MoveSet::HALF_TURNS, move |cube| {
            u32::from(ranks[(CORNER_PERM.index)(cube).unwrap_or_default() as usize])
        })
    }

    /// The permutation of the edges of a slice under half turns: 24 values. The slice is the one whose edges do not have the
    /// letters of this axis.
    pub(crate) fn half_turn_slice(letters: [char; 2]) -> Self {
        let slots: Vec<usize> = (0..12).filter(|&slot| !Edge::ALL[slot].name().contains(letters)).collect();
        Self::explored(24, MoveSet::HALF_TURNS, move |cube| {
            let pieces = edges(cube);
            four(&slots.iter().map(|&slot| pieces[slot]).collect::<Vec<_>>())
        })
    }

    /// The slots of the four edges of the UD slice, under all moves.
    pub(crate) fn slice() -> Self {
        Self::coordinate(&SLICE)
    }

    /// Returns the value after each of the 18 moves, at `18 * value + move`.
    pub(crate) fn moves(&self) -> &[u16] {
        &self.after
    }

    /// Returns the value of a cube.
    pub(crate) fn value(&self, cube: &Cube) -> u16 {
        (self.read)(cube) as u16
    }

    /// Returns the value after a move that the digit allows.
    #[inline]
    pub(crate) fn after(&self, value: u16, mv: Move) -> u16 {
        self.after[usize::from(value) * Move::COUNT + mv.index()]
    }
}

fn edges(cube: &Cube) -> [u8; 12] {
    cube.edges().map(|piece| piece as u8)
}

fn corners(cube: &Cube) -> [u8; 8] {
    cube.corners().map(|piece| piece as u8)
}

/// Returns the rank of the order of four pieces: 0..24, 0 if they ascend.
fn four(pieces: &[u8]) -> u32 {
    let smaller = |i: usize| pieces[i + 1..].iter().filter(|&&piece| piece < pieces[i]).count() as u32;
    smaller(0) * 6 + smaller(1) * 2 + smaller(2)
}

/// Returns the rank of the set of slots, four of eight, whose pieces satisfy the condition: 0..70.
fn subset(pieces: &[u8], is_member: impl Fn(u8) -> bool) -> u32 {
    let slots = (0..8).filter(|&slot| is_member(pieces[slot]));
    slots.enumerate().map(|(number, slot)| BINOMIAL[slot][(number + 1).min(4)]).sum()
}

/// Returns whether a corner is in the tetrad of URF: the slots that half turns can bring it to.
pub(crate) fn is_of_first_tetrad(piece: u8) -> bool {
    static FIRST: LazyLock<[bool; 8]> = LazyLock::new(|| {
        let reached = half_turn_permutations();
        let cubes: Vec<Cube> = reached.into_iter().map(CORNER_PERM.representative).collect();
        std::array::from_fn(|slot| cubes.iter().any(|cube| cube.corners()[slot].index() == 0))
    });
    FIRST[usize::from(piece)]
}

/// Returns the corner permutations that half turns reach.
fn half_turn_permutations() -> Vec<u32> {
    let mut found = vec![0];
    let mut at = 0;
    while let Some(&value) = found.get(at) {
        let cube = (CORNER_PERM.representative)(value);
        for mv in MoveSet::HALF_TURNS.iter() {
            let next = (CORNER_PERM.index)(&cube.then(mv.cube())).unwrap_or_default();
            if !found.contains(&next) {
                found.push(next);
            }
        }
        at += 1;
    }
    found
}

/// Returns the number of the coset of each corner permutation under half turns, and the number of cosets. The coset of
/// solved is 0.
fn half_turn_cosets() -> (Vec<u16>, u32) {
    let members: Vec<Cube> =
        half_turn_permutations().iter().map(|&value| (CORNER_PERM.representative)(value)).collect();
    let mut labels = vec![u16::MAX; CORNER_PERM.size as usize];
    let mut count = 0;
    for value in 0..CORNER_PERM.size {
        if labels[value as usize] == u16::MAX {
            let cube = (CORNER_PERM.representative)(value);
            for member in &members {
                labels[(CORNER_PERM.index)(&member.then(&cube)).unwrap_or_default() as usize] = count;
            }
            count += 1;
        }
    }
    (labels, u32::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_turns_have_96_corner_permutations_and_420_cosets() {
        assert_eq!(half_turn_permutations().len(), 96);
        assert_eq!(half_turn_cosets().1, 420);
    }

    #[test]
    fn every_digit_is_zero_on_the_solved_cube_or_names_a_slot() {
        for digit in [Digit::slice_permutation(), Digit::edge_separation(), Digit::corner_separation()] {
            assert_eq!(
                digit.value(&Cube::SOLVED),
                digit.after(digit.after(digit.value(&Cube::SOLVED), Move::U), Move::Ui)
            );
        }
        assert_eq!(Digit::edge(Edge::ALL[3]).value(&Cube::SOLVED), 6);
    }
}
