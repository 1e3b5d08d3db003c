//! Results and errors of a search, and the record of a proof: its iterations, and the coset table.

use std::fmt;
use std::time::Duration;

use web_time::Instant;

use crate::search::machine::Machine;
use crate::tables::{OptimalTable, Profile};
use superflip_cube::forms::plural;
use superflip_cube::metric::Metric;
use superflip_cube::{Axis, Move, Moves, TurnSet};

/// Reason why the search ended. If several solutions or the count of all shortest ones were requested, it refers to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StoppedBy {
    /// A solution of at most `target_length` moves was found; or as many of them as requested.
    TargetLength,
    /// The time limit passed.
    TimeLimit,
    /// There was no capacity to continue the search after its first solution.
    Overloaded,
    /// No shorter solution exists. For a list: every solution that is missing in a full list is at least as long as its last one, and no
    /// solution within the maximum length is missing in a shorter list.
    ProvenOptimal,
}

impl StoppedBy {
    /// Every reason.
    pub const ALL: [Self; 4] = [Self::TargetLength, Self::TimeLimit, Self::Overloaded, Self::ProvenOptimal];

    /// Name in responses and logs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TargetLength => "target_length",
            Self::TimeLimit => "time_limit",
            Self::Overloaded => "overloaded",
            Self::ProvenOptimal => "proven_optimal",
        }
    }
}

/// The kind of search that found a solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phases {
    /// The near search.
    Near,
    /// The optimal search.
    Optimal,
    /// The two-phase search, through the subgroup G1 of one axis.
    TwoPhase {
        /// Axis of the subgroup.
        axis: Axis,
        /// Whether it was found on the inverse cube.
        inverse: bool,
        /// Number of moves of each part, in the order of the solution: phase 1, phase 2, pre-moves. On the inverse cube
        /// the order is pre-moves, phase 2, phase 1. Phase 2 has only G1 moves. A part may be 0.
        lengths: [u8; 3],
    },
}

/// A solution and how it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The moves.
    pub moves: Moves,
    /// The kind of search that found it.
    pub phases: Phases,
}

impl Found {
    /// Returns the number of moves, the length in HTM.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns whether there are no moves, because the cube was solved.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }
}

/// The answer of a search. Its solutions have been replayed on the cube.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// Moves that solve the cube; empty for a solved cube.
    pub moves: Moves,
    /// The kind of search that found them.
    pub phases: Phases,
    /// Further solutions, if more than one was requested. They are distinct, in order of length, and none is shorter
    /// than `moves`. With a machine, they are in order of cost instead.
    pub others: Vec<Found>,
    /// Number of optimal solutions, not counting the order of moves of opposite faces. `None` unless it was requested
    /// and the search was completed.
    pub optimal_solutions: Option<u64>,
    /// The iterations, if the goal was a proof or asked for them.
    pub proof: Option<Proof>,
    /// Metric of the goal, in which the lower bound counts.
    pub metric: Metric,
    /// Lower bound on the length of any solution.
    pub lower_bound: u8,
    /// Why the search ended.
    pub stopped_by: StoppedBy,
    /// Profile of the tables.
    pub profile: Profile,
    /// Number of nodes.
    pub nodes: u64,
    /// Time from start to end, without the time slices of other searches on the thread.
    pub elapsed: Duration,
}

impl Solution {
    /// Returns the length in the metric of the goal.
    #[must_use]
    pub fn len(&self) -> usize {
        self.metric.length(&self.moves)
    }

    /// Returns whether there are no moves, because the cube is solved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Returns whether it is proven that no shorter solution exists.
    #[must_use]
    pub fn is_optimal(&self) -> bool {
        self.len() == usize::from(self.lower_bound)
    }

    /// Returns the solutions, shortest first.
    pub fn all(&self) -> impl Iterator<Item = &[Move]> {
        std::iter::once(&self.moves[..]).chain(self.others.iter().map(|found| &found.moves[..]))
    }

    /// Sorts this solution and `others` by their cost on a machine, and keeps the `kept` cheapest. Maneuvers that the machine cannot make
    /// come last.
    #[must_use]
    pub fn cheapest_first(mut self, machine: &Machine, kept: usize) -> Self {
        let first = Found { moves: self.moves, phases: self.phases };
        let mut found: Vec<Found> = std::iter::once(first).chain(self.others).collect();
        found.sort_by_cached_key(|found| {
            let cost = machine.cost(&found.moves);
            (cost.is_none(), cost)
        });
        found.truncate(kept.max(1));
        // The list has at least the first solution.
        let best = found.remove(0);
        (self.moves, self.phases, self.others) = (best.moves, best.phases, found);
        self
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.fmt(formatter)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.fmt(formatter)
    }
}

impl SolveError {
    /// Returns the number of nodes.
    pub const fn nodes(&self) -> u64 {
        match self {
            Self::NoneWithin { nodes, .. } | Self::Unproven { nodes, .. } | Self::Cancelled { nodes } => *nodes,
            Self::Metric { .. } | Self::Outside { .. } | Self::SeveralTargets { .. } => 0,
        }
    }
}

/// Why a search has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields are what their names say
pub enum SolveError {
    /// The search was cancelled.
    #[error("the search was cancelled")]
    Cancelled { nodes: u64 },
    /// The metric and the turns of the goal have no tables in this solver, or a proof was requested in them.
    #[error("{}", no_tables(*.metric, *.turns, *.is_proof))]
    Metric { metric: Metric, turns: TurnSet, is_proof: bool },
    /// The goal names several targets, which are searched in HTM only.
    #[error("{}", several_targets(*.metric, *.turns))]
    SeveralTargets { metric: Metric, turns: TurnSet },
    /// The allowed turns do not reach the cube.
    #[error("{}", outside(*.turns, *.displaced, *.reached))]
    Outside {
        turns: TurnSet,
        /// A piece that is not in place although no allowed turn moves it, if there is one.
        displaced: Option<&'static str>,
        /// Number of cubes that the turns reach.
        reached: u128,
    },
    /// A proof was requested, and the cube is beyond the reach of the near search.
    #[error(
        "no solution of this cube has fewer than {lower_bound} moves; without a coset table for proofs, a shortest solution is proven only for cubes at most {} moves from solved",
        crate::search::near::REACH
    )]
    Unproven { lower_bound: u8, nodes: u64 },
    /// No solution within `max_length` was found.
    #[error(
        "no solution of at most {max_length} move{} was found; the shortest found has {best_length}, and none has fewer than {lower_bound}",
        plural(usize::from(*.max_length))
    )]
    NoneWithin { max_length: u8, best_length: u8, lower_bound: u8, nodes: u64 },
}

fn several_targets(metric: Metric, turns: TurnSet) -> String {
    let found = if turns.is_all() { format!("counts in {}", metric.name()) } else { format!("may turn {turns} only") };
    format!(
        "a target that stands for several cubes needs the metric htm and all turns, but this search {found}; give a target that is one \
         cube, or leave out the metric and the restriction of turns"
    )
}

fn outside(turns: TurnSet, displaced: Option<&str>, reached: u128) -> String {
    let reason = displaced.map_or_else(
        || "every piece that they leave in place is in place, but they cannot arrange the others like this".to_owned(),
        |piece| format!("they do not move the piece {piece}, which is not in place"),
    );
    format!("the turns {turns} reach {reached} cubes, but not this one: {reason}")
}

fn no_tables(metric: Metric, turns: TurnSet, is_proof: bool) -> String {
    let name = metric.name();
    if !turns.is_all() {
        return if is_proof {
            "proofs are available with all turns only; ask for a short solution, or allow all turns".to_owned()
        } else {
            format!("the tables of the turns {turns} in the metric {name} are not open")
        };
    }
    if is_proof && metric == Metric::Qtm {
        "a proof in the metric qtm needs its tables and a coset table with distances in qtm, which are not open"
            .to_owned()
    } else if is_proof {
        format!(
            "proofs in the metric {name} are not implemented; ask for a proof in htm or qtm, or for a short solution in {name}"
        )
    } else {
        format!("the tables of the metric {name} are not open")
    }
}

/// The iterations of a proof, in order. Each begins where the one before it ended, so their nodes add up to the nodes of
/// the search. On one thread, the same cube and goal give the same iterations, except for their durations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// Lower bound of the tables before any search; 0 if none was looked up.
    pub first_bound: u8,
    /// The iterations.
    pub iterations: Vec<Iteration>,
    /// The coset table; `None` if the near search was enough.
    pub table: Option<ProofTable>,
}

/// The coset table of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProofTable {
    /// Name.
    pub name: &'static str,
    /// Recipe: a fingerprint of everything that determines the entries.
    pub recipe: u64,
}

/// One iteration of a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iteration {
    /// The search that ran.
    pub search: ProofSearch,
    /// Length that it searched; `None` for the two-phase search, which searches several.
    pub length: Option<u8>,
    /// Lower bound after the iteration: all shorter lengths are exhausted.
    pub lower_bound: u8,
    /// Length of the shortest solution known after the iteration.
    pub best_length: Option<u8>,
    /// Number of nodes.
    pub nodes: u64,
    /// Duration.
    pub elapsed: Duration,
}

/// The searches that take part in a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofSearch {
    /// The near search: lengths of at most ten.
    Near,
    /// The two-phase search, which finds short solutions, and may exhaust some lengths.
    TwoPhase,
    /// IDA* with the coset table.
    Table,
}

impl From<&OptimalTable> for ProofTable {
    fn from(table: &OptimalTable) -> Self {
        let info = table.info();
        Self { name: info.name, recipe: info.recipe() }
    }
}

impl Proof {
    /// Adds the iterations of a search for the same goal that ran after this one. What this one knew, the other one need not find again.
    #[must_use]
    pub fn followed_by(mut self, next: Self) -> Self {
        self.first_bound = self.first_bound.max(next.first_bound);
        self.table = next.table.or(self.table);
        let mut bound = self.first_bound;
        let mut best = None;
        self.iterations.extend(next.iterations);
        for iteration in &mut self.iterations {
            bound = bound.max(iteration.lower_bound);
            best = iteration.best_length.into_iter().chain(best).min();
            (iteration.lower_bound, iteration.best_length) = (bound, best);
        }
        self
    }
}

/// Records iterations. It counts nodes and time since the last one.
#[derive(Debug)]
pub(crate) struct ProofRecord {
    proof: Proof,
    /// Number of iterations that were reported.
    reported: usize,
    nodes: u64,
    began: Instant,
}

impl ProofRecord {
    /// Starts a record before any node.
    pub(crate) fn new(first_bound: u8) -> Self {
        let proof = Proof { first_bound, ..Proof::default() };
        Self { proof, reported: 0, nodes: 0, began: Instant::now() }
    }

    /// Names a coset table, and adds its lower bound, which was looked up before the first iteration.
    pub(crate) fn cite(&mut self, table: &OptimalTable, bound: u8) {
        self.proof.table = Some(table.into());
        self.proof.first_bound = self.proof.first_bound.max(bound);
        for iteration in &mut self.proof.iterations {
            iteration.lower_bound = iteration.lower_bound.max(bound);
        }
    }

    /// Returns the iterations so far if there are more than at the last call.
    pub(crate) fn news(&mut self) -> Option<Proof> {
        let recorded = self.proof.iterations.len();
        (std::mem::replace(&mut self.reported, recorded) < recorded).then(|| self.proof.clone())
    }

    /// Returns the record of the iterations.
    pub(crate) fn finish(self) -> Proof {
        self.proof
    }

    /// Adds an iteration that has just ended, unless it expanded no node. `nodes` is the number of all nodes so far.
    pub(crate) fn add(
        &mut self,
        search: ProofSearch,
        length: Option<u8>,
        lower_bound: u8,
        best_length: Option<u8>,
        nodes: u64,
    ) {
        if nodes == self.nodes {
            return;
        }
        let now = Instant::now();
        let before = self.proof.iterations.last().map_or(self.proof.first_bound, |last| last.lower_bound);
        self.proof.iterations.push(Iteration {
            search,
            length,
            lower_bound: lower_bound.max(before),
            best_length,
            nodes: nodes.saturating_sub(self.nodes),
            elapsed: now.duration_since(self.began),
        });
        (self.nodes, self.began) = (nodes, now);
    }
}
