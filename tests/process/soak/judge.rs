//! Checks answers on the model of stickers.

use super::callers::Fault;
use super::kinds::Met;
use crate::common::prelude::*;
use crate::common::stickers::{form_fault, solves};
use crate::common::wire::Reply;

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
