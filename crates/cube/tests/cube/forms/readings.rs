//! Generates texts in every form and spelling with a known cube, and checks that none is read as another cube.
//!
//! Cubes and layouts come from the model of stickers. A text is read as its cube or refused.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use superflip_cube::{Cube, Form, FormError, Holding, Move};

use super::{after, assert_impossible, assert_read, detect, read_as};
use crate::common::stickers::{SOLVED, apply, renamed};
use crate::common::{maneuver, rng};

/// The facelet at each position of a text that lists the faces in this order.
fn by_faces(order: &str) -> Vec<usize> {
    order.chars().flat_map(|face| (0..9).map(move |at| 9 * "URFDLB".find(face).unwrap() + at)).collect()
}

/// The facelet at each position of an unfolded cube: rows of U, rows of L F R B, rows of D.
fn net() -> Vec<usize> {
    let row = |face: char, row: usize| (0..3).map(move |at| 9 * "URFDLB".find(face).unwrap() + 3 * row + at);
    let band = (0..3).flat_map(|at| "LFRB".chars().flat_map(move |face| row(face, at)));
    by_faces("U").into_iter().chain(band).chain(by_faces("D")).collect()
}

fn layouts() -> [(Form, Vec<usize>); 3] {
    [(Form::Facelets, by_faces("URFDLB")), (Form::Ulfrbd, by_faces("ULFRBD")), (Form::Net, net())]
}

/// Writes stickers in a layout, with other symbols for `URFDLB`.
fn written(facelets: &str, layout: &[usize], symbols: &str) -> String {
    let letters: Vec<char> = facelets.chars().collect();
    let symbols: Vec<char> = symbols.chars().collect();
    layout.iter().map(|&at| symbols["URFDLB".find(letters[at]).unwrap()]).collect()
}

/// Returns the text in words of this length.
fn in_words(text: &str, length: usize, separator: &str) -> String {
    let symbols: Vec<char> = text.chars().collect();
    let words: Vec<String> = symbols.chunks(length).map(|word| word.iter().collect()).collect();
    words.join(separator)
}

/// Returns whether the text is read; panics if it is read as another cube.
#[track_caller]
fn is_read(text: &str, facelets: &str) -> bool {
    match detect(text) {
        Ok(found) => {
            assert_eq!(found.cube.to_string(), facelets, "{text} is read as {}", found.format);
            true
        }
        Err(error) => {
            if let FormError::Ambiguous(readings) = &error {
                let is_listed = readings.iter().any(|reading| reading.facelets == facelets);
                assert!(is_listed, "{text}: {error}");
            }
            false
        }
    }
}

/// Maneuvers: all of one move, some of two, symmetric ones and random ones. The cubes of some are legal in several orders.
fn maneuvers(rng: &mut StdRng) -> Vec<String> {
    let mut found: Vec<String> = Move::ALL.iter().map(Move::to_string).collect();
    found.extend(
        ["", "U2 D2", "U' D'", "R L", "R2 L2 U2 D2 F2 B2", "U D'", "F2 B2", "x", "y R", "z2 U R", "x' F2 B"]
            .map(String::from),
    );
    found.extend((0..12).map(|_| maneuver(rng, 2, &Move::ALL).to_string()));
    found.extend((0..12).map(|_| maneuver(rng, 25, &Move::ALL).to_string()));
    found
}

#[test]
fn stickers_in_any_order_and_symbols_are_never_another_cube() {
    const SYMBOLS: [&str; 8] = ["URFDLB", "urfdlb", "WRGYOB", "wrgyob", "abcdef", "WBRGYO", "012345", "143625"];
    let mut read = [0; SYMBOLS.len()];
    let mut texts = 0;
    for moves in maneuvers(&mut rng(11)) {
        let held = apply(SOLVED, &moves);
        let facelets = renamed(&held);
        for (number, symbols) in SYMBOLS.into_iter().enumerate() {
            for (form, layout) in layouts() {
                let text = written(&held, &layout, symbols);
                assert_eq!(read_as(&text, form).map(|found| found.cube.to_string()).as_deref(), Ok(&*facelets));
                let rows = if form == Form::Net { 3 } else { 9 };
                for text in [in_words(&text, 1, " "), in_words(&text, rows, "\n"), in_words(&text, 3, ", "), text] {
                    read[number] += usize::from(is_read(&text, &facelets));
                    texts += 1;
                }
            }
        }
    }
    // The centres say the order if they are face letters or the usual colours.
    let each = texts / SYMBOLS.len();
    assert_eq!(read[..4], [each; 4]);
    assert!(read[4..].iter().all(|count| 2 * count > each), "{read:?} of {each}");
}

/// Texts of face letters in an order of the faces that no form has. Texts whose centres fit one of the forms are left out.
#[test]
fn face_letters_in_other_orders_are_never_another_cube() {
    let mut refused = 0;
    let mut orders = vec![String::new()];
    for _ in 0..6 {
        let longer = |order: &String| {
            "URFDLB"
                .chars()
                .filter(|face| !order.contains(*face))
                .map(|face| format!("{order}{face}"))
                .collect::<Vec<_>>()
        };
        orders = orders.iter().flat_map(longer).collect();
    }
    assert_eq!(orders.len(), 720);
    let is_held = |order: &str, read: &str| {
        let at = |face: char| order.as_bytes()[read.find(face).unwrap()] as char;
        let centres: String = "URFDLB".chars().flat_map(|face| [at(face); 9]).collect();
        ["", "x", "x2", "x'", "z", "z'"]
            .iter()
            .any(|up| ["", "y", "y2", "y'"].iter().any(|turn| apply(SOLVED, &format!("{up} {turn}")) == centres))
    };
    for order in orders {
        if is_held(&order, "URFDLB") || is_held(&order, "ULFRBD") {
            continue;
        }
        for moves in ["R", "U D'", "F2", "R2 L2", "U2 D2 F2 B2"] {
            let facelets = apply(SOLVED, moves);
            let text = written(&facelets, &by_faces(&order), "URFDLB");
            for text in [in_words(&text, 1, " "), in_words(&text, 3, " "), text] {
                refused += usize::from(!is_read(&text, &facelets));
            }
        }
    }
    assert_eq!(refused, 3 * 5 * (720 - 48));
    let strange = written(SOLVED, &by_faces("UDFBLR"), "URFDLB");
    let error = detect(&strange).expect_err("in another order").to_string();
    assert!(error.contains("U D F B L R, in the order of the text"), "{error}");
}

/// Texts whose centres are the usual colours of a cube in a mirror: left and right exchanged, each face as seen from inside, or a cube with
/// other colours.
#[test]
fn mirrored_colours_are_read_only_in_a_named_order() {
    let mut told = 0;
    let mut texts = 0;
    for moves in maneuvers(&mut rng(13)) {
        let held = apply(SOLVED, &moves);
        for symbols in ["WOGYRB", "wogyrb"] {
            for (form, layout) in layouts() {
                let text = written(&held, &layout, symbols);
                let rows = if form == Form::Net { 3 } else { 9 };
                for text in [in_words(&text, 1, " "), in_words(&text, rows, "\n"), text] {
                    match detect(&text) {
                        // In another order, the same text may have the usual colours.
                        Ok(found) => assert!(found.format != form && found.holding.is_some(), "{text}: {found:?}"),
                        Err(error) => told += usize::from(error.to_string().contains("centres are mirrored")),
                    }
                    texts += 1;
                    assert_eq!(read_as(&text, form).map(|found| found.cube.to_string()), Ok(renamed(&held)));
                }
            }
        }
    }
    assert!(5 * told > 4 * texts, "{told} of {texts}");
    // An order of the faces that no form has, in the usual colours.
    let text = written(&apply(SOLVED, "L'"), &by_faces("ULFDRB"), "WRGYOB");
    assert_impossible(&detect(&text), None, "impossible_centres");
}

/// With the usual colours, the order that the centres show is assumed for a text with a wrong sticker too.
#[test]
fn the_usual_colours_decide_the_order_of_a_faulty_text() {
    let mut rng = rng(12);
    let cubes: Vec<String> = ["", "R", "U D'"]
        .map(String::from)
        .into_iter()
        .chain((0..4).map(|_| maneuver(&mut rng, 20, &Move::ALL).to_string()))
        .collect();
    for moves in cubes {
        let held = apply(SOLVED, &moves);
        for (form, layout) in layouts() {
            for symbols in ["WRGYOB", "wrgyob", "URFDLB"] {
                let right: Vec<char> = written(&held, &layout, symbols).chars().collect();
                for at in (0..54).filter(|&at| layout[at] % 9 != 4) {
                    let mut text = right.clone();
                    let wrong: Vec<char> = symbols.chars().filter(|symbol| *symbol != right[at]).collect();
                    text[at] = *wrong.choose(&mut rng).unwrap();
                    let text: String = text.into_iter().collect();
                    assert_eq!(detect(&text).expect_err(&text).format(), Some(form), "{text}");
                }
            }
        }
    }
}

/// A text that fails in a form says in which other form it is a cube.
#[test]
fn a_failure_names_the_forms_that_fit() {
    let others = |text: &str, form: Form| match read_as(text, form) {
        Err(FormError::Impossible { others, .. } | FormError::Unreadable { others, .. }) => others,
        other => panic!("{text}: {other:?}"),
    };
    let held = apply(SOLVED, "R U F D2 L' B");
    let [(_, facelets), (_, ulfrbd), (_, net)] = layouts();
    for symbols in ["URFDLB", "WRGYOB", "abcdef"] {
        for (layout, form) in [(&facelets, Form::Facelets), (&ulfrbd, Form::Ulfrbd), (&net, Form::Net)] {
            let text = written(&held, layout, symbols);
            for wrong in [Form::Facelets, Form::Ulfrbd, Form::Net, Form::Digits, Form::B32, Form::Reid] {
                if wrong != form {
                    assert_eq!(others(&text, wrong), [form], "{text} as {wrong}");
                }
            }
        }
    }
    assert_eq!(others("R U F'", Form::Facelets), [Form::Scramble]);
    assert_eq!(others("f.b x", Form::B32), [Form::Scramble]);
    assert_eq!(others("f.b", Form::B32), [Form::Speffz, Form::Scramble]);
    let error = read_as(&written(&held, &net, "WRGYOB"), Form::Facelets).unwrap_err().to_string();
    // The form comes first, then up to two faults, or the number of more.
    let start = "read as facelets: The text is a cube in the form `net`: name that form. Symbol `O` is on 2 centres";
    assert!(error.starts_with(start), "{error}");
    let error = read_as(&written(&held, &ulfrbd, "URFDLB"), Form::Facelets).unwrap_err();
    let FormError::Impossible { violations, .. } = &error else { panic!("{error}") };
    let faults = violations.len();
    assert!(faults > 2, "{error}");
    let expected = "read as facelets: The text is a cube in the form `ulfrbd`: name that form. Without that, it has";
    assert_eq!(error.to_string(), format!("{expected} {faults} faults."));
    // Colours whose centres speak for an order in which the text is no cube.
    let strange = written(&apply(SOLVED, "R U F"), &facelets, "WORYGB");
    assert!(
        is_read(&strange, &apply(SOLVED, "R U F")) || others(&strange, Form::Ulfrbd) == [Form::Facelets],
        "{strange}"
    );
}

/// The spellings of a maneuver: separators, marks of inverse moves and half turns, counts of repetitions, and numbers before it.
#[test]
fn moves_in_any_spelling_are_never_another_cube() {
    let mut rng = rng(13);
    let mut read = 0;
    let mut refused = 0;
    for _ in 0..1500 {
        let length = rng.random_range(1..7);
        let plain = maneuver(&mut rng, length, &Move::ALL).to_string();
        let plain =
            if rng.random_bool(0.3) { format!("{plain} x2 {}", maneuver(&mut rng, 2, &Move::ALL)) } else { plain };
        let prime = *["'", "’", "-", "i", "3", "^-1", "^{-1}", "`", "–"].choose(&mut rng).unwrap();
        let half = *["2", "2'", "'2", "^2", "2-", "i2"].choose(&mut rng).unwrap();
        let separator = *[" ", "", "-", ", ", ",", ".", "\n", " - ", "·", " // a\n"].choose(&mut rng).unwrap();
        let words: Vec<String> = plain
            .split(' ')
            .map(|mv| if mv.ends_with('2') { mv.replace('2', half) } else { mv.replace('\'', prime) })
            .collect();
        let mut text = words.join(separator);
        let mut meant = plain;
        if rng.random_bool(0.5) {
            let (open, close) = *[("(", ")"), ("", "")].choose(&mut rng).unwrap();
            let sign = *["x", " x", "X", " x ", "×", "*", "^", "", " ", "'"].choose(&mut rng).unwrap();
            let times = rng.random_range(1..5);
            text = format!("{open}{text}{close}{sign}{times}");
            meant = vec![meant.as_str(); times].join(" ");
            // What these mean without brackets, and a number alone, is not defined.
            if open.is_empty() || [" ", "'"].contains(&sign) {
                let other = detect(&text);
                let is_apart = sign.contains(['x', 'X', '×', '*']) || sign == " ";
                // After a space, `x2` is the rotation.
                let is_rotation = times == 2 && ["x", " x", "X"].contains(&sign);
                assert!(other.is_err() || is_rotation || !is_apart, "{text}: {other:?}");
                continue;
            }
            if sign == " x" && times == 2 {
                continue;
            }
        }
        if rng.random_bool(0.2) {
            text = format!("7. {text}");
        }
        if is_read(&text, &renamed(&apply(SOLVED, &meant))) {
            read += 1;
        } else {
            refused += 1;
        }
    }
    assert!(read > 500 && refused > 100, "{read} {refused}");
}

/// Names of pieces are a Reid string or nothing: parts of one, cycles in any notation.
#[test]
fn names_of_pieces_are_never_moves() {
    const NAMES: &str = "UF UR UB UL DF DR DB DL FR FL BR BL UFR URB UBL ULF DRF DFL DLB DBR";
    let names: Vec<&str> = NAMES.split(' ').collect();
    let mut rng = rng(14);
    for count in 2..20 {
        for _ in 0..12 {
            let chosen: Vec<String> = names
                .sample(&mut rng, count)
                .map(|name| {
                    let mut letters: Vec<char> = name.chars().collect();
                    letters.rotate_left(rng_of(name) % name.len());
                    letters.into_iter().collect()
                })
                .collect();
            for separator in [" ", "-", " - ", ", ", " → ", "->", ">", "\n"] {
                let text = chosen.join(separator);
                for text in [format!("({text})"), format!("[{text}]"), text] {
                    assert!(detect(&text).is_err(), "{text}");
                }
            }
        }
    }
    assert_eq!(detect(NAMES).map(|found| found.cube), Ok(Cube::SOLVED));
}

fn rng_of(name: &str) -> usize {
    name.bytes().map(usize::from).sum()
}

/// Unknown stickers are written with many symbols; most of these are moves too.
#[test]
fn placeholders_are_never_moves() {
    let mut rng = rng(15);
    for placeholder in "xXyYzZ.-_*MESmesw0123456789#NnN?".chars() {
        for known in [0, 9, 20, 40, 47] {
            let facelets: Vec<char> = apply(SOLVED, &maneuver(&mut rng, 20, &Move::ALL).to_string()).chars().collect();
            for (_, layout) in layouts() {
                let mut shown: Vec<usize> = (0..54).filter(|at| at % 9 == 4).collect();
                shown.extend((0..54).collect::<Vec<_>>().sample(&mut rng, known));
                let text: String =
                    layout.iter().map(|at| if shown.contains(at) { facelets[*at] } else { placeholder }).collect();
                for text in [in_words(&text, 1, " "), in_words(&text, 9, "\n"), in_words(&text, 3, " "), text] {
                    if let Ok(found) = detect(&text) {
                        panic!("{text}: read as {}", found.format);
                    }
                }
            }
        }
    }
}

/// Stickers of cubes of other sizes are no moves, and the error says the size.
#[test]
fn other_sizes_are_named() {
    let mut rng = rng(16);
    for (size, name) in [(2, "2x2x2"), (4, "4x4x4"), (5, "5x5x5")] {
        for symbols in ["URFDLB", "WRGYOB", "123456"] {
            let mut stickers: Vec<char> = symbols.chars().flat_map(|symbol| vec![symbol; size * size]).collect();
            for turn in 0..4 {
                let text: String = stickers.iter().collect();
                for words in [size * size, size] {
                    for text in [in_words(&text, words, " "), in_words(&text, words, "\n"), text.clone()] {
                        let error = detect(&text).expect_err(&text).to_string();
                        assert!(error.contains(name), "{text}: {error}");
                    }
                }
                for _ in 0..3 * turn {
                    let a = rng.random_range(0..stickers.len());
                    let b = rng.random_range(0..stickers.len());
                    stickers.swap(a, b);
                }
            }
        }
    }
}

#[test]
fn scrambles_of_other_programs_are_read() {
    for (text, plain) in [
        ("R1 U1 F1", "R U F"),
        ("R3 U2 F1 (3f)", "R' U2 F"),
        ("R3 U2 F1 (18f*)", "R' U2 F"),
        // Each of these lengths is also a move.
        ("R (1f)", "R"),
        ("R U (2f)", "R U"),
        ("R U F (3f*)\n", "R U F"),
        ("F3U3R3", "F' U' R'"),
        ("DDD R", "D' R"),
        ("F  L'   .  U2 R  (4f)", "F L' U2 R"),
        ("R\u{2019} U\u{2032} F", "R' U' F"),
        ("R- U2- F\u{2013} B\u{2212}", "R' U2 F' B'"),
        ("(R U-)2-", "(R U')2'"),
        ("R U // first\nF", "R U F"),
    ] {
        assert_read(text, Form::Scramble, after(plain));
        assert_eq!(detect(text).map(|found| found.holding), Ok(Some(Holding::HOME)));
    }
}

#[test]
fn a_dash_before_a_digit_is_no_apostrophe() {
    for text in ["R2-3Rw", "R-2", "2-3Rw"] {
        let found = read_as(text, Form::Scramble);
        assert!(matches!(found, Err(FormError::Unreadable { format: Some(Form::Scramble), .. })), "{text}: {found:?}");
    }
}

#[test]
fn rotations_say_how_the_cube_is_held() {
    for (text, name) in [("x", "FD"), ("y", "UR"), ("z", "LF"), ("Rw", "FD"), ("M", "BU"), ("R U F", "UF")] {
        let found = detect(text).expect(text);
        assert_eq!(found.holding.map(Holding::name).as_deref(), Some(name), "{text}");
    }
}
