//! Moves on the inverse scramble, against nissy and its definition.

use proptest::prelude::*;
use superflip_cube::{Cube, Form, Move, Moves};

use super::{B32, read_as};

#[test]
fn moves_on_the_inverse_are_applied_as_by_nissy() {
    let cube = read_as(B32, Form::B32).expect("R U F").cube;
    // `applymoves` of nissy-core with the moves `(B' D' L') F2 D` prints this.
    let [normal, inverse] = ["F2 D", "B' D' L'"].map(|moves| moves.parse::<Moves>().expect(moves));
    let found = cube.after(&normal).after_on_inverse(&inverse);
    assert_eq!(found.to_form(Form::B32), "DJPCANUO=TKXCbAWVZYRE=A");
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    prop::collection::vec((0..Move::COUNT).prop_map(|index| Move::ALL[index]), 0..12)
}

proptest! {
    #[test]
    fn a_solution_solves_exactly_if_its_plain_form_does(scramble in moves(), normal in moves(), inverse in moves()) {
        let cube = Cube::SOLVED.after(&scramble);
        let plain = cube.after(&normal).after(&Moves::from(&inverse).inverse());
        let applied = cube.after(&normal).after_on_inverse(&inverse);
        prop_assert_eq!(applied.is_solved(), plain.is_solved());
        // Each is the other, conjugated by the moves on the inverse.
        prop_assert_eq!(Cube::SOLVED.after(&inverse).then(&applied), plain.after(&inverse));
    }

    #[test]
    fn any_split_of_a_solution_solves(solution in moves(), at in 0..12_usize) {
        let at = at.min(solution.len());
        let cube = Cube::SOLVED.after(&solution).inverse();
        let inverse = Moves::from(&solution[at..]).inverse();
        prop_assert!(cube.after(&solution[..at]).after_on_inverse(&inverse).is_solved());
    }
}
