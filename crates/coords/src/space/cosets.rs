//! Coordinates that number the cosets of tetrads and slices ([`coset`](superflip_solver::coord::coset)). All 48 symmetries act on
//! them.
//!
//! | coordinate | size | where it is used |
//! | --- | --- | --- |
//! | [`TETRADS`] | 70 | digit of `corner_tetrads` |
//! | [`CORNER_TETRADS`] | 153090 | |
//! | [`CORNER_TETRADS_TURNED`] | 51030 | rows of the optimal tables |
//! | [`CORNER_TETRADS_RELABELLED`] | 25515 | |
//! | [`EDGE_SLICES`], [`EDGE_SLICES_RELABELLED`] | 34650, 5775 | |
//! | [`EDGE_SLICES_PARITIES`] | 34650 * 2^2 | columns of `optimal_s` |
//! | [`EDGE_SLICES_RELABELLED_ORIENTED`] | 5775 * 2^8 | columns of `optimal_m` |
//! | [`EDGE_SLICES_ORIENTED`] | 34650 * 2^8 | columns of `optimal_l` |
//! | [`EDGE_SLICES_CROOKED`] | 34650 * 2^11 | |

use std::sync::LazyLock;

use superflip_cube::simd::{Kernel, Simd, dispatch};
use superflip_cube::{ByteCube, Cube, Symmetry};
use superflip_solver::coord::coset::{CornerCosets, CornerKind, EdgeColumns, EdgeKind, EdgeReader, Orientation};
use superflip_solver::coord::{Descriptor, Validity};

const SOURCE: &str = "superflip; tetrads and slices as in Reid, Rokicki and Kociemba";
const TWISTS: u32 = 2187;

static CORNERS: LazyLock<[CornerCosets; 3]> = LazyLock::new(|| CornerKind::ALL.map(CornerCosets::new));
static READER: LazyLock<EdgeReader> = LazyLock::new(EdgeReader::default);
static EDGES: LazyLock<[[EdgeColumns; 3]; 2]> = LazyLock::new(|| {
    let columns =
        |relabelled| Orientation::ALL.map(|orientation| EdgeColumns::new(EdgeKind { relabelled, orientation }));
    [false, true].map(columns)
});

const fn edges(relabelled: bool, orientation: Orientation) -> EdgeKind {
    EdgeKind { relabelled, orientation }
}

fn corner_index(kind: CornerKind, cube: &Cube) -> u32 {
    CORNERS[kind as usize].index(cube)
}

fn corner_cube(kind: CornerKind, value: u32) -> Cube {
    CORNERS[kind as usize].representative(value)
}

/// Numbers the edge coset of a cube.
struct EdgeIndex<'a> {
    columns: &'a EdgeColumns,
    cube: &'a Cube,
}

impl Kernel for EdgeIndex<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<K: Simd>(self, simd: K) -> u32 {
        let edges = simd.load(&ByteCube::of(self.cube).edges);
        self.columns.index_with(simd, READER.of_bytes(simd, edges, Symmetry::IDENTITY.index()))
    }
}

fn edge_index(kind: EdgeKind, cube: &Cube) -> u32 {
    let columns = &EDGES[usize::from(kind.relabelled)][kind.orientation as usize];
    dispatch(EdgeIndex { columns, cube })
}

fn edge_cube(kind: EdgeKind, value: u32) -> Cube {
    EDGES[usize::from(kind.relabelled)][kind.orientation as usize].labels(value).cube()
}

macro_rules! coset {
    ($(#[$doc:meta])* $id:ident, $name:literal, $size:expr, $subgroup:literal, $index:expr, $representative:expr) => {
        $(#[$doc])*
        pub(crate) static $id: Descriptor = Descriptor {
            name: $name,
            size: $size,
            subgroup: $subgroup,
            validity: Validity::Always,
            symmetric: true,
            source: SOURCE,
            occurs: |_| true,
            index: |cube| Some(($index)(cube)),
            representative: $representative,
        };
    };
}

macro_rules! corner_coset {
    ($(#[$doc:meta])* $id:ident, $name:literal, $kind:ident, $subgroup:literal) => {
        coset!(
            $(#[$doc])* $id, $name, CornerKind::$kind.size(), $subgroup,
            |cube| corner_index(CornerKind::$kind, cube), |value| corner_cube(CornerKind::$kind, value)
        );
    };
}

macro_rules! edge_coset {
    ($(#[$doc:meta])* $id:ident, $name:literal, $relabelled:literal $orientation:ident, $subgroup:literal) => {
        coset!(
            $(#[$doc])* $id, $name, edges($relabelled, Orientation::$orientation).size(), $subgroup,
            |cube| edge_index(edges($relabelled, Orientation::$orientation), cube),
            |value| edge_cube(edges($relabelled, Orientation::$orientation), value)
        );
    };
}

/// Defines a coordinate that numbers the separations of the edges: the number of a coset without its two bits of
/// orientation.
macro_rules! separation {
    ($(#[$doc:meta])* $id:ident, $name:literal, $relabelled:literal, $subgroup:literal) => {
        coset!(
            $(#[$doc])* $id, $name, edges($relabelled, Orientation::Parities).separations(), $subgroup,
            |cube| edge_index(edges($relabelled, Orientation::Parities), cube) >> Orientation::Parities.bits(),
            |value| edge_cube(edges($relabelled, Orientation::Parities), value << Orientation::Parities.bits())
        );
    };
}

coset!(
    /// Which slots hold corners of the other tetrad.
    TETRADS, "tetrads", CornerKind::Tetrads.size() / TWISTS, "each corner in a slot of its tetrad",
    |cube| corner_index(CornerKind::Tetrads, cube) / TWISTS, |value| corner_cube(CornerKind::Tetrads, value * TWISTS)
);
corner_coset!(
    /// Tetrads and twists: 2187 * tetrads + twist.
    CORNER_TETRADS, "corner_tetrads", Tetrads, "each corner untwisted in a slot of its tetrad"
);
corner_coset!(
    /// Tetrads and twists, up to turning the axes of all corners by a common 3-cycle.
    CORNER_TETRADS_TURNED, "corner_tetrads_turned", Turned,
    "corners in slots of their tetrads, their axes turned by one 3-cycle"
);
corner_coset!(
    /// Tetrads and twists, up to any permutation of the axes, which also permutes the tetrads.
    CORNER_TETRADS_RELABELLED, "corner_tetrads_relabelled", Relabelled,
    "corners as on a solved cube whose axes were renamed, tetrads along with them"
);
separation!(
    /// The slice of the edge in each slot.
    EDGE_SLICES, "edge_slices", false, "each edge in a slot of its slice"
);
separation!(
    /// The slice in each slot, up to any permutation of the slices.
    EDGE_SLICES_RELABELLED, "edge_slices_relabelled", true, "the edges of each slice in the slots of one slice"
);
edge_coset!(
    /// The slice in each slot, and for each slice the parity of its crooked edges.
    EDGE_SLICES_PARITIES, "edge_slices_parities", false Parities,
    "each edge in a slot of its slice, an even number of each slice crooked"
);
edge_coset!(
    /// The slice in each slot, and the crooked edges up to flipping all four of a slice.
    EDGE_SLICES_ORIENTED, "edge_slices_oriented", false Sliced,
    "each edge in a slot of its slice, all or none of each slice crooked"
);
edge_coset!(
    /// The slice in each slot and the crooked edges, both up to any permutation of the slices.
    EDGE_SLICES_RELABELLED_ORIENTED, "edge_slices_relabelled_oriented", true Sliced,
    "the edges of each slice in the slots of one slice, all or none of them crooked"
);
edge_coset!(
    /// The slice in each slot, and the crooked edges.
    EDGE_SLICES_CROOKED, "edge_slices_crooked", false Full, "each edge straight in a slot of its slice"
);

/// Every coordinate of this module.
pub(crate) const ALL: [&Descriptor; 10] = [
    &TETRADS,
    &CORNER_TETRADS,
    &CORNER_TETRADS_TURNED,
    &CORNER_TETRADS_RELABELLED,
    &EDGE_SLICES,
    &EDGE_SLICES_RELABELLED,
    &EDGE_SLICES_PARITIES,
    &EDGE_SLICES_ORIENTED,
    &EDGE_SLICES_RELABELLED_ORIENTED,
    &EDGE_SLICES_CROOKED,
];

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::random_cube;
    use superflip_solver::coord::TWIST;

    #[test]
    fn solved_is_zero_and_tetrads_and_twist_make_up_the_corners() {
        for coordinate in ALL {
            assert_eq!((coordinate.index)(&Cube::SOLVED), Some(0), "{}", coordinate.name);
        }
        let mut rng = StdRng::seed_from_u64(8);
        for _ in 0..1000 {
            let cube = random_cube(&mut rng);
            let [tetrads, twist, both] = [&TETRADS, &TWIST, &CORNER_TETRADS].map(|c| (c.index)(&cube).unwrap_or(0));
            assert_eq!(both, TWISTS * tetrads + twist);
        }
    }
}
