//! Precomputed tables: contents, construction, files and memory mapping.
//!
//! [`TableSet::open`] is the entry point.
//!
//! | module | contents |
//! | --- | --- |
//! | [`catalogue`] | the list of tables: name, shape and build function of each |
//! | [`move_table`] | values after each move |
//! | [`pruning`] | pruning tables of the two phases, and the near set |
//! | [`optimal`] | coset tables for optimal solutions |
//! | [`metric`] | tables of further metrics |
//! | [`file`](mod@file) | file format, names, locks, opening, building, pruning of a folder |
//! | `set` | sets of tables that are opened together, and their keys |
//! | `htm` | the tables of a profile |
//! | `inspect` | the coordinates of one cube |
//! | [`verify`](mod@verify) | full checks of tables |

pub mod catalogue;
pub(crate) mod error;
pub mod file;
pub(crate) mod htm;
pub(crate) mod inspect;
pub mod metric;
pub mod move_table;
pub mod optimal;
pub(crate) mod prefetch;
pub mod pruning;
pub(crate) mod set;
pub(crate) mod tiny;
pub mod verify;

pub use crate::table_event::TableEvent;
pub use catalogue::spec::DepthHistograms;
pub use catalogue::{Id, Shape, Spec, TableInfo, entry, shape, specs};
pub use error::{TableError, is_shortage};
pub use file::{Table, Unusable, check_space, format, inventory, sink, store};
pub use htm::Tables;
pub use inspect::{DirectionCoordinates, SymValue};
pub use metric::MetricTables;
pub use optimal::{OptimalTable, Size};
pub use set::{Profile, Role, SetKey, TableSet};
pub use verify::{CheckEffort, Conclusion, Verdict, survey, verify};
