//! Proofs that a solution is optimal, and the threads of a search.

use clap::{ArgAction, Args};
use serde::Serialize;

use super::{LimitOptions, Range, SearchOptions, in_range, of_server};
use crate::api::problem::{Code, Problem};
use crate::api::types::fields::{Fields as _, fields};
use crate::service::config::Config;
use superflip_cube::metric::Metric;
use superflip_solver::Goal;

fields! {
    /// Proofs of solutions.
    #[derive(Args, Serialize)]
    pub struct ProofOptions {
        /// Continue until the solution is proven optimal (default: false). Cubes more than ten moves from solved need a server with a
        /// table for optimal solutions (`optimal.table`: `s`, `m`, `l` or `xl`). Cannot be combined with `target_length`.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, action = ArgAction::SetTrue, conflicts_with = "target_length",
            help = "Search until each solution is proven shortest",
            long_help = "Search until each solution is proven shortest\n\n\
                With --time-limit-ms a solution may be unproven. In a batch each thread proves one cube at a time; a line may turn the proof \
                off with \"optimal\": false.")]
        pub optimal: Option<bool>,
        /// Only with `optimal`: find and count all optimal solutions, and list the first `solutions` of them (then 100 by default).
        /// Solutions that differ only in the order of moves of opposite faces count once (default: false).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, action = ArgAction::SetTrue, requires = "optimal", help = "With --optimal: find all shortest solutions")]
        pub all_solutions: Option<bool>,
    }
}

impl ProofOptions {
    /// Returns whether a proof is asked for.
    pub fn is_optimal(&self) -> bool {
        self.optimal == Some(true)
    }

    /// Returns whether all optimal solutions are asked for.
    pub fn lists_all(&self) -> bool {
        self.all_solutions == Some(true)
    }

    /// Returns the options of the shell, where an absent flag is false.
    #[must_use]
    pub fn of_flags(&self) -> Self {
        let given = |flag: Option<bool>| flag.filter(|is_given| *is_given);
        Self { optimal: given(self.optimal), all_solutions: given(self.all_solutions) }
    }

    /// Refuses options that contradict each other.
    pub(super) fn check(&self, limits: &LimitOptions, search: &SearchOptions) -> Result<(), Problem> {
        let (field, detail) = match (self.is_optimal(), self.lists_all()) {
            (true, _) if limits.target_length.is_some() => (
                "target_length",
                "`target_length` cannot be combined with `optimal`: an optimal search stops at the shortest solution only. Remove one of them; \
                 `max_length` is allowed with both.",
            ),
            (true, false) if search.solutions.is_some_and(|count| count > 1) => (
                "solutions",
                "`solutions` above 1 needs `all_solutions` when `optimal` is true. Add `\"all_solutions\": true` to find all optimal \
                 solutions, or remove `solutions`.",
            ),
            (false, true) => (
                "all_solutions",
                "`all_solutions` needs `optimal`, because only a proof finds all shortest solutions. Add `\"optimal\": true`, or use \
                 `solutions` for the best ones found in time.",
            ),
            _ => return Ok(()),
        };
        Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field))
    }

    /// Asks a goal that has its metric and its turns for a proof.
    pub(super) fn set(&self, goal: &mut Goal, search: &SearchOptions) -> Result<(), Problem> {
        (goal.is_proof, goal.all_shortest) = (self.is_optimal(), self.lists_all());
        if goal.is_proof && !goal.turns.is_all() {
            return Err(Problem::turns_not_provable().in_field(search.field_of_turns()));
        }
        if goal.is_proof && !matches!(goal.metric, Metric::Htm | Metric::Qtm) {
            return Err(Problem::metric_not_provable(goal.metric));
        }
        Ok(())
    }

    /// Takes absent options of a line from the query. Only a proof lists all solutions.
    pub(crate) fn or_of_query(self, query: &Self) -> Self {
        let own = self.all_solutions;
        let options = self.or(query);
        Self { all_solutions: if options.is_optimal() { options.all_solutions } else { own }, ..options }
    }
}

fields! {
    /// Threads of a search.
    #[derive(Args)]
    pub struct ThreadOptions {
        /// Number of threads for this search (default: 1). A value above the server's maximum is refused.
        #[schema(minimum = 1)]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024),
            help = "Number of search threads [default: 1; with --batch or --optimal one per core]",
            long_help = "Number of search threads [default: 1; with --batch or --optimal one per core]\n\n\
                All threads search one cube together. In a batch each thread searches its own cubes. Without one, it \
                helps with the proofs of the others.")]
        pub threads: Option<u32>,
    }
}

impl ThreadOptions {
    pub(super) const RANGES: [(&str, Range); 1] = [("threads", (1, None))];

    /// Sets the number of threads of a goal that is a proof or not.
    pub(super) fn set(&self, goal: &mut Goal, config: &Config) -> Result<(), Problem> {
        // Counting the cores is a system call, so do it only if the option is given.
        goal.threads = self.threads.map_or(Ok(1), |count| {
            let most = if goal.is_proof { config.optimal.threads() } else { config.search.max_threads_per_solve() };
            in_range("threads", count, 1..=most as u64, of_server(config))
        })?;
        Ok(())
    }
}
