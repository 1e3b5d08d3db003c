//! Finds the moves that the arrays equal, as a whole and in parts, and the nearest move.

use super::read::Given;
use crate::four_arrays::{ArrayName, Convention, FourArrays, Part};
use superflip_cube::moves::Move;

/// Greatest number of differing entries (of 40) of arrays that count as a misprint of a move.
const FAR: usize = 8;

/// Face moves that the arrays match in one convention, as a whole and in parts.
#[derive(Clone, Debug)]
pub struct Matches {
    /// Convention.
    pub convention: Convention,
    /// Move that all four arrays match.
    pub whole: Option<Move>,
    /// Moves that both corner arrays match.
    pub corners: Vec<Move>,
    /// Moves that both edge arrays match.
    pub edges: Vec<Move>,
    /// Moves that this array matches.
    pub corner_perm: Vec<Move>,
    /// Moves that this array matches. There may be several. A move and its inverse have equal twists. Half turns, and
    /// all moves of U and D, have none.
    pub corner_orient_delta: Vec<Move>,
    /// Moves that this array matches.
    pub edge_perm: Vec<Move>,
    /// Moves that this array matches.
    pub edge_orient_delta: Vec<Move>,
}

impl Matches {
    /// Compares the arrays with all 18 moves.
    pub fn new(given: &Given<'_>, convention: Convention) -> Self {
        let matching = |arrays: &[ArrayName]| -> Vec<Move> {
            let is = |mv: &Move| {
                let wanted = FourArrays::of(*mv, convention);
                arrays.iter().all(|&array| given.is(array, &wanted))
            };
            Move::ALL.into_iter().filter(is).collect()
        };
        Self {
            convention,
            whole: matching(&ArrayName::ALL).first().copied(),
            corners: matching(&[ArrayName::CornerPerm, ArrayName::CornerOrientDelta]),
            edges: matching(&[ArrayName::EdgePerm, ArrayName::EdgeOrientDelta]),
            corner_perm: matching(&[ArrayName::CornerPerm]),
            corner_orient_delta: matching(&[ArrayName::CornerOrientDelta]),
            edge_perm: matching(&[ArrayName::EdgePerm]),
            edge_orient_delta: matching(&[ArrayName::EdgeOrientDelta]),
        }
    }
}

/// Returns the move that has the same permutation of these pieces.
pub(crate) fn permutes_as(given: &Given<'_>, convention: Convention, part: Part) -> Option<Move> {
    Move::ALL.into_iter().find(|mv| given.is(part.permutation(), &FourArrays::of(*mv, convention)))
}

/// Counts the entries in which the arrays differ from the arrays of the move, including missing and extra entries.
pub(crate) fn distance(given: &Given<'_>, convention: Convention, mv: Move) -> usize {
    let wanted = FourArrays::of(mv, convention);
    let differing = ArrayName::ALL.map(|array| {
        let given = given.get(array);
        let wanted = wanted.get(array);
        let differing = given.iter().zip(wanted).filter(|(got, wanted)| **got != i64::from(**wanted)).count();
        differing + given.len().abs_diff(wanted.len())
    });
    differing.iter().sum()
}

/// The nearest move to unnamed arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nearest {
    /// The move.
    pub mv: Move,
    /// Number of the 40 entries that differ from it: at most 8.
    pub differing: usize,
    /// The second nearest move and its number of differing entries, which is greater.
    pub runner_up: (Move, usize),
}

/// Returns the move that differs from the arrays in the fewest of the 40 entries. Returns `None` if several moves do,
/// or if more than eight entries differ.
pub fn nearest(given: &Given<'_>, convention: Convention) -> Option<Nearest> {
    let mut ranked = Move::ALL.map(|mv| (mv, distance(given, convention, mv)));
    ranked.sort_by_key(|(_, differing)| *differing);
    let [(mv, differing), runner_up, ..] = ranked;
    (differing <= FAR && differing < runner_up.1).then_some(Nearest { mv, differing, runner_up })
}
