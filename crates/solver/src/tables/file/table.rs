//! Mapped tables: one, and several by id.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use bytemuck::AnyBitPattern;

use crate::tables::file::format::{HEADER_BYTES, Header};
use crate::tables::file::mapping::Mapping;
use crate::tables::pruning::packed;

/// A mapped table whose content was checked.
pub struct Table {
    /// Header of the file.
    pub header: Header,
    pub(crate) path: PathBuf,
    pub(crate) mapping: Mapping,
    /// Holds the shared lock.
    pub(crate) file: File,
    /// Why there is no lock, if there is none.
    pub(crate) unlocked: Option<io::Error>,
}

impl Table {
    /// Returns the entries as bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.mapping.bytes()[HEADER_BYTES..]
    }

    /// Returns the whole file: the header page and the entries.
    pub fn whole_file(&self) -> &[u8] {
        self.mapping.bytes()
    }

    /// Returns the current metadata of the file.
    ///
    /// # Errors
    /// Returns the error of the system.
    pub fn metadata(&self) -> io::Result<fs::Metadata> {
        self.file.metadata()
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the current size of the file in bytes.
    pub(crate) fn file_bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// # Panics
    /// When the payload is not a whole number of `T`. Shapes are checked when a table is opened.
    pub(crate) fn view<T: AnyBitPattern>(&self) -> &[T] {
        bytemuck::try_cast_slice(self.bytes()).expect("payload begins on a page and holds whole entries")
    }

    /// Returns entry number `index`, or `None` beyond the last.
    pub fn entry(&self, index: u64) -> Option<u64> {
        if index >= self.header.entries {
            return None;
        }
        let (bytes, at) = (self.bytes(), usize::try_from(index).ok()?);
        Some(match self.header.bits {
            2 => u64::from(packed::pair(bytes, at)),
            4 => u64::from(packed::nibble(bytes, at)),
            16 => u64::from(u16::from_ne_bytes(word(bytes, at)?)),
            8 => u64::from(*bytes.get(at)?),
            64 => u64::from_ne_bytes(word(bytes, at)?),
            _ => u64::from(u32::from_ne_bytes(word(bytes, at)?)),
        })
    }
}

/// Reads word number `at` of N bytes.
fn word<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at * N..(at + 1) * N)?.try_into().ok()
}

/// Returns whether a path still refers to the file.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    file.metadata().ok().map(identity) == fs::metadata(path).ok().map(identity)
}

/// Always returns true: on these systems an open file keeps its name.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Identifies a table in its set: the tables of [`ALL`](crate::tables::specs::ALL) in their order, then the others.
#[allow(missing_docs)] // each is explained by the purpose in its spec
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Id {
    TwistMove,
    FlipMove,
    SliceMove,
    SliceSortedMove,
    UEdgesMove,
    DEdgesMove,
    CornerPermMove,
    UdEdgesMove,
    UdEdgesMerge,
    TwistConjugate,
    UdEdgesConjugate,
    FlipSliceClass,
    FlipSliceRepresentative,
    FlipSliceMove,
    CornerClass,
    CornerRepresentative,
    CornerMove,
    Near,
    PhaseTwoCorners,
    UdEdgesLayers,
    LayerEdgesConjugate,
    PhaseTwoLayers,
    PhaseTwo,
    FlipSliceDistance,
    PhaseOneResidues,
    PhaseOneMasked,
    FlipSliceSortedRepresentative,
    /// The coset table of a set for proofs.
    Coset,
    /// Those of a further metric.
    MetricPhaseOneMasked,
    MetricPhaseOne,
    MetricPhaseTwo,
    MetricPhaseTwoCorners,
}

/// Mapped tables by id.
#[derive(Default)]
pub struct Opened(Vec<Option<Table>>);

impl Opened {
    /// Returns the table, if it is open.
    pub fn get(&self, id: Id) -> Option<&Table> {
        self.0.get(id as usize).and_then(Option::as_ref)
    }

    pub(crate) fn insert(&mut self, id: Id, table: Table) {
        let index = id as usize;
        if self.0.len() <= index {
            self.0.resize_with(index + 1, || None);
        }
        self.0[index] = Some(table);
    }

    /// Removes a table and returns it.
    ///
    /// # Panics
    /// When the table is not open.
    pub(crate) fn take(&mut self, id: Id) -> Table {
        self.0
            .get_mut(id as usize)
            .and_then(Option::take)
            .expect("all that is wanted is opened, or an error tells why not")
    }

    fn table(&self, id: Id) -> &Table {
        self.get(id).expect("tables are listed, built and opened in the order in which they need each other")
    }

    /// Returns the entries of a table as bytes.
    ///
    /// # Panics
    /// When the table is not open: see [`Opened::get`].
    pub fn bytes(&self, id: Id) -> &[u8] {
        self.table(id).bytes()
    }

    /// Returns the entries of a table with 16 bits per entry. Panics as [`Opened::bytes`] does.
    pub fn u16s(&self, id: Id) -> &[u16] {
        self.table(id).view()
    }

    /// Returns the entries of a table with 32 bits per entry. Panics as [`Opened::bytes`] does.
    pub fn u32s(&self, id: Id) -> &[u32] {
        self.table(id).view()
    }

    /// Returns the entries of a table with 64 bits per entry. Panics as [`Opened::bytes`] does.
    pub(crate) fn u64s(&self, id: Id) -> &[u64] {
        self.table(id).view()
    }
}
