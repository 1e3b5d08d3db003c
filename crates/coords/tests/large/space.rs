//! Checks every named coordinate against the cubies.

use superflip_coords::space::catalogue::CATALOGUE;
use superflip_coords::space::group;

use crate::common::spaces::{agrees_with_the_cubies, built, in_parallel};

/// Two have 24 million raw values.
#[test]
fn every_named_coordinate_agrees_with_the_cubies() {
    in_parallel(CATALOGUE, |entry| agrees_with_the_cubies(&built(entry.name), &group::acting(entry.descriptor)));
}
