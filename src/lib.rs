//! Superflip solves the Rubik's cube as a service, and opens the coordinates it solves with.
//!
//! The libraries below it are crates of their own: `superflip-cube`, `superflip-scan`, `superflip-solver`, `superflip-coords` and
//! `superflip-picture`. The modules of this crate form a chain; each may use those before it, never those after it
//! (`tests/service/project/layering.rs` checks that):
//!
//! ```text
//! service <- api <- http <- cli <- operations <- main
//! ```
//!
//! | module | holds |
//! | --- | --- |
//! | [`service`] | between libraries and transport: configuration, readiness, the pool, telemetry |
//! | [`api`] | wire types, problems with their codes, request parsing |
//! | [`http`] | connections, middleware, what handlers share, the contract |
//! | [`cli`] | what subcommands share, and those that are no operations |
//! | [`operations`] | each operation: request, answer, checks, handlers, subcommand; and the list of them |

// A request must not end the process.
#![warn(
    clippy::expect_used,
    clippy::panic,
    clippy::todo,
    clippy::unimplemented,
    clippy::unreachable,
    clippy::unwrap_used
)]

pub mod api;
pub mod cli;
pub mod http;
pub mod operations;
pub mod service;

// musl's own allocator has one lock for all threads.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

pub(crate) mod contract {
    //! The annotations that describe wire types and handlers in the contract. With the feature `contract` they are the macros of utoipa, from
    //! which the service generates `openapi.yaml`. Without it they generate nothing.

    pub(crate) use contract_macros::Attributes;
    #[cfg(not(feature = "contract"))]
    pub(crate) use contract_macros::{IntoParams, ToSchema, path};
    #[cfg(feature = "contract")]
    pub(crate) use utoipa::{IntoParams, ToSchema, path};
}

#[cfg(test)]
mod tests {
    /// In the first program that `cargo test` runs: a change that breaks the search fails early.
    #[test]
    fn the_fixed_suite_has_its_node_count_with_computed_tables() {
        superflip_dev::solver::assert_suite_nodes(&superflip_dev::solver::TINY);
    }
}
