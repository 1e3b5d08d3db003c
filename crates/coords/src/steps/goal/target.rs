//! Targets: what a step reaches, as digits with tables of distances.
//!
//! A state is the tuple of the values of the digits. Each table holds the distances of a product of some digits to the
//! target. The greatest of them is a lower bound on the distance of the state. Every digit is in a table. So a state is in
//! a target of one state exactly if the bound is 0; a target of several states is compared with each.

// Values of products are below 2^24.
#![allow(clippy::cast_possible_truncation)]

use super::super::move_set::MoveSet;
use super::digit::Digit;
use superflip_cube::{Cube, Move};

/// Greatest number of digits.
pub(crate) const DIGITS: usize = 12;
/// Marks values that are not reached.
const UNREACHED: u8 = u8::MAX;

/// The graph that a search of one step walks.
pub(crate) trait StepGraph {
    /// The values on which moves act.
    type State: Copy;

    /// Returns the state of a cube on which the graph is defined.
    fn state(&self, cube: &Cube) -> Self::State;

    /// Returns the state after a move that the graph allows.
    fn after(&self, state: Self::State, mv: Move) -> Self::State;

    /// Returns a lower bound on the number of moves to the target.
    fn bound(&self, state: Self::State) -> u8;

    /// Returns whether a state with the bound 0 is in the target.
    fn is_reached(&self, state: Self::State) -> bool;
}

/// The distances of a product of some digits.
struct Bound {
    /// Number and weight of each digit.
    digits: Vec<(usize, u32)>,
    distances: Vec<u8>,
}

/// Digits and their tables of distances.
pub(crate) struct Target {
    digits: Vec<Digit>,
    bounds: Vec<Bound>,
    /// The states of the target, if there are several.
    several: Vec<[u16; DIGITS]>,
}

impl Target {
    /// Builds the tables of the products of these digits, each a list of numbers of digits, under these moves. The target are
    /// the states of the given cubes.
    pub(crate) fn new(digits: Vec<Digit>, products: &[&[usize]], goals: &[Cube], moves: MoveSet) -> Self {
        assert!(digits.len() <= DIGITS);
        let bounds = products.iter().map(|product| Bound::new(&digits, product, goals, moves)).collect();
        let mut out = Self { digits, bounds, several: Vec::new() };
        if goals.len() > 1 {
            out.several = goals.iter().map(|goal| Walk::<DIGITS>(&out).state(goal)).collect();
        }
        out
    }

    /// Returns the number of values at each distance, if there is one table.
    pub(crate) fn depth_histogram(&self) -> Option<Vec<u64>> {
        let [bound] = &self.bounds[..] else { return None };
        let mut out = Vec::new();
        for &distance in bound.distances.iter().filter(|&&distance| distance != UNREACHED) {
            out.resize(out.len().max(usize::from(distance) + 1), 0);
            out[usize::from(distance)] += 1;
        }
        Some(out)
    }
}

impl Bound {
    fn new(all: &[Digit], product: &[usize], goals: &[Cube], moves: MoveSet) -> Self {
        let mut weight = 1;
        let mut digits = Vec::new();
        for &number in product {
            digits.push((number, weight));
            weight *= all[number].size;
        }
        let mut distances = vec![UNREACHED; weight as usize];
        let index = |cube: &Cube| {
            digits.iter().map(|&(number, weight)| u32::from(all[number].value(cube)) * weight).sum::<u32>()
        };
        let mut frontier = Vec::new();
        for goal in goals {
            let value = index(goal);
            if std::mem::replace(&mut distances[value as usize], 0) != 0 {
                frontier.push(value);
            }
        }
        // The value after a move, times the weight, for each digit: a sum of them is the index of a neighbour.
        let rows: Vec<Vec<u32>> = digits.iter().map(|&(number, weight)| all[number].scaled(weight)).collect();
        let moves: Vec<usize> = moves.iter().map(Move::index).collect();
        let mut depth = 0;
        let mut next = Vec::new();
        while !frontier.is_empty() {
            depth += 1;
            for &value in &frontier {
                let mut sums = [0_u32; Move::COUNT];
                for (&(number, weight), rows) in digits.iter().zip(&rows) {
                    let own = (value / weight % all[number].size) as usize;
                    let row = &rows[own * Move::COUNT..][..Move::COUNT];
                    sums.iter_mut().zip(row).for_each(|(sum, part)| *sum = sum.wrapping_add(*part));
                }
                for &mv in &moves {
                    let entry = &mut distances[sums[mv] as usize];
                    if *entry == UNREACHED {
                        *entry = depth;
                        next.push(sums[mv]);
                    }
                }
            }
            frontier.clear();
            std::mem::swap(&mut frontier, &mut next);
        }
        Self { digits, distances }
    }
}

/// A target whose states have `N` digits at most.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'t, const N: usize>(pub(crate) &'t Target);

impl<const N: usize> StepGraph for Walk<'_, N> {
    type State = [u16; N];

    fn state(&self, cube: &Cube) -> [u16; N] {
        std::array::from_fn(|place| self.0.digits.get(place).map_or(0, |digit| digit.value(cube)))
    }

    #[inline]
    fn after(&self, state: [u16; N], mv: Move) -> [u16; N] {
        let mut out = state;
        for (own, digit) in out.iter_mut().zip(&self.0.digits) {
            *own = digit.after(*own, mv);
        }
        out
    }

    #[inline]
    fn bound(&self, state: [u16; N]) -> u8 {
        let distance = |bound: &Bound| {
            let index: usize =
                bound.digits.iter().map(|&(number, weight)| usize::from(state[number]) * weight as usize).sum();
            bound.distances[index]
        };
        self.0.bounds.iter().map(distance).max().unwrap_or(0)
    }

    #[inline]
    fn is_reached(&self, state: [u16; N]) -> bool {
        self.0.several.is_empty() || self.0.several.iter().any(|goal| goal.iter().zip(&state).all(|(a, b)| a == b))
    }
}

impl Target {
    /// Returns the number of digits.
    pub(crate) fn digits(&self) -> usize {
        self.digits.len()
    }

    /// Returns the lower bound of a cube.
    pub(crate) fn bound_of(&self, cube: &Cube) -> u8 {
        let graph = Walk::<DIGITS>(self);
        graph.bound(graph.state(cube))
    }
}
