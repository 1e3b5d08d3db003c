//! The service under load: queues, overload, cancellation, limits on memory, slow clients, and shutdown.

mod cancellation;
mod memory;
mod overload;
mod pool;
mod server;
