//! Tests of coordinates that need the tables of the profile `standard`, or millions of values.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::coords as common;

mod distances;
mod goals;
mod space;
