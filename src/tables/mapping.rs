//! Read-only mapping of a table file: the one place where the crate trusts that a file is not changed under it.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::Mmap;

/// A whole file, mapped read-only and shared with every other process that maps it.
#[derive(Debug)]
pub(crate) struct Mapping(Mmap);

impl Mapping {
    /// Maps the file and asks the kernel to bring all of it into the page tables at once, so that no search pays for
    /// page faults.
    pub(crate) fn open(file: &File) -> io::Result<Self> {
        // SAFETY: a mapping is undefined behaviour only if the file is truncated or changed while mapped. Table files are
        // written under another name and renamed into place, so a file under its final name is never written again; a
        // rebuild replaces the name, and this mapping keeps the old file. Every bit pattern is a valid u8.
        let map = unsafe { Mmap::map(file)? };
        #[cfg(target_os = "linux")]
        if map.advise(memmap2::Advice::PopulateRead).is_err() {
            // Kernels before 5.14 do not know it; pages then come in at first use.
            let _ = map.advise(memmap2::Advice::WillNeed);
        }
        Ok(Self(map))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_mapping_outlives_the_name_of_its_file() {
        let mut file = tempfile::NamedTempFile::new().expect("temporary file");
        file.write_all(&[7; 10_000]).expect("write");
        let mapping = Mapping::open(file.as_file()).expect("map");
        drop(file);
        assert_eq!(mapping.bytes(), &[7; 10_000]);
    }
}
