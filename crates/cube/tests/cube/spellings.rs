//! Spellings of moves that other programs and people write: each is read as the moves that it means, or refused.

use rand::RngExt;
use superflip_cube::notation::face_moves;
use superflip_cube::notation::fewest_moves::SolutionCheck;
use superflip_cube::{Cube, FormError};

use crate::common::rng;
use crate::common::stickers::{SOLVED, apply, brought_home, renamed};

/// Checks that a spelling is read as these moves, which the model of stickers makes.
#[track_caller]
fn assert_means(text: &str, plain: &str) {
    // In the middle of a scramble, so that how the cube is held shows in what follows.
    let facelets = renamed(&apply(SOLVED, &format!("D B2 L' F {plain} R F' U2 B")));
    let cube = Cube::from_scramble(&format!("D B2 L' F {text} R F' U2 B"));
    assert_eq!(cube.map(|cube| cube.to_string()), Ok(facelets), "{text} | {plain}");
}

#[test]
fn repetitions_behind_a_bracket_are_counts() {
    for sign in ["x", " x", "X", " x ", "×", " × ", "*", " * ", "^", " ^ ", "x ", ""] {
        let three = "R U R' U' R U R' U' R U R' U'";
        let two = "R U R' U' R U R' U'";
        for group in ["(R U R' U')", "[R, U]"] {
            assert_means(&format!("{group}{sign}3"), three);
            assert_means(&format!("{group}{sign}3'"), "U R U' R' U R U' R' U R U' R'");
            assert_means(&format!("F {group}{sign}3 F'"), &format!("F {three} F'"));
            assert_means(&format!("({group}{sign}3){sign}10"), &[three; 10].join(" "));
            if !["x", " x", "X"].contains(&sign) {
                assert_means(&format!("{group}{sign}2"), two);
            }
        }
    }
    assert_means("(R U)^-1", "U' R'");
    assert_means("(R U)^{-3}", "U' R' U' R' U' R'");
}

#[test]
fn rotations_stay_rotations() {
    for (text, plain) in [
        ("(R U) x2 F", "R U x2 F"),
        ("R x2 F", "R x2 F"),
        ("Rx2F", "R x2 F"),
        ("(R U)x F", "R U x F"),
        ("(R U)x' F", "R U x' F"),
        ("(R U)3 x F", "R U R U R U x F"),
        ("(R U)3 x' F", "R U R U R U x' F"),
        ("(R U) (x 2F2 2B2)", "R U x"),
        ("(R U) y3 z2 F", "R U y' z2 F"),
        ("(R U)y2 F", "R U y2 F"),
        ("X Y Z", "x y z"),
        ("X2 Y' Z R", "x2 y' z R"),
    ] {
        assert_means(text, plain);
    }
}

/// A number or an `x` behind a bracket that can be a repetition and something else is refused, and so is a count in another place. The error
/// has a spelling for each meaning, and each of them is read.
#[test]
fn every_spelling_that_an_error_suggests_is_read() {
    for (text, suggested) in [
        ("(R U)x1", &["(R U) x", "(R U)1"][..]),
        ("(R U)x2", &["(R U) x2", "(R U)2"]),
        ("(R U) x1", &["(R U) x", "(R U)1"]),
        ("(R U)x0", &[]),
        ("(R U) x0", &[]),
        ("(R U) x 0", &[]),
        ("(R U)0", &[]),
        ("R x0", &[]),
        ("R x3", &["x'", "(R U)3"]),
        ("R x4", &["(R U)4"]),
        ("R x99999999999999999999", &["(R U)3"]),
        ("(R U)2x", &["(R U)3 x", "(R U)3"]),
        ("(R U)2x2", &["(R U)3 x", "(R U)3"]),
        ("(R U)3x'", &["(R U)3 x", "(R U)3"]),
        ("(R U)x3x", &["(R U)3 x", "(R U)3"]),
        ("(R U)x3x2", &["(R U)3 x", "(R U)3"]),
        ("(R U) x 2F", &["(R U) (x 2F)", "(R U)2 F"]),
        ("(R U)x 2F", &["(R U) (x 2F)", "(R U)2 F"]),
        ("(R U) x 6F", &["(R U)6 F"]),
        ("(R U) 2F", &["(R U) (2F)", "(R U)2 F"]),
        ("[R, U]  3r", &["(R U) (3r)", "(R U)3 r"]),
        ("(R U) 6F", &["(R U)6 F"]),
        ("(R U R' U') 6", &["(R U)6"]),
        ("F (R U) 3 F'", &["(R U)3"]),
        ("(R U) 99999999999999999999", &["(R U)3"]),
        ("3(R U)", &["(R U)3"]),
        ("6 (R U)", &["(R U)3"]),
        ("F 2[R, U] F", &["(R U)3"]),
        ("R'2U", &["R' 2U", "R2 U"]),
        ("R 2-3Rw", &["Lw'"]),
        ("R*3", &["(R U)*3"]),
    ] {
        let Err(FormError::Unreadable { message, .. }) = Cube::from_scramble(text) else { panic!("{text}") };
        // What was found stands before the spellings.
        let advice = message.find("write").or(message.find(" as in ")).map_or("", |at| &message[at..]);
        let found: Vec<&str> = advice.split('`').skip(1).step_by(2).filter(|spelling| *spelling != "x").collect();
        assert_eq!(found, suggested, "{text}: {message}");
        for spelling in found {
            assert!(Cube::from_scramble(spelling).is_ok(), "{text}: {message}");
        }
    }
}

/// None of these is another cube: a text that is refused names the spelling of each meaning.
#[test]
fn spellings_with_one_meaning_are_read() {
    for (text, plain) in [
        ("R U Ri Ui", "R U R' U'"),
        ("Rwi xi", "Rw' x'"),
        ("B'2 U", "B2 U"),
        ("3Lw'2", "x2"),
        ("(R U'2)", "R U2"),
        ("R^2 U^-1 F^{2} L^{-1} x^3", "R2 U' F2 L' x'"),
        ("R^3 U^1", "R' U"),
        ("R- U2- F\u{2013}", "R' U2 F'"),
    ] {
        assert_means(text, plain);
    }
    // Marks of a list, which stand at the beginning or between all moves.
    for (text, plain) in [
        ("1. R' F' D", "R' F' D"),
        ("12) R' F' D", "R' F' D"),
        (" 3.\tR' F' D", "R' F' D"),
        ("1. 2R' D", "Rw' R D"),
        ("F2, L, U'", "F2 L U'"),
        ("F2,L,U',Rw", "F2 L U' Rw"),
        ("1. F2, L, U'", "F2 L U'"),
    ] {
        let cube = Cube::from_scramble(text).map(|cube| cube.to_string());
        assert_eq!(cube, Ok(renamed(&apply(SOLVED, plain))), "{text}");
    }
}

/// A dash is an apostrophe only where it can be nothing else.
#[test]
fn dashes_between_moves_are_refused() {
    for text in ["R-U-F", "R-U", "R2-U", "(R U)-(F L)", "(R U)-F", "R--", "UF-BD-UR-UB-FR", "UFR-DLB", "R–U"] {
        let refused = Cube::from_scramble(text);
        assert!(matches!(&refused, Err(FormError::Unreadable { .. })), "{text}: {refused:?}");
    }
}

/// `R` three times is `R'`, and a right answer is right in every notation of repetitions.
#[test]
fn a_solution_with_a_repetition_is_judged_by_its_moves() {
    let cube = Cube::from_scramble("F U R U' R' U R U' R' U R U' R' F'").unwrap();
    for text in ["F (R U R' U')x3 F'", "F (R U R' U') x3 F'", "F [R, U]x3 F'", "F (R U R' U')^3 F'"] {
        assert_eq!(SolutionCheck::new(&cube, text).solves(), Some(true), "{text}");
    }
    assert_eq!(SolutionCheck::new(&cube, "F (R U R' U')x2 F'").solves(), None);
}

/// The stickers after moves of any layers, with the cube turned back at the end, are those after their face moves.
#[test]
fn moves_of_any_layers_are_face_moves_and_a_rotation() {
    let mut rng = rng(21);
    // Each with the same moves for the model: a middle layer is two layers, and the outer one back.
    let moves = [("R", "R"), ("D", "D"), ("Bw", "Bw"), ("l", "Lw"), ("x", "x"), ("y", "y"), ("z", "z"), ("M", "Lw L'")];
    let more = [("E", "Dw D'"), ("S", "Fw F'"), ("2U", "Uw U'"), ("3F", "B'"), ("3Rw", "x"), ("F", "F"), ("u", "Uw")];
    let all: Vec<_> = moves.into_iter().chain(more).collect();
    for _ in 0..300 {
        let mut text = Vec::new();
        let mut modelled = Vec::new();
        for _ in 0..rng.random_range(1..12) {
            let (written, same) = all[rng.random_range(0..all.len())];
            let quarters = rng.random_range(1..4);
            text.push(format!("{written}{quarters}").replace("x3", "x'").replace("x1", "x"));
            modelled.extend(std::iter::repeat_n(same, quarters));
        }
        let text = text.join(" ");
        let modelled = modelled.join(" ");
        let start = apply(SOLVED, "R U2 F' L D B2");
        let face_moves = face_moves(&text).unwrap().to_string();
        assert_eq!(apply(&start, &face_moves), brought_home(&apply(&start, &modelled)), "{text}: {face_moves}");
    }
}
