//! Kinds of requests, their permitted outcomes, and the check of an answer on the model of stickers.

use super::callers::Fault;
use crate::common::prelude::*;
use crate::common::stickers::{form_fault, solves};
use crate::common::wire::Reply;

/// Outcome of a request without a fault.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Met {
    /// Correct answer.
    Right,
    /// Invalid request, refused with the expected status.
    Refused,
    /// 503.
    Busy,
    /// The client disconnected.
    Left,
}

/// Kinds of requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Facelets,
    Scramble,
    Pipelined,
    Hurried,
    Several,
    Proof,
    Batch,
    BatchLeft,
    Stream,
    StreamLeft,
    Left,
    HalfClosed,
    Nonsense,
    Coordinates,
    Explained,
    Http2,
    SlowReader,
    SlowWriter,
    Operator,
}

/// The mix: each kind with its share and its name.
pub(crate) const KINDS: [(Kind, u32, &str); 19] = [
    (Kind::Facelets, 8, "facelets"),
    (Kind::Scramble, 3, "scramble, in a query"),
    (Kind::Pipelined, 2, "six at once on one connection"),
    (Kind::Hurried, 1, "a few milliseconds for the best"),
    (Kind::Several, 1, "several solutions"),
    (Kind::Proof, 1, "proof, or the best within its time"),
    (Kind::Batch, 1, "batch, a fifth of it nonsense"),
    (Kind::BatchLeft, 1, "batch, left"),
    (Kind::Stream, 1, "stream"),
    (Kind::StreamLeft, 1, "stream, left"),
    (Kind::Left, 1, "long search, left"),
    (Kind::HalfClosed, 1, "half-closed connection"),
    (Kind::Nonsense, 4, "nonsense"),
    (Kind::Coordinates, 2, "coordinates"),
    (Kind::Explained, 1, "explained solution"),
    (Kind::Http2, 2, "six on one HTTP/2 connection, one reset"),
    (Kind::SlowReader, 1, "slow reader"),
    (Kind::SlowWriter, 1, "slow writer"),
    (Kind::Operator, 1, "health and metrics"),
];

/// Checks a reply of `/solve` for the cube.
pub(crate) fn checked(reply: &Reply, cube: &str, target: usize) -> Result<Met, Fault> {
    match reply.status {
        200 => check(&reply.json()?, cube, target).map(|()| Met::Right),
        503 if reply.json()?["code"].is_string() => Ok(Met::Busy),
        _ => Err(Fault(reply.body.clone())),
    }
}

/// Checks every member of an answer.
pub(crate) fn check(answer: &Value, cube: &str, target: usize) -> Result<(), Fault> {
    let solution = answer["solution"].as_str().ok_or_else(|| answer.to_string())?;
    let words: Vec<&str> = solution.split_whitespace().collect();
    let is_within = words.len() <= target || answer["stopped_by"] == "time_limit";
    let is_counted = answer["length"] == words.len() && answer["moves"] == json!(words);
    let lower_bound = answer["lower_bound"].as_u64().unwrap_or(u64::MAX);
    let is_bounded = lower_bound <= words.len() as u64;
    let is_proven = answer["proven_optimal"] == (lower_bound == words.len() as u64);
    let is_right = answer["facelets"] == cube && solves(cube, solution) && form_fault(solution).is_none();
    if is_within && is_counted && is_bounded && is_proven && is_right {
        Ok(())
    } else {
        Err(Fault(format!("{cube}: {answer}")))
    }
}
