//! The fallback bound: phase-1 distances as a second pruning bound for nodes near the solved coset.
//!
//! A coset does not distinguish cubes that differ by flipping all four edges of a slice. The superflip consists of such
//! flips, so it lies in the solved coset. For such a cube the coset table prunes hardly any node for many moves.
//!
//! Phase 1 distinguishes flips. Its distances along the three axes, for the cube and for its inverse, are lower bounds
//! on the distance to solved. They cost six look-ups per node. So they are used only for cubes near the solved coset,
//! and only at nodes near it. All cache lines are prefetched before the first read.

use crate::coord::bytes::Orientation;
use crate::search::optimal::node::Node;
use crate::symmetry::SymCoordinate;
use crate::tables::metric::table::{ClassAndTwist, MetricViews};
use crate::tables::pruning::phase_one::{MAX_DISTANCE, PhaseOne};
use crate::tables::{Id, MetricTables, Tables, prefetch};
use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{Axis, ByteConjugation, Symmetry};

/// Prunes nodes by their phase-1 distances.
pub(crate) struct FallbackBound<'a> {
    distances: Distances<'a>,
    /// Class of each flip x slice, and the symmetry that leads to its representative.
    classes: &'a [u32],
    twist_conjugates: &'a [u16],
    /// Conjugation that brings the next axis to UD.
    next_axis: ByteConjugation,
    /// Nodes with a greater table bound are not checked.
    base: u8,
}

/// The phase-1 distances in HTM or another metric.
enum Distances<'a> {
    Htm(PhaseOne<'a>),
    Metric(MetricViews<'a>),
}

impl Distances<'_> {
    #[inline]
    fn prefetch(&self, class: u32, twist: u16) {
        match self {
            Self::Htm(phase_one) => phase_one.prefetch_distance(class, twist),
            Self::Metric(views) => views.prefetch_distance(ClassAndTwist { class, twist }),
        }
    }

    #[inline]
    fn distance(&self, class: u32, twist: u16) -> u8 {
        match self {
            Self::Htm(phase_one) => phase_one.distance(class, twist),
            Self::Metric(views) => views.distance(ClassAndTwist { class, twist }),
        }
    }
}

impl<'a> FallbackBound<'a> {
    /// Creates a bound for nodes whose table bound is at most `base`; `None` for tables without exact phase-1 distances.
    pub(crate) fn new(tables: &'a Tables, base: u8) -> Option<Self> {
        let distances = Distances::Htm(tables.phase_one()?);
        let classes = tables.opened().u32s(Id::FlipSliceClass);
        Some(Self::of(distances, classes, tables.opened().u16s(Id::TwistConjugate), base))
    }

    /// Creates a bound in a metric with all turns.
    pub(crate) fn in_metric(tables: &'a MetricTables, base: u8) -> Self {
        let views = tables.views();
        let (classes, conjugates) = (views.flip_slice_classes, &views.single.twist_conjugates);
        Self::of(Distances::Metric(views), classes, conjugates, base)
    }

    /// # Panics
    /// Never: the diagonal symmetry is a rotation.
    fn of(distances: Distances<'a>, classes: &'a [u32], twist_conjugates: &'a [u16], base: u8) -> Self {
        Self {
            distances,
            classes,
            twist_conjugates,
            next_axis: ByteConjugation::of(Symmetry::DIAGONAL).expect("it is a rotation of the whole cube"),
            base,
        }
    }

    /// Removes the nodes from index `from` on that have too few moves left.
    pub(crate) fn retain_possible(&self, nodes: &mut Vec<Node>, from: usize) {
        for side in 0..2 {
            dispatch(FallbackFilter { fallback: self, nodes, from, side });
        }
    }

    /// Returns whether a node is looked up. Its table bounds must be small, and the moves left must not exceed the greatest
    /// phase-1 distance: [`MAX_DISTANCE`], or 13 in QTM.
    fn concerns(&self, node: &Node) -> bool {
        let longest = if matches!(self.distances, Distances::Htm(_)) { MAX_DISTANCE } else { MAX_DISTANCE_IN_QTM };
        node.moves_left <= longest && node.bounds.into_iter().all(|bound| bound <= self.base)
    }
}

/// Greatest phase-1 distance in QTM.
const MAX_DISTANCE_IN_QTM: u8 = 13;

/// The check of one side of the nodes.
struct FallbackFilter<'n, 'd, 't> {
    fallback: &'d FallbackBound<'t>,
    nodes: &'n mut Vec<Node>,
    from: usize,
    side: usize,
}

impl Kernel for FallbackFilter<'_, '_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) {
        let FallbackFilter { fallback, nodes, from, side } = self;
        // Coordinates along each axis: first flip x slice and twist, then the class and the twist in the frame of its
        // representative.
        let mut places: Vec<[(u32, u16); Axis::COUNT]> = Vec::with_capacity(nodes.len() - from);
        for node in nodes[from..].iter().filter(|node| fallback.concerns(node)) {
            let mut cube = node.sides[side];
            places.push([(); Axis::COUNT].map(|()| {
                let along = Orientation::of(simd, &cube);
                prefetch::read(fallback.classes, along.flip_slice() as usize);
                cube = fallback.next_axis.apply(simd, &cube);
                (along.flip_slice(), along.twist)
            }));
        }
        for (flip_slice, twist) in places.as_flattened_mut() {
            let to = SymCoordinate::unpack(fallback.classes[*flip_slice as usize]);
            *flip_slice = to.class;
            *twist = fallback.twist_conjugates[usize::from(*twist) * 16 + usize::from(to.symmetry)];
            fallback.distances.prefetch(*flip_slice, *twist);
        }
        let mut places = places.iter();
        let mut number = 0;
        nodes.retain(|node| {
            number += 1;
            if number <= from || !fallback.concerns(node) {
                return true;
            }
            let Some(axes) = places.next() else { return true };
            let distances = axes.map(|(class, twist)| fallback.distances.distance(class, twist));
            // The last move lies in the subgroup of its own axis, so it enters at most the other two. If all three
            // distances are equal and not 0, one more move is needed.
            let alike = distances[0] > 0 && distances.iter().all(|&distance| distance == distances[0]);
            distances.into_iter().all(|distance| distance + u8::from(alike) <= node.moves_left)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::search::directions::Direction;
    use crate::tables::Profile;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::simd::Scalar;
    use superflip_cube::{ByteCube, Cube, random_cube};

    /// The coordinates read off the bytes equal the coordinates of each direction.
    #[test]
    fn nodes_are_judged_by_the_distances_of_all_six_directions() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/tmp/tables");
        let tables = Tables::open_or_build(&folder, Profile::Small, &Control::new()).expect("tables");
        let fallback = FallbackBound::new(&tables, 9).expect("exact distances");
        let mut rng = StdRng::seed_from_u64(3);
        let (mut kept, mut left_out) = (0, 0);
        for _ in 0..500 {
            let cube = random_cube(&mut rng);
            let directions = Direction::all(&tables, &cube);
            for (axis, direction) in directions[..Axis::COUNT].iter().enumerate() {
                let bytes = (0..axis).fold(ByteCube::of(&cube), |cube, _| fallback.next_axis.apply(Scalar, &cube));
                let along = Orientation::of(Scalar, &bytes);
                let to = SymCoordinate::unpack(fallback.classes[along.flip_slice() as usize]);
                let twist = fallback.twist_conjugates[usize::from(along.twist) * 16 + usize::from(to.symmetry)];
                assert_eq!((to.class, twist), (direction.start.class, direction.start.twist));
            }
            for moves_left in 8..=MAX_DISTANCE {
                let is_too_far = directions.chunks(Axis::COUNT).any(|axes| {
                    let alike = axes.iter().all(|axis| axis.start.distance == axes[0].start.distance);
                    axes.iter().any(|axis| axis.start.distance + u8::from(alike) > moves_left)
                });
                let known = Node::root(&Cube::SOLVED, [0; 2], 0);
                let mut nodes =
                    vec![known, Node::root(&cube, [0; 2], moves_left), Node::root(&cube, [10, 0], moves_left)];
                fallback.retain_possible(&mut nodes, 1);
                // What came before, and what the table knows well, is not judged.
                assert_eq!(nodes.len(), 3 - usize::from(is_too_far), "{cube:?} {moves_left}");
                *if is_too_far { &mut left_out } else { &mut kept } += 1;
            }
        }
        assert!(kept > 300 && left_out > 300, "{kept} {left_out}");
    }
}
