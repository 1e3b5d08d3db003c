//! The two-phase algorithm (Kociemba 1992) over six directions, with pre-moves and prefetched table reads.
//!
//! Phase 1 enumerates the maneuvers that lead into the subgroup G1. Phase 2 continues each of them and solves the cube
//! inside G1. A *root* is a position where phase 1 starts: a direction with zero, one or two pre-moves. The *level* of a solution
//! is the length of its phase 1 plus the length of its pre-moves. The levels are searched in rising order. `docs/search.md` explains the
//! levels, the bounds, and why a level that was searched raises the lower bound.
//!
//! What a maneuver is made of is an *alphabet*. Its letters are moves in HTM with all turns, and runs in other metrics or with some turns
//! only. All else is written once, and compiled for each alphabet:
//!
//! | module | contents |
//! | --- | --- |
//! | `driver` | levels, roots that join, restarts, deadlines, threads; raises the lower bound |
//! | `walker` | phase 1: the pipeline of nodes and arrivals; phase 2: lengths, nodes, solutions |
//! | `alphabet` | the trait: roots, expansion, arrivals, children in phase 2 |
//! | `move_alphabet` | moves: masks, last move, symmetry reduction |
//! | `phase_tables` | the tables of each profile, as moves read them |
//! | `premove` | pre-moves and twins |
//! | `run_alphabet` | runs: last run, lengths, variants of the first and the last run |
#![allow(clippy::cast_possible_truncation)] // letters, symmetries, lengths and roots fit in 8 or 16 bits; the innermost loops convert them at each node

mod alphabet;
mod driver;
mod move_alphabet;
mod phase_tables;
mod premove;
mod run_alphabet;
mod walker;

pub use super::incumbent::BestSolutions;
pub use alphabet::TwoPhaseStatus;
pub(crate) use alphabet::{Path, of_parity, parity_of};

use driver::Driver;
use move_alphabet::{MoveAlphabet, MoveFacts};
use run_alphabet::RunAlphabet;
use web_time::Instant;

use crate::control::Control;
use crate::search::goal::AvoidedAxes;
use crate::search::incumbent::{EventSink, Incumbent, MAX_LENGTH, NodesCallback};
use crate::search::phase_one::Direction;
use crate::search::two_phase::phase_tables::TableViews;
use crate::tables::metric::steps::{StepSet, numbers};
use crate::tables::set::{ByProfile, Tiny};
use crate::tables::{MetricTables, Profile, Tables};
use superflip_cube::{Cube, TurnSet};

/// The greatest length in metrics other than HTM; no length of a solution of at most 30 moves exceeds it.
pub(crate) const MAX_METRIC_LENGTH: u8 = 60;

/// Computes the static tables of the searches with a profile, which takes some milliseconds. Calling it is optional: otherwise the first
/// search computes them.
pub fn prepare(profile: Profile) {
    if profile != Profile::Tiny {
        premove::prepare();
    }
}

/// Returns the upper bound of a search at its start, in a metric other than HTM; `None` if no bound was measured for these turns.
pub(crate) fn first_bound(set: StepSet) -> Option<u8> {
    set.turns.is_all().then(|| numbers(set.metric).first_bound)
}

/// A two-phase search for one cube. It runs in time slices, so that several searches can share a core.
pub struct TwoPhase<'t>(Drivers<'t>);

/// The driver, compiled for each alphabet.
#[allow(clippy::large_enum_variant)] // The larger ones are the usual ones.
enum Drivers<'t> {
    Mapped(Driver<MoveAlphabet<'t, TableViews<'t>>>),
    Tiny(Driver<MoveAlphabet<'t, &'t Tiny>>),
    Runs(Box<Driver<RunAlphabet<'t>>>),
}

/// Calls a method of the driver.
macro_rules! driver {
    ($search:expr, $($call:tt)+) => {
        match $search {
            Drivers::Mapped(driver) => driver.$($call)+,
            Drivers::Tiny(driver) => driver.$($call)+,
            Drivers::Runs(driver) => driver.$($call)+,
        }
    };
}

impl<'t> TwoPhase<'t> {
    /// Creates a search in HTM with all turns, for solutions to add to `best`. `lower_bound` is a known lower bound on the length, and
    /// `empty_deadline` the time at which to stop if nothing was found.
    pub fn new(
        tables: &'t Tables,
        directions: [Direction; 6],
        best: &BestSolutions,
        lower_bound: u8,
        empty_deadline: Option<Instant>,
        control: &Control,
    ) -> Self {
        let is_reduced = best.avoided() == AvoidedAxes::default() && !best.wants_several();
        let facts = MoveFacts::new(&directions, is_reduced);
        Self(match tables.by_profile() {
            ByProfile::Mapped { phase_one, phase_two, opened } => {
                let views = TableViews::new(phase_one, phase_two, opened);
                let alphabet = MoveAlphabet { tables: views, opened: tables };
                Drivers::Mapped(Driver::new(alphabet, facts, lower_bound, false, empty_deadline, control))
            }
            ByProfile::Tiny(tiny) => {
                let alphabet = MoveAlphabet { tables: tiny, opened: tables };
                Drivers::Tiny(Driver::new(alphabet, facts, lower_bound, false, empty_deadline, control))
            }
        })
    }

    /// Creates a search in another metric, or with these turns only, which the tables serve.
    pub(crate) fn in_metric(
        tables: &'t MetricTables,
        turns: TurnSet,
        cube: &Cube,
        empty_deadline: Option<Instant>,
        control: &Control,
    ) -> Self {
        let alphabet = RunAlphabet::new(tables, cube);
        let facts = alphabet.facts(turns, cube);
        let near_bound = facts.directions.first().map_or(0, |direction| tables.near_bound(&direction.cube.cube()));
        let lower_bound = Direction::lower_bound(&facts.directions).max(near_bound);
        let is_probing = first_bound(tables.set()).is_none();
        let driver = Driver::new(alphabet, facts, lower_bound, is_probing, empty_deadline, control);
        Self(Drivers::Runs(Box::new(driver)))
    }

    /// Returns the lower bound on the length.
    pub fn lower_bound(&self) -> u8 {
        driver!(&self.0, lower_bound())
    }

    /// Returns the number of nodes.
    pub fn nodes(&self) -> u64 {
        driver!(&self.0, nodes())
    }

    /// Returns the greatest length that the search accepts when any solution will do.
    pub(crate) const fn greatest_length(&self) -> u8 {
        if matches!(self.0, Drivers::Runs(_)) { MAX_METRIC_LENGTH } else { MAX_LENGTH }
    }

    /// Restarts from the first level with a new control, for any solution of at most `at_most` moves. The lower bound
    /// is kept. With `give_up_soon`, each phase 2 expands at most 10 000 nodes.
    pub(crate) fn restart(&mut self, best: &mut BestSolutions, at_most: u8, control: &Control, give_up_soon: bool) {
        best.settle_for(at_most);
        driver!(&mut self.0, restart(control, give_up_soon));
    }

    /// Searches for some microseconds, or with several threads until the level is done. Meanwhile, `notify` is told the number of nodes.
    pub fn advance(&mut self, best: &BestSolutions, notify: NodesCallback<'_>) -> TwoPhaseStatus {
        driver!(&mut self.0, advance(best, notify))
    }

    /// Advances the search with the solutions of an incumbent, reports shorter ones, and adds the nodes to its count.
    pub(crate) fn advance_within(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> TwoPhaseStatus {
        let before = self.nodes();
        let status = {
            let (best, mut report) = incumbent.share(sink);
            self.advance(best, &mut |nodes| report(nodes - before))
        };
        incumbent.nodes += self.nodes() - before;
        status
    }
}
