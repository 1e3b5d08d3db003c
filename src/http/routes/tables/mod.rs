//! `/tables`: the precomputed tables of the running service, and their entries, as stored and decoded.

pub mod raw;
pub mod verify;

use std::sync::Arc;

use axum::extract::State;

use crate::api::problem::{Code, Problem};
use crate::api::request::options::in_range;
use crate::api::request::read::short;
use crate::api::types::{RowQuery, RowResponse, TableResponse, TablesResponse};
use crate::http::extract::{NoQuery, PathParts, QueryString};
use crate::http::json::Json;
use crate::http::{AppState, contract};
use crate::service::did_you_mean::nearest;
use crate::service::tables::readiness::Readiness;
use superflip_solver::tables::optimal::{OptimalTable, Size};
use superflip_solver::tables::{MetricTables, Table, TableInfo, Tables, specs};

/// The available tables: those of the profile, of the metrics that are loaded, and the coset tables once they are loaded.
#[derive(Clone)]
struct AvailableTables {
    profile: Arc<Tables>,
    metrics: Vec<Arc<MetricTables>>,
    optimal: Vec<Arc<OptimalTable>>,
}

/// Tables that are opened and built together.
#[derive(Clone, Copy)]
enum TableSet<'t> {
    Profile(&'t Tables),
    Metric(&'t MetricTables),
    Optimal(&'t OptimalTable),
}

impl<'t> TableSet<'t> {
    fn list(self) -> Vec<TableInfo> {
        match self {
            Self::Profile(tables) => tables.list(),
            Self::Metric(tables) => tables.list(),
            Self::Optimal(table) => vec![table.info()],
        }
    }

    fn named(self, name: &str) -> Option<(TableInfo, &'t Table)> {
        match self {
            Self::Profile(tables) => tables.named(name),
            Self::Metric(tables) => tables.named(name),
            Self::Optimal(table) => Some((table.info(), table.table())).filter(|(info, _)| info.name == name),
        }
    }
}

impl AvailableTables {
    /// Returns the tables available now.
    fn of(state: &AppState) -> Result<Self, Problem> {
        let optimal = state.optimal.as_ref().and_then(Readiness::loaded).into_iter().chain(state.metrics.proofs());
        Ok(Self {
            profile: state.tables_of_profile()?,
            metrics: state.metrics.all_loaded(),
            optimal: optimal.collect(),
        })
    }

    fn sets(&self) -> impl Iterator<Item = TableSet<'_>> {
        let of_metrics = self.metrics.iter().map(|tables| TableSet::Metric(tables));
        let optimal = self.optimal.iter().map(|table| TableSet::Optimal(table));
        std::iter::once(TableSet::Profile(&self.profile)).chain(of_metrics).chain(optimal)
    }

    fn list(&self) -> Vec<TableInfo> {
        self.sets().flat_map(TableSet::list).collect()
    }

    /// Finds the set that has the table `name`.
    fn set_of(&self, name: &str) -> Option<TableSet<'_>> {
        self.sets().find(|set| set.named(name).is_some())
    }

    /// Finds a table by name.
    fn named(&self, name: &str) -> Result<(TableInfo, &Table), Problem> {
        self.sets().find_map(|set| set.named(name)).ok_or_else(|| {
            let known_sizes = Size::every().map(|size| (size.spec(), "`--optimal-table`"));
            let of_metrics = specs::METRIC.iter().map(|spec| (spec, "`search.metrics`"));
            let known = known_sizes.chain(of_metrics).find(|(spec, _)| spec.name == name);
            let detail = if let Some((_, option)) = known {
                format!(
                    "The table `{name}` is not available. The server must be started with {option}, or have loaded it for a \
                     request; GET /readyz reports its state. GET /tables lists the available tables."
                )
            } else {
                let list = self.list();
                let suggestion = nearest(name, list.iter().map(|table| table.name));
                let suggestion = suggestion.map_or(".".into(), |name| format!("; did you mean `{name}`?"));
                let profile = self.profile.profile().name();
                let name = short(name);
                format!("The profile {profile} has no table `{name}`{suggestion} GET /tables lists the available tables.")
            };
            Problem::new(Code::UnknownTable, detail)
        })
    }
}

/// List the tables of the running service
///
/// Returns shapes, checksums and histograms, as printed by `superflip tables list --json`: of the tables of the profile, of each metric
/// that is loaded, and of the coset tables that are loaded.
#[contract::path(get, path = "/tables", tag = "tables", operation_id = "tables",
    responses((status = 200, description = "The tables", body = TablesResponse), contract::TablesProblems))]
pub(crate) async fn list(State(state): State<AppState>, _: NoQuery) -> Result<Json<TablesResponse>, Problem> {
    let available = AvailableTables::of(&state)?;
    Ok(Json(TablesResponse::new(available.profile.profile(), &available.list())))
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
