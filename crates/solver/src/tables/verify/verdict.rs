//! The verdict of a table check, and the faults that lead to it.

use crate::control::Cancelled;
use crate::tables::file::store::Unusable;

/// Resources that a check may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckEffort {
    /// A few megabytes of memory: beside other work.
    Lean,
    /// About 300 MB, to recompute `phase_one_residues`.
    Full,
}

/// The conclusion of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// The table is correct.
    Sound,
    /// The table is damaged or wrong.
    Wrong,
    /// The table does not exist.
    Missing,
    /// No fault was found, but the check is incomplete: the named table, which it needs, is unusable.
    Unchecked(&'static str),
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// One line for each property found correct.
    pub report: Vec<String>,
    /// The first fault, or the reason why the check is incomplete, as a sentence.
    pub problem: Option<String>,
    /// A fault of the file that the loaded table does not have, such as its removal. It is also a line of the report.
    pub warning: Option<String>,
    /// Overall conclusion.
    pub conclusion: Conclusion,
    /// Whether the entries were built wrong, with a right checksum, so that no file of the set may be trusted.
    pub is_built_wrong: bool,
}

impl Verdict {
    /// Returns whether the table is correct.
    pub fn is_sound(&self) -> bool {
        self.conclusion == Conclusion::Sound
    }

    /// Creates the verdict for a missing table.
    pub fn missing(problem: String) -> Self {
        let (report, conclusion) = (Vec::new(), Conclusion::Missing);
        Self { report, problem: Some(problem), warning: None, conclusion, is_built_wrong: false }
    }

    /// Runs a check, which returns the warning.
    pub(crate) fn of(
        check: impl FnOnce(&mut Vec<String>) -> Result<Option<String>, CheckFault>,
    ) -> Result<Self, Cancelled> {
        let (mut report, mut warning) = (Vec::new(), None);
        let (problem, conclusion, is_built_wrong) = match check(&mut report) {
            Ok(found) => {
                warning = found;
                (None, Conclusion::Sound, false)
            }
            Err(CheckFault::Missing(problem)) => (Some(problem), Conclusion::Missing, false),
            Err(CheckFault::Damaged(problem)) => (Some(problem), Conclusion::Wrong, false),
            Err(CheckFault::Unchecked(source, problem)) => (Some(problem), Conclusion::Unchecked(source), false),
            Err(CheckFault::Wrong(problem)) => (Some(problem), Conclusion::Wrong, true),
            Err(CheckFault::Cancelled(cancelled)) => return Err(cancelled),
        };
        Ok(Self { report, problem, warning, conclusion, is_built_wrong })
    }
}

/// Why a check ended early.
pub(crate) enum CheckFault {
    /// The table does not exist.
    Missing(String),
    /// Another table, needed for the check, is unusable.
    Unchecked(&'static str, String),
    /// Checksum mismatch, or another fault of the file.
    Damaged(String),
    /// Checksum correct, but an entry was built wrong.
    Wrong(String),
    Cancelled(Cancelled),
}

impl CheckFault {
    /// Creates the fault of the checked table itself.
    pub(crate) fn unusable(name: &str, reason: &Unusable) -> Self {
        let problem = format!("{name}: {reason}");
        if matches!(reason, Unusable::Missing) { Self::Missing(problem) } else { Self::Damaged(problem) }
    }

    /// Creates the fault of a table needed for the check.
    pub(crate) fn no_source(name: &'static str, why: impl std::fmt::Display) -> Self {
        Self::Unchecked(
            name,
            format!("cannot finish the check: it needs the table `{name}`, which {why}; rebuild `{name}` first"),
        )
    }
}

impl From<Cancelled> for CheckFault {
    fn from(cancelled: Cancelled) -> Self {
        Self::Cancelled(cancelled)
    }
}
