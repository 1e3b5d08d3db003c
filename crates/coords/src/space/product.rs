//! A space of raw values: one coordinate, or several as the digits of one number, with the graph of moves.
//!
//! A move acts on each digit separately, through the move table of that coordinate. So the whole number needs no move
//! table. A breadth-first search from solved stores the distance of each value in one byte.
//!
//! Moves that each lead nearer to solved give an optimal maneuver, and a cube with the value. The conjugate of a value is found by conjugating this maneuver and applying its inverse to solved. For this the symmetry must act on
//! the whole number. It need not act on each digit: quarter turns of the cube about U act on flip with slice, but not
//! on flip alone.

// Values of digits are below 2^16, values of products below 2^32: both are checked when a space is built.
#![allow(clippy::cast_possible_truncation)]

use std::cell::Cell;
use std::sync::{Arc, OnceLock};

use crate::space::error::SpaceError;
use crate::space::group::acting_on;
use crate::space::memory::{Array, Memory};
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::Control;
use superflip_solver::coord::{Descriptor, Validity};
use superflip_solver::tables::pruning::breadth_first::{self, Graph, UNREACHED};
use superflip_solver::tables::pruning::product::DigitProduct;
use superflip_solver::tables::{DepthHistograms, Tables};

/// Greatest number of digits.
pub const DIGITS: usize = super::expression::MAX_PARTS;
/// Greatest number of values for which the distributions in quarter turns and with the moves of phase 2 are computed. Each takes as
/// long as the first distribution.
pub const MAX_WITH_ALL_HISTOGRAMS: u32 = 1 << 21;
/// Marks a move after which the coordinate has no value.
const NOWHERE: u16 = u16::MAX;

/// A raw coordinate of at most 65535 values with its move table.
pub(crate) struct Digit {
    /// The coordinate.
    pub coordinate: &'static Descriptor,
    /// The value after each of the 18 moves, at `18 * value + move`.
    moves: Array<u16>,
}

impl Digit {
    /// Takes the move table from the mapped tables, or computes it from the cubies.
    fn new(coordinate: &'static Descriptor, tables: &Tables, memory: &Arc<Memory>) -> Result<Self, SpaceError> {
        let moves = match (tables.move_table(coordinate), coordinate.validity) {
            (Some(moves), Validity::Always) => memory.copy(moves),
            (Some(moves), Validity::PhaseTwo) => spread(coordinate, moves, memory),
            (None, _) => spread(coordinate, &occurring_moves(coordinate), memory),
        };
        Ok(Self { coordinate, moves: moves? })
    }

    /// Returns the value after a move, or [`NOWHERE`].
    #[inline]
    fn after(&self, value: usize, mv: Move) -> u16 {
        self.moves[value * Move::COUNT + mv.index()]
    }
}

/// Computes the move table of a coordinate that has values without a cube. The entries of such a value are the value
/// itself.
fn occurring_moves(coordinate: &Descriptor) -> Vec<u16> {
    if (0..coordinate.size).all(coordinate.occurs) {
        return coordinate.move_table();
    }
    let after = |value: u32, mv: &Move| {
        if !(coordinate.occurs)(value) {
            return value as u16;
        }
        let cube = (coordinate.representative)(value).then(mv.cube());
        (coordinate.index)(&cube).map_or(NOWHERE, |value| value as u16)
    };
    (0..coordinate.size).flat_map(|value| coordinate.moves().iter().map(move |mv| after(value, mv))).collect()
}

/// Expands a table with a column for each move of the coordinate to a column for each of the 18 moves.
fn spread(coordinate: &Descriptor, table: &[u16], memory: &Arc<Memory>) -> Result<Array<u16>, SpaceError> {
    let moves = coordinate.moves();
    let mut out = memory.array(coordinate.size as usize * Move::COUNT)?;
    out.fill(NOWHERE);
    for (row, entries) in out.chunks_mut(Move::COUNT).zip(table.chunks(moves.len())) {
        for (mv, &entry) in moves.iter().zip(entries) {
            row[mv.index()] = entry;
        }
    }
    Ok(out)
}

/// Number of values at each distance from solved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histograms {
    /// In moves, under the moves for which the coordinate is valid.
    pub htm: Vec<u64>,
    /// In quarter turns; for coordinates that are valid under all moves.
    pub qtm: Option<Vec<u64>>,
    /// In moves, under the ten moves of phase 2 alone, for the values they reach.
    pub phase_two: Option<Vec<u64>>,
}

/// A space of raw values and its graph.
pub struct Product {
    digits: Vec<Digit>,
    moves: &'static [Move],
    size: u32,
    /// Distance of each value, shared with downloads.
    distances: Arc<Array<u8>>,
    histograms: Histograms,
    /// Symmetries that act on the values, found on first use.
    acting: OnceLock<Vec<Symmetry>>,
}

/// Computes the distances of all entries of a graph. Reports the number of entries done.
pub(crate) fn distances(
    graph: &impl Graph,
    memory: &Arc<Memory>,
    control: &Control,
) -> Result<(Arc<Array<u8>>, DepthHistograms), SpaceError> {
    let mut out: Array<u8> = memory.array(graph.rows() * graph.columns())?;
    out.fill(UNREACHED);
    let entries = Cell::from_mut(&mut out[..]).as_slice_of_cells();
    let histograms = breadth_first::distances(graph, entries, control)?;
    Ok((Arc::new(out), histograms))
}

/// Finds an optimal maneuver to solved. Returns `None` if a distance is not known.
pub(crate) fn maneuver_to_solved<S: Copy>(
    start: S,
    moves: &[Move],
    after: impl Fn(S, Move) -> Option<S>,
    distance: impl Fn(S) -> Option<u32>,
) -> Option<Vec<Move>> {
    let mut at = start;
    let nearer = |left| {
        let found = moves.iter().find_map(|&mv| {
            let after = after(at, mv)?;
            (distance(after)? == left).then_some((mv, after))
        });
        let (mv, after) = found?;
        at = after;
        Some(mv)
    };
    (0..distance(start)?).rev().map(nearer).collect()
}

/// The values of the digits of one value.
pub type Digits = [u32; DIGITS];

impl Product {
    /// Computes the distances of all values. Reports the number of values done.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `control` ended the work.
    ///
    /// # Panics
    /// When there are more than 2^32 values, no parts or more than [`DIGITS`], or a part has no value after one of the moves.
    pub fn new(
        parts: &[&'static Descriptor],
        moves: &'static [Move],
        tables: &Tables,
        memory: &Arc<Memory>,
        control: &Control,
    ) -> Result<Self, SpaceError> {
        assert!((1..=DIGITS).contains(&parts.len()));
        let size: u64 = parts.iter().map(|part| u64::from(part.size)).product();
        let size = u32::try_from(size).expect("sizes are checked before");
        let digits: Vec<_> = parts.iter().map(|&part| Digit::new(part, tables, memory)).collect::<Result<_, _>>()?;
        let tables: Vec<&[u16]> = digits.iter().map(|digit| &digit.moves[..]).collect();
        let search = |moves: &[Move], control: &Control| {
            distances(&DigitProduct::of_moves(&tables, moves.iter().copied()), memory, control)
        };
        let (distances, DepthHistograms { entries: htm, .. }) = search(moves, control)?;
        let mut histograms = Histograms { htm, qtm: None, phase_two: None };
        if size <= MAX_WITH_ALL_HISTOGRAMS && moves.len() == Move::COUNT {
            let unreported = control.reporting(|_, _, _| ());
            let quarters: Vec<Move> = Move::ALL.into_iter().filter(|mv| mv.quarters() != 2).collect();
            histograms.qtm = Some(search(&quarters, &unreported)?.1.entries);
            histograms.phase_two = Some(search(&Move::PHASE_TWO, &unreported)?.1.entries);
        }
        Ok(Self { digits, moves, size, distances, histograms, acting: OnceLock::new() })
    }

    /// Returns the number of values. Values are 0..size; some do not occur for any cube.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the moves after which the coordinate has a value: all 18, or the ten of phase 2.
    pub fn moves(&self) -> &'static [Move] {
        self.moves
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        let moves: usize = self.digits.iter().map(|digit| 2 * digit.moves.len()).sum();
        (self.distances.len() + moves) as u64
    }

    /// Returns the number of values at each distance.
    pub fn histograms(&self) -> &Histograms {
        &self.histograms
    }

    /// Splits a value into its digits.
    pub fn split(&self, value: u32) -> Digits {
        let mut rest = value;
        let mut out = [0; DIGITS];
        for (digit, out) in self.digits.iter().zip(&mut out) {
            *out = rest % digit.coordinate.size;
            rest /= digit.coordinate.size;
        }
        out
    }

    /// Joins digits to a value.
    pub fn join(&self, digits: &Digits) -> u32 {
        self.digits.iter().zip(digits).rev().fold(0, |value, (digit, own)| value * digit.coordinate.size + own)
    }

    /// Returns the digits after a move, or `None` if the coordinate has no value after it.
    pub(crate) fn digits_after(&self, digits: &Digits, mv: Move) -> Option<Digits> {
        let mut out = *digits;
        for (digit, own) in self.digits.iter().zip(&mut out) {
            let after = digit.after(*own as usize, mv);
            if after == NOWHERE {
                return None;
            }
            *own = u32::from(after);
        }
        Some(out)
    }

    /// Returns the value after a move, or `None` if the coordinate has no value after it.
    pub fn after(&self, value: u32, mv: Move) -> Option<u32> {
        if let [digit] = &self.digits[..] {
            return Some(digit.after(value as usize, mv)).filter(|&after| after != NOWHERE).map(u32::from);
        }
        self.digits_after(&self.split(value), mv).map(|digits| self.join(&digits))
    }

    /// Returns the value of a cube, or `None` if it has none.
    pub fn index(&self, cube: &Cube) -> Option<u32> {
        let mut digits = [0; DIGITS];
        for (digit, own) in self.digits.iter().zip(&mut digits) {
            *own = (digit.coordinate.index)(cube)?;
        }
        Some(self.join(&digits))
    }

    /// Returns whether the value can be reached from solved.
    pub fn occurs(&self, value: u32) -> bool {
        self.distances[value as usize] != UNREACHED
    }

    /// Returns an optimal maneuver from a value to solved, or `None` if it does not occur.
    pub fn to_solved(&self, value: u32) -> Option<Vec<Move>> {
        let after = |digits: Digits, mv| self.digits_after(&digits, mv);
        let distance = |digits: Digits| self.distance(self.join(&digits));
        maneuver_to_solved(self.split(value), self.moves, after, distance)
    }

    /// Returns the number of moves from a value to solved, or `None` if it does not occur.
    pub fn distance(&self, value: u32) -> Option<u32> {
        self.occurs(value).then(|| u32::from(self.distances[value as usize]))
    }

    /// Returns the number of moves from each value to solved, 255 for values that do not occur.
    pub fn distances(&self) -> &Arc<Array<u8>> {
        &self.distances
    }

    /// Returns a cube with a value that occurs.
    pub fn cube(&self, value: u32) -> Cube {
        // The maneuver solves the value, so its inverse leads to it.
        let back: Vec<Move> = self.to_solved(value).into_iter().flatten().rev().map(Move::inverse).collect();
        Cube::SOLVED.after(&back)
    }

    /// Returns the value of `s * x * s^-1` for each given symmetry. The value must occur and the symmetries must act.
    pub fn conjugates(&self, value: u32, symmetries: impl Iterator<Item = Symmetry>) -> impl Iterator<Item = u32> {
        let mut maneuver = self.to_solved(value).unwrap_or_default();
        maneuver.reverse();
        symmetries.map(move |s| {
            let walked = maneuver
                .iter()
                .try_fold([0; DIGITS], |digits, mv| self.digits_after(&digits, s.conjugate_move(mv.inverse())));
            walked.map_or(0, |digits| self.join(&digits))
        })
    }

    /// Returns which of the 48 symmetries act on the values. The first call computes them.
    pub fn acting(&self) -> &[Symmetry] {
        self.acting.get_or_init(|| acting_on(self.moves, |cube| self.index(cube), |value| self.cube(value)))
    }
}
