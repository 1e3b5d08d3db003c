//! The list of tables: the name, shape and build function of each.

pub mod entry;
pub(crate) mod id;
pub(crate) mod info;
pub mod shape;
pub(crate) mod spec;
pub mod specs;

pub use id::Id;
pub use info::TableInfo;
pub use shape::Shape;
pub use spec::Spec;
