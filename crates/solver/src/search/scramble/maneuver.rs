//! Finds a maneuver from solved to a cube.

use std::time::{Duration, Instant};

use crate::search::avoided_axes::AvoidedAxes;
use crate::search::directions::Direction;
use crate::search::near::{Near, REACH};
use crate::search::options::Options;
use crate::search::session::Session;
use crate::search::solution::SearchError;
use crate::search::stop::{Clock, Halt, Stop};
use crate::search::two_phase::SearchBuffers;
use crate::tables::Tables;
use superflip_cube::{Cube, Move, Moves};

/// Greatest time for one maneuver. A search usually takes well under a millisecond. The limit ends searches for
/// cubes that have few maneuvers within the greatest length, or none that avoids the axes.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Why there is no maneuver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoManeuver {
    /// The time limit passed.
    TimeLimit,
    /// There is none within the greatest length.
    TooLong,
    /// The search was cancelled.
    Cancelled,
}

/// Searches for maneuvers, one after the other.
pub(super) struct Maneuvers<'t> {
    pub(super) tables: &'t Tables,
    pub(super) max_length: u8,
    pub(super) deadline: Option<Instant>,
    pub(super) stop: &'t Stop,
    buffers: SearchBuffers,
}

impl<'t> Maneuvers<'t> {
    pub(super) fn new(tables: &'t Tables, max_length: u8, deadline: Option<Instant>, stop: &'t Stop) -> Self {
        Self { tables, max_length, deadline, stop, buffers: SearchBuffers::default() }
    }

    /// Returns whether the cube has a solution of fewer than `length` turns, and of at most [`REACH`].
    pub(super) fn is_nearer(&self, cube: &Cube, length: u8) -> Result<bool, NoManeuver> {
        self.check(self.deadline)?;
        let near = Near::new(self.tables, cube, &Direction::all(self.tables, cube));
        let found = near.is_within(length.saturating_sub(1).min(REACH), &mut Clock::new(self.stop, self.deadline));
        found.map_err(|halt| match halt {
            Halt::Deadline => NoManeuver::TimeLimit,
            Halt::Cancelled => NoManeuver::Cancelled,
        })
    }

    /// Checks the stop flag and the deadline, which a search of a few microseconds does not.
    fn check(&self, deadline: Option<Instant>) -> Result<(), NoManeuver> {
        if self.stop.is_stopped() {
            return Err(NoManeuver::Cancelled);
        }
        match deadline {
            Some(deadline) if Instant::now() >= deadline => Err(NoManeuver::TimeLimit),
            _ => Ok(()),
        }
    }

    /// Returns a maneuver of at most `max_length` turns from solved to the cube that avoids the axes. For one cube it is always the
    /// same: time decides only whether there is an answer.
    pub(super) fn to(&mut self, cube: &Cube, avoided: AvoidedAxes) -> Result<Vec<Move>, NoManeuver> {
        let limit = Instant::now() + MAX_TIME;
        let deadline = self.deadline.map_or(limit, |deadline| deadline.min(limit));
        self.check(Some(deadline))?;
        let options =
            Options { target_length: self.max_length, max_length: Some(self.max_length), ..Options::default() };
        let buffers = std::mem::take(&mut self.buffers);
        // A maneuver to the cube is the inverse of a solution.
        let mut session = Session::avoiding(avoided.inverse(), self.tables, cube, &options, self.stop, buffers);
        // The deadline is not an option of the search, which would then answer with what it has.
        while !session.advance(&mut |_, _| {}) {
            if Instant::now() >= deadline {
                return Err(NoManeuver::TimeLimit);
            }
        }
        let outcome = session.outcome();
        self.buffers = session.into_buffers();
        match outcome {
            Ok(outcome) => Ok(Moves::from(outcome.moves).inverse().into()),
            Err(SearchError::Cancelled { .. }) => Err(NoManeuver::Cancelled),
            Err(SearchError::NoSolutionWithinLimits { .. } | SearchError::Unproven { .. }) => Err(NoManeuver::TooLong),
        }
    }
}
