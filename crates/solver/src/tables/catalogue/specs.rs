//! The list of tables, with purpose, shape and build function. A table is built from tables before it in the list.

use crate::control::Control;
use crate::coord::{
    CORNER_PERM, D_EDGES, Descriptor, FLIP, FLIP_SLICE, FLIP_SLICE_SORTED, SLICE, SLICE_SORTED, TWIST, U_EDGES,
    UD_EDGES, merge_table,
};
use crate::symmetry::{Classes, class_moves, conjugation_table, joint_representatives};
use crate::tables::catalogue::shape::{EntryKind, IndexKind, Shape};
use crate::tables::catalogue::spec::{Build, Profile, Spec};
use crate::tables::file::sink::{BuildError, Sink};
use crate::tables::file::table::{Id, Opened, Table};
use crate::tables::metric::build as metric;
use crate::tables::metric::steps::StepSet;
use crate::tables::optimal::{Size, build};
use crate::tables::pruning::breadth_first::{DepthHistograms, on_all_threads};
use crate::tables::pruning::near;
use crate::tables::pruning::packed::{pack_pairs, store_in_blocks, store_nibbles};
use crate::tables::pruning::phase_one::{RESIDUE_BYTES, TWISTS, masked_rows, pack_residues};
use crate::tables::pruning::phase_two::{
    LAYER_COLUMNS, SLICE_ORDERS, layer_conjugates, layer_moves, layers_of_ud_edges, level,
};
use crate::tables::pruning::product::{ColumnTables, DigitProduct, ReducedProduct};
use superflip_cube::metric::Metric;
use superflip_cube::{Move, Symmetry};

/// Iterates over every table, of any profile, size or metric.
pub fn every() -> impl Iterator<Item = &'static Spec> {
    ALL.iter().chain(&OPTIMAL).chain(METRICS.as_flattened()).chain(&OPTIMAL_QTM)
}

/// Returns the table of this name, of any profile, size or metric.
pub fn named(name: &str) -> Option<&'static Spec> {
    every().find(|spec| spec.name == name)
}

/// Returns the move table of a coordinate, which `standard` and `small` have.
pub(crate) fn moves_of(coordinate: &Descriptor) -> Option<&'static Spec> {
    use {EntryKind as Entry, IndexKind as Index};
    ALL.iter().find(|spec| match spec.shape {
        Shape { rows: Index::Value(of), columns: Index::Move | Index::PhaseTwoMove, entry: Entry::Value(after) } => {
            of == coordinate && after == coordinate && spec.profile.is_none()
        }
        _ => false,
    })
}

macro_rules! spec {
    ($id:ident $name:expr, $purpose:expr; $($rest:tt)+) => {
        spec!(Htm: $id $name, $purpose; $($rest)+)
    };
    ($metric:ident: $id:ident $name:expr, $purpose:expr; $rows:expr, $columns:expr, $entry:expr; $profile:expr, $weight:literal; $build:expr $(; $($source:ident),+)?) => {
        Spec {
            id: Id::$id,
            name: $name,
            purpose: $purpose,
            shape: Shape { rows: $rows, columns: $columns, entry: $entry },
            entries: Shape { rows: $rows, columns: $columns, entry: $entry }.entries(),
            bits: $entry.bits(),
            revision: 1,
            metric: Metric::$metric,
            size: None,
            profile: $profile,
            weight: $weight,
            build: $build,
            sources: &[$($(Id::$source),+)?],
        }
    };
}

/// Every table of the profiles, in build order. After the build function: the tables needed to check it.
#[rustfmt::skip]
pub static ALL: [Spec; 27] = [
    spec!(TwistMove "twist_move", "twist after each move"; IndexKind::Value(&TWIST), IndexKind::Move, EntryKind::Value(&TWIST); None, 1; |_, sink, _| moves(&TWIST, sink)),
    spec!(FlipMove "flip_move", "flip after each move"; IndexKind::Value(&FLIP), IndexKind::Move, EntryKind::Value(&FLIP); None, 1; |_, sink, _| moves(&FLIP, sink)),
    spec!(SliceMove "slice_move", "slice after each move"; IndexKind::Value(&SLICE), IndexKind::Move, EntryKind::Value(&SLICE); None, 1; |_, sink, _| moves(&SLICE, sink)),
    spec!(SliceSortedMove "slice_sorted_move", "sorted slice after each move"; IndexKind::Value(&SLICE_SORTED), IndexKind::Move, EntryKind::Value(&SLICE_SORTED); None, 1; |_, sink, _| moves(&SLICE_SORTED, sink)),
    spec!(UEdgesMove "u_edges_move", "U-layer edges after each move"; IndexKind::Value(&U_EDGES), IndexKind::Move, EntryKind::Value(&U_EDGES); None, 1; |_, sink, _| moves(&U_EDGES, sink)),
    spec!(DEdgesMove "d_edges_move", "D-layer edges after each move"; IndexKind::Value(&D_EDGES), IndexKind::Move, EntryKind::Value(&D_EDGES); None, 1; |_, sink, _| moves(&D_EDGES, sink)),
    spec!(CornerPermMove "corner_perm_move", "corner permutation after each move"; IndexKind::Value(&CORNER_PERM), IndexKind::Move, EntryKind::Value(&CORNER_PERM); None, 2; |_, sink, _| moves(&CORNER_PERM, sink)),
    spec!(UdEdgesMove "ud_edges_move", "permutation of the U and D edges after each move of phase 2"; IndexKind::Value(&UD_EDGES), IndexKind::PhaseTwoMove, EntryKind::Value(&UD_EDGES); None, 1; |_, sink, _| moves(&UD_EDGES, sink)),
    spec!(UdEdgesMerge "ud_edges_merge", "permutation of the U and D edges from those of either layer"; IndexKind::Value(&U_EDGES), IndexKind::DOrder, EntryKind::Merged; None, 1; |_, sink, _| { sink.u16s(&merge_table())?; Ok(DepthHistograms::default()) }),
    spec!(TwistConjugate "twist_conjugate", "twist seen through each symmetry"; IndexKind::Value(&TWIST), IndexKind::Symmetry, EntryKind::Value(&TWIST); None, 1; |_, sink, _| conjugates(&TWIST, sink)),
    spec!(UdEdgesConjugate "ud_edges_conjugate", "permutation of the U and D edges seen through each symmetry"; IndexKind::Value(&UD_EDGES), IndexKind::Symmetry, EntryKind::Value(&UD_EDGES); Some(Profile::Standard), 1; |_, sink, _| conjugates(&UD_EDGES, sink)),
    spec!(FlipSliceClass "flip_slice_class", "sym-coordinate of each flip x slice"; IndexKind::Value(&FLIP_SLICE), IndexKind::Only, EntryKind::Sym(&FLIP_SLICE); None, 2; |_, sink, _| { sink.u32s(&Classes::new(&FLIP_SLICE).of_raw)?; Ok(DepthHistograms::default()) }),
    spec!(FlipSliceRepresentative "flip_slice_representative", "representative of each flip x slice class"; IndexKind::FlipSliceClass, IndexKind::Only, EntryKind::Representative(&FLIP_SLICE); None, 1; |tables, sink, _| representatives(tables.u32s(Id::FlipSliceClass), sink); FlipSliceClass),
    spec!(FlipSliceMove "flip_slice_move", "sym-coordinate of each flip x slice class after each move"; IndexKind::FlipSliceClass, IndexKind::Move, EntryKind::Sym(&FLIP_SLICE); None, 2; |tables, sink, _| { sink.u32s(&class_moves(&FLIP_SLICE, tables.u32s(Id::FlipSliceClass), tables.u32s(Id::FlipSliceRepresentative)))?; Ok(DepthHistograms::default()) }; FlipSliceClass, FlipSliceRepresentative),
    spec!(CornerClass "corner_class", "sym-coordinate of each corner permutation"; IndexKind::Value(&CORNER_PERM), IndexKind::Only, EntryKind::Sym(&CORNER_PERM); None, 1; |_, sink, _| { sink.u32s(&Classes::new(&CORNER_PERM).of_raw)?; Ok(DepthHistograms::default()) }),
    spec!(CornerRepresentative "corner_representative", "representative of each corner class"; IndexKind::CornerClass, IndexKind::Only, EntryKind::Representative(&CORNER_PERM); None, 1; |tables, sink, _| representatives(tables.u32s(Id::CornerClass), sink); CornerClass),
    spec!(CornerMove "corner_move", "sym-coordinate of each corner class after each move"; IndexKind::CornerClass, IndexKind::Move, EntryKind::Sym(&CORNER_PERM); None, 1; |tables, sink, _| { sink.u32s(&class_moves(&CORNER_PERM, tables.u32s(Id::CornerClass), tables.u32s(Id::CornerRepresentative)))?; Ok(DepthHistograms::default()) }; CornerClass, CornerRepresentative),
    spec!(Near "near", "positions at most five moves from solved"; IndexKind::HashSlot, IndexKind::Only, EntryKind::Fingerprint; None, 8; |_, sink, _| { let (words, counts) = near::build(near::RADIUS); sink.u32s(&words)?; Ok(DepthHistograms { entries: counts.clone(), states: counts }) }),
    spec!(PhaseTwoCorners "phase_two_corners", "phase-2 distance of corners and slice edges"; IndexKind::Value(&CORNER_PERM), IndexKind::SliceOrder, EntryKind::Distance; None, 1; phase_two_corners; CornerPermMove, SliceSortedMove),
    spec!(UdEdgesLayers "ud_edges_layers", "edges of either layer from the permutation of the U and D edges"; IndexKind::Value(&UD_EDGES), IndexKind::Layer, EntryKind::LayerEdges; Some(Profile::Small), 1; |_, sink, _| { sink.u16s(&layers_of_ud_edges())?; Ok(DepthHistograms::default()) }),
    spec!(LayerEdgesConjugate "layer_edges_conjugate", "edges of one layer seen through each symmetry"; IndexKind::LayerEdges, IndexKind::Symmetry, EntryKind::LayerEdges; Some(Profile::Small), 1; |_, sink, _| { sink.u16s(&layer_conjugates())?; Ok(DepthHistograms::default()) }),
    spec!(PhaseTwoLayers "phase_two_layers", "phase-2 distance of corners and of the edges of one layer"; IndexKind::CornerClass, IndexKind::LayerEdges, EntryKind::Level; Some(Profile::Small), 5; phase_two_layers; UEdgesMove, DEdgesMove, CornerRepresentative, CornerMove, LayerEdgesConjugate),
    spec!(PhaseTwo "phase_two", "phase-2 distance of corners and of the U and D edges"; IndexKind::CornerClass, IndexKind::Value(&UD_EDGES), EntryKind::Distance; Some(Profile::Standard), 60; phase_two; CornerRepresentative),
    spec!(FlipSliceDistance "flip_slice_distance", "phase-1 distance of flip x slice, whatever the twist"; IndexKind::FlipSliceClass, IndexKind::Only, EntryKind::Distance; Some(Profile::Small), 1; flip_slice_distance; FlipSliceRepresentative, FlipSliceMove),
    spec!(PhaseOneResidues "phase_one_residues", "phase-1 distance, modulo 3"; IndexKind::FlipSliceClass, IndexKind::TwistFifth, EntryKind::Residues; Some(Profile::Small), 50; phase_one_residues; TwistMove, TwistConjugate, FlipSliceRepresentative, FlipSliceMove),
    spec!(PhaseOneMasked "phase_one_masked", "phase-1 distance, and which moves lead nearer or farther"; IndexKind::FlipSliceClass, IndexKind::Value(&TWIST), EntryKind::Masked; Some(Profile::Standard), 100; phase_one_masked; FlipSliceRepresentative),
    spec!(FlipSliceSortedRepresentative "flip_slice_sorted_representative", "representative of each flip x sorted slice class"; IndexKind::FlipSliceSortedClass, IndexKind::Only, EntryKind::Representative(&FLIP_SLICE_SORTED); Some(Profile::Standard), 2; |_, sink, _| { sink.u32s(&joint_representatives())?; Ok(DepthHistograms::default()) }),
];

/// The coset tables. The revision contains the base.
#[rustfmt::skip]
static OPTIMAL: [Spec; 4] = [
    optimal("optimal_s", Metric::Htm, Size::S, |_, sink, control| build::build(Metric::Htm, Size::S, sink, control)),
    optimal("optimal_m", Metric::Htm, Size::M, |_, sink, control| build::build(Metric::Htm, Size::M, sink, control)),
    optimal("optimal_l", Metric::Htm, Size::L, |_, sink, control| build::build(Metric::Htm, Size::L, sink, control)),
    optimal("optimal_xl", Metric::Htm, Size::Xl, |_, sink, control| build::build(Metric::Htm, Size::Xl, sink, control)),
];

/// The coset tables with distances in QTM.
#[rustfmt::skip]
static OPTIMAL_QTM: [Spec; 4] = [
    optimal("qtm_optimal_s", Metric::Qtm, Size::S, |_, sink, control| build::build(Metric::Qtm, Size::S, sink, control)),
    optimal("qtm_optimal_m", Metric::Qtm, Size::M, |_, sink, control| build::build(Metric::Qtm, Size::M, sink, control)),
    optimal("qtm_optimal_l", Metric::Qtm, Size::L, |_, sink, control| build::build(Metric::Qtm, Size::L, sink, control)),
    optimal("qtm_optimal_xl", Metric::Qtm, Size::Xl, |_, sink, control| build::build(Metric::Qtm, Size::Xl, sink, control)),
];

const fn g1_entry(metric: Metric) -> EntryKind {
    if metric::g1_divisor(metric) == 2 { EntryKind::HalfSteps(metric) } else { EntryKind::Steps(metric) }
}

/// Makes the four tables of a metric.
macro_rules! metric_specs {
    ($metric:ident $text:literal) => {
        [
            spec!($metric: MetricPhaseOneMasked concat!($text, "_phase_one_masked"), concat!("phase-1 distance in ", $text, ", and which steps lead nearer or farther"); IndexKind::FlipSliceClass, IndexKind::Value(&TWIST), EntryKind::MaskedSteps(Metric::$metric); Some(Profile::Standard), 100; |_, sink, control| metric::phase_one_masked(StepSet::of_metric(Metric::$metric), sink, control)),
            spec!($metric: MetricPhaseOne concat!($text, "_phase_one"), concat!("phase-1 distance in ", $text); IndexKind::FlipSliceClass, IndexKind::Value(&TWIST), EntryKind::Steps(Metric::$metric); Some(Profile::Small), 60; |_, sink, control| metric::phase_one(StepSet::of_metric(Metric::$metric), sink, control)),
            spec!($metric: MetricPhaseTwo concat!($text, "_phase_two"), concat!("phase-2 distance in ", $text, " of corners and of the U and D edges"); IndexKind::CornerClass, IndexKind::Value(&UD_EDGES), g1_entry(Metric::$metric); None, 60; |_, sink, control| metric::phase_two(StepSet::of_metric(Metric::$metric), sink, control)),
            spec!($metric: MetricPhaseTwoCorners concat!($text, "_phase_two_corners"), concat!("phase-2 distance in ", $text, " of corners and slice edges"); IndexKind::Value(&CORNER_PERM), IndexKind::SliceOrder, g1_entry(Metric::$metric); None, 1; |_, sink, control| metric::phase_two_corners(StepSet::of_metric(Metric::$metric), sink, control)),
        ]
    };
}

/// The tables of the further metrics.
static METRICS: [[Spec; 4]; 4] =
    [metric_specs!(Qtm "qtm"), metric_specs!(Stm "stm"), metric_specs!(Axht "axht"), metric_specs!(Axqt "axqt")];

const fn optimal(name: &'static str, metric: Metric, size: Size, build: Build) -> Spec {
    let shape = Shape {
        rows: IndexKind::CornerCosetClass(size.member().corners),
        columns: IndexKind::EdgeCoset(size.member().edges),
        entry: EntryKind::Beyond(size.base(metric)),
    };
    Spec {
        id: Id::Coset,
        name,
        purpose: match metric {
            Metric::Qtm => "distance in qtm from the solved coset of tetrads and slices",
            _ => "distance from the solved coset of tetrads and slices",
        },
        shape,
        entries: shape.entries(),
        bits: shape.entry.bits(),
        revision: 200 + size.base(metric) as u32,
        metric,
        size: Some(size),
        profile: None,
        weight: 1,
        build,
        sources: &[],
    }
}

fn moves(coordinate: &Descriptor, sink: &mut Sink<'_>) -> Result<DepthHistograms, BuildError> {
    sink.u16s(&coordinate.move_table())?;
    Ok(DepthHistograms::default())
}

fn conjugates(coordinate: &Descriptor, sink: &mut Sink<'_>) -> Result<DepthHistograms, BuildError> {
    sink.u16s(&conjugation_table(coordinate))?;
    Ok(DepthHistograms::default())
}

/// Classes are numbered by rising representative, so the first raw value of each class is its representative.
fn representatives(of_raw: &[u32], sink: &mut Sink<'_>) -> Result<DepthHistograms, BuildError> {
    let mut found: Vec<u32> = Vec::new();
    for (raw, packed) in (0..).zip(of_raw) {
        if (packed / 16) as usize == found.len() {
            found.push(raw);
        }
    }
    sink.u32s(&found)?;
    Ok(DepthHistograms::default())
}

/// Passes the product of flip x slice classes and these columns to `work`.
fn with_flip_slice<T>(
    tables: &Opened,
    columns: &ColumnTables,
    work: impl FnOnce(&ReducedProduct<'_>) -> Result<T, BuildError>,
) -> Result<T, BuildError> {
    work(&ReducedProduct {
        moves: &Move::ALL,
        order: Symmetry::KEEPING_UD,
        class_moves: tables.u32s(Id::FlipSliceMove),
        self_symmetries: &Classes::self_symmetries(&FLIP_SLICE, tables.u32s(Id::FlipSliceRepresentative)),
        columns,
    })
}

/// Returns the twists as columns.
fn twists(tables: &Opened) -> ColumnTables {
    ColumnTables::new(TWISTS, tables.u16s(Id::TwistMove), tables.u16s(Id::TwistConjugate))
}

fn phase_one_residues(tables: &Opened, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    with_flip_slice(tables, &twists(tables), |product| {
        let (distances, counts) = on_all_threads(product, control)?;
        let residues: Vec<[u8; RESIDUE_BYTES]> = distances.chunks(TWISTS).map(pack_residues).collect();
        sink.bytes(residues.as_flattened())?;
        Ok(counts)
    })
}

fn phase_one_masked(tables: &Opened, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    with_flip_slice(tables, &twists(tables), |product| {
        store_in_blocks(product, control, |distances, rows| sink.u32s(&masked_rows(product, distances, rows)))
    })
}

/// Computes the distances of flip x slice, whatever the twist: phase 1 with a single column.
fn flip_slice_distance(tables: &Opened, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    let only = ColumnTables::new(1, &[0; Move::COUNT], &[0; Symmetry::KEEPING_UD]);
    with_flip_slice(tables, &only, |product| store_nibbles(product, 1, sink, control))
}

/// Passes the product of corner classes and these columns, under the moves of phase 2, to `work`.
fn with_corners<T>(tables: &Opened, columns: &ColumnTables, work: impl FnOnce(&ReducedProduct<'_>) -> T) -> T {
    work(&ReducedProduct {
        moves: &Move::PHASE_TWO,
        order: Symmetry::KEEPING_UD,
        class_moves: tables.u32s(Id::CornerMove),
        self_symmetries: &Classes::self_symmetries(&CORNER_PERM, tables.u32s(Id::CornerRepresentative)),
        columns,
    })
}

fn phase_two(tables: &Opened, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    let (moves, conjugates) = (tables.u16s(Id::UdEdgesMove), tables.u16s(Id::UdEdgesConjugate));
    let columns = ColumnTables::new(UD_EDGES.size as usize, moves, conjugates);
    with_corners(tables, &columns, |product| store_nibbles(product, 1, sink, control))
}

fn phase_two_layers(tables: &Opened, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    let columns = ColumnTables::new(LAYER_COLUMNS, &layer_moves(tables), tables.u16s(Id::LayerEdgesConjugate));
    let (distances, counts) = with_corners(tables, &columns, |product| on_all_threads(product, control))?;
    let levels: Vec<u8> = distances.iter().map(|&distance| level(distance)).collect();
    sink.bytes(&pack_pairs(&levels))?;
    Ok(counts)
}

/// Computes the distances of the corner permutation and the order of the slice edges: a product without symmetries.
fn phase_two_corners(tables: &Opened, sink: &mut Sink<'_>, control: &Control) -> Result<DepthHistograms, BuildError> {
    let orders = &tables.u16s(Id::SliceSortedMove)[..SLICE_ORDERS * Move::COUNT];
    let product = DigitProduct::of_moves(&[orders, tables.u16s(Id::CornerPermMove)], Move::PHASE_TWO);
    store_nibbles(&product, 1, sink, control)
}

/// Returns every open table with its description, in build order.
pub(crate) fn of_opened(opened: &Opened) -> impl Iterator<Item = (&'static Spec, &Table)> {
    ALL.iter().filter_map(|spec| Some((spec, opened.get(spec.id)?)))
}
