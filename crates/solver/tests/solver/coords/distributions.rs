//! Checks the breadth-first search over symmetry-reduced products against a published distribution. The suite of large tables checks
//! it against more.

use crate::common::prelude::*;
use crate::common::rows::Rows;

#[test]
fn corners_in_the_half_turn_metric_as_published() {
    assert_eq!(Rows::corners().states_with_twist(&Move::ALL), CORNERS);
    assert_eq!(CORNERS.iter().sum::<u64>(), 40_320 * 2_187);
}
