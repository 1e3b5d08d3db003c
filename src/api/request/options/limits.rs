//! Limits of a search, and the metric in which they count.

use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::{Range, in_range, of_server};
use crate::api::problem::Problem;
use crate::api::request::options::ProofOptions;
use crate::api::types::fields::{Fields as _, fields};
use crate::api::types::{SearchMetric, metric_of_name};
use crate::service::config::Config;
use crate::service::config::limits::{MAX_LENGTH, MAX_METRIC_LENGTH};
use superflip_cube::metric::Metric;
use superflip_solver::Goal;
use superflip_solver::search::usual_target;

fields! {
    /// Limits of a search.
    #[derive(Args, Serialize)]
    pub struct LimitOptions {
        /// Stop at the first solution of at most this many moves (default: 20). In another metric than `htm` or with some turns only: of at
        /// most this length, up to 60 (default: `qtm` 27, `stm` 19, `axht` 17, `axqt` 23; with some turns only 0).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 0, maximum = 60)]
        #[arg(long, value_name = "MOVES")]
        pub target_length: Option<u32>,
        /// Maximum length of a solution, up to 30, or 60 in another metric than `htm` or with some turns only; longer solutions are discarded (default: none).
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 0, maximum = 60)]
        #[arg(long, value_name = "MOVES")]
        pub max_length: Option<u32>,
        /// Time limit in milliseconds (default: 1000; with `optimal` 60000). The best solution found in that time is returned. For one
        /// cube it includes the wait for a thread, for a line of a batch it does not. A value above the server's maximum is refused.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(minimum = 1)]
        #[arg(long, value_name = "MS", help = "Return the best solution found after this time [default: 1000; for a proof none]")]
        pub time_limit_ms: Option<u64>,
        /// Metric in which all lengths count (default: `htm`). The first request in another metric may have to wait for its tables.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[arg(long, value_name = "METRIC", value_parser = metric_of_name,
            help = "Count all lengths in this metric: htm, qtm, stm, axht or axqt [default: htm]",
            long_help = "Count all lengths in this metric: htm, qtm, stm, axht or axqt [default: htm]\n\n\
                qtm counts a half turn as two. stm counts a turn of a slice, made of turns of two opposite faces, as one. axht and axqt are for \
                robots that turn opposite faces at once: axht counts such turns as one, axqt counts only the quarter turns of the face that \
                turns most. Tables of the metric are built on first use: 130 MB, with --profile standard up to 1.2 GB.")]
        pub metric: Option<SearchMetric>,
    }
}

impl LimitOptions {
    pub(super) const RANGES: [(&str, Range); 3] = [
        ("target_length", (0, Some(MAX_LENGTH as u64))),
        ("max_length", (0, Some(MAX_LENGTH as u64))),
        ("time_limit_ms", (1, None)),
    ];

    /// Suffix of the range of a length from 0 to [`MAX_LENGTH`]: what allows greater ones.
    const LONGER: &str = ", or to 60 in another metric than `htm` or with `faces` or `moves`";

    /// Returns the suffix of the range of an option.
    pub(super) fn after_range_of(option: &str) -> &'static str {
        if matches!(option, "target_length" | "max_length") { Self::LONGER } else { "" }
    }

    /// Returns the metric.
    pub(super) fn metric(&self) -> Metric {
        self.metric.map_or(Metric::Htm, Metric::from)
    }

    /// Sets the limits of a goal that has its metric, its turns and whether it is a proof, and returns the time limit.
    pub(super) fn set(&self, goal: &mut Goal, config: &Config) -> Result<Duration, Problem> {
        let Config { search, optimal: proofs, .. } = config;
        let is_usual = goal.metric == Metric::Htm && goal.turns.is_all();
        let (longest, why) = if is_usual { (MAX_LENGTH, Self::LONGER) } else { (MAX_METRIC_LENGTH, "") };
        let length = |name, length| in_range(name, length, 0..=longest.into(), why);
        goal.target_length = match self.target_length {
            Some(target) => length("target_length", target)?,
            // No length is known that searches with these turns reach soon.
            None if !goal.turns.is_all() => 0,
            None if goal.metric == Metric::Htm => search.default_target_length,
            None => usual_target(goal.metric),
        };
        goal.max_length = self.max_length.map(|most| length("max_length", most)).transpose()?;
        let (usual, most) = if goal.is_proof {
            (proofs.default_time_limit_ms, proofs.max_time_limit_ms)
        } else {
            (search.default_time_limit_ms, search.max_time_limit_ms)
        };
        let time_limit_ms = self.time_limit_ms.unwrap_or(usual);
        in_range("time_limit_ms", time_limit_ms, 1..=most, of_server(config)).map(Duration::from_millis)
    }

    /// Returns the time limit before the options are checked.
    pub fn time_limit(&self, Config { search, .. }: &Config) -> Duration {
        let limit = self.time_limit_ms.unwrap_or(search.default_time_limit_ms);
        Duration::from_millis(limit.min(search.max_time_limit_ms))
    }

    /// Takes absent options of a line from the query. A proof has no target length.
    pub(crate) fn or_of_query(self, query: &Self, proofs: &ProofOptions) -> Self {
        let own = self.target_length;
        let options = self.or(query);
        let target_length = if proofs.is_optimal() { own } else { options.target_length };
        Self { target_length, ..options }
    }
}

const _: () = assert!(MAX_METRIC_LENGTH == 60, "as the suffix says");
