//! Entries of the masked tables of phase 1: the distance, and the effect of each step on it.
//!
//! ```text
//! bit  0..S         S..S+G         S+G..S+G+4
//!      changes      away           distance
//!      per step     per group
//! ```
//!
//! There are S steps in G groups. One bit per step says whether the distance changes. The distances after the steps of a
//! group differ by at most one, so a group cannot have both a step that leads nearer and a step that leads farther: one
//! bit per group gives the direction. An entry has 32 bits if they suffice (`qtm`: 12 + 12 + 4), else 64.

use super::build::RunProduct;
use super::numbers::numbers;
use super::steps::{StepSet, step_count};
use crate::tables::pruning::breadth_first::Graph as _;
use crate::tables::pruning::phase_one::TWISTS;
use superflip_cube::metric::Metric;

/// The effect of the steps on the distance, as masks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct StepEffects {
    /// Steps after which the distance is one less.
    pub(crate) nearer: u64,
    /// Steps after which the distance is not greater.
    pub(crate) not_farther: u64,
}

impl StepEffects {
    /// Returns the steps after which the distance, now `distance`, is below `left`.
    #[inline]
    pub(crate) fn below(self, distance: u8, left: u8) -> u64 {
        match left.wrapping_sub(distance) {
            0 => self.nearer,
            1 => self.not_farther,
            2..=127 => u64::MAX,
            _ => 0,
        }
    }

    /// Returns the distance after a step.
    #[inline]
    pub(crate) fn distance_after(self, distance: u8, step: usize) -> u8 {
        distance + 1 - ((self.nearer >> step & 1) + (self.not_farther >> step & 1)) as u8
    }
}

/// The layout of the entries of a set of steps.
pub(crate) struct Masks {
    steps: usize,
    /// Number of groups.
    groups: usize,
    /// Group of each step.
    group_of: Vec<u8>,
    /// The steps of each set of groups, if groups have more than one step.
    of_groups: Vec<u64>,
}

/// Returns the number of bits of an entry, 32 or 64.
pub(crate) const fn entry_bits(metric: Metric) -> u32 {
    let steps = step_count(metric);
    if steps + steps / numbers(metric).group_size + 4 <= 32 { 32 } else { 64 }
}

impl Masks {
    /// Returns the layout of a set of steps.
    pub(crate) fn new(set: StepSet) -> Self {
        let (steps, groups) = (set.steps().len(), set.groups());
        let group_of = |step: usize| groups.iter().position(|group| group >> step & 1 == 1).unwrap_or_default() as u8;
        let joined = |set: u64| (0..).zip(&groups).filter(|(at, _)| set >> at & 1 == 1).map(|(_, group)| group).sum();
        Self {
            steps,
            groups: groups.len(),
            group_of: (0..steps).map(group_of).collect(),
            of_groups: if groups.len() == steps { Vec::new() } else { (0..1 << groups.len()).map(joined).collect() },
        }
    }

    /// Returns whether an entry has 32 bits.
    pub(crate) fn is_narrow(&self) -> bool {
        self.steps + self.groups + 4 <= 32
    }

    fn all_steps(&self) -> u64 {
        (1 << self.steps) - 1
    }

    /// Decodes an entry.
    #[inline]
    pub(crate) fn effects(&self, entry: u64) -> StepEffects {
        let (all, away) = (self.all_steps(), entry >> self.steps);
        let away = if self.of_groups.is_empty() {
            away & all
        } else {
            self.of_groups[away as usize & (self.of_groups.len() - 1)]
        };
        let changes = entry & all;
        StepEffects { nearer: changes & !away, not_farther: all & !(changes & away) }
    }

    /// Returns the distance of an entry.
    #[inline]
    pub(crate) fn distance(&self, entry: u64) -> u8 {
        (entry >> (self.steps + self.groups) & 15) as u8
    }

    /// Computes the entries of a row from the distances.
    pub(crate) fn row(&self, product: &RunProduct<'_>, distances: &[u8], row: usize) -> Vec<u64> {
        let own = &distances[row * TWISTS..][..TWISTS];
        let mut entries: Vec<u64> =
            own.iter().map(|&distance| u64::from(distance) << (self.steps + self.groups)).collect();
        for step in 0..self.steps {
            let (to, map) = product.neighbour(row, step);
            let other = &distances[to * TWISTS..][..TWISTS];
            for (twist, entry) in entries.iter_mut().enumerate() {
                let after = other[map(twist)];
                *entry |= u64::from(after != own[twist]) << step;
                *entry |= u64::from(after > own[twist]) << (self.steps + usize::from(self.group_of[step]));
            }
        }
        entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_separates_nearer_level_and_farther() {
        let masks = Masks::new(StepSet::of_metric(Metric::Stm));
        assert_eq!((entry_bits(Metric::Stm), entry_bits(Metric::Qtm)), (64, 32));
        // Steps 0 and 1 of group 0 lead nearer, step 5 of group 1 farther; all others level; distance 7.
        let effects = masks.effects(7 << 36 | 0b10 << 27 | 0b10_0011);
        assert_eq!(masks.distance(7 << 36 | 0b10 << 27 | 0b10_0011), 7);
        assert_eq!((effects.nearer, effects.not_farther), (0b11, ((1 << 27) - 1) & !0b10_0000));
        assert_eq!((effects.below(7, 6), effects.below(7, 7), effects.below(7, 8)), (0, 0b11, effects.not_farther));
        assert_eq!([0, 5, 6].map(|step| effects.distance_after(7, step)), [6, 8, 7]);
    }
}
