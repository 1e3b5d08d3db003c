//! The entries of the phase-1 tables of `tiny`.

use super::orbits::Orbits;
use super::pairs::{SYMMETRIES, symmetry};
use crate::tables::pruning::breadth_first::on_one_thread;
use crate::tables::pruning::product::{Columns, ReducedProduct};

/// Entries of three bytes.
pub(super) struct Entries(pub(super) Vec<u8>);

impl Entries {
    /// Computes the entries of a product.
    pub(super) fn new<C: Columns>(product: &ReducedProduct<'_, C>) -> Self {
        let distances = on_one_thread(product);
        let mut orbits = Orbits::new(product, &distances, (0..SYMMETRIES).map(symmetry));
        let columns = product.columns.count();
        // Four bytes are written and read for the last entry too.
        let mut bytes = vec![0; 3 * distances.len() + 1];
        let mut entries = vec![0; columns];
        for row in 0..product.self_symmetries.len() {
            orbits.mask_row(row, &mut entries);
            let first = 3 * row * columns;
            for (at, entry) in (first..).step_by(3).zip(&entries) {
                bytes[at..at + 4].copy_from_slice(&entry.to_le_bytes());
            }
        }
        Self(bytes)
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> u32 {
        let bytes = &self.0[3 * at..][..4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) & 0xff_ffff
    }
}
