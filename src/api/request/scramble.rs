//! Checks a request for scrambles.

use super::options::{in_range, turns_of_faces};
use crate::api::problem::{Code, Problem};
use crate::api::types::{CubeRequest, CubeValue, ScrambleQuery};
use superflip_cube::{Cube, Face, TurnSet};
use superflip_solver::search::scramble::{
    Cross, DEFAULT_MAX_LENGTH, DEFAULT_MAX_LENGTH_OF_FACES, DEFAULT_MIN_LENGTH, MAX_CROSS_LENGTH, MAX_MAX_LENGTH,
    MAX_MIN_LENGTH, MAX_SCRAMBLES, MIN_MAX_LENGTH, NameError, ScrambleKind, ScrambleRequest, Subset,
};

/// Returns the request that reads the cubes that the scrambles must lead to ([`CubeRequest::destinations`]), if they are given.
pub fn given_cubes(query: &ScrambleQuery) -> Option<CubeRequest> {
    let given = CubeRequest {
        cube: query.cube.clone().map(CubeValue::Text),
        format: query.cube_format,
        target: query.target.clone().map(CubeValue::Text),
        target_format: query.target_format,
        target_up_to_rotation: query.target_up_to_rotation,
        target_up_to_turn: query.target_up_to_turn.clone(),
        ..CubeRequest::default()
    };
    let CubeRequest { cube, target, target_format, target_up_to_rotation, target_up_to_turn, .. } = &given;
    let describes_target = target_format.is_some() || target_up_to_rotation.is_some() || target_up_to_turn.is_some();
    (cube.is_some() || target.is_some() || describes_target).then_some(given)
}

/// Names the parameter that says the form of the cube: in other requests it is `format`.
#[must_use]
pub fn with_cube_format(problem: Problem) -> Problem {
    problem.with(|document| document.detail = document.detail.replace("`format", "`cube_format"))
}

/// Returns the checked request, without the cubes of [`given_cubes`].
///
/// # Errors
/// Returns an error for the first parameter that is out of range or has no effect, and if the subset has too few cubes.
pub fn checked(query: ScrambleQuery) -> Result<ScrambleRequest, Problem> {
    check_given(&query)?;
    let (has_cube, has_target) = (query.cube.is_some(), query.target.is_some());
    let cross = cross(&query)?;
    let ScrambleQuery { kind, count, max_length, min_length, subset, faces, seed, .. } = query;
    let turns = faces.map_or(Ok(TurnSet::ALL), |faces| turns_of_faces(&faces))?;
    let count = in_range("count", count.unwrap_or(1), 1..=MAX_SCRAMBLES as u64, "")?;
    let default_length = if turns.is_all() { DEFAULT_MAX_LENGTH } else { DEFAULT_MAX_LENGTH_OF_FACES };
    let max_length = max_length.unwrap_or(default_length.into());
    let lengths = MIN_MAX_LENGTH.into()..=MAX_MAX_LENGTH.into();
    let max_length = in_range("max_length", max_length, lengths, ", because some cubes need 20 moves")?;
    let min_length = min_length.unwrap_or(DEFAULT_MIN_LENGTH.into());
    let lengths = 0..=MAX_MIN_LENGTH.into();
    let min_length = in_range("min_length", min_length, lengths, ", because no cube needs more moves")?;
    let kind =
        kind.map_or(Ok(ScrambleKind::default()), |name| name.parse()).map_err(|error| unknown("kind", &error))?;
    let subset =
        subset.map_or(Ok(Subset::default()), |name| name.parse()).map_err(|error| unknown("subset", &error))?;
    let request =
        ScrambleRequest { kind, count, max_length, min_length, subset, turns, cross, seed, cubes: Vec::new() };
    // The cubes are read later; a target may have enough of them.
    let cubes = if has_target { count } else { usize::from(has_cube) };
    ScrambleRequest { cubes: vec![Cube::SOLVED; cubes], ..request.clone() }.check()?;
    Ok(request)
}

/// Reads the cross that the cubes must have.
fn cross(query: &ScrambleQuery) -> Result<Option<Cross>, Problem> {
    let refused = |detail: String| Err(Problem::new(Code::OptionOutOfRange, detail).in_field("cross_face"));
    match (query.cross_length, query.cross_face.as_deref()) {
        (None, None) => Ok(None),
        (None, Some(_)) => {
            refused("`cross_face` is the face of the cross; give `cross_length`, or remove `cross_face`.".to_owned())
        }
        (Some(length), face) => {
            let lengths = 1..=MAX_CROSS_LENGTH.into();
            let why = ", because no cross needs more moves; the subset `after_cross` has cubes with a solved cross";
            let length = in_range("cross_length", length, lengths, why)?;
            let mut letters = face.unwrap_or("D").chars();
            match (letters.next().and_then(Face::from_letter), letters.next()) {
                (Some(face), None) => Ok(Some(Cross { face, length })),
                _ => refused("`cross_face` must be one of the letters U, R, F, D, L and B.".to_owned()),
            }
        }
    }
}

/// Checks that no parameter contradicts `cube` or `target`, or describes a cube that is not given.
fn check_given(query: &ScrambleQuery) -> Result<(), Problem> {
    let refused = |field: &str, detail: &str| Err(Problem::new(Code::OptionOutOfRange, detail).in_field(field));
    if query.cube.is_none() && query.cube_format.is_some() {
        return refused("cube_format", "`cube_format` is the form of `cube`; give `cube`, or remove `cube_format`.");
    }
    let given = match (&query.cube, &query.target) {
        (None, None) => return Ok(()),
        (Some(_), None) => "cube",
        (None, Some(_)) => "target",
        (Some(_), Some(_)) => {
            return refused("target", "`cube` and `target` both say where the scrambles lead; remove one of them.");
        }
    };
    let drawing = [
        ("min_length", query.min_length.is_some()),
        ("subset", query.subset.is_some()),
        ("cross_length", query.cross_length.is_some()),
        ("cross_face", query.cross_face.is_some()),
        ("seed", query.seed.is_some()),
    ];
    if let Some((field, _)) = drawing.into_iter().find(|(_, is_given)| *is_given) {
        let detail =
            format!("`{field}` is for random cubes, but `{given}` gives the cube; remove `{field}` or `{given}`.");
        return refused(field, &detail);
    }
    if query.kind.as_deref() == Some(ScrambleKind::NoInspection.name()) {
        let detail = format!(
            "A scramble of kind `333ni` ends in a random holding, so it does not lead to `{given}` as it is given; use the kind `333`."
        );
        return refused("kind", &detail);
    }
    Ok(())
}

/// Returns the problem for a name that is not one of those known.
fn unknown(field: &str, error: &NameError) -> Problem {
    Problem::new(Code::OptionOutOfRange, format!("{error}.")).within(field)
}
