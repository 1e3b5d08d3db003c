//! The shortest solutions to a set of cubes: distances, then a depth-first search of one length after the other.

use crate::control::{Cancelled, Clock, Control};
use crate::search::goal::{Goal, between};
use crate::search::incumbent::{EventSink, Incumbent, MAX_LENGTH};
use crate::search::partial::{Distances, PartialTarget};
use crate::search::session::Session;
use crate::search::solution::Phases;
use crate::search::solution::proof::ProofSearch;
use crate::tables::Tables;
use superflip_cube::Move;

/// A search to a partial target. It advances one length at a time. If the deadline passes before the distances are known, it finds some
/// way to one cube of the target instead.
pub(crate) struct PartialSearch<'t> {
    tables: &'t Tables,
    target: PartialTarget,
    control: Control,
    /// Length of the next iteration; `None` before the distances are known.
    length: Option<u8>,
    /// The search for a way to one cube of the target.
    instead: Option<Box<(Session<'t>, Incumbent)>>,
}

impl<'t> PartialSearch<'t> {
    pub(crate) fn new(tables: &'t Tables, target: &PartialTarget, control: &Control) -> Self {
        Self { tables, target: target.clone(), control: control.clone(), length: None, instead: None }
    }

    /// Computes the distances, or searches one length. Returns whether the search has ended.
    pub(crate) fn advance(&mut self, incumbent: &mut Incumbent, sink: EventSink<'_>) -> bool {
        let is_over = self.advance_silently(incumbent);
        incumbent.report(sink);
        is_over
    }

    fn advance_silently(&mut self, incumbent: &mut Incumbent) -> bool {
        if let Some((session, found)) = self.instead.as_deref_mut() {
            // A bound of that session is one of the cube, not of the target.
            let is_over = session.advance(found, &mut |_, _| {});
            found.best.found().drain(..).for_each(|found| incumbent.best.offer(found));
            incumbent.nodes = found.nodes;
            return is_over;
        }
        let target = self.target.clone();
        match (target.distances(&self.control), self.length) {
            (Ok(distances), None) => {
                let distance = distances.get(target.values_of(incumbent.best.start()));
                incumbent.begin_record(distance);
                incumbent.exists(distance);
                self.length = Some(distance);
                false
            }
            (Ok(distances), Some(length)) => self.iterate(distances, length, incumbent),
            (Err(halted), _) => {
                incumbent.halt(halted);
                if halted == Cancelled::Deadline {
                    let cube = between(incumbent.best.start(), target.example());
                    let goal = Goal { max_length: incumbent.goal().max_length, ..Goal::default() };
                    let mut found = incumbent.part(&cube, goal);
                    let session = Session::new(self.tables, &cube, &self.control, &mut found);
                    self.instead = Some(Box::new((session, found)));
                }
                halted == Cancelled::ByCaller
            }
        }
    }

    /// Collects the solutions of a length. Returns whether the search has ended.
    fn iterate(&mut self, distances: &Distances, length: u8, incumbent: &mut Incumbent) -> bool {
        let goal = incumbent.goal();
        if length > goal.max_length.unwrap_or(MAX_LENGTH) {
            return true;
        }
        let (wanted, is_proof, counts_all) = (goal.kept(), goal.is_proof, goal.all_shortest);
        let mut walk = Walk {
            distances,
            clock: Clock::new(&self.control),
            path: Vec::with_capacity(length.into()),
            found: Vec::new(),
            count: 0,
            limit: wanted - incumbent.best.found().len(),
            counts_all,
        };
        let halted = walk.from(self.target.values_of(incumbent.best.start()), length).err();
        incumbent.nodes += walk.clock.nodes();
        if is_proof || counts_all {
            incumbent.collect(walk.found, Phases::Optimal, walk.count);
        } else {
            walk.found.into_iter().for_each(|moves| incumbent.offer(moves, Phases::Optimal));
        }
        if let Some(halted) = halted {
            incumbent.halt(halted);
        }
        incumbent.record(ProofSearch::Table, Some(length));
        self.length = Some(length + 1);
        halted.is_some() || counts_all || is_proof || incumbent.best.found().len() >= wanted
    }
}

/// The depth-first search of one length.
struct Walk<'d, 'c> {
    distances: &'d Distances,
    clock: Clock<'c>,
    path: Vec<Move>,
    found: Vec<Vec<Move>>,
    count: u64,
    /// Number of solutions to keep.
    limit: usize,
    /// Whether all solutions are counted.
    counts_all: bool,
}

impl Walk<'_, '_> {
    /// Collects the solutions of exactly `left` moves from a pair of values.
    fn from(&mut self, at: [u32; 2], left: u8) -> Result<(), Cancelled> {
        self.clock.tick()?;
        if left == 0 {
            self.count += 1;
            if self.found.len() < self.limit {
                self.found.push(self.path.clone());
            }
            return Ok(());
        }
        // Moves that go on from the target make no solution of their own.
        if self.distances.get(at) == 0 {
            return Ok(());
        }
        for mv in Move::ALL {
            if self.path.last().is_some_and(|&last| !mv.may_follow(last)) {
                continue;
            }
            let next = self.distances.after(at, mv);
            if self.distances.get(next) < left {
                self.path.push(mv);
                self.from(next, left - 1)?;
                self.path.pop();
            }
            if self.found.len() >= self.limit && !self.counts_all {
                break;
            }
        }
        Ok(())
    }
}
