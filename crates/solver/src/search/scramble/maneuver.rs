//! Finds a maneuver from solved to a cube.

use std::time::Duration;

use web_time::Instant;

use crate::control::{Cancelled, Clock, Control};
use crate::search::Search;
use crate::search::avoided_axes::AvoidedAxes;
use crate::search::directions::Direction;
use crate::search::goal::Goal;
use crate::search::near::{Near, REACH};
use crate::search::solution::SolveError;
use crate::tables::{TableSet, Tables};
use superflip_cube::{Cube, Move, Moves, TurnSet};

/// Greatest time for one maneuver. A search usually takes well under a millisecond. The limit ends searches for
/// cubes that have few maneuvers within the greatest length, or none that avoids the axes.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Why there is no maneuver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NoManeuver {
    /// The time limit passed.
    TimeLimit,
    /// There is none within the greatest length.
    TooLong,
    /// There are only this many.
    TooFew(usize),
    /// The turns do not reach the cube, or their tables are missing.
    Search(SolveError),
    /// The search was cancelled.
    Cancelled,
}

impl From<Cancelled> for NoManeuver {
    fn from(cancelled: Cancelled) -> Self {
        match cancelled {
            Cancelled::Deadline => Self::TimeLimit,
            Cancelled::ByCaller => Self::Cancelled,
        }
    }
}

/// Searches for maneuvers, one after the other.
pub(super) struct Maneuvers<'t> {
    pub(super) tables: &'t Tables,
    /// The tables of some turns.
    pub(super) sets: &'t [TableSet],
    pub(super) turns: TurnSet,
    pub(super) max_length: u8,
    pub(super) control: &'t Control,
}

impl Maneuvers<'_> {
    /// Returns whether the cube has a solution of fewer than `length` moves, and of at most [`REACH`].
    pub(super) fn is_nearer(&self, cube: &Cube, length: u8) -> Result<bool, NoManeuver> {
        // A search of a few microseconds does not check the control.
        self.control.check()?;
        let near = Near::new(self.tables, cube, &Direction::all(self.tables, cube));
        Ok(near.is_within(length.saturating_sub(1).min(REACH), &mut Clock::new(self.control))?)
    }

    /// Returns `count` maneuvers of at most `max_length` moves from solved to the cube that avoid the axes. They differ in more than the
    /// order of turns of opposite faces. For one cube they are always the same: time decides only whether there is an answer. Axes can be
    /// avoided only with all turns.
    pub(super) fn to(&self, cube: &Cube, avoided: AvoidedAxes, count: usize) -> Result<Vec<Vec<Move>>, NoManeuver> {
        let limited = self.control.until(Instant::now() + MAX_TIME);
        limited.check()?;
        // A maneuver to the cube is the inverse of a solution. The search has no deadline: at a deadline it would answer with
        // what it has.
        let goal = Goal::within(self.max_length).solutions(count).turns(self.turns);
        let search = Search::new(self.tables, self.sets, cube, &goal);
        let mut search = search.avoiding(avoided.inverse()).controlled_by(&self.control.with_deadline(None));
        while !search.step(&mut |_, _| {}) {
            limited.check()?;
        }
        match search.finish() {
            Ok(solution) => {
                let inverse = |moves: &[Move]| Moves::from(moves.to_vec()).inverse().into();
                let found: Vec<Vec<Move>> = solution.all().map(inverse).collect();
                if found.len() < count { Err(NoManeuver::TooFew(found.len())) } else { Ok(found) }
            }
            Err(SolveError::Cancelled { .. }) => Err(NoManeuver::Cancelled),
            Err(SolveError::NoneWithin { .. } | SolveError::Unproven { .. }) => Err(NoManeuver::TooLong),
            Err(error) => Err(NoManeuver::Search(error)),
        }
    }
}
