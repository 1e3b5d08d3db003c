//! Checks moves as four arrays against stickers, and the checker against deliberately damaged arrays.

use std::collections::HashSet;

use proptest::prelude::*;
use superflip_coords::four_arrays::{ArrayName, Convention, FourArrays};
use superflip_coords::move_check::{Choice, Finding, FindingCode, FindingCode as C, Matches, Report};
use superflip_cube::Move;

use crate::common::arrays::{Arrays, GOES_TO, REPLACED_BY};
use crate::common::steps::{State, follow_the_stickers};
use crate::common::stickers;

fn codes(report: &Report) -> Vec<(FindingCode, Option<&'static str>)> {
    report.findings.iter().map(|finding| (finding.code, finding.array.map(ArrayName::name))).collect()
}

#[track_caller]
fn the(report: &Report, code: FindingCode) -> &Finding {
    let found: Vec<_> = report.findings.iter().filter(|finding| finding.code == code).collect();
    assert_eq!(found.len(), 1, "{code:?} in {report:#?}");
    found[0]
}

#[test]
fn the_arrays_of_every_move_agree_with_the_stickers() {
    for mv in Move::ALL {
        for convention in Convention::ALL {
            assert_eq!(Arrays::from(FourArrays::of(mv, convention)), Arrays::of(mv.name(), convention), "{mv}");
        }
    }
}

#[test]
fn conventions_have_inverse_permutations_and_equal_deltas() {
    for mv in Move::ALL {
        let [to, by] = [GOES_TO, REPLACED_BY].map(|convention| FourArrays::of(mv, convention));
        assert!((0..8).all(|i| usize::from(by.corner_perm[usize::from(to.corner_perm[i])]) == i), "{mv}");
        assert!((0..12).all(|i| usize::from(by.edge_perm[usize::from(to.edge_perm[i])]) == i), "{mv}");
        assert_eq!(to.corner_orient_delta, by.corner_orient_delta, "{mv}");
        assert_eq!(to.edge_orient_delta, by.edge_orient_delta, "{mv}");
        // So the arrays of a move in one convention are the arrays of its inverse in the other.
        assert_eq!(to, FourArrays::of(mv.inverse(), REPLACED_BY), "{mv}");
    }
}

#[test]
fn published_programs_make_and_undo_every_move() {
    for convention in Convention::ALL {
        let arrays = Arrays::of_the_library(convention);
        for mv in Move::ALL {
            follow_the_stickers(&arrays, convention, &[mv, mv.inverse()]);
        }
    }
}

#[test]
fn every_move_is_valid_in_its_own_convention() {
    for mv in Move::ALL {
        for convention in Convention::ALL {
            let arrays = Arrays::of(mv.name(), convention);
            for named in [None, Some(mv)] {
                let report = arrays.check(convention, named);
                assert_eq!((report.valid, report.is), (true, Some(mv)), "{report:?}");
                assert!(report.findings.is_empty() && report.corrected.is_none());
                assert_eq!(report.order, Some(if mv.quarters() == 2 { 2 } else { 4 }));
            }
        }
    }
}

#[test]
fn every_quarter_turn_is_its_inverse_in_the_other_convention() {
    use FindingCode::{OtherConvention, OtherMove, WrongDirection};
    for mv in Move::ALL {
        for convention in Convention::ALL {
            let arrays = Arrays::of(mv.name(), convention.other());
            let report = arrays.check(convention, Some(mv));
            // Without a name the arrays may be any move, and they are one.
            let unnamed = arrays.check(convention, None);
            assert!(unnamed.valid, "{unnamed:?}");
            assert_eq!((report.is, report.is_in_other_convention), (Some(mv.inverse()), Some(mv)));
            assert_eq!((unnamed.is, unnamed.is_in_other_convention), (report.is, report.is_in_other_convention));
            if mv.quarters() == 2 {
                assert!(report.valid, "a half turn is the same in both");
                continue;
            }
            let expected = [(OtherMove, None), (OtherConvention, None), (WrongDirection, CP), (WrongDirection, EP)];
            assert_eq!(codes(&report), expected, "{mv}");
            assert_eq!(report.corrected.map(Arrays::from), Some(Arrays::of(mv.name(), convention)));
            let told = &the(&report, OtherConvention).message;
            let sentence = format!("In the {} convention the arrays are {mv}.", convention.other().name());
            assert!(told.contains(&sentence), "{told}");
        }
    }
}

/// What "Move tables explained" prints for F.
fn tutorial() -> Arrays {
    Arrays {
        cp: vec![1, 5, 2, 3, 0, 4, 6, 7],
        co: vec![1, 2, 0, 0, 2, 1, 0, 0],
        ep: vec![0, 9, 2, 3, 4, 8, 6, 7, 5, 1, 10, 11],
        eo: vec![0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    }
}

/// F by the tutorial's definition of its arrays.
#[test]
fn f_is_valid_as_the_code_of_the_tutorial_reads_it() {
    let f = Arrays {
        cp: vec![4, 0, 2, 3, 5, 1, 6, 7],
        co: vec![1, 2, 0, 0, 2, 1, 0, 0],
        ep: vec![0, 8, 2, 3, 4, 9, 6, 7, 5, 1, 10, 11],
        eo: vec![0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0],
    };
    assert!(f.check(GOES_TO, Some(Move::F)).valid);
    assert_eq!(State::solved().step(&f, GOES_TO).facelets(), stickers::apply(stickers::SOLVED, "F"));
}

/// The printed arrays are not F by the tutorial's own code: the corners turn as in F', and no move permutes the edges this
/// way.
#[test]
fn the_printed_f_has_inverse_corners_and_two_edge_swaps() {
    let printed = State::solved().step(&tutorial(), GOES_TO).facelets();
    let is_corner = |facelet: usize| matches!(facelet % 9, 0 | 2 | 6 | 8);
    let part = |facelets: &str, corners: bool| -> String {
        facelets
            .char_indices()
            .filter(|(i, _)| is_corner(*i) == corners && i % 9 != 4)
            .map(|(_, letter)| letter)
            .collect()
    };
    let moved = |mv: Move| stickers::apply(stickers::SOLVED, mv.name());
    let like = |corners| {
        Move::ALL.into_iter().filter(|&mv| part(&moved(mv), corners) == part(&printed, corners)).collect::<Vec<_>>()
    };
    assert_eq!((like(true), like(false)), (vec![Move::Fi], vec![]));

    let here = Matches::new(&tutorial().given(), GOES_TO);
    assert_eq!((here.whole, here.corners, here.edges), (None, vec![Move::Fi], vec![]));
    // In the other convention it is a misprint of F: two entries of `edge_perm` are exchanged.
    let report = tutorial().check(REPLACED_BY, Some(Move::F));
    let expected = [(FindingCode::WrongCycles, EP), (FindingCode::ParityDiffers, None)];
    assert_eq!(codes(&report), expected);
    let wrong: Vec<_> = report.findings[0].differences.iter().map(|d| (d.slot, d.got, d.expected)).collect();
    assert_eq!(wrong, [("FR", 5, 1), ("FL", 1, 5)]);
}

#[test]
fn two_swaps_and_corners_the_other_way_are_told_apart() {
    use FindingCode::{ParityDiffers, WrongCycles, WrongDirection};
    let report = tutorial().check(GOES_TO, Some(Move::F));
    let expected = [(WrongDirection, CP), (WrongCycles, EP), (ParityDiffers, None)];
    assert_eq!(codes(&report), expected);
    assert_eq!(report.summary, "Not F in the goes_to convention: corners turn as F', edges are two swaps.");
    assert_eq!(report.corner_cycles, Some(vec!["URF -> UFL -> DLF -> DFR".to_owned()]));
    assert_eq!(report.edge_cycles, Some(vec!["UF <-> FL".to_owned(), "DF <-> FR".to_owned()]));
    let edges = the(&report, WrongCycles);
    assert!(edges.message.contains("two swaps (UF <-> FL, DF <-> FR)"), "{}", edges.message);
    assert!(edges.message.contains("UF -> FR -> DF -> FL"), "{}", edges.message);
    let wrong: Vec<_> = edges.differences.iter().map(|d| (d.index, d.slot, d.got, d.expected)).collect();
    assert_eq!(wrong, [(1, "UF", 9, 8), (5, "DF", 8, 9)]);
    let corners = the(&report, WrongDirection);
    assert_eq!(corners.indices, [0, 1, 4, 5]);
    assert!(corners.message.contains("is F'; F moves them URF -> DFR -> DLF -> UFL"), "{}", corners.message);
    assert_eq!(report.corrected.map(Arrays::from), Some(Arrays::of("F", GOES_TO)));
    // Without a name F' is nearest: only the edges differ, in two entries.
    let report = tutorial().check(GOES_TO, None);
    let reference = report.reference.as_ref().unwrap();
    assert_eq!((reference.mv, reference.differing, reference.choice), (Move::Fi, 2, Choice::Nearest));
    assert!(reference.reason.ends_with("from the next move, F, 6."), "{}", reference.reason);
    assert_eq!(codes(&report), expected[1..]);
}

const CP: Option<&str> = Some("corner_perm");
const CO: Option<&str> = Some("corner_orient_delta");
const EP: Option<&str> = Some("edge_perm");
const EO: Option<&str> = Some("edge_orient_delta");

/// Code and array of each finding, in order.
type Codes = &'static [(FindingCode, Option<&'static str>)];

/// A name, the damage, and what must be found.
type Misprint = (&'static str, fn(&mut Arrays), Codes);

/// Damage to the arrays of F in `goes_to`, and the expected findings when they are named F.
const FAULTS: [Misprint; 11] = [
    (
        "too short and too long",
        |a| {
            a.cp.pop();
            a.eo.push(0);
        },
        &[(C::WrongArrayLength, CP), (C::WrongArrayLength, EO)],
    ),
    (
        "no slot",
        |a| a.cp[2] = 8,
        &[(C::ValueOutOfRange, CP), (C::MissingValue, CP), (C::InverseFails, CP), (C::PermutationDiffers, CP)],
    ),
    (
        "one slot twice",
        |a| a.ep[2] = 0,
        &[(C::DuplicateValue, EP), (C::MissingValue, EP), (C::InverseFails, EP), (C::PermutationDiffers, EP)],
    ),
    (
        "one corner twisted",
        |a| a.co[3] = 1,
        &[(C::OrientationSum, CO), (C::OrientationDiffers, CO), (C::WrongOrder, None)],
    ),
    (
        "one edge flipped",
        |a| a.eo[1] = 0,
        &[(C::OrientationSum, EO), (C::OrientationDiffers, EO), (C::WrongOrder, None)],
    ),
    ("a negative twist", |a| a.co[1] = -1, &[(C::ValueOutOfRange, CO), (C::OrientationDiffers, CO)]),
    (
        "edges of the half turn",
        |a| a.ep = Arrays::of("F2", GOES_TO).ep,
        &[(C::WrongCycles, EP), (C::ParityDiffers, None)],
    ),
    (
        "nothing moves",
        |a| {
            a.cp = (0..8).collect();
            a.ep = (0..12).collect();
        },
        &[(C::WrongCycles, CP), (C::WrongCycles, EP), (C::WrongOrder, None)],
    ),
    (
        // Around a cycle of R one flip of F remains, so the cycle is restored only after two rounds.
        "edges of R",
        |a| a.ep = Arrays::of("R", GOES_TO).ep,
        &[(C::PermutationDiffers, EP), (C::WrongOrder, None)],
    ),
    (
        "the inverse",
        |a| *a = Arrays::of("F'", GOES_TO),
        &[(C::OtherMove, None), (C::OtherConvention, None), (C::WrongDirection, CP), (C::WrongDirection, EP)],
    ),
    (
        "another move",
        |a| *a = Arrays::of("B2", GOES_TO),
        &[
            (C::OtherMove, None),
            (C::WrongCycles, CP),
            (C::OrientationDiffers, CO),
            (C::WrongCycles, EP),
            (C::OrientationDiffers, EO),
            (C::WrongOrder, None),
        ],
    ),
];

#[test]
fn each_fault_is_found() {
    let mut seen = HashSet::new();
    for (what, damage, expected) in FAULTS {
        let mut arrays = Arrays::of("F", GOES_TO);
        damage(&mut arrays);
        let report = arrays.check(GOES_TO, Some(Move::F));
        assert_eq!(codes(&report), expected, "{what}: {report:#?}");
        assert!(!report.valid && report.summary.starts_with("Not F "), "{what}");
        assert_eq!(report.corrected.map(Arrays::from), Some(Arrays::of("F", GOES_TO)), "{what}");
        seen.extend(expected.iter().map(|(code, _)| *code));
    }
    let report = Arrays::of("F R U", GOES_TO).check(GOES_TO, None);
    let expected = [(C::NotAMove, None), (C::WrongCycles, CP), (C::WrongCycles, EP), (C::WrongOrder, None)];
    assert_eq!(codes(&report), expected);
    assert!(report.corrected.is_none() && report.reference.is_none());
    seen.insert(C::NotAMove);
    assert!(C::ALL.iter().all(|code| seen.contains(code)), "{seen:?}");
}

#[test]
fn messages_name_entries_values_and_remedies() {
    let told = |damage: &dyn Fn(&mut Arrays), code, words: &[&str], indices: &[usize]| {
        let mut arrays = Arrays::of("F", GOES_TO);
        damage(&mut arrays);
        let report = arrays.check(GOES_TO, Some(Move::F));
        let finding = the(&report, code);
        assert!(words.iter().all(|word| finding.message.contains(word)), "{}", finding.message);
        assert_eq!(finding.indices, indices);
    };
    told(&|a| a.ep[2] = 0, C::DuplicateValue, &["0 (UR)", "entries 0 and 2"], &[0, 2]);
    told(&|a| a.ep[2] = 0, C::MissingValue, &["2 (UL) is missing"], &[]);
    told(&|a| a.ep[2] = 0, C::InverseFails, &["0 (UR)"], &[0]);
    told(&|a| a.cp[7] = 99, C::ValueOutOfRange, &["entry 7 (DRB) is 99", "0 to 7"], &[7]);
    told(&|a| a.co[1] = -1, C::ValueOutOfRange, &["entry 1 (UFL) is -1", "(write 2)"], &[1]);
    told(&|a| a.co[0] = i64::MIN, C::OrientationDiffers, &["-9223372036854775808, not 1"], &[0]);
    told(&|a| a.co[3] = 1, C::OrientationSum, &["adds up to 7", "multiple of 3"], &[0, 1, 3, 4, 5]);
    told(&|a| a.co[3] = 1, C::WrongOrder, &["is 12;", "F has order 4"], &[]);
    told(&|a| a.eo[1] = 0, C::WrongOrder, &["is 8;", "F has order 4"], &[]);
    told(&|a| a.cp.truncate(7), C::WrongArrayLength, &["7 entries", "8 slots", "URF UFL"], &[]);
    // Deltas at the slots from which the corners come, and deltas for other reference faces.
    let departing = [2, 1, 0, 0, 1, 2, 0, 0];
    let leaves = ["the slot that its piece leaves"];
    told(&|a| a.co = departing.to_vec(), C::OrientationDiffers, &leaves, &[0, 1, 4, 5]);
    told(&|a| a.eo = vec![0; 12], C::OrientationDiffers, &["other reference faces"], &[1, 5, 8, 9]);
}

#[test]
fn parts_are_recognised_alone() {
    let mut arrays = Arrays::of("F", GOES_TO);
    let r = Arrays::of("R'", GOES_TO);
    (arrays.ep, arrays.eo) = (r.ep, r.eo);
    let here = Matches::new(&arrays.given(), GOES_TO);
    assert_eq!((here.whole, &here.corners[..], &here.edges[..]), (None, &[Move::F][..], &[Move::Ri][..]));
    assert_eq!(here.corner_perm, [Move::F]);
    assert_eq!(here.corner_orient_delta, [Move::F, Move::Fi]);
    assert_eq!(here.edge_perm, [Move::Ri]);
    let there = Matches::new(&arrays.given(), REPLACED_BY);
    assert_eq!((there.whole, &there.corners[..], &there.edges[..]), (None, &[Move::Fi][..], &[Move::R][..]));
    assert_eq!(there.corner_perm, [Move::Fi]);
    let report = arrays.check(GOES_TO, None);
    assert!(the(&report, FindingCode::NotAMove).message.contains("corners are those of F. The edges are those of R'."));
    assert!(report.corrected.is_none());
}

fn entries() -> impl Strategy<Value = Vec<i64>> {
    let value = prop_oneof![8 => 0..14_i64, 1 => any::<u32>().prop_map(i64::from), 1 => any::<i64>()];
    prop::collection::vec(value, 0..=20)
}

fn convention() -> impl Strategy<Value = Convention> {
    prop::sample::select(&Convention::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn published_programs_follow_random_maneuvers(
        moves in prop::collection::vec(prop::sample::select(&Move::ALL[..]), 1..50),
    ) {
        for convention in Convention::ALL {
            follow_the_stickers(&Arrays::of_the_library(convention), convention, &moves);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_arrays_whatever_make_the_checker_panic(
        cp in entries(), co in entries(), ep in entries(), eo in entries(),
        convention in convention(), named in prop::option::of(0..18_usize),
    ) {
        let arrays = Arrays { cp, co, ep, eo };
        let named = named.and_then(Move::try_from_index);
        let report = arrays.check(convention, named);
        prop_assert_eq!(report.valid, report.is.is_some() && (named.is_none() || report.is == named));
        prop_assert_eq!(report.is, arrays.is(convention));
        for finding in &report.findings {
            prop_assert!(!finding.message.is_empty());
            prop_assert!(finding.differences.iter().all(|difference| finding.indices.contains(&difference.index)));
        }
    }

    #[test]
    fn damaged_arrays_are_valid_only_when_they_are_a_move(
        mv in 0..18_usize, convention in convention(), is_named: bool,
        damage in prop::collection::vec((0..5_usize, 0..12_usize, 0..12_usize, -1..13_i64), 1..4),
    ) {
        let mv = Move::ALL[mv];
        let mut arrays = Arrays::of(mv.name(), convention);
        for (kind, i, j, value) in damage {
            let c = i % 8;
            let d = j % 8;
            match kind {
                0 => arrays.cp.swap(c, d),
                1 => arrays.ep.swap(i, j),
                2 => arrays.co[c] = value.rem_euclid(4),
                3 => arrays.eo[i] = value.rem_euclid(3),
                _ => arrays.ep[i] = value,
            }
        }
        let report = arrays.check(convention, is_named.then_some(mv));
        let is = arrays.is(convention);
        prop_assert_eq!(report.is, is);
        prop_assert_eq!(report.valid, if is_named { is == Some(mv) } else { is.is_some() });
        if let Some(corrected) = report.corrected {
            prop_assert_eq!(Arrays::from(corrected).is(convention), report.reference.map(|reference| reference.mv));
        }
    }

    #[test]
    fn a_misprint_of_up_to_three_entries_is_mended_without_a_name(
        mv in 0..18_usize, convention in convention(), damage in prop::collection::vec((0..40_usize, 0..12_i64), 0..=3),
    ) {
        let mut arrays = Arrays::of(Move::ALL[mv].name(), convention);
        for (at, value) in damage {
            let Arrays { cp, co, ep, eo } = &mut arrays;
            *cp.iter_mut().chain(co).chain(ep).chain(eo).nth(at).unwrap() = value;
        }
        let report = arrays.check(convention, None);
        prop_assert_eq!(report.reference.map(|reference| reference.mv.index()), Some(mv));
    }
}
