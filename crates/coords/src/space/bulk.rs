//! The distances of all values of a space as one file in the table file format: a header page, then one byte per value.
//! The byte is 255 if no cube has the value.
//!
//! The file is never written to disk. Its bytes are the bytes of the space. Only the distances of classes are computed for a
//! download, and shared by all concurrent downloads; they count as memory of the space. The distances of phase 1 are read from the mapped table as they are sent, so its
//! 141 MB are never in memory.

// The bytes of a file are in memory, so that its offsets fit into usize.
#![allow(clippy::cast_possible_truncation)]

use std::ops::Range;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use super::error::SpaceError;
use super::graph::{Representation, Space};
use super::memory::Array;
use superflip_solver::tables::file::format::{HEADER_BYTES, Header, fingerprint};
use superflip_solver::tables::file::sink::{BLOCK, checksum_of_blocks};
use superflip_solver::tables::pruning::phase_one::masked_distance;
use superflip_solver::{Cancelled, Control, Tables};

/// Marks a value that no cube has.
pub(crate) const NO_VALUE: u8 = u8::MAX;

enum Source {
    Bytes(Arc<Array<u8>>),
    PhaseOne(Arc<Tables>),
}

impl Source {
    /// Reads the distances of some values.
    fn read(&self, values: Range<usize>) -> Vec<u8> {
        match self {
            Self::Bytes(bytes) => bytes[values].to_vec(),
            Self::PhaseOne(tables) => {
                let entries = tables.phase_one_masked().unwrap_or_default();
                entries[values].iter().map(|&entry| masked_distance(entry)).collect()
            }
        }
    }
}

/// Returns the size of the file of a space of `size` values.
pub const fn bulk_bytes(size: u64) -> u64 {
    HEADER_BYTES as u64 + size
}

/// The file of a space, to be read in pieces.
pub struct Bulk {
    page: Vec<u8>,
    source: Source,
}

impl Bulk {
    /// Returns the header page.
    pub fn page(&self) -> &[u8] {
        &self.page
    }

    /// Reads some bytes of the file. The range must lie within it.
    pub fn read(&self, range: Range<u64>) -> Vec<u8> {
        let start = range.start as usize;
        let end = range.end as usize;
        let mut out = self.page[start.min(HEADER_BYTES)..end.min(HEADER_BYTES)].to_vec();
        let at = |byte: usize| byte.saturating_sub(HEADER_BYTES);
        if at(start) < at(end) {
            out.extend(self.source.read(at(start)..at(end)));
        }
        out
    }
}

impl Space {
    /// Returns the header page, if a download has computed it.
    pub fn bulk_page(&self) -> Option<&[u8]> {
        self.bulk.page.get().map(Vec::as_slice)
    }

    /// Returns the file with the distances of all values.
    ///
    /// # Errors
    /// When the space has no distances, when the mapped table stores them modulo 3, when there is not enough memory, or
    /// when `control` ended the work.
    pub fn bulk(&self, control: &Control) -> Result<Bulk, SpaceError> {
        let source = match &*self.form {
            Representation::Untabled(_) => {
                let label = self.plan.label.clone();
                let size = self.size();
                return Err(SpaceError::NoDistances { label, size });
            }
            Representation::SymComp { distances, .. } => {
                if let Some(distances) = distances.distances() {
                    Source::Bytes(Arc::clone(distances))
                } else {
                    let tables = self.tables.as_ref().filter(|tables| tables.phase_one_masked().is_some());
                    let tables = tables.ok_or_else(|| SpaceError::OnlyResidues { label: self.plan.label.clone() })?;
                    Source::PhaseOne(Arc::clone(tables))
                }
            }
            Representation::Raw { base, .. } => Source::Bytes(Arc::clone(base.distances())),
            Representation::Sym { base, classes, packed, .. } => {
                let names = if *packed { classes.group.order() } else { 1 };
                Source::Bytes(self.shared(|| classes.distances(base, names, control))?)
            }
        };
        let entries = self.size() as usize;
        let page = if let Some(page) = self.bulk.page.get() {
            page.clone()
        } else {
            let page = self.page(&source, entries, control)?;
            self.bulk.page.get_or_init(|| page).clone()
        };
        Ok(Bulk { page, source })
    }

    /// Computes the distances, unless a download has them. Concurrent downloads wait for the first, and share its
    /// result.
    fn shared(&self, compute: impl FnOnce() -> Result<Array<u8>, SpaceError>) -> Result<Arc<Array<u8>>, SpaceError> {
        let mut shared = self.bulk.distances.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = shared.upgrade() {
            return Ok(bytes);
        }
        let bytes = Arc::new(compute()?);
        *shared = Arc::downgrade(&bytes);
        Ok(bytes)
    }

    fn page(&self, source: &Source, entries: usize, control: &Control) -> Result<Vec<u8>, Cancelled> {
        let mut counts = vec![0_u64; usize::from(NO_VALUE) + 1];
        let blocks = (0..entries).step_by(BLOCK).map(|start| {
            control.check()?;
            let block = source.read(start..entries.min(start + BLOCK));
            for &distance in &block {
                counts[usize::from(distance)] += 1;
            }
            Ok(block)
        });
        let checksum = checksum_of_blocks(blocks)?;
        let depth_histogram = self.depth_histogram().unwrap_or_default();
        counts.truncate(depth_histogram.len());
        let header = Header {
            name: self.plan.label.clone(),
            recipe: fingerprint(self.plan.label.as_bytes()),
            entries: entries as u64,
            bits: 8,
            checksum,
            // Always 0, so that the page and its entity tag never change.
            build_time: Duration::ZERO,
            entry_histogram: counts,
            depth_histogram,
        };
        Ok(header.encode())
    }
}
