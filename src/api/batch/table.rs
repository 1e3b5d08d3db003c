//! Reads the cubes of a table: CSV with a header, such as the exports of csTimer and Twisty Timer, one row on each line.

use std::sync::OnceLock;

use crate::api::problem::{Code, Problem};

/// Beginning of the header of Twisty Timer, which has commas, while its rows have semicolons.
pub(super) const TWISTY_TIMER: &str = "Puzzle,Category,";

/// The column of a table that has the cubes.
pub struct Column {
    name: String,
    /// Separator of the rows, and index of the column. Set by the header; the error says that the header has no such column.
    place: OnceLock<Result<(char, usize), Problem>>,
}

impl Column {
    /// Creates the column with this name. The first line is then the header.
    pub fn new(name: String) -> Self {
        Self { name, place: OnceLock::new() }
    }

    /// Returns the cell of a row. Returns `None` for the header, which is the first line.
    ///
    /// # Errors
    /// Returns an error if the header has no column with this name, or the row has no such cell.
    pub(super) fn cell(&self, line: &str) -> Result<Option<String>, Problem> {
        let Some(place) = self.place.get() else {
            return self.place.get_or_init(|| self.find(line)).clone().map(|_| None);
        };
        let (separator, index) = place.clone()?;
        let Some(mut row) = cells(line, separator) else {
            return Err(unreadable("A quoted cell of the row does not end on this line. Remove line ends in cells."));
        };
        let cell = if index < row.len() { row.swap_remove(index) } else { String::new() };
        if cell.trim().is_empty() {
            // An empty text would be the solved cube.
            let detail =
                format!("The row has no cell `{}`, number {}. Add it, or remove the row.", self.name, index + 1);
            return Err(unreadable(detail));
        }
        Ok(Some(cell))
    }

    fn find(&self, header: &str) -> Result<(char, usize), Problem> {
        let separator = [';', '\t', ','].into_iter().find(|separator| header.contains(*separator)).unwrap_or(',');
        let names = cells(header, separator).unwrap_or_default();
        let Some(index) = names.iter().position(|name| name.trim().eq_ignore_ascii_case(self.name.trim())) else {
            let known = names.iter().map(|name| name.trim()).collect::<Vec<_>>().join("`, `");
            let detail = format!("The table has no column `{}`; its header names `{known}`.", self.name);
            return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("column"));
        };
        Ok((if header.starts_with(TWISTY_TIMER) { ';' } else { separator }, index))
    }
}

fn unreadable(detail: impl Into<String>) -> Problem {
    Problem::new(Code::UnreadableCube, detail.into())
}

/// Splits a row into cells. In quotes, a separator is text, and two quotes are one. Returns `None` if quotes do not end.
fn cells(row: &str, separator: char) -> Option<Vec<String>> {
    let (mut cells, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut symbols = row.chars().peekable();
    while let Some(symbol) = symbols.next() {
        match symbol {
            '"' if is_quoted && symbols.next_if_eq(&'"').is_some() => cell.push('"'),
            '"' if is_quoted || cell.is_empty() => is_quoted = !is_quoted,
            _ if symbol == separator && !is_quoted => cells.push(std::mem::take(&mut cell)),
            _ => cell.push(symbol),
        }
    }
    cells.push(cell);
    (!is_quoted).then_some(cells)
}
