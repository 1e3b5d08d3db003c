//! The wire types of requests and responses. `openapi.yaml` is generated from them.
//!
//! Types of the engine and the service that have the right shape are sent as they are, and are not repeated here.
//!
//! The name of a schema is a plain noun, without `Body`, `Name`, `Schema` or `Response`. A Rust type that needs such an ending, because the
//! engine has a type of that name, sets its schema name with `#[schema(as = ...)]`.

#[macro_use]
mod requests;

mod clients;
mod convert;
mod coords;
mod cube_value;
#[cfg(feature = "contract")]
pub mod described;
mod explain;
mod image;
mod move_check;
mod moves;
mod operation;
mod scan;
mod scramble;
mod solve;
mod tables;

pub use clients::*;
pub use convert::*;
pub use coords::*;
pub use cube_value::*;
pub use explain::*;
pub use image::*;
pub use move_check::*;
pub use moves::*;
pub use operation::*;
pub use requests::*;
pub use scan::*;
pub use scramble::*;
pub use solve::*;
pub use tables::*;
