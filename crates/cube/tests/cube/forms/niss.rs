//! Turns on the inverse scramble, against nissy and its definition.

use proptest::prelude::*;
use superflip_cube::forms::{Format, Forms, Holding, apply_niss, unniss};
use superflip_cube::input::parse_turns;
use superflip_cube::{Cube, Move};

use super::{B32, read_as};

#[test]
fn turns_on_the_inverse_are_applied_as_by_nissy() {
    let cube = read_as(B32, Format::B32).expect("R U F").cube;
    // `applymoves` of nissy-core with the moves `(B' D' L') F2 D` prints this.
    let [normal, inverse] = ["F2 D", "B' D' L'"].map(|moves| parse_turns(moves).expect(moves));
    let found = apply_niss(&cube, &normal, &inverse);
    assert_eq!(Forms::of(&found, Holding::HOME).b32, "DJPCANUO=TKXCbAWVZYRE=A");
    // `variations` of nissy-core with `unniss` prints this.
    assert_eq!(unniss(&normal, &inverse), parse_turns("F2 D L D B").expect("turns"));
}

fn turns() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec((0..Move::COUNT).prop_map(|index| Move::ALL[index]), 0..12)
}

proptest! {
    #[test]
    fn a_solution_solves_exactly_if_its_plain_form_does(scramble in turns(), normal in turns(), inverse in turns()) {
        let cube = Cube::SOLVED.after(&scramble);
        let plain = cube.after(&unniss(&normal, &inverse));
        let applied = apply_niss(&cube, &normal, &inverse);
        prop_assert_eq!(applied.is_solved(), plain.is_solved());
        // Each is the other, conjugated by the turns on the inverse.
        prop_assert_eq!(Cube::SOLVED.after(&inverse).then(&applied), plain.after(&inverse));
    }

    #[test]
    fn any_split_of_a_solution_solves(solution in turns(), at in 0..12_usize) {
        let at = at.min(solution.len());
        let cube = Cube::SOLVED.after(&solution).inverse();
        let inverse: Vec<Move> = solution[at..].iter().rev().map(|turn| turn.inverse()).collect();
        prop_assert!(apply_niss(&cube, &solution[..at], &inverse).is_solved());
        prop_assert_eq!(unniss(&solution[..at], &inverse), solution);
    }
}
