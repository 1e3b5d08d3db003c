//! Facelets in either order, nets and digits.

use superflip_cube::{Cube, Form, FormError, Holding};

use super::{DIGITS, FACELETS, NET, ULFRBD, after, assert_impossible, assert_read, detect, read_as};

#[test]
fn the_example_is_read_and_written_in_every_order() {
    let cube = after("R U F");
    let written = [Form::Facelets, Form::Ulfrbd, Form::Digits].map(|form| cube.to_form(form));
    assert_eq!(written, [FACELETS, ULFRBD, DIGITS]);
    let band = "FFD FFR FBB LLL\nLLD FFR FRR UBB\nLLB DDR FRR UBB";
    assert_eq!(cube.to_form(Form::Net), format!("    UUU\n    UUU\n    LLD\n{band}\n    RRU\n    DDB\n    DDB"));
    for (text, format) in [(FACELETS, Form::Facelets), (ULFRBD, Form::Ulfrbd), (DIGITS, Form::Digits), (NET, Form::Net)]
    {
        let found = detect(text).expect(text);
        assert_eq!((found.cube, found.format, found.holding), (cube, format, Some(Holding::HOME)));
    }
}

#[test]
fn a_net_may_be_one_line_of_words() {
    let cube = after("R U F");
    let rows = NET.replace('\n', " ");
    let triples: Vec<String> =
        rows.replace(' ', "").as_bytes().chunks(3).map(|row| String::from_utf8_lossy(row).into()).collect();
    for text in [rows, triples.join(" ")] {
        assert_read(&text, Form::Net, cube);
    }
}

#[test]
fn line_ends_of_a_net_may_be_missing() {
    let cube = after("R U F");
    let colours = |text: &str| text.replace('U', "#").replace('R', "+");
    let rows: Vec<&str> = NET.lines().collect();
    for missing in 0..rows.len() - 1 {
        let (before, after) = rows.split_at(missing + 1);
        let text = format!("{}{}", before.join("\n"), after.join("\n"));
        for text in [colours(&text), text] {
            assert_read(&text, Form::Net, cube);
        }
    }
    // The faces of a middle row stay apart if a page removes all line ends.
    let written = cube.to_form(Form::Net).replace('\n', "");
    for text in [colours(&written), written, NET.replace('\n', "")] {
        assert_read(&text, Form::Net, cube);
    }
    let misread = NET.replace('\n', "").replacen('L', "D", 1);
    assert_eq!(detect(&misread).expect_err("misread").format(), Some(Form::Net));
}

#[test]
fn signs_may_separate_faces_or_stickers() {
    let cube = after("R U F");
    let joined = |separator: &str, length: usize| {
        let parts: Vec<&str> = (0..54).step_by(length).map(|at| &FACELETS[at..at + length]).collect();
        parts.join(separator)
    };
    for text in [joined(",", 1), joined(", ", 1), joined("|", 9), joined(" ; ", 9), joined(",", 3)] {
        assert_read(&text, Form::Facelets, cube);
    }
    // Commas separate single moves, the other signs none.
    assert_read("R, U, F", Form::Scramble, cube);
    for text in ["R; U; F", "R|U|F", "R U, F, L", "R, U"] {
        assert!(detect(text).is_err(), "{text}");
    }
}

#[test]
fn digits_may_begin_with_zero_or_with_one() {
    let cube = after("R U F");
    let from_one = &DIGITS[1..];
    let from_zero: String = from_one.chars().map(|digit| char::from(digit as u8 - 1)).collect();
    // As many programs number the colours: cubing.js 0 to 5 in the order U L F R B D.
    for text in [from_one, &from_zero] {
        let found = detect(text).expect(text);
        assert_eq!((found.cube, found.format, found.holding), (cube, Form::Digits, Some(Holding::HOME)));
    }
}

#[test]
fn colours_of_the_wca_say_how_the_cube_is_held() {
    let colours = "wwwwwwooygbbgrrgrrggrggryyrrrwyybyybggyooyoobooowbbwbb";
    for text in [colours.to_owned(), colours.to_uppercase()] {
        let found = detect(&text).expect(&text);
        assert_eq!((found.cube, found.holding), (after("R U F"), Some(Holding::HOME)));
    }
    // Any other six symbols do not say it.
    let other = colours.replace('w', "#");
    assert_eq!(detect(&other).map(|found| (found.cube, found.holding)), Ok((after("R U F"), None)));
}

#[test]
fn impossible_facelets_keep_their_codes() {
    let misread = FACELETS.replacen('L', "D", 1);
    for found in [detect(&misread), read_as(&misread, Form::Facelets)] {
        assert_impossible(&found, Some(Form::Facelets), "symbol_count");
    }
    // The order with the smallest fault is assumed.
    let swapped = ULFRBD.replacen("LLD", "LDL", 1);
    let found = detect(&swapped);
    assert!(matches!(found, Err(FormError::Impossible { format: Some(Form::Ulfrbd), .. })), "{found:?}");
    let short = &FACELETS[1..];
    assert_impossible(&detect(short), None, "wrong_length");
}

#[test]
fn unknown_stickers_are_reported_by_facelet() {
    let mut text = FACELETS.to_owned();
    text.replace_range(10..11, "?");
    text.replace_range(53..54, "?");
    let unknown = FormError::UnknownStickers { formats: vec![Form::Facelets], stickers: vec![10, 53] };
    assert_eq!(detect(&text), Err(unknown));
    // The tenth symbol in the order U L F R B D is on L, whose facelets begin with 36.
    let mut text = ULFRBD.to_owned();
    text.replace_range(9..10, "?");
    let found = read_as(&text, Form::Ulfrbd);
    assert_eq!(found, Err(FormError::UnknownStickers { formats: vec![Form::Ulfrbd], stickers: vec![36] }));
}

#[test]
fn the_solved_cube_is_solved_in_every_order() {
    for text in [
        "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB",
        "aaaaaaaaabbbbbbbbbcccccccccdddddddddeeeeeeeeefffffffff",
    ] {
        assert_eq!(detect(text).map(|found| found.cube), Ok(Cube::SOLVED), "{text}");
    }
}

/// A list as Python, JSON and `NumPy` print it, of faces, rows, stickers or moves.
#[test]
fn printed_lists_are_read() {
    let cube = after("R U F");
    let symbols: Vec<String> = FACELETS.chars().map(String::from).collect();
    let quoted = |items: &[String], quote: &str, between: &str| {
        let items: Vec<String> = items.iter().map(|item| format!("{quote}{item}{quote}")).collect();
        format!("[{}]", items.join(between))
    };
    let rows: Vec<String> = symbols.chunks(3).map(<[String]>::concat).collect();
    let faces: Vec<String> = symbols.chunks(9).map(<[String]>::concat).collect();
    for (quote, between) in [("'", ", "), ("\"", ","), ("'", " "), ("\"", ", ")] {
        for items in [&symbols, &rows, &faces] {
            assert_read(&quoted(items, quote, between), Form::Facelets, cube);
        }
        let matrix: Vec<String> = symbols.chunks(3).map(|row| quoted(row, quote, between)).collect();
        let matrices: Vec<String> = matrix.chunks(3).map(|face| format!("[{}]", face.join(",\n "))).collect();
        assert_read(&format!("[{}]", matrices.join(between)), Form::Facelets, cube);
    }
    let numbers: Vec<&str> = FACELETS
        .split("")
        .filter(|c| !c.is_empty())
        .map(|c| ["0", "1", "2", "3", "4", "5"]["URFDLB".find(c).unwrap()])
        .collect();
    assert_read(&format!("[{}]", numbers.join(", ")), Form::Facelets, cube);
    assert_read("['R', \"U'\", 'F2']", Form::Scramble, after("R U' F2"));
    // Positions refer to the printed text.
    let found = read_as("['R', 'Q']", Form::Scramble);
    assert!(matches!(found, Err(FormError::Unreadable { position: 7, .. })), "{found:?}");
    for text in ["['R', U]", "['R', 'U'", "[]", "['R'))", "['R]"] {
        assert!(detect(text).is_err(), "{text}");
    }
    assert_read("[R, U']", Form::Scramble, after("R U' R' U"));
}

/// The items of a list of moves are single moves. Any other list has 54 stickers, or the error says how many it has.
#[test]
fn a_list_of_rows_is_never_moves() {
    let rows: Vec<String> =
        FACELETS.as_bytes().chunks(3).map(|row| format!("'{}'", String::from_utf8_lossy(row))).collect();
    for count in 2..18 {
        let found = detect(&format!("[{}]", rows[..count].join(", ")));
        assert_impossible(&found, Some(Form::Facelets), "wrong_length");
        let message = found.unwrap_err().to_string();
        assert!(message.contains(&format!("54 stickers, but {} symbols", 3 * count)), "{message}");
    }
    for text in [
        "[['U', 'U', 'U'], ['U', 'U', 'U'], ['U', 'U', 'U']]",
        "[['U' 'U' 'U']\n ['U' 'U' 'U']]",
        "(('R', 'U'), ('F',))",
        "['R U', 'F']",
        "['RU', 'F']",
        "['(R U)2', 'F']",
    ] {
        assert_impossible(&detect(text), Some(Form::Facelets), "wrong_length");
        assert!(read_as(text, Form::Scramble).is_ok(), "{text}");
    }
    // 54 letters with too many U are no maneuver either.
    let wrong: Vec<String> = FACELETS.chars().map(|c| if c == 'B' { "'U'".into() } else { format!("'{c}'") }).collect();
    let found = detect(&format!("[{}]", wrong.join(", ")));
    assert!(matches!(found, Err(FormError::Impossible { .. })), "{found:?}");
    // A single text in a list is that text.
    assert_read("['R U F']", Form::Scramble, after("R U F"));
    let words = "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR".split(' ');
    let words: Vec<String> = words.map(|word| format!("'{word}'")).collect();
    assert_read(&format!("[{}]", words.join(", ")), Form::Reid, after("R U F"));
}

/// Stickers in mirrored usual colours are a cube in the order of the text. No other form is named for them.
#[test]
fn mirrored_colours_are_called_mirrored_and_nothing_else() {
    for order in ["YRGWOB", "WRBYOG", "WOGYRB"] {
        let text: String = order.chars().flat_map(|symbol| [symbol; 9]).collect();
        let Err(error @ FormError::Impossible { .. }) = detect(&text) else { panic!("{text}") };
        let message = error.to_string();
        assert!(message.starts_with("read as facelets: The colours of the centres are mirrored"), "{message}");
        assert!(!message.contains("ulfrbd") && !message.contains("net"), "{message}");
    }
}
