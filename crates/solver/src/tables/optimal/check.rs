//! Checks a coset table independently of the code that built it.
//!
//! | what | against |
//! | --- | --- |
//! | number of entries by value | the histogram of the header, except for the two replaced entries of each cache line |
//! | the first depths of the histogram | [`PUBLISHED`], for the table that has published counts |
//! | every entry within a few moves of solved, found by a search over cubies | a bound of at most that many moves |
//! | random entries | their neighbours and their equivalent entries |
//!
//! A distance is 0 at solved. Elsewhere it is one more than the smallest distance of a neighbour. A table is correct if
//! every entry has this property. A random sample estimates the fraction of correct entries.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use crate::control::{Cancelled, Control};
use crate::tables::optimal::table::OptimalTable;
use crate::tables::optimal::{CACHE_LINE_ENTRIES, REPLACED, Size, unit_moves};
use crate::tables::verify::verdict::CheckFault;
use superflip_cube::metric::Metric;
use superflip_cube::{Cube, Move, random_cube};

/// Published number of entries of `optimal_l` at each distance.
pub const PUBLISHED: [u64; 12] =
    [1, 1, 7, 46, 442, 4719, 52207, 603_641, 7_363_436, 89_965_036, 1_025_607_799, 6_469_759_680];
/// Radius around solved in which every maneuver is checked.
const NEAR: u8 = 4;
/// Number of random cubes: half uniformly random, half reached by random walks of *base* to *base* + 3 moves.
const SAMPLES: u64 = 20_000;
/// Seed of the random cubes. The same entries are drawn every time.
const SEED: u64 = 31;
/// Number of bytes counted between two checks of the stop flag.
const PIECE: usize = 1 << 22;

/// Number of entries of each value.
type ValueCounts = [u64; 4];

impl OptimalTable {
    /// Checks everything but the checksum.
    pub(crate) fn check(&self, report: &mut Vec<String>, control: &Control) -> Result<(), CheckFault> {
        self.check_counts(report, control)?;
        self.check_near(report, control)?;
        self.check_samples(report, control)
    }

    fn check_counts(&self, report: &mut Vec<String>, control: &Control) -> Result<(), CheckFault> {
        let (histogram, base) = (&self.table().header.entry_histogram, usize::from(self.base()));
        if histogram.len() != base + 4 {
            return Err(CheckFault::Wrong(format!(
                "the histogram in its header has {} depths, expected {}",
                histogram.len(),
                base + 4
            )));
        }
        let found = [histogram[..=base].iter().sum(), histogram[base + 1], histogram[base + 2], histogram[base + 3]];
        let stored = self.counts(&control.stage("count"))?;
        let cache_lines = (self.table().bytes().len() * 4).div_ceil(CACHE_LINE_ENTRIES) as u64;
        let missing: u64 = found.iter().sum::<u64>() - stored.iter().sum::<u64>();
        if missing != REPLACED as u64 * cache_lines || stored.iter().zip(&found).any(|(stored, found)| stored > found) {
            return Err(CheckFault::Wrong(format!(
                "entry counts by value are {stored:?}, expected about {found:?} (header)"
            )));
        }
        report.push(format!(
            "all {} entries counted; the counts by value match the header, except for entries replaced by line minima",
            found.iter().sum::<u64>()
        ));
        if (self.metric(), self.size()) == (Metric::Htm, Size::L) {
            if histogram[..PUBLISHED.len()] != PUBLISHED {
                return Err(CheckFault::Wrong("its entry histogram differs from the published counts".into()));
            }
            report.push(format!("entry histogram equals the published counts at depths 0 to {}", PUBLISHED.len() - 1));
        }
        Ok(())
    }

    /// Counts the entries of each value 0 to 3, without the replaced ones.
    ///
    /// # Errors
    /// When the check was stopped.
    pub fn counts(&self, control: &Control) -> Result<ValueCounts, Cancelled> {
        let (total, done) = (self.table().bytes().len() as u64, AtomicU64::new(0));
        let count = |piece: &[u8]| {
            control.check()?;
            let mut met = [0_u64; 256];
            for &byte in piece {
                met[usize::from(byte)] += 1;
            }
            let mut out: ValueCounts = [0; 4];
            for (byte, met) in met.into_iter().enumerate() {
                for pair in 0..4 {
                    out[byte >> (2 * pair) & 3] += met;
                }
            }
            for cache_line in piece.chunks(CACHE_LINE_ENTRIES / 4) {
                for replaced in 0..REPLACED {
                    out[usize::from(cache_line[0] >> (2 * replaced) & 3)] -= 1;
                }
            }
            let bytes = piece.len() as u64;
            control.report(done.fetch_add(bytes, Relaxed) + bytes, total);
            Ok(out)
        };
        let add = |a: ValueCounts, b: ValueCounts| Ok::<_, Cancelled>(std::array::from_fn(|value| a[value] + b[value]));
        self.table().bytes().par_chunks(PIECE).map(count).try_reduce(|| [0; 4], add)
    }

    /// Checks every entry within a few moves of solved.
    fn check_near(&self, report: &mut Vec<String>, control: &Control) -> Result<(), CheckFault> {
        let (mut frontier, mut met) = (vec![(Cube::SOLVED, None::<Move>)], 0_u64);
        for depth in 0..=NEAR {
            control.check()?;
            let mut next = Vec::new();
            for (cube, last) in frontier {
                for place in self.index().all_of_cube(&cube) {
                    let bound = self.bound_at(place);
                    if bound > depth {
                        return Err(CheckFault::Wrong(format!(
                            "the bound at row {}, column {} is {bound}, but a maneuver of {depth} moves leads there",
                            place.row, place.column
                        )));
                    }
                    met += 1;
                }
                let moves =
                    unit_moves(self.metric()).iter().copied().filter(|mv| last.is_none_or(|last| mv.may_follow(last)));
                next.extend(moves.map(|mv| (cube.then(mv.cube()), Some(mv))));
            }
            frontier = next;
        }
        report.push(format!("{met} entries within {NEAR} moves of solved have admissible bounds"));
        Ok(())
    }

    fn check_samples(&self, report: &mut Vec<String>, control: &Control) -> Result<(), CheckFault> {
        let (done, control) = (AtomicU64::new(0), control.stage("sample"));
        (0..SAMPLES).into_par_iter().try_for_each(|number| {
            control.check()?;
            let mut rng = StdRng::seed_from_u64(SEED << 32 | number);
            let cube = if number % 2 == 0 {
                random_cube(&mut rng)
            } else {
                let moves = usize::from(self.base()) + (number / 2 % 4) as usize;
                (0..moves).fold(Cube::SOLVED, |cube, _| cube.then(Move::ALL[rng.random_range(0..18)].cube()))
            };
            self.check_cube(&cube)
                .map_err(|problem| CheckFault::Wrong(format!("entry of cube {cube:?}: {problem}")))?;
            let done = done.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(256) {
                control.report(done, SAMPLES);
            }
            Ok::<_, CheckFault>(())
        })?;
        report.push(format!("{SAMPLES} entries drawn at random (seed {SEED}) are consistent with their neighbours"));
        Ok(())
    }

    /// Checks the entry of a cube against its neighbours and its equivalent entries.
    fn check_cube(&self, cube: &Cube) -> Result<(), String> {
        let entries = self.entries();
        // Replaced entries hold no value.
        let value = |cube: &Cube| {
            let entry = entries.of(self.index().of_cube(cube));
            (entry % CACHE_LINE_ENTRIES >= REPLACED).then(|| entries.value(entry))
        };
        let Some(own) = value(cube) else { return Ok(()) };
        for place in self.index().all_of_cube(cube) {
            let entry = entries.of(place);
            if entry % CACHE_LINE_ENTRIES >= REPLACED && entries.value(entry) != own {
                return Err(format!("equivalent entries differ: {own} and {}", entries.value(entry)));
            }
            if entries.nearest(entry) > self.base() + own {
                return Err("an entry is smaller than the minimum stored in its cache line".into());
            }
        }
        let neighbours: Vec<_> = unit_moves(self.metric()).iter().map(|mv| value(&cube.then(mv.cube()))).collect();
        if let Some(far) = neighbours.iter().copied().flatten().find(|value| value.abs_diff(own) > 1) {
            return Err(format!("entry is base + {own}, but a neighbour is base + {far}; they may differ by one"));
        }
        // The greatest value stands for all larger distances, and 0 for all up to the base.
        let is_exact = matches!(own, 1 | 2) && neighbours.iter().all(Option::is_some);
        if is_exact && !neighbours.contains(&Some(own - 1)) {
            return Err(format!("entry is base + {own}, but no neighbour is base + {}", own - 1));
        }
        Ok(())
    }
}
