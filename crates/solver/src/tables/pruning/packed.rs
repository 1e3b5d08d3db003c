//! Entries of two or four bits, packed into bytes, the first entry in the low bits.

use std::io;
use std::ops::Range;

use rayon::prelude::*;

use crate::control::Control;
use crate::tables::file::sink::{BuildError, Sink};
use crate::tables::pruning::breadth_first::{DepthHistograms, Graph, on_all_threads};

/// Greatest distance that four bits hold.
pub(crate) const CAP: u8 = 15;

/// Packs values below 16, two to a byte.
pub(crate) fn pack_nibbles(values: &[u8]) -> Vec<u8> {
    values.chunks(2).map(|pair| pair[0] | pair.get(1).map_or(0, |high| high << 4)).collect()
}

/// Computes the distances of a graph, and stores them in four bits, divided by `divisor` and up to [`CAP`].
///
/// # Errors
/// When the file could not be written, or `control` ended the work.
pub(crate) fn store_nibbles(
    graph: &impl Graph,
    divisor: u8,
    sink: &mut Sink<'_>,
    control: &Control,
) -> Result<DepthHistograms, BuildError> {
    let (mut distances, counts) = on_all_threads(graph, control)?;
    distances.par_iter_mut().for_each(|distance| *distance = CAP.min(*distance / divisor));
    sink.bytes(&pack_nibbles(&distances))?;
    Ok(counts.capped((CAP * divisor).saturating_add(divisor - 1)))
}

/// Computes the distances of a graph, and passes them to `write` a block of rows at a time. A block is large enough to occupy all cores.
///
/// # Errors
/// When the file could not be written, or `control` ended the work.
pub(crate) fn store_in_blocks(
    graph: &impl Graph,
    control: &Control,
    mut write: impl FnMut(&[u8], Range<usize>) -> io::Result<()>,
) -> Result<DepthHistograms, BuildError> {
    const ROWS: usize = 1024;
    // Writing takes the second half.
    let whole = control.clone();
    let searched = control.reporting(move |_, done, total| whole.report(done, 2 * total));
    let (distances, counts) = on_all_threads(graph, &searched)?;
    let rows = graph.rows();
    for first in (0..rows).step_by(ROWS) {
        let end = (first + ROWS).min(rows);
        write(&distances, first..end)?;
        control.report((rows + end) as u64, 2 * rows as u64);
        control.check()?;
    }
    Ok(counts)
}

/// Packs values below 4, four to a byte.
pub(crate) fn pack_pairs(values: &[u8]) -> Vec<u8> {
    values.chunks(4).map(|four| four.iter().rev().fold(0, |byte, value| byte << 2 | value)).collect()
}

/// Returns the byte that holds nibble `index`.
#[inline]
pub(crate) const fn byte_of_nibble(index: usize) -> usize {
    index / 2
}

/// Returns nibble `index`.
#[inline]
pub fn nibble(packed: &[u8], index: usize) -> u8 {
    packed[index / 2] >> (index % 2 * 4) & 15
}

/// Returns the byte that holds two-bit value `index`.
#[inline]
pub(crate) const fn byte_of_pair(index: usize) -> usize {
    index / 4
}

/// Returns two-bit value `index`.
#[inline]
pub fn pair(packed: &[u8], index: usize) -> u8 {
    packed[index / 4] >> (index % 4 * 2) & 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_read_back() {
        let values: Vec<u8> = (0..1001_u32).map(|i| (i * 7 % 16) as u8).collect();
        let packed = pack_nibbles(&values);
        assert_eq!(packed.len(), 501);
        assert!(values.iter().enumerate().all(|(i, &v)| nibble(&packed, i) == v));
        let values: Vec<u8> = values.iter().map(|v| v % 4).collect();
        let packed = pack_pairs(&values);
        assert_eq!(packed.len(), 251);
        assert!(values.iter().enumerate().all(|(i, &v)| pair(&packed, i) == v));
    }
}
