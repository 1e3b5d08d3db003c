//! The roots of one iteration: the cube itself, or the branches of a symmetric cube after symmetry reduction.
//!
//! If `S C S^-1 = C`, then S maps every solution to a solution. Of these images only the smallest, in the order of
//! moves, is searched. Its first move is the least of its orbit under all such S. Its second move is the least of its
//! orbit under those S that keep the first move, and so on. The smallest image is in canonical order, because otherwise
//! exchanging two opposite faces would make it smaller.

use super::node::Node;
use crate::tables::optimal::OptimalTable;
use superflip_cube::metric::Metric;
use superflip_cube::simd::Scalar;
use superflip_cube::{ByteMove, Cube, Move, Symmetry};

/// Returns the symmetries of the cube other than the identity.
pub(crate) fn symmetries(cube: &Cube) -> Vec<Symmetry> {
    Symmetry::all().skip(1).filter(|symmetry| symmetry.conjugate(cube) == *cube).collect()
}

/// Returns the length of a half turn in HTM or QTM.
pub(crate) const fn half_turn(metric: Metric) -> u8 {
    if matches!(metric, Metric::Qtm) { 2 } else { 1 }
}

/// Returns the nodes from which every solution is found up to the given symmetries. No node has fewer than `least`
/// moves left.
pub(crate) fn root_branches(table: &OptimalTable, root: Node, symmetries: &[Symmetry], least: u8) -> Vec<Node> {
    // A half turn may count two.
    let least = least + half_turn(table.size().metric()) - 1;
    let mut out = Vec::new();
    open(table, root, symmetries, least, &mut out);
    out
}

fn open(table: &OptimalTable, node: Node, symmetries: &[Symmetry], least: u8, out: &mut Vec<Node>) {
    if symmetries.is_empty() || node.moves_left <= least {
        out.push(node);
        return;
    }
    for mv in Move::ALL {
        let is_least = symmetries.iter().all(|symmetry| symmetry.conjugate_move(mv) >= mv);
        if !is_least || node.followers(0) >> mv.face().index() & 1 == 0 {
            continue;
        }
        let moved = node.sides[0].then(Scalar, &ByteMove::all()[mv.index()]);
        let length = if mv.quarters() == 2 { half_turn(table.size().metric()) } else { 1 };
        let mut next = node.after(Scalar, 0, (mv.index(), length), moved, [0; 2]);
        next.bounds = next.sides.map(|side| table.bound_at(table.index().of_bytes(Scalar, &side)));
        if next.bounds.into_iter().all(|bound| bound <= next.moves_left) {
            let keeping: Vec<Symmetry> =
                symmetries.iter().copied().filter(|symmetry| symmetry.conjugate_move(mv) == mv).collect();
            open(table, next, &keeping, least, out);
        }
    }
}
