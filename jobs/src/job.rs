//! The records of a job, and its identifier.

use std::fmt::{self, Write as _};
use std::iter::Sum;
use std::str::FromStr;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Deserializer;
use sha2::{Digest, Sha256};
use superflip::api::types::JobOptions;

/// Identifier of a job: 32 hexadecimal digits.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct JobId(String);

impl JobId {
    /// Computes the identifier from the digest of the input and the options. A `salt` makes it unique.
    pub(crate) fn new(input: &str, options: &JobOptions, salt: Option<&str>) -> Self {
        // Writing this type as JSON into memory cannot fail.
        let options = serde_json::to_string(options).unwrap_or_default();
        let salt = salt.unwrap_or_default();
        let mut id = hex(&Sha256::digest(format!("superflip job 1\n{input}\n{options}\n{salt}")));
        id.truncate(32);
        Self(id)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for JobId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_id = text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        if is_id { Ok(Self(text.to_owned())) } else { Err("expected 32 hexadecimal digits, as `submit` prints") }
    }
}

impl TryFrom<String> for JobId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

/// Formats bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A job as it was submitted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Spec {
    pub(crate) job: JobId,
    /// Path of the input, or `-`.
    pub(crate) input: String,
    /// SHA-256 digest of the input.
    pub(crate) input_sha256: String,
    pub(crate) options: JobOptions,
    /// Number of lines of the input that have an answer.
    pub(crate) lines: u64,
    /// Number of chunks.
    pub(crate) chunks: u64,
    /// Maximum number of lines in a chunk.
    pub(crate) chunk_lines: u32,
    /// Place of the results.
    pub(crate) results: String,
    /// Machine on which a local folder of results is; `None` if the place is the same on all machines.
    pub(crate) machine: Option<String>,
}

/// Progress of a submission.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Submitted {
    /// Number of chunks that were put into the queue, or were done before.
    pub(crate) chunks: u64,
    /// Number of times that the submission began anew. Message identifiers contain it, because the server drops a message whose
    /// identifier it saw in the last minutes.
    pub(crate) generation: u32,
}

/// Number of answers by outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Number of solutions.
    pub(crate) solved: u64,
    /// Number of solutions that are not proven shortest; `None` for a job without `--optimal`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) unproven: Option<u64>,
    /// Number of problems: invalid lines, and cubes without a solution within the limits.
    pub(crate) problems: u64,
}

impl Counts {
    /// Counts the answers of a job with these options.
    pub(crate) fn of<'a>(
        answers: Deserializer<impl serde_json::de::Read<'a>>,
        options: &JobOptions,
    ) -> serde_json::Result<Self> {
        #[derive(Deserialize)]
        struct Answer {
            problem: Option<IgnoredAny>,
            #[serde(default)]
            proven_optimal: bool,
        }
        let mut counts = Self { unproven: options.proofs.is_optimal().then_some(0), ..Self::default() };
        for answer in answers.into_iter() {
            let Answer { problem, proven_optimal } = answer?;
            if problem.is_some() {
                counts.problems += 1;
            } else {
                counts.solved += 1;
                counts.unproven = counts.unproven.map(|unproven| unproven + u64::from(!proven_optimal));
            }
        }
        Ok(counts)
    }

    pub(crate) fn lines(&self) -> u64 {
        self.solved + self.problems
    }
}

impl Sum for Counts {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |sum, one| Self {
            solved: sum.solved + one.solved,
            unproven: sum.unproven.into_iter().chain(one.unproven).reduce(|sum, one| sum + one),
            problems: sum.problems + one.problems,
        })
    }
}

/// A chunk whose answers are stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Done {
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// Size of the stored file.
    pub(crate) bytes: u64,
    /// SHA-256 digest of the stored file.
    pub(crate) sha256: String,
}

/// A chunk that failed too often.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Failed {
    /// Number of its first line.
    pub(crate) first_line: u64,
    pub(crate) attempts: i64,
    pub(crate) reason: String,
}

/// A job whose chunks are all done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Finished {
    #[serde(flatten)]
    pub(crate) counts: Counts,
    /// Time from the start of the first chunk to the end of the last, in seconds.
    pub(crate) seconds: f64,
}
