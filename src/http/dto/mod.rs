//! What callers send and get: the contract. `openapi.yaml` is made from these types.

mod coords;
mod operation;
mod solve;

pub use coords::*;
pub use operation::*;
pub use solve::*;
