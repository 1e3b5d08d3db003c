//! The meaning of the rows, columns and entries of a table, and how to decode an entry.
//!
//! Every table is a matrix stored row by row: entry (row, column) has the number `row * columns + column`. The texts
//! of this module explain a table file to authors of other programs. Sizes are taken from the
//! coordinates.

use crate::coord::coset::{CornerKind, EdgeKind};
use crate::coord::{Descriptor, NO_MERGE};
use crate::symmetry::SymCoordinate;
use crate::tables::metric::build::{Masks, StepEffects, entry_bits};
use crate::tables::metric::steps::{StepSet, numbers};
use crate::tables::optimal::{CACHE_LINE_ENTRIES, REPLACED};
use crate::tables::pruning::near;
use crate::tables::pruning::packed::CAP;
use crate::tables::pruning::phase_one::{MoveEffects, RESIDUE_BYTES, RESIDUES, masked_distance, residues_in};
use crate::tables::pruning::phase_two::{LAYER_COLUMNS, LAYER_WAYS, LEVELS, SLICE_ORDERS};
use superflip_cube::metric::Metric;
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
            Self::LayerEdges => LAYER_COLUMNS as u64,
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
                "0 to {}: the values of u_edges that occur inside G1, in rising order. {LAYER_WAYS} to {}: those of d_edges.",
                LAYER_WAYS - 1,
                LAYER_COLUMNS - 1
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

/// The kind of value in an entry.
#[derive(Clone, Copy, Debug)]
pub enum EntryKind {
    /// A value of a coordinate, 16 bits.
    Value(&'static Descriptor),
    /// A value of `ud_edges` or none, 16 bits.
    Merged,
    /// The placement of the edges of one layer inside G1, 16 bits.
    LayerEdges,
    /// A packed sym-coordinate of this coordinate, 32 bits.
    Sym(&'static Descriptor),
    /// A raw value of this coordinate, 32 bits.
    Representative(&'static Descriptor),
    /// A position of the near set, 32 bits.
    Fingerprint,
    /// A distance up to 15, 4 bits.
    Distance,
    /// Which of four levels a distance reaches, 2 bits.
    Level,
    /// Five distances modulo 3, 8 bits.
    Residues,
    /// A distance and the effect of each move on it, 32 bits.
    Masked,
    /// Distance minus this base, from 0 to 3, 2 bits.
    Beyond(u8),
    /// A distance in this metric up to 15, 4 bits.
    Steps(Metric),
    /// Half of a distance in this metric, up to 15, 4 bits.
    HalfSteps(Metric),
    /// A distance in this metric and the effect of each step on it, 32 or 64 bits.
    MaskedSteps(Metric),
}

/// Decoded entry; the form depends on the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Decoded {
    /// Distance, and its change by each move.
    Masked {
        /// Number of moves to G1.
        distance: u8,
        /// Moves, or steps of a metric, that reduce the distance, in the frame of the representative.
        nearer: Vec<Moves>,
        /// Those that keep the distance.
        level: Vec<Moves>,
    },
    /// Symmetry-reduced coordinate.
    Sym {
        /// Number of the symmetry class.
        class: u32,
        /// Symmetry S such that S * g * S^-1 is the representative, where g is the raw position.
        symmetry: u32,
    },
    /// Distance.
    Distance {
        /// Number of moves; a lower bound if `capped`.
        distance: u8,
        /// Whether the distance is a lower bound.
        capped: bool,
    },
    /// Distances modulo 3.
    Residues {
        /// Column c holds five twists: c, c + 438, c + 876, c + 1314 and c + 1752. This is the distance modulo 3 of each.
        distances_modulo_3: [u8; RESIDUES],
    },
    /// Slot of the hash table of near positions.
    Near {
        /// Fingerprint of the position, eight hexadecimal digits; null if the slot is empty.
        fingerprint: Option<String>,
        /// Distance from solved; null if the slot is empty.
        distance: Option<u8>,
    },
}

impl EntryKind {
    /// Returns the number of bits of an entry.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Level | Self::Beyond(_) => 2,
            Self::Distance | Self::Steps(_) | Self::HalfSteps(_) => 4,
            Self::MaskedSteps(metric) => entry_bits(metric),
            Self::Residues => 8,
            Self::Value(_) | Self::Merged | Self::LayerEdges => 16,
            Self::Sym(_) | Self::Representative(_) | Self::Fingerprint | Self::Masked => 32,
        }
    }

    /// Describes how to read an entry.
    pub fn meaning(self) -> String {
        match self {
            Self::Value(Descriptor { name, size, .. }) => format!("A value of {name}, 0 to {}.", size - 1),
            Self::Merged => {
                format!("The value of ud_edges, 0 to 40319, or {NO_MERGE} if a U edge is in the slice.")
            }
            Self::LayerEdges => IndexKind::LayerEdges.meaning(),
            Self::Sym(Descriptor { name, .. }) => format!(
                "16 * class + symmetry of a value of {name}: symmetry S, 0 to 15, for which S * x * S^-1 is the \
                 representative of the class."
            ),
            Self::Representative(Descriptor { name, size, .. }) => {
                format!("The smallest value of {name} in the class, 0 to {}.", size - 1)
            }
            Self::Fingerprint => "0 if the slot is empty. Otherwise bits 31..3 are those of the XXH3 of the position (20 \
                bytes: corner + 16 * twist in the eight slots, edge + 16 * flip in the twelve), and bits 2..0 its \
                distance from solved plus 1."
                .into(),
            Self::Distance => format!(
                "The distance in moves, in tables of phase 2 in moves of phase 2; {CAP} stands for {CAP} or more."
            ),
            Self::Level => {
                let [nothing, low, middle, high] = LEVELS;
                format!("The distance in moves of phase 2 is at least {nothing}, {low}, {middle}, {high}: the highest that holds.")
            }
            Self::Residues => format!(
                "Five digits in base 3, the lowest first: digit k is the distance in moves to G1, modulo 3, with the twist \
                 c + {RESIDUE_BYTES} k of column c. Where there is no such twist, beyond 2186, it is 0."
            ),
            Self::Beyond(base) => format!(
                "How far the distance in moves to the solved coset is beyond {base}: 0 for {base} or less, 1, 2, and 3 for \
                 {} or more. Of every {CACHE_LINE_ENTRIES} entries the first {REPLACED} hold, the lower bits first, the smallest \
                 distance of all {CACHE_LINE_ENTRIES} instead of their own.",
                base + 3
            ),
            Self::Steps(metric) => format!(
                "The distance in {}, in tables of phase 2 by moves of phase 2; {CAP} stands for {CAP} or more.",
                metric.name()
            ),
            Self::HalfSteps(metric) => format!(
                "Half of the distance in {} by moves of phase 2, rounded down; {CAP} stands for {CAP} or more. The distance is odd \
                 if the permutation of the corners is.",
                metric.name()
            ),
            Self::MaskedSteps(metric) => masked(StepSet::of_metric(metric)),
            Self::Masked => "Bits 27..24: the distance in moves to G1. Bit t of bits 17..0: move t changes the distance. \
                Bit f of bits 23..18: those moves of face f (U R F D L B) that change it lead farther, else nearer. Moves \
                are those of the representative's frame. Bits 31..28 are 0."
                .into(),
        }
    }

    /// Describes where entry number `i` is in a file.
    pub const fn layout(self) -> &'static str {
        match self.bits() {
            2 => "Bits 2 * (i mod 4) and up, two of them, of the byte at offset 4096 + i div 4.",
            4 => "Bits 4 * (i mod 2) and up, four of them, of the byte at offset 4096 + i div 2.",
            16 => "An unsigned integer of two bytes at offset 4096 + 2 * i.",
            8 => "The byte at offset 4096 + i.",
            64 => "An unsigned integer of eight bytes at offset 4096 + 8 * i.",
            _ => "An unsigned integer of four bytes at offset 4096 + 4 * i.",
        }
    }

    /// Decodes an entry; `None` if the number itself is the value.
    pub fn decode(self, entry: u64) -> Option<Decoded> {
        Some(match self {
            Self::Value(_) | Self::Merged | Self::LayerEdges | Self::Representative(_) | Self::Beyond(_) => {
                return None;
            }
            Self::Sym(_) => {
                let SymCoordinate { class, symmetry } = SymCoordinate::unpack(entry as u32);
                Decoded::Sym { class, symmetry: u32::from(symmetry) }
            }
            Self::Fingerprint => {
                let is_taken = entry != 0;
                Decoded::Near {
                    fingerprint: is_taken.then(|| format!("{:08x}", entry as u32 & !7)),
                    distance: is_taken.then_some((entry as u8 & 7).saturating_sub(1)),
                }
            }
            Self::Distance | Self::Steps(_) => Decoded::Distance { distance: entry as u8, capped: entry as u8 >= CAP },
            Self::HalfSteps(_) => Decoded::Distance { distance: 2 * entry as u8, capped: true },
            Self::Level => {
                let distance = LEVELS[entry as usize % LEVELS.len()];
                Decoded::Distance { distance, capped: LEVELS.get(entry as usize + 1) != Some(&(distance + 1)) }
            }
            Self::Residues => Decoded::Residues { distances_modulo_3: residues_in(entry as u8) },
            Self::MaskedSteps(metric) => masked_steps(StepSet::of_metric(metric), entry),
            Self::Masked => {
                let MoveEffects { nearer, not_farther } = MoveEffects::of_masked(entry as u32);
                let moves = |mask: u32| {
                    Move::ALL
                        .into_iter()
                        .filter(|mv| mask >> mv.index() & 1 == 1)
                        .map(|mv| [mv].into_iter().collect())
                        .collect()
                };
                Decoded::Masked {
                    distance: masked_distance(entry as u32),
                    nearer: moves(nearer),
                    level: moves(not_farther & !nearer),
                }
            }
        })
    }
}

/// Describes a masked entry of a set of steps.
fn masked(set: StepSet) -> String {
    let steps: Vec<String> = set.steps().iter().map(|step| step.moves().collect::<Moves>().to_string()).collect();
    let (count, groups) = (steps.len(), set.groups().len());
    format!(
        "Bits {}..{}: the distance in {} to G1. Bit t of bits {}..0: step t changes the distance. Bit g of bits {}..{count}: \
         those steps of group g that change it lead farther, else nearer. Steps, {} to a group: {}. They are those of the \
         representative's frame. The higher bits are 0.",
        count + groups + 3,
        count + groups,
        set.metric.name(),
        count - 1,
        count + groups - 1,
        numbers(set.metric).group_size,
        steps.join(", "),
    )
}

/// Decodes an entry with the effect of each step.
fn masked_steps(set: StepSet, entry: u64) -> Decoded {
    let (masks, steps) = (Masks::new(set), set.steps());
    let StepEffects { nearer, not_farther } = masks.effects(entry);
    let of = |mask: u64| {
        let chosen = (0..).zip(&steps).filter(|(at, _)| mask >> at & 1 == 1);
        chosen.map(|(_, step)| step.moves().collect()).collect()
    };
    Decoded::Masked { distance: masks.distance(entry), nearer: of(nearer), level: of(not_farther & !nearer) }
}
