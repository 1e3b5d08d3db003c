//! Written solutions of fewest moves: which symbols are allowed, and where the moves lead, against the model of stickers.

use proptest::prelude::*;
use rand::RngExt;
use rand::rngs::StdRng;
use superflip_cube::notation::fewest_moves::{MAX_EXECUTED, Rule, SolutionCheck, moves_of_inverse};
use superflip_cube::{Cube, Form, Move, Moves};

use crate::common::{rng, stickers};

/// A random move of regulation 12a, and the same in moves that the model has.
fn random_move(rng: &mut StdRng) -> (String, String) {
    let letter = |rng: &mut StdRng, letters: &[u8]| char::from(letters[rng.random_range(0..letters.len())]);
    let amount = ["", "'", "2"][rng.random_range(0..3)];
    match rng.random_range(0..4) {
        0 => {
            let axis = letter(rng, b"xyz");
            // The whole cube is two layers turned one way, and the third turned the other way as seen from its own side.
            let (face, opposite) = [('R', 'L'), ('U', 'D'), ('F', 'B')]["xyz".find(axis).unwrap()];
            let back = ["'", "", "2"][["", "'", "2"].iter().position(|own| *own == amount).unwrap()];
            (format!("{axis}{amount}"), format!("{face}w{amount} {opposite}{back}"))
        }
        1 => {
            let face = letter(rng, b"URFDLB");
            let layers = ["", "2"][rng.random_range(0..2)];
            (format!("{layers}{face}w{amount}"), format!("{face}w{amount}"))
        }
        _ => {
            let face = letter(rng, b"URFDLB");
            (format!("{face}{amount}"), format!("{face}{amount}"))
        }
    }
}

/// The moves of the model that undo others.
fn undone(modelled: &str) -> String {
    let inverse = |word: &str| match word.strip_suffix('\'') {
        Some(name) => name.to_owned(),
        None if word.ends_with('2') => word.to_owned(),
        None => format!("{word}'"),
    };
    modelled.split_whitespace().rev().map(inverse).collect::<Vec<_>>().join(" ")
}

#[test]
fn solutions_lead_where_the_stickers_go() {
    let mut rng = rng(1);
    let mut unsolved = 0;
    for _ in 0..500 {
        let moves: Vec<_> = (0..rng.random_range(1..30)).map(|_| random_move(&mut rng)).collect();
        let joined = |part: fn(&(String, String)) -> &str| moves.iter().map(part).collect::<Vec<_>>().join(" ");
        let written = joined(|mv| &mv.0);
        let modelled = joined(|mv| &mv.1);
        let facelets = stickers::renamed(&stickers::apply(stickers::SOLVED, &undone(&modelled)));
        let cube = Cube::from_facelets(&facelets).unwrap();
        let check = SolutionCheck::new(&cube, &written);
        assert!(check.is_valid(), "{written}: {:?}", check.broken);
        let rotations = moves.iter().filter(|mv| mv.0.starts_with(['x', 'y', 'z'])).count();
        assert_eq!((check.length, check.executed), (Some(moves.len() - rotations), Some(moves.len())), "{written}");

        // One move more leads to another cube, except a rotation.
        let (more, more_modelled) = random_move(&mut rng);
        let check = SolutionCheck::new(&cube, &format!("{written} {more}"));
        let end = stickers::apply(&facelets, &format!("{modelled} {more_modelled}"));
        assert_eq!(check.solves(), Some(stickers::is_solved(&end)), "{written} {more}");
        assert_eq!(check.end.unwrap().to_string(), stickers::renamed(&end), "{written} {more}");
        if check.solves() == Some(false) {
            unsolved += 1;
            assert_eq!(check.broken.len(), 1);
            assert_eq!((check.broken[0].rule, check.broken[0].character), (Rule::NotSolved, None));
            let is_solved = |count: &usize| {
                let first: Vec<&str> = moves[..*count].iter().map(|mv| mv.1.as_str()).collect();
                stickers::solves(&facelets, &first.join(" "))
            };
            let early = (0..=moves.len()).find(is_solved).unwrap();
            assert!(check.broken[0].message.contains(&format!("after {early} move")), "{:?}", check.broken);
        }
    }
    assert!(unsolved > 200, "{unsolved}");
}

/// The examples of guideline E2c4+ of 2024, with the number of the first wrong symbol.
#[test]
fn examples_of_the_guideline_are_refused() {
    #[rustfmt::skip]
    let examples = [
        ("M", Rule::SliceMove), ("e", Rule::SliceMove), ("r", Rule::LowerCase), ("Y", Rule::UpperCaseRotation),
        ("T", Rule::Symbol), ("U1", Rule::Amount), ("Ui", Rule::Symbol), ("U3", Rule::Amount), ("U-", Rule::Dash),
        ("R++", Rule::Symbol), ("R2'", Rule::HalfTurnApostrophe), ("R'2", Rule::SuffixOrder), ("L'w", Rule::SuffixOrder),
        ("1R", Rule::LayerNumber), ("2U", Rule::LayerNumber), ("2f", Rule::LowerCase), ("2-3r", Rule::LowerCase),
        ("1Rw", Rule::LayerNumber), ("3Rw", Rule::LayerNumber), ("2-3Rw", Rule::LayerNumber), ("rw", Rule::LowerCase),
        ("Rr", Rule::LowerCase), ("*", Rule::Grouping), ("→", Rule::Symbol), ("⮐", Rule::Symbol), ("/", Rule::Symbol),
        (".", Rule::Symbol), ("?", Rule::Symbol), ("[r]", Rule::Grouping), ("[r u]", Rule::Grouping), ("[F]", Rule::Grouping),
        ("<f>", Rule::Grouping), ("[f]'", Rule::Grouping), ("[f]2", Rule::Grouping), ("[x]", Rule::Grouping),
        ("(x)", Rule::Grouping), ("(L)", Rule::Grouping), ("2(Rw)", Rule::Symbol), ("(U)2", Rule::Grouping),
        ("(U)'", Rule::Grouping), ("(R U)'", Rule::Grouping), ("(R U R')", Rule::Grouping), ("[R, U]", Rule::Grouping),
        ("[R: U]", Rule::Grouping),
    ];
    for (text, rule) in examples {
        let check = SolutionCheck::new(&Cube::SOLVED, text);
        assert_eq!(check.broken.first().map(|broken| broken.rule), Some(rule), "{text}: {:?}", check.broken);
        assert_eq!((check.length, check.executed), (None, None), "{text}");
        let before = format!("R2 x' 2Uw {text}");
        let check = SolutionCheck::new(&Cube::SOLVED, &before);
        // The first symbol of a move is named, also if only a later one is wrong.
        let whole = ["Ui", "R++", "Rr"].contains(&text);
        assert_eq!(check.broken[0].character, Some(11 + usize::from(whole)), "{text}");
        let number = check.broken[0].character.unwrap() - 1;
        let found: String = before.chars().skip(number).take(check.broken[0].symbols.chars().count()).collect();
        assert_eq!(found, check.broken[0].symbols, "{text}");
    }
}

#[test]
fn what_the_regulation_defines_is_allowed() {
    let mut all: Vec<String> = Vec::new();
    for amount in ["", "'", "2", "\u{2019}"] {
        for face in "URFDLB".chars() {
            all.extend([format!("{face}{amount}"), format!("{face}w{amount}"), format!("2{face}w{amount}")]);
        }
        all.extend("xyz".chars().map(|axis| format!("{axis}{amount}")));
    }
    for text in &all {
        let check = SolutionCheck::new(&Cube::SOLVED, text);
        assert!(check.broken.iter().all(|broken| broken.rule == Rule::NotSolved), "{text}: {:?}", check.broken);
        assert_eq!(check.solves(), Some(text.starts_with(['x', 'y', 'z'])), "{text}");
    }
    // Without white space, and over several lines.
    for text in ["RU'R'U", "R\n U' \t R'U", "R2 Rw2x2"] {
        assert!(SolutionCheck::new(&Cube::SOLVED, text).length.is_some(), "{text}");
    }
    // Names of pieces are moves here.
    let reid = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";
    assert_eq!(SolutionCheck::new(&Cube::SOLVED, reid).length, Some(48));
    assert!(SolutionCheck::new(&Cube::SOLVED, "").is_valid());
}

#[test]
fn moves_in_another_notation_are_replayed() {
    let cube = Cube::from_scramble("R U F").unwrap();
    for (text, solves, rules) in [
        ("F' U' R3", Some(true), &[Rule::Amount][..]),
        ("(R U F)'", Some(true), &[Rule::Grouping; 2]),
        ("F' // the corner\nU' R'", Some(true), &[Rule::Comment]),
        ("F' U' R2'", Some(false), &[Rule::HalfTurnApostrophe, Rule::NotSolved]),
        ("F' U' Q R'", None, &[Rule::Symbol]),
        ("F' U' R'2", Some(false), &[Rule::SuffixOrder, Rule::NotSolved]),
        ("F' U' R'2U", None, &[Rule::SuffixOrder]),
        // A repeat count behind a bracket, with any sign.
        ("[R, F]x3 [F, R]×3 ([F, R])^4 ([F, R])*2 F' U' R'", Some(true), &[Rule::Grouping; 16]),
        // `R 2Rw` and `R2 Rw` are different moves.
        ("F' U2Rw", None, &[Rule::Ambiguous]),
    ] {
        let check = SolutionCheck::new(&cube, text);
        let found: Vec<Rule> = check.broken.iter().map(|broken| broken.rule).collect();
        assert_eq!((check.solves(), found.as_slice()), (solves, rules), "{text}");
        assert!(!check.is_valid());
    }
    // The replacement of a middle layer is the same moves.
    for (slice, same) in [("M", "Rw' R"), ("M'", "Rw R'"), ("M2", "Rw2 R2"), ("E", "Uw' U"), ("S'", "Fw' F")] {
        let check = SolutionCheck::new(&Cube::SOLVED, slice);
        assert!(check.broken[0].message.contains(&format!("`{same}`")), "{:?}", check.broken);
        assert_eq!(Cube::from_scramble(slice).unwrap(), Cube::from_scramble(same).unwrap(), "{slice}");
    }
}

#[test]
fn mistakes_of_the_whole_solution_are_named() {
    let cube = Cube::from_scramble("R U F").unwrap();
    let message = |text: &str| SolutionCheck::new(&cube, text).broken[0].message.clone();
    assert!(message("R U F").contains("inverse"));
    assert!(message("F' U' R' U").contains("after 3 moves"));
    assert_eq!(message("U"), "The moves do not solve the cube.");
    let long = |rotations: usize| SolutionCheck::new(&cube, &format!("{} F' U' R'", "y ".repeat(rotations)));
    // 77 rotations are 19 turns and one quarter more.
    let most = SolutionCheck::new(&cube, &format!("{}F' U' R'", "y2 y2 ".repeat(38) + "y2 "));
    assert_eq!((most.executed, most.length), (Some(MAX_EXECUTED), Some(3)));
    assert!(!most.broken.iter().any(|broken| broken.rule == Rule::TooLong));
    let over = long(80);
    assert_eq!((over.executed, over.solves(), over.broken.len()), (Some(83), Some(true), 1));
    assert_eq!(over.broken[0].rule, Rule::TooLong);
    // Longer than any maneuver may be, so that it is not replayed.
    let endless = SolutionCheck::new(&cube, &"R ".repeat(10_001));
    assert_eq!((endless.is_valid(), endless.solves(), endless.executed), (false, None, None));
    assert_eq!(endless.broken[0].rule, Rule::TooLong);
}

#[test]
fn moves_of_the_inverse_scramble_are_counted() {
    assert_eq!(moves_of_inverse("R' U' F D2 L", "L' D2 F' U R"), Some(5));
    assert_eq!(moves_of_inverse("R' U' F D2 L", "L D2 F' U R"), Some(0));
    assert_eq!(moves_of_inverse("R' U' F D2 L", "L' D2 Fw' U R"), Some(2));
    assert_eq!(moves_of_inverse("R' Q", "R"), None);
    assert_eq!(moves_of_inverse("R", "?"), None);
    // As the check reads them: two meanings are none, and a length at the end is no move.
    for (scramble, solution) in [("Rw' R2", "R2Rw"), ("R U F", "F' U' R' (3f)"), ("R U F", "F' U' R' (19f)")] {
        let is_read = SolutionCheck::new(&Cube::from_scramble(scramble).unwrap(), solution).end.is_some();
        assert_eq!(moves_of_inverse(scramble, solution), is_read.then_some(3), "{solution}");
    }
}

#[test]
fn moves_on_the_inverse_are_applied_as_by_nissy() {
    let cube = Cube::from_scramble("R U F").unwrap();
    // `applymoves` of nissy-core with the moves `(B' D' L') F2 D` prints this.
    let [normal, inverse] = ["F2 D", "B' D' L'"].map(|moves| moves.parse::<Moves>().expect(moves));
    let found = cube.after(&normal).after_on_inverse(&inverse);
    assert_eq!(found.to_form(Form::B32), "DJPCANUO=TKXCbAWVZYRE=A");
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec((0..Move::COUNT).prop_map(|index| Move::ALL[index]), 0..12)
}

proptest! {
    #[test]
    fn a_solution_solves_exactly_if_its_plain_form_does(scramble in moves(), normal in moves(), inverse in moves()) {
        let cube = Cube::SOLVED.after(&scramble);
        let plain = cube.after(&normal).after(&Moves::from(&inverse).inverse());
        let applied = cube.after(&normal).after_on_inverse(&inverse);
        prop_assert_eq!(applied.is_solved(), plain.is_solved());
        // Each is the other, conjugated by the moves on the inverse.
        prop_assert_eq!(Cube::SOLVED.after(&inverse).then(&applied), plain.after(&inverse));
    }

    #[test]
    fn any_split_of_a_solution_solves(solution in moves(), at in 0..12_usize) {
        let at = at.min(solution.len());
        let cube = Cube::SOLVED.after(&solution).inverse();
        let inverse = Moves::from(&solution[at..]).inverse();
        prop_assert!(cube.after(&solution[..at]).after_on_inverse(&inverse).is_solved());
    }
}
