//! Replays solutions on the model of stickers, which shares no code with the cube.

use superflip_coords::steps::{Side, Step};
use superflip_cube::{Cube, Moves};
use superflip_solver::Control;

use crate::common::slots::{CORNERS, EDGES, facelet};
use crate::common::stickers;

const SCRAMBLE: &str = "R' U' F L2 D' B2 U R2 F' D2 L B' R U2 F2 D L' B";

/// Returns the stickers after moves on both sides: the moves on the inverse side are undone before the scramble.
fn after(scramble: &str, normal: &Moves, inverse: &Moves) -> String {
    stickers::apply(stickers::SOLVED, &format!("{} {scramble} {normal}", inverse.inverse()))
}

fn face(letters: &str, number: usize) -> &str {
    &letters[9 * number..9 * number + 9]
}

/// Returns whether the faces U and D show only their two colours, and the edges between them show only the colours of their axis.
fn is_domino(letters: &str) -> bool {
    let outer = [0, 3].map(|number| face(letters, number).chars().all(|letter| "UD".contains(letter)));
    let middle = [(1, "RL"), (2, "FB"), (4, "RL"), (5, "FB")].map(|(number, colours)| {
        let row = &face(letters, number)[3..6];
        row.chars().all(|letter| colours.contains(letter))
    });
    outer.into_iter().chain(middle).all(|is_kept| is_kept)
}

#[test]
fn domino_reduction_shows_on_the_stickers() {
    let cube = Cube::from_scramble(SCRAMBLE).unwrap();
    let mut step = Step::named("drud").unwrap();
    (step.side, step.count) = (Side::Mixed, 60);
    let found = step.solutions(&cube, &Control::new()).unwrap();
    assert_eq!(found.solutions.len(), 60);
    let mut both = 0;
    for solution in found.solutions {
        let moves = &solution.moves;
        assert!(is_domino(&after(SCRAMBLE, &moves.normal, &moves.inverse)), "{moves:?}");
        assert_eq!(moves.after(&cube).to_string(), after(SCRAMBLE, &moves.normal, &moves.inverse));
        both += usize::from(!moves.normal.is_empty() && !moves.inverse.is_empty());
    }
    assert!(both > 0);
}

#[test]
fn a_cross_shows_on_the_stickers() {
    let cube = Cube::from_scramble(SCRAMBLE).unwrap();
    let mut step = Step::named("cross").unwrap();
    (step.axes, step.over_best, step.count) = (vec!["D".into()], Some(1), 1000);
    let found = step.solutions(&cube, &Control::new()).unwrap();
    assert!(!found.solutions.is_empty());
    for solution in found.solutions {
        let letters = after(SCRAMBLE, &solution.moves.normal, &Moves::default());
        let edges = [1, 3, 5, 7].map(|facelet| face(&letters, 3).as_bytes()[facelet]);
        let sides = [(1, 'R'), (2, 'F'), (4, 'L'), (5, 'B')];
        assert!(
            edges == *b"DDDD" && sides.iter().all(|&(number, letter)| face(&letters, number)[7..].starts_with(letter))
        );
    }
}

#[test]
fn a_block_built_on_both_sides_shows_on_the_stickers() {
    let cube = Cube::from_scramble(SCRAMBLE).unwrap();
    let mut step = Step::named("222").unwrap();
    (step.axes, step.side, step.count) = (vec!["DBL".into()], Side::Mixed, 80);
    let found = step.solutions(&cube, &Control::new()).unwrap();
    let slots = CORNERS.iter().map(|slot| &slot[..]).chain(EDGES.iter().map(|slot| &slot[..]));
    let is_in_block = |slot: &&[&str]| slot.iter().all(|name| name.starts_with(['D', 'B', 'L']));
    let block: Vec<&str> = slots.filter(is_in_block).flatten().copied().collect();
    assert_eq!((block.len(), found.solutions.len()), (9, 80));
    for solution in &found.solutions {
        let letters = after(SCRAMBLE, &solution.moves.normal, &solution.moves.inverse);
        let is_home = |name: &&str| letters.as_bytes()[facelet(name)] == name.as_bytes()[0];
        assert!(block.iter().all(is_home), "{:?}", solution.moves);
    }
    assert!(found.solutions.iter().any(|found| !found.moves.normal.is_empty() && !found.moves.inverse.is_empty()));
}
