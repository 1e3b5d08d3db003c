//! A space of raw values: one coordinate, or several as the digits of one number, with the graph of turns.
//!
//! A turn acts on each digit separately, through the move table of that coordinate. So the whole number needs no move
//! table. A breadth-first search from solved stores one byte per value:
//!
//! ```text
//! toward[value] = a turn that leads nearer to solved      AT_SOLVED at solved, UNREACHED for unreachable values
//! ```
//!
//! Following these turns gives the distance, an optimal maneuver to solved, and a cube with the value. The conjugate of
//! a value is found by conjugating this maneuver and applying its inverse to solved. For this the symmetry must act on
//! the whole number. It need not act on each digit: quarter turns of the cube about U act on flip with slice, but not
//! on flip alone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::space::error::SpaceError;
use crate::space::memory::{Array, Memory, ValueSet};
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::coord::{
    CORNER_PERM, D_EDGES, Descriptor, FLIP, SLICE, SLICE_SORTED, TWIST, U_EDGES, UD_EDGES, Validity,
};
use superflip_solver::tables::move_table::raw_moves;
use superflip_solver::tables::{Id, Stopped, Tables};

/// Greatest number of digits.
pub const DIGITS: usize = super::expression::MAX_PARTS;
const AT_SOLVED: u8 = Move::COUNT as u8;
const UNREACHED: u8 = u8::MAX;
/// Number of values between two checks of the stop flag.
const BETWEEN_CHECKS: usize = 8192;
/// Marks a turn after which the coordinate has no value.
const NOWHERE: u16 = u16::MAX;

/// A raw coordinate of at most 65535 values with its move table.
pub struct Digit {
    /// The coordinate.
    pub coordinate: &'static Descriptor,
    /// The value after each of the 18 turns, at `18 * value + turn`.
    moves: Array<u16>,
}

impl Digit {
    /// Takes the move table from the mapped tables, or computes it from the cubies.
    fn new(coordinate: &'static Descriptor, tables: &Tables, memory: &Arc<Memory>) -> Result<Self, SpaceError> {
        let mapped = [
            (&TWIST, Id::TwistMove),
            (&FLIP, Id::FlipMove),
            (&SLICE, Id::SliceMove),
            (&SLICE_SORTED, Id::SliceSortedMove),
            (&CORNER_PERM, Id::CornerPermMove),
            (&U_EDGES, Id::UEdgesMove),
            (&D_EDGES, Id::DEdgesMove),
            (&UD_EDGES, Id::UdEdgesMove),
        ];
        let id = mapped.iter().find(|(known, _)| **known == *coordinate).map(|(_, id)| *id);
        let moves = match (id, coordinate.validity) {
            (Some(id), Validity::Always) => memory.copy(tables.opened().u16s(id)),
            (Some(id), Validity::PhaseTwo) => spread(coordinate, tables.opened().u16s(id), memory),
            (None, _) => spread(coordinate, &occurring_moves(coordinate), memory),
        };
        Ok(Self { coordinate, moves: moves? })
    }
}

/// Computes the move table of a coordinate that has values without a cube. The entries of such a value are the value
/// itself.
fn occurring_moves(coordinate: &Descriptor) -> Vec<u16> {
    if (0..coordinate.size).all(coordinate.occurs) {
        return raw_moves(coordinate);
    }
    let after = |value: u32, turn: &Move| {
        if !(coordinate.occurs)(value) {
            return value as u16;
        }
        let cube = (coordinate.representative)(value).then(turn.cube());
        (coordinate.index)(&cube).map_or(NOWHERE, |value| value as u16)
    };
    (0..coordinate.size).flat_map(|value| coordinate.moves().iter().map(move |turn| after(value, turn))).collect()
}

/// Expands a table with a column for each turn of the coordinate to a column for each of the 18 turns.
fn spread(coordinate: &Descriptor, table: &[u16], memory: &Arc<Memory>) -> Result<Array<u16>, SpaceError> {
    let turns = coordinate.moves();
    let mut out = memory.array(coordinate.size as usize * Move::COUNT)?;
    out.fill(NOWHERE);
    for (row, entries) in out.chunks_mut(Move::COUNT).zip(table.chunks(turns.len())) {
        for (turn, &entry) in turns.iter().zip(entries) {
            row[turn.index()] = entry;
        }
    }
    Ok(out)
}

/// Number of values at each distance from solved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histograms {
    /// In face turns, under the turns for which the coordinate is valid.
    pub htm: Vec<u64>,
    /// In quarter turns; for coordinates that are valid under all turns.
    pub qtm: Option<Vec<u64>>,
    /// In face turns, under the ten turns of phase 2 alone, for the values they reach.
    pub phase_two: Option<Vec<u64>>,
}

/// A space of raw values and its graph.
pub struct Product {
    digits: Vec<Digit>,
    turns: &'static [Move],
    size: u32,
    toward: Array<u8>,
    histograms: Histograms,
}

/// The values of the digits of one value.
pub type Digits = [u32; DIGITS];

impl Product {
    /// Computes the distances of all values. `progress` receives the number of values done.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `stop` was set.
    ///
    /// # Panics
    /// When there are more than 2^32 values, or more than [`DIGITS`] parts.
    pub fn new(
        parts: &[&'static Descriptor],
        turns: &'static [Move],
        tables: &Tables,
        memory: &Arc<Memory>,
        stop: &AtomicBool,
        progress: &dyn Fn(u64),
    ) -> Result<Self, SpaceError> {
        assert!(parts.len() <= DIGITS);
        let size: u64 = parts.iter().map(|part| u64::from(part.size)).product();
        let size = u32::try_from(size).expect("sizes are checked before");
        let digits = parts.iter().map(|&part| Digit::new(part, tables, memory)).collect::<Result<_, _>>()?;
        let mut out = Self { digits, turns, size, toward: memory.array(0)?, histograms: Histograms::default() };
        (out.toward, out.histograms.htm) = out.reach(turns, stop, progress)?;
        // Small spaces also get the other two distributions, which take as long again.
        if size <= 1 << 21 && turns.len() == Move::COUNT {
            let quarters: Vec<Move> = Move::ALL.into_iter().filter(|turn| turn.quarters() != 2).collect();
            out.histograms.qtm = Some(out.reach(&quarters, stop, &|_| ())?.1);
            out.histograms.phase_two = Some(out.reach(&Move::PHASE_TWO, stop, &|_| ())?.1);
        }
        Ok(out)
    }

    /// Breadth-first search from solved. Early depths push: each value of the last depth marks its neighbours. When
    /// fewer values are left than the last depth has, they pull: each looks for a neighbour that was reached at an
    /// earlier depth.
    fn reach(
        &self,
        turns: &[Move],
        stop: &AtomicBool,
        progress: &dyn Fn(u64),
    ) -> Result<(Array<u8>, Vec<u64>), SpaceError> {
        let (memory, size) = (self.toward.memory(), self.size as usize);
        let mut toward = memory.array(size)?;
        toward.fill(UNREACHED);
        toward[0] = AT_SOLVED;
        let (mut last, mut next) = (ValueSet::new(memory, size)?, ValueSet::new(memory, size)?);
        last.insert(0);
        let (mut is_pulling, mut histogram, mut done) = (false, vec![1_u64], 1);
        loop {
            let left = u64::from(self.size) - done;
            is_pulling |= histogram.last().is_some_and(|&last| last >= left);
            let found = if is_pulling {
                self.pull(&mut toward, turns, stop)?
            } else {
                next.clear();
                let found = self.push(&last, &mut next, &mut toward, turns, stop)?;
                std::mem::swap(&mut last, &mut next);
                found
            };
            if found == 0 {
                return Ok((toward, histogram));
            }
            histogram.push(found);
            done += found;
            progress(done);
        }
    }

    fn push(
        &self,
        last: &ValueSet,
        next: &mut ValueSet,
        toward: &mut [u8],
        turns: &[Move],
        stop: &AtomicBool,
    ) -> Result<u64, Stopped> {
        let mut found = 0;
        for (count, value) in last.iter().enumerate() {
            if count % BETWEEN_CHECKS == 0 && stop.load(Relaxed) {
                return Err(Stopped);
            }
            let digits = self.split(value as u32);
            for &turn in turns {
                let Some(after) = self.turned(&digits, turn) else { continue };
                let after = self.join(&after) as usize;
                if toward[after] == UNREACHED {
                    toward[after] = turn.inverse().index() as u8;
                    next.insert(after);
                    found += 1;
                }
            }
        }
        Ok(found)
    }

    fn pull(&self, toward: &mut [u8], turns: &[Move], stop: &AtomicBool) -> Result<u64, Stopped> {
        /// Marks values reached in the current pass.
        const FRESH: u8 = 0x80;
        let mut found = 0;
        for first in (0..self.size).step_by(BETWEEN_CHECKS) {
            if stop.load(Relaxed) {
                return Err(Stopped);
            }
            for value in first..self.size.min(first.saturating_add(BETWEEN_CHECKS as u32)) {
                if toward[value as usize] != UNREACHED {
                    continue;
                }
                let digits = self.split(value);
                let nearer = turns.iter().find(|&&turn| {
                    let after = self.turned(&digits, turn).map(|after| toward[self.join(&after) as usize]);
                    after.is_some_and(|after| after < FRESH)
                });
                if let Some(turn) = nearer {
                    toward[value as usize] = FRESH | turn.index() as u8;
                    found += 1;
                }
            }
        }
        for entry in toward {
            if *entry != UNREACHED {
                *entry &= !FRESH;
            }
        }
        Ok(found)
    }

    /// Returns the number of values. Values are 0..size; some do not occur for any cube.
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the turns after which the coordinate has a value: all 18, or the ten of phase 2.
    pub fn turns(&self) -> &'static [Move] {
        self.turns
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        let moves: usize = self.digits.iter().map(|digit| 2 * digit.moves.len()).sum();
        (self.toward.len() + moves) as u64
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

    /// Returns the digits after a turn, or `None` if the coordinate has no value after it.
    pub fn turned(&self, digits: &Digits, turn: Move) -> Option<Digits> {
        let mut out = *digits;
        for (digit, own) in self.digits.iter().zip(&mut out) {
            let after = digit.moves[*own as usize * Move::COUNT + turn.index()];
            if after == NOWHERE {
                return None;
            }
            *own = u32::from(after);
        }
        Some(out)
    }

    /// Returns the value after a turn, or `None` if the coordinate has no value after it.
    pub fn turn(&self, value: u32, turn: Move) -> Option<u32> {
        self.turned(&self.split(value), turn).map(|digits| self.join(&digits))
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
        self.toward[value as usize] != UNREACHED
    }

    /// Returns an optimal maneuver from a value that occurs to solved.
    pub fn to_solved(&self, value: u32) -> Vec<Move> {
        let mut maneuver = Vec::new();
        self.descend(value, |turn| maneuver.push(turn));
        maneuver
    }

    /// Returns the number of turns from a value to solved, or `None` if it does not occur.
    pub fn distance(&self, value: u32) -> Option<u32> {
        let mut turns = 0;
        self.occurs(value).then(|| {
            self.descend(value, |_| turns += 1);
            turns
        })
    }

    /// Returns the number of turns from each value to solved, 255 for values that do not occur.
    ///
    /// # Errors
    /// When there is not enough memory, or `stop` was set.
    pub fn distances(&self, stop: &AtomicBool) -> Result<Array<u8>, SpaceError> {
        let mut out = self.toward.memory().array(self.size as usize)?;
        out.fill(UNREACHED);
        let mut path = Vec::new();
        for value in 0..self.size {
            if (value as usize).is_multiple_of(BETWEEN_CHECKS) && stop.load(Relaxed) {
                return Err(SpaceError::Stopped);
            }
            if !self.occurs(value) {
                continue;
            }
            // Follows the turns towards solved until a distance is known, then goes back.
            let (mut at, mut digits) = (value as usize, self.split(value));
            while out[at] == UNREACHED {
                path.push(at);
                let turn = Move::try_from_index(usize::from(self.toward[at]));
                let Some(after) = turn.and_then(|turn| self.turned(&digits, turn)) else { break };
                (at, digits) = (self.join(&after) as usize, after);
            }
            // Only solved has no next turn; wrapping 255 gives it 0.
            let mut distance = out[at];
            for at in path.drain(..).rev() {
                distance = distance.wrapping_add(1);
                out[at] = distance;
            }
        }
        Ok(out)
    }

    fn descend(&self, value: u32, mut hear: impl FnMut(Move)) {
        let mut digits = self.split(value);
        while let Some(turn) = Move::try_from_index(usize::from(self.toward[self.join(&digits) as usize])) {
            hear(turn);
            let Some(after) = self.turned(&digits, turn) else { return };
            digits = after;
        }
    }

    /// Returns a cube with a value that occurs.
    pub fn cube(&self, value: u32) -> Cube {
        // The maneuver solves the value, so its inverse leads to it.
        let back: Vec<Move> = self.to_solved(value).into_iter().rev().map(Move::inverse).collect();
        Cube::SOLVED.after(&back)
    }

    /// Returns the value of `s * x * s^-1` for each given symmetry. The value must occur and the symmetries must act.
    pub fn conjugates(&self, value: u32, symmetries: impl Iterator<Item = Symmetry>) -> impl Iterator<Item = u32> {
        let mut maneuver = self.to_solved(value);
        maneuver.reverse();
        symmetries.map(move |s| {
            let walked = maneuver
                .iter()
                .try_fold([0; DIGITS], |digits, turn| self.turned(&digits, s.conjugate_move(turn.inverse())));
            walked.map_or(0, |digits| self.join(&digits))
        })
    }

    /// Returns which of these symmetries do not act on the values.
    pub fn not_acting(&self, symmetries: &[Symmetry]) -> Vec<Symmetry> {
        let members = super::group::subgroup_members(self.turns, |cube| Some(self.cube(self.index(cube)?)));
        let acts = |s: &Symmetry| members.iter().all(|h| self.index(&s.conjugate(h)) == Some(0));
        symmetries.iter().copied().filter(|s| !acts(s)).collect()
    }
}
