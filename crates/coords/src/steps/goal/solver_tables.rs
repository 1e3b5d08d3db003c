//! Domino reduction by the solver's table of phase 1, whose distances are exact, and the goals inside it by the tables of phase 2.

use std::sync::LazyLock;

use super::digit::Digit;
use super::target::StepGraph;
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::coord::{CORNER_PERM, UD_EDGES};
use superflip_solver::search::phase_one::{PhaseOneNode, PhaseOneTables};
use superflip_solver::tables::Tables;
use superflip_solver::tables::pruning::phase_one::PhaseOne;
use superflip_solver::tables::pruning::phase_two::PhaseTwo;

/// Moves that reach the target of the goal `slice`: the solved cube, and the cubes that a turn of the UD slice makes of it, seen
/// without that slice.
pub(super) const SLICE_TURNS: [&[Move]; 4] = [&[], &[Move::U, Move::Di], &[Move::U2, Move::D2], &[Move::Ui, Move::D]];

/// The corners, the edges of U and D, and the edges of the slice.
static DIGITS: LazyLock<[Digit; 3]> =
    LazyLock::new(|| [Digit::of_phase_two(&CORNER_PERM), Digit::of_phase_two(&UD_EDGES), Digit::slice_permutation()]);

/// The solved cube as a target.
pub(super) struct FinishGraph<'t> {
    phase_two: PhaseTwo<'t>,
    digits: &'static [Digit; 3],
}

impl<'t> FinishGraph<'t> {
    /// Returns the graph, or `None` if the profile has no exact table.
    pub(super) fn new(tables: &'t Tables) -> Option<Self> {
        let phase_two = tables.phase_two().filter(PhaseTwo::is_exact)?;
        Some(Self { phase_two, digits: &DIGITS })
    }
}

impl StepGraph for FinishGraph<'_> {
    type State = [u16; 3];

    fn state(&self, cube: &Cube) -> [u16; 3] {
        std::array::from_fn(|place| self.digits[place].value(cube))
    }

    #[inline]
    fn after(&self, state: [u16; 3], mv: Move) -> [u16; 3] {
        std::array::from_fn(|place| self.digits[place].after(state[place], mv))
    }

    #[inline]
    fn bound(&self, [corners, edges, slice]: [u16; 3]) -> u8 {
        self.phase_two.bound(corners, edges, slice)
    }

    #[inline]
    fn is_reached(&self, state: [u16; 3]) -> bool {
        state == [0; 3]
    }
}

/// The target of the goal `slice`. The cube is seen from each of the four cubes of the target, so that solved stands for it.
pub(super) struct SliceGraph<'t> {
    phase_two: PhaseTwo<'t>,
    digits: &'static [Digit; 3],
    views: [Cube; 4],
}

impl<'t> SliceGraph<'t> {
    /// Returns the graph, or `None` if the profile has no exact table.
    pub(super) fn new(tables: &'t Tables) -> Option<Self> {
        let phase_two = tables.phase_two().filter(PhaseTwo::is_exact)?;
        let views = SLICE_TURNS.map(|moves| Cube::SOLVED.after(moves).inverse());
        Some(Self { phase_two, digits: &DIGITS, views })
    }
}

impl StepGraph for SliceGraph<'_> {
    type State = [[u16; 2]; 4];

    fn state(&self, cube: &Cube) -> [[u16; 2]; 4] {
        self.views.each_ref().map(|view| {
            let seen = view.then(cube);
            [self.digits[0].value(&seen), self.digits[1].value(&seen)]
        })
    }

    #[inline]
    fn after(&self, state: [[u16; 2]; 4], mv: Move) -> [[u16; 2]; 4] {
        state.map(|[corners, edges]| [self.digits[0].after(corners, mv), self.digits[1].after(edges, mv)])
    }

    #[inline]
    fn bound(&self, state: [[u16; 2]; 4]) -> u8 {
        state.iter().map(|&[corners, edges]| self.phase_two.edge_bound(corners, edges)).min().unwrap_or(0)
    }

    #[inline]
    fn is_reached(&self, state: [[u16; 2]; 4]) -> bool {
        state.contains(&[0; 2])
    }
}

/// The nodes of phase 1 as a graph. A node is kept in the frame of its representative, through which moves are seen.
pub(super) struct DominoGraph<'t> {
    tables: &'t Tables,
    phase_one: PhaseOne<'t>,
}

impl<'t> DominoGraph<'t> {
    /// Returns the graph, or `None` if the profile has no such table.
    pub(super) fn new(tables: &'t Tables) -> Option<Self> {
        Some(Self { tables, phase_one: tables.phase_one()? })
    }
}

impl StepGraph for DominoGraph<'_> {
    type State = PhaseOneNode;

    fn state(&self, cube: &Cube) -> PhaseOneNode {
        PhaseOneNode::of(self.tables, cube)
    }

    #[inline]
    fn after(&self, state: PhaseOneNode, mv: Move) -> PhaseOneNode {
        let symmetry = Symmetry::try_from_index(usize::from(state.symmetry)).unwrap_or(Symmetry::IDENTITY);
        let effects = self.phase_one.move_effects(state.class, state.twist);
        PhaseOneTables::after(&self.phase_one, state, &effects, symmetry.conjugate_move(mv).index())
    }

    #[inline]
    fn bound(&self, state: PhaseOneNode) -> u8 {
        state.distance
    }

    #[inline]
    fn is_reached(&self, state: PhaseOneNode) -> bool {
        state.distance == 0
    }
}
