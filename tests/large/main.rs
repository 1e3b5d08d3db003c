//! Tests of the service and the program with the large tables of the profile `standard` and of metrics. The examples of the README
//! and of the documentation run with them too.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod metrics;
mod readme;
mod rows;
mod spaces;
mod verify;
