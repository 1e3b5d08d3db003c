//! Tests of `superflip-jobs` with real NATS servers. They need `nats-server`. The tests of `faults` also need root and `ip`.

#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

mod common;
mod deliveries;
mod faults;
mod hostile;
mod kills;
mod s3;
mod whole_path;
