//! A move as four arrays: permutation and orientation deltas of corners and edges.
//!
//! This is Kociemba's cubie level, in the form of the tutorial "Move tables explained":
//!
//! - `corner_perm` and `corner_orient_delta` have one entry for each of the slots URF UFL ULB UBR DFR DLF DBL DRB.
//! - `edge_perm` and `edge_orient_delta` have one entry for each of the slots UR UF UL UB DR DF DL DB FR FL BL BR.
//!
//! There are two conventions:
//!
//! | | `perm[i]` | one step of a program |
//! | --- | --- | --- |
//! | [`Convention::GoesTo`], the tutorial | the slot to which the piece of slot `i` goes | `inv = argsort(perm)`, then `new[i] = old[inv[i]] + delta[i]` |
//! | [`Convention::ReplacedBy`], Kociemba | the piece that comes to stand in slot `i` | `new[i] = old[perm[i]] + delta[i]` |
//!
//! In both conventions, `orient_delta[i]` is added to the piece that arrives in slot `i`. So the conventions differ
//! only in the permutations, which are inverses of each other. A move and its inverse have the same deltas. So the
//! arrays of a move in one convention are the arrays of its inverse in the other.
//!
//! Twists count clockwise thirds 0..3, flips 0..2. All values are read off [`Move::cube`], which is derived from
//! geometry.

pub(crate) mod cycles;

use serde::{Deserialize, Serialize};

use cycles::{Cycles, inverse, lcm, order};
use superflip_cube::cubie::Cube;
use superflip_cube::moves::Move;
use superflip_cube::piece::{Corner, Edge};

/// Meaning of the entries of the arrays of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Convention {
    /// `perm[i]` is the slot to which the piece in slot i moves; delta i is added to the piece that arrives in slot i.
    GoesTo,
    /// `perm[i]` is the piece that arrives in slot i; delta i is added to it.
    ReplacedBy,
}

impl Convention {
    /// Both conventions.
    pub const ALL: [Self; 2] = [Self::GoesTo, Self::ReplacedBy];

    /// Returns the other convention.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::GoesTo => Self::ReplacedBy,
            Self::ReplacedBy => Self::GoesTo,
        }
    }

    /// Returns `goes_to` or `replaced_by`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::GoesTo => "goes_to",
            Self::ReplacedBy => "replaced_by",
        }
    }

    /// Returns the slot to which the piece of each slot goes, given a permutation in this convention.
    pub(crate) fn motion(self, permutation: &[usize]) -> Vec<usize> {
        match self {
            Self::GoesTo => permutation.to_vec(),
            Self::ReplacedBy => inverse(permutation),
        }
    }
}

/// One kind of pieces, with its two arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// The eight corners.
    Corners,
    /// The twelve edges.
    Edges,
}

impl Part {
    /// Both kinds.
    pub const ALL: [Self; 2] = [Self::Corners, Self::Edges];

    /// Returns the name of one piece: `corner` or `edge`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Corners => "corner",
            Self::Edges => "edge",
        }
    }

    /// Returns the names of its slots, in the order of the entries.
    pub const fn slots(self) -> &'static [&'static str] {
        match self {
            Self::Corners => &Corner::NAMES,
            Self::Edges => &Edge::NAMES,
        }
    }

    /// Returns the number of orientations: 3 or 2.
    pub const fn orientations(self) -> u8 {
        match self {
            Self::Corners => 3,
            Self::Edges => 2,
        }
    }

    /// Returns the name of its permutation array.
    pub const fn permutation(self) -> ArrayName {
        match self {
            Self::Corners => ArrayName::CornerPerm,
            Self::Edges => ArrayName::EdgePerm,
        }
    }

    /// Returns the name of its orientation array.
    pub const fn deltas(self) -> ArrayName {
        match self {
            Self::Corners => ArrayName::CornerOrientDelta,
            Self::Edges => ArrayName::EdgeOrientDelta,
        }
    }
}

/// One of the four arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrayName {
    /// 8 entries, each 0..8.
    CornerPerm,
    /// 8 entries, each 0..3.
    CornerOrientDelta,
    /// 12 entries, each 0..12.
    EdgePerm,
    /// 12 entries, each 0..2.
    EdgeOrientDelta,
}

impl ArrayName {
    /// All four, in output order.
    pub const ALL: [Self; 4] = [Self::CornerPerm, Self::CornerOrientDelta, Self::EdgePerm, Self::EdgeOrientDelta];

    /// Returns `corner_perm`, `corner_orient_delta`, `edge_perm` or `edge_orient_delta`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CornerPerm => "corner_perm",
            Self::CornerOrientDelta => "corner_orient_delta",
            Self::EdgePerm => "edge_perm",
            Self::EdgeOrientDelta => "edge_orient_delta",
        }
    }

    /// Returns the kind of pieces it describes.
    pub const fn part(self) -> Part {
        match self {
            Self::CornerPerm | Self::CornerOrientDelta => Part::Corners,
            Self::EdgePerm | Self::EdgeOrientDelta => Part::Edges,
        }
    }

    /// Returns whether it is a permutation; otherwise it holds orientation deltas.
    pub(crate) const fn is_permutation(self) -> bool {
        matches!(self, Self::CornerPerm | Self::EdgePerm)
    }

    /// Returns the upper limit (exclusive) of its entries.
    pub const fn range(self) -> u8 {
        match self {
            Self::CornerPerm => 8,
            Self::EdgePerm => 12,
            _ => self.part().orientations(),
        }
    }
}

/// Move as four arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FourArrays {
    /// Permutation of 0 to 7, one entry per corner slot.
    pub corner_perm: [u8; Corner::COUNT],
    /// Clockwise twists, 0 to 2, added modulo 3 to the corner that arrives in each slot.
    pub corner_orient_delta: [u8; Corner::COUNT],
    /// Permutation of 0 to 11, one entry per edge slot.
    pub edge_perm: [u8; Edge::COUNT],
    /// Flips, 0 or 1, added modulo 2 to the edge that arrives in each slot.
    pub edge_orient_delta: [u8; Edge::COUNT],
}

impl FourArrays {
    /// Returns the arrays of a face move.
    pub fn of(mv: Move, convention: Convention) -> Self {
        Self::of_cube(mv.cube(), convention)
    }

    /// Returns the arrays of the move that leads from the solved cube to this one.
    pub fn of_cube(cube: &Cube, convention: Convention) -> Self {
        let replaced_by = Self {
            corner_perm: cube.corners().map(|piece| piece as u8),
            corner_orient_delta: *cube.twists(),
            edge_perm: cube.edges().map(|piece| piece as u8),
            edge_orient_delta: *cube.flips(),
        };
        match convention {
            Convention::ReplacedBy => replaced_by,
            Convention::GoesTo => Self {
                corner_perm: inverted(&replaced_by.corner_perm),
                edge_perm: inverted(&replaced_by.edge_perm),
                ..replaced_by
            },
        }
    }

    /// Returns the entries of one array.
    pub const fn get(&self, array: ArrayName) -> &[u8] {
        match array {
            ArrayName::CornerPerm => &self.corner_perm,
            ArrayName::CornerOrientDelta => &self.corner_orient_delta,
            ArrayName::EdgePerm => &self.edge_perm,
            ArrayName::EdgeOrientDelta => &self.edge_orient_delta,
        }
    }
}

/// Returns the inverse of a permutation of slots.
fn inverted<const N: usize>(permutation: &[u8; N]) -> [u8; N] {
    let mut out = [0; N];
    for (from, &to) in (0..).zip(permutation) {
        out[usize::from(to)] = from;
    }
    out
}

/// Returns the slot to which each piece of the kind goes in this move.
pub(crate) fn motion(mv: Move, part: Part) -> Vec<usize> {
    let arrays = FourArrays::of(mv, Convention::GoesTo);
    arrays.get(part.permutation()).iter().map(|&slot| usize::from(slot)).collect()
}

/// Returns the cycles of a move on the pieces of one kind, in the direction of motion: `URF -> DFR -> DLF -> UFL`,
/// swaps as `URF <-> DLF`.
pub fn cycles_of(mv: Move, part: Part) -> Vec<String> {
    Cycles::of(&motion(mv, part)).written(part.slots())
}

/// Returns the order of a move, the number of repetitions that restore the cube: 4, or 2 for a half turn.
pub fn order_of(mv: Move) -> u64 {
    let arrays = FourArrays::of(mv, Convention::GoesTo);
    Part::ALL.into_iter().fold(1, |whole, part| {
        let deltas: Vec<u64> = arrays.get(part.deltas()).iter().map(|&delta| u64::from(delta)).collect();
        lcm(whole, order(&motion(mv, part), &deltas, u64::from(part.orientations())))
    })
}
