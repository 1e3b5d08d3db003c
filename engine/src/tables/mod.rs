//! Precomputed tables: what they hold, how they are built, how they lie on disk, and how they are mapped.
//!
//! [`Tables::open_or_build`] is the entry point. Every table is described in [`specs`]; [`store`] opens and builds them, [`files`] names
//! their files, [`inventory`] lists and removes them, [`format`](mod@format) is the layout of a file, `mapping` the one unsafe line
//! that maps it. The two large pruning tables come from one breadth-first search ([`product`]); [`phase_one`] and [`phase_two`] explain
//! their entries.

pub mod building;
pub mod catalogue;
pub mod error;
pub mod file;
pub mod inspect;
pub mod loaded;
pub mod move_table;
pub mod observer;
pub mod opened;
pub mod optimal;
pub mod options;
pub(crate) mod prefetch;
pub mod pruning;
pub mod verify;

pub use building::Stopped;
pub use catalogue::{Id, Shape, Spec, TableInfo, shape, specs};
pub use error::TableError;
pub use file::{Table, Unusable, format, inventory, sink, store};
pub use inspect::{DirectionCoordinates, SymValue};
pub use loaded::Tables;
pub use observer::{Observer, Quiet, TableEvent};
pub use optimal::{OptimalTable, Size};
pub use options::{Profile, Trust};
pub use verify::{CheckControl, Conclusion, Effort, Verdict, survey, survey_one, verify};
