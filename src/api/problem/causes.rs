//! Converts errors of the layers below into problems.

use std::time::Duration;

use super::codes::Code;
use super::document::Problem;
use crate::cube::input::InputError;
use crate::search::SearchError;
use crate::service::pool::Refused;
use crate::service::solver::SolveError;

impl From<InputError> for Problem {
    fn from(error: InputError) -> Self {
        let detail = error.to_string();
        match error {
            InputError::Impossible(violations) => Self::new(Code::ImpossibleCube, detail)
                .with(|document| document.violations = Some(violations.into_iter().map(Into::into).collect())),
            InputError::Notation { position, .. } => {
                Self::new(Code::Notation, detail).with(|document| document.position = Some(position))
            }
        }
    }
}

impl From<SearchError> for Problem {
    fn from(error: SearchError) -> Self {
        let detail = format!("{}.", capitalised(&error.to_string()));
        match error {
            // A search is cancelled by a shutdown, or by a client that disconnects. That client receives nothing, so answer as for a shutdown.
            SearchError::Cancelled { .. } => Refused::ShuttingDown.into(),
            SearchError::NoSolutionWithinLimits { max_length, best_length, lower_bound, .. } => {
                Self::new(Code::NoSolutionWithinLimits, detail).with(|document| {
                    document.max_length = Some(max_length);
                    document.best_length = Some(best_length);
                    document.lower_bound = Some(lower_bound);
                })
            }
            SearchError::Unproven { lower_bound, .. } => Self::new(Code::OptimalNotEnabled, detail).with(|document| {
                document.field = Some("optimal".to_owned());
                document.lower_bound = Some(lower_bound);
            }),
        }
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let detail = format!("{}.", capitalised(&refused.to_string()));
        let (code, retry_after) = match refused {
            Refused::Overloaded { retry_after } => (Code::Overloaded, retry_after),
            Refused::DeadlineUnreachable { retry_after, .. } | Refused::DeadlinePassed { retry_after, .. } => {
                (Code::DeadlineUnreachable, retry_after)
            }
            Refused::ShuttingDown => (Code::ShuttingDown, Duration::from_secs(5)),
            Refused::Panicked(message) => {
                tracing::error!(panic = message, "a search panicked");
                return Self::internal();
            }
        };
        Self::new(code, detail).with(|document| document.retry_after_s = Some(retry_after.as_secs()))
    }
}

impl From<SolveError> for Problem {
    fn from(error: SolveError) -> Self {
        match error {
            SolveError::Refused(refused) => refused.into(),
            SolveError::Search(error) => error.into(),
        }
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
