//! Precomputed tables: contents, construction, files and memory mapping.
//!
//! [`TableSet::open`] is the entry point. Each row imports only from rows above it:
//!
//! | module | contents |
//! | --- | --- |
//! | [`pruning`] | pruning tables: [distances over a graph](pruning::breadth_first), [products of coordinates](pruning::product), entries and look-ups of the two phases, the [near set](pruning::near) |
//! | [`file`](mod@file): `format`, `mapping`, `table`, `sink` | the [header](mod@format) of a file, one mapped file, [writing](sink) entries and their checksum |
//! | [`metric`] | tables of further metrics: [steps](metric::steps), building, look-ups |
//! | [`optimal`] | coset tables for optimal solutions |
//! | `tiny` | the two phases in the profile `tiny` |
//! | [`catalogue`] | the list of tables: name, shape and build function of each |
//! | [`file`](mod@file): `folder`, [`store`], [`inventory`] | names, lock and space of a folder; opening files and building what is missing; listing and pruning |
//! | `set` | sets of tables that are opened together, and their keys |
//! | [`verify`](mod@verify) | full checks of tables |

// Values, columns and distances are below the sizes of their tables, for which their types are chosen.
#![allow(clippy::cast_possible_truncation)]

pub mod catalogue {
    //! The list of tables: the name, shape and build function of each.

    pub mod shape;
    pub(crate) mod spec;
    pub mod specs;
}
pub(crate) mod error;
pub mod file {
    //! Table files: format, names, locks, and how they are opened, built and removed.

    pub mod folder;
    pub mod format;
    pub mod inventory;
    pub(crate) mod mapping;
    pub mod sink;
    pub mod store;
    pub(crate) mod table;
}
pub mod metric {
    //! Tables of the further metrics, and of some turns only.

    pub(crate) mod build;
    pub mod steps;
    pub(crate) mod table;

    pub use steps::StepSet;
}
pub mod optimal;
pub mod pruning {
    //! Pruning tables: lower bounds on the number of moves, and the searches that compute them.

    pub mod breadth_first;
    pub mod near;
    pub mod packed;
    pub mod phase_one;
    pub mod phase_two;
    pub mod product;
}
pub(crate) mod set;
pub(crate) mod tiny {
    //! The tables of the profile `tiny`.

    pub(crate) mod inside;
    pub(crate) mod pairs;
}
pub mod verify;

pub use crate::control::TableEvent;
pub use catalogue::shape::{self, Shape};
pub use catalogue::spec::{Profile, Spec, TableInfo};
pub use catalogue::specs;
pub use error::{TableError, is_shortage};
pub use file::folder::check_space;
pub use file::store::{self, Unusable};
pub use file::table::{Id, Table};
pub use file::{format, inventory, sink};
pub use metric::table::MetricTables;
pub use optimal::{OptimalTable, Size};
pub use pruning::breadth_first::DepthHistograms;
pub use set::{DirectionCoordinates, Role, SetKey, SymValue, TableSet, Tables};
pub use verify::{CheckEffort, Conclusion, Verdict, survey, verify};

pub(crate) mod prefetch {
    //! Prefetching: loads the cache line of a table entry before the entry is read.
    #![allow(unsafe_code)]

    /// Prefetches the cache line of entry `index`. Does nothing beyond the end, or on processors without prefetch.
    #[inline]
    pub(crate) fn read<T>(table: &[T], index: usize) {
        #[cfg(target_arch = "x86_64")]
        if let Some(entry) = table.get(index) {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads nothing and cannot fault, and the address is that of a live element.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(entry).cast()) };
        }
        #[cfg(target_arch = "aarch64")]
        if let Some(entry) = table.get(index) {
            // SAFETY: a prefetch reads nothing and cannot fault, and changes neither registers nor flags.
            unsafe {
                let entry = std::ptr::from_ref(entry);
                std::arch::asm!("prfm pldl1keep, [{entry}]", entry = in(reg) entry, options(nostack, preserves_flags, readonly));
            }
        }
        #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
        let _ = (table, index);
    }
}

#[cfg(test)]
mod tests {
    use super::prefetch::read;

    #[test]
    fn prefetches_inside_and_outside_are_both_harmless() {
        read(&[1, 2, 3], 2);
        read(&[1, 2, 3], 3);
        read::<u8>(&[], 0);
    }
}
