//! Writes entries to a table file and computes their checksum.

use std::io::{self, Write};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use bytemuck::cast_slice;
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::control::{Cancelled, Control};

/// Block size. The checksum of a payload is taken over the checksums of its blocks, so that all cores share the work.
pub const BLOCK: usize = 4 << 20;

/// Why a table could not be built.
#[derive(Debug)]
pub(crate) enum BuildError {
    /// The file could not be written.
    Write(io::Error),
    /// The build was cancelled.
    Cancelled(Cancelled),
}

impl From<Cancelled> for BuildError {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

/// Receives the entries of a build, and counts and hashes them.
pub(crate) struct Sink<'f> {
    file: &'f mut dyn Write,
    blocks: Vec<u64>,
    block: Xxh3,
    filled: usize,
    /// Number of bytes written.
    pub(crate) written: u64,
}

impl<'f> Sink<'f> {
    pub(crate) fn new(file: &'f mut dyn Write) -> Self {
        Self { file, blocks: Vec::new(), block: Xxh3::new(), filled: 0, written: 0 }
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.written += bytes.len() as u64;
        while !bytes.is_empty() {
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
            self.block.update(now);
            self.filled += now.len();
            if self.filled == BLOCK {
                self.close_block();
            }
            bytes = later;
        }
        Ok(())
    }

    /// Appends 16-bit entries; errors as [`Sink::bytes`].
    #[allow(clippy::missing_errors_doc)]
    pub(crate) fn u16s(&mut self, entries: &[u16]) -> io::Result<()> {
        self.bytes(cast_slice(entries))
    }

    /// Appends 32-bit entries; errors as [`Sink::bytes`].
    #[allow(clippy::missing_errors_doc)]
    pub(crate) fn u32s(&mut self, entries: &[u32]) -> io::Result<()> {
        self.bytes(cast_slice(entries))
    }

    /// Appends 64-bit entries; errors as [`Sink::bytes`].
    #[allow(clippy::missing_errors_doc)]
    pub(crate) fn u64s(&mut self, entries: &[u64]) -> io::Result<()> {
        self.bytes(cast_slice(entries))
    }

    fn close_block(&mut self) {
        self.blocks.push(self.block.digest());
        self.block = Xxh3::new();
        self.filled = 0;
    }

    pub(crate) fn checksum(mut self) -> u64 {
        if self.filled > 0 {
            self.close_block();
        }
        xxh3_64(cast_slice(&self.blocks))
    }
}

/// Returns the checksum of a payload, computed on all cores.
pub fn checksum(payload: &[u8]) -> u64 {
    checksum_loading(payload, |_, _| (), |_| ())
}

/// Returns the checksum of a payload that may not be in memory yet. `load` is called before a block is read, with its
/// offset and length. `done` is called after it, with its length.
pub(crate) fn checksum_loading(payload: &[u8], load: impl Fn(usize, usize) + Sync, done: impl Fn(u64) + Sync) -> u64 {
    let blocks = payload.par_chunks(BLOCK).enumerate().map(|(number, block)| {
        load(number * BLOCK, block.len());
        let hash = xxh3_64(block);
        done(block.len() as u64);
        hash
    });
    xxh3_64(cast_slice(&blocks.collect::<Vec<u64>>()))
}

/// Returns the checksum of a payload that comes in blocks of [`BLOCK`] bytes; the last block may be shorter.
///
/// # Errors
/// The first error of a block.
pub fn checksum_of_blocks<E>(blocks: impl Iterator<Item = Result<Vec<u8>, E>>) -> Result<u64, E> {
    let hashes: Vec<u64> = blocks.map(|block| block.map(|bytes| xxh3_64(&bytes))).collect::<Result<_, E>>()?;
    Ok(xxh3_64(cast_slice(&hashes)))
}

/// Returns the checksum of a payload. Reports the bytes done after each block.
///
/// # Errors
/// When `control` ended the work.
pub(crate) fn checksum_watched(payload: &[u8], control: &Control) -> Result<u64, Cancelled> {
    let done = AtomicU64::new(0);
    let blocks = payload.par_chunks(BLOCK).map(|block| {
        let (hash, bytes) = (xxh3_64(block), block.len() as u64);
        control.report(done.fetch_add(bytes, Relaxed) + bytes, payload.len() as u64);
        control.check().map(|()| hash)
    });
    Ok(xxh3_64(cast_slice(&blocks.collect::<Result<Vec<u64>, Cancelled>>()?)))
}
