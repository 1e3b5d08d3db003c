//! The memory of spaces and searches, counted against a limit. That of spaces is large arrays outside the heap.
//!
//! The allocator of the C library keeps freed memory for itself, and a failed allocation ends the process. So each
//! array of a space is an anonymous mapping. Its memory returns to the system when the array is dropped, and a failed
//! allocation is an error.
//!
//! ```text
//! Memory (limit: all spaces)  <--  Memory (limit: one space)  <--  its arrays
//! ```

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Pod;
use memmap2::MmapMut;

use super::error::SpaceError;

/// Memory for spaces or for searches, with a limit.
#[derive(Debug)]
pub struct Memory {
    limit: u64,
    used: AtomicU64,
    /// Memory whose limit applies too.
    whole: Option<Arc<Memory>>,
}

impl Memory {
    /// Creates memory of `limit` bytes.
    pub fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, used: AtomicU64::new(0), whole: None })
    }

    /// Returns memory for one space or search, of at most `limit` bytes. Its arrays and claims count here too.
    pub fn part(self: &Arc<Self>, limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, used: AtomicU64::new(0), whole: Some(Arc::clone(self)) })
    }

    /// Returns the size of all arrays in bytes.
    pub fn used(&self) -> u64 {
        self.used.load(Relaxed)
    }

    /// Allocates an array of zeros.
    ///
    /// # Errors
    /// When the array exceeds the limit of one space, or when other spaces use the memory at the moment.
    pub(crate) fn array<T: Pod>(self: &Arc<Self>, length: usize) -> Result<Array<T>, SpaceError> {
        // An empty mapping is not possible.
        let bytes = (length * size_of::<T>()).max(size_of::<T>());
        let claim = Claim::new(self, bytes as u64)?;
        let map = MmapMut::map_anon(bytes).map_err(|_| SpaceError::NoMemory)?;
        Ok(Array { map, length, claim, entries: PhantomData })
    }

    /// Allocates an array with these entries.
    ///
    /// # Errors
    /// As [`Memory::array`].
    pub(crate) fn copy<T: Pod>(self: &Arc<Self>, entries: &[T]) -> Result<Array<T>, SpaceError> {
        let mut out = self.array(entries.len())?;
        out.copy_from_slice(entries);
        Ok(out)
    }

    /// Counts bytes that are allocated elsewhere, until the claim is dropped. Returns `None` if a limit would be exceeded.
    pub fn claim(self: &Arc<Self>, bytes: u64) -> Option<Claim> {
        Claim::new(self, bytes).ok()
    }

    /// Returns the limit in bytes.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Adds to the memory in use. Fails if the limit is exceeded.
    fn add(&self, bytes: u64) -> Result<(), u64> {
        let added =
            self.used.fetch_update(Relaxed, Relaxed, |used| used.checked_add(bytes).filter(|used| *used <= self.limit));
        added.map(|_| ()).map_err(|used| used + bytes)
    }
}

/// Bytes that count in a memory and in the memory around it. For example, the bytes of an array count in the memory of its space and in the
/// memory of all spaces.
#[derive(Debug)]
pub struct Claim {
    memory: Arc<Memory>,
    bytes: u64,
}

impl Claim {
    fn new(memory: &Arc<Memory>, bytes: u64) -> Result<Self, SpaceError> {
        memory.add(bytes).map_err(|needed| SpaceError::TooMuchMemory { needed, limit: memory.limit })?;
        if memory.whole.as_ref().is_some_and(|whole| whole.add(bytes).is_err()) {
            memory.used.fetch_sub(bytes, Relaxed);
            return Err(SpaceError::NoMemory);
        }
        Ok(Self { memory: Arc::clone(memory), bytes })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let whole = self.memory.whole.iter();
        for memory in whole.chain([&self.memory]) {
            memory.used.fetch_sub(self.bytes, Relaxed);
        }
    }
}

/// An array in an anonymous mapping.
pub struct Array<T> {
    map: MmapMut,
    length: usize,
    claim: Claim,
    entries: PhantomData<T>,
}

impl<T> Array<T> {
    /// Returns the memory of the space to which the array belongs.
    pub(crate) fn memory(&self) -> &Arc<Memory> {
        &self.claim.memory
    }
}

impl<T: Pod> Deref for Array<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &bytemuck::cast_slice(&self.map)[..self.length]
    }
}

impl<T: Pod> DerefMut for Array<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut bytemuck::cast_slice_mut(&mut self.map)[..self.length]
    }
}

/// A set of values: one bit each.
pub(crate) struct ValueSet(Array<u64>);

impl ValueSet {
    /// Creates an empty set of values below `size`.
    pub(crate) fn new(memory: &Arc<Memory>, size: usize) -> Result<Self, SpaceError> {
        memory.array(size.div_ceil(64)).map(Self)
    }

    /// Inserts a value. Returns whether it is new.
    pub(crate) fn insert(&mut self, value: usize) -> bool {
        let word = &mut self.0[value / 64];
        let bit = 1 << (value % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Returns the values in rising order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            let some = |word: u64| Some(word).filter(|word| *word != 0);
            // Each step removes the lowest bit.
            let words = std::iter::successors(some(word), move |word| some(word & (word - 1)));
            words.map(move |word| 64 * at + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_count_until_they_are_dropped() {
        let memory = Memory::new(1000);
        let part = memory.part(600);
        let first = part.copy(&[1_u32, 2, 3]).unwrap();
        assert_eq!((&first[..], memory.used(), part.used()), (&[1, 2, 3][..], 12, 12));
        let second = part.array::<u8>(588).unwrap();
        assert!(matches!(part.array::<u8>(1), Err(SpaceError::TooMuchMemory { needed: 601, limit: 600 })));
        assert!(matches!(memory.part(600).array::<u8>(401), Err(SpaceError::NoMemory)));
        drop(second);
        let other = memory.part(600).array::<u16>(300).unwrap();
        assert!(other.iter().all(|entry| *entry == 0) && memory.used() == 612);
        drop((first, other));
        assert_eq!((memory.used(), part.used()), (0, 0));
        assert!(part.array::<u64>(0).unwrap().is_empty());
        // More than the system has.
        assert!(matches!(Memory::new(u64::MAX).array::<u8>(1 << 60), Err(SpaceError::NoMemory)));
    }

    #[test]
    fn a_set_has_the_values_that_were_inserted() {
        let values = [0, 1, 63, 64, 130, 191];
        let mut set = ValueSet::new(&Memory::new(1000), 192).unwrap();
        for value in values {
            assert!(set.insert(value) && !set.insert(value));
        }
        assert!(set.iter().eq(values));
    }
}
