//! Symmetry reduction: of several branches that a symmetry of the cube maps to one another, one is searched.
//!
//! If `S C S^-1 = C`, then S maps every solution of C to a solution of the same length. So if S maps several
//! directions, first moves or pre-moves to one another, one of them is enough. For directions, the same holds if `S C
//! S^-1` is the inverse cube.
//!
//! Hardly any random cube is symmetric, so the test must be cheap for such cubes. But the hardest cubes are symmetric:
//! the superflip has all 48 symmetries and is its own inverse.

use super::premove::{AppliedPremoves, Premoves};
use crate::search::directions::Direction;
use superflip_cube::{ByteCube, Edge, Move, Symmetry};

/// The branches to search in each direction.
#[derive(Debug)]
pub(crate) struct SymmetryReduction {
    /// For each direction, the symmetries of its cube that keep the axis, without the identity. `None` if the direction
    /// is the image of an earlier one.
    keeping: [Option<Vec<Symmetry>>; 6],
}

impl SymmetryReduction {
    /// Searches every branch. Solutions that must avoid axes need it, because the image of one under a symmetry may not
    /// avoid them. A search for several solutions needs it, because the images are solutions too.
    pub(crate) fn none() -> Self {
        Self { keeping: std::array::from_fn(|_| Some(Vec::new())) }
    }

    /// Finds the symmetries of a cube, given its six directions.
    pub(crate) fn new(directions: &[Direction; 6]) -> Self {
        let (cube, inverse) = (&directions[0].cube, &directions[3].cube);
        let is_symmetric = leads(Symmetry::IDENTITY, cube, inverse)
            || INVOLUTIONS.iter().any(|&s| leads(s, cube, cube) || leads(s, cube, inverse))
            || THIRD_TURNS.iter().any(|&s| leads(s, cube, cube));
        if !is_symmetric {
            return Self::none();
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

    /// Returns the moves of the direction that are not images of earlier moves, as a mask.
    pub(crate) fn first_moves(&self, direction: usize) -> u32 {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let is_first = |mv: &Move| keeping.iter().all(|s| s.conjugate_move(*mv) >= *mv);
        Move::ALL.iter().filter(|mv| is_first(mv)).fold(0, |mask, mv| mask | 1 << mv.index())
    }

    /// Returns the given pre-moves of one length that are not images of earlier ones.
    pub(crate) fn premoves<'a>(
        &'a self,
        direction: usize,
        premoves: &'a [AppliedPremoves],
    ) -> impl Iterator<Item = &'a AppliedPremoves> {
        let keeping = self.keeping[direction].as_deref().unwrap_or_default();
        let place = move |image: Premoves| premoves.iter().position(|other| other.premoves == image);
        // A pre-move whose image is not in the list (opposite faces in the other order) is searched too; that only
        // costs time.
        let is_first = move |at: usize| {
            let image = |s: &Symmetry| premoves[at].premoves.map(|mv| s.conjugate_move(mv));
            keeping.iter().all(|s| place(image(s)).is_none_or(|image| image >= at))
        };
        premoves.iter().enumerate().filter(move |(at, _)| is_first(*at)).map(|(_, premoves)| premoves)
    }
}

/// The symmetries of order 2, and the symmetries of order 3. If a symmetry other than the identity maps a cube to itself, so do its
/// powers, and one power is among these. If a symmetry maps the cube to its inverse, its square maps the cube to itself. So these decide
/// whether a cube has symmetries.
static INVOLUTIONS: [Symmetry; 19] = of_order(2);
static THIRD_TURNS: [Symmetry; 8] = of_order(3);

/// Returns the symmetries of a prime order.
const fn of_order<const N: usize>(order: usize) -> [Symmetry; N] {
    let mut out = [Symmetry::IDENTITY; N];
    let (mut number, mut index) = (0, 1);
    while index < Symmetry::COUNT {
        let symmetry = Symmetry::try_from_index(index).expect("one of the 48");
        let (mut power, mut exponent) = (symmetry, 1);
        while exponent < order {
            power = power.then(symmetry);
            exponent += 1;
        }
        if power.index() == 0 {
            out[number] = symmetry;
            number += 1;
        }
        index += 1;
    }
    assert!(number == N, "there are as many");
    out
}

/// Returns whether `s` maps one cube to the other. The edges are compared first; the first of them nearly always decides.
fn leads(s: Symmetry, from: &ByteCube, to: &ByteCube) -> bool {
    let piece = |cube: &ByteCube, slot: Edge| Edge::ALL[usize::from(cube.edges.0[slot.index()] & 15)];
    let is_image = |&slot: &Edge| piece(to, s.conjugate_edge(slot)) == s.conjugate_edge(piece(from, slot));
    is_image(&Edge::ALL[0]) && Edge::ALL.iter().all(is_image) && s.conjugate(&from.cube()) == to.cube()
}
