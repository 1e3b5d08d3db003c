//! Requests for pictures of cubes.

pub mod query;

use std::ops::RangeInclusive;

use superflip_picture::parameters::{ParameterError, ParameterFault, Reading};
use superflip_picture::steps::{self, MAX_STEPS};
use superflip_picture::{Picture, Scene, moves};

use super::cube::ReadCube;
use super::options::in_range;
use crate::api::problem::{Code, Problem};
use crate::api::types::{ImageQuery, StepsQuery};

/// Least and greatest width of a picture of a step.
const STEP_PIXELS: RangeInclusive<u64> = 16..=256;

/// Creates the picture of a query, of `cube` if one is given.
///
/// # Errors
/// Returns an error for the first parameter that cannot be read or contradicts another.
pub fn picture(query: &ImageQuery, cube: Option<&ReadCube>, reading: Reading) -> Result<Scene, Problem> {
    let parameters = query.parameters();
    let picture = match cube {
        Some(ReadCube { cube, holding, .. }) => parameters.read_cube(cube, holding.unwrap_or_default(), reading),
        None => parameters.read(reading),
    };
    Ok(picture?.scene())
}

/// Draws the moves of a query on a cube, step by step.
///
/// # Errors
/// Returns an error for the first parameter that cannot be read or is out of range.
pub fn steps(query: &StepsQuery, cube: &ReadCube) -> Result<Scene, Problem> {
    let holding = cube.holding.unwrap_or_default();
    let start: Picture = query.parameters().read_cube(&cube.cube, holding, Reading::Strict)?;
    in_range::<u32>("size", start.pixels, STEP_PIXELS, "")?;
    let moves = moves::read(&query.solution, start.size).map_err(|error| {
        let position = error.position;
        Problem::new(Code::Notation, format!("`solution`: {error}."))
            .in_field("solution")
            .with(|document| document.position = Some(position))
    })?;
    if moves.len() > MAX_STEPS {
        let detail = format!("`solution` has {} moves; expected at most {MAX_STEPS}.", moves.len());
        return Err(Problem::new(Code::OptionOutOfRange, detail).in_field("solution"));
    }
    Ok(steps::scene(&start, &moves))
}

impl From<ParameterError> for Problem {
    fn from(error: ParameterError) -> Self {
        let (code, position) = match error.fault {
            ParameterFault::Syntax => (Code::InvalidField, None),
            ParameterFault::Range | ParameterFault::Conflict => (Code::OptionOutOfRange, None),
            ParameterFault::Moves(position) => (Code::Notation, Some(position)),
        };
        let problem = Self::new(code, format!("{error}.")).in_field(error.parameter);
        problem.with(|document| document.position = position)
    }
}
