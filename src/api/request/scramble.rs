//! Checks a request for scrambles.

use super::options::out_of_range;
use crate::api::problem::{Code, Problem};
use crate::api::types::ScrambleQuery;
use crate::search::scramble::{
    DEFAULT_MAX_LENGTH, GREATEST_MAX_LENGTH, Kind, LEAST_MAX_LENGTH, MOST_SCRAMBLES, NameError, ScrambleRequest, Subset,
};

/// Returns the checked request, without a deadline.
///
/// # Errors
/// Returns an error for the first parameter that cannot be read or is out of range, and if the subset has too few cubes.
pub fn checked(query: ScrambleQuery) -> Result<ScrambleRequest, Problem> {
    let ScrambleQuery { kind, count, max_length, subset, seed, format: _ } = query;
    let count = count.unwrap_or(1);
    if !(1..=MOST_SCRAMBLES as u32).contains(&count) {
        return Err(out_of_range("count", count.into(), &format!("from 1 to {MOST_SCRAMBLES}")));
    }
    let max_length = max_length.unwrap_or(DEFAULT_MAX_LENGTH.into());
    if !(LEAST_MAX_LENGTH.into()..=GREATEST_MAX_LENGTH.into()).contains(&max_length) {
        let range = format!("from {LEAST_MAX_LENGTH} to {GREATEST_MAX_LENGTH}, because some cubes need 20 moves");
        return Err(out_of_range("max_length", max_length.into(), &range));
    }
    let kind = kind.map_or(Ok(Kind::default()), |name| name.parse()).map_err(|error| unreadable("kind", &error))?;
    let subset =
        subset.map_or(Ok(Subset::default()), |name| name.parse()).map_err(|error| unreadable("subset", &error))?;
    let request =
        ScrambleRequest { kind, count: count as usize, max_length: max_length as u8, subset, seed, deadline: None };
    request.check()?;
    Ok(request)
}

/// Returns the problem for a name that cannot be read.
fn unreadable(field: &str, error: &NameError) -> Problem {
    Problem::new(Code::InvalidField, format!("{error}.")).within(field)
}
