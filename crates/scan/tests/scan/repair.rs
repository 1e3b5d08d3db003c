//! Checks repairs of scans against brute force over changes, completions and placements.

use std::collections::BTreeSet;

use crate::common::stickers::cycled;
use crate::common::{letters, rng, scrambled};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use superflip_cube::{Corner, Cube, Edge, FormError, random_cube};
use superflip_scan::repair::{Action, Costs, MAX_REPAIRS, Ranking, Stickers, completions, count, nearest, reassemble};

const COLOURS: [char; 6] = ['U', 'R', 'F', 'D', 'L', 'B'];

/// Facelets that are no centres.
fn free() -> Vec<usize> {
    (0..54).filter(|facelet| facelet % 9 != 4).collect()
}

fn parsed(text: &str) -> Stickers {
    Stickers::parse(text).expect("six colours")
}

/// The text with `wrong` stickers changed to other colours.
fn misread(text: &str, wrong: usize, rng: &mut StdRng) -> String {
    let mut symbols: Vec<char> = text.chars().collect();
    let mut places = free();
    places.shuffle(rng);
    for &place in &places[..wrong] {
        let others: Vec<char> = COLOURS.into_iter().filter(|colour| *colour != symbols[place]).collect();
        symbols[place] = others[rng.random_range(0..5)];
    }
    symbols.into_iter().collect()
}

fn distance(a: &str, b: &str) -> Vec<u8> {
    let pairs = a.chars().zip(b.chars()).enumerate();
    pairs.filter(|(_, (a, b))| a != b && *a != '?').map(|(i, _)| i as u8).collect()
}

/// Whether each colour occurs nine times; without this, no cube is legal, and parsing is not needed.
fn is_nine_each(symbols: &[char]) -> bool {
    COLOURS.iter().all(|colour| symbols.iter().filter(|symbol| *symbol == colour).count() == 9)
}

fn is_legal(symbols: &[char]) -> bool {
    is_nine_each(symbols) && Cube::from_facelets(&symbols.iter().collect::<String>()).is_ok()
}

#[test]
fn the_original_or_a_nearer_cube_is_found() {
    let mut rng = rng(11);
    for round in 0..600 {
        let wrong = 1 + round % 6;
        let original = letters(&random_cube(&mut rng));
        let scan = misread(&original, wrong, &mut rng);
        let found = nearest(&parsed(&scan), MAX_REPAIRS);
        assert!(found.distance as usize <= wrong && !found.repairs.is_empty());
        assert_eq!(found.truncated, found.total > found.repairs.len() as u128);
        let mut distinct = BTreeSet::new();
        for repair in &found.repairs {
            assert_eq!(Cube::from_facelets(&repair.facelets), Ok(repair.cube));
            assert_eq!(repair.changed, distance(&scan, &repair.facelets));
            assert_eq!(repair.changed.len(), found.distance as usize);
            assert!(distinct.insert(repair.facelets.clone()));
        }
        if found.distance as usize == wrong && !found.truncated {
            assert!(distinct.contains(&original), "{scan}");
        }
    }
}

/// All legal cubes at one or two changes, by trying every change.
fn by_trying(scan: &str) -> [BTreeSet<String>; 2] {
    let mut symbols: Vec<char> = scan.chars().collect();
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    let free = free();
    for (i, &a) in free.iter().enumerate() {
        let before = symbols[a];
        for colour in COLOURS.into_iter().filter(|colour| *colour != before) {
            symbols[a] = colour;
            if is_legal(&symbols) {
                found[0].insert(symbols.iter().collect());
            }
            for &b in &free[i + 1..] {
                let second = symbols[b];
                for colour in COLOURS.into_iter().filter(|colour| *colour != second) {
                    symbols[b] = colour;
                    if is_legal(&symbols) {
                        found[1].insert(symbols.iter().collect());
                    }
                }
                symbols[b] = second;
            }
        }
        symbols[a] = before;
    }
    found
}

#[test]
fn repairs_are_those_found_by_trying_every_change() {
    let mut rng = rng(12);
    let mut seen = [0; 4];
    for round in 0..12 {
        let scan = misread(&letters(&scrambled(&mut rng)), 1 + round % 4, &mut rng);
        let found = nearest(&parsed(&scan), MAX_REPAIRS);
        let listed: BTreeSet<_> = found.repairs.iter().map(|repair| repair.facelets.clone()).collect();
        let [one, two] = by_trying(&scan);
        match found.distance {
            1 => assert_eq!(listed, one),
            2 => assert!(one.is_empty() && listed == two),
            _ => assert!(one.is_empty() && two.is_empty()),
        }
        seen[(found.distance as usize).min(3)] += 1;
    }
    assert!(seen[1] > 0 && seen[2] > 0 && seen[3] > 0, "{seen:?}");
}

#[test]
fn a_legal_scan_needs_no_repair() {
    let cube = random_cube(&mut rng(13));
    let found = nearest(&parsed(&cube.to_string()), 5);
    assert_eq!((found.distance, found.total, found.repairs.len()), (0, 1, 1));
    assert_eq!((found.repairs[0].cube, found.repairs[0].changed.len()), (cube, 0));
}

/// Puts every arrangement of the missing colours on the unknown places.
fn fill(symbols: &mut Vec<char>, places: &[usize], found: &mut Vec<Vec<char>>) {
    let Some((&place, rest)) = places.split_first() else {
        if is_legal(symbols) {
            found.push(symbols.clone());
        }
        return;
    };
    for colour in COLOURS {
        if symbols.iter().filter(|symbol| **symbol == colour).count() < 9 {
            symbols[place] = colour;
            fill(symbols, rest, found);
            symbols[place] = '?';
        }
    }
}

#[test]
fn completions_are_as_many_as_enumerated() {
    let mut rng = rng(14);
    let mut most = 0;
    for round in 0..12 {
        let original = letters(&random_cube(&mut rng));
        let mut places = free();
        if round < 6 {
            places.shuffle(&mut rng);
            places.truncate(9);
        } else {
            // Two corners and an edge: URF, UFL, UB.
            places = vec![8, 9, 20, 6, 18, 38, 1, 46];
        }
        let mut symbols: Vec<char> = original.chars().collect();
        for &place in &places {
            symbols[place] = '?';
        }
        let scan: String = symbols.iter().collect();
        let found = completions(&parsed(&scan));
        let mut all = Vec::new();
        fill(&mut symbols, &places, &mut all);
        let expected = all.len() as u128;
        assert_eq!(found.total, expected, "{scan}");
        let differs = |at: &usize| all.iter().any(|one| one[*at] != all[0][*at]);
        let undecided: Vec<usize> = (0..54).filter(differs).collect();
        assert_eq!(found.undecided.iter().map(|&at| usize::from(at)).collect::<Vec<_>>(), undecided, "{scan}");
        let first = found.first.clone().expect("the original at least");
        assert!(Cube::from_facelets(&first.facelets).is_ok() && distance(&scan, &first.facelets).is_empty());
        assert_eq!(found.unique().is_some(), expected == 1);
        most = most.max(expected);
    }
    assert!(most > 1);
}

#[test]
fn groups_of_known_size_are_counted() {
    let with_unknown = |is_unknown: fn(usize) -> bool| {
        let solved = letters(&Cube::SOLVED);
        let text = solved.chars().enumerate().map(|(i, c)| if i % 9 != 4 && is_unknown(i % 9) { '?' } else { c });
        completions(&parsed(&text.collect::<String>())).total
    };
    assert_eq!(with_unknown(|_| true), 43_252_003_274_489_856_000);
    // 8! 3^7 / 2 corner arrangements, 12! 2^11 / 2 edge arrangements.
    assert_eq!(with_unknown(|place| place % 2 == 0), 44_089_920);
    assert_eq!(with_unknown(|place| place % 2 == 1), 490_497_638_400);
}

#[test]
fn contradictory_stickers_have_no_completion() {
    // A corner with white twice, the rest unknown.
    let mut symbols: Vec<char> =
        letters(&Cube::SOLVED).chars().enumerate().map(|(i, c)| if i % 9 == 4 { c } else { '?' }).collect();
    (symbols[8], symbols[9]) = ('U', 'U');
    let stickers = parsed(&symbols.iter().collect::<String>());
    assert_eq!(completions(&stickers).total, 0);
    let found = nearest(&stickers, 3);
    assert!(found.distance == 1 && found.truncated && found.repairs.len() == 3);
}

/// All legal cubes in which only the first four corners and the first three edges are out of place, by cost.
fn enumerated(corner: &impl Fn(usize, usize, u8) -> u32, edge: &impl Fn(usize, usize, u8) -> u32) -> Vec<u32> {
    fn permutations(n: usize) -> Vec<(Vec<usize>, bool)> {
        if n == 0 {
            return vec![(Vec::new(), false)];
        }
        let longer = |(shorter, odd): (Vec<usize>, bool)| {
            (0..n).map(move |at| {
                let mut longer = shorter.clone();
                longer.insert(at, n - 1);
                (longer, odd ^ ((n - 1 - at) % 2 == 1))
            })
        };
        permutations(n - 1).into_iter().flat_map(longer).collect()
    }
    let kind = |pieces: usize, turns: usize, cost: &dyn Fn(usize, usize, u8) -> u32| {
        let mut found = [Vec::new(), Vec::new()];
        for (order, odd) in permutations(pieces) {
            for code in 0..turns.pow(pieces as u32) {
                let turned: Vec<usize> = (0..pieces).map(|slot| code / turns.pow(slot as u32) % turns).collect();
                if turned.iter().sum::<usize>().is_multiple_of(turns) {
                    let costs = (0..pieces).map(|slot| cost(slot, order[slot], turned[slot] as u8));
                    found[usize::from(odd)].push(costs.sum::<u32>());
                }
            }
        }
        found
    };
    let (corners, edges) = (kind(4, 3, corner), kind(3, 2, edge));
    let all = |parity: usize| corners[parity].iter().flat_map(move |a| [(a, parity)]);
    let mut found: Vec<u32> =
        all(0).chain(all(1)).flat_map(|(a, parity)| edges[parity].iter().map(move |b| a + b)).collect();
    found.sort_unstable();
    found
}

#[test]
fn cubes_come_in_the_order_of_their_costs() {
    let mut rng = rng(15);
    for high in [5, 1000] {
        let costs: Vec<u32> = (0..8 * 8 * 3 + 12 * 12 * 2).map(|_| rng.random_range(0..high)).collect();
        let corner = |slot: usize, piece: usize, twist: u8| costs[(slot * 8 + piece) * 3 + usize::from(twist)];
        let edge = |slot: usize, piece: usize, flip: u8| costs[192 + (slot * 12 + piece) * 2 + usize::from(flip)];
        let block = |is_free: bool, is_home: bool, cost: u32| match (is_free, is_home) {
            (true, _) => cost,
            (false, true) => 0,
            (false, false) => Costs::MAX,
        };
        let all = Costs::new(
            |s, p, t| block(s.index() < 4 && p.index() < 4, s == p && t == 0, corner(s.index(), p.index(), t)),
            |s, p, f| block(s.index() < 3 && p.index() < 3, s == p && f == 0, edge(s.index(), p.index(), f)),
        );
        let expected = enumerated(&corner, &edge);
        let ranked: Vec<_> = Ranking::new(&all).take(500).collect();
        assert_eq!(ranked.iter().map(|ranked| ranked.cost).collect::<Vec<_>>(), expected[..500]);
        let least = expected.iter().filter(|cost| **cost == expected[0]).count();
        assert_eq!(count(&all), least as u128);
        for (i, one) in ranked.iter().enumerate() {
            assert_eq!(Cube::from_facelets(&one.cube.to_string()), Ok(one.cube));
            let placed = |cube: &Cube| {
                let corners = cube.corners().map(Corner::index).into_iter().zip(*cube.twists());
                corners.chain(cube.edges().map(Edge::index).into_iter().zip(*cube.flips())).collect::<Vec<_>>()
            };
            if let Some(next) = ranked.get(i + 1) {
                assert!((one.cost, placed(&one.cube)) < (next.cost, placed(&next.cube)));
            }
        }
    }
}

#[test]
fn wrongly_assembled_cubes_are_reassembled() {
    let mut rng = rng(16);
    for fault in 0..12 {
        let original = letters(&random_cube(&mut rng));
        let (twist, flip, exchange) = (fault % 3, fault / 3 % 2 == 1, fault / 6 == 1);
        let mut text = original.clone();
        // The stickers of URF, clockwise; UB; and UR with UF.
        (0..twist).for_each(|_| text = cycled(&text, &[8, 9, 20]));
        if flip {
            text = cycled(&text, &[1, 46]);
        }
        if exchange {
            text = cycled(&cycled(&text, &[5, 7]), &[10, 19]);
        }
        let found = reassemble(&parsed(&text), usize::MAX).expect("all pieces are there");
        assert_eq!((usize::from(found.twist), found.flip, found.exchange), ((3 - twist) % 3, flip, exchange));
        assert_eq!(found.actions(), usize::from(twist != 0) + usize::from(flip) + usize::from(exchange));
        let ways = [1, 8][usize::from(twist != 0)] * [1, 12][usize::from(flip)] * [1, 94][usize::from(exchange)];
        assert_eq!((found.total, found.ways.len()), (ways, ways));
        let undo = [
            (twist == 1).then_some(Action::TwistCounterClockwise(Corner::Urf)),
            (twist == 2).then_some(Action::TwistClockwise(Corner::Urf)),
            flip.then_some(Action::Flip(Edge::Ub)),
            exchange.then_some(Action::ExchangeEdges(Edge::Ur, Edge::Uf)),
        ];
        let undo: Vec<_> = undo.into_iter().flatten().collect();
        for way in &found.ways {
            assert_eq!(Cube::from_facelets(&way.facelets), Ok(way.cube));
            assert!(way.actions != undo || way.facelets == original);
        }
        assert!(found.ways.iter().any(|way| way.actions == undo));
    }
    assert_eq!(reassemble(&parsed(&letters(&Cube::SOLVED).replacen('U', "R", 1)), 3), None);
}

#[test]
fn refusals_name_the_stickers() {
    let refused = |text: &str| match Stickers::parse(text) {
        Err(FormError::Impossible { violations: found, .. }) => (found[0].code, found[0].stickers.clone()),
        other => panic!("not refused: {other:?}"),
    };
    let solved = letters(&Cube::SOLVED);
    assert_eq!(refused(&solved[1..]), ("wrong_length", vec![]));
    let one = Stickers::parse("?").expect_err("one symbol").to_string();
    assert!(one.starts_with("A cube has 54 stickers, but 1 symbol was given."), "{one}");
    assert_eq!(refused(&format!("{}?{}", &solved[..4], &solved[5..])), ("unknown_centre", vec![4]));
    assert_eq!(refused(&format!("{}R{}", &solved[..4], &solved[5..])), ("repeated_centre", vec![4, 13]));
    assert_eq!(refused(&format!("{}x{}", &solved[..3], &solved[4..])), ("too_many_symbols", vec![3]));
}
