//! Slips that were made on the model of stickers are found again, and nothing else is said of them.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::StdRng;
use superflip_cube::{Cube, Face, Holding, Motion, Move, Moves, Stickers};
use superflip_scan::slips::{Explanation, MAX_SLIPS, MAX_WAYS, Slip, SlipKind, Step, explain_slips, explain_steps};

use crate::common::{letters, rng, scrambled, stickers};

/// The moves that were made, as a maneuver.
fn as_made(sent: &[Move], slips: &[Slip]) -> String {
    let made = |(index, mv): (usize, &Move)| match slips.iter().find(|slip| slip.index == index) {
        Some(slip) => slip.made.to_string(),
        None => mv.to_string(),
    };
    sent.iter().enumerate().map(made).collect::<Vec<_>>().join(" ")
}

/// The slips of a move, by their definition: all other amounts.
fn slips_of(index: usize, sent: Move) -> Vec<Slip> {
    let amounts = (0..4).filter(|quarters| *quarters != sent.quarters());
    let slip = |quarters| {
        let kind = match (sent.quarters(), quarters) {
            (_, 0) => SlipKind::Missed,
            (2, _) => SlipKind::HalfMade,
            (_, 2) => SlipKind::Doubled,
            _ => SlipKind::Reversed,
        };
        Slip { index, kind, sent: sent.into(), made: Motion::new(Move::of(sent.face(), quarters), Holding::HOME) }
    };
    amounts.map(slip).collect()
}

/// Up to `count` random slips of different moves, in their order.
fn random_slips(rng: &mut StdRng, sent: &[Move], count: usize) -> Vec<Slip> {
    let mut slips: Vec<Slip> = Vec::new();
    while slips.len() < count.min(sent.len()) {
        let index = rng.random_range(0..sent.len());
        if slips.iter().all(|slip| slip.index != index) {
            slips.push(slips_of(index, sent[index]).swap_remove(rng.random_range(0..3)));
        }
    }
    slips.sort_by_key(|slip| slip.index);
    slips
}

fn random_moves(rng: &mut StdRng, length: usize) -> Vec<Move> {
    (0..length).map(|_| Move::ALL[rng.random_range(0..18)]).collect()
}

/// The letters with `count` random stickers unknown, never a centre.
fn hidden(rng: &mut StdRng, facelets: &str, count: usize) -> String {
    let places = (0..count).map(|_| rng.random_range(0..54)).filter(|facelet| facelet % 9 != 4);
    stickers::with(facelets, &places.map(|facelet| (facelet, '?')).collect::<Vec<_>>())
}

fn explained(before: &str, sent: &[Move], seen: &str, limit: usize) -> (Vec<Explanation>, bool) {
    let found = explain_slips(&Cube::from_facelets(before).unwrap(), sent, &Stickers::parse(seen).unwrap(), limit);
    (found.found, found.truncated)
}

#[test]
fn random_slips_are_found_again() {
    let mut rng = rng(1);
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    let mut named = 0;
    for round in 0..600 {
        let before = letters(&scrambled(&mut rng));
        let length = rng.random_range(1..40);
        let sent = random_moves(&mut rng, length);
        let slips = random_slips(&mut rng, &sent, round % 3);
        let now = stickers::apply(&before, &as_made(&sent, &slips));
        let (found, truncated) = explained(&before, &sent, &now, 10);
        let [only] = found.as_slice() else { panic!("every sticker is known: {found:?}") };
        assert!(!truncated);
        assert_eq!(letters(&only.cube), now);
        assert!(only.slips <= slips.len());
        assert!(only.ways.len() == only.total.min(MAX_WAYS));
        for way in &only.ways {
            assert_eq!(way.len(), only.slips);
            assert_eq!(stickers::apply(&before, &as_made(&sent, way)), now, "{way:?}");
        }
        if only.slips == slips.len() && only.total <= MAX_WAYS {
            assert!(only.ways.contains(&slips), "{slips:?} {only:?}");
            named += 1;
        }
        for slip in slips {
            *kinds.entry(slip.kind.name()).or_default() += 1;
        }
    }
    assert!(named > 550, "{named}");
    assert!(kinds.len() == SlipKind::ALL.len() && kinds.values().all(|count| *count > 60), "{kinds:?}");
}

#[test]
fn slips_are_found_though_stickers_are_unknown() {
    let mut rng = rng(2);
    let mut alone = 0;
    for round in 0..300 {
        let before = letters(&scrambled(&mut rng));
        let sent = random_moves(&mut rng, 20);
        let slips = random_slips(&mut rng, &sent, 1 + round % 2);
        let now = stickers::apply(&before, &as_made(&sent, &slips));
        let seen = hidden(&mut rng, &now, 30);
        let (found, truncated) = explained(&before, &sent, &seen, 100);
        assert!(!truncated && found.iter().any(|explanation| letters(&explanation.cube) == now), "{slips:?}");
        assert!(found.is_sorted_by_key(|explanation| explanation.slips));
        alone += usize::from(found.len() == 1);
    }
    // 28 known stickers usually single out one cube.
    assert!(alone > 200, "{alone}");
}

/// Against all sequences of up to two slips, made on the model.
#[test]
fn the_list_is_complete_and_counts_every_way() {
    let mut rng = rng(3);
    let (mut several, mut none) = (0, 0);
    for round in 0..120 {
        let before = letters(&scrambled(&mut rng));
        // Moves of three faces repeat and commute, so that many ways lead to one cube.
        let length = rng.random_range(1..7);
        let sent: Vec<Move> = (0..length)
            .map(|_| Move::of([Face::R, Face::L, Face::U][rng.random_range(0..3)], rng.random_range(1..4)).unwrap())
            .collect();
        let slips = random_slips(&mut rng, &sent, 3);
        let now = stickers::apply(&before, &as_made(&sent, &slips));
        let hiding = if round % 2 == 0 { 0 } else { 250 };
        let seen = hidden(&mut rng, &now, hiding);

        let mut all: Vec<Vec<Slip>> = vec![Vec::new()];
        let single: Vec<Slip> = sent.iter().enumerate().flat_map(|(index, &mv)| slips_of(index, mv)).collect();
        all.extend(single.iter().map(|slip| vec![slip.clone()]));
        for first in &single {
            let later = single.iter().filter(|second| second.index > first.index);
            all.extend(later.map(|second| vec![first.clone(), second.clone()]));
        }
        // For each cube that has the known stickers: the least number of slips, and the number of ways.
        let mut expected: BTreeMap<String, (usize, usize)> = BTreeMap::new();
        for way in &all {
            let end = stickers::apply(&before, &as_made(&sent, way));
            if end.chars().zip(seen.chars()).all(|(own, seen)| seen == '?' || seen == own) {
                let (slips, count) = expected.entry(end).or_insert((way.len(), 0));
                *count += usize::from(*slips == way.len());
            }
        }
        let (found, truncated) = explained(&before, &sent, &seen, 1000);
        let found: BTreeMap<_, _> = found.iter().map(|one| (letters(&one.cube), (one.slips, one.total))).collect();
        assert_eq!(found, expected, "{} {slips:?}", Moves::from(sent.as_slice()));
        assert!(!truncated);
        several += usize::from(expected.len() > 1);
        none += usize::from(expected.is_empty());
    }
    assert!(several > 20 && none > 10, "{several} {none}");
}

#[test]
fn a_long_list_is_cut_after_the_fewest_slips() {
    let before = stickers::SOLVED;
    let blank: String = before.chars().enumerate().map(|(at, c)| if at % 9 == 4 { c } else { '?' }).collect();
    let sent: Vec<Move> = "R U F".parse::<Moves>().unwrap().to_vec();
    let (found, truncated) = explained(before, &sent, &blank, 4);
    assert_eq!(found.iter().map(|one| one.slips).collect::<Vec<_>>(), [0, 1, 1, 1]);
    assert!(truncated);
    let (found, truncated) = explained(before, &sent, &blank, 1000);
    assert_eq!((found.len(), truncated), (1 + 9 + 27, false));
    assert!(found.iter().all(|one| one.slips <= MAX_SLIPS && one.total == 1));
    // Without moves, nothing can slip.
    assert_eq!(explained(before, &[], before, 3).0[0].slips, 0);
    assert!(explained(before, &[], &stickers::apply(before, "R"), 3).0.is_empty());
}

#[test]
fn a_cut_list_counts_every_way_to_its_cubes() {
    // On many cubes with the same known stickers, made by slips of moves that repeat.
    let sent = "L R2 R L L L2 L2".parse::<Moves>().unwrap().to_vec();
    let seen = "???DU??????R?R????????F????????D?????LL?L????????B????";
    let (all, _) = explained(stickers::SOLVED, &sent, seen, 1000);
    for limit in 1..all.len() {
        assert_eq!(explained(stickers::SOLVED, &sent, seen, limit), (all[..limit].to_vec(), true), "{limit}");
    }
    assert!(all.len() > 2 && all[1].total > 2, "{all:?}");
}

#[test]
fn two_slips_in_two_hundred_moves_are_found() {
    let mut rng = rng(4);
    let before = letters(&scrambled(&mut rng));
    let sent = random_moves(&mut rng, 200);
    let slips = random_slips(&mut rng, &sent, 2);
    let now = stickers::apply(&before, &as_made(&sent, &slips));
    let (found, _) = explained(&before, &sent, &now, 10);
    assert!(found.len() == 1 && letters(&found[0].cube) == now && found[0].slips == 2, "{found:?}");
}

/// A random step of a machine: turns of one axis, a rotation, or both.
fn random_step(rng: &mut StdRng) -> Step {
    let turns: &[&str] = &["", "", "R", "F2", "U D'", "L2 R2"];
    let turns: Moves = turns[rng.random_range(0..turns.len())].parse().unwrap();
    let rotation = if rng.random_bool(0.6) { Holding::ALL[rng.random_range(0..24)] } else { Holding::HOME };
    Step { motion: Motion::new(turns.to_vec(), rotation), is_reversible: rng.random_bool(0.5) }
}

/// The slips of a step by their definition, as what is written: the kind and the maneuver.
fn written_slips(Step { motion, is_reversible }: &Step) -> Vec<(SlipKind, String)> {
    let sent = motion.to_string();
    let inverse: Vec<String> = sent
        .split_whitespace()
        .rev()
        .map(|word| match &word[1..] {
            "" => format!("{word}'"),
            "'" => word[..1].to_owned(),
            _ => word.to_owned(),
        })
        .collect();
    let after = |maneuver: &str| stickers::apply(DISTINCT, maneuver);
    let (inverse, twice) = (inverse.join(" "), format!("{sent} {sent}"));
    let mut slips = vec![(SlipKind::Missed, String::new())];
    if after(&inverse) == after(&sent) {
        let quarters = sent.split_whitespace().count() == 1 && sent.ends_with('2');
        slips.extend(
            ["", "'"].iter().filter(|_| quarters).map(|way| (SlipKind::HalfMade, format!("{}{way}", &sent[..1]))),
        );
    } else {
        slips.push((SlipKind::Doubled, twice));
        slips.extend(is_reversible.then_some((SlipKind::Reversed, inverse)));
    }
    slips.retain(|_| after(&sent) != DISTINCT);
    slips
}

/// Stickers that all differ.
const DISTINCT: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR";

/// Against all single slips of machines that turn and rotate the cube, made on the model as the machine holds it.
#[test]
fn slips_of_rotations_are_seen_in_the_machine() {
    let mut rng = rng(5);
    let mut kinds: BTreeMap<&str, u32> = BTreeMap::new();
    for _ in 0..60 {
        let before = letters(&scrambled(&mut rng));
        let steps: Vec<Step> = (0..8).map(|_| random_step(&mut rng)).collect();
        let made = |slip: Option<(usize, &str)>| {
            let step = |(index, step): (usize, &Step)| match slip {
                Some((at, made)) if at == index => made.to_owned(),
                _ => step.motion.to_string(),
            };
            stickers::apply(&before, &steps.iter().enumerate().map(step).collect::<Vec<_>>().join(" "))
        };
        for (index, step) in steps.iter().enumerate() {
            for (kind, way) in written_slips(step) {
                let now = made(Some((index, &way)));
                // Any symbols: here the letters of the faces before the steps, which are on other places now.
                let seen = Stickers::parse(&now).unwrap();
                let found = explain_steps(&before.parse().unwrap(), &steps, &seen, 20, || false).unwrap().found;
                let fits = |one: &&Explanation| {
                    one.holding.stickers(&one.cube).map(Face::letter).iter().collect::<String>() == now
                };
                let explanation = found.iter().find(fits).unwrap_or_else(|| panic!("{kind:?} {found:?}"));
                assert_eq!((letters(&explanation.cube), explanation.misread), (stickers::renamed(&now), None));
                let is_it = |slip: &Slip| {
                    let after = |maneuver: &str| stickers::apply(DISTINCT, maneuver);
                    (slip.index, slip.kind) == (index, kind) && after(&slip.made.to_string()) == after(&way)
                };
                let is_named = explanation.ways.iter().any(|slips| slips.len() == 1 && is_it(&slips[0]));
                assert!(is_named || explanation.slips == 0, "{kind:?} of {} {explanation:?}", step.motion);
                *kinds.entry(kind.name()).or_default() += u32::from(is_named);
            }
        }
    }
    assert!(kinds.len() == SlipKind::ALL.len() && kinds.values().all(|count| *count > 20), "{kinds:?}");
}

#[test]
fn one_misread_sticker_is_named_if_no_cube_fits() {
    let mut rng = rng(6);
    for round in 0..60 {
        let before = letters(&scrambled(&mut rng));
        let sent = random_moves(&mut rng, 20);
        let slips = random_slips(&mut rng, &sent, round % 3);
        let now = stickers::apply(&before, &as_made(&sent, &slips));
        let facelet = rng.random_range(0..6) * 9 + [0, 1, 2, 3, 5, 6, 7, 8][rng.random_range(0..8)];
        let wrong = "URFDLB".chars().find(|letter| now.chars().nth(facelet) != Some(*letter)).unwrap();
        let (found, _) = explained(&before, &sent, &stickers::with(&now, &[(facelet, wrong)]), 10);
        let [only] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((letters(&only.cube), only.misread.map(usize::from)), (now.clone(), Some(facelet)));
        // Two are too many.
        let other = (facelet + 9) % 54;
        let wrong_too = "URFDLB".chars().find(|letter| now.chars().nth(other) != Some(*letter)).unwrap();
        let twice = stickers::with(&now, &[(facelet, wrong), (other, wrong_too)]);
        assert!(explained(&before, &sent, &twice, 10).0.is_empty(), "{facelet} {other}");
    }
}

#[test]
fn the_search_for_slips_stops() {
    let steps: Vec<Step> = random_moves(&mut rng(7), 200).into_iter().map(Step::from).collect();
    let seen = Stickers::parse(stickers::SOLVED).unwrap();
    let mut calls = 0;
    let stopped = explain_steps(&Cube::SOLVED, &steps, &seen, 3, || {
        calls += 1;
        calls == 5
    });
    assert_eq!((stopped, calls), (None, 5));
}
