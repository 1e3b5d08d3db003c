//! Checks the breadth-first search over symmetry-reduced products against a published distribution. The suite of large tables checks
//! it against more.

use crate::common::prelude::*;
use crate::common::rows::Rows;

#[test]
fn corners_in_the_half_turn_metric_as_published() {
    let states = Rows::corners().states_with_twist(&Move::ALL);
    let published =
        [1, 18, 243, 2_874, 28_000, 205_416, 1_168_516, 5_402_628, 20_776_176, 45_391_616, 15_139_616, 64_736];
    assert_eq!(states, published);
    assert_eq!(states.iter().sum::<u64>(), 40_320 * 2_187);
}
