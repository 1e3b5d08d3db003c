//! Checks every input form against independent constructions of the same cube.

use crate::common::stickers::holdings;
use crate::common::stickers::{SOLVED, cycled, with};
use rand::SeedableRng;
use rand::rngs::StdRng;
use superflip_cube::{Corner, Cube, Edge, FormError, Move, Violation, random_cube};

const SUPERFLIP: &str = "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB";

fn random_cubes(count: usize, seed: u64) -> Vec<Cube> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..count).map(|_| random_cube(&mut rng)).collect()
}

pub(crate) fn violations<T: std::fmt::Debug>(result: Result<T, FormError>) -> Vec<Violation> {
    match result {
        Err(FormError::Impossible { violations: found, .. }) => {
            assert!(!found.is_empty());
            found
        }
        other => panic!("not refused as impossible: {other:?}"),
    }
}

pub(crate) fn codes(found: &[Violation]) -> Vec<&'static str> {
    found.iter().map(|v| v.code).collect()
}

#[test]
fn random_cubes_round_trip() {
    for cube in random_cubes(2000, 1) {
        assert_eq!(Cube::from_facelets(&cube.to_string()), Ok(cube));
        let cp = cube.corners().map(|p| p.index() as u32);
        let ep = cube.edges().map(|p| p.index() as u32);
        assert_eq!(Cube::from_cubies(&cp, &cube.twists().map(u32::from), &ep, &cube.flips().map(u32::from)), Ok(cube));
    }
}

#[test]
fn known_facelets_are_read_and_written() {
    assert_eq!(Cube::from_facelets(SOLVED), Ok(Cube::SOLVED));
    assert_eq!(Cube::SOLVED.to_string(), SOLVED);
    let superflip = Cube::from_facelets(SUPERFLIP).expect("the superflip");
    assert_eq!(superflip.corners(), &Corner::ALL);
    assert_eq!(superflip.edges(), &Edge::ALL);
    assert_eq!((superflip.twists(), superflip.flips()), (&[0; 8], &[1; 12]));
    assert_eq!(superflip.to_string(), SUPERFLIP);
    // Up and down look solved, the middle layer is not.
    let cube = Cube::from_facelets("UUUUUUUUURRRRRLRRRFFFFFBFFFDDDDDDDDDLLLLLRLLLBBBFBBBBB").expect("a possible cube");
    assert!(!cube.is_solved());
    assert_eq!(&cube.edges()[8..], &[Edge::Br, Edge::Fr, Edge::Bl, Edge::Fl]);
    for text in [
        "UFURULUBULULBRFLDLBUBRFLBDBDBDRDLDFDRURFLBRDRFUFLBRFDF",
        "RBFLURBFLBUUFRBBDDRUURFLRDDBFLLDRRBFFUUBLFFDDLUULBRLDD",
        "DUUBULDBFRBFRRULLLBRDFFFBLURDBFDFDRFRULBLUFDURRBLBDUDL",
    ] {
        assert_eq!(Cube::from_facelets(text).expect(text).to_string(), text);
    }
}

/// A move of a face, followed sticker by sticker on the printed cube: `F` seen from the picture alone.
#[test]
fn one_move_is_what_a_printed_cube_shows() {
    let after_f = "UUUUUULLLURRURRURRFFFFFFFFFRRRDDDDDDLLDLLDLLDBBBBBBBBB";
    assert_eq!(Cube::from_facelets(after_f), Ok(*Move::F.cube()));
}

#[test]
fn a_cube_may_be_held_in_all_24_ways() {
    let maps = holdings();
    assert_eq!(maps.iter().collect::<std::collections::HashSet<_>>().len(), 24);
    let home: Vec<usize> = (0..54).collect();
    assert!(maps.contains(&home));
    for cube in random_cubes(40, 2) {
        let symbols: Vec<char> = cube.to_string().chars().collect();
        for map in &maps {
            let mut turned = vec![' '; 54];
            for (from, &to) in map.iter().enumerate() {
                turned[to] = symbols[from];
            }
            let held =
                Cube::from_facelets(&turned.iter().collect::<String>()).expect("the same cube, held another way");
            // Letters name places: the map carries a move of one face to a move of the face that is there now.
            for m in Move::ALL {
                let place = map[4 + 9 * m.face().index()] / 9;
                let same = Move::ALL[3 * place + m.quarters() - 1];
                let solved = cube.then(m.cube()).is_solved();
                assert_eq!(held.then(same.cube()).is_solved(), solved);
                // The picture of the cube after the move, held the same way, is the picture of the held cube after it.
                let next: Vec<char> = cube.then(m.cube()).to_string().chars().collect();
                let mut picture = vec![' '; 54];
                for (from, &to) in map.iter().enumerate() {
                    picture[to] = next[from];
                }
                assert_eq!(Cube::from_facelets(&picture.iter().collect::<String>()), Ok(held.then(same.cube())));
            }
        }
    }
}

#[test]
fn any_six_symbols_and_any_white_space_will_do() {
    for cube in random_cubes(20, 3) {
        let text = cube.to_string();
        // Western and Japanese schemes, lower case, digits, and symbols beyond the letters.
        for scheme in ["WRGYOB", "WGRBOY", "urfdlb", "123456", "⬜🟥🟩🟨🟧🟦", "\0\u{301}\u{200d}\u{202e}'\""]
        {
            let symbols: Vec<char> = scheme.chars().collect();
            let spelled: String =
                text.chars().map(|c| symbols["URFDLB".find(c).expect("one of the six letters")]).collect();
            assert_eq!(Cube::from_facelets(&spelled), Ok(cube), "{scheme:?}");
        }
        let mut spaced = String::from("\u{3000}\n");
        for (i, c) in text.chars().enumerate() {
            spaced.push(c);
            spaced.push_str([" ", "", "\r\n", "\t", "\u{a0}"][i % 5]);
        }
        assert_eq!(Cube::from_facelets(&spaced), Ok(cube));
    }
}

#[test]
fn wrong_lengths_are_reported_with_other_certain_faults() {
    for (text, wanted) in [
        (String::new(), vec!["wrong_length"]),
        (SOLVED[..53].to_owned(), vec!["wrong_length"]),
        (format!("{SOLVED}U"), vec!["wrong_length"]),
        (format!("{SOLVED},"), vec!["wrong_length", "too_many_symbols"]),
        ("U".repeat(55), vec!["wrong_length", "too_few_symbols"]),
        ("U".repeat(50), vec!["wrong_length", "too_few_symbols"]),
        ("U".repeat(49), vec!["wrong_length"]),
        ("abcdefgh".to_owned(), vec!["wrong_length", "too_many_symbols"]),
    ] {
        let found = violations(Cube::from_facelets(&text));
        assert_eq!(codes(&found), wanted, "{text}");
        assert!(found.iter().all(|v| v.kociemba == Some(1)));
    }
    let message = &violations(Cube::from_facelets(&SOLVED[1..]))[0].message;
    assert!(message.contains("53 symbols") && message.contains("`U` 8"), "{message}");
}

#[test]
fn wrong_symbols_are_counted_and_the_slots_still_read() {
    // A seventh symbol in slot URF.
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(8, 'X')])));
    assert_eq!(codes(&found), ["too_many_symbols", "symbol_count", "impossible_corner", "missing_corner"]);
    assert!(found[0].message.contains("`X` 1 (stickers U9)"), "{}", found[0].message);
    assert_eq!((&found[2].slots, found[2].kociemba), (&vec!["URF"], Some(4)));
    assert!(found[2].message.contains("U9 R1 F3"), "{}", found[2].message);
    assert_eq!(found[3].pieces, ["URF"]);
    // Ten of U, eight of R, seen in slot UR.
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(10, 'U')])));
    assert_eq!(codes(&found), ["symbol_count", "impossible_edge", "missing_edge"]);
    assert!(found[0].message.contains("`U` 10, `R` 8"), "{}", found[0].message);
    assert_eq!((&found[1].slots, found[1].kociemba), (&vec!["UR"], Some(2)));
    assert!(found[1].message.contains("U6 R2"), "{}", found[1].message);
    // One colour.
    let found = violations(Cube::from_facelets(&"W".repeat(54)));
    assert_eq!(codes(&found), ["too_few_symbols", "symbol_count", "repeated_centre"]);
    assert_eq!(found[2].slots, ["U", "R", "F", "D", "L", "B"]);
}

/// The name of a facelet in messages.
fn name_of(facelet: usize) -> String {
    format!("{}{}", ["U", "R", "F", "D", "L", "B"][facelet / 9], facelet % 9 + 1)
}

/// For every misreading of one sticker, as another colour or a seventh symbol, the sticker and its colour are named. None is
/// explained as a mirrored corner, which would be two exchanged stickers.
#[test]
fn one_misread_sticker_is_named_wherever_it_is() {
    let mut refused = 0;
    for cube in std::iter::once(Cube::SOLVED).chain(random_cubes(100, 4)) {
        let text: Vec<char> = cube.to_string().chars().collect();
        let changes = (0..54).flat_map(|at| "URFDLBX".chars().map(move |symbol| (at, symbol)));
        for (at, symbol) in changes.filter(|&(at, symbol)| text[at] != symbol) {
            let changed = with(&text.iter().collect::<String>(), &[(at, symbol)]);
            let found = violations(Cube::from_facelets(&changed));
            let told = |ok: bool| assert!(ok, "{changed} {at}: {found:#?}");
            told(found.iter().all(|v| !v.message.contains("mirror")));
            let count = found.iter().find(|v| v.code == "symbol_count").unwrap();
            told(count.stickers == [at as u8]);
            told(count.message.contains(&format!(
                "sticker {}: the cube is possible if it is `{}`",
                name_of(at),
                text[at]
            )));
            // Nothing else than the slot or the centre of the sticker is called impossible.
            let impossible =
                found.iter().filter(|v| v.code.starts_with("impossible") || v.code.starts_with("repeated"));
            told(impossible.clone().all(|v| v.stickers.contains(&(at as u8))));
            told(symbol == 'X' || at % 9 == 4 || found.iter().any(|v| v.slots.len() == 1 || v.code.starts_with("dup")));
            refused += 1;
        }
    }
    assert_eq!(refused, 101 * (54 * 5 + 54));
}

/// Two misread stickers are not explained as an exchange either, unless they leave nine of each symbol.
#[test]
fn a_corner_is_called_mirrored_only_with_nine_of_each_symbol() {
    for (changes, wanted) in [
        // Two stickers exchanged.
        (&[(9, 'F'), (20, 'R')][..], true),
        // U9 read as D, and R2 as U or as F.
        (&[(8, 'D'), (10, 'U')], false),
        (&[(8, 'D'), (10, 'F')], false),
        // U9 and F3 each read as the opposite colour.
        (&[(8, 'D'), (20, 'B')], false),
    ] {
        let found = violations(Cube::from_facelets(&with(SOLVED, changes)));
        let is_mirrored = found.iter().any(|v| v.message.contains("mirror"));
        assert_eq!(is_mirrored, wanted, "{found:#?}");
        let corner = found.iter().find(|v| v.slots == ["URF"]);
        assert!(corner.is_none_or(|v| v.stickers == [8, 9, 20]), "{found:#?}");
        if let Some(counts) = found.iter().find(|v| v.code == "symbol_count") {
            // All stickers of the symbols whose count is wrong.
            let text = with(SOLVED, changes);
            let of = |c: char| text.chars().filter(|other| *other == c).count();
            let wrong: Vec<u8> = text.chars().zip(0..).filter(|&(c, _)| of(c) != 9).map(|(_, at)| at).collect();
            assert_eq!(counts.stickers, wrong);
        }
    }
}

#[test]
fn every_violation_lists_its_stickers() {
    // Those of the slots, in ascending order; for centres the centres.
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(9, 'F'), (20, 'L')])));
    assert_eq!((found[1].code, &*found[1].stickers), ("duplicate_corner", &[6, 8, 9, 18, 20, 38][..]));
    assert_eq!((found[2].code, &*found[2].stickers), ("missing_corner", &[][..]));
    let found = violations(Cube::from_facelets(&cycled(SOLVED, &[10, 28])));
    assert_eq!((found[0].code, &*found[0].stickers), ("impossible_edge", &[5, 10][..]));
    assert_eq!((found[1].code, &*found[1].stickers), ("duplicate_edge", &[12, 23, 25, 28][..]));
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(13, 'U'), (0, 'R')])));
    assert_eq!((found[0].code, &*found[0].stickers), ("repeated_centre", &[4, 13][..]));
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(8, 'X'), (10, 'Y')])));
    assert_eq!((found[0].code, &*found[0].stickers), ("too_many_symbols", &[8, 10][..]));
    // None for lengths and sums, and for cubies.
    for text in [&SOLVED[1..], &cycled(SOLVED, &[8, 9, 20]), &cycled(SOLVED, &[7, 19]), &cycled(SOLVED, &[10, 19])] {
        assert!(violations(Cube::from_facelets(text)).iter().all(|v| v.stickers.is_empty()), "{text}");
    }
    let found = violations(Cube::from_cubies(&[0; 8], &[3; 8], &[0; 12], &[0; 12]));
    assert!(found.iter().any(|v| v.code == "duplicate_corner") && found.iter().all(|v| v.stickers.is_empty()));
}

#[test]
fn repeated_centres_are_reported_for_each_symbol() {
    // A centre exchanged with another sticker leaves nine of each.
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(13, 'U'), (0, 'R')])));
    assert_eq!(codes(&found), ["repeated_centre"]);
    assert_eq!(found[0].slots, ["U", "R"]);
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(13, 'U'), (22, 'B')])));
    assert_eq!(codes(&found), ["symbol_count", "repeated_centre", "repeated_centre"]);
    assert_eq!((&found[1].slots, &found[2].slots), (&vec!["U", "R"], &vec!["F", "B"]));
}

#[test]
fn impossible_slots_say_why() {
    // Two stickers of corner URF exchanged: its mirror image.
    let found = violations(Cube::from_facelets(&cycled(SOLVED, &[9, 20])));
    assert_eq!(codes(&found), ["impossible_corner", "missing_corner"]);
    assert_eq!((&found[0].slots, &found[0].pieces), (&vec!["URF"], &vec!["URF"]));
    assert!(found[0].message.contains("mirror") && found[0].message.contains("U9 R1 F3"), "{}", found[0].message);
    assert!(found[1].message.contains("correct slot URF first"), "{}", found[1].message);
    // R2 and D2 exchanged: U and D together in one slot, and in the other the edge that belongs in FR.
    let found = violations(Cube::from_facelets(&cycled(SOLVED, &[10, 28])));
    assert_eq!(codes(&found), ["impossible_edge", "duplicate_edge", "missing_edge"]);
    assert_eq!(found[0].slots, ["UR"]);
    assert!(found[0].message.contains("opposite"), "{}", found[0].message);
    assert_eq!((&found[1].slots, &found[1].pieces), (&vec!["DF", "FR"], &vec!["FR"]));
    assert_eq!(found[2].pieces, ["UR", "DF"]);
    // Several at once, in slot order, corners first.
    let found = violations(Cube::from_facelets(&cycled(&cycled(SOLVED, &[9, 20]), &[10, 29])));
    assert_eq!(codes(&found)[..3], ["impossible_corner", "impossible_corner", "impossible_edge"]);
    assert_eq!([&found[0].slots, &found[1].slots, &found[2].slots], [&["URF"], &["DFR"], &["UR"]]);
}

#[test]
fn faulty_pieces_are_named_in_the_symbols_of_the_caller() {
    // Corner URF painted like UFL: facelets 8 9 20 become U F L in the order of the slot.
    let text = with(SOLVED, &[(9, 'F'), (20, 'L')]);
    let found = violations(Cube::from_facelets(&text));
    assert_eq!(codes(&found), ["symbol_count", "duplicate_corner", "missing_corner"]);
    assert_eq!((&found[1].slots, &found[1].pieces), (&vec!["URF", "UFL"], &vec!["UFL"]));
    assert_eq!(found[1].kociemba, Some(4));
    assert!(found[1].message.contains("U9 R1 F3"), "{}", found[1].message);
    assert_eq!((&found[2].slots, &found[2].pieces), (&vec![], &vec!["URF"]));
    let coloured: String =
        text.chars().map(|c| "WRGYOB".as_bytes()["URFDLB".find(c).expect("a letter")] as char).collect();
    let found = violations(Cube::from_facelets(&coloured));
    assert!(found[2].message.contains("URF (W R G)"), "{}", found[2].message);
    // Edge UR painted like UF.
    let found = violations(Cube::from_facelets(&with(SOLVED, &[(10, 'F')])));
    assert_eq!(codes(&found), ["symbol_count", "duplicate_edge", "missing_edge"]);
    assert_eq!((&found[1].slots, &found[1].pieces), (&vec!["UR", "UF"], &vec!["UF"]));
    assert_eq!((found[1].kociemba, found[2].kociemba), (Some(2), Some(2)));
}

#[test]
fn twist_flip_and_parity_are_each_told() {
    let numbers = |found: &[Violation]| found.iter().map(|v| (v.code, v.kociemba)).collect::<Vec<_>>();
    // U9 to R1, R1 to F3: clockwise; the other way round; one edge over; two edges exchanged.
    let twisted = cycled(SOLVED, &[8, 9, 20]);
    let found = violations(Cube::from_facelets(&twisted));
    assert_eq!(numbers(&found), [("corner_twist", Some(5))]);
    assert!(found[0].message.contains("a third counter-clockwise"), "{}", found[0].message);
    let found = violations(Cube::from_facelets(&cycled(SOLVED, &[20, 9, 8])));
    assert_eq!(numbers(&found), [("corner_twist", Some(5))]);
    assert!(found[0].message.contains("a third clockwise"), "{}", found[0].message);
    let flipped = cycled(SOLVED, &[7, 19]);
    assert_eq!(numbers(&violations(Cube::from_facelets(&flipped))), [("edge_flip", Some(3))]);
    let swapped = cycled(SOLVED, &[10, 19]);
    assert_eq!(numbers(&violations(Cube::from_facelets(&swapped))), [("permutation_parity", Some(6))]);
    // All three, and on a scrambled cube held another way.
    let scrambled = Cube::from_scramble("R U2 F' D L B2 M x' y R").expect("a scramble").to_string();
    for text in [SOLVED, &scrambled] {
        let all = cycled(&cycled(&cycled(text, &[8, 9, 20]), &[32, 16]), &[5, 7]);
        let all = cycled(&all, &[10, 19]);
        let wanted = [("corner_twist", Some(5)), ("edge_flip", Some(3)), ("permutation_parity", Some(6))];
        assert_eq!(numbers(&violations(Cube::from_facelets(&all))), wanted);
    }
    // A duplicate leaves the arrangement without parity, but twists and flips are still known.
    let found = violations(Cube::from_facelets(&with(&twisted, &[(7, 'F'), (19, 'R')])));
    assert_eq!(codes(&found), ["symbol_count", "duplicate_edge", "missing_edge", "corner_twist"]);
}

#[test]
fn cubies_tell_exact_slots() {
    let eight = [0, 1, 2, 3, 4, 5, 6, 7];
    let twelve = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
    let found = violations(Cube::from_cubies(&[0, 1, 2, 3, 4, 5, 6, 8], &[3, 0, 0, 0, 0, 0, 0, 0], &twelve, &[0; 12]));
    assert_eq!(codes(&found), ["value_out_of_range", "value_out_of_range", "missing_corner"]);
    assert_eq!((&found[0].slots, &found[1].slots), (&vec!["DRB"], &vec!["URF"]));
    assert!(found[1].message.contains("co[0] = 3"), "{}", found[1].message);
    assert_eq!(found[2].pieces, ["DRB"]);
    let mut ep = twelve;
    ep[3] = 11;
    let found = violations(Cube::from_cubies(&eight, &[0; 8], &ep, &[0; 11]));
    assert_eq!(codes(&found), ["wrong_array_length", "duplicate_edge", "missing_edge"]);
    assert_eq!((&found[1].slots, &found[1].pieces, &found[2].pieces), (&vec!["UB", "BR"], &vec!["BR"], &vec!["UB"]));
    assert!(found[1].message.contains("UB (ep[3])"), "{}", found[1].message);
    // Without its first entry this is a possible cube, though the first eight are an odd permutation.
    let found = violations(Cube::from_cubies(&[1, 0, 2, 3, 4, 5, 6, 7, 1], &[0; 8], &twelve, &[0; 12]));
    assert_eq!(codes(&found), ["wrong_array_length"]);
    assert!(Cube::from_cubies(&[0, 2, 3, 4, 5, 6, 7, 1], &[0; 8], &twelve, &[0; 12]).is_ok());
    let mut long = twelve.to_vec();
    long.swap(0, 1);
    long.push(0);
    let found = violations(Cube::from_cubies(&eight, &[0; 8], &long, &[0; 12]));
    assert_eq!(codes(&found), ["wrong_array_length"]);
    let found = violations(Cube::from_cubies(&vec![7; 100_000], &[0; 8], &twelve, &[0; 12]));
    assert_eq!(codes(&found), ["wrong_array_length", "duplicate_corner"]);
}
