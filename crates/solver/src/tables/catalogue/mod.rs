//! The list of tables: the name, shape and build function of each.

pub mod entry;
pub mod id;
pub mod info;
pub mod shape;
pub mod spec;
pub mod specs;

pub use id::Id;
pub use info::TableInfo;
pub use shape::Shape;
pub use spec::Spec;
