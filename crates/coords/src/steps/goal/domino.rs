//! Domino reduction by the solver's table of phase 1, whose distances are exact.

use super::target::StepGraph;
use superflip_cube::{Cube, Move, Symmetry};
use superflip_solver::search::phase_one::{PhaseOneNode, PhaseOneTables};
use superflip_solver::tables::Tables;
use superflip_solver::tables::pruning::phase_one::PhaseOne;

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
