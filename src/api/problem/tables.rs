//! Problems of tables that are being opened or built, are damaged, or are unavailable.

use super::codes::Code;
use super::document::Problem;
use crate::service::tables::integrity::Damage;
use crate::service::tables::readiness::{LoadProgress, LoadStage};
use superflip_cube::TurnSet;
use superflip_cube::metric::Metric;
use superflip_solver::search::near::REACH;

impl Problem {
    /// Creates the problem for tables that are being opened or built.
    pub fn tables_not_ready(progress: LoadProgress) -> Self {
        let detail =
            format!("The tables are being {}. Retry later; GET /readyz reports the progress.", done_so_far(&progress));
        Self::new(Code::TablesNotReady, detail).loading(progress)
    }

    fn loading(self, progress: LoadProgress) -> Self {
        self.with(|document| {
            let is_soon = progress.stage == LoadStage::Opening || progress.permille >= 900;
            document.retry_after_s = Some(if is_soon { 2 } else { 5 });
            document.progress = Some(progress);
        })
    }

    /// Creates the problem for a server without a table for optimal solutions.
    pub fn optimal_not_enabled() -> Self {
        let detail = "This server has no table for optimal solutions. The operator can add one with `superflip serve \
                      --optimal-table s` (or m, l, xl: 41 MB, 438 MB, 2.6 GB, 7.5 GB), or with `table = \"s\"` under `[optimal]` in the \
                      configuration. Requests without `optimal` still get a short solution.";
        Self::new(Code::OptimalNotEnabled, detail)
    }

    /// Adds that the near search cannot prove this cube, so that a table is needed.
    #[must_use]
    pub fn beyond_the_near_search(self, lower_bound: u8) -> Self {
        self.with(|document| {
            document.detail = format!(
                "This cube is at least {lower_bound} moves from solved, and a proof beyond {REACH} moves needs a table. {}",
                document.detail
            );
            document.field = Some("optimal".to_owned());
            document.lower_bound = Some(lower_bound);
        })
    }

    /// Creates the problem for a table for optimal solutions that is being opened or built.
    pub fn optimal_table_not_ready(progress: LoadProgress) -> Self {
        let stage = if progress == LoadProgress::first() {
            "is queued behind the other tables".to_owned()
        } else {
            format!("is being {}", done_so_far(&progress))
        };
        let detail = format!(
            "The table for optimal solutions {stage}. Retry later; GET /readyz reports the progress. Requests without `optimal` still work."
        );
        Self::new(Code::OptimalTableNotReady, detail).loading(progress)
    }

    /// Creates the problem for a table for optimal solutions that could not be opened or built.
    pub fn optimal_table_failed(reason: &str) -> Self {
        let detail = format!(
            "The table for optimal solutions could not be opened or built: {reason}. The operator finds details in the log. Requests \
             without `optimal` still work."
        );
        Self::new(Code::OptimalTableFailed, detail)
    }

    /// Creates the problem for a table for optimal solutions that became ready during a search without it.
    pub fn optimal_table_just_ready() -> Self {
        let detail = "The table for optimal solutions became ready during this search. Send the request again.";
        Self::new(Code::OptimalTableNotReady, detail).with(|document| document.retry_after_s = Some(1))
    }

    /// Creates the problem for a proof in a metric that has none.
    pub fn metric_not_provable(metric: Metric) -> Self {
        let name = metric.name();
        let detail = format!(
            "Solutions can be proven shortest in the metrics `htm` and `qtm` only, not in `{name}`. Remove `optimal`, or change `metric`."
        );
        Self::new(Code::MetricNotProvable, detail).in_field("metric")
    }

    /// Creates the problem for a proof with some turns only.
    pub fn turns_not_provable() -> Self {
        let detail = "Solutions can be proven shortest only if all turns are allowed. Remove `optimal`, or remove `faces` and `moves`.";
        Self::new(Code::MetricNotProvable, detail)
    }

    /// Creates the problem for a metric, or for turns in it, whose tables are being opened or built. `field` is the field that asks for them.
    pub fn metric_not_ready(field: &str, metric: Metric, turns: TurnSet, progress: LoadProgress) -> Self {
        let kind = kind_of(turns);
        let detail = format!(
            "The tables of the {kind} {} are {}. Retry later; GET /readyz reports the progress. Requests without `{field}` still work.",
            named(metric, turns),
            if progress == LoadProgress::first() {
                "not loaded yet".to_owned()
            } else {
                format!("being {}", done_so_far(&progress))
            }
        );
        Self::new(Code::MetricNotReady, detail).in_field(field).loading(progress)
    }

    /// Creates the problem for turns whose tables cannot be computed now, because those of other turns wait for it.
    pub fn too_many_sets_of_turns(field: &str) -> Self {
        let detail = format!(
            "The tables of several other sets of turns are being computed. Retry later, or leave out `{field}`."
        );
        let problem = Self::new(Code::Overloaded, detail).in_field(field);
        problem.with(|document| document.retry_after_s = Some(1))
    }

    /// Creates the problem for a metric whose tables could not be opened or built.
    pub fn metric_failed(field: &str, metric: Metric, turns: TurnSet, reason: &str) -> Self {
        let kind = kind_of(turns);
        let detail = format!(
            "The tables of the {kind} {} could not be opened or built: {reason}. The operator finds details in the log. Requests \
             without `{field}` still work.",
            named(metric, turns)
        );
        Self::new(Code::MetricFailed, detail).in_field(field)
    }

    /// Creates the problem for a metric whose tables this server may not build.
    pub fn metric_not_enabled(metric: Metric) -> Self {
        let name = metric.name();
        let detail = format!(
            "This server has no tables of the metric `{name}`. Remove `metric`, or ask the operator to add `{name}` to \
             `search.metrics_on_demand`."
        );
        Self::new(Code::MetricFailed, detail).in_field("metric")
    }

    /// Creates the problem for a damaged table. The service restarts.
    pub fn tables_damaged(damage: &Damage) -> Self {
        let detail = format!(
            "A check found the table {} damaged. The service restarts to rebuild it; retry in a few seconds.",
            damage.table
        );
        Self::new(Code::TablesNotReady, detail).with(|document| document.retry_after_s = Some(5))
    }
}

/// Returns what the tables are for.
fn kind_of(turns: TurnSet) -> &'static str {
    if turns.is_all() { "metric" } else { "turns" }
}

/// Formats progress, for example `opened: 40 % done`.
fn done_so_far(progress: &LoadProgress) -> String {
    let percent = progress.permille / 10;
    match progress.stage {
        LoadStage::Opening => format!("opened: {percent} % done"),
        LoadStage::Waiting => {
            "built after others: this server or another process builds tables in their folder".to_owned()
        }
        LoadStage::Building => format!("built: {percent} % done"),
    }
}

/// Names a metric, or the turns in it.
fn named(metric: Metric, turns: TurnSet) -> String {
    if turns.is_all() { format!("`{}`", metric.name()) } else { format!("`{turns}` in the metric `{}`", metric.name()) }
}
