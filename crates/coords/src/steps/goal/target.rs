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
use superflip_solver::{Cancelled, Control};

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

/// Indices of states that moves lead to one another.
pub(super) trait Neighbours {
    /// Returns the number of indices.
    fn size(&self) -> usize;

    /// Passes on the indices that each move leads to.
    fn each(&self, index: usize, found: impl FnMut(usize));
}

/// The distance of each index, found by a breadth-first search that can be interrupted and goes on where it was.
#[derive(Default)]
pub(super) struct Distances {
    pub(super) entries: Vec<u8>,
    depth: u8,
    /// The next index that is looked at.
    at: usize,
    /// Whether an index of the next depth was found.
    is_deeper: bool,
    is_complete: bool,
}

impl Distances {
    /// Number of indices between two looks at the control.
    const PERIOD: usize = 4096;

    /// Finds the distances from some indices on.
    fn grow(&mut self, graph: &impl Neighbours, goals: &[usize], control: &Control) -> Result<(), Cancelled> {
        if self.entries.is_empty() {
            self.entries = vec![UNREACHED; graph.size()];
            for &goal in goals {
                self.entries[goal] = 0;
            }
        }
        while !self.is_complete {
            while self.at < self.entries.len() {
                control.check()?;
                let end = self.entries.len().min(self.at + Self::PERIOD);
                for index in self.at..end {
                    if self.entries[index] == self.depth {
                        graph.each(index, |next| {
                            let entry = &mut self.entries[next];
                            if *entry == UNREACHED {
                                *entry = self.depth + 1;
                                self.is_deeper = true;
                            }
                        });
                    }
                }
                self.at = end;
            }
            self.is_complete = !std::mem::replace(&mut self.is_deeper, false);
            (self.depth, self.at) = (self.depth + 1, 0);
        }
        Ok(())
    }

    fn histogram(&self) -> Vec<u64> {
        let mut out = Vec::new();
        for &distance in self.entries.iter().filter(|&&distance| distance != UNREACHED) {
            out.resize(out.len().max(usize::from(distance) + 1), 0);
            out[usize::from(distance)] += 1;
        }
        out
    }
}

/// The distances of a product of some digits.
struct Product {
    /// Number and weight of each digit.
    digits: Vec<(usize, u32)>,
    distances: Distances,
}

/// The neighbours in a product of digits.
struct ProductMoves {
    /// Weight, size, and the value after each move times the weight, of each digit: the sum of the values is the index of a neighbour.
    rows: Vec<(u32, u32, Vec<u32>)>,
    moves: Vec<usize>,
    size: usize,
}

impl Product {
    fn new(all: &[Digit], product: &[usize]) -> Self {
        let mut weight = 1;
        let mut digits = Vec::new();
        for &number in product {
            digits.push((number, weight));
            weight *= all[number].size;
        }
        Self { digits, distances: Distances::default() }
    }

    fn index(&self, all: &[Digit], cube: &Cube) -> usize {
        self.digits.iter().map(|&(number, weight)| usize::from(all[number].value(cube)) * weight as usize).sum()
    }

    fn moves(&self, all: &[Digit], moves: MoveSet) -> ProductMoves {
        let rows = self.digits.iter().map(|&(number, weight)| (weight, all[number].size, all[number].scaled(weight)));
        let size = self.digits.iter().map(|&(number, _)| all[number].size as usize).product();
        ProductMoves { rows: rows.collect(), moves: moves.iter().map(Move::index).collect(), size }
    }
}

impl Neighbours for ProductMoves {
    fn size(&self) -> usize {
        self.size
    }

    #[inline]
    fn each(&self, index: usize, found: impl FnMut(usize)) {
        let mut sums = [0_u32; Move::COUNT];
        for (weight, size, rows) in &self.rows {
            let own = (index as u32 / weight % size) as usize;
            let row = &rows[own * Move::COUNT..][..Move::COUNT];
            sums.iter_mut().zip(row).for_each(|(sum, part)| *sum = sum.wrapping_add(*part));
        }
        self.moves.iter().map(|&mv| sums[mv] as usize).for_each(found);
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
        for product in &mut self.products {
            if !product.distances.is_complete {
                let goals: Vec<usize> = self.goals.iter().map(|goal| product.index(&self.digits, goal)).collect();
                let graph = product.moves(&self.digits, self.moves);
                product.distances.grow(&graph, &goals, control)?;
            }
        }
        if let Some(corners) = self.corners.as_mut().filter(|corners| !corners.distances.is_complete) {
            let goals: Vec<usize> =
                self.goals.iter().map(|goal| corners.classes.index([&self.digits[0], &self.digits[1]], goal)).collect();
            let graph = corners.classes.moves([&self.digits[0], &self.digits[1]]);
            corners.distances.grow(&graph, &goals, control)?;
        }
        Ok(())
    }

    /// Returns the number of values at each distance, if there is one table.
    pub(crate) fn depth_histogram(&self) -> Option<Vec<u64>> {
        if let Some(corners) = &self.corners {
            return Some(corners.histogram());
        }
        let [product] = &self.products[..] else { return None };
        Some(product.distances.histogram())
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
            product.distances.entries[index]
        };
        self.0.products.iter().map(distance).max().unwrap_or(0)
    }

    #[inline]
    fn is_reached(&self, state: [u16; N]) -> bool {
        self.0.several.is_empty() || self.0.several.iter().any(|goal| goal.iter().zip(&state).all(|(a, b)| a == b))
    }
}
