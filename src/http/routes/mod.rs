//! Handlers of the routes that are no operations: tables, health (here), the contract and the files of the page.

pub(crate) mod pages;
pub(crate) mod tables;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::api::problem::Problem;
use crate::api::types::{Liveness, Readiness, ReadyProfile, ReadyQuery, TableSet};
use crate::http::extract::QueryString;
use crate::http::json::Json;
use crate::http::{AppState, contract, operation};
use crate::service::pool::Refused;
use crate::service::tables::readiness::TableState;
use crate::service::telemetry::{log_queue, metrics};

operation! {
    routes {
        "/tables": get tables::list;
        "/tables/{name}": get tables::one;
        "/tables/{name}/rows/{index}": get tables::row;
        "/tables/{name}/raw": get tables::raw;
        "/tables/{name}/verify": post tables::verify;
        "/livez": get livez;
        "/readyz": get readyz;
        "/metrics": get metrics;
        "/version": get pages::version;
        "/openapi.yaml": get pages::openapi_yaml;
        "/openapi.json": get pages::openapi_json;
    }
    links {
        GET "/tables" "The precomputed tables";
        GET "/tables/twist_move/rows/0" "A row of a table";
        GET "/tables/twist_move/raw" "The file of a table";
        POST "/tables/{name}/verify" "Check a table";
        GET "/openapi.yaml" "The contract (also /openapi.json)";
        GET "/docs" "The contract as a page";
        GET "/version" "The version of the service";
        GET "/livez" "Liveness";
        GET "/readyz" "Readiness";
        GET "/metrics" "Metrics for Prometheus";
    }
    problems {}
}

/// Check that the process is alive
#[contract::path(get, path = "/livez", tag = "operation", operation_id = "livez",
    responses((status = 200, description = "The process is alive", body = Liveness, example = json!({"status": "alive"})), contract::OperationProblems))]
pub(crate) async fn livez() -> Json<Liveness> {
    Json(Liveness { status: "alive" })
}

/// Check that the service is ready
///
/// Returns the profile in use, and the state of every set of tables in `sets`. Until the configured profile is loaded, the service answers with
/// `tiny`. None of these states affects the status.
///
/// The status is 503 during shutdown, and after a check found a table damaged, until the service has restarted. With
/// `profile=configured`, it is also 503 with the progress until the tables of the configured profile are loaded. With
/// `tables.serve_while_building = false`, the same holds without this parameter.
#[contract::path(get, path = "/readyz", tag = "operation", operation_id = "readyz", params(ReadyQuery),
    responses((status = 200, description = "Requests that need tables are answered", body = Readiness), contract::ReadinessProblems))]
pub(crate) async fn readyz(
    State(state): State<AppState>,
    QueryString(query): QueryString<ReadyQuery>,
) -> Result<Json<Readiness>, Problem> {
    if state.lanes.stopping().is_cancelled() {
        return Err(Refused::ShuttingDown.into());
    }
    let tables = match query.profile {
        Some(ReadyProfile::Configured) => state.tables_of_profile().map_err(|problem| with_reason(problem, &state))?,
        None => state.tables()?,
    };
    let list = tables.list();
    let bytes = list.iter().map(|table| table.bytes).sum();
    let sets = state.shelf.states().into_iter().map(|(key, state)| TableSet::new(key, state)).collect();
    Ok(Json(Readiness { status: "ready", profile: tables.profile(), tables: list.len(), bytes, sets }))
}

/// Adds why the tables of the profile could not be loaded, as `sets` says it while others answer.
fn with_reason(problem: Problem, state: &AppState) -> Problem {
    let TableState::Failed { reason } = state.shelf.profile().get() else { return problem };
    problem.with(|document| {
        document.detail =
            format!("The tables could not be opened or built: {reason}. The operator finds details in the log.");
    })
}

/// Metrics for Prometheus
#[contract::path(get, path = "/metrics", tag = "operation", operation_id = "metrics",
    responses((status = 200, description = "Prometheus text format", body = String, content_type = "text/plain"),
        contract::OperationProblems))]
pub(crate) async fn metrics(State(state): State<AppState>) -> Result<impl IntoResponse, Problem> {
    // A panic here only omits the process metrics, so ignore it.
    let _ = tokio::task::spawn_blocking(metrics::observe_process).await;
    log_queue::observe();
    state.lanes.observe();
    state.spaces.observe();
    let text = metrics::render().map_err(|error| {
        tracing::error!(%error, "the metrics cannot be written");
        Problem::internal()
    })?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text))
}
