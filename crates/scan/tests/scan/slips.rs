//! Slips that were made on the model of stickers are found again, and nothing else is said of them.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::rngs::StdRng;
use superflip_cube::{Cube, Face, Move, Moves, Stickers};
use superflip_scan::slips::{Explanation, MAX_SLIPS, MAX_WAYS, Slip, SlipKind, explain_slips};

use crate::common::{letters, rng, scrambled, stickers};

/// The moves that were made, as a maneuver.
fn as_made(sent: &[Move], slips: &[Slip]) -> String {
    let made = |(index, mv): (usize, &Move)| match slips.iter().find(|slip| slip.index == index) {
        Some(slip) => slip.made,
        None => Some(*mv),
    };
    let names = sent.iter().enumerate().filter_map(made).map(|mv| mv.to_string());
    names.collect::<Vec<_>>().join(" ")
}

/// The slips of a move, by their definition: all other amounts.
fn slips_of(index: usize, sent: Move) -> Vec<Slip> {
    let amounts = (0..4).filter(|quarters| *quarters != sent.quarters());
    amounts.map(|quarters| Slip { index, sent, made: Move::of(sent.face(), quarters) }).collect()
}

/// Up to `count` random slips of different moves, in their order.
fn random_slips(rng: &mut StdRng, sent: &[Move], count: usize) -> Vec<Slip> {
    let mut slips: Vec<Slip> = Vec::new();
    while slips.len() < count.min(sent.len()) {
        let index = rng.random_range(0..sent.len());
        if slips.iter().all(|slip| slip.index != index) {
            slips.push(slips_of(index, sent[index])[rng.random_range(0..3)]);
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
            *kinds.entry(slip.kind().name()).or_default() += 1;
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
        all.extend(single.iter().map(|&slip| vec![slip]));
        for first in &single {
            all.extend(single.iter().filter(|second| second.index > first.index).map(|&second| vec![*first, second]));
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
