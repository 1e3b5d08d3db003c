//! `/tables`: the precomputed tables of the running service, and their entries, as stored and decoded.

pub mod raw;
pub mod verify;

use axum::extract::State;

use crate::api::problem::{Code, Problem};
use crate::api::request::options::in_range;
use crate::api::request::read::short;
use crate::api::types::{RowQuery, RowResponse, TableResponse, TablesResponse};
use crate::http::extract::{NoQuery, PathParts, QueryString};
use crate::http::json::Json;
use crate::http::{AppState, contract};
use crate::service::nearest;
use superflip_cube::metric::Metric;
use superflip_solver::tables::{Table, TableInfo, specs};
use superflip_solver::{Profile, TableSet};

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
    responses((status = 200, description = "The tables", body = TablesResponse), contract::TablesProblems))]
pub(crate) async fn list(State(state): State<AppState>, _: NoQuery) -> Result<Json<TablesResponse>, Problem> {
    let available = AvailableTables::of(&state)?;
    Ok(Json(TablesResponse::new(available.profile, &available.sets)))
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
    responses((status = 200, description = "The row", body = RowResponse), contract::RowProblems))]
pub(crate) async fn row(
    State(state): State<AppState>,
    PathParts((name, index)): PathParts<(String, String)>,
    QueryString(query): QueryString<RowQuery>,
) -> Result<Json<RowResponse>, Problem> {
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
    Ok(Json(RowResponse {
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
