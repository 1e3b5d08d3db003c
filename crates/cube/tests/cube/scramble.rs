//! Checks the notation: meaning, error positions, and limits on length and depth.

use crate::common::stickers::sticker_points;
use proptest::prelude::*;
use superflip_cube::forms::REID_REFUSAL;
use superflip_cube::{Cube, FormError, Move};

fn scramble(text: &str) -> Cube {
    Cube::from_scramble(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

#[test]
fn equivalent_notations_give_the_same_cube() {
    for (a, b) in [
        ("", "R R'"),
        ("R3", "R'"),
        ("R1", "R"),
        ("R3'", "R"),
        ("R2'", "R2"),
        ("R’ U′ F` D´ Lʼ", "R' U' F' D' L'"),
        ("RUR'U'", "R U R' U'"),
        ("R2R", "R'"),
        ("\tR\u{a0}U\n", "R U"),
        // Wide moves and slices, by rotations and face moves.
        ("M", "R L' x'"),
        ("E", "U D' y'"),
        ("S", "F' B z"),
        ("M2 U", "R2 L2 x2 U"),
        ("m e s", "M E S"),
        ("r", "L x"),
        ("Rw", "L x"),
        ("Rw2", "L2 x2"),
        ("Rw'", "L' x'"),
        ("2Rw F", "r F"),
        ("1Rw", "R"),
        ("1r", "R"),
        ("1R", "R"),
        ("3Rw F", "x F"),
        ("3r' F", "x' F"),
        ("l F", "R x' F"),
        ("u F", "D y F"),
        ("d' F", "U' y F"),
        ("f U", "B z U"),
        ("b U", "F z' U"),
        ("2R", "M'"),
        ("2L' U", "M' U"),
        ("2U", "E'"),
        ("2D", "E"),
        ("2F", "S"),
        ("2B2", "S2"),
        ("3R", "L'"),
        ("3U2", "D2"),
        // Rotations carry what follows.
        ("x U", "F x"),
        ("x2 U", "D x2"),
        ("y F", "R y"),
        ("z U", "L z"),
        ("x y", "z x"),
        // Groups.
        ("(R U)", "R U"),
        ("(R U R' U')3", "R U R' U' R U R' U' R U R' U'"),
        ("(R U R' U')6", ""),
        ("(R U2 F)'", "F' U2 R'"),
        ("(R U)2'", "U' R' U' R'"),
        ("[R, U]", "R U R' U'"),
        ("[R,U]'", "U R U' R'"),
        ("[R: U]", "R U R'"),
        ("[R U : F2]", "R U F2 U' R'"),
        ("[R, U]2", "R U R' U' R U R' U'"),
        ("[x: R]", "x R x'"),
        ("[F: [R, (U L2)2']]3", "F ([R, L2 U' L2 U'])3 F'"),
        ("((R)2 (U)'2R)", "R2 U' 2R"),
        // A star before the count.
        ("(R U)*3", "(R U)3"),
        ("[R, U]*2 F", "[R, U]2 F"),
        ("(R U2)*2'", "(R U2)2'"),
        ("(R U) *3", "(R U)3"),
        // Pauses and comments.
        ("R . U .", "R U"),
        ("R.U2.F'", "R U2 F'"),
        ("(R . U)2", "(R U)2"),
        ("[R., U]", "[R, U]"),
        ("R U // R2 (and so on\nF", "R U F"),
        ("R//first\r\nU//second\n//third\n", "R U"),
        ("(R // in a group\n U)2", "(R U)2"),
        ("R // no end of line \u{2018}", "R"),
    ] {
        // In the middle of a scramble, so that how the cube is held shows in what follows.
        let around = |text: &str| scramble(&format!("D B2 L' F {text}\nR F' U2 B"));
        assert_eq!(around(a), around(b), "{a} | {b}");
        assert_eq!(scramble(a), scramble(b), "{a} | {b}");
    }
}

#[test]
fn the_result_is_in_its_final_orientation() {
    for m in Move::ALL {
        for rotation in ["", "x", "y2", "z' x", "x y z"] {
            assert_eq!(scramble(&format!("{rotation} {m}")), *m.cube(), "{rotation} {m}");
        }
    }
    assert!(scramble("x R").then(Move::Ri.cube()).is_solved());
    // Turned first and held differently after: R is in front after y.
    assert_eq!(scramble("R y"), *Move::F.cube());
    let superflip = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";
    let checkerboard = "UDUDUDUDURLRLRLRLRFBFBFBFBFDUDUDUDUDLRLRLRLRLBFBFBFBFB";
    assert_eq!(scramble("M2 E2 S2").to_string(), checkerboard);
    assert_eq!(scramble("U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2").to_string(), superflip);
    assert!(scramble(" \n").is_solved() && scramble("x y' z2 [x, y]").is_solved());
}

/// Follows each sticker in space, independently of the crate: all single moves on a scrambled cube.
#[test]
fn every_move_carries_the_stickers_that_the_picture_says() {
    let points = sticker_points();
    let letters = "URFDLB";
    let axis = |c: char| match c {
        'R' | 'L' | 'M' | 'x' => 0,
        'U' | 'D' | 'E' | 'y' => 1,
        _ => 2,
    };
    let positive = |c: char| "URFSxyz".contains(c);
    // Which cells along the axis take part, by the sign of the named side.
    let cases: [(&str, &[i32]); 6] =
        [("", &[1]), ("w", &[1, 0]), ("2", &[0]), ("3", &[-1]), ("3w", &[1, 0, -1]), ("m", &[0])];
    for (case, layers) in cases {
        for c in if case == "m" { "MES" } else { letters }.chars() {
            let text = match case {
                "" | "m" => c.to_string(),
                "w" => format!("{c}w"),
                "3w" => format!("3{c}w"),
                number => format!("{number}{c}"),
            };
            let axis = axis(c);
            let sign = if positive(c) { 1 } else { -1 };
            let before = "F R U' B2 L D";
            let start: Vec<char> = scramble(before).to_string().chars().collect();
            let mut picture = vec![' '; 54];
            for (from, p) in points.iter().enumerate() {
                // Stickers stand half a cell off their cubie: 2 belongs to layer 1.
                let moves = layers.contains(&(sign * p[axis].clamp(-1, 1)));
                // Clockwise seen from +axis: the next axis after it turns into minus the one after that.
                let b = (axis + 1) % 3;
                let c = (axis + 2) % 3;
                let mut q = *p;
                if moves {
                    (q[b], q[c]) = (sign * p[c], -sign * p[b]);
                }
                picture[points.iter().position(|r| *r == q).expect("a sticker goes to a sticker")] = start[from];
            }
            let picture: String = picture.iter().collect();
            assert_eq!(Cube::from_facelets(&picture), Ok(scramble(&format!("{before} {text}"))), "{text}");
        }
    }
}

#[test]
fn syntax_errors_carry_their_place_in_characters() {
    for (text, wanted, says) in [
        ("R Q", 2, "found `Q`"),
        ("R U\u{301}", 3, "expected a move"),
        ("’", 0, "expected a move"),
        ("R’ U’ Q", 6, "found `Q`"),
        ("R''", 2, "expected a move"),
        ("R4", 1, "not 1, 2 or 3"),
        ("R0", 1, "not 1, 2 or 3"),
        ("U R99999999999999999999999999", 3, "not 1, 2 or 3"),
        ("4L2", 0, "only the 3x3x3 is solved here"),
        ("4R", 0, "three layers"),
        ("U 0Rw", 2, "three layers"),
        ("2", 1, "the text ends here"),
        ("2M", 1, "found `M`"),
        ("2x", 1, "found `x`"),
        ("R 2 U", 3, "after a layer number"),
        ("R'2U", 2, "`R' 2U`"),
        ("R' 2 U", 4, "after a layer number"),
        ("rw", 1, "found `w`"),
        ("Mw", 1, "found `w`"),
        ("(R U", 4, "`)` to close the `(` of character 1"),
        ("F (R U]", 6, "`)` to close the `(` of character 3"),
        ("R)", 1, "no open group to close"),
        ("R, U", 1, "belong inside"),
        ("()", 1, "expected a move"),
        ("[, U]", 1, "expected a move"),
        ("[R, ]", 4, "expected a move"),
        ("[R U]", 4, "`,` (commutator) or `:` (conjugate)"),
        ("[R, U", 5, "`]` to close the `[` of character 1"),
        ("[R, U: F]", 5, "`]` to close"),
        ("(R)0", 3, "at least 1"),
        ("(R)9999999999999999999999999", 3, "longer than 10000"),
        ("R\0U", 1, "found `\\0`"),
        // What can be seen is quoted as it is.
        ("R''", 2, "found `'`"),
        ("R2''", 3, "found `'`"),
        ("R\"", 1, "found `\"`"),
        ("R\\", 1, "found `\\`"),
        ("R \u{200b}U", 2, "found `\\u{200b}`"),
        // A number where a move should be.
        ("(3)", 2, "expected a move inside the parentheses"),
        ("F [R, 2]", 7, "expected a move inside the brackets"),
        ("R (U 3) F", 6, "expected a move inside the parentheses"),
        // Stars, and slashes that begin no comment.
        ("R*3", 1, "`*` stands between a group and its repeat count"),
        ("(R U)*", 6, "expected a repeat count"),
        ("(R U)*'", 6, "expected a repeat count"),
        // An `x` that may be a rotation or a repeat count.
        ("(R U)x2", 5, "write `(R U) x2`, with a space, for the rotation, or `(R U)2` for the repetition"),
        ("F [R, U]x1 F'", 8, "a rotation or a repeat count"),
        ("R x3", 2, "`(R U)3`"),
        ("x3 R", 0, "write `x'` for the rotation"),
        ("Rx1", 1, "write `x` for the rotation"),
        ("R U X4", 4, "looks like a repeat count"),
        ("(R U) (x3)", 7, "looks like a repeat count"),
        ("(R U)3x F", 6, "write a space before the rotation"),
        ("R^4", 1, "not 1, 2 or 3"),
        ("R^", 2, "a number of at least 1 behind `^`"),
        ("R^{2", 4, "`}` to close"),
        // Dashes between moves or pieces.
        ("R-U", 1, "spaces between moves"),
        ("(R U)-F", 5, "spaces between moves"),
        ("R-U2-F", 1, "spaces between moves"),
        ("UF-BD-UR-UB-FR", 0, "cycle of pieces"),
        ("(UFR URB DLB)", 0, "cycle of pieces"),
        ("[UF UR, UB]", 0, "cycle of pieces"),
        // Commas are between single moves, and three or more of them.
        ("R U, F, L", 3, "brackets around a commutator"),
        ("[U'/R' D' R]", 3, "`[A: [B, (A)2']]`"),
        ("1. R U\n2. F", 8, "expected"),
        ("(R U)*0", 6, "at least 1"),
        ("(R U)*3*3", 7, "`*` stands between a group and its repeat count"),
        ("R / U", 2, "found `/`"),
        ("R // U\nQ", 7, "found `Q`"),
        ("(R // U)", 8, "`)` to close"),
        // Blocks of layers.
        ("R 2-3Rw", 2, "block moves such as `2-3Rw` are not supported: write `Lw'`"),
        ("4-5Rw", 0, "block moves such as `2-3Rw` are not supported"),
        ("U 2-", 2, "block moves such as `2-3Rw` are not supported"),
    ] {
        match Cube::from_scramble(text) {
            Err(FormError::Unreadable { position, message, .. }) => {
                assert_eq!(position, wanted, "{text:?}: {message}");
                assert!(message.contains(says), "{text:?}: {message}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
}

/// The remedy in the refusal of a block of layers turns the same layers, by the stickers that the numbers say.
#[test]
fn block_moves_are_rejected_with_an_equivalent() {
    for face in "URFDLB".chars() {
        for (first, last) in [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (3, 2)] {
            for amount in ["", "2", "'", "2'", "3"] {
                for letter in [format!("{face}w"), face.to_string(), face.to_ascii_lowercase().to_string()] {
                    let text = format!("{first}-{last}{letter}{amount}");
                    let Err(FormError::Unreadable { position: 2, message, .. }) =
                        Cube::from_scramble(&format!("F {text} U"))
                    else {
                        panic!("{text}");
                    };
                    let mut quoted = message.split('`').skip(1).step_by(2);
                    assert_eq!(quoted.next(), Some(&*text), "{message}");
                    let remedy = quoted.next().unwrap();
                    // One layer after the other, each alone.
                    let numbers = first.min(last)..=first.max(last);
                    let layers: Vec<_> = numbers.map(|n| format!("{n}{face}{amount}")).collect();
                    let layers = layers.join(" ");
                    // A layer alone moves no others, so their order does not matter; faces and letters stay places.
                    assert_eq!(
                        scramble(&format!("F R2 {remedy}")),
                        scramble(&format!("F R2 {layers}")),
                        "{text}: {remedy}"
                    );
                }
            }
        }
    }
}

/// Reid's string of the cube after R U F, as `input.rs` has it in facelets.
const REID: &str = "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR";

#[test]
fn reid_strings_are_rejected() {
    let solved = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";
    let centres = format!("{REID} U L F R B D");
    let commented = format!("// of a scan\n{REID} // at noon");
    let texts = [
        solved.replace("UFR", "URF"),
        REID.replace(' ', "\n"),
        centres,
        "UR ".repeat(20),
        commented,
        format!("{REID}."),
    ];
    for text in [REID, solved].into_iter().chain(texts.iter().map(String::as_str)) {
        for refused in [Cube::from_scramble(text), Cube::from_facelets(text)] {
            assert!(refused.is_err(), "{text}");
            let message = refused.unwrap_err().to_string();
            assert!(message.contains(REID_REFUSAL), "{text}: {message}");
        }
    }
    // Of fewer and other words each is what it was.
    for text in ["UR ".repeat(19), "UR ".repeat(21), format!("{} R", "UR ".repeat(19)), "ur ".repeat(20)] {
        assert!(Cube::from_scramble(&text).is_ok(), "{text}");
    }
    let turned = format!("{REID} U L F R B");
    assert!(Cube::from_scramble(&turned).is_ok() == Cube::from_scramble(&turned.replace(' ', "")).is_ok());
}

#[test]
fn long_and_deep_maneuvers_are_refused_and_never_hang() {
    let place = |text: &str| match Cube::from_scramble(text) {
        Err(FormError::Unreadable { position, .. }) => position,
        other => panic!("{other:?}"),
    };
    assert!(scramble("(R)10000").is_solved());
    assert_eq!(place("(R)10001"), 3);
    assert_eq!(place("((((R)9999)9999)9999)"), 11);
    assert_eq!(place(&"R".repeat(10_001)), 10_000);
    assert_eq!(place(&"R U ".repeat(5_000_000)), 20_000);
    assert_eq!(place("(R)6000 (U)6000"), 8);
    // Nesting by itself doubles the length each time.
    let doubled = (0..60).fold("R".to_owned(), |inner, _| format!("[{inner}, U]"));
    assert!(place(&doubled) > 60);
    let nested = |depth: usize| format!("{}R{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(scramble(&nested(64)), *Move::R.cube());
    assert_eq!(place(&nested(65)), 64);
    assert_eq!(place(&"[(".repeat(1_000_000)), 64);
    assert_eq!(place(&"2".repeat(10_000_000)), 0);
    assert_eq!(place(&" ".repeat(1_000_000).replace("  ", " \u{301}")), 1);
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in any::<String>()) {
        let _ = Cube::from_scramble(&text);
    }

    #[test]
    fn no_maneuver_is_too_strange(text in "[URFDLBMESxyzrufw0-9'’()\\[\\],: ]{0,80}") {
        match Cube::from_scramble(&text) {
            Ok(cube) => prop_assert_eq!(Cube::from_facelets(&cube.to_string()), Ok(cube)),
            Err(FormError::Unreadable { position, .. }) => prop_assert!(position <= text.chars().count()),
            Err(other) => prop_assert!(false, "{other}"),
        }
    }
}
