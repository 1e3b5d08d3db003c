//! Splits an input into chunks of whole lines.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

use sha2::{Digest, Sha256};
use superflip::api::batch::lines::has_answer;
use superflip::cli::input::MAX_INPUT_BYTES;

use crate::job::hex;

/// Size in bytes from which a chunk takes no further line. Its last line may exceed it, by at most the maximum length of a line.
const CHUNK_BYTES: usize = 512 << 10;

/// Maximum size in bytes of the lines of a chunk.
pub(crate) const MAX_CHUNK_BYTES: usize = 640 << 10;

/// Maximum size in bytes of the answers of a chunk. Its file expands to at most this size, and is no larger itself.
pub(crate) const MAX_ANSWERS_BYTES: u64 = 256 << 20;

/// Consecutive lines of an input.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Number of the chunk, from 0.
    pub(crate) number: u64,
    /// Number of its first line, from 1.
    pub(crate) first_line: u64,
    /// Number of lines that have an answer.
    pub(crate) answers: u64,
    /// The lines.
    pub(crate) text: Vec<u8>,
}

/// The chunks of an input.
pub(crate) struct Chunks<R> {
    input: BufReader<Hashed<R>>,
    digest: Arc<Mutex<Sha256>>,
    lines: u32,
    number: u64,
    line: u64,
}

impl<R: Read> Chunks<R> {
    /// Splits `input` into chunks of at most `lines` lines.
    pub(crate) fn new(input: R, lines: u32) -> Self {
        let digest = Arc::<Mutex<Sha256>>::default();
        let input = BufReader::with_capacity(1 << 20, Hashed { input, digest: Arc::clone(&digest) });
        Self { input, digest, lines, number: 0, line: 1 }
    }

    /// Returns the next chunk, or `None` at the end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Chunk>> {
        let mut chunk = Chunk { number: self.number, first_line: self.line, answers: 0, text: Vec::new() };
        for _ in 0..self.lines {
            let start = chunk.text.len();
            if start >= CHUNK_BYTES || !read_line(&mut self.input, &mut chunk.text)? {
                break;
            }
            self.line += 1;
            chunk.answers += u64::from(has_answer(&chunk.text[start..]));
        }
        if chunk.text.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        Ok(Some(chunk))
    }

    /// Returns the SHA-256 digest of what was read.
    pub(crate) fn digest(&self) -> String {
        hex(&self.digest.lock().unwrap_or_else(PoisonError::into_inner).clone().finalize())
    }
}

/// Appends a line with its newline to `text`. Returns `false` at the end of the input. It cuts a line that is too long one byte
/// after the limit, which gives the same answer.
fn read_line(input: &mut impl BufRead, text: &mut Vec<u8>) -> io::Result<bool> {
    let limit = text.len() + usize::try_from(MAX_INPUT_BYTES).unwrap_or(usize::MAX) + 1;
    let mut is_any = false;
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        is_any |= !buffer.is_empty();
        text.extend_from_slice(&part[..part.len().min(limit.saturating_sub(text.len()))]);
        let (used, is_last) = (part.len() + usize::from(end.is_some()), end.is_some() || buffer.is_empty());
        input.consume(used);
        if is_last {
            if is_any {
                text.push(b'\n');
            }
            return Ok(is_any);
        }
    }
}

/// A reader that computes a digest of what it reads.
struct Hashed<R> {
    input: R,
    digest: Arc<Mutex<Sha256>>,
}

impl<R: Read> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.digest.lock().unwrap_or_else(PoisonError::into_inner).update(&buffer[..count]);
        Ok(count)
    }
}
