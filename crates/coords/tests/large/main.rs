//! Tests of coordinates that need the tables of the profile `standard`, or millions of values.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::coords as common;

mod distances;

/// Goals that read the tables of the profile `standard`.
mod goals {
    use crate::common::steps::moves_of;
    use crate::common::{STANDARD, rng, walk};
    use std::time::Instant;
    use superflip_coords::steps::Step;
    use superflip_cube::Move;
    use superflip_solver::Control;

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
}

/// Every named coordinate against the cubies.
mod space {
    use crate::common::spaces::{agrees_with_the_cubies, built, in_parallel};
    use superflip_coords::space::catalogue::CATALOGUE;
    use superflip_coords::space::group;

    /// Two have 24 million raw values.
    #[test]
    fn every_named_coordinate_agrees_with_the_cubies() {
        in_parallel(CATALOGUE, |entry| agrees_with_the_cubies(&built(entry.name), &group::acting(entry.descriptor)));
    }
}
