//! Problems of coordinates: invalid expressions, and spaces that cannot be built.

use super::causes::sentence;
use super::codes::Code;
use super::document::Problem;
use crate::service::did_you_mean::nearest;
use crate::service::pool::Refused;
use crate::service::spaces::SpacesError;
use superflip_coords::space::expression::ExpressionError;
use superflip_coords::space::{SpaceError, catalogue, group};

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
