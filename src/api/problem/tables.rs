//! Problems of tables that are being opened or built, are damaged, or are unavailable.

use super::{Code, Problem};
use crate::service::tables::integrity::Damage;
use crate::service::tables::readiness::{LoadStage, TableProgress};
use crate::service::tables::shelf::{Missing, Why};
use superflip_cube::metric::Metric;
use superflip_solver::search::near::REACH;
use superflip_solver::tables::Role;

impl Problem {
    /// Creates the problem for a set of tables that is not loaded. `field` is the field that asks for it.
    pub fn missing(field: &str, Missing { key, why }: &Missing) -> Self {
        let (metric, turns) = (key.steps.metric.name(), key.steps.turns);
        let (set, [not_ready, failed], others) = match key.role {
            _ if key.is_profile() => ("The tables".to_owned(), [Code::TablesNotReady, Code::TablesFailed], None),
            Role::Proofs(_) => (
                "The tables for optimal solutions".to_owned(),
                [Code::OptimalTableNotReady, Code::OptimalTableFailed],
                Some("optimal"),
            ),
            Role::Phases(_) => {
                let of = if turns.is_all() {
                    format!("The tables of the metric `{metric}`")
                } else {
                    format!("The tables of the turns `{turns}` in the metric `{metric}`")
                };
                (of, [Code::MetricNotReady, Code::MetricFailed], Some(field))
            }
        };
        let others = others.map_or_else(String::new, |field| format!(" Requests without `{field}` still work."));
        let problem = match why {
            Why::Loading(progress) => {
                let state = if *progress == TableProgress::first() {
                    "are not loaded yet".to_owned()
                } else {
                    format!("are being {}", done_so_far(progress))
                };
                let is_soon = progress.stage == LoadStage::Opening || progress.permille >= 900;
                let detail = format!("{set} {state}. Retry later; GET /readyz reports the progress.{others}");
                Self::new(not_ready, detail).with(|document| {
                    document.retry_after_s = Some(if is_soon { 2 } else { 5 });
                    document.progress = Some(progress.clone());
                })
            }
            Why::JustReady => {
                let detail = format!("{set} became ready during this request. Send it again.");
                Self::new(not_ready, detail).with(|document| document.retry_after_s = Some(1))
            }
            // The reason is for the operator only: without the profile, the service is not ready.
            Why::Failed(reason) if key.is_profile() => {
                tracing::debug!(reason, "a request needs tables that could not be loaded");
                let detail = format!("{set} could not be opened or built. The operator finds the reason in the log.");
                Self::new(failed, detail)
            }
            Why::Failed(reason) => {
                let detail = format!(
                    "{set} could not be opened or built: {reason}. The operator finds details in the log.{others}"
                );
                Self::new(failed, detail)
            }
            Why::TooMany => {
                let detail = format!(
                    "The tables of several other sets of turns are being computed. Retry later, or leave out `{field}`."
                );
                Self::new(Code::Overloaded, detail).with(|document| document.retry_after_s = Some(1))
            }
            Why::NotEnabled => {
                let detail = format!(
                    "This server has no tables of the metric `{metric}`. Remove `metric`, or ask the operator to add `{metric}` to \
                     `search.metrics_on_demand`."
                );
                Self::new(failed, detail)
            }
        };
        if key.is_profile() || matches!(key.role, Role::Proofs(_)) { problem } else { problem.in_field(field) }
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
    pub(crate) fn beyond_the_near_search(self, lower_bound: u8) -> Self {
        self.with(|document| {
            document.detail = format!(
                "This cube is at least {lower_bound} moves from solved, and a proof beyond {REACH} moves needs a table. {}",
                document.detail
            );
            document.field = Some("optimal".to_owned());
            document.lower_bound = Some(lower_bound);
        })
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
    pub(crate) fn turns_not_provable() -> Self {
        let detail = "Solutions can be proven shortest only if all turns are allowed. Remove `optimal`, or remove `faces` and `moves`.";
        Self::new(Code::MetricNotProvable, detail)
    }

    /// Creates the problem for a damaged table. The service restarts.
    pub(crate) fn tables_damaged(damage: &Damage) -> Self {
        let detail = format!(
            "A check found the table {} damaged. The service restarts to rebuild it; retry in a few seconds.",
            damage.table
        );
        Self::new(Code::TablesNotReady, detail).with(|document| document.retry_after_s = Some(5))
    }
}

/// Formats progress, for example `opened: 40 % done`.
fn done_so_far(progress: &TableProgress) -> String {
    let percent = progress.permille / 10;
    match progress.stage {
        LoadStage::Opening => format!("opened: {percent} % done"),
        LoadStage::Waiting => {
            "built after others: this server or another process builds tables in their folder".to_owned()
        }
        LoadStage::Building => format!("built: {percent} % done"),
    }
}
