//! The configuration, the metrics, the documentation and the deployment files match the code, and tests do not sleep for long.

mod config;
mod deploy_host;
mod docs;
mod layering;
mod metrics;
mod promises;
mod suites;
mod waiting;
