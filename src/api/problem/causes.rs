//! Converts errors of the layers below into problems.

use std::time::Duration;

use super::{Code, Problem};
use crate::service::lanes::NotSolved;
use crate::service::nearest;
use crate::service::pool::Refused;
use crate::service::spaces::SpacesError;
use superflip_coords::space::expression::ExpressionError;
use superflip_coords::space::{SpaceError, catalogue, group};
use superflip_cube::forms::REID_REFUSAL;
use superflip_cube::{Form, FormError};
use superflip_solver::SolveError;
use superflip_solver::search::scramble::ScrambleError;

impl From<FormError> for Problem {
    fn from(error: FormError) -> Self {
        let (text, format) = (error.to_string(), error.format());
        let detail = match &error {
            // Of a field with one form.
            FormError::Impossible { format: None, .. } | FormError::Unreadable { format: None, .. } => {
                let hint =
                    if text.ends_with(REID_REFUSAL) { " Send it in `cube`, which takes every form." } else { "" };
                text + hint
            }
            FormError::Ambiguous(_) => format!("{} in `format`.", capitalised(&text)),
            FormError::Impossible { .. } => capitalised(&text),
            _ => sentence(&text),
        };
        let problem = match error {
            FormError::Ambiguous(readings) => Self::new(Code::AmbiguousCube, detail)
                .with(|document| document.readings = Some(readings.into_iter().map(Into::into).collect())),
            FormError::Unreadable { position, nearest, .. } => {
                let code =
                    if matches!(format, None | Some(Form::Scramble)) { Code::Notation } else { Code::UnreadableCube };
                let is_empty = |text: &String| text.trim().is_empty();
                // A correction that leaves nothing is no text to send.
                let remedy = if nearest.as_ref().is_some_and(is_empty) { " Leave it out." } else { "" };
                let nearest = nearest.filter(|text| !is_empty(text));
                let problem = Self::new(code, detail + remedy);
                problem.with(|document| (document.position, document.nearest) = (Some(position), nearest))
            }
            FormError::Impossible { violations, .. } => Self::new(Code::ImpossibleCube, detail)
                .with(|document| document.violations = Some(violations.into_iter().map(Into::into).collect())),
            FormError::UnknownStickers { .. } => Self::new(Code::UnknownStickers, detail),
            _ => Self::new(Code::UnreadableCube, detail),
        };
        problem.with(|document| document.format = format)
    }
}

impl From<SolveError> for Problem {
    fn from(error: SolveError) -> Self {
        let detail = sentence(&error.to_string());
        match error {
            // A search is cancelled by a shutdown, or by a client that disconnects. That client receives nothing, so answer as for a shutdown.
            SolveError::Cancelled { .. } => Refused::ShuttingDown.into(),
            SolveError::NoneWithin { max_length, best_length, lower_bound, .. } => {
                Self::new(Code::NoSolutionWithinLimits, detail).with(|document| {
                    document.max_length = Some(max_length);
                    document.best_length = Some(best_length);
                    document.lower_bound = Some(lower_bound);
                })
            }
            SolveError::Metric { turns, is_proof: true, .. } if !turns.is_all() => Self::turns_not_provable(),
            SolveError::Metric { metric, is_proof: true, .. } => Self::metric_not_provable(metric),
            SolveError::Outside { .. } => Self::new(Code::OutOfReach, detail),
            SolveError::Metric { .. } => Self::new(Code::MetricFailed, detail).in_field("metric"),
            SolveError::SeveralTargets { .. } => Self::new(Code::OptionOutOfRange, detail).in_field("metric"),
            SolveError::Unproven { lower_bound, .. } => Self::new(Code::OptimalNotEnabled, detail).with(|document| {
                document.field = Some("optimal".to_owned());
                document.lower_bound = Some(lower_bound);
            }),
        }
    }
}

impl From<ScrambleError> for Problem {
    fn from(error: ScrambleError) -> Self {
        let detail = sentence(&error.to_string());
        let (code, field) = match error {
            ScrambleError::Count { .. } | ScrambleError::TooFewCubes { .. } => (Code::OptionOutOfRange, "count"),
            ScrambleError::MaxLength { .. } => (Code::OptionOutOfRange, "max_length"),
            ScrambleError::MinLength { .. } => (Code::OptionOutOfRange, "min_length"),
            ScrambleError::Seed { .. } => (Code::OptionOutOfRange, "seed"),
            ScrambleError::NothingMoves { .. } => (Code::OptionOutOfRange, "subset"),
            ScrambleError::TimeLimit { .. } | ScrambleError::NoManeuver { .. } => {
                (Code::NoSolutionWithinLimits, "max_length")
            }
            ScrambleError::TooFewManeuvers { .. } => (Code::NoSolutionWithinLimits, "count"),
            ScrambleError::CrossLength { .. } => (Code::OptionOutOfRange, "cross_length"),
            ScrambleError::Contradiction { field, .. } => (Code::OptionOutOfRange, field),
            ScrambleError::Search(error) => return error.into(),
            ScrambleError::NoRandomness { reason } => {
                tracing::error!(reason, "the operating system supplied no random numbers");
                return Self::internal();
            }
            // Scrambles are cancelled by a shutdown, or by a client that disconnects, as searches are.
            ScrambleError::Cancelled => return Refused::ShuttingDown.into(),
        };
        Self::new(code, detail).with(|document| document.field = Some(field.to_owned()))
    }
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let detail = sentence(&refused.to_string());
        let (code, retry_after) = match refused {
            Refused::Overloaded(retry_after) | Refused::NoCore(retry_after) => (Code::Overloaded, retry_after),
            Refused::DeadlinePassed(retry_after) => (Code::DeadlineUnreachable, retry_after),
            Refused::ShuttingDown => (Code::ShuttingDown, Duration::from_secs(5)),
            Refused::Panicked(message) => {
                tracing::error!(panic = message, "a search panicked");
                return Self::internal();
            }
        };
        // A client that retries at once would be refused again.
        Self::new(code, detail).with(|document| document.retry_after_s = Some(retry_after.as_secs().max(1)))
    }
}

impl From<NotSolved> for Problem {
    fn from(error: NotSolved) -> Self {
        match error {
            NotSolved::Refused(refused) => refused.into(),
            NotSolved::Search(error) => error.into(),
        }
    }
}

impl Problem {
    /// Returns the problem of a machine for which there is no memory now.
    pub(crate) fn short_of_memory() -> Self {
        let detail = "Other searches use the memory for machines at the moment (search.memory_bytes). Retry later, or leave out states and \
                      actions.";
        Self::new(Code::Overloaded, detail).in_field("machine").with(|document| document.retry_after_s = Some(1))
    }
}

/// Capitalises the first letter, and adds a full stop unless there is one.
pub(super) fn sentence(text: &str) -> String {
    capitalised(text.strip_suffix('.').unwrap_or(text)) + "."
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

impl From<ExpressionError> for Problem {
    fn from(error: ExpressionError) -> Self {
        match error {
            ExpressionError::Unknown { what: "construction", name } => {
                let detail = format!(
                    "Unknown construction `{name}(`; expected one of: comp, sym, symcomp. GET /coords and `superflip coords` explain them."
                );
                Self::new(Code::Expression, detail)
            }
            ExpressionError::Unknown { what, name } => {
                let suggestion = match what {
                    "group" => nearest(&name, group::GROUPS.iter().map(|group| group.name)),
                    _ => nearest(&name, catalogue::names()),
                };
                let hint = suggestion.map_or(String::new(), |name| format!(" Did you mean `{name}`?"));
                let detail =
                    format!("Unknown {what} `{name}`.{hint} GET /coords and `superflip coords` list the known ones.");
                Self::new(Code::UnknownCoordinate, detail)
            }
            ExpressionError::Syntax { position, message } => {
                let detail = format!("Invalid expression at character {}: {message}.", position + 1);
                Self::new(Code::Expression, detail).with(|document| document.position = Some(position))
            }
            ExpressionError::Senseless(message) => {
                Self::new(Code::Expression, format!("Impossible coordinate: {message}."))
            }
        }
    }
}

impl From<SpacesError> for Problem {
    fn from(error: SpacesError) -> Self {
        match error {
            SpacesError::Refused(refused) => refused.into(),
            SpacesError::Space(error) => error.into(),
        }
    }
}

impl From<SpaceError> for Problem {
    fn from(error: SpaceError) -> Self {
        let detail = error.to_string();
        let (code, hint) = match error {
            SpaceError::Cancelled(_) => return Refused::ShuttingDown.into(),
            SpaceError::NoDistances { .. } => (
                Code::NoDistances,
                ". Download a coordinate that GET /coords lists with `pruning_table`, or compose one".to_owned(),
            ),
            SpaceError::OnlyResidues { label } => (
                Code::NoDistances,
                format!(
                    ". Download GET /tables/phase_one_residues/raw, ask for single values with GET /coords/{label}/{{value}}, or start \
                     the service with --profile standard"
                ),
            ),
            SpaceError::NoMemory => {
                return Self::new(Code::Overloaded, sentence(&detail))
                    .with(|document| document.retry_after_s = Some(5));
            }
            SpaceError::TooLarge { .. } => {
                (Code::SpaceTooLarge, " (coords.max_space_values and coords.cache_bytes)".to_owned())
            }
            SpaceError::TooMuchMemory { .. } => (
                Code::SpaceTooLarge,
                " (half of coords.cache_bytes; if that is 0, it is derived from the memory limit)".to_owned(),
            ),
            SpaceError::CompositionOff { .. } => (Code::SpaceTooLarge, " (coords.max_space_values is 0)".to_owned()),
            SpaceError::DoesNotAct { .. } => (
                Code::DoesNotAct,
                ". GET /coords and `superflip coords` list for each coordinate the symmetries that act".to_owned(),
            ),
        };
        Self::new(code, sentence(&(detail + &hint)))
    }
}
