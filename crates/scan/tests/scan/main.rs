//! Tests of scans: misread, unknown and wrongly held stickers, and the colours of a camera.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::cube as common;

mod misplaced;
mod orders;
mod repair;
mod repair_faces;
mod scan;
mod slips;
