//! The record of a proof in the response of `/solve`.

use crate::contract::ToSchema;
use serde::Serialize;

use super::Method;
use crate::service::micros;
use superflip_solver::{Iteration, Proof, ProofSearch, ProofTable};

/// Iterations of a proof, in order. With one thread, the same request to a server with the same tables repeats them exactly, except for
/// their durations. A proof that ends by its time limit has the iterations until then.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Proof)]
pub struct ProofBody {
    /// Lower bound of the tables before any search; 0 if none was looked up.
    pub first_bound: u8,
    /// Iterations. Their nodes add up to `nodes` of the response, unless the time limit came first.
    pub iterations: Vec<IterationBody>,
    /// Coset table that was used; null without one.
    pub table: Option<ProofTableBody>,
}

/// One iteration of a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ProofIteration)]
pub struct IterationBody {
    /// Search that ran.
    pub search: Method,
    /// Length that the iteration searched. Null for the two-phase search, which searches several lengths.
    pub length: Option<u8>,
    /// Lower bound after the iteration: all shorter lengths are exhausted.
    pub lower_bound: u8,
    /// Length of the shortest solution known after the iteration; null if none is known.
    pub best_length: Option<u8>,
    /// Number of nodes expanded.
    pub nodes: u64,
    /// Duration in microseconds.
    pub elapsed_us: u64,
}

/// Coset table of a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ProofTable)]
pub struct ProofTableBody {
    /// Name, as in GET /tables.
    #[schema(example = "optimal_l")]
    pub name: &'static str,
    /// Recipe: a fingerprint of everything that determines the entries, as 16 hexadecimal digits.
    #[schema(example = "5bf03635deaf0a2e")]
    pub recipe: String,
}

impl From<&Proof> for ProofBody {
    fn from(proof: &Proof) -> Self {
        let Proof { first_bound, iterations, table } = proof;
        Self {
            first_bound: *first_bound,
            iterations: iterations.iter().map(Into::into).collect(),
            table: table.map(|ProofTable { name, recipe }| ProofTableBody { name, recipe: format!("{recipe:016x}") }),
        }
    }
}

impl From<&Iteration> for IterationBody {
    fn from(iteration: &Iteration) -> Self {
        let Iteration { search, length, lower_bound, best_length, nodes, elapsed } = *iteration;
        Self {
            search: match search {
                ProofSearch::Near => Method::Near,
                ProofSearch::TwoPhase => Method::TwoPhase,
                ProofSearch::Table => Method::Optimal,
            },
            length,
            lower_bound,
            best_length,
            nodes,
            elapsed_us: micros(elapsed),
        }
    }
}
