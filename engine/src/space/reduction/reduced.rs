//! ReducedDistances in a space reduced by symmetry: the classes of one part times the values of another (Nissy's SYMCOMP).
//!
//! A state is a class j, whose representative the first part is taken to be, and the value c of the second part as seen
//! from there; its number is `j * columns + c`. One byte holds its distance. Solved is state 0.
//!
//! A representative that some symmetries keep has several names for one state: (j, c) and (j, t c t^-1) for each such
//! symmetry t. A turn reaches only one of them, so every state that is reached has to be entered under all its names:
//! the *extra pass over self-symmetries*. Without it those names are reached later, or never, and hold distances that are
//! too large.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::classes::Classes;
use super::group::Group;
use crate::cube::Move;
use crate::space::product::Product;
use crate::tables::Stopped;

const UNREACHED: u8 = u8::MAX;

/// Whether a state is entered under all its names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SelfSymmetries {
    /// Under all of them, as it must be.
    Entered,
    /// Under the one that a turn reaches: wrong, and here to show how wrong.
    LeftOut,
}

/// The values of the second part, and what the symmetries of the group do to them.
pub struct Columns {
    count: usize,
    order: usize,
    /// The column of `S * x * S^-1` at `order * column + place of S`.
    conjugates: Vec<u32>,
}

impl Columns {
    /// Conjugates every value. A value that no cube has stays as it is.
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

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.count as u32
    }

    /// The column that `column` is when seen through the symmetry at `place`.
    pub fn conjugate(&self, column: u32, place: u32) -> u32 {
        self.conjugates[column as usize * self.order + place as usize]
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        4 * self.conjugates.len() as u64
    }
}

/// The distances of a reduced space.
pub struct Reduced {
    columns: Columns,
    /// The packed class after each of the 18 turns of each representative, at `18 * class + turn`.
    class_moves: Vec<u32>,
    distances: Vec<u8>,
    /// Entries at each distance.
    pub entry_histogram: Vec<u64>,
    /// States at each distance: entries weighted by the size of their class.
    pub depth_histogram: Vec<u64>,
}

/// In [`Reduced::class_moves`]: this turn leads where the coordinate has no value.
const NOWHERE: u32 = u32::MAX;

impl Reduced {
    /// Bytes that a space of so many classes, columns and symmetries takes.
    pub fn bytes_of(classes: u64, columns: u64, order: u64) -> u64 {
        classes * columns + 4 * columns * order + 4 * 18 * classes
    }

    /// Finds all distances. `progress` hears how many states are done.
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

    /// How many states there are, 0..size; not all of them need occur.
    pub fn size(&self) -> u64 {
        self.distances.len() as u64
    }

    /// The values of the second part.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The distance of every state, 255 where it does not occur.
    pub fn distances(&self) -> &[u8] {
        &self.distances
    }

    /// The distance of a state, or `None` when it does not occur.
    pub fn distance(&self, state: u64) -> Option<u32> {
        let distance = self.distances[state as usize];
        (distance != UNREACHED).then_some(u32::from(distance))
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> u64 {
        (self.distances.len() + 4 * self.class_moves.len()) as u64 + self.columns.bytes()
    }
}
