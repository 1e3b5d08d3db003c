//! What callers send and get: the contract. `openapi.yaml` is made from these types.

mod batch;
mod catalogue;
mod coords;
mod explain;
mod move_check;
mod moves;
mod operation;
mod solve;
mod stream;
mod tables;
mod value;

pub use batch::*;
pub use catalogue::*;
pub use coords::*;
pub use explain::*;
pub use move_check::*;
pub use moves::*;
pub use operation::*;
pub use solve::*;
pub use stream::*;
pub use tables::*;
pub use value::*;
