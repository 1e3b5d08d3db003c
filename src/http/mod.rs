//! The HTTP layer: routes, connections, middleware and the contract.
//!
//! `operations::app` builds the router of the whole service, which tests call in memory. [`connection::server`] serves it on sockets.
//! Handlers are thin: [`extract`] and `api` parse the request, and `service` solves it.

pub mod connection;
pub mod contract;
pub(crate) mod download;
pub(crate) mod events;
pub mod extract;
pub(crate) mod json;
pub mod middleware;
mod operation;
mod read_cube;
pub mod routes;
mod state;
mod static_file;

pub(crate) use self::operation::operation;
pub use self::state::{AppState, StateParts};
