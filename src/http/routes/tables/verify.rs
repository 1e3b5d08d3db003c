//! `/tables/{name}/verify`: checks a table, and returns the result or a stream of progress events.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::api::problem::Problem;
use crate::api::types::VerdictBody;
use crate::http::AppState;
use crate::http::contract;
use crate::http::events::{Message, Work};
use crate::http::extract::{NoQuery, PathParts, prefers};
use crate::http::json::{Json, event};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::http::routes::tables::AvailableTables;
use crate::service::pool::Refused;
use crate::service::tables::integrity::{self, CheckProgress, Damage};
use crate::service::telemetry::metrics::count_rejected;
use superflip_solver::tables::{CheckEffort, Conclusion, Verdict};
use superflip_solver::{Cancelled, Control, TableSet};

/// Minimum time between `progress` events.
const BETWEEN_EVENTS: Duration = Duration::from_millis(100);

/// Check a table
///
/// Computes the checksum of the table, recounts its histograms and compares them with published numbers. Recomputes every entry of the
/// smaller tables, and a sample of the large ones. For the coset table it recomputes a sample of entries and their neighbours. A wrong
/// table is reported with status 200 and `sound` false; the service then exits, and its next start rebuilds the table. If only the file is
/// missing, `sound` is true and a line of `report` says so. With `Accept: text/event-stream` the response is a stream of events:
/// `progress`, then `result`, or `problem` if the service stops. Closing the connection stops the check.
#[contract::path(post, path = "/tables/{name}/verify", tag = "tables", operation_id = "table_verify",
    params(("name" = String, Path, description = "Name of a table", example = "twist_move")),
    responses((status = 200, description = "The verdict as JSON; or events: `progress` with `CheckProgress`, `result` with `TableVerdict`",
        content((VerdictBody = "application/json"), (CheckProgress = "text/event-stream"))), contract::VerifyProblems))]
pub(crate) async fn post(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    _: NoQuery,
    RequestIdText(id): RequestIdText,
    facts: RequestFacts,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let available = AvailableTables::of(&state).inspect_err(|problem| count_rejected(problem.code().name()))?;
    available.named(&name)?;
    let channel = mpsc::unbounded_channel();
    let check = check(state, available, name, channel.0.clone());
    let vary = [(header::VARY, "accept")];
    if !prefers(&headers, "text/event-stream") {
        return Ok((vary, Json(check.await?)).into_response());
    }
    let check = async { Ok(event("result", &check.await?)) };
    let events = Work::new(channel, check).events().await?;
    let events = events.map(move |sent| {
        let sent = sent.unwrap_or_else(|problem| {
            facts.problem(&problem);
            event("problem", &problem.in_request(&id))
        });
        Ok::<_, Infallible>(sent)
    });
    Ok((vary, Sse::new(events).keep_alive(KeepAlive::default())).into_response())
}

/// Checks the table `name` on the background lane. Removes the files of a damaged set and reports the damage.
async fn check(
    state: AppState,
    available: AvailableTables,
    name: String,
    events: UnboundedSender<Message<Event>>,
) -> Result<VerdictBody, Problem> {
    // The check must start within half of the request timeout, so that the other half remains for it.
    let deadline = Instant::now() + state.config.server.request_timeout() / 2;
    let sent = Mutex::new(None::<(CheckProgress, Instant)>);
    let report = move |now: CheckProgress| {
        let mut sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads report out of order; the progress sent never decreases.
        let is_due = sent.is_none_or(|(last, at)| {
            last.stage != now.stage || (last.done < now.done && at.elapsed() >= BETWEEN_EVENTS)
        });
        if is_due {
            *sent = Some((now, Instant::now()));
            let _ = events.send(Message::Event(event("progress", &now)));
        }
    };
    let (of, recorder) = (name.clone(), state.clone());
    // The job itself records damage: its caller may have gone when it ends.
    let check = move |control: &Control| {
        let verdict = available.verify(&of, control)?;
        integrity::log_warning(&of, &verdict);
        if verdict.is_built_wrong {
            integrity::remove_files(available.files_in_set(&of));
        }
        if let Some(problem) = verdict.problem.clone() {
            let table = match verdict.conclusion {
                Conclusion::Unchecked(source) => source.to_owned(),
                _ => of,
            };
            recorder.report_damage(Damage { table, problem });
        }
        Ok(verdict)
    };
    let (verdict, elapsed) = tokio::select! {
        biased;
        checked = integrity::verify(state.lanes.background(), deadline, report, check) => checked?,
        () = stopped(&state) => return Err(Refused::ShuttingDown.into()),
    };
    Ok(VerdictBody::new(&name, verdict, elapsed))
}

/// Waits for the stop of the lanes, then for `GRACE`. A check that finds damage causes the stop and ends within `GRACE`. Under high CPU load,
/// a cancelled check may not run in time to see its stop flag.
async fn stopped(state: &AppState) {
    /// Half of the time that connections have for their last responses.
    const GRACE: Duration = Duration::from_millis(500);
    state.lanes.stopping().cancelled().await;
    tokio::time::sleep(GRACE).await;
}

impl AvailableTables {
    /// Checks the table `name`.
    fn verify(&self, name: &str, control: &Control) -> Result<Verdict, Cancelled> {
        let verdict = self.set_of(name).and_then(|set| set.verify(name, CheckEffort::Lean, control));
        verdict.unwrap_or_else(|| Ok(Verdict::missing("it is missing".into())))
    }

    /// Returns the files of all tables in the same set, because any may depend on this one.
    fn files_in_set(&self, name: &str) -> impl Iterator<Item = PathBuf> + use<> {
        let tables = self.set_of(name).map(TableSet::list).unwrap_or_default();
        tables.into_iter().map(|table| table.path)
    }
}
