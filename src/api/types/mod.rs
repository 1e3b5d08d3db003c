//! What callers send and get: the contract. `openapi.yaml` is made from these types.
//!
//! A schema has the plain noun for what it holds, without `Body`, `Name` or `Response`. Where the type in Rust has such an ending, to tell
//! it from a type of the engine, `#[schema(as = ...)]` gives the noun.

mod batch;
mod coords;
#[cfg(feature = "contract")]
pub(crate) mod enums;
mod explain;
mod move_check;
mod moves;
mod operation;
mod requests;
mod solve;
mod stream;
mod tables;

pub use batch::*;
pub use coords::*;
pub use explain::*;
pub use move_check::*;
pub use moves::*;
pub use operation::*;
pub use requests::*;
pub use solve::*;
pub use stream::*;
pub use tables::*;
