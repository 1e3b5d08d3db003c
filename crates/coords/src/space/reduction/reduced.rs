//! Distances in a space reduced by symmetry: the classes of the first part times the values of the second part (Nissy's
//! SYMCOMP).
//!
//! A *state* is a pair of raw values, one of each part. An *entry* is a pair (j, c). j is a class of the first part. c
//! is a value of the second part, in the frame of the representative of j. The entry of a state is found by conjugating
//! both values so that the first becomes the representative. Entry number `j * columns + c` is one byte, its distance.
//! Solved is entry 0.
//!
//! A symmetry t that maps the representative of j to itself is a *self-symmetry*. Then the entries (j, c) and (j, t c
//! t^-1) are *equivalent*: they stand for the same states. A turn reaches only one of them. So the search sets the
//! distance at every equivalent entry. This step is the *extra pass over self-symmetries*. Without it the other entries
//! are reached later or never, and their distances are too large.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::classes::Classes;
use super::group::Group;
use crate::space::error::SpaceError;
use crate::space::memory::{Array, Memory, ValueSet};
use crate::space::product::Product;
use superflip_cube::Move;

const UNREACHED: u8 = u8::MAX;

/// Whether the search makes the extra pass over self-symmetries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelfSymmetries {
    /// The distance is set at every equivalent entry, which is correct.
    Applied,
    /// The distance is set only at the entry that a turn reaches. The result is wrong; this variant shows the error.
    Ignored,
}

/// The values of the second part, and the action of the group on them.
pub struct Columns {
    count: usize,
    order: usize,
    /// Column of `S * x * S^-1`, at `order * column + index of S`.
    conjugates: Array<u32>,
}

impl Columns {
    /// Computes the conjugates of every value. A value that no cube has is its own conjugate.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `stop` was set.
    pub fn new(rest: &Product, group: &Group, memory: &Arc<Memory>, stop: &AtomicBool) -> Result<Self, SpaceError> {
        let (count, order) = (rest.size() as usize, group.order());
        let mut conjugates = memory.array(count * order)?;
        for (column, row) in (0..).zip(conjugates.chunks_exact_mut(order)) {
            if column % 4096 == 0 && stop.load(Relaxed) {
                return Err(SpaceError::Stopped);
            }
            if rest.occurs(column) {
                for (entry, seen) in row.iter_mut().zip(rest.conjugates(column, group.symmetries.iter().copied())) {
                    *entry = seen;
                }
            } else {
                row.fill(column);
            }
        }
        Ok(Self { count, order, conjugates })
    }

    /// Returns the number of columns.
    pub fn count(&self) -> u32 {
        self.count as u32
    }

    /// Returns the conjugate of `column` by the symmetry with index `symmetry` in the group.
    pub fn conjugate(&self, column: u32, symmetry: u32) -> u32 {
        self.conjugates[column as usize * self.order + symmetry as usize]
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        4 * self.conjugates.len() as u64
    }
}

/// The distances of a reduced space.
pub struct Reduced {
    columns: Columns,
    /// Packed class of each representative after each of the 18 turns, at `18 * class + turn`.
    class_moves: Array<u32>,
    /// Shared with downloads.
    distances: Arc<Array<u8>>,
    /// Number of entries at each distance.
    pub entry_histogram: Vec<u64>,
    /// Number of states at each distance: each entry is weighted by the size of its class.
    pub depth_histogram: Vec<u64>,
}

/// The breadth-first search for the distances.
struct Search<'s> {
    columns: &'s Columns,
    class_moves: &'s [u32],
    keeping: &'s [u64],
    rest: &'s Product,
    self_symmetries: SelfSymmetries,
}

impl Search<'_> {
    /// Returns the distances, and the number of entries and of states at each.
    fn run(
        &self,
        memory: &Arc<Memory>,
        stop: &AtomicBool,
        progress: &dyn Fn(u64),
    ) -> Result<(Array<u8>, [Vec<u64>; 2]), SpaceError> {
        const BETWEEN_CHECKS: usize = 8192;
        let (count, order) = (self.columns.count, self.columns.order as u64);
        let size = self.keeping.len() * count;
        let mut distances = memory.array(size)?;
        distances.fill(UNREACHED);
        distances[0] = 0;
        let (mut last, mut next) = (ValueSet::new(memory, size)?, ValueSet::new(memory, size)?);
        last.insert(0);
        let (mut entries, mut states, mut done) = (Vec::new(), Vec::new(), 0);
        for depth in 1.. {
            let (mut found, mut states_found) = (0, 0);
            for entry in last.iter() {
                if found % BETWEEN_CHECKS == 0 {
                    if stop.load(Relaxed) {
                        return Err(SpaceError::Stopped);
                    }
                    progress(done + found as u64);
                }
                found += 1;
                states_found += order / u64::from(self.keeping[entry / count].count_ones());
                self.push(entry, depth, &mut distances, &mut next);
            }
            if found == 0 {
                break;
            }
            entries.push(found as u64);
            states.push(states_found);
            done += found as u64;
            std::mem::swap(&mut last, &mut next);
            next.clear();
        }
        Ok((distances, [entries, states]))
    }

    /// Sets the distance of each entry that one turn reaches first.
    fn push(&self, entry: usize, depth: u8, distances: &mut [u8], next: &mut ValueSet) {
        let (columns, order, rest) = (self.columns.count, self.columns.order, self.rest);
        let (class, column) = (entry / columns, (entry % columns) as u32);
        let digits = rest.split(column);
        for &turn in rest.turns() {
            let packed = self.class_moves[class * Move::COUNT + turn.index()];
            let Some(turned) = rest.turned(&digits, turn) else { continue };
            if packed == NOWHERE {
                continue;
            }
            let (class, place) = (packed as usize / order, packed as usize % order);
            let column = self.columns.conjugate(rest.join(&turned), place as u32);
            if distances[class * columns + column as usize] != UNREACHED {
                continue;
            }
            let mut equivalent = match self.self_symmetries {
                SelfSymmetries::Applied => self.keeping[class],
                SelfSymmetries::Ignored => 1,
            };
            while equivalent != 0 {
                let column = self.columns.conjugate(column, equivalent.trailing_zeros()) as usize;
                let at = class * columns + column;
                if distances[at] == UNREACHED {
                    distances[at] = depth;
                    next.insert(at);
                }
                equivalent &= equivalent - 1;
            }
        }
    }
}

/// Marks in [`Reduced::class_moves`] a turn after which the coordinate has no value.
const NOWHERE: u32 = u32::MAX;

impl Reduced {
    /// Returns the memory in bytes of a space of this many classes, columns and symmetries.
    pub fn bytes_of(classes: u64, columns: u64, order: u64) -> u64 {
        classes * columns + 4 * columns * order + 4 * 18 * classes
    }

    /// Computes all distances. `progress` receives the number of entries done.
    ///
    /// # Errors
    /// When there is not enough `memory`, or `stop` was set.
    pub fn new(
        base: &Product,
        classes: &Classes,
        rest: &Product,
        self_symmetries: SelfSymmetries,
        memory: &Arc<Memory>,
        stop: &AtomicBool,
        progress: &dyn Fn(u64),
    ) -> Result<Self, SpaceError> {
        let columns = Columns::new(rest, classes.group, memory, stop)?;
        let (order, count) = (columns.order, classes.representatives.len());
        let mut class_moves = memory.array(count * Move::COUNT)?;
        // The self-symmetries of each representative: bit `place`.
        let mut keeping = memory.array(count)?;
        let rows = class_moves.chunks_exact_mut(Move::COUNT).zip(keeping.iter_mut());
        for (class, (&representative, (row, keeping))) in classes.representatives.iter().zip(rows).enumerate() {
            if class % 4096 == 0 && stop.load(Relaxed) {
                return Err(SpaceError::Stopped);
            }
            for (entry, &turn) in row.iter_mut().zip(&Move::ALL) {
                *entry = base.turn(representative, turn).map_or(NOWHERE, |after| {
                    let member = classes.of(base, after);
                    order as u32 * member.class + member.place
                });
            }
            let places = classes.self_symmetries(base, representative);
            let places = places.iter().filter_map(|&s| classes.group.position(s));
            *keeping = places.fold(0, |mask, place| mask | 1 << place);
        }
        let search = Search { columns: &columns, class_moves: &class_moves, keeping: &keeping, rest, self_symmetries };
        let (distances, [entry_histogram, depth_histogram]) = search.run(memory, stop, progress)?;
        Ok(Self { columns, class_moves, distances: Arc::new(distances), entry_histogram, depth_histogram })
    }

    /// Returns the number of entries. They are numbered from 0; some do not occur for any cube.
    pub fn size(&self) -> u64 {
        self.distances.len() as u64
    }

    /// Returns the columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the distance of every entry, 255 for entries that do not occur.
    pub fn distances(&self) -> &Arc<Array<u8>> {
        &self.distances
    }

    /// Returns the distance of an entry, or `None` if it does not occur.
    pub fn distance(&self, entry: u64) -> Option<u32> {
        let distance = self.distances[entry as usize];
        (distance != UNREACHED).then_some(u32::from(distance))
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        (self.distances.len() + 4 * self.class_moves.len()) as u64 + self.columns.bytes()
    }
}
