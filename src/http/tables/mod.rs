//! `/tables`: the precomputed tables of the running service, to be looked at, fetched and checked.

pub mod raw;
pub mod rows;
pub mod verify;

use axum::Json;
use axum::extract::State;

use super::AppState;
use super::dto::{TableResponse, TablesResponse};
use super::error::{Code, Problem};
use super::extract::{PathParts, short};
use super::openapi::{TableProblems, TablesProblems};
use crate::service::nearest::nearest;
use crate::tables::store::Table;
use crate::tables::{TableInfo, Tables};

/// Every table of the running service
///
/// Shapes in words, checksums and histograms, as `superflip tables list --json` has them.
#[utoipa::path(get, path = "/tables", tag = "tables", operation_id = "tables",
    responses((status = 200, description = "The tables", body = TablesResponse), TablesProblems))]
pub(super) async fn list(State(state): State<AppState>) -> Result<Json<TablesResponse>, Problem> {
    let tables = state.tables()?;
    Ok(Json(TablesResponse::new(tables.profile(), &tables.list())))
}

/// One table in full
///
/// With the encoding of its entries and the published distribution, where there is one.
#[utoipa::path(get, path = "/tables/{name}", tag = "tables", operation_id = "table",
    params(("name" = String, Path, description = "The name of a table", example = "twist_move")),
    responses((status = 200, description = "The table", body = TableResponse), TableProblems))]
pub(super) async fn one(
    State(state): State<AppState>,
    PathParts(name): PathParts<String>,
) -> Result<Json<TableResponse>, Problem> {
    Ok(Json((&named(&*state.tables()?, &name)?.0).into()))
}

/// The table of this name.
fn named<'t>(tables: &'t Tables, name: &str) -> Result<(TableInfo, &'t Table), Problem> {
    tables.named(name).ok_or_else(|| {
        let list = tables.list();
        let meant = nearest(name, list.iter().map(|table| table.name));
        let meant = meant.map_or(".".into(), |name| format!("; did you mean `{name}`?"));
        let profile = tables.profile().name();
        let detail = format!(
            "The profile {profile} has no table `{}`{meant} GET /tables lists those that are there.",
            short(name)
        );
        Problem::new(Code::UnknownTable, detail)
    })
}
