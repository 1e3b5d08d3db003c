//! Coset tables for optimal solutions: the distance of a cube from the solved coset of tetrads and slices.
//!
//! | size | corners | edges | entries | bytes |
//! | --- | --- | --- | --- | --- |
//! | `s` | 1184 classes | 34650 separations x parities of the slices, 2^2 | 164 102 400 | 41 MB |
//! | `m` | 1184 classes | 5775 separations x orientation up to whole slices, 2^8 | 1 750 425 600 | 438 MB |
//! | `l` | 1184 classes | 34650 separations x orientation up to whole slices, 2^8 | 10 502 553 600 | 2.6 GB |
//! | `xl` | 3393 classes | 34650 separations x orientation up to whole slices, 2^8 | 30 097 267 200 | 7.5 GB |
//!
//! A *separation* is the slice of the edge in each slot: there are 12! / 4!^3 = 34650, or 5775 up to permuting the
//! slices. *Parities of the slices* and *orientation up to whole slices* are parts of the edge orientation
//! (`coord::coset`). A row is a class of corner cosets, a column an edge coset. All sizes
//! are invariant under the 48 symmetries.
//!
//! An entry has two bits and counts from the *base*, a constant of the size. 0 means a distance of at most the base. 1
//! and 2 mean base + 1 and base + 2. 3 means base + 3 or more. The bases were chosen to maximise the average bound of
//! random cubes. In a cache line of 256 entries, the first two are replaced by the smallest distance in the cache line.
//! It is the bound of these two entries and of every entry 0:
//!
//! ```text
//! bit  0        4    6    8             510
//!      smallest | e2 | e3 | e4 | ... | e255 |
//! ```
//!
//! Coset tables belong to no profile. [`TableSet::open`](super::TableSet::open) opens one.

use crate::coord::coset::{CornerKind, EdgeKind, Orientation};
use crate::symmetry::coset::CosetKind;

pub use crate::tables::optimal::table::OptimalTable;
use superflip_cube::Move;
use superflip_cube::metric::Metric;

pub(crate) mod build;
pub mod check;
mod columns;
pub(crate) mod table;

/// The size of a coset table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// 41 MB.
    S,
    /// 438 MB.
    M,
    /// 2.6 GB.
    L,
    /// 7.5 GB.
    Xl,
}

impl Size {
    /// Every size, the smallest first.
    pub const ALL: [Self; 4] = [Self::S, Self::M, Self::L, Self::Xl];

    /// Returns `s`, `m`, `l` or `xl`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S => "s",
            Self::M => "m",
            Self::L => "l",
            Self::Xl => "xl",
        }
    }

    /// Returns which cosets the table distinguishes.
    pub const fn member(self) -> CosetKind {
        let (corners, relabelled, orientation) = match self {
            Self::S => (CornerKind::Turned, false, Orientation::Parities),
            Self::M => (CornerKind::Turned, true, Orientation::Sliced),
            Self::L => (CornerKind::Turned, false, Orientation::Sliced),
            Self::Xl => (CornerKind::Tetrads, false, Orientation::Sliced),
        };
        CosetKind { corners, edges: EdgeKind { relabelled, orientation } }
    }

    /// Returns the base in a metric: the greatest distance that an entry of 0 stands for.
    pub const fn base(self, metric: Metric) -> u8 {
        match (self, metric) {
            (Self::S, Metric::Qtm) => 9,
            (Self::M, Metric::Qtm) => 10,
            (Self::L | Self::Xl, Metric::Qtm) => 11,
            (Self::S, _) => 7,
            (Self::M, _) => 8,
            (Self::L | Self::Xl, _) => 9,
        }
    }
}

/// Returns the moves that count 1 in HTM or QTM.
pub(crate) const fn unit_moves(metric: Metric) -> &'static [Move] {
    if matches!(metric, Metric::Qtm) { &QUARTER_TURNS } else { &Move::ALL }
}

/// The quarter turns.
const QUARTER_TURNS: [Move; 12] =
    [Move::U, Move::Ui, Move::R, Move::Ri, Move::F, Move::Fi, Move::D, Move::Di, Move::L, Move::Li, Move::B, Move::Bi];

/// Number of entries in a cache line.
pub(crate) const CACHE_LINE_ENTRIES: usize = 256;

/// Number of entries per cache line that are replaced by the smallest distance in that line.
pub(crate) const REPLACED: usize = 2;
