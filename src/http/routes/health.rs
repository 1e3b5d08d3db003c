//! Whether the process lives, whether it can solve, and what it has done so far.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use crate::api::problem::Problem;
use crate::api::types::{Live, OptimalReady, Ready};
use crate::http::AppState;
use crate::http::contract;
use crate::service::pool::Refused;
use crate::service::telemetry::process_metrics;

/// Whether the process lives
#[contract::path(get, path = "/livez", tag = "operation", operation_id = "livez",
    responses((status = 200, description = "It does", body = Live, example = json!({"status": "alive"})), contract::OperationProblems))]
pub(crate) async fn livez() -> Json<Live> {
    Json(Live { status: "alive" })
}

/// Whether it can solve
///
/// 503 with the progress before the tables are mapped, and while it shuts down. The table for optimal answers comes after them:
/// `optimal` tells how far it is, and does not hold up the rest. When a check finds
/// tables damaged that are in use, it is 503 again until they are opened or built anew. `memory` is there when there is too little of it
/// for the tables that were configured, and smaller ones are in use.
#[contract::path(get, path = "/readyz", tag = "operation", operation_id = "readyz",
    responses((status = 200, description = "The tables are mapped", body = Ready), contract::ReadinessProblems))]
pub(crate) async fn readyz(State(state): State<AppState>) -> Result<Json<Ready>, Problem> {
    if state.solver.pool().is_stopping() {
        return Err(Refused::ShuttingDown.into());
    }
    let tables = state.tables()?;
    let list = tables.list();
    let bytes = list.iter().map(|table| table.bytes).sum();
    let optimal = state.config.optimal.table.zip(state.optimal.as_ref());
    let optimal = optimal.map(|(size, readiness)| OptimalReady::new(size, readiness.get()));
    let memory = state.shortage.as_ref().map(Into::into);
    Ok(Json(Ready { status: "ready", profile: tables.profile().into(), tables: list.len(), bytes, optimal, memory }))
}

/// Metrics for Prometheus
#[contract::path(get, path = "/metrics", tag = "operation", operation_id = "metrics",
    responses((status = 200, description = "Prometheus text format", body = String, content_type = "text/plain"),
        contract::OperationProblems))]
pub(crate) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    // Should it panic, what it had to tell is missing.
    let _ = tokio::task::spawn_blocking(process_metrics::observe).await;
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], state.metrics.render())
}
