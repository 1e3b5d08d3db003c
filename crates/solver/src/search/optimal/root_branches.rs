//! The roots of one iteration: the cube itself, or the branches of a symmetric cube after symmetry reduction.
//!
//! If `S C S^-1 = C`, then S maps every solution to a solution. Of these images only the smallest, in the order of
//! moves, is searched. Its first move is the least of its orbit under all such S. Its second move is the least of its
//! orbit under those S that keep the first move, and so on. The smallest image is in canonical order, because otherwise
//! exchanging two opposite faces would make it smaller.
//!
//! The superflip commutes with every move. So if `m w` solves it, then `w m` does too: a solution may begin at any of its moves. If it has a
//! half turn, even one that only appears where its end meets its beginning, it is enough to search the solutions that begin with one. The
//! others consist of quarter turns. Both parts together are a fraction of the search.

use super::node::Node;
use crate::tables::optimal::OptimalTable;
use superflip_cube::metric::Metric;
use superflip_cube::simd::Scalar;
use superflip_cube::{ByteMove, Cube, Move, Symmetry};

/// Returns the symmetries of the cube other than the identity.
pub(crate) fn symmetries(cube: &Cube) -> Vec<Symmetry> {
    Symmetry::all().skip(1).filter(|symmetry| symmetry.conjugate(cube) == *cube).collect()
}

/// Which solutions a search visits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    All,
    /// Those that begin with a half turn.
    HalfTurnFirst,
    /// Those without half turns.
    QuarterTurns,
}

impl Part {
    /// Returns the parts that are enough to find whether a cube has a solution.
    pub(crate) fn of_cube(cube: &Cube) -> &'static [Self] {
        let commutes = Move::ALL.into_iter().all(|mv| cube.then(mv.cube()) == mv.cube().then(cube));
        if commutes { &[Self::HalfTurnFirst, Self::QuarterTurns] } else { &[Self::All] }
    }

    /// Returns whether a move may come first, or later.
    fn has(self, mv: Move, is_first: bool) -> bool {
        let is_half_turn = mv.quarters() == 2;
        match self {
            Self::All => true,
            Self::HalfTurnFirst => is_half_turn || !is_first,
            Self::QuarterTurns => !is_half_turn,
        }
    }
}

/// Returns the length of a half turn in HTM or QTM.
pub(crate) const fn half_turn(metric: Metric) -> u8 {
    if matches!(metric, Metric::Qtm) { 2 } else { 1 }
}

/// Returns the nodes from which every solution of a part is found up to the given symmetries. No node has fewer than `least` moves left.
/// Below the nodes the search itself has to leave out half turns.
pub(crate) fn root_branches(
    table: &OptimalTable,
    root: Node,
    symmetries: &[Symmetry],
    part: Part,
    least: u8,
) -> Vec<Node> {
    // A half turn may count two.
    let least = least + half_turn(table.metric()) - 1;
    let mut out = Vec::new();
    open(table, root, symmetries, (part, true), least, &mut out);
    out
}

fn open(
    table: &OptimalTable,
    node: Node,
    symmetries: &[Symmetry],
    (part, is_first): (Part, bool),
    least: u8,
    out: &mut Vec<Node>,
) {
    if symmetries.is_empty() || node.moves_left <= least {
        out.push(node);
        return;
    }
    for mv in Move::ALL {
        if !is_least(mv, symmetries) || !part.has(mv, is_first) || node.followers(0) >> mv.face().index() & 1 == 0 {
            continue;
        }
        let moved = node.sides[0].then(Scalar, &ByteMove::all()[mv.index()]);
        let length = if mv.quarters() == 2 { half_turn(table.metric()) } else { 1 };
        let mut next = node.after(Scalar, 0, (mv.index(), length), moved, [0; 2]);
        next.bounds = next.sides.map(|side| table.bound_at(table.index().of_bytes(Scalar, &side)));
        if next.bounds.into_iter().all(|bound| bound <= next.moves_left) {
            open(table, next, &keeping(mv, symmetries), (part, false), least, out);
        }
    }
}

/// Returns whether no symmetry leads to a smaller move.
fn is_least(mv: Move, symmetries: &[Symmetry]) -> bool {
    symmetries.iter().all(|symmetry| symmetry.conjugate_move(mv) >= mv)
}

/// Returns the symmetries that keep a move.
fn keeping(mv: Move, symmetries: &[Symmetry]) -> Vec<Symmetry> {
    symmetries.iter().copied().filter(|symmetry| symmetry.conjugate_move(mv) == mv).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng, rngs::StdRng};
    use superflip_cube::metric::{merged, runs};
    use superflip_cube::{Moves, random_cube};

    fn superflip() -> Cube {
        let moves: Moves = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2".parse().unwrap();
        moves.iter().fold(Cube::SOLVED, |cube, mv| cube.then(mv.cube()))
    }

    #[test]
    fn only_the_superflip_commutes_with_every_move() {
        let mut rng = StdRng::seed_from_u64(6);
        assert_eq!(Part::of_cube(&superflip()).len(), 2);
        for _ in 0..1000 {
            let cube = random_cube(&mut rng);
            assert_eq!(Part::of_cube(&cube), [Part::All]);
            assert_eq!(Part::of_cube(&superflip().then(Move::ALL[rng.random_range(0..18)].cube())), [Part::All]);
        }
    }

    /// Returns the moves in canonical order, without two moves of a face in a row.
    fn in_order(moves: &[Move]) -> Vec<Move> {
        let moves = merged(moves);
        runs(&moves)
            .flat_map(|run| {
                let mut run = run.to_vec();
                run.sort();
                run
            })
            .collect()
    }

    /// Returns whether the search of a part visits these moves.
    fn visits(part: Part, moves: &[Move]) -> bool {
        let mut symmetries = symmetries(&superflip());
        moves.iter().enumerate().all(|(at, &mv)| {
            let is_visited = is_least(mv, &symmetries) && part.has(mv, at == 0);
            symmetries = keeping(mv, &symmetries);
            is_visited
        })
    }

    /// Of every sequence, the search visits one that begins elsewhere, as seen after some symmetry.
    #[test]
    fn a_sequence_that_may_begin_anywhere_is_visited() {
        let mut rng = StdRng::seed_from_u64(7);
        let mut counts = [0; 2];
        for round in 0..400 {
            // Half turns in one sequence of two: otherwise hardly any is without.
            let moves: Vec<Move> = (0..20).map(|_| Move::ALL[rng.random_range(0..18)]).collect();
            let moves: Vec<Move> = moves.into_iter().filter(|mv| round % 2 == 0 || mv.quarters() != 2).collect();
            let moves = in_order(&moves);
            let images: Vec<Vec<Move>> =
                (0..moves.len()).map(|at| in_order(&[&moves[at..], &moves[..at]].concat())).collect();
            // If moves cancel where the end meets the beginning, there is a shorter solution.
            if images.iter().any(|image| Metric::Qtm.length(image) < Metric::Qtm.length(&moves)) {
                continue;
            }
            let mut images = images.iter().flat_map(|image| {
                Symmetry::all()
                    .map(|symmetry| in_order(&image.iter().map(|&mv| symmetry.conjugate_move(mv)).collect::<Vec<_>>()))
            });
            let part = images.find_map(|image| {
                [Part::HalfTurnFirst, Part::QuarterTurns].into_iter().position(|part| visits(part, &image))
            });
            counts[part.unwrap_or_else(|| panic!("{}", Moves::from(moves)))] += 1;
        }
        assert!(counts.iter().all(|&count| count > 30), "{counts:?}");
    }
}
