//! Checks the phases of a solution by replaying each of them on stickers.

use rand::rngs::StdRng;
use superflip_solver::Found;

use crate::common::prelude::*;

/// Returns the four edges between the faces that do not belong to the axis.
fn slice(axis: Axis) -> [&'static str; 4] {
    match axis {
        Axis::Ud => ["FR", "FL", "BL", "BR"],
        Axis::Rl => ["UF", "UB", "DB", "DF"],
        Axis::Fb => ["UR", "UL", "DL", "DR"],
    }
}

/// Returns the axis of a face, or of its colour.
fn axis_of(letter: char) -> Axis {
    match letter {
        'U' | 'D' => Axis::Ud,
        'R' | 'L' => Axis::Rl,
        _ => Axis::Fb,
    }
}

/// Returns whether a cube is in the subgroup of an axis: the two faces of the axis show only their two colours, and every slice edge shows
/// the colours of the axes on which it lies.
fn is_in_subgroup(facelets: &str, axis: Axis) -> bool {
    let faces: Vec<char> = facelets.chars().collect();
    let mut faces = faces.chunks(9).filter(|face| axis_of(face[4]) == axis);
    let is_oriented = |slot: &str| slot.chars().map(axis_of).eq(stickers::shown(facelets, slot).chars().map(axis_of));
    faces.all(|face| face.iter().all(|&letter| axis_of(letter) == axis)) && slice(axis).into_iter().all(is_oriented)
}

/// Returns what is wrong with the phases of a solution. The cube is a solved cube after `scramble`.
fn fault(scramble: &[Move], found: &Found) -> Option<&'static str> {
    let Phases::TwoPhase { axis, inverse, lengths } = found.phases else { return None };
    let [first, inside, last] = if inverse { [lengths[2], lengths[1], lengths[0]] } else { lengths }.map(usize::from);
    // On the inverse cube the solution is inverted too, and so is the order of its parts.
    let (scramble, moves) = if inverse {
        (Moves::from(scramble).inverse(), found.moves.inverse())
    } else {
        (scramble.into(), found.moves.clone())
    };
    if first + inside + last != moves.len() {
        return Some("the lengths do not add up");
    }
    let (phase_one, rest) = moves.split_at(first);
    let (phase_two, premoves) = rest.split_at(inside);
    // Pre-moves are made before the scramble.
    let before = [premoves, &scramble, phase_one].concat();
    let mut facelets = stickers::apply(stickers::SOLVED, &Moves::from(&before).to_string());
    if !is_in_subgroup(&facelets, axis) {
        return Some("phase 1 does not reach the subgroup");
    }
    for mv in phase_two {
        facelets = stickers::apply(&facelets, mv.name());
        if !is_in_subgroup(&facelets, axis) {
            return Some("phase 2 leaves the subgroup");
        }
    }
    let leaves = |mv: &Move| !is_in_subgroup(&stickers::apply(stickers::SOLVED, mv.name()), axis);
    if !phase_one.last().is_none_or(leaves) || !premoves.first().is_none_or(leaves) {
        return Some("phase 2 could be longer");
    }
    (!stickers::is_solved(&facelets)).then_some("phase 2 does not solve the cube")
}

fn scramble(rng: &mut StdRng) -> Vec<Move> {
    (0..30).map(|_| Move::ALL[rng.random_range(0..Move::ALL.len())]).collect()
}

/// About three of a thousand solutions have moves that were merged where two parts join. `PHASE_CUBES` sets the number of cubes.
#[test]
fn phase_one_reaches_the_subgroup_and_phase_two_stays_inside() {
    let count: u32 = std::env::var("PHASE_CUBES").ok().and_then(|count| count.parse().ok()).unwrap_or(500);
    let mut rng = rng(60);
    let mut faults = Vec::new();
    let mut plain = 0;
    let mut inverted = 0;
    let mut with_premoves = 0;
    for i in 0..count {
        let scramble = scramble(&mut rng);
        let goal = Goal::default().target_length(20 + u8::from(i % 2 == 1)).solutions(1 + usize::from(i % 16 == 0));
        let outcome = solve(&SMALL, &Cube::SOLVED.after(&scramble), &goal).expect("a solution");
        let best = Found { moves: outcome.moves, phases: outcome.phases };
        for found in std::iter::once(best).chain(outcome.others) {
            match found.phases {
                Phases::TwoPhase { lengths: [before, _, after], .. } if before.min(after) > 0 => with_premoves += 1,
                Phases::TwoPhase { inverse: true, .. } => inverted += 1,
                _ => plain += 1,
            }
            faults.extend(
                fault(&scramble, &found).map(|fault| format!("{}: {fault}: {found:?}", Moves::from(&scramble))),
            );
        }
    }
    println!("{plain} plain, {inverted} on the inverse cube, {with_premoves} with pre-moves");
    assert!(plain.min(inverted).min(with_premoves) > 50, "{plain} {inverted} {with_premoves}");
    assert!(faults.is_empty(), "{}, the first: {:?}", faults.len(), faults.first());
}
