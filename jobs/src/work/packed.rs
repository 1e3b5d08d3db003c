//! The file with the answers of a chunk: one zstd frame with a checksum.

use std::io::{self, BufReader, ErrorKind, Read, Write};

use serde_json::Deserializer;
use sha2::{Digest, Sha256};
use superflip::api::types::JobOptions;

use crate::chunks::MAX_ANSWERS_BYTES;
use crate::job::{Counts, Done, hex};

/// Level of compression. Level 3 compresses 1000 answers from 484 kB to 97 kB, in 3 to 5 ms of CPU time: 2 % of the time of searches to 20 moves.
const ZSTD_LEVEL: i32 = 3;

/// A file and its record.
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
    pub(super) done: Done,
}

impl Packed {
    /// Compresses the answers of a job with these options.
    pub(super) fn new(answers: &[u8], options: &JobOptions) -> io::Result<Self> {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), ZSTD_LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.set_pledged_src_size(Some(answers.len() as u64))?;
        encoder.write_all(answers)?;
        let bytes = encoder.finish()?;
        let counts = Counts::of(Deserializer::from_slice(answers), options)?;
        Ok(Self { done: record(counts, &bytes), bytes })
    }
}

/// Returns the record of a file of a job with these options. Decodes the file as a stream, so its memory does not grow with the file.
pub(super) fn describe(file: &[u8], options: &JobOptions) -> io::Result<Done> {
    let decode = || zstd::stream::read::Decoder::with_buffer(file);
    // First the size: it is known much sooner than the number of answers.
    if io::copy(&mut decode()?.take(MAX_ANSWERS_BYTES + 1), &mut io::sink())? > MAX_ANSWERS_BYTES {
        return Err(io::Error::new(ErrorKind::FileTooLarge, too_many_answers()));
    }
    let counts = Counts::of(Deserializer::from_reader(BufReader::new(decode()?)), options)?;
    Ok(record(counts, file))
}

/// The reason why a chunk has no result: its answers are too large.
pub(super) fn too_many_answers() -> String {
    format!("its answers have more than {} MiB", MAX_ANSWERS_BYTES >> 20)
}

fn record(counts: Counts, file: &[u8]) -> Done {
    Done { counts, bytes: file.len() as u64, sha256: hex(&Sha256::digest(file)) }
}
