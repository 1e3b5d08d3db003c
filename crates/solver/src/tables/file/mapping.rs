//! The memory of a table: a read-only mapping of its file, or memory in huge pages. Only this module relies on a file
//! not changing while it is mapped.
//!
//! A search reads the large tables at random addresses. With pages of 4 KiB, nearly every read also misses the TLB.
//! Linux provides huge pages of 2 MiB for anonymous memory on request, unless they are disabled. It does not provide
//! them for mapped files.
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
    /// Offset of the file in `map`.
    start: usize,
    length: usize,
}

impl Mapping {
    /// Maps the file. Processes that map the same file share its memory.
    pub(crate) fn open(file: &File) -> io::Result<Self> {
        // SAFETY: a mapping is undefined behaviour only if the file is truncated or changed while it is mapped. Table
        // files are written under another name and renamed into place, so a file under its final name is never written
        // again. A rebuild replaces the name, and this mapping keeps the old file. Every bit pattern is a valid u8.
        let map = unsafe { Mmap::map(file)? };
        let length = map.len();
        Ok(Self { map, start: 0, length })
    }

    /// Asks the kernel to load these bytes of a mapped file into the page tables, so that a search takes no page
    /// faults.
    pub(crate) fn populate(&self, from: usize, bytes: usize) {
        #[cfg(target_os = "linux")]
        if self.map.advise_range(memmap2::Advice::PopulateRead, from, bytes).is_err() {
            // Kernels before 5.14 do not support this; pages are then loaded at first use.
            let _ = self.map.advise_range(memmap2::Advice::WillNeed, from, bytes);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (from, bytes);
    }

    /// Copies the bytes into large pages, if the kernel provides them. `copied` receives the number of bytes that each
    /// thread copied.
    pub(crate) fn in_large_pages(&self, copied: &(dyn Fn(usize) + Sync)) -> io::Result<Self> {
        // The copy ends with a whole large page. A last part in small pages would be slower. The kernel would also
        // merge these pages some minutes later, which would look like a memory leak.
        let mut copy = MmapMut::map_anon(self.length.next_multiple_of(LARGE_PAGE) + LARGE_PAGE)?;
        #[cfg(target_os = "linux")]
        copy.advise(memmap2::Advice::HugePage)?;
        // Aligns the first byte to a large page, so that every page can be large.
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

/// Returns memory of zeros, in large pages if the kernel provides them, and where the first page begins. The process has no
/// pages for the rest as long as nothing writes to it.
pub(crate) fn large_pages(length: usize) -> (Vec<u8>, usize) {
    let length = length.next_multiple_of(LARGE_PAGE);
    #[cfg_attr(not(target_os = "linux"), allow(unused_mut))]
    let mut memory = vec![0; length + LARGE_PAGE];
    let start = memory.as_ptr().align_offset(LARGE_PAGE);
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        let pages = &mut memory[start..][..length];
        // SAFETY: the pages belong to `memory`, and the advice changes neither their contents nor their access rights.
        let _ = unsafe { madvise(pages.as_mut_ptr().cast(), length, Advice::LinuxHugepage) };
    }
    (memory, start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn large_pages_are_zero_and_aligned() {
        let (mut memory, start) = large_pages(3_000_000);
        let pages = &mut memory[start..][..3_000_000];
        assert!(pages.iter().all(|&byte| byte == 0) && pages.as_ptr().align_offset(LARGE_PAGE) == 0);
        pages.fill(1);
    }

    #[test]
    fn a_mapping_outlives_its_file_and_a_copy_the_mapping() {
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
