//! The conclusion of a table check and the faults that lead to it.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::tables::building::Stopped;
use crate::tables::file::open::Unusable;
use crate::tables::options::Trust;

/// How much a check may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A few megabytes of memory: for a service at work.
    Lean,
    /// Some 300 MB for `phase_one_residues`, to make all of it anew.
    Full,
}

/// What a check is told from outside, and what it tells.
pub struct CheckControl<'a> {
    /// Set to end the check.
    pub stop: &'a AtomicBool,
    /// Hears the stage, and how much of it is done, of how much; from any thread.
    pub progress: &'a (dyn Fn(&'static str, u64, u64) + Sync),
    /// How much it may take.
    pub effort: Effort,
}

impl CheckControl<'_> {
    pub(crate) fn check(&self) -> Result<(), Stopped> {
        if self.stop.load(Relaxed) { Err(Stopped) } else { Ok(()) }
    }

    pub(crate) fn progress(&self, stage: &'static str, done: u64, total: u64) {
        (self.progress)(stage, done, total);
    }
}

/// What a check comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// Everything is right.
    Sound,
    /// Something is wrong with the table.
    Wrong,
    /// There is no such table.
    Missing,
    /// As far as it can be told it is right, but another table with which it is checked, this one, cannot be used.
    Unchecked(&'static str),
}

/// What a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// One line for each thing that was checked and found right.
    pub report: Vec<String>,
    /// The first thing that is wrong, or that keeps the check from going on, in a sentence.
    pub problem: Option<String>,
    /// What it comes to.
    pub conclusion: Conclusion,
    /// Where something is wrong: what is left to be trusted of the folder.
    pub trust: Trust,
}

impl Verdict {
    /// Whether everything was right.
    pub fn is_sound(&self) -> bool {
        self.conclusion == Conclusion::Sound
    }

    /// Of a table that is not there.
    pub fn missing(problem: String) -> Self {
        Self { report: Vec::new(), problem: Some(problem), conclusion: Conclusion::Missing, trust: Trust::Files }
    }

    pub(crate) fn of(check: impl FnOnce(&mut Vec<String>) -> Result<(), Fault>) -> Result<Self, Stopped> {
        let mut report = Vec::new();
        let (problem, conclusion, trust) = match check(&mut report) {
            Ok(()) => (None, Conclusion::Sound, Trust::Files),
            Err(Fault::Missing(problem)) => (Some(problem), Conclusion::Missing, Trust::Files),
            Err(Fault::Damaged(problem)) => (Some(problem), Conclusion::Wrong, Trust::Files),
            Err(Fault::Unchecked(source, problem)) => (Some(problem), Conclusion::Unchecked(source), Trust::Files),
            Err(Fault::Wrong(problem)) => (Some(problem), Conclusion::Wrong, Trust::Nothing),
            Err(Fault::Stopped) => return Err(Stopped),
        };
        Ok(Self { report, problem, conclusion, trust })
    }
}

/// Why a check went no further.
pub(crate) enum Fault {
    /// There is no such table.
    Missing(String),
    /// Another table with which it is checked cannot be used.
    Unchecked(&'static str, String),
    /// Bytes are not as they were written.
    Damaged(String),
    /// They are, and are wrong all the same.
    Wrong(String),
    Stopped,
}

impl Fault {
    /// Of a table that is to be checked itself.
    pub(crate) fn unusable(name: &str, reason: &Unusable) -> Self {
        let problem = format!("{name}: {reason}");
        if matches!(reason, Unusable::Missing) { Self::Missing(problem) } else { Self::Damaged(problem) }
    }

    /// Of a table with which another is checked.
    pub(crate) fn no_source(name: &'static str, why: impl std::fmt::Display) -> Self {
        Self::Unchecked(name, format!("nothing more can be said: {name}, with which it is checked, {why}"))
    }
}

impl From<Stopped> for Fault {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
