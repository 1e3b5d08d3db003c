//! The meaning of the rows and columns of a table.
//!
//! Every table is a matrix stored row by row: entry (row, column) has the number `row * columns + column`. The texts
//! of this module explain a table file to authors of other programs. Sizes are taken from the
//! coordinates.

// An entry has as many bits as its kind says; the others are 0.
#![allow(clippy::cast_possible_truncation)]

use super::entry::EntryKind;
use crate::coord::Descriptor;
use crate::coord::coset::{CornerKind, EdgeKind};
use crate::tables::pruning::layers::{COLUMNS, WAYS};
use crate::tables::pruning::near;
use crate::tables::pruning::phase_one::RESIDUE_BYTES;
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::{Move, Moves, Symmetry};

/// The meaning of the row numbers or column numbers of a table.
#[derive(Clone, Copy, Debug)]
pub enum IndexKind {
    /// The values of a coordinate.
    Value(&'static Descriptor),
    /// The classes of flip x slice.
    FlipSliceClass,
    /// The classes of flip x sorted slice.
    FlipSliceSortedClass,
    /// The classes of the corner permutation.
    CornerClass,
    /// The 18 moves.
    Move,
    /// The ten moves of phase 2.
    PhaseTwoMove,
    /// The 16 symmetries that keep the UD axis.
    Symmetry,
    /// The orders of the slice edges inside G1.
    SliceOrder,
    /// The orders of the D-layer edges.
    DOrder,
    /// The two layers of U and D edges.
    Layer,
    /// The placements of the U-layer edges, then of the D-layer edges, inside G1.
    LayerEdges,
    /// Twist modulo 438, when five residues share a byte.
    TwistFifth,
    /// The slots of a hash table.
    HashSlot,
    /// The classes of the corner cosets of a kind under all 48 symmetries.
    CornerCosetClass(CornerKind),
    /// The edge cosets of a kind.
    EdgeCoset(EdgeKind),
    /// A single column.
    Only,
}

impl IndexKind {
    /// Returns how many rows or columns there are.
    pub const fn count(self) -> u64 {
        match self {
            Self::Value(coordinate) => coordinate.size as u64,
            Self::FlipSliceClass => 64430,
            Self::FlipSliceSortedClass => 1_523_864,
            Self::CornerClass => 2768,
            Self::Move => Move::COUNT as u64,
            Self::PhaseTwoMove => Move::PHASE_TWO.len() as u64,
            Self::Symmetry => Symmetry::KEEPING_UD as u64,
            Self::SliceOrder | Self::DOrder => SLICE_ORDERS as u64,
            Self::Layer => 2,
            Self::LayerEdges => COLUMNS as u64,
            Self::TwistFifth => RESIDUE_BYTES as u64,
            Self::HashSlot => near::WORDS as u64,
            Self::CornerCosetClass(kind) => kind.classes() as u64,
            Self::EdgeCoset(kind) => kind.size() as u64,
            Self::Only => 1,
        }
    }

    /// Returns the name of one of them.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Value(coordinate) => coordinate.name,
            Self::FlipSliceClass => "flip x slice class",
            Self::FlipSliceSortedClass => "flip x sorted slice class",
            Self::CornerClass => "corner class",
            Self::Move => "move",
            Self::PhaseTwoMove => "move of phase 2",
            Self::Symmetry => "symmetry",
            Self::SliceOrder => "order of the slice edges",
            Self::DOrder => "order of the D edges",
            Self::Layer => "layer",
            Self::LayerEdges => "edges of one layer",
            Self::TwistFifth => "twist modulo 438",
            Self::HashSlot => "hash slot",
            Self::CornerCosetClass(_) => "corner coset class",
            Self::EdgeCoset(_) => "edge coset",
            Self::Only => "entry",
        }
    }

    /// Returns their meaning as a sentence.
    pub fn meaning(self) -> String {
        match self {
            Self::Value(Descriptor { name, subgroup, .. }) => {
                format!("The values of the coordinate {name}, 0 where: {subgroup}.")
            }
            Self::FlipSliceClass => {
                "The classes of flip_slice under the 16 symmetries that keep the UD axis, by rising \
                representative: see flip_slice_representative."
                    .into()
            }
            Self::FlipSliceSortedClass => {
                "The classes of flip_slice_sorted under the 16 symmetries that keep the UD axis, by rising representative."
                    .into()
            }
            Self::CornerClass => "The classes of corner_perm under the 16 symmetries that keep the UD axis, by rising \
                representative: see corner_representative."
                .into(),
            Self::Move => format!("The moves {}.", Moves::from(&Move::ALL)),
            Self::PhaseTwoMove => format!("The moves {}.", Moves::from(&Move::PHASE_TWO)),
            Self::Symmetry => {
                "The symmetries 8b + 2c + d that keep the UD axis: a half turn about F b times, a quarter \
                turn about U c times, the mirror left-right d times, in this order."
                    .into()
            }
            Self::SliceOrder => "The values of slice_sorted inside G1: the order of the four slice edges.".into(),
            Self::DOrder => "d_edges modulo 24: the order of the four edges of the D layer.".into(),
            Self::Layer => "The U layer, then the D layer.".into(),
            Self::LayerEdges => format!(
                "0 to {}: the values of u_edges that occur inside G1, in rising order. {WAYS} to {}: those of d_edges.",
                WAYS - 1,
                COLUMNS - 1
            ),
            Self::TwistFifth => format!("twist modulo {RESIDUE_BYTES}: column c is for the twists c, c + {RESIDUE_BYTES} and so on, five or four."),
            Self::HashSlot => {
                "An open hash table with linear probing: the slot of a position is bits 40 to 59 of its \
                XXH3, or the next free one after that."
                    .into()
            }
            Self::CornerCosetClass(kind) => format!(
                "The classes, under all 48 symmetries, of the slots of the two corner tetrads and the axes of the \
                 pieces{}; by rising representative.",
                match kind {
                    CornerKind::Tetrads => "",
                    CornerKind::Turned => ", up to turning the axes of all by the same 3-cycle",
                    CornerKind::Relabelled => ", up to the names of the axes",
                }
            ),
            Self::EdgeCoset(kind) => format!(
                "2^{} * separation + orientation: which slice each edge belongs to{}, and {}; seen through the symmetry that \
                 leads to the representative of the row.",
                kind.orientation.bits(),
                if kind.relabelled { ", up to the names of the slices" } else { "" },
                kind.orientation.meaning(),
            ),
            Self::Only => "There is one entry for each row.".into(),
        }
    }
}

/// The shape of a table: a matrix of entries.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Meaning of the rows.
    pub rows: IndexKind,
    /// Meaning of the columns.
    pub columns: IndexKind,
    /// Kind of the entries.
    pub entry: EntryKind,
}

impl Shape {
    /// Returns the number of entries.
    pub const fn entries(self) -> u64 {
        self.rows.count() * self.columns.count()
    }
}
