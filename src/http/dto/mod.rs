//! What callers send and get: the contract. `openapi.yaml` is made from these types.

mod coords;
mod operation;
mod solve;
mod tables;

pub use coords::*;
pub use operation::*;
pub use solve::*;
pub use tables::*;
