//! The record of a proof: its iterations, and the coset table.

use std::time::Duration;

use web_time::Instant;

use crate::tables::OptimalTable;

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
