//! Guesses whether an invalid argument of `superflip coords` is meant as a coordinate or as a cube.
//!
//! The error message should match the intention: `comp(twist` is not meant as a scramble, and `R U X` not as a coordinate.

use super::input::is_meant_as_facelets;
use crate::cube::input::{InputError, parse_scramble};
use crate::service::did_you_mean::nearest;
use crate::space::catalogue;

/// The intended kind of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meant {
    /// The name of a coordinate, or an expression.
    Coordinate,
    /// Facelets, a scramble, or standard input.
    Cube,
    /// One of the two.
    Either,
}

/// Guesses the intended kind of a text that is not a valid coordinate.
pub(crate) fn meant(text: &str) -> Meant {
    let text = text.trim();
    if matches!(text, "" | "-") || is_meant_as_facelets(text) {
        return Meant::Cube;
    }
    let Err(error) = parse_scramble(text) else { return Meant::Cube };
    let is_part = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let word = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
    let is_composed = text[word.len()..].trim_start().starts_with('(');
    let is_known = |name: &str| catalogue::find(name).is_some() || nearest(name, catalogue::names()).is_some();
    let is_construction = ["comp", "sym", "symcomp"].iter().any(|name| name.eq_ignore_ascii_case(word));
    if is_construction || is_known(word) || is_known(text) {
        return Meant::Coordinate;
    }
    let turns_end = match error {
        InputError::Notation { position, .. } => position,
        InputError::Impossible(_) => 0,
    };
    let is_whole = word.len() == text.len() && !word.is_empty();
    let is_composed = is_composed && turns_end < word.chars().count();
    match turns_end {
        0 if is_whole || is_composed => Meant::Coordinate,
        0 => Meant::Either,
        _ if is_composed && !word.contains(char::is_uppercase) => Meant::Coordinate,
        _ if is_composed || (is_whole && word.chars().all(char::is_alphabetic)) => Meant::Either,
        _ => Meant::Cube,
    }
}

#[cfg(test)]
mod tests {
    use super::{Meant, meant};
    use crate::space::expression;

    #[track_caller]
    fn all_are(wanted: Meant, texts: &[&str]) {
        for text in texts {
            assert!(expression::plan(text).is_err(), "{text} is a coordinate");
            assert_eq!(meant(text), wanted, "{text}");
        }
    }

    #[test]
    fn names_and_expressions_are_meant_as_coordinates() {
        all_are(
            Meant::Coordinate,
            &[
                "nope",
                "hello",
                "corner",
                "orientation",
                "twits",
                "Twister",
                "TWITS",
                "flips",
                "flip_slce",
                "slices",
                "edges",
                "size",
                "phase1",
                "corner_orientation",
                "index_cube",
                "index_cube.edge",
                "UDSlice",
                "cornperm",
                "123",
                "1236",
                "twist,",
                "twist)",
                "twist,flip",
                "twist flip",
                "twist 1236",
                "flip_slice_classes",
                "comp(twist",
                "comp(twist,",
                "comp(twist,slice",
                "comp twist",
                "com(twist,slice)",
                "comp(nope)",
                "comp()",
                "COMP(twist,flop)",
                "sym(twist)",
                "sym(twist,UD17)",
                "sim(twist,UD16)",
                "sym(twist",
                "symcomp(comp(twist,slice),flip)",
                "symcomp(sym(corner_perm,UD16),twist",
                "symcmp(sym(corner_perm,UD16),twist)",
                "nope(twist)",
                "edges(twist)",
                "twist(1236)",
                "edge_slice",
            ],
        );
    }

    #[test]
    fn turns_and_stickers_are_meant_as_cubes() {
        all_are(
            Meant::Cube,
            &[
                "-",
                "",
                "R U F",
                "RUF",
                "R U X",
                "R U Q",
                "R U R' U",
                "R U R' V'",
                "R U R4",
                "R2U2Q2",
                "R U R' U' (R",
                "(R U",
                "[R, U",
                "[R U]",
                "R U)",
                "RU'X",
                "R U R'; U'",
                "R U R' U' nope",
                "r u x q",
                "F2 L3 D5",
                "x-ray",
                "R(U X)2",
                "S(R X)",
                "R,U,F",
                "R U R’ W",
                "R4",
                "Rw3 T",
                "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBB",
                "WWWWWWWWW RRRRRRRRR GGGGGGGGG YYYYYYYYY OOOOOOOOO BBBBBBBB",
            ],
        );
    }

    #[test]
    fn a_word_that_begins_with_turns_may_be_either() {
        all_are(
            Meant::Either,
            &["RUX", "RUQ", "Rubik", "FOO", "elephant", "move", "Q R U", "nope nope", "?", "RUX(R U)2"],
        );
    }
}
