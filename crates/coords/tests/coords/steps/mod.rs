//! Tests of steps and chains.

mod chain;
mod goals;
mod nissy;
mod replay;

use superflip_coords::steps::{Side, SideMoves, Step};
use superflip_cube::Cube;
use superflip_dev::coords::steps::moves_of;

/// Returns the moves of every shortest solution.
fn shortest(goal: &str, side: Side, cube: &Cube) -> Vec<SideMoves> {
    let mut step = Step::named(goal).unwrap();
    (step.side, step.over_best, step.count) = (side, Some(0), usize::MAX);
    moves_of(&step, cube)
}
