//! Tests of what goes wrong around the program: damaged files, full disks, kills, restarts under load, and mixed traffic for seconds.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod faults;
mod first_start;
mod restarts;
mod soak;
