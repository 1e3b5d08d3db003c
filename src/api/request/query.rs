//! Reads the parameters of a query string strictly.

use serde::de::DeserializeOwned;

use super::value::Value;
use crate::api::problem::Problem;

/// Reads decoded parameters as a documented query.
///
/// # Errors
/// Returns an error for a parameter that is unknown, missing, repeated or of the wrong type.
pub(crate) fn parse<T: DeserializeOwned>(parameters: &[(String, String)]) -> Result<T, Problem> {
    T::deserialize(Value::query(parameters)).map_err(|error| error.problem("query", ""))
}
