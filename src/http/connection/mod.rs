//! Connections: the accept loop with its limits, and the timeouts of one connection.
//!
//! | limit | enforced by |
//! | --- | --- |
//! | connections, in total | [`server`] |
//! | time for a request head (`header_timeout`), size of a head | hyper |
//! | time without a request (`header_timeout`) | `idle` |
//! | time in which a client accepts no data (`write_timeout`) | `socket` |
//! | HTTP/2: open streams, header size, windows, pings, resets | hyper |
//!
//! Nothing here limits how long an HTTP/2 client may keep the flow-control window of a stream closed. Such a stream
//! keeps its connection and its response open. A reverse proxy in front of the server has to bound this; expose cleartext HTTP/2 to trusted clients only.

pub(crate) mod idle;
mod serve_one;
pub mod server;
mod socket;
