//! The sizes of coset tables and the layout of their cache lines.

use crate::coord::coset::{CornerKind, EdgeKind, Orientation};
use crate::symmetry::coset::CosetKind;
use superflip_cube::Move;
use superflip_cube::metric::Metric;

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
