//! `/tables`: the precomputed tables of the running service, and their entries, as stored and decoded; their files, sent from memory; and checks, with a result or a stream
//! of progress events.

use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use headers::LastModified;
use tokio::sync::mpsc::{self, UnboundedSender};

use crate::api::problem::{Code, Problem};
use crate::api::request::options::in_range;
use crate::api::request::read::short;
use crate::api::types::{RowQuery, TableList, TableResponse, TableRow, TableVerdict};
use crate::http::download::{File, body};
use crate::http::events::{Message, Work};
use crate::http::extract::{NoQuery, PathParts, QueryString, prefers};
use crate::http::json::{Json, event};
use crate::http::middleware::request_facts::RequestFacts;
use crate::http::middleware::request_id::RequestIdText;
use crate::http::{AppState, contract};
use crate::service::nearest;
use crate::service::pool::Refused;
use crate::service::tables::integrity::{self, CheckProgress, Damage};
use crate::service::telemetry::metrics::count_rejected;
use superflip_cube::metric::Metric;
use superflip_solver::tables::format::HEADER_BYTES;
use superflip_solver::tables::{CheckEffort, Conclusion, Table, TableInfo, Verdict, specs};
use superflip_solver::{Cancelled, Control, Profile, TableSet};

/// The sets of tables that are loaded, that of the profile first.
#[derive(Clone)]
struct AvailableTables {
    profile: Profile,
    sets: Vec<TableSet>,
}

impl AvailableTables {
    /// Returns the tables available now.
    fn of(state: &AppState) -> Result<Self, Problem> {
        Ok(Self { profile: state.tables_of_profile()?.profile(), sets: state.shelf.loaded() })
    }

    fn list(&self) -> Vec<TableInfo> {
        self.sets.iter().flat_map(TableSet::list).collect()
    }

    /// Finds the set that has the table `name`.
    fn set_of(&self, name: &str) -> Option<&TableSet> {
        self.sets.iter().find(|set| set.named(name).is_some())
    }

    /// Finds a table by name.
    fn named(&self, name: &str) -> Result<(TableInfo, &Table), Problem> {
        self.sets.iter().find_map(|set| set.named(name)).ok_or_else(|| {
            let known = specs::named(name).filter(|spec| spec.size.is_some() || spec.metric != Metric::Htm);
            let detail = if let Some(spec) = known {
                let option = if spec.size.is_some() { "`--optimal-table`" } else { "`search.metrics`" };
                format!(
                    "The table `{name}` is not available. The server must be started with {option}, or have loaded it for a \
                     request; GET /readyz reports its state. GET /tables lists the available tables."
                )
            } else {
                let list = self.list();
                let suggestion = nearest(name, list.iter().map(|table| table.name));
                let suggestion = suggestion.map_or(".".into(), |name| format!("; did you mean `{name}`?"));
                let profile = self.profile.name();
                let name = short(name);
                format!("The profile {profile} has no table `{name}`{suggestion} GET /tables lists the available tables.")
            };
            Problem::new(Code::UnknownTable, detail)
        })
    }
}

/// List the tables of the running service
///
/// Returns shapes, checksums and histograms, as printed by `superflip tables list --json`, of every set of tables that is loaded.
#[contract::path(get, path = "/tables", tag = "tables", operation_id = "tables",
    responses((status = 200, description = "The tables", body = TableList), contract::TablesProblems))]
pub(crate) async fn list(State(state): State<AppState>, _: NoQuery) -> Result<Json<TableList>, Problem> {
    let available = AvailableTables::of(&state)?;
    Ok(Json(TableList::new(available.profile, &available.sets)))
}

/// Get a table
///
/// Returns the full description, with the encoding of its entries and the published distribution, if there is one.
#[contract::path(get, path = "/tables/{name}", tag = "tables", operation_id = "table",
    params(("name" = String, Path, description = "Name of a table", example = "twist_move")),
    responses((status = 200, description = "The table", body = TableResponse), contract::TableProblems))]
pub(crate) async fn one(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    _: NoQuery,
) -> Result<Json<TableResponse>, Problem> {
    Ok(Json((&AvailableTables::of(&state)?.named(&name)?.0).into()))
}

/// Maximum number of columns in a response.
const MAX_COLUMNS: u64 = 4096;

/// Get a row of a table
///
/// Returns the entries as stored and, if they are packed, decoded. `left` is the number of columns that follow.
#[contract::path(get, path = "/tables/{name}/rows/{index}", tag = "tables", operation_id = "table_row",
    params(("name" = String, Path, description = "Name of a table", example = "twist_move"),
        ("index" = u64, Path, description = "Row, from 0", example = 7), RowQuery),
    responses((status = 200, description = "The row", body = TableRow), contract::RowProblems))]
pub(crate) async fn row(
    State(state): State<AppState>,
    PathParts((name, index)): PathParts<(String, String)>,
    QueryString(query): QueryString<RowQuery>,
) -> Result<Json<TableRow>, Problem> {
    let available = AvailableTables::of(&state)?;
    let (info, table) = available.named(&name)?;
    let (rows, columns) = (info.shape.rows.count(), info.shape.columns.count());
    let range = format!("an integer from 0 to {}", rows - 1);
    // Report a number that overflows like one beyond the last row.
    if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
        let detail = format!("`{}` in the path is not a row of {name}; expected {range}.", short(&index));
        return Err(Problem::new(Code::InvalidPath, detail));
    }
    let row = index.parse().ok().filter(|row| *row < rows).ok_or_else(|| {
        Problem::new(Code::UnknownRow, format!("The table {name} has no row {}; expected {range}.", short(&index)))
    })?;
    let last = format!(", the last column of {name}");
    let from = in_range("from", query.from.unwrap_or(0), 0..=columns - 1, &last)?;
    let count: u64 = in_range("count", query.count.unwrap_or(MAX_COLUMNS), 1..=MAX_COLUMNS, "")?;
    let end = columns.min(from + count);
    let entries: Vec<u64> = (from..end).filter_map(|column| table.entry(row * columns + column)).collect();
    let decoded = entries.iter().map(|&entry| info.shape.entry.decode(entry).map(Into::into)).collect();
    Ok(Json(TableRow {
        table: info.name,
        row,
        columns,
        from,
        count: end - from,
        left: columns - end,
        next: (end < columns).then(|| format!("/tables/{name}/rows/{row}?from={end}&count={count}")),
        entries,
        decoded,
    }))
}

/// Download the file of a table
///
/// The file as on disk, not compressed, with a strong `ETag`. One byte range is supported (`Range`, `If-Range`); several ranges return the
/// whole file. `If-None-Match`, `If-Match` and the conditions on dates are supported.
#[contract::path(get, path = "/tables/{name}/raw", tag = "tables", operation_id = "table_raw",
    params(("name" = String, Path, description = "Name of a table", example = "twist_move"),
        ("Range" = Option<String>, Header, description = "Byte range, such as `bytes=4096-8191`"),
        ("If-Range" = Option<String>, Header, description = "ETag: the range applies only if the file still has it"),
        ("If-None-Match" = Option<String>, Header, description = "ETags: 304 if the file has one of them")),
    responses(
        (status = 200, description = "The whole file", content_type = "application/octet-stream", body = Vec<u8>,
            headers(("ETag" = String, description = "Strong validator of the file"), ("Accept-Ranges" = String, description = "`bytes`"),
                ("Content-Disposition" = String, description = "Name of the file"))),
        (status = 206, description = "The range", content_type = "application/octet-stream", body = Vec<u8>,
            headers(("Content-Range" = String, description = "Position of the range in the file"))),
        (status = 304, description = "The client's copy is current"),
        contract::RawProblems
    ))]
pub(crate) async fn raw(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
    _: NoQuery,
    method: Method,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let available = AvailableTables::of(&state)?;
    let (info, table) = available.named(&name)?;
    let (page, bytes) = (&table.whole_file()[..HEADER_BYTES], table.whole_file().len() as u64);
    let modified = table.metadata().and_then(|file| file.modified()).ok().map(LastModified::from);
    let file = File { name: &info.file_name(), page, bytes, modified };
    let (mut response, part) = file.response(&method, &headers)?;
    if let Some(part) = part {
        let whole = Bytes::from_owner(Mapped { available, name });
        #[allow(clippy::cast_possible_truncation)] // a part of the mapped entries
        let read = move |part: std::ops::Range<u64>| Ok(whole.slice(part.start as usize..part.end as usize));
        *response.body_mut() = body(part, read);
    }
    Ok(response)
}

/// The file of a table in memory. It keeps the tables mapped while it is sent.
struct Mapped {
    available: AvailableTables,
    name: String,
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self.available.named(&self.name).map_or(&[], |(_, table)| table.whole_file())
    }
}

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
        content((TableVerdict = "application/json"), (CheckProgress = "text/event-stream"))), contract::VerifyProblems))]
pub(crate) async fn verify(
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
) -> Result<TableVerdict, Problem> {
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
    Ok(TableVerdict::new(&name, verdict, elapsed))
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
