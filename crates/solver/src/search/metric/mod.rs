//! Short solutions in a metric other than HTM: the two-phase algorithm over runs.
//!
//! A *run* is the joint effect of consecutive turns of one axis, and a *step* is a run of length 1 (see
//! [`steps`](crate::tables::metric::steps)). A solution splits in one way into runs, whose lengths add up to its own:
//!
//! ```text
//!   solution = phase 1, in steps; its last run leads into G1 | runs inside G1, the first of another axis | pre-moves
//! ```
//!
//! - **Phase 1** enumerates canonical sequences of steps. Four last runs lead into G1 together, because they differ by half
//!   turns: `R`, `R'`, `R L2`, `R' L2`. Phase 1 ends with one of them. Each of its arrivals stands for all four, which
//!   differ in length and in their phase 2.
//! - **Pre-moves** are one or two runs. Those that differ by half turns share a phase 1 in the same way: half turns before the cube
//!   rename the pieces. So an arrival with pre-moves starts up to sixteen phase-2 searches; a table of corners and slice edges, which
//!   stays in the cache, rules most of them out.
//! - **Levels.** The level of a solution is the number of steps of phase 1 plus the length of its pre-moves. Levels are searched in rising
//!   order over six directions, as in [`two_phase`](super::two_phase). When phase 1 without pre-moves is exhausted up to n
//!   steps, every solution of length n has been found, and n + 1 is a lower bound.
//! - **Restricted turns.** If only some turns are allowed, the runs are those that they make. The directions are the axes that a
//!   symmetry brings to UD, and the turns to those of the tables. The search first looks for any solution.
//! - **Table reads** are prefetched, as in the two-phase search: see [`walker`].
#![allow(clippy::cast_possible_truncation)] // numbers of runs, symmetries and roots fit in 8 or 16 bits

mod directions;
mod engine;
mod phase_two;
mod roots;
mod search;
mod walker;

pub(crate) use engine::Engine;
pub(crate) use search::MetricSearch;

use crate::tables::metric::StepSet;
use superflip_cube::metric::Metric;

/// Returns the upper bound of a search at its start; `None` if no bound was measured for these turns. A bound at which
/// nearly every cube has its first solution within a millisecond gave the shortest solutions after 10 ms.
pub(crate) const fn first_bound(set: StepSet) -> Option<u8> {
    if !set.turns.is_all() {
        return None;
    }
    Some(match set.metric {
        Metric::Qtm => 28,
        Metric::Axqt => 24,
        Metric::Axht => 17,
        Metric::Htm | Metric::Etm | Metric::Stm => 20,
    })
}

/// Returns the length that suffices for every cube: 20 in HTM and so in every metric that counts no more, 26 in QTM
/// (Rokicki, Davidson 2014).
pub(crate) const fn sufficient_length(metric: Metric) -> u8 {
    match metric {
        Metric::Htm | Metric::Etm | Metric::Stm | Metric::Axht => 20,
        Metric::Qtm | Metric::Axqt => 26,
    }
}
