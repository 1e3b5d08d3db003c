//! The near search and the two-phase search of one cube.
//!
//! A [`Session`] runs the near search, then the two-phase search, and restarts the latter with a larger upper bound
//! when time is short. It advances in time slices: each call of [`Session::advance`] advances the two-phase search.
#![allow(clippy::cast_possible_truncation)] // lengths of maneuvers fit in 8 bits

use std::time::Duration;

use web_time::Instant;

use crate::control::{Cancelled, Clock, Control};
use crate::search::incumbent::{EventSink, GODS_NUMBER, Incumbent};
use crate::search::near::{Near, REACH};
use crate::search::phase_one::Direction;
use crate::search::solution::{Phases, ProofSearch};
use crate::search::two_phase::{MAX_METRIC_LENGTH, TwoPhase, TwoPhaseStatus, first_bound};
use crate::tables::metric::steps::numbers;
use crate::tables::{MetricTables, Tables};
use superflip_cube::Cube;

/// The reserve is the last part of the time limit, kept for a restart if there is no solution yet. It is the time limit
/// divided by this number, but at most [`MAX_RESERVE`].
const RESERVE: u32 = 10;
/// Greatest reserve. A solution of at most [`RELAXED_LENGTH`] moves is nearly always found in this time.
const MAX_RESERVE: Duration = Duration::from_micros(300);
/// Upper bound of the restart in the reserve.
const RELAXED_LENGTH: u8 = 21;

/// Returns the time at which the reserve begins.
fn reserve_begins_at(control: &Control, started: Instant) -> Option<Instant> {
    let deadline = control.deadline()?;
    let reserve = (deadline.saturating_duration_since(started) / RESERVE).min(MAX_RESERVE);
    Some(deadline.checked_sub(reserve).unwrap_or(deadline))
}

/// The stage of a session. A stage without a solution is followed by the next one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Two-phase search with the upper bound of the goal.
    Tight,
    /// Restart in the reserve, with the upper bound [`RELAXED_LENGTH`], until the deadline.
    Relaxed,
    /// Restart with the greatest upper bound and without a deadline; each phase 2 is cut short.
    Any,
    /// The search has ended.
    Over,
}

/// A running search. Each call takes the same incumbent.
pub(crate) struct Session<'t> {
    control: Control,
    stage: Stage,
    two_phase: TwoPhase<'t>,
}

impl<'t> Session<'t> {
    /// Starts a session and runs the near search, which is short. A proof ends with it.
    pub(crate) fn new(tables: &'t Tables, cube: &Cube, control: &Control, incumbent: &mut Incumbent) -> Self {
        let directions = Direction::all(tables, cube);
        incumbent.begin_record(Direction::lower_bound(&directions));
        let at_most = incumbent.best.at_most();
        search_near(Near::new(tables, cube, &directions), cube, control, incumbent);
        let empty_deadline = reserve_begins_at(control, incumbent.started());
        let two_phase =
            TwoPhase::new(tables, directions, &incumbent.best, incumbent.lower_bound(), empty_deadline, control);
        let mut session = Self { control: control.clone(), stage: Stage::Tight, two_phase };
        let is_found = incumbent.is_found();
        let is_excluded = at_most < incumbent.lower_bound();
        match incumbent.halted() {
            Some(Cancelled::Deadline) if !is_found => session.relax(incumbent),
            None if !is_found && is_excluded => session.any(incumbent),
            None if incumbent.goal().is_proof && !is_found => {
                incumbent.leave_unproven();
                session.stage = Stage::Over;
            }
            // A list that is not full goes on, unless its first solution is too long.
            None if !is_found || (incumbent.best.wants_several() && !incumbent.goal().is_proof && !is_excluded) => {}
            _ => session.stage = Stage::Over,
        }
        session
    }

    /// Starts a session in a metric other than HTM, or with some turns only, without a near search.
    pub(crate) fn in_metric(
        metric: &'t MetricTables,
        cube: &Cube,
        control: &Control,
        incumbent: &mut Incumbent,
    ) -> Self {
        let goal = incumbent.goal();
        let most = first_bound(metric.set()).unwrap_or(MAX_METRIC_LENGTH).max(goal.target_length);
        let at_most = most.min(incumbent.longest());
        let empty_deadline = reserve_begins_at(control, incumbent.started());
        let two_phase = TwoPhase::in_metric(metric, goal.turns, cube, empty_deadline, control);
        incumbent.best.accept(at_most);
        incumbent.begin_record(two_phase.lower_bound());
        let mut session = Self { control: control.clone(), stage: Stage::Tight, two_phase };
        if at_most < incumbent.lower_bound() {
            session.any(incumbent);
        }
        session
    }

    /// Searches for some microseconds, or with several threads for some milliseconds, and reports events. Returns
    /// whether the search has ended.
    pub(crate) fn advance(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> bool {
        if self.stage != Stage::Over {
            let status = self.two_phase.advance_within(incumbent, sink);
            incumbent.raise(self.two_phase.lower_bound());
            self.follow(status, incumbent);
        }
        if self.stage == Stage::Over {
            incumbent.record(ProofSearch::TwoPhase, None);
        }
        incumbent.report(sink);
        self.stage == Stage::Over
    }

    /// Handles the status of the two-phase search.
    #[inline]
    fn follow(&mut self, status: TwoPhaseStatus, incumbent: &mut Incumbent) {
        if let TwoPhaseStatus::Halted(halted) = status {
            incumbent.halt(halted);
        }
        match status {
            TwoPhaseStatus::Going => {}
            _ if incumbent.is_found() || incumbent.is_cancelled() => self.stage = Stage::Over,
            TwoPhaseStatus::Halted(_) => self.relax(incumbent),
            TwoPhaseStatus::Over => self.any(incumbent),
        }
    }

    /// Enters [`Stage::Relaxed`] from [`Stage::Tight`] before the deadline, else [`Stage::Any`].
    fn relax(&mut self, incumbent: &mut Incumbent) {
        // Restricted turns begin with the greatest length.
        if self.stage == Stage::Tight && incumbent.goal().turns.is_all() && self.control.check().is_ok() {
            self.stage = Stage::Relaxed;
            let relaxed = RELAXED_LENGTH - GODS_NUMBER + numbers(incumbent.goal().metric).sufficient_length;
            self.two_phase.restart(&mut incumbent.best, relaxed, &self.control, false);
        } else {
            self.any(incumbent);
        }
    }

    /// Enters [`Stage::Any`], in which any solution is found soon.
    pub(crate) fn any(&mut self, incumbent: &mut Incumbent) {
        if self.stage == Stage::Any {
            // Unreachable: every cube has a solution of 20 moves (26 in QTM), and more are allowed.
            self.stage = Stage::Over;
            return;
        }
        self.stage = Stage::Any;
        let most = self.two_phase.greatest_length();
        self.two_phase.restart(&mut incumbent.best, most, &self.control.with_deadline(None), true);
    }
}

/// Looks for a shortest solution with the near search, and then for all of them if the goal lists several.
fn search_near(mut near: Near<'_>, cube: &Cube, control: &Control, incumbent: &mut Incumbent) {
    let at_most = incumbent.best.at_most();
    let mut clock = Clock::new(control);
    let first = if cube.is_solved() { REACH + 1 } else { incumbent.lower_bound().max(1) };
    if cube.is_solved() {
        incumbent.offer(Vec::new(), Phases::Near);
    }
    for length in first..=REACH {
        let found = near.of_length(length, &mut clock);
        incumbent.nodes = clock.nodes();
        let is_none = found == Ok(None);
        match found {
            Ok(None) => incumbent.raise(length + 1),
            Ok(Some(moves)) => {
                incumbent.raise(length);
                incumbent.offer(moves, Phases::Near);
            }
            Err(halted) => incumbent.halt(halted),
        }
        incumbent.record(ProofSearch::Near, Some(length));
        // A solution whose ends do not avoid the axes is not kept.
        if !is_none {
            break;
        }
    }
    let goal = incumbent.goal();
    let length = incumbent.best.best();
    let lists_several = incumbent.best.wants_several() || (goal.is_proof && goal.all_shortest);
    if lists_several && incumbent.is_found() && length <= at_most {
        let (all, halted) = near.collect(length, goal.kept(), &mut clock);
        incumbent.nodes = clock.nodes();
        incumbent.collect(all.first, Phases::Near, all.count);
        if let Some(halted) = halted {
            incumbent.halt(halted);
        }
        incumbent.record(ProofSearch::Near, Some(length));
    }
}
