//! Rows and columns of the coset tables: corner cosets and edge cosets under all 48 symmetries.
//!
//! The *cell* of a cube is a row and a column. The *row* is the class of its corner coset. The *column* is its edge
//! coset, conjugated by the symmetry that maps the corner coset to the representative of the class. If the
//! representative has self-symmetries, a cube has several cells. A table has the same value in all of them, so any of
//! them may be used.

use crate::coord::coset::{CornerCosets, CornerKind, EdgeColumns, EdgeKind, EdgeReader, NO_TURN, Orientation};
use crate::symmetry::Classes;
use superflip_cube::simd::{Scalar, Simd};
use superflip_cube::{ByteCube, Cube, Move, Symmetry};

/// The class of a corner coset, and the symmetry that maps the coset to the representative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CornerClass {
    /// Number of the class, 0..classes.
    pub class: u32,
    /// The symmetry S for which `S * x * S^-1` is the representative.
    pub symmetry: Symmetry,
}

/// The classes of the corner cosets of one kind under the 48 symmetries.
pub struct CornerClasses {
    cosets: CornerCosets,
    /// Classes, packed as `64 * class + symmetry`.
    classes: Classes,
}

impl CornerClasses {
    /// Finds the classes, numbered by rising representative.
    pub fn new(kind: CornerKind) -> Self {
        let cosets = CornerCosets::new(kind);
        let images = |coset| {
            let (cosets, cube) = (&cosets, cosets.representative(coset));
            Symmetry::all().map(move |s| (s.index(), cosets.index(&s.inverse().conjugate(&cube))))
        };
        let classes = Classes::of(kind.size(), 64, images);
        Self { cosets, classes }
    }

    /// Returns the number of classes.
    pub fn len(&self) -> usize {
        self.classes.representatives.len()
    }

    /// Returns whether there are no classes; always false.
    pub fn is_empty(&self) -> bool {
        self.classes.representatives.is_empty()
    }

    /// Returns the corner cosets.
    pub fn cosets(&self) -> &CornerCosets {
        &self.cosets
    }

    /// Returns the class of a corner coset.
    pub fn of(&self, coset: u32) -> CornerClass {
        let (class, symmetry) = self.packed(coset);
        CornerClass { class, symmetry: Symmetry::try_from_index(symmetry).unwrap_or(Symmetry::IDENTITY) }
    }

    #[inline]
    fn packed(&self, coset: u32) -> (u32, usize) {
        let packed = self.classes.of_raw[coset as usize];
        (packed >> 6, (packed & 63) as usize)
    }

    /// Returns a cube that is the representative of a class (0..classes), with its edges at home.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn representative(&self, class: u32) -> Cube {
        self.cosets.representative(self.classes.representatives[class as usize])
    }

    /// Returns the self-symmetries of the representative of a class (0..classes).
    ///
    /// # Panics
    /// When there is no such class.
    pub fn self_symmetries(&self, class: u32) -> impl Iterator<Item = Symmetry> + use<> {
        let mask = self.classes.self_symmetries[class as usize];
        Symmetry::all().filter(move |symmetry| mask >> symmetry.index() & 1 == 1)
    }

    /// Returns the number of corner cosets of a class.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn orbit(&self, class: u32) -> u64 {
        u64::from(Symmetry::COUNT as u32 / self.classes.self_symmetries[class as usize].count_ones())
    }

    /// Returns the class to which each of the 18 moves leads from the representative of a class.
    pub fn after(&self, class: u32) -> [CornerClass; Move::COUNT] {
        let cube = self.representative(class);
        Move::ALL.map(|mv| self.of(self.cosets.index(&cube.then(mv.cube()))))
    }
}

/// The kind of a coset table: the corner and edge cosets it distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CosetKind {
    /// The corners.
    pub corners: CornerKind,
    /// The edges.
    pub edges: EdgeKind,
}

/// The cell of a cube in a coset table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CosetCell {
    /// Class of its corners.
    pub row: u32,
    /// Edge coset, conjugated by the symmetry that maps the corners to the representative of their class.
    pub column: u32,
}

/// What a look-up reads off a cube: for each slot, a digit of the corner and a label of the edge.
#[derive(Clone, Copy)]
pub(crate) struct CosetLabels<V> {
    corners: V,
    edges: V,
}

/// Finds the cell of a cube with small look-up tables, in some nanoseconds.
pub struct CosetIndex {
    classes: CornerClasses,
    reader: EdgeReader,
    columns: EdgeColumns,
}

impl CosetIndex {
    /// Computes the look-up tables, which takes some tens of milliseconds.
    pub fn new(member: CosetKind) -> Self {
        Self {
            classes: CornerClasses::new(member.corners),
            reader: EdgeReader::default(),
            columns: EdgeColumns::new(member.edges),
        }
    }

    /// Returns the classes of the corners.
    pub fn classes(&self) -> &CornerClasses {
        &self.classes
    }

    /// Returns the numbering of the edges.
    pub fn columns(&self) -> &EdgeColumns {
        &self.columns
    }

    /// Reads a cube given as bytes, with a quarter turn of a face before it, or with [`NO_TURN`]. Which of the two quarter turns does not
    /// matter: they differ by a half turn, which is in the subgroup.
    #[inline(always)]
    pub(crate) fn read<K: Simd>(&self, simd: K, cube: &ByteCube, turn: usize) -> CosetLabels<K::Vector> {
        CosetLabels {
            corners: self.classes.cosets.read(simd, simd.load(&cube.corners), turn),
            edges: self.reader.read(simd, simd.load(&cube.edges), turn),
        }
    }

    /// Returns the labels after a move.
    #[inline(always)]
    pub(crate) fn after<K: Simd>(&self, simd: K, labels: CosetLabels<K::Vector>, mv: usize) -> CosetLabels<K::Vector> {
        CosetLabels {
            corners: self.classes.cosets.after(simd, labels.corners, mv),
            edges: self.reader.after(simd, labels.edges, mv),
        }
    }

    /// Returns whether the edges are numbered as [`EdgeColumns::plain`] does it.
    pub(crate) fn is_plain(&self) -> bool {
        self.columns.kind() == EdgeKind { relabelled: false, orientation: Orientation::Sliced }
    }

    /// Returns the cell of a cube given by its labels. `PLAIN` is [`CosetIndex::is_plain`], or false.
    #[inline(always)]
    pub(crate) fn cell<K: Simd, const PLAIN: bool>(&self, simd: K, labels: CosetLabels<K::Vector>) -> CosetCell {
        let (row, symmetry) = self.classes.packed(self.classes.cosets.number(simd, labels.corners));
        let seen = self.reader.seen(simd, labels.edges, symmetry);
        let column = if PLAIN { self.columns.plain(simd, seen) } else { self.columns.index_with(simd, seen) };
        CosetCell { row, column }
    }

    /// Returns the cell of a cube given as bytes.
    #[inline(always)]
    pub fn of_bytes<K: Simd>(&self, simd: K, cube: &ByteCube) -> CosetCell {
        self.cell::<K, false>(simd, self.read(simd, cube, NO_TURN))
    }

    /// Returns the cell of a cube.
    pub fn of_cube(&self, cube: &Cube) -> CosetCell {
        self.of_bytes(Scalar, &ByteCube::of(cube))
    }

    /// Returns every cell of a cube: one for each self-symmetry of the representative of its corners.
    pub fn all_of_cube(&self, cube: &Cube) -> Vec<CosetCell> {
        let class = self.classes.of(self.classes.cosets.index(cube));
        let edges = ByteCube::of(cube).edges.0;
        let seen = |own: Symmetry| self.reader.of_bytes(Scalar, edges, own.then(class.symmetry).index());
        self.classes
            .self_symmetries(class.class)
            .map(|own| CosetCell { row: class.class, column: self.columns.index(seen(own)) })
            .collect()
    }

    /// Returns a cube that has this cell.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn representative(&self, cell: CosetCell) -> Cube {
        let corners = self.classes.representative(cell.row);
        let edges = self.columns.labels(cell.column).cube();
        Cube::assemble(*corners.corners(), *corners.twists(), *edges.edges(), *edges.flips())
    }

    /// Returns the number of cells: rows times columns.
    pub fn cells(&self) -> u64 {
        self.classes.len() as u64 * u64::from(self.columns.kind().size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::rngs::StdRng;
    use superflip_cube::random_cube;
    use superflip_cube::simd::{Kernel, dispatch};

    /// The cells after every move, and with a quarter turn of every face before the cube. `PLAIN` is whether the number of the column is
    /// taken from [`EdgeColumns::plain`].
    struct Cells<'a, const PLAIN: bool>(&'a CosetIndex, &'a ByteCube);

    impl<const PLAIN: bool> Kernel for Cells<'_, PLAIN> {
        type Output = Vec<CosetCell>;

        #[inline(always)]
        fn run<K: Simd>(self, simd: K) -> Vec<CosetCell> {
            let Self(index, cube) = self;
            let labels = index.read(simd, cube, NO_TURN);
            let after = (0..Move::COUNT).map(|mv| index.cell::<K, PLAIN>(simd, index.after(simd, labels, mv)));
            let before = (0..NO_TURN).map(|face| index.cell::<K, PLAIN>(simd, index.read(simd, cube, face)));
            after.chain(before).collect()
        }
    }

    #[test]
    fn labels_lead_to_the_cells_of_moved_cubes() {
        let mut rng = StdRng::seed_from_u64(9);
        // The kinds of the tables `s`, `m`, `l` and `xl`.
        for kind in [
            (CornerKind::Turned, false, Orientation::Parities),
            (CornerKind::Turned, true, Orientation::Sliced),
            (CornerKind::Turned, false, Orientation::Sliced),
            (CornerKind::Tetrads, false, Orientation::Sliced),
        ] {
            let (corners, relabelled, orientation) = kind;
            let index = CosetIndex::new(CosetKind { corners, edges: EdgeKind { relabelled, orientation } });
            for _ in 0..200 {
                let cube = random_cube(&mut rng);
                let after = Move::ALL.map(|mv| index.of_cube(&cube.then(mv.cube())));
                // Either quarter turn leads to the same cell.
                let before = |mv: usize| index.of_cube(&Move::ALL[mv].cube().then(&cube));
                let one: Vec<CosetCell> = (0..NO_TURN).map(|face| before(3 * face)).collect();
                assert!((0..NO_TURN).all(|face| one[face] == before(3 * face + 2)));
                let expected = [&after[..], &one].concat();
                let bytes = ByteCube::of(&cube);
                assert_eq!(dispatch(Cells::<false>(&index, &bytes)), expected, "{kind:?}");
                if index.is_plain() {
                    assert_eq!(dispatch(Cells::<true>(&index, &bytes)), expected, "{kind:?}");
                    assert_eq!(Cells::<true>(&index, &bytes).run(Scalar), expected, "{kind:?}");
                }
            }
        }
    }
}
