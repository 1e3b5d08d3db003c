//! Checks goals that read the tables of the profile `standard`.

use std::time::Instant;

use superflip_coords::steps::Step;
use superflip_cube::Move;
use superflip_solver::Control;

use crate::common::steps::moves_of;
use crate::common::{STANDARD, rng, walk};

#[test]
fn finishes_are_the_same_by_the_tables_of_phase_two() {
    let mut rng = rng(10);
    for goal in ["slice", "finish"] {
        for length in [8, 9, 10, 11, 25] {
            let cube = walk(&mut rng, length, &Move::PHASE_TWO);
            let mut step = Step::named(goal).unwrap();
            (step.axes, step.over_best, step.count) = (vec!["ud".to_owned()], Some(0), usize::MAX);
            let without = moves_of(&step, &cube);
            step.goal = step.goal.reading(&STANDARD);
            // Their own tables are not asked for.
            assert_eq!(step.goal.prepare(&Control::new().until(Instant::now())), Ok(()));
            assert_eq!(moves_of(&step, &cube), without, "{goal} {length}");
        }
    }
}
