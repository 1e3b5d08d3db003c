//! Names, values and maneuvers of coordinates, from request to checked values.

use crate::api::problem::{Code, Problem};
use crate::coord::INDEX_TWIST;
use crate::space::{Space, SpaceState};

/// Splits at the commas that are not inside an expression.
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

/// The state of a value.
///
/// # Errors
/// When it is out of range, or no cube has it.
pub fn checked(space: &Space, value: u64) -> Result<SpaceState, Problem> {
    let label = &space.plan().label;
    if value >= space.size() {
        let detail = format!("`{label}` has the values 0 to {}; {value} is none of them.", space.size() - 1);
        return Err(Problem::new(Code::ValueOutOfRange, detail));
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

/// A turn leads out of where the coordinate is valid.
pub fn turn_not_valid(space: &Space, turn: &str, number: usize) -> Problem {
    let valid = space.turns().iter().map(|turn| turn.name()).collect::<Vec<_>>().join(" ");
    let label = &space.plan().label;
    let detail = format!(
        "Turn {} of `moves`, {turn}, leads out of phase 2, where alone `{label}` has values. Turns that do not: {valid}.",
        number + 1
    );
    Problem::new(Code::TurnNotValid, detail).with(|document| document.field = Some("moves".into()))
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
