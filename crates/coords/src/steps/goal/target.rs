//! Targets: what a step reaches, as digits with tables of distances.
//!
//! A state is the tuple of the values of the digits. Each table holds the distances of a product of some digits to the
//! target. The greatest of them is a lower bound on the distance of the state. Every digit is in a table. So a state is in
//! a target of one state exactly if the bound is 0; a target of several states is compared with each.

// Values of products are below 2^24.
#![allow(clippy::cast_possible_truncation)]

use super::super::move_set::MoveSet;
use super::corners::CornerDistances;
use super::digit::Digit;
use superflip_cube::{Cube, Move};
use superflip_solver::coord::{CORNER_PERM, TWIST};
use superflip_solver::tables::pruning::breadth_first::Distances;
use superflip_solver::tables::pruning::product::DigitProduct;
use superflip_solver::{Cancelled, Control};

/// Greatest number of digits.
pub(crate) const DIGITS: usize = 12;

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
struct Product {
    /// Number and weight of each digit.
    digits: Vec<(usize, u32)>,
    /// Number of values.
    size: u32,
    distances: Distances,
}

impl Product {
    fn new(all: &[Digit], product: &[usize]) -> Self {
        let mut weight = 1;
        let mut digits = Vec::new();
        for &number in product {
            digits.push((number, weight));
            weight *= all[number].size;
        }
        Self { digits, size: weight, distances: Distances::default() }
    }

    fn index(&self, all: &[Digit], cube: &Cube) -> usize {
        self.digits.iter().map(|&(number, weight)| usize::from(all[number].value(cube)) * weight as usize).sum()
    }

    /// Fills the table. If `control` ends the work, the next call goes on where it was.
    fn grow(&mut self, all: &[Digit], moves: MoveSet, goals: &[Cube], control: &Control) -> Result<(), Cancelled> {
        let goals = goals.iter().map(|goal| self.index(all, goal)).collect();
        let tables: Vec<&[u16]> = self.digits.iter().map(|&(number, _)| all[number].moves()).collect();
        self.distances.grow(&DigitProduct::of_moves(&tables, moves.iter()).with_goals(goals), control)
    }
}

/// Digits and their tables of distances.
pub(crate) struct Target {
    digits: Vec<Digit>,
    products: Vec<Product>,
    /// The distances of the first two digits, if they are the permutation of the corners and their twist.
    corners: Option<CornerDistances>,
    /// Cubes of the target.
    goals: Vec<Cube>,
    moves: MoveSet,
    /// The states of the target, if there are several.
    several: Vec<[u16; DIGITS]>,
}

impl Target {
    /// Plans the tables of the products of these digits, each a list of numbers of digits, under these moves. The target are
    /// the states of the given cubes. [`Target::grow`] fills the tables.
    pub(crate) fn new(digits: Vec<Digit>, products: &[&[usize]], goals: &[Cube], moves: MoveSet) -> Self {
        assert!(digits.len() <= DIGITS);
        let products = products.iter().map(|product| Product::new(&digits, product)).collect();
        let goals = goals.to_vec();
        let mut out = Self { digits, products, corners: None, goals, moves, several: Vec::new() };
        if out.goals.len() > 1 {
            out.several = out.goals.iter().map(|goal| Walk::<DIGITS>(&out).state(goal)).collect();
        }
        out
    }

    /// Plans the table of all corners, reduced by symmetry.
    pub(crate) fn corners() -> Self {
        let digits = vec![Digit::coordinate(&CORNER_PERM), Digit::coordinate(&TWIST)];
        let corners = Some(CornerDistances::new());
        Self { corners, ..Self::new(digits, &[], &[Cube::SOLVED], MoveSet::ALL) }
    }

    /// Fills the tables. If `control` ends the work, the next call goes on where it was.
    ///
    /// # Errors
    /// When `control` ended the work.
    pub(crate) fn grow(&mut self, control: &Control) -> Result<(), Cancelled> {
        for product in self.products.iter_mut().filter(|product| !product.distances.is_complete()) {
            product.grow(&self.digits, self.moves, &self.goals, control)?;
        }
        if let Some(corners) = &mut self.corners {
            corners.grow(&self.digits[1], control)?;
        }
        Ok(())
    }

    /// Returns the size of the tables in bytes, once they are filled.
    pub(crate) fn bytes(&self) -> u64 {
        let products: u64 = self.products.iter().map(|product| u64::from(product.size)).sum();
        products + self.corners.as_ref().map_or(0, CornerDistances::bytes)
    }

    /// Returns the number of values at each distance, if there is one table.
    pub(crate) fn depth_histogram(&self) -> Option<Vec<u64>> {
        if let Some(corners) = &self.corners {
            return Some(corners.histogram());
        }
        let [product] = &self.products[..] else { return None };
        Some(product.distances.histograms().entries)
    }

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
        if N >= 2
            && let Some(corners) = &self.0.corners
        {
            return corners.of(state[0], state[1]);
        }
        let distance = |product: &Product| {
            let index: usize =
                product.digits.iter().map(|&(number, weight)| usize::from(state[number]) * weight as usize).sum();
            product.distances.entries()[index]
        };
        self.0.products.iter().map(distance).max().unwrap_or(0)
    }

    #[inline]
    fn is_reached(&self, state: [u16; N]) -> bool {
        self.0.several.is_empty() || self.0.several.iter().any(|goal| goal.iter().zip(&state).all(|(a, b)| a == b))
    }
}
