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

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::classes::Classes;
use super::group::Group;
use crate::cube::Move;
use crate::space::product::Product;
use crate::tables::Stopped;

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
    conjugates: Vec<u32>,
}

impl Columns {
    /// Computes the conjugates of every value. A value that no cube has is its own conjugate.
    ///
    /// # Errors
    /// [`Stopped`] when `stop` was set.
    pub fn new(rest: &Product, group: &Group, stop: &AtomicBool) -> Result<Self, Stopped> {
        let (count, order) = (rest.size() as usize, group.order());
        let mut conjugates = Vec::with_capacity(count * order);
        for column in 0..rest.size() {
            if column % 4096 == 0 && stop.load(Relaxed) {
                return Err(Stopped);
            }
            if rest.occurs(column) {
                conjugates.extend(rest.conjugates(column, group.symmetries.iter().copied()));
            } else {
                conjugates.extend(std::iter::repeat_n(column, order));
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
    class_moves: Vec<u32>,
    distances: Vec<u8>,
    /// Number of entries at each distance.
    pub entry_histogram: Vec<u64>,
    /// Number of states at each distance: each entry is weighted by the size of its class.
    pub depth_histogram: Vec<u64>,
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
    /// [`Stopped`] when `stop` was set.
    pub fn new(
        base: &Product,
        classes: &Classes,
        rest: &Product,
        self_symmetries: SelfSymmetries,
        stop: &AtomicBool,
        progress: &dyn Fn(u64),
    ) -> Result<Self, Stopped> {
        let columns = Columns::new(rest, classes.group, stop)?;
        let order = columns.order;
        let mut out = Self {
            class_moves: Vec::with_capacity(classes.representatives.len() * Move::COUNT),
            distances: vec![UNREACHED; classes.representatives.len() * columns.count],
            columns,
            entry_histogram: Vec::new(),
            depth_histogram: Vec::new(),
        };
        let mut keeping = Vec::with_capacity(classes.representatives.len());
        for (class, &representative) in classes.representatives.iter().enumerate() {
            if class % 4096 == 0 && stop.load(Relaxed) {
                return Err(Stopped);
            }
            out.class_moves.extend(Move::ALL.iter().map(|&turn| match base.turn(representative, turn) {
                Some(after) => {
                    let member = classes.of(base, after);
                    order as u32 * member.class + member.place
                }
                None => NOWHERE,
            }));
            let places = classes.self_symmetries(base, representative);
            keeping.push(places.iter().filter_map(|&s| classes.group.position(s)).collect::<Vec<_>>());
        }
        out.search(rest, &keeping, self_symmetries, stop, progress)?;
        Ok(out)
    }

    fn search(
        &mut self,
        rest: &Product,
        keeping: &[Vec<usize>],
        self_symmetries: SelfSymmetries,
        stop: &AtomicBool,
        progress: &dyn Fn(u64),
    ) -> Result<(), Stopped> {
        const BETWEEN_CHECKS: usize = 8192;
        let (columns, order) = (self.columns.count, self.columns.order);
        let mut frontier = vec![0_u32];
        self.distances[0] = 0;
        let mut done = 0;
        for depth in 0_u8.. {
            let states = |entry: &u32| (order / keeping[*entry as usize / columns].len()) as u64;
            self.entry_histogram.push(frontier.len() as u64);
            self.depth_histogram.push(frontier.iter().map(states).sum());
            done += frontier.len() as u64;
            let mut next = Vec::new();
            for chunk in frontier.chunks(BETWEEN_CHECKS) {
                if stop.load(Relaxed) {
                    return Err(Stopped);
                }
                for &entry in chunk {
                    let (class, column) = (entry as usize / columns, (entry as usize % columns) as u32);
                    let digits = rest.split(column);
                    for &turn in rest.turns() {
                        let packed = self.class_moves[class * Move::COUNT + turn.index()];
                        let Some(turned) = rest.turned(&digits, turn) else { continue };
                        if packed == NOWHERE {
                            continue;
                        }
                        let (class, place) = (packed as usize / order, packed as usize % order);
                        let column = self.columns.conjugate(rest.join(&turned), place as u32);
                        let equivalent = match self_symmetries {
                            SelfSymmetries::Applied => keeping[class].as_slice(),
                            SelfSymmetries::Ignored => &[0],
                        };
                        if self.distances[class * columns + column as usize] != UNREACHED {
                            continue;
                        }
                        for &place in equivalent {
                            let column = self.columns.conjugate(column, place as u32) as usize;
                            let slot = &mut self.distances[class * columns + column];
                            if *slot == UNREACHED {
                                *slot = depth + 1;
                                next.push((class * columns + column) as u32);
                            }
                        }
                    }
                }
                progress(done + next.len() as u64);
            }
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        Ok(())
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
    pub fn distances(&self) -> &[u8] {
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
