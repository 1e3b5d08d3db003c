//! Problems of coordinates: invalid expressions, and spaces that cannot be built.

use super::codes::Code;
use super::document::Problem;
use crate::service::did_you_mean::nearest;
use crate::service::pool::Refused;
use crate::service::spaces::SpacesError;
use crate::space::expression::ExpressionError;
use crate::space::{SpaceError, catalogue, group};

/// Route of the catalogue.
const ROUTE: &str = "GET /coords";

impl From<ExpressionError> for Problem {
    fn from(error: ExpressionError) -> Self {
        expression_problem(&error, ROUTE)
    }
}

impl From<SpacesError> for Problem {
    fn from(error: SpacesError) -> Self {
        space_problem(error, ROUTE)
    }
}

/// Returns the problem for an invalid expression. `catalogue` names the source of the catalogue, such as `GET /coords`.
pub fn expression_problem(error: &ExpressionError, catalogue: &str) -> Problem {
    match error {
        ExpressionError::Unknown { what: "construction", name } => {
            let detail = format!(
                "Unknown construction `{name}(`; expected one of: comp, sym, symcomp. {catalogue} explains them."
            );
            Problem::new(Code::Expression, detail)
        }
        ExpressionError::Unknown { what, name } => {
            let suggestion = match *what {
                "group" => nearest(name, group::GROUPS.iter().map(|group| group.name)),
                _ => nearest(name, catalogue::names()),
            };
            let hint = suggestion.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
            let detail = format!("Unknown {what} `{name}`.{hint} {catalogue} lists the known ones.");
            Problem::new(Code::UnknownCoordinate, detail)
        }
        ExpressionError::Syntax { position, message } => {
            let detail = format!("Invalid expression at character {position}: {message}.");
            Problem::new(Code::Expression, detail).with(|document| document.position = Some(*position))
        }
        ExpressionError::Senseless(message) => {
            Problem::new(Code::Expression, format!("Impossible coordinate: {message}."))
        }
    }
}

/// Returns the problem for a space that cannot be built. `catalogue` is the same as for [`expression_problem`].
pub fn space_problem(error: SpacesError, catalogue: &str) -> Problem {
    let code = match error {
        SpacesError::Refused(refused) => return refused.into(),
        SpacesError::Space(SpaceError::Stopped) => return Refused::ShuttingDown.into(),
        // These messages already say what to do.
        SpacesError::Space(error @ (SpaceError::NoDistances { .. } | SpaceError::OnlyResidues { .. })) => {
            return Problem::new(Code::NoDistances, sentence(&error.to_string()));
        }
        SpacesError::Space(SpaceError::TooLarge { .. }) => Code::SpaceTooLarge,
        SpacesError::Space(SpaceError::DoesNotAct { .. }) => Code::DoesNotAct,
    };
    let hint = match code {
        Code::SpaceTooLarge => " (coords.max_space_values and coords.cache_bytes in its configuration)".to_owned(),
        _ => format!(". {catalogue} lists for each coordinate the symmetries that act"),
    };
    Problem::new(code, sentence(&format!("{error}{hint}")))
}

/// Converts a message to a sentence.
fn sentence(message: &str) -> String {
    let message = message.strip_prefix("the ").map_or_else(|| message.to_owned(), |rest| format!("The {rest}"));
    format!("{message}.")
}
