//! Coordinates after runs and steps, composed in memory from the moves of single faces.

use std::sync::LazyLock;

use super::steps::{G1_RUNS, Run, StepSet, g1_runs};
use crate::coord::{CORNER_PERM, D_EDGES, Descriptor, FLIP_SLICE, SLICE_SORTED, TWIST, U_EDGES, UD_EDGES};
use crate::symmetry::{Classes, SymCoordinate, conjugation_table};
use crate::tables::move_table::{class_moves, merge_table};
use crate::tables::pruning::phase_two::SLICE_ORDERS;
use superflip_cube::{Move, Symmetry};

/// The coordinates under single moves. All metrics share them.
pub(crate) struct SingleMoves {
    pub(crate) twist: Vec<u16>,
    pub(crate) twist_conjugates: Vec<u16>,
    pub(crate) ud_edges_conjugates: Vec<u16>,
    pub(crate) merge: Vec<u16>,
    /// Corner permutation, sorted slice, edges of the U and of the D layer after each move.
    pub(crate) parts: [Vec<u16>; 4],
    /// Phase-2 coordinates after the runs of G1.
    pub(crate) g1: G1Moves,
}

/// Classes of a coordinate, and their moves.
pub(crate) struct Classed {
    pub(crate) classes: Classes,
    /// Sym-coordinate of each class after each move.
    pub(crate) moves: Vec<u32>,
}

/// The classes of the rows of the tables in files: of flip x slice, and of the corner permutation. The symmetries keep every metric.
pub(crate) static ROWS: LazyLock<[Classed; 2]> = LazyLock::new(|| [&FLIP_SLICE, &CORNER_PERM].map(Classed::new));

/// Phase-2 coordinates after each run of [`g1_runs`].
pub(crate) struct G1Moves {
    pub(crate) corners: Vec<u16>,
    pub(crate) slice: Vec<u16>,
    pub(crate) edges: Vec<u16>,
}

/// The coordinates under single moves, computed at first use.
pub(crate) static SINGLE_MOVES: LazyLock<SingleMoves> = LazyLock::new(|| {
    let parts = [&CORNER_PERM, &SLICE_SORTED, &U_EDGES, &D_EDGES].map(Descriptor::move_table);
    let g1 = G1Moves {
        corners: after_runs(&parts[0], &Move::ALL, &g1_runs(), CORNER_PERM.size as usize),
        slice: after_runs(&parts[1], &Move::ALL, &g1_runs(), SLICE_ORDERS),
        edges: after_runs(&UD_EDGES.move_table(), &Move::PHASE_TWO, &g1_runs(), UD_EDGES.size as usize),
    };
    SingleMoves {
        twist: TWIST.move_table(),
        twist_conjugates: conjugation_table(&TWIST),
        ud_edges_conjugates: conjugation_table(&UD_EDGES),
        merge: merge_table(),
        parts,
        g1,
    }
});

impl Classed {
    fn new(coordinate: &'static Descriptor) -> Self {
        let classes = Classes::new(coordinate);
        let moves = class_moves(coordinate, &classes.of_raw, &classes.representatives);
        Self { classes, moves }
    }

    /// Returns the sym-coordinate of each class after each run, seen from the representative.
    pub(crate) fn after_runs(&self, runs: &[Run]) -> Vec<u32> {
        let after = |packed: u32, mv: Move| {
            let SymCoordinate { class, symmetry } = SymCoordinate::unpack(packed);
            let before = symmetry_of(symmetry);
            let at = class as usize * Move::COUNT + before.conjugate_move(mv).index();
            let next = SymCoordinate::unpack(self.moves[at]);
            let symmetry = symmetry_of(next.symmetry).then(before).index() as u8;
            SymCoordinate { class: next.class, symmetry }.pack()
        };
        let classes = 0..self.classes.representatives.len() as u32;
        classes.flat_map(|class| runs.iter().map(move |run| run.moves().fold(16 * class, after))).collect()
    }
}

fn symmetry_of(index: u8) -> Symmetry {
    Symmetry::try_from_index(index.into()).unwrap_or(Symmetry::IDENTITY)
}

/// Returns the value of a coordinate after each run, for its first `values` values. `moves` are those of its move table.
pub(crate) fn after_runs(table: &[u16], moves: &[Move], runs: &[Run], values: usize) -> Vec<u16> {
    let number = |mv: Move| moves.iter().position(|own| *own == mv).unwrap_or_default();
    let runs: Vec<Vec<usize>> = runs.iter().map(|run| run.moves().map(number).collect()).collect();
    let after = |value: u16, mv: &usize| table[usize::from(value) * moves.len() + mv];
    (0..values as u16).flat_map(|value| runs.iter().map(move |run| run.iter().fold(value, after))).collect()
}

/// The coordinates of a search after each step of a metric.
pub(crate) struct StepMoves {
    /// Number of steps.
    pub(crate) steps: usize,
    pub(crate) classes: Vec<u32>,
    pub(crate) twist: Vec<u16>,
    /// Corner permutation, sorted slice, edges of the U and of the D layer.
    pub(crate) parts: [Vec<u16>; 4],
}

impl StepMoves {
    /// Composes the tables for the steps of a set that has tables in files.
    pub(crate) fn new(set: StepSet) -> Self {
        let steps = set.steps();
        Self { classes: ROWS[0].after_runs(&steps), ..Self::without_classes(&steps) }
    }

    /// Composes all tables but that of the classes.
    pub(crate) fn without_classes(steps: &[Run]) -> Self {
        let single = &*SINGLE_MOVES;
        let of = |table: &Vec<u16>| after_runs(table, &Move::ALL, steps, table.len() / Move::COUNT);
        Self {
            steps: steps.len(),
            classes: Vec::new(),
            twist: of(&single.twist),
            parts: single.parts.each_ref().map(of),
        }
    }
}

const _: () = assert!(G1_RUNS == 21, "15 of UD, three of RL and of FB");
