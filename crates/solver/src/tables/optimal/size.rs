//! The sizes of coset tables and the layout of their cache lines.

use crate::coord::coset::{CornerKind, EdgeKind, Orientation};
use crate::symmetry::coset::CosetKind;
use crate::tables::catalogue::id::Id;
use superflip_cube::Move;
use superflip_cube::metric::Metric;

/// The size of a coset table, and the metric of its distances.
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
    /// 41 MB, distances in QTM.
    QtmS,
    /// 438 MB, distances in QTM.
    QtmM,
    /// 2.6 GB, distances in QTM.
    QtmL,
    /// 7.5 GB, distances in QTM.
    QtmXl,
}

impl Size {
    /// Every size with distances in HTM, the smallest first.
    pub const ALL: [Self; 4] = [Self::S, Self::M, Self::L, Self::Xl];
    /// Every size with distances in QTM, the smallest first.
    pub const QTM: [Self; 4] = [Self::QtmS, Self::QtmM, Self::QtmL, Self::QtmXl];

    /// Iterates over every size in either metric.
    pub fn every() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(Self::QTM)
    }

    /// Returns `s`, `m`, `l` or `xl`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::S | Self::QtmS => "s",
            Self::M | Self::QtmM => "m",
            Self::L | Self::QtmL => "l",
            Self::Xl | Self::QtmXl => "xl",
        }
    }

    /// Returns the metric of the distances: HTM or QTM.
    pub const fn metric(self) -> Metric {
        match self {
            Self::S | Self::M | Self::L | Self::Xl => Metric::Htm,
            Self::QtmS | Self::QtmM | Self::QtmL | Self::QtmXl => Metric::Qtm,
        }
    }

    /// Returns the same size with distances in QTM.
    #[must_use]
    pub const fn in_qtm(self) -> Self {
        match self {
            Self::S | Self::QtmS => Self::QtmS,
            Self::M | Self::QtmM => Self::QtmM,
            Self::L | Self::QtmL => Self::QtmL,
            Self::Xl | Self::QtmXl => Self::QtmXl,
        }
    }

    /// Returns the moves that count 1.
    pub const fn moves(self) -> &'static [Move] {
        match self.metric() {
            Metric::Qtm => &QUARTER_TURNS,
            _ => &Move::ALL,
        }
    }

    /// Returns which cosets the table distinguishes.
    pub const fn member(self) -> CosetKind {
        let (corners, relabelled, orientation) = match self {
            Self::S | Self::QtmS => (CornerKind::Turned, false, Orientation::Parities),
            Self::M | Self::QtmM => (CornerKind::Turned, true, Orientation::Sliced),
            Self::L | Self::QtmL => (CornerKind::Turned, false, Orientation::Sliced),
            Self::Xl | Self::QtmXl => (CornerKind::Tetrads, false, Orientation::Sliced),
        };
        CosetKind { corners, edges: EdgeKind { relabelled, orientation } }
    }

    /// Returns the base: the greatest distance that an entry of 0 stands for.
    pub const fn base(self) -> u8 {
        match self {
            Self::S => 7,
            Self::M => 8,
            Self::L | Self::Xl | Self::QtmS => 9,
            Self::QtmM => 10,
            Self::QtmL | Self::QtmXl => 11,
        }
    }

    pub(crate) const fn id(self) -> Id {
        match self {
            Self::S => Id::OptimalS,
            Self::M => Id::OptimalM,
            Self::L => Id::OptimalL,
            Self::Xl => Id::OptimalXl,
            Self::QtmS => Id::QtmOptimalS,
            Self::QtmM => Id::QtmOptimalM,
            Self::QtmL => Id::QtmOptimalL,
            Self::QtmXl => Id::QtmOptimalXl,
        }
    }
}

/// The quarter turns.
const QUARTER_TURNS: [Move; 12] =
    [Move::U, Move::Ui, Move::R, Move::Ri, Move::F, Move::Fi, Move::D, Move::Di, Move::L, Move::Li, Move::B, Move::Bi];

/// Number of entries in a cache line.
pub(crate) const CACHE_LINE_ENTRIES: usize = 256;

/// Number of entries per cache line that are replaced by the smallest distance in that line.
pub(crate) const REPLACED: usize = 2;
