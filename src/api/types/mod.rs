//! The wire types of requests and responses. `openapi.yaml` is generated from them.
//!
//! The name of a schema is a plain noun, without `Body`, `Name`, `Schema` or `Response`. A Rust type that needs such an ending, because the
//! engine has a type of that name, sets its schema name with `#[schema(as = ...)]`.

mod batch;
mod coords;
#[cfg(feature = "contract")]
pub mod enums;
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
