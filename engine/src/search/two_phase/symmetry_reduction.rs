//! What a symmetric cube buffers the search: branches that are images of one another under its symmetries.
//!
//! If `S C S^-1 = C`, then with every solution its image under S is a solution too, of the same length. So of directions, first
//! turns and premoves that S carries into one another one is enough. The same holds for directions where `S C S^-1` is the
//! inverse cube. Hardly any cube is symmetric, and the test for that must cost a usual cube next to nothing; the hardest cubes
//! are: the superflip has all 48 symmetries and is its own inverse.

use super::premove::Premoves;
use crate::cube::{Cube, Edge, Move, Symmetry};
use crate::search::directions::Direction;

/// Which branches to take from each direction.
#[derive(Debug)]
pub(crate) struct SymmetryReduction {
    /// For each direction the symmetries that keep its axis and the cube, without the identity; `None` where it is the
    /// image of a direction before it.
    keeping: [Option<Vec<Symmetry>>; 6],
}

impl SymmetryReduction {
    /// Looks at the cube, of which `directions` are the six.
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

    /// Whether the direction is not the image of one before it.
    pub(crate) fn has_direction(&self, direction: usize) -> bool {
        self.keeping[direction].is_some()
    }

    /// The turns of the direction that are not images of turns before them, as a mask.
    pub(crate) fn first_turns(&self, direction: usize) -> u32 {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let is_first = |turn: &Move| keeping.iter().all(|s| s.conjugate_move(*turn) >= *turn);
        Move::ALL.iter().filter(|turn| is_first(turn)).fold(0, |mask, turn| mask | 1 << turn.index())
    }

    /// Of these premoves of one length, those that are not images of premoves before them.
    pub(crate) fn premoves<'a>(
        &'a self,
        direction: usize,
        premoves: &'a [Premoves],
    ) -> impl Iterator<Item = Premoves> + 'a {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let place = move |image: Premoves| premoves.iter().position(|&other| other == image);
        // An image that is not listed, as where opposite faces change their order, is kept: that costs time only.
        let is_first = move |at: &usize| {
            let at = *at;
            keeping
                .iter()
                .all(|s| place(premoves[at].map(|turn| s.conjugate_move(turn))).is_none_or(|image| image >= at))
        };
        (0..premoves.len()).filter(is_first).map(|at| premoves[at])
    }
}

/// Whether `s` carries one cube into the other; told from one edge nearly always.
fn leads(s: Symmetry, from: &Cube, to: &Cube) -> bool {
    let edge = Edge::ALL[0];
    let carried = |slot: Edge| s.conjugate_edge(slot);
    to.edges()[carried(edge).index()] == carried(from.edges()[edge.index()]) && s.conjugate(from) == *to
}
