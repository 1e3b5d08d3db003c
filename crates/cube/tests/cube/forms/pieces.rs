//! Reid strings, B32, Speffz, Twizzle binary and `KPattern` against what the programs print that define them.

use serde_json::json;
use superflip_cube::forms::{Buffers, KPattern, Read};
use superflip_cube::{Cube, Form, FormError, Holding, Move};

use super::{
    B32, REID, SPEFFZ, TWIZZLE, after, assert_impossible, assert_read, detect, random_cubes, read_as, written,
};
use crate::common::stickers::holdings;

fn holding(name: &str) -> Holding {
    Holding::from_name(name).expect(name)
}

#[test]
fn the_example_is_read_and_written_in_every_form_of_pieces() {
    let cube = after("R U F");
    for (text, format) in [(REID, Form::Reid), (B32, Form::B32), (SPEFFZ, Form::Speffz), (TWIZZLE, Form::Twizzle)] {
        assert_eq!(cube.to_form(format), text);
        assert_read(text, format, cube);
    }
}

#[test]
fn holdings_are_those_of_nissy() {
    // `frommoves` of nissy-core prints these.
    for (moves, text) in [
        ("R' U' F", "JLQWSVUH=ZLCUABGIVTKH=A"),
        ("R U R' U'", "WFCDERQH=AECDIFGHBJKL=A"),
        ("Fw", "ANCPETGR=AbaDEFGHIJRS=M"),
        ("x R", "WBCVEILH=ABCDIFGLHJKE=Q"),
        ("y R", "ANCPETGR=AbaDEFGHIJRS=B"),
        ("x", "ABCDEFGH=ABCDEFGHIJKL=Q"),
        ("x'", "ABCDEFGH=ABCDEFGHIJKL=W"),
        ("y'", "ABCDEFGH=ABCDEFGHIJKL=D"),
        ("z'", "ABCDEFGH=ABCDEFGHIJKL=I"),
        ("x2", "ABCDEFGH=ABCDEFGHIJKL=G"),
        ("x y", "ABCDEFGH=ABCDEFGHIJKL=R"),
    ] {
        let scramble = read_as(moves, Form::Scramble).expect(moves);
        let found = detect(text).expect(text);
        assert_eq!((found.cube, found.holding), (scramble.cube, scramble.holding), "{moves}");
        let held = found.holding.expect("nissy writes the holding");
        assert_eq!(written(Form::B32, &found.cube, held), text, "{moves}");
    }
}

/// Every holding, followed on the model of stickers in space.
#[test]
fn a_held_cube_is_the_rotated_picture() {
    let maps = holdings();
    let mut seen = std::collections::BTreeSet::new();
    for (number, cube) in random_cubes(240, 21).enumerate() {
        let map = &maps[number % maps.len()];
        let mut turned = vec![' '; 54];
        for (symbol, &to) in cube.to_form(Form::Facelets).chars().zip(map) {
            turned[to] = symbol;
        }
        let turned: String = turned.into_iter().collect();
        let found = detect(&turned).expect(&turned);
        let held = found.holding.expect("letters of faces say how the cube is held");
        assert_eq!(held.to_home(&found.cube), cube);
        assert_eq!(held.from_home(&cube), found.cube);
        assert_eq!(written(Form::Facelets, &found.cube, held), turned);
        assert_eq!(holding(&held.name()), held);
        seen.insert(held);
    }
    assert_eq!(seen.len(), Holding::COUNT);
}

#[test]
fn the_holdings_are_24_in_the_order_of_nissy() {
    let names: Vec<String> = Holding::ALL.iter().map(|holding| holding.name()).collect();
    let wanted = "UF UR UB UL DF DR DB DL RF RD RB RU LF LD LB LU FD FR FU FL BD BR BU BL";
    assert_eq!(names.join(" "), wanted);
    assert!(Holding::ALL.iter().enumerate().all(|(index, holding)| holding.index() == index));
    assert!(Holding::ALL.iter().all(|holding| Holding::from_centres(holding.centres()) == Some(*holding)));
}

#[test]
fn reid_strings_may_have_a_prefix_centres_and_either_spelling() {
    let cube = after("R U F");
    let mirrored = "LF UB UL UF RD BR DB DL RF FD UR BL DFR ULB UFL LFD URF RBD DBL BRU";
    let prefixed = format!("SING {REID}");
    let lines = REID.replace(' ', "\n");
    for text in [mirrored, &prefixed, &lines] {
        let found = detect(text).expect(text);
        assert_eq!((found.cube, found.format, found.holding), (cube, Form::Reid, None), "{text}");
    }
    let centred = detect(&format!("{REID} U L F R B D")).expect("centres at home");
    assert_eq!((centred.cube, centred.holding), (cube, Some(holding("UF"))));
    // cubing.js writes `x R` so.
    let found = detect(&written(Form::Reid, &after("x R"), holding("FD"))).expect("held");
    assert_eq!((found.cube, found.holding), (*Move::R.cube(), Some(holding("FD"))));
}

#[test]
fn wrong_words_of_a_reid_string_are_named() {
    for (wrong, position, nearest) in [
        (REID.replacen("RD BR", "RX BR", 1), 13, Some(REID.to_owned())),
        (REID.replacen("LDF", "LRF", 1), 48, None),
        (REID.replacen("UFR RDB", "UF RDB", 1), 52, None),
    ] {
        match detect(&wrong) {
            Err(FormError::Unreadable { format: Some(Form::Reid), position: at, nearest: found, .. }) => {
                assert_eq!(at, position, "{wrong}");
                assert!(nearest.is_none() || found == nearest, "{found:?}");
            }
            other => panic!("{wrong}: {other:?}"),
        }
    }
    let twice = REID.replacen("UB", "LF", 1);
    match detect(&twice) {
        Err(FormError::Impossible { format: Some(Form::Reid), violations, .. }) => {
            let codes: Vec<_> = violations.iter().map(|violation| violation.code).collect();
            assert_eq!(codes, ["duplicate_edge", "missing_edge", "edge_flip"][..codes.len()]);
        }
        other => panic!("{other:?}"),
    }
    let mirrored_centres = format!("{REID} U R F L B D");
    assert_impossible(&detect(&mirrored_centres), None, "impossible_centres");
}

/// From `binary3x3x3.test.ts` of cubing.js. The last 12 bits are rotations of centres, which are not kept.
#[test]
fn binary_vectors_of_cubing_js_are_read() {
    let vectors: [(&str, [u8; 11]); 9] = [
        ("", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ("", [0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0]),
        ("((M' U')4 [U2, M' E2 M] x y)3", [0, 0, 0, 7, 255, 128, 0, 0, 0, 16, 0]),
        ("((M' U')4 x y)3", [0, 0, 0, 7, 255, 128, 0, 0, 0, 26, 170]),
        ("L2 F2 U' R2 U F2 L2 D2 L2 D2 L2 U B2 D B2 U'", [0, 0, 0, 8, 0, 0, 0, 128, 0, 16, 33]),
        ("(R' U' R U')5", [0, 0, 0, 0, 0, 0, 0, 0, 0, 24, 0]),
        ("(L U L' U L U2 L' R' U' R U' R' U2' R z)4", [0, 0, 0, 0, 0, 0, 0, 66, 128, 16, 0]),
        ("z y", [0, 0, 0, 0, 0, 0, 0, 0, 0, 176, 0]),
        ("x2 z'", [0, 0, 0, 0, 0, 0, 0, 0, 1, 240, 0]),
    ];
    for (alg, bytes) in vectors {
        let wanted = read_as(alg, Form::Scramble).expect(alg);
        let hex = bytes.map(|byte| format!("{byte:02x}")).concat();
        let found = detect(&hex).expect(&hex);
        assert_eq!((found.format, found.cube, found.holding), (Form::Twizzle, wanted.cube, wanted.holding), "{alg}");
        // Written without rotations of centres.
        let masked: Vec<u8> =
            bytes.iter().enumerate().map(|(i, b)| [*b, b & 0xe0, 0][i.saturating_sub(8).min(2)]).collect();
        let masked: Vec<String> = masked.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(written(Form::Twizzle, &found.cube, found.holding.expect("known")), masked.join(" "), "{alg}");
    }
    let unknown = read_as("00 00 00 00 00 00 00 00 03 90 00", Form::Twizzle).expect("allowed");
    assert_eq!((unknown.cube, unknown.holding), (Cube::SOLVED, None));
    assert_eq!(detect("AAAAAAAAAAAAABA=").map(|found| found.cube), Ok(Cube::SOLVED));
    for (text, position) in [("ff0000000000000000 1000", 0), ("00 00 00 00 00 7f 00 00 00 10 00", 15)] {
        let found = read_as(text, Form::Twizzle);
        assert!(
            matches!(found, Err(FormError::Unreadable { position: at, .. }) if at.abs_diff(position) <= 2),
            "{found:?}"
        );
    }
}

#[test]
fn kpatterns_are_read_whole_and_bare() {
    let bare = json!({
        "EDGES": {"pieces": [9, 2, 3, 0, 5, 10, 6, 7, 8, 4, 1, 11], "orientation": [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0]},
        "CORNERS": {"pieces": [4, 2, 3, 5, 0, 7, 6, 1], "orientation": [0, 0, 0, 2, 0, 2, 0, 2]},
        "CENTERS": {"pieces": [0, 1, 2, 3, 4, 5], "orientation": [0, 0, 0, 0, 0, 0], "orientationMod": [1, 1, 1, 1, 1, 1]}
    });
    let whole = json!({"experimentalPuzzleName": "3x3x3", "patternData": bare});
    let cube = after("R U F");
    for value in [&bare, &whole] {
        let pattern: KPattern = serde_json::from_value(value.clone()).expect("a pattern");
        assert_eq!(pattern.to_cube(), Ok((cube, Holding::HOME)));
    }
    assert_eq!(serde_json::to_value(KPattern::of(&cube, Holding::HOME)).expect("JSON"), whole);
    // cubing.js has these centres after `x R`.
    let held = read_as("x R", Form::Scramble).expect("x R");
    let pattern = KPattern::of(&held.cube, held.holding.expect("a scramble says it"));
    assert_eq!(pattern.pattern_data.centers.as_ref().map(|centers| &centers.pieces[..]), Some(&[2, 1, 5, 3, 0, 4][..]));
    assert_eq!(pattern.to_cube().map(|(cube, holding)| (cube, Some(holding))), Ok((held.cube, held.holding)));
}

#[test]
fn wrong_kpatterns_are_refused() {
    let codes = |pattern: &KPattern| match pattern.to_cube() {
        Err(FormError::Impossible { violations, .. }) => violations.iter().map(|found| found.code).collect(),
        other => vec![if other.is_ok() { "read" } else { "unreadable" }],
    };
    let solved = KPattern::of(&Cube::SOLVED, Holding::HOME);
    let mut pattern = solved.clone();
    pattern.pattern_data.edges.pieces[3] = 12;
    pattern.pattern_data.corners.orientation.pop();
    assert_eq!(codes(&pattern), ["value_out_of_range", "wrong_array_length"]);
    let mut pattern = solved.clone();
    pattern.pattern_data.edges.orientation[3] = 1;
    assert_eq!(codes(&pattern), ["edge_flip"]);
    let mut pattern = solved.clone();
    pattern.pattern_data.edges.orientation_mod = Some(vec![1; 12]);
    assert_eq!(codes(&pattern), ["unreadable"]);
    let mut pattern = solved.clone();
    "2x2x2".clone_into(&mut pattern.experimental_puzzle_name);
    assert_eq!(codes(&pattern), ["unreadable"]);
    assert!(serde_json::from_value::<KPattern>(json!({"EDGES": {"pieces": [], "orientation": []}})).is_err());
}

/// The example of vcube's `doc/speffz.md`. It chooses the order of its cycles by hand, so it is read, not written.
#[test]
fn the_letters_of_vcube_are_read() {
    let cube = after("L' B' R F2 D' U' B R D2 U2 B2 F' D B' L U2 L U'");
    for text in ["fbwkbLJH.hmaifdtajspO", "fbwkbugcmxs.hmaifdtajspvo"] {
        assert_eq!(detect(text).map(|found| found.cube), Ok(cube), "{text}");
    }
    // The same letters with its cycles in the order of their lowest letters.
    assert_eq!(Buffers::default().write(&cube), "fbwkbJLH.hmaifdtajspO");
}

#[test]
fn other_buffers_are_read_and_written() {
    for (corner, edge) in [('C', 'U'), ('a', 'c'), ('R', 'K'), ('m', 'j')] {
        let buffers = Buffers::new(corner, edge).expect("letters");
        for cube in random_cubes(200, 5) {
            let text = buffers.write(&cube);
            let found = Read::of(&text, Some(Form::Speffz), buffers).expect(&text);
            assert_eq!(found.cube, cube, "{text}");
        }
    }
    assert!(Buffers::new('y', 'a').is_none() && Buffers::new('a', '.').is_none());
}

#[test]
fn one_exchange_has_the_wrong_parity() {
    for text in ["b", ".b"] {
        let found = read_as(text, Form::Speffz);
        let Err(FormError::Impossible { violations, .. }) = found else { panic!("{found:?}") };
        assert_eq!(violations.iter().map(|found| found.code).collect::<Vec<_>>(), ["permutation_parity"]);
    }
}

/// The arrays of cubejs for its moves of middle layers, with its centres.
#[test]
fn arrays_of_cubejs_have_centres() {
    let corners: Vec<u32> = (0..8).collect();
    for (moves, centres, edges, flips) in [
        ("", [0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], [0; 12]),
        ("E", [0, 2, 4, 3, 5, 1], [0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 8], [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]),
        ("M", [5, 1, 0, 2, 4, 3], [0, 3, 2, 7, 4, 1, 6, 5, 8, 9, 10, 11], [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0]),
        ("S", [4, 0, 2, 1, 3, 5], [2, 1, 6, 3, 0, 5, 4, 7, 8, 9, 10, 11], [1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0]),
    ] {
        let read = Cube::from_held_cubies(&corners, &[0; 8], &edges, &flips, &centres);
        let held = Cube::from_scramble(moves).map(|cube| cube.to_string());
        assert_eq!(read.map(|(cube, _)| cube.to_string()), held, "{moves}");
    }
    for centres in [&[0, 1, 2, 3, 4][..], &[0; 6], &[0, 1, 2, 3, 4, 9], &[0, 2, 1, 3, 4, 5], &[]] {
        let read = Cube::from_held_cubies(&corners, &[0; 8], &[0; 12], &[0; 12], centres);
        assert_eq!(crate::input::codes(&crate::input::violations(read)), ["impossible_centres"], "{centres:?}");
    }
    let read = Cube::from_held_cubies(&[0; 7], &[0; 8], &[0; 12], &[0; 12], &[5, 1, 0, 2, 4, 3]);
    assert_eq!(crate::input::codes(&crate::input::violations(read))[0], "wrong_array_length");
}
