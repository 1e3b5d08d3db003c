//! Guesses whether an invalid argument of `superflip coords` was intended as a coordinate or as a cube.
//!
//! The error message then matches the intention: `comp(twist` is an incomplete coordinate, and `R U X` an invalid scramble.

use crate::cli::input::looks_like_facelets;
use crate::cube::input::{InputError, parse_scramble};
use crate::service::did_you_mean::nearest;
use crate::space::catalogue;

/// Intended kind of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgumentKind {
    /// Name of a coordinate, or an expression.
    Coordinate,
    /// Facelets, a scramble, or standard input.
    Cube,
    /// A coordinate or a cube: the text fits both.
    Either,
}

/// Guesses the intended kind of text that is not a valid coordinate.
pub(crate) fn argument_kind(text: &str) -> ArgumentKind {
    let text = text.trim();
    if matches!(text, "" | "-") || looks_like_facelets(text) {
        return ArgumentKind::Cube;
    }
    let Err(error) = parse_scramble(text) else { return ArgumentKind::Cube };
    let is_part = |c: char| c.is_alphanumeric() || "_.-".contains(c);
    let word = &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())];
    let is_composed = text[word.len()..].trim_start().starts_with('(');
    let is_known = |name: &str| catalogue::find(name).is_some() || nearest(name, catalogue::names()).is_some();
    let is_construction = ["comp", "sym", "symcomp"].iter().any(|name| name.eq_ignore_ascii_case(word));
    if is_construction || is_known(word) || is_known(text) {
        return ArgumentKind::Coordinate;
    }
    let turns_end = match error {
        InputError::Notation { position, .. } => position,
        InputError::Impossible(_) => 0,
    };
    let is_whole = word.len() == text.len() && !word.is_empty();
    let is_composed = is_composed && turns_end < word.chars().count();
    match turns_end {
        0 if is_whole || is_composed => ArgumentKind::Coordinate,
        0 => ArgumentKind::Either,
        _ if is_composed && !word.contains(char::is_uppercase) => ArgumentKind::Coordinate,
        _ if is_composed || (is_whole && word.chars().all(char::is_alphabetic)) => ArgumentKind::Either,
        _ => ArgumentKind::Cube,
    }
}

#[cfg(test)]
mod tests {
    use super::{ArgumentKind, argument_kind};
    use crate::space::expression;

    #[track_caller]
    fn all_are(wanted: ArgumentKind, texts: &[&str]) {
        for text in texts {
            assert!(expression::plan(text).is_err(), "{text} is a coordinate");
            assert_eq!(argument_kind(text), wanted, "{text}");
        }
    }

    #[test]
    fn names_and_expressions_are_coordinates() {
        all_are(
            ArgumentKind::Coordinate,
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
    fn turns_and_stickers_are_cubes() {
        all_are(
            ArgumentKind::Cube,
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
    fn ambiguous_text_may_be_either() {
        all_are(
            ArgumentKind::Either,
            &["RUX", "RUQ", "Rubik", "FOO", "elephant", "move", "Q R U", "nope nope", "?", "RUX(R U)2"],
        );
    }
}
