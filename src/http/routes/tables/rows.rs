//! `/tables/{name}/rows/{index}`: entries of a table, as stored and decoded.

use axum::extract::State;

use crate::api::problem::{Code, Problem};
use crate::api::request::field_error::short;
use crate::api::request::options::out_of_range;
use crate::api::types::{RowQuery, RowResponse};
use crate::http::AppState;
use crate::http::contract;
use crate::http::extract::{PathParts, QueryString};
use crate::http::json::Json;
use crate::http::routes::tables::AvailableTables;

/// Maximum number of columns in a response.
const MAX_COLUMNS: u64 = 4096;

/// Get a row of a table
///
/// Returns the entries as stored and, if they are packed, decoded. `left` is the number of columns that follow.
#[contract::path(get, path = "/tables/{name}/rows/{index}", tag = "tables", operation_id = "table_row",
    params(("name" = String, Path, description = "Name of a table", example = "flip_slice_move"),
        ("index" = u64, Path, description = "Row, from 0", example = 7), RowQuery),
    responses((status = 200, description = "The row", body = RowResponse), contract::RowProblems))]
pub(crate) async fn get(
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
    let from = query.from.unwrap_or(0);
    if from >= columns {
        return Err(out_of_range("from", from, &format!("from 0 to {}, the last column of {name}", columns - 1)));
    }
    let count = query.count.unwrap_or(MAX_COLUMNS);
    if !(1..=MAX_COLUMNS).contains(&count) {
        return Err(out_of_range("count", count, &format!("from 1 to {MAX_COLUMNS}")));
    }
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
