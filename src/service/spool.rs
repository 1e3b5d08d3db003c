//! The spool: a temporary file for the parts of request bodies that were read, but cannot be processed yet.
//!
//! The file has no name, so it disappears with the process. It is opened for the first block, and closed after the last, which frees its
//! disk space. A user may hold at most as many blocks as are free (dynamic thresholds, as in shared-memory switches). So one user gets at
//! most half of the spool, and there is always room for another.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;
use tokio::task::spawn_blocking;
use tokio_util::bytes::Bytes;

use crate::service::telemetry::metrics::{BATCH_SPOOL_BLOCKS, Counted};

/// Size of a block, in bytes.
pub const BLOCK_BYTES: usize = 64 << 10;

/// A temporary file of a limited number of blocks. Clones share it.
#[derive(Clone)]
pub struct Spool(Arc<Shared>);

struct Shared {
    blocks: u64,
    /// Folders for the file, in order of preference.
    folders: Vec<PathBuf>,
    /// The open file. Its blocks keep it open.
    open: Mutex<Weak<OpenFile>>,
    /// Notified when a block is freed.
    freed: Notify,
}

struct OpenFile {
    spool: Spool,
    /// Created by the first write.
    file: Mutex<Option<File>>,
    /// Numbers of the free blocks; the last is taken first.
    free: Mutex<Vec<u64>>,
}

impl Spool {
    /// Creates a spool of at most `bytes` bytes. The file is created in the first of these folders in which that is possible.
    pub fn new(bytes: u64, folders: Vec<PathBuf>) -> Self {
        let (open, freed) = (Mutex::default(), Notify::new());
        Self(Arc::new(Shared { blocks: bytes / BLOCK_BYTES as u64, folders, open, freed }))
    }

    /// Returns the number of blocks in use.
    pub fn used(&self) -> u64 {
        lock(&self.0.open).upgrade().map_or(0, |open| self.0.blocks - lock(&open.free).len() as u64)
    }

    /// Waits for a block for a user that holds `held` blocks.
    async fn block(&self, held: usize) -> Block {
        loop {
            let mut freed = pin!(self.0.freed.notified());
            // Registers before the blocks are counted, so that no notification is missed.
            freed.as_mut().enable();
            if let Some(block) = self.try_block(held) {
                return block;
            }
            freed.await;
        }
    }

    fn try_block(&self, held: usize) -> Option<Block> {
        let mut current = lock(&self.0.open);
        let open = current.upgrade().unwrap_or_else(|| {
            let free = Mutex::new((0..self.0.blocks).rev().collect());
            let open = Arc::new(OpenFile { spool: self.clone(), file: Mutex::default(), free });
            *current = Arc::downgrade(&open);
            open
        });
        let mut free = lock(&open.free);
        let number = if held < free.len() { free.pop() } else { None };
        drop(free);
        Some(Block { number: number?, open, _counted: Counted::new(BATCH_SPOOL_BLOCKS.with([])) })
    }

    /// Creates the file.
    fn create(&self) -> io::Result<File> {
        let mut failed = io::Error::other("no folder is configured");
        for folder in &self.0.folders {
            match tempfile::tempfile_in(folder) {
                Ok(file) => return Ok(file),
                Err(error) => failed = io::Error::new(error.kind(), format!("{}: {error}", folder.display())),
            }
        }
        Err(failed)
    }
}

/// A block of the file; dropping it frees it.
struct Block {
    number: u64,
    open: Arc<OpenFile>,
    _counted: Counted,
}

impl Block {
    async fn write(self, bytes: Bytes) -> io::Result<Self> {
        let write = move || {
            let mut file = lock(&self.open.file);
            if file.is_none() {
                *file = Some(self.open.spool.create()?);
            }
            let Some(open) = &mut *file else { return Err(io::ErrorKind::NotFound.into()) };
            open.seek(SeekFrom::Start(self.number * BLOCK_BYTES as u64))?;
            open.write_all(&bytes)?;
            drop(file);
            Ok(self)
        };
        spawn_blocking(write).await.map_err(io::Error::other)?
    }

    async fn read(self) -> io::Result<Bytes> {
        let read = move || {
            let mut file = lock(&self.open.file);
            let Some(open) = &mut *file else { return Err(io::ErrorKind::NotFound.into()) };
            let mut bytes = vec![0; BLOCK_BYTES];
            open.seek(SeekFrom::Start(self.number * BLOCK_BYTES as u64))?;
            open.read_exact(&mut bytes)?;
            Ok(bytes.into())
        };
        spawn_blocking(read).await.map_err(io::Error::other)?
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        lock(&self.open.free).push(self.number);
        self.open.spool.0.freed.notify_waiters();
    }
}

/// The spooled part of one body: a queue of blocks.
pub struct Queue {
    spool: Spool,
    blocks: VecDeque<Block>,
}

impl Queue {
    /// Creates an empty queue.
    pub fn new(spool: Spool) -> Self {
        Self { spool, blocks: VecDeque::new() }
    }

    /// Returns whether nothing is spooled.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Waits for room, then appends [`BLOCK_BYTES`] bytes. Dropping the future appends nothing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created or written.
    pub async fn push(&mut self, bytes: Bytes) -> io::Result<()> {
        let block = self.spool.block(self.blocks.len()).await.write(bytes).await?;
        self.blocks.push_back(block);
        Ok(())
    }

    /// Removes the first bytes; `None` if nothing is spooled.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub async fn pop(&mut self) -> Option<io::Result<Bytes>> {
        let block = self.blocks.pop_front()?;
        Some(block.read().await)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
