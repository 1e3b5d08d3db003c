//! `/tables/{name}/verify`: checks a table, and returns the result or a stream of progress events.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::api::problem::Problem;
use crate::api::types::{CheckProgress, VerdictBody};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::PathParts;
use crate::http::routes::pages::prefers;
use crate::http::routes::tables::AvailableTables;
use crate::service::tables::integrity::{self, Damage, VerifyProgress};
use crate::tables::{CheckControl, Conclusion, Stopped, Trust, Verdict};

/// Minimum time between `progress` events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(100);

/// Check a table
///
/// Computes the checksum of the table, recounts its histograms and compares them with published numbers. Recomputes every entry of the
/// smaller tables, and a sample of the large ones. For the coset table it recomputes a sample of entries and their neighbours. A wrong
/// table is reported with status 200 and `sound` false; the service then exits, and its next start rebuilds the table. With
/// `Accept: text/event-stream` the response is a stream of events: `progress`, then `result`, or `problem` if the service stops. Closing
/// the connection stops the check.
#[contract::path(post, path = "/tables/{name}/verify", tag = "tables", operation_id = "table_verify",
    params(("name" = String, Path, description = "Name of a table", example = "phase_two_corners")),
    responses((status = 200, description = "The verdict as JSON; or events: `progress` with `CheckProgress`, `result` with `TableVerdict`",
        content((VerdictBody = "application/json"), (CheckProgress = "text/event-stream"))), contract::VerifyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    // Refuse, and count as rejected, while tables are not loaded.
    state.tables_for_work()?;
    let available = AvailableTables::of(&state)?;
    available.named(&name)?;
    let (sender, progress) = watch::channel(None);
    let check = Box::pin(check(state, available, name, sender));
    let vary = [(header::VARY, "accept")];
    if prefers(&headers, "text/event-stream") {
        return Ok((vary, Events { check: Some(check), progress, next: Instant::now() }.begin().await?).into_response());
    }
    Ok((vary, Json(check.await?)).into_response())
}

/// Checks the table `name` on the long lane. Removes the files of a damaged set and reports the damage.
async fn check(
    state: AppState,
    available: AvailableTables,
    name: String,
    progress: watch::Sender<Option<VerifyProgress>>,
) -> Result<VerdictBody, Problem> {
    // The check must start within half of the request timeout, so that the other half remains for it.
    let deadline = std::time::Instant::now() + state.config.server.request_timeout() / 2;
    let report = move |now: VerifyProgress| {
        // Threads report out of order; the progress sent never decreases.
        progress.send_if_modified(|last| {
            let is_new = last.is_none_or(|last| last.stage != now.stage || last.done < now.done);
            *last = if is_new { Some(now) } else { *last };
            is_new
        });
    };
    let of = name.clone();
    let check = move |watch: &CheckControl<'_>| {
        let verdict = available.verify(&of, watch)?;
        if verdict.trust == Trust::Nothing {
            integrity::remove_files(available.files_in_set(&of));
        }
        Ok(verdict)
    };
    let (verdict, elapsed) = integrity::verify(state.solver.long(), deadline, report, check).await?;
    if let Some(problem) = verdict.problem.clone() {
        let table = match verdict.conclusion {
            Conclusion::Unchecked(source) => source.to_owned(),
            _ => name.clone(),
        };
        state.report_damage(Damage { table, problem });
    }
    Ok(VerdictBody::new(&name, verdict, elapsed))
}

impl AvailableTables {
    /// Checks the table `name`.
    fn verify(&self, name: &str, watch: &CheckControl<'_>) -> Result<Verdict, Stopped> {
        if let Some(table) = self.optimal(name) {
            return table.verify(watch);
        }
        let known = self.tables.named(name).and_then(|(info, _)| self.tables.verify(info.id, watch));
        known.unwrap_or_else(|| Ok(Verdict::missing("it is missing".into())))
    }

    /// Returns the files of all tables in the same set, because any may depend on this one.
    fn files_in_set(&self, name: &str) -> impl Iterator<Item = PathBuf> + use<> {
        let tables = self.optimal(name).map_or_else(|| self.tables.list(), |table| vec![table.info()]);
        tables.into_iter().map(|table| table.path)
    }
}

/// A running check and its progress; dropping it stops the check.
struct Events {
    check: Option<BoxFuture<'static, Result<VerdictBody, Problem>>>,
    progress: watch::Receiver<Option<VerifyProgress>>,
    /// Earliest time of the next `progress` event.
    next: Instant,
}

impl Events {
    /// Waits until the check runs, then returns the stream. A refusal before that is returned with its own status.
    async fn begin(mut self) -> Result<Response, Problem> {
        let mut finished = None;
        if let Some(check) = self.check.as_mut() {
            tokio::select! {
                biased;
                Ok(()) = self.progress.changed() => {}
                done = check => finished = Some(done?),
            }
        }
        // Send the progress received so far as the first event.
        self.progress.mark_changed();
        if let Some(verdict) = finished {
            self.check = Some(Box::pin(std::future::ready(Ok(verdict))));
        }
        let events = stream::unfold(self, Self::event);
        Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
    }

    /// Returns the next event.
    async fn event(mut self) -> Option<(Result<Event, Infallible>, Self)> {
        let check = self.check.as_mut()?;
        let (next, progress) = (self.next, &mut self.progress);
        let next_progress = async {
            tokio::time::sleep_until(next).await;
            progress.changed().await.ok().and_then(|()| *progress.borrow_and_update())
        };
        let event = tokio::select! {
            biased;
            Some(now) = next_progress => {
                self.next = Instant::now() + BETWEEN_EVENTS;
                Event::default().event("progress").json_data(CheckProgress::from(now))
            }
            done = check => {
                self.check = None;
                match done {
                    Ok(verdict) => Event::default().event("result").json_data(verdict),
                    Err(problem) => Event::default().event("problem").json_data(problem.document()),
                }
            }
        };
        // Serialization of these types cannot fail.
        Some((Ok(event.unwrap_or_default()), self))
    }
}
