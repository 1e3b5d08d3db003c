//! Tables of the further metrics: QTM, STM and the axial metrics.
//!
//! Each metric has three tables, built on their own by breadth-first search over [`steps`], which count 1:
//!
//! | table | rows x columns | entry | bytes |
//! | --- | --- | --- | --- |
//! | `<metric>_phase_one_masked` (profile `standard`) | flip x slice classes x twist | distance, and the effect of each step | 564 MB (`qtm`), 1.1 GB |
//! | `<metric>_phase_one` (other profiles) | the same | distance | 70 MB |
//! | `<metric>_phase_two` | corner classes x permutation of the U and D edges | distance | 56 MB |
//! | `<metric>_phase_two_corners` | corner permutation x order of the slice edges | distance | 0.5 MB |
//!
//! If not all turns are allowed, the tables are computed in memory (`pairs`).
//!
//! They do not depend on the tables of a profile. Their move tables are composed in memory (`coordinates`).

// Coordinates, runs and distances are below the sizes of their tables, for which their types are chosen.
#![allow(clippy::cast_possible_truncation)]

pub(crate) mod build;
pub(crate) mod coordinates;
pub(crate) mod masked;
pub(crate) mod numbers;
pub(crate) mod pairs;
pub mod steps;
pub(crate) mod table;
pub(crate) mod views;

pub use steps::{METRICS, StepSet};
pub use table::MetricTables;
