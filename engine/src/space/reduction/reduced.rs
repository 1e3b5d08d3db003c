//! Distances in a space reduced by symmetry: the classes of one part times the values of another (Nissy's SYMCOMP).
//!
//! A state is a class j, whose representative stands for the first part, and the value c of the second part in the
//! frame of that representative. Its number is `j * columns + c`. One byte holds its distance. Solved is state 0.
//!
//! If symmetries keep a representative, one state has several equivalent entries: (j, c) and (j, t c t^-1) for each
//! such symmetry t. A turn reaches only one of them, so every state reached must be entered at all of them: the *extra
//! pass over self-symmetries*. Without it the other entries are reached later or never, and their distances are too
//! large.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::classes::Classes;
use super::group::Group;
use crate::cube::Move;
use crate::space::product::Product;
use crate::tables::Stopped;

const UNREACHED: u8 = u8::MAX;

/// Whether a state is entered at all equivalent entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelfSymmetries {
    /// At all of them, which is correct.
    Entered,
    /// Only at the one that a turn reaches: wrong, for demonstration.
    LeftOut,
}

/// The values of the second part, and the action of the group on them.
pub struct Columns {
    count: usize,
    order: usize,
    /// Column of `S * x * S^-1`, at `order * column + index of S`.
    conjugates: Vec<u32>,
}

impl Columns {
    /// Conjugates every value. Values that no cube has stay unchanged.
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

    /// Returns the column of `column` seen through symmetry number `place` of the group.
    pub fn conjugate(&self, column: u32, place: u32) -> u32 {
        self.conjugates[column as usize * self.order + place as usize]
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
    /// Number of states at each distance: entries weighted by the size of their class.
    pub depth_histogram: Vec<u64>,
}

/// Marks in [`Reduced::class_moves`] a turn after which the coordinate has no value.
const NOWHERE: u32 = u32::MAX;

impl Reduced {
    /// Returns the memory in bytes of a space of this many classes, columns and symmetries.
    pub fn bytes_of(classes: u64, columns: u64, order: u64) -> u64 {
        classes * columns + 4 * columns * order + 4 * 18 * classes
    }

    /// Computes all distances. `progress` receives the number of states done.
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
                        let names = match self_symmetries {
                            SelfSymmetries::Entered => keeping[class].as_slice(),
                            SelfSymmetries::LeftOut => &[0],
                        };
                        if self.distances[class * columns + column as usize] != UNREACHED {
                            continue;
                        }
                        for &place in names {
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

    /// Returns the number of states, 0..size. Not every state need occur.
    pub fn size(&self) -> u64 {
        self.distances.len() as u64
    }

    /// Returns the columns.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// Returns the distance of every state, 255 for states that do not occur.
    pub fn distances(&self) -> &[u8] {
        &self.distances
    }

    /// Returns the distance of a state, or `None` if it does not occur.
    pub fn distance(&self, state: u64) -> Option<u32> {
        let distance = self.distances[state as usize];
        (distance != UNREACHED).then_some(u32::from(distance))
    }

    /// Returns the memory used in bytes.
    pub fn bytes(&self) -> u64 {
        (self.distances.len() + 4 * self.class_moves.len()) as u64 + self.columns.bytes()
    }
}
