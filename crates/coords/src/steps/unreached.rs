//! The step of a chain that found nothing, and why.

use super::step::Step;

/// The first step without a solution, in a chain without one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unreached {
    /// Number of the step, from 0.
    pub step: usize,
    /// Name of its goal.
    pub goal: String,
    /// Length up to which every solution of the step was searched, after each branch of a round; `None` if no length was.
    pub searched_to: Option<u8>,
    /// Why it has none.
    pub reason: UnreachedReason,
}

/// Why a step found nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnreachedReason {
    /// The tables of its goal were not built in time. The next search continues the build.
    Unbuilt,
    /// No branch has reached what the step needs.
    Unprepared,
    /// Every length up to the greatest of the step was searched.
    Exhausted,
    /// The time was up.
    Time,
}

impl Unreached {
    /// The tables of this step were not built in time.
    pub fn unbuilt(step: usize, goal: &str) -> Self {
        Self { step, goal: goal.to_owned(), searched_to: None, reason: UnreachedReason::Unbuilt }
    }
}

/// What a search knows of a step, from little to much.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Progress {
    /// There are branches for the step. It has not begun.
    #[default]
    Waiting,
    /// No branch has reached what the step needs.
    Unprepared,
    /// Every solution of at most this length was searched.
    Searched(Option<u8>),
}

/// The last step that a search has reached, in any of its rounds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Furthest(usize, Progress);

impl Furthest {
    /// Notes what is known of a step.
    pub(crate) fn reaches(&mut self, step: usize, progress: Progress) {
        if (step, progress) > (self.0, self.1) {
            *self = Self(step, progress);
        }
    }

    /// Describes the step of a chain that found nothing.
    pub(crate) fn unreached(self, steps: &[Step]) -> Unreached {
        let Self(number, progress) = self;
        let step = &steps[number];
        let (searched_to, reason) = match progress {
            Progress::Waiting => (None, UnreachedReason::Time),
            Progress::Unprepared => (None, UnreachedReason::Unprepared),
            Progress::Searched(Some(length)) if length >= step.max => (Some(step.max), UnreachedReason::Exhausted),
            Progress::Searched(length) => (length, UnreachedReason::Time),
        };
        Unreached { step: number, goal: step.goal.name().to_owned(), searched_to, reason }
    }
}
