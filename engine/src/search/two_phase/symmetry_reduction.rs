//! Symmetry reduction of the search of a symmetric cube.
//!
//! If `S C S^-1 = C`, then the image of every solution under S is a solution of the same length. So of all directions,
//! first turns and pre-moves that S maps to one another, one is enough. The same holds for directions if `S C S^-1` is
//! the inverse cube. Hardly any cube is symmetric, so the test must be cheap for ordinary cubes. The hardest cubes are
//! symmetric: the superflip has all 48 symmetries and is its own inverse.

use super::premove::Premoves;
use crate::cube::{Cube, Edge, Move, Symmetry};
use crate::search::directions::Direction;

/// The branches to search in each direction.
#[derive(Debug)]
pub(crate) struct SymmetryReduction {
    /// For each direction, the symmetries other than the identity that keep its axis and the cube; `None` if the
    /// direction is the image of an earlier one.
    keeping: [Option<Vec<Symmetry>>; 6],
}

impl SymmetryReduction {
    /// Finds the symmetries of a cube, given its six directions.
    pub(crate) fn new(directions: &[Direction; 6]) -> Self {
        let (cube, inverse) = (&directions[0].cube, &directions[3].cube);
        let others = || Symmetry::all().skip(1);
        let is_symmetric = leads(Symmetry::IDENTITY, cube, inverse)
            || others().any(|s| leads(s, cube, cube) || leads(s, cube, inverse));
        if !is_symmetric {
            return Self { keeping: std::array::from_fn(|_| Some(Vec::new())) };
        }
        let keeping_axis = || Symmetry::all().take(Symmetry::KEEPING_UD);
        Self {
            keeping: std::array::from_fn(|i| {
                let cube = &directions[i].cube;
                let is_image =
                    directions[..i].iter().any(|before| keeping_axis().any(|s| leads(s, &before.cube, cube)));
                (!is_image).then(|| keeping_axis().skip(1).filter(|&s| leads(s, cube, cube)).collect())
            }),
        }
    }

    /// Returns whether the direction must be searched.
    pub(crate) fn has_direction(&self, direction: usize) -> bool {
        self.keeping[direction].is_some()
    }

    /// Returns the turns of the direction that are not images of earlier turns, as a mask.
    pub(crate) fn first_turns(&self, direction: usize) -> u32 {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let is_first = |turn: &Move| keeping.iter().all(|s| s.conjugate_move(*turn) >= *turn);
        Move::ALL.iter().filter(|turn| is_first(turn)).fold(0, |mask, turn| mask | 1 << turn.index())
    }

    /// Returns the given pre-moves of one length that are not images of earlier ones.
    pub(crate) fn premoves<'a>(
        &'a self,
        direction: usize,
        premoves: &'a [Premoves],
    ) -> impl Iterator<Item = Premoves> + 'a {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let place = move |image: Premoves| premoves.iter().position(|&other| other == image);
        // An image that is not in the list (opposite faces in the other order) is kept; that only costs time.
        let is_first = move |at: &usize| {
            let at = *at;
            keeping
                .iter()
                .all(|s| place(premoves[at].map(|turn| s.conjugate_move(turn))).is_none_or(|image| image >= at))
        };
        (0..premoves.len()).filter(is_first).map(|at| premoves[at])
    }
}

/// Returns whether `s` maps one cube to the other. A comparison of one edge nearly always decides.
fn leads(s: Symmetry, from: &Cube, to: &Cube) -> bool {
    let edge = Edge::ALL[0];
    let carried = |slot: Edge| s.conjugate_edge(slot);
    to.edges()[carried(edge).index()] == carried(from.edges()[edge.index()]) && s.conjugate(from) == *to
}
