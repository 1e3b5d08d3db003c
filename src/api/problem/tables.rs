//! What is said when tables are not there: on their way, damaged, or never to come.

use super::codes::Code;
use super::document::Problem;
use crate::search::near::REACH;
use crate::service::tables::readiness::{Damage, Stage, Step};

impl Problem {
    /// The tables are on their way.
    pub fn tables_not_ready(step: Step) -> Self {
        let detail = format!("The tables are being {}. GET /readyz tells when they are there.", done_so_far(&step));
        Self::new(Code::TablesNotReady, detail).on_its_way(step)
    }

    fn on_its_way(self, step: Step) -> Self {
        self.with(|document| {
            document.retry_after_s = Some(if step.stage == Stage::Opening || step.permille >= 900 { 2 } else { 5 });
            document.progress = Some(step.into());
        })
    }

    /// The server has no table for optimal answers.
    pub fn optimal_not_enabled() -> Self {
        let detail = "This server has no table for optimal answers. The operator can add one with `superflip serve \
                      --optimal-table s` (or m, l, xl: 41 MB, 438 MB, 2.6 GB, 7.5 GB), or with `table = \"s\"` under `[optimal]` in its \
                      configuration. Without `optimal` this cube gets a short solution that is not proven shortest.";
        Self::new(Code::OptimalNotEnabled, detail)
    }

    /// The same problem for a cube that the near search cannot prove, which is why a table was needed.
    #[must_use]
    pub fn beyond_the_near_search(self, lower_bound: u8) -> Self {
        self.with(|document| {
            document.detail = format!(
                "This cube is at least {lower_bound} turns from solved, and a proof beyond {REACH} turns needs a table. {}",
                document.detail
            );
            document.field = Some("optimal".to_owned());
            document.lower_bound = Some(lower_bound);
        })
    }

    /// The table for optimal answers is on its way.
    pub fn optimal_table_not_ready(step: Step) -> Self {
        let stage = if step == Step::first() {
            "waits for its turn".to_owned()
        } else {
            format!("is being {}", done_so_far(&step))
        };
        let detail = format!(
            "The table for optimal answers {stage}. GET /readyz tells how far it is; meanwhile solutions without `optimal` are \
             to be had."
        );
        Self::new(Code::OptimalTableNotReady, detail).on_its_way(step)
    }

    /// The table for optimal answers could not be opened or built.
    pub fn optimal_table_failed(reason: &str) -> Self {
        let detail = format!(
            "The table for optimal answers could not be opened or built: {reason}. See the server's log. Without `optimal` \
             you get a short solution that is not proven shortest."
        );
        Self::new(Code::OptimalTableFailed, detail)
    }

    /// The table for optimal answers became ready while the cube was searched without it.
    pub fn optimal_table_just_ready() -> Self {
        let detail = "The table for optimal answers became ready while this cube was searched without it: ask again.";
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
