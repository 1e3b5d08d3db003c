//! Tests of what superflip tells other programs: the contract, spans to a collector, and metrics to the queries of the dashboard and the
//! alerts.
#![allow(clippy::cast_possible_truncation)] // numbers of tests are small

use superflip_dev::service as common;

mod contract;
mod otlp;
mod queries;
