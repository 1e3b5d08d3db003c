//! The numbers of each metric, in one place: a new metric begins here.

use crate::tables::pruning::near;
use superflip_cube::metric::Metric;

/// What differs between metrics, beside how they count a maneuver ([`Metric::length`]).
pub(crate) struct Numbers {
    /// Number of steps of one axis.
    pub(crate) steps_of_axis: usize,
    /// Number of steps of a group. Groups are consecutive in [`steps`](super::steps).
    pub(crate) group_size: usize,
    /// Radius of the set of near positions: the greatest with at most 700 000 positions.
    pub(crate) near_radius: u8,
    /// A length that a search of a random cube reaches within a millisecond on average, with the tables of the profile `standard`: the
    /// default target length.
    pub(crate) usual_target: u8,
    /// Upper bound of a search at its start. A bound at which nearly every cube has its first solution within a millisecond gave the
    /// shortest solutions after 10 ms.
    pub(crate) first_bound: u8,
    /// Levels from which one and two pre-moves are searched too.
    pub(crate) premoves_from: [u8; 2],
    /// A length that suffices for every cube: 20 in HTM and so in every metric that counts no more, 26 in QTM (Rokicki, Davidson 2014).
    pub(crate) sufficient_length: u8,
}

/// Returns the numbers of a metric.
pub(crate) const fn numbers(metric: Metric) -> Numbers {
    let htm = Numbers {
        steps_of_axis: 6,
        group_size: 3,
        near_radius: near::RADIUS,
        usual_target: 20,
        first_bound: 20,
        premoves_from: [9, 11],
        sufficient_length: 20,
    };
    match metric {
        Metric::Htm | Metric::Etm => htm,
        Metric::Qtm => Numbers {
            steps_of_axis: 4,
            group_size: 1,
            usual_target: 27,
            first_bound: 28,
            premoves_from: [10, 12],
            sufficient_length: 26,
            ..htm
        },
        Metric::Stm => Numbers { steps_of_axis: 9, near_radius: 4, usual_target: 19, ..htm },
        Metric::Axht => Numbers {
            steps_of_axis: 15,
            group_size: 15,
            near_radius: 3,
            usual_target: 17,
            first_bound: 17,
            premoves_from: [7, 9],
            ..htm
        },
        Metric::Axqt => Numbers {
            steps_of_axis: 8,
            group_size: 1,
            near_radius: 4,
            usual_target: 23,
            first_bound: 24,
            premoves_from: [8, 10],
            sufficient_length: 26,
        },
    }
}
