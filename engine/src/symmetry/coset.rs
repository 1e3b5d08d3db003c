//! The cosets of corners and edges under all 48 symmetries: class of the corners, and the edges as seen from there.
//!
//! A pair of corner coset and edge coset is seen through the symmetry that leads from its corners to the representative
//! of their class; what is left to tell is the class, the *row*, and the edges in this view, the *column*. A
//! representative that some symmetries leave as it is has several columns for one pair: any of them will do, and a table
//! holds the same in all.

use crate::coord::coset::{CornerCosets, CornerKind, EdgeColumns, EdgeKind, EdgeReader};
use crate::cube::simd::{Scalar, Simd};
use crate::cube::{ByteCube, Cube, Move, Symmetry};

/// The class of a corner coset and the symmetry that leads to its representative.
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
    /// 64 * class + symmetry of each coset.
    of_coset: Vec<u32>,
    /// The smallest coset of each class, rising.
    representatives: Vec<u32>,
    /// The symmetries that keep each representative, bit `s` for symmetry `s`.
    self_symmetries: Vec<u64>,
}

impl CornerClasses {
    /// Finds the classes, numbered by rising representative.
    pub fn new(kind: CornerKind) -> Self {
        const UNSEEN: u32 = u32::MAX;
        let cosets = CornerCosets::new(kind);
        let mut of_coset = vec![UNSEEN; kind.size() as usize];
        let (mut representatives, mut self_symmetries) = (Vec::new(), Vec::new());
        for coset in 0..kind.size() {
            if of_coset[coset as usize] != UNSEEN {
                continue;
            }
            let class = representatives.len() as u32;
            let cube = cosets.representative(coset);
            let mut keeping = 0;
            for symmetry in Symmetry::all() {
                let image = cosets.index(&symmetry.inverse().conjugate(&cube));
                keeping |= u64::from(image == coset) << symmetry.index();
                let seen = &mut of_coset[image as usize];
                if *seen == UNSEEN {
                    *seen = class << 6 | symmetry.index() as u32;
                }
            }
            representatives.push(coset);
            self_symmetries.push(keeping);
        }
        Self { cosets, of_coset, representatives, self_symmetries }
    }

    /// How many classes there are.
    pub fn len(&self) -> usize {
        self.representatives.len()
    }

    /// Whether there are none; there are always some.
    pub fn is_empty(&self) -> bool {
        self.representatives.is_empty()
    }

    /// The corner cosets.
    pub fn cosets(&self) -> &CornerCosets {
        &self.cosets
    }

    /// The class of a corner coset.
    pub fn of(&self, coset: u32) -> CornerClass {
        let (class, symmetry) = self.packed(coset);
        CornerClass { class, symmetry: Symmetry::try_from_index(symmetry).unwrap_or(Symmetry::IDENTITY) }
    }

    #[inline]
    fn packed(&self, coset: u32) -> (u32, usize) {
        let packed = self.of_coset[coset as usize];
        (packed >> 6, (packed & 63) as usize)
    }

    /// A cube that is the representative of a class (0..classes), its edges at home.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn representative(&self, class: u32) -> Cube {
        self.cosets.representative(self.representatives[class as usize])
    }

    /// The symmetries that keep the representative of a class (0..classes).
    ///
    /// # Panics
    /// When there is no such class.
    pub fn self_symmetries(&self, class: u32) -> impl Iterator<Item = Symmetry> + use<> {
        let mask = self.self_symmetries[class as usize];
        Symmetry::all().filter(move |symmetry| mask >> symmetry.index() & 1 == 1)
    }

    /// How many corner cosets a class has.
    ///
    /// # Panics
    /// When there is no such class.
    pub fn orbit(&self, class: u32) -> u64 {
        u64::from(Symmetry::COUNT as u32 / self.self_symmetries[class as usize].count_ones())
    }

    /// The class to which each of the 18 turns leads from the representative of a class.
    pub fn after(&self, class: u32) -> [CornerClass; Move::COUNT] {
        let cube = self.representative(class);
        Move::ALL.map(|turn| self.of(self.cosets.index(&cube.then(turn.cube()))))
    }
}

/// A member of the family of coset tables: what it forgets of the corners and of the edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CosetKind {
    /// The corners.
    pub corners: CornerKind,
    /// The edges.
    pub edges: EdgeKind,
}

/// Where a cube is found in the table of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CosetCell {
    /// The class of its corners.
    pub row: u32,
    /// Its edges, seen through the symmetry that leads to the representative of the class.
    pub column: u32,
}

/// Finds the place of a cube by small look-ups, some tens of nanoseconds.
pub struct CosetIndex {
    classes: CornerClasses,
    reader: EdgeReader,
    columns: EdgeColumns,
}

impl CosetIndex {
    /// Works out the look-ups, some tens of milliseconds.
    pub fn new(member: CosetKind) -> Self {
        Self {
            classes: CornerClasses::new(member.corners),
            reader: EdgeReader::default(),
            columns: EdgeColumns::new(member.edges),
        }
    }

    /// The classes of the corners.
    pub fn classes(&self) -> &CornerClasses {
        &self.classes
    }

    /// The numbers of the edges.
    pub fn columns(&self) -> &EdgeColumns {
        &self.columns
    }

    /// The place of a cube given as bytes.
    #[inline(always)]
    pub fn of_bytes<K: Simd>(&self, simd: K, cube: &ByteCube) -> CosetCell {
        let (row, symmetry) = self.classes.packed(self.classes.cosets.of_bytes(simd, simd.load(&cube.corners)));
        let seen = self.reader.of_bytes(simd, simd.load(&cube.edges), symmetry);
        CosetCell { row, column: self.columns.index_with(simd, seen) }
    }

    /// The place of a cube.
    pub fn of_cube(&self, cube: &Cube) -> CosetCell {
        self.of_bytes(Scalar, &ByteCube::of(cube))
    }

    /// Every place of a cube: more than one when symmetries keep the representative of its corners.
    pub fn all_of_cube(&self, cube: &Cube) -> Vec<CosetCell> {
        let class = self.classes.of(self.classes.cosets.index(cube));
        let edges = ByteCube::of(cube).edges.0;
        let seen = |own: Symmetry| self.reader.of_bytes(Scalar, edges, own.then(class.symmetry).index());
        self.classes
            .self_symmetries(class.class)
            .map(|own| CosetCell { row: class.class, column: self.columns.index(seen(own)) })
            .collect()
    }

    /// A cube at this place.
    ///
    /// # Panics
    /// When there is no such place.
    pub fn representative(&self, place: CosetCell) -> Cube {
        let corners = self.classes.representative(place.row);
        let edges = self.columns.labels(place.column).cube();
        Cube::assemble(*corners.corners(), *corners.twists(), *edges.edges(), *edges.flips())
    }

    /// How many places there are: rows times columns.
    pub fn places(&self) -> u64 {
        self.classes.len() as u64 * u64::from(self.columns.kind().size())
    }
}
