//! Checks names, values and moves in requests for coordinates.

use crate::api::problem::{Code, Problem};
use crate::api::request::read::short;
use superflip_coords::space::{Space, SpaceState};
use superflip_solver::coord::INDEX_TWIST;

/// Splits a list of coordinates at the commas outside parentheses.
pub fn split_names(text: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let parts = text.split(|c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(|part| part.trim().to_owned()).collect()
}

/// Returns the state of a value.
///
/// # Errors
/// Returns an error for a value out of range, and for a value that no cube has.
pub fn checked(space: &Space, value: u64) -> Result<SpaceState, Problem> {
    let label = &space.plan().label;
    if value >= space.size() {
        return Err(value_out_of_range(space, &value.to_string()));
    }
    space.state(value).ok_or_else(|| {
        let reason = match space.plan().entry {
            Some(entry) if entry.descriptor == &INDEX_TWIST => {
                "the twists of its corners would not add up to a multiple of 3"
            }
            Some(_) => "an odd number of edges would be flipped",
            None => "its parts contradict each other",
        };
        Problem::new(Code::NoSuchValue, format!("No cube has the value {value} of `{label}`: {reason}."))
    })
}

/// Returns the problem for a value that is too large, also for its type.
pub fn value_out_of_range(space: &Space, value: &str) -> Problem {
    let (label, most) = (&space.plan().label, space.size() - 1);
    let detail = format!("Value {} of `{label}` is out of range; expected an integer from 0 to {most}.", short(value));
    Problem::new(Code::ValueOutOfRange, detail)
}

/// Returns the problem for a move after which the coordinate is undefined. `number` counts from 0.
pub fn move_not_valid(space: &Space, mv: &str, number: usize) -> Problem {
    let valid = space.moves().iter().map(|mv| mv.name()).collect::<Vec<_>>().join(" ");
    let label = &space.plan().label;
    let detail = format!(
        "Move {} of `moves`, {mv}, leaves phase 2, and `{label}` is undefined outside phase 2. Use only these moves: {valid}.",
        number + 1
    );
    Problem::new(Code::MoveNotValid, detail).in_field("moves")
}

#[cfg(test)]
mod tests {
    use super::split_names;

    #[test]
    fn commas_inside_an_expression_do_not_split() {
        assert_eq!(split_names("twist, comp(flip,slice) ,x"), ["twist", "comp(flip,slice)", "x"]);
        assert_eq!(split_names("a),b"), ["a)", "b"]);
        assert_eq!(split_names(""), [""]);
    }
}
