//! Problems of tables that are being opened or built, are damaged, or are unavailable.

use super::codes::Code;
use super::document::Problem;
use crate::search::near::REACH;
use crate::service::tables::readiness::{Damage, Stage, Step};

impl Problem {
    /// The tables are being opened or built.
    pub fn tables_not_ready(step: Step) -> Self {
        let detail =
            format!("The tables are being {}. Retry later; GET /readyz reports the progress.", done_so_far(&step));
        Self::new(Code::TablesNotReady, detail).on_its_way(step)
    }

    fn on_its_way(self, step: Step) -> Self {
        self.with(|document| {
            document.retry_after_s = Some(if step.stage == Stage::Opening || step.permille >= 900 { 2 } else { 5 });
            document.progress = Some(step.into());
        })
    }

    /// The server has no table for optimal solutions.
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

    /// The table for optimal solutions is being opened or built.
    pub fn optimal_table_not_ready(step: Step) -> Self {
        let stage = if step == Step::first() {
            "is queued behind the other tables".to_owned()
        } else {
            format!("is being {}", done_so_far(&step))
        };
        let detail = format!(
            "The table for optimal solutions {stage}. Retry later; GET /readyz reports the progress. Requests without `optimal` still work."
        );
        Self::new(Code::OptimalTableNotReady, detail).on_its_way(step)
    }

    /// The table for optimal solutions could not be opened or built.
    pub fn optimal_table_failed(reason: &str) -> Self {
        let detail = format!(
            "The table for optimal solutions could not be opened or built: {reason}. The operator finds details in the log. Requests \
             without `optimal` still work."
        );
        Self::new(Code::OptimalTableFailed, detail)
    }

    /// The table for optimal solutions became ready while the cube was searched without it.
    pub fn optimal_table_just_ready() -> Self {
        let detail = "The table for optimal solutions became ready during this search. Send the request again.";
        Self::new(Code::OptimalTableNotReady, detail).with(|document| document.retry_after_s = Some(1))
    }

    /// The tables are opened or built anew.
    pub fn tables_damaged(damage: &Damage, step: Step) -> Self {
        let (damaged, done) = (&damage.table, done_so_far(&step));
        let detail = format!(
            "A check found the table {damaged} damaged, and nothing is answered with damaged tables: they are being {done}. \
             GET /readyz tells when they are there."
        );
        Self::tables_not_ready(step).with(|document| document.detail = detail)
    }

    /// The table for optimal answers is opened or built anew.
    pub fn optimal_table_damaged(damage: &Damage, step: Step) -> Self {
        let (damaged, done) = (&damage.table, done_so_far(&step));
        let detail = format!(
            "A check found the table {damaged} damaged, and nothing is proven with a damaged table: it is being {done}. GET /readyz tells how far it is; meanwhile solutions without `optimal` are to be had."
        );
        Self::optimal_table_not_ready(step).with(|document| document.detail = detail)
    }

    /// The tables of a search were found damaged while it ran.
    pub fn tables_lost(code: Code) -> Self {
        let detail = "A check found a table of this search damaged while it ran, so that its answer is worth nothing. The tables are \
                      being opened or built anew: ask again.";
        Self::new(code, detail).with(|document| document.retry_after_s = Some(5))
    }
}

/// "opened: 40 % done".
fn done_so_far(step: &Step) -> String {
    let percent = step.permille / 10;
    match step.stage {
        Stage::Opening => format!("opened: {percent} % done"),
        Stage::Waiting => "built by another process, which this one waits for".to_owned(),
        Stage::Building => format!("built: {percent} % done"),
    }
}
