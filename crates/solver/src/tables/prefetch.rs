//! Prefetching: loads the cache line of a table entry before the entry is read.
#![allow(unsafe_code)]

/// Prefetches the cache line of entry `index`. Does nothing beyond the end, or on processors without prefetch.
#[inline]
pub(crate) fn read<T>(table: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(entry) = table.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing and cannot fault, and the address is that of a live element.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (table, index);
}

#[cfg(test)]
mod tests {
    #[test]
    fn inside_and_outside_are_both_harmless() {
        super::read(&[1, 2, 3], 2);
        super::read(&[1, 2, 3], 3);
        super::read::<u8>(&[], 0);
    }
}
