//! The memory that a table file is read from: a read-only mapping of the file, the one place where the crate trusts that a
//! file is not changed under it; or, once its entries were checked, a copy in large pages.
//!
//! A search reads the large tables at random, and with pages of 4 KiB nearly every read misses the translation cache too.
//! Linux gives pages of 2 MiB to anonymous memory on request (not to mapped files), where that is not switched off.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, MmapMut};
use rayon::prelude::*;

/// Size and alignment of a large page.
const LARGE_PAGE: usize = 1 << 21;

/// A whole file in memory, read-only.
#[derive(Debug)]
pub(crate) struct Mapping {
    map: Mmap,
    /// Where the file begins in `map`.
    start: usize,
    length: usize,
}

impl Mapping {
    /// Maps the file, shared with every other process that maps it.
    pub(crate) fn open(file: &File) -> io::Result<Self> {
        // SAFETY: a mapping is undefined behaviour only if the file is truncated or changed while mapped. Table files are
        // written under another name and renamed into place, so a file under its final name is never written again; a
        // rebuild replaces the name, and this mapping keeps the old file. Every bit pattern is a valid u8.
        let map = unsafe { Mmap::map(file)? };
        let length = map.len();
        Ok(Self { map, start: 0, length })
    }

    /// Asks the kernel to bring these bytes of a mapped file into the page tables at once, so that no search pays for page faults.
    pub(crate) fn populate(&self, from: usize, bytes: usize) {
        #[cfg(target_os = "linux")]
        if self.map.advise_range(memmap2::Advice::PopulateRead, from, bytes).is_err() {
            // Kernels before 5.14 do not know it; pages then come in at first use.
            let _ = self.map.advise_range(memmap2::Advice::WillNeed, from, bytes);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (from, bytes);
    }

    /// Copies the bytes into large pages, if the kernel has them. `copied` is called with the number of bytes that each thread copies.
    pub(crate) fn in_large_pages(&self, copied: &(dyn Fn(usize) + Sync)) -> io::Result<Self> {
        // Room for the last page as well: a rest in small ones would be slower, and the kernel would make it a large one some minutes
        // later, when it would look as if memory grew.
        let mut copy = MmapMut::map_anon(self.length.next_multiple_of(LARGE_PAGE) + LARGE_PAGE)?;
        #[cfg(target_os = "linux")]
        copy.advise(memmap2::Advice::HugePage)?;
        // The first byte of the copy on the boundary of a large page, so that every page can be one.
        let start = copy.as_ptr().align_offset(LARGE_PAGE);
        copy[start..start + self.length].par_chunks_mut(LARGE_PAGE).zip(self.bytes().par_chunks(LARGE_PAGE)).for_each(
            |(to, from)| {
                to.copy_from_slice(from);
                copied(from.len());
            },
        );
        Ok(Self { map: copy.make_read_only()?, start, length: self.length })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map[self.start..self.start + self.length]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_mapping_outlives_the_name_of_its_file_and_a_copy_the_mapping() {
        let mut file = tempfile::NamedTempFile::new().expect("temporary file");
        let bytes: Vec<u8> = (0..5_000_000_u32).map(|i| (i % 251) as u8).collect();
        file.write_all(&bytes).expect("write");
        let mapping = Mapping::open(file.as_file()).expect("map");
        drop(file);
        mapping.populate(4096, 4_000_000);
        assert!(mapping.bytes() == bytes);
        let copied = std::sync::atomic::AtomicUsize::new(0);
        let count = |bytes| {
            copied.fetch_add(bytes, std::sync::atomic::Ordering::Relaxed);
        };
        if let Ok(copy) = mapping.in_large_pages(&count) {
            assert_eq!(copied.into_inner(), bytes.len());
            drop(mapping);
            assert!(copy.bytes() == bytes && copy.bytes().as_ptr().align_offset(LARGE_PAGE) == 0);
        }
    }
}
