//! Precomputed tables: contents, construction, files and memory mapping.
//!
//! [`Tables::open_or_build`] is the entry point.
//!
//! | module | contents |
//! | --- | --- |
//! | [`catalogue`] | the list of tables: name, shape and build function of each |
//! | [`move_table`] | values after each move |
//! | [`pruning`] | pruning tables of the two phases, and the near set |
//! | [`optimal`] | coset tables for optimal solutions |
//! | [`metric`] | tables of further metrics |
//! | [`file`](mod@file) | file format, names, locks, opening, building, pruning of a folder |
//! | `loaded`, `opened` | the mapped tables of a profile |
//! | `inspect` | the coordinates of one cube |
//! | [`verify`](mod@verify) | full checks of tables |

pub(crate) mod building;
pub mod catalogue;
pub(crate) mod error;
pub mod file;
pub(crate) mod inspect;
pub(crate) mod loaded;
pub mod metric;
pub mod move_table;
pub(crate) mod opened;
pub mod optimal;
pub(crate) mod options;
pub(crate) mod prefetch;
pub mod pruning;
pub(crate) mod tiny;
pub mod verify;

pub use crate::table_event::TableEvent;
pub use building::DepthHistograms;
pub use catalogue::{Id, Shape, Spec, TableInfo, entry, shape, specs};
pub use error::{TableError, is_shortage};
pub use file::{Table, Unusable, check_space, format, inventory, sink, store};
pub use inspect::{DirectionCoordinates, SymValue};
pub use loaded::Tables;
pub use metric::MetricTables;
pub use optimal::{OptimalTable, Size};
pub use options::{Profile, Trust};
pub use verify::{CheckEffort, Conclusion, Verdict, survey, verify};
