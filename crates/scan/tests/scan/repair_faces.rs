//! Checks faces in unknown rotations and order against every combination, parsed one by one.

use std::collections::BTreeSet;

use crate::common::stickers::holdings;
use crate::common::{letters, rng};
use rand::RngExt;
use rand::seq::SliceRandom;
use superflip_cube::{Cube, random_cube};
use superflip_scan::legal_arrangements;
use superflip_scan::repair::{
    FaceReading, FaceReadings, Repair, Scanned, Stickers, misread_centres, read_faces, turned_faces,
};

type Faces = Vec<Vec<char>>;

fn faces(text: &str) -> Faces {
    text.chars().collect::<Vec<_>>().chunks(9).map(<[char]>::to_vec).collect()
}

fn joined(faces: &Faces) -> String {
    faces.iter().flatten().collect()
}

/// A face after clockwise quarter turns: row `r` from the top becomes column `r` from the right.
fn turned(face: &[char], quarters: u8) -> Vec<char> {
    (0..quarters).fold(face.to_vec(), |face, _| {
        (0..9).map(|i| (i / 3, i % 3)).map(|(row, column)| face[3 * (2 - column) + row]).collect()
    })
}

/// The least text of the cube over the 24 ways to hold it.
fn least(text: &str, holdings: &[Vec<usize>]) -> String {
    let symbols: Vec<char> = text.chars().collect();
    let held = |holding: &Vec<usize>| holding.iter().map(|&from| symbols[from]).collect::<String>();
    holdings.iter().map(held).min().expect("24 ways")
}

/// All legal cubes for these orders and rotations, each text passed through `key`.
fn by_trying(scan: &str, scanned: Scanned, key: impl Fn(String) -> String) -> BTreeSet<String> {
    let scan = faces(scan);
    let mut orders = vec![vec![]];
    for _ in 0..6 {
        let longer = |order: Vec<usize>| {
            let left: Vec<usize> = (0..6).filter(|face| !order.contains(face)).collect();
            left.into_iter().map(move |face| [order.as_slice(), &[face]].concat())
        };
        orders = orders.into_iter().flat_map(longer).collect();
    }
    if !scanned.unknown_order {
        orders = vec![vec![0, 1, 2, 3, 4, 5]];
    } else if scanned.unknown_rotations {
        // Any cube can be held with the first scanned face on top, as scanned.
        orders.retain(|order| order[0] == 0);
    }
    let rotations: Vec<[u8; 6]> = if scanned.unknown_rotations {
        let step = if scanned.unknown_order { 4 } else { 1 };
        (0..4096_u16).step_by(step).map(|code| std::array::from_fn(|i| (code >> (2 * i) & 3) as u8)).collect()
    } else {
        vec![[0; 6]]
    };
    let mut found = BTreeSet::new();
    for order in orders {
        let placed: Vec<[String; 4]> = order
            .iter()
            .map(|&face| [0, 1, 2, 3].map(|quarters| turned(&scan[face], quarters).iter().collect()))
            .collect();
        for rotation in &rotations {
            let text = std::array::from_fn::<&str, 6, _>(|place| &placed[place][usize::from(rotation[place])]).concat();
            if Cube::from_facelets(&text).is_ok() {
                found.insert(key(text));
            }
        }
    }
    found
}

fn read(scan: &str, scanned: Scanned) -> FaceReadings {
    let found = read_faces(&Stickers::parse(scan).expect("six colours"), scanned, 100_000).expect("known stickers");
    assert_eq!(found.total, found.readings.len());
    let scan = faces(scan);
    for reading in &found.readings {
        let places = reading.order.iter().zip(reading.turns);
        let placed: Faces = places.map(|(&face, quarters)| turned(&scan[usize::from(face)], quarters)).collect();
        assert_eq!(joined(&placed), reading.facelets);
        assert_eq!(Cube::from_facelets(&reading.facelets), Ok(reading.cube));
    }
    found
}

/// Other symbols for the six letters, which say nothing about the places of their faces.
fn digits(letters: &str) -> String {
    letters.chars().map(|letter| char::from(b'1' + "URFDLB".find(letter).expect("a face letter") as u8)).collect()
}

/// Cubes of various symmetry: random ones, the solved one, and patterns with symmetric faces.
fn cubes() -> Vec<String> {
    let mut rng = rng(21);
    let mut cubes: Vec<String> = (0..4).map(|_| letters(&random_cube(&mut rng))).collect();
    cubes.extend(
        [
            "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB",
            "UDUDUDUDURLRLRLRLRFBFBFBFBFDUDUDUDUDLRLRLRLRLBFBFBFBFB",
            "UBULURUFURURFRBRDRFUFLFRFDFDFDLDRDBDLULBLFLDLBUBRBLBDB",
        ]
        .map(str::to_owned),
    );
    cubes.iter().map(|cube| digits(cube)).collect()
}

#[test]
fn unknown_rotations_give_every_legal_cube() {
    let scanned = Scanned { unknown_rotations: true, unknown_order: false };
    let mut rng = rng(22);
    for cube in cubes() {
        let scan: Faces = faces(&cube).iter().map(|face| turned(face, rng.random_range(0..4))).collect();
        let scan = joined(&scan);
        let found: BTreeSet<_> = read(&scan, scanned).readings.into_iter().map(|reading| reading.facelets).collect();
        assert_eq!(found, by_trying(&scan, scanned, |text| text));
        assert!(found.contains(&cube));
    }
}

#[test]
fn unknown_order_gives_every_legal_cube_up_to_its_holding() {
    let holdings = holdings();
    for (unknown_rotations, seed) in [(false, 23), (true, 24)] {
        let (scanned, mut rng) = (Scanned { unknown_rotations, unknown_order: true }, rng(seed));
        for (i, cube) in cubes().into_iter().enumerate() {
            let mut scan = faces(&cube);
            if unknown_rotations {
                scan = scan.iter().map(|face| turned(face, rng.random_range(0..4))).collect();
            }
            scan.shuffle(&mut rng);
            let scan = joined(&scan);
            let found = read(&scan, scanned);
            let keys: BTreeSet<_> = found.readings.iter().map(|reading| least(&reading.facelets, &holdings)).collect();
            assert_eq!(keys.len(), found.total);
            assert!(keys.contains(&least(&cube, &holdings)));
            // Trying all 122 880 combinations with rotations takes a second.
            if i == 0 || !unknown_rotations {
                assert_eq!(keys, by_trying(&scan, scanned, |text| least(&text, &holdings)));
            }
            let first: Vec<char> = scan.chars().take(9).collect();
            let is_first_kept = |reading: &FaceReading| faces(&reading.facelets)[0] == first && reading.turns[0] == 0;
            assert!(!unknown_rotations || found.readings.iter().all(is_first_kept));
        }
    }
}

#[test]
fn a_solved_cube_of_unknown_order_has_thirty_colourings() {
    let solved = "UUUUUUUUURRRRRRRRRFFFFFFFFFDDDDDDDDDLLLLLLLLLBBBBBBBBB";
    for unknown_rotations in [false, true] {
        let scanned = Scanned { unknown_rotations, unknown_order: true };
        assert_eq!(read(&digits(solved), scanned).total, 30);
        // Face letters say which colouring it is. Of colours, only the mirror image is excluded.
        assert_eq!(read(solved, scanned).total, 1);
        assert_eq!(read(&colours(solved), scanned).total, 29);
    }
}

/// The letters of the usual colours.
fn colours(letters: &str) -> String {
    letters.chars().map(|letter| char::from(b"wrgyob"["URFDLB".find(letter).expect("a face letter")])).collect()
}

/// A mirrored picture of each face, in the order of the faces.
fn mirrored(text: &str) -> Faces {
    let rows =
        |face: &Vec<char>| face.chunks(3).flat_map(|row| row.iter().rev().copied().collect::<Vec<_>>()).collect();
    faces(text).iter().map(rows).collect()
}

#[test]
fn a_mirrored_scan_is_noticed_if_the_symbols_are_known() {
    let mut rng = rng(25);
    for _ in 0..20 {
        let cube = letters(&random_cube(&mut rng));
        for unknown_rotations in [false, true] {
            let scanned = Scanned { unknown_rotations, unknown_order: true };
            for (symbols, is_known) in [(cube.clone(), true), (colours(&cube), true), (digits(&cube), false)] {
                let mut scan = mirrored(&symbols);
                scan.shuffle(&mut rng);
                let found = read(&joined(&scan), scanned);
                assert_eq!((found.is_mirrored, found.total == 0), (is_known, is_known), "{symbols}");
                let mut scan = faces(&symbols);
                scan.shuffle(&mut rng);
                let found = read(&joined(&scan), scanned);
                assert!(!found.is_mirrored && found.total > 0, "{symbols}");
            }
        }
    }
}

#[test]
fn a_turned_face_is_found_as_by_trying() {
    let mut rng = rng(26);
    let mut several = 0;
    for cube in cubes() {
        let (face, quarters) = (rng.random_range(0..6), rng.random_range(1..4));
        let mut scan = faces(&cube);
        scan[face] = turned(&scan[face], quarters);
        let mut expected = BTreeSet::new();
        for (face, quarters) in (0..6).flat_map(|face| (1..4).map(move |quarters| (face, quarters))) {
            let mut other = scan.clone();
            other[face] = turned(&other[face], quarters);
            expected.extend(Some(joined(&other)).filter(|text| Cube::from_facelets(text).is_ok()));
        }
        let scan = joined(&scan);
        let found = turned_faces(&Stickers::parse(&scan).expect("six colours"));
        if Cube::from_facelets(&scan).is_ok() {
            assert_eq!(found, []);
            continue;
        }
        assert!(expected.contains(&cube));
        assert_eq!(found.iter().map(|one| one.facelets.clone()).collect::<BTreeSet<_>>(), expected);
        for one in found {
            let mut other = faces(&scan);
            other[one.face.index()] = turned(&other[one.face.index()], one.turns);
            assert_eq!(joined(&other), one.facelets);
        }
        several += 1;
    }
    assert!(several >= 4);
}

#[test]
fn misread_centres_are_found() {
    let cube = letters(&random_cube(&mut rng(27)));
    let with = |changes: &[(usize, &str)]| {
        changes.iter().fold(cube.clone(), |text, (at, symbol)| text[..*at].to_owned() + symbol + &text[at + 1..])
    };
    for (scan, changed) in [
        (with(&[(13, "U")]), vec![13]),
        (with(&[(13, "x")]), vec![13]),
        (with(&[(4, "F"), (22, "U")]), vec![4, 22]),
        (with(&[(31, "U"), (4, "D")]), vec![4, 31]),
        (cube.clone(), vec![]),
    ] {
        let found = misread_centres(&scan);
        let is_original = |one: &Repair| one.changed == changed && one.facelets == cube;
        assert_eq!(found.iter().any(is_original), !changed.is_empty(), "{scan} {found:?}");
        // Exchanging one pair of opposite centres is the mirror image of exchanging another.
        let expected = if changed == [4, 31] { 3 } else { usize::from(!changed.is_empty()) };
        assert!(found.len() <= expected, "{scan} {found:?}");
    }
}

#[test]
fn arrangements_of_whole_faces_are_those_of_a_brute_force() {
    let mut rng = rng(28);
    let mirrored = |face: &[char]| face.chunks(3).flat_map(|row| row.iter().rev().copied()).collect::<Vec<_>>();
    for cube in cubes() {
        let mut order: Vec<usize> = (0..6).collect();
        order.shuffle(&mut rng);
        let cube = faces(&cube);
        let in_order: Faces = order.iter().map(|&face| cube[face].clone()).collect();
        let quarters = rng.random_range(0..4);
        let alike: Faces = cube.iter().map(|face| turned(&mirrored(face), quarters)).collect();
        for scan in [in_order, alike] {
            let text = joined(&scan);
            let scanned = Scanned { unknown_rotations: false, unknown_order: true };
            let mut expected = by_trying(&text, scanned, |text| text);
            for quarters in 0..4 {
                for face in [|face: &[char]| face.to_vec(), mirrored] {
                    let text = joined(&scan.iter().map(|one| turned(&face(one), quarters)).collect());
                    expected.extend(Some(text).filter(|text| Cube::from_facelets(text).is_ok()));
                }
            }
            assert!(expected.contains(&joined(&cube)));
            let found = legal_arrangements(&Stickers::parse(&text).expect("six colours"));
            let symbols: [char; 54] = text.chars().collect::<Vec<_>>().try_into().expect("54 symbols");
            let arranged = |one: &superflip_scan::Arrangement| one.arrange(&symbols).iter().collect::<String>();
            assert_eq!(found.iter().map(arranged).collect::<BTreeSet<_>>(), expected);
            assert_eq!(found.len(), expected.len());
            for one in found {
                let mended: Faces = one
                    .order
                    .iter()
                    .zip(one.turns)
                    .map(|(&face, turns)| {
                        let face = &scan[usize::from(face)];
                        if one.is_mirrored { turned(&mirrored(face), turns) } else { turned(face, turns) }
                    })
                    .collect();
                assert_eq!(joined(&mended), arranged(&one));
            }
        }
    }
}
