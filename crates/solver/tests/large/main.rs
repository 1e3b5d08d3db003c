//! Tests of the large tables: of the profile `standard`, of metrics, and the coset tables; and large distributions.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::solver as common;

mod distributions;
mod metrics;
mod optimal_tables;
mod qtm_proofs;
mod search;
mod tables;
