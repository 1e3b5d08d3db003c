//! Connections: the accept loop with its limits, and the detection of idle and stalled peers.

pub mod disconnect;
pub mod server;
pub(crate) mod stream;
