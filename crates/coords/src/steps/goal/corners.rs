//! The distances of all corners, reduced by symmetry: 2768 classes of the permutation times 2187 twists, a byte each.
//!
//! The 16 symmetries that keep the axis UD act on the permutation and on the twist. The entry of a state is (class, twist seen from
//! the representative of the class). A symmetry that keeps the representative makes several entries equivalent: all of them are
//! filled, so a look-up needs one.

// Classes, permutations and twists are below 2^16.
#![allow(clippy::cast_possible_truncation)]

use super::digit::Digit;
use super::target::{Distances, Neighbours};
use superflip_cube::{Cube, Face, Move, Symmetry};
use superflip_solver::coord::{CORNER_PERM, TWIST};

/// Number of symmetries.
const ORDER: usize = 16;
const TWISTS: usize = TWIST.size as usize;

/// The classes of corner permutations, and the twists seen through the symmetries.
pub(super) struct CornerClasses {
    /// For each permutation, `16 * class + symmetry`: the symmetry leads to the representative.
    members: Vec<u32>,
    representatives: Vec<u16>,
    /// The symmetries that keep each representative, one bit each.
    keeping: Vec<u16>,
    /// Twist seen through a symmetry, at `16 * twist + symmetry`.
    conjugates: Vec<u16>,
}

/// The distances of all corners.
pub(super) struct CornerDistances {
    pub(super) classes: CornerClasses,
    pub(super) distances: Distances,
}

impl CornerDistances {
    pub(super) fn new() -> Self {
        Self { classes: CornerClasses::new(), distances: Distances::default() }
    }

    /// Returns the distance of a permutation and a twist.
    #[inline]
    pub(super) fn of(&self, permutation: u16, twist: u16) -> u8 {
        self.distances.entries[self.classes.entry(permutation, twist)]
    }

    /// Returns the number of states at each distance.
    pub(super) fn histogram(&self) -> Vec<u64> {
        let mut out = Vec::new();
        for permutation in 0..CORNER_PERM.size as u16 {
            for twist in 0..TWIST.size as u16 {
                let distance = usize::from(self.of(permutation, twist));
                out.resize(out.len().max(distance + 1), 0);
                out[distance] += 1;
            }
        }
        out
    }
}

impl CornerClasses {
    fn new() -> Self {
        let keeps = |s: &Symmetry| matches!(s.conjugate_move(Move::U).face(), Face::U | Face::D);
        let symmetries: Vec<Symmetry> = Symmetry::all().filter(keeps).collect();
        assert_eq!(symmetries.len(), ORDER);
        let index = |cube: &Cube| (CORNER_PERM.index)(cube).unwrap_or_default();
        let mut members = vec![u32::MAX; CORNER_PERM.size as usize];
        let (mut representatives, mut keeping) = (Vec::new(), Vec::new());
        for permutation in 0..CORNER_PERM.size {
            if members[permutation as usize] != u32::MAX {
                continue;
            }
            let cube = (CORNER_PERM.representative)(permutation);
            let mut kept = 0;
            for (number, symmetry) in symmetries.iter().enumerate() {
                let member = index(&symmetry.inverse().conjugate(&cube));
                kept |= u16::from(member == permutation) << number;
                let entry = &mut members[member as usize];
                if *entry == u32::MAX {
                    *entry = (ORDER * representatives.len() + number) as u32;
                }
            }
            representatives.push(permutation as u16);
            keeping.push(kept);
        }
        let mut conjugates = Vec::with_capacity(ORDER * TWISTS);
        for twist in 0..TWIST.size {
            let cube = (TWIST.representative)(twist);
            let seen = |s: &Symmetry| (TWIST.index)(&s.conjugate(&cube)).unwrap_or_default() as u16;
            conjugates.extend(symmetries.iter().map(seen));
        }
        Self { members, representatives, keeping, conjugates }
    }

    #[inline]
    fn entry(&self, permutation: u16, twist: u16) -> usize {
        let member = self.members[usize::from(permutation)] as usize;
        member / ORDER * TWISTS + usize::from(self.conjugates[ORDER * usize::from(twist) + member % ORDER])
    }

    /// Returns the entry of a cube.
    pub(super) fn index(&self, [permutation, twist]: [&Digit; 2], cube: &Cube) -> usize {
        self.entry(permutation.value(cube), twist.value(cube))
    }

    /// Returns the neighbours of the entries.
    pub(super) fn moves<'c>(&'c self, [permutation, twist]: [&'c Digit; 2]) -> CornerMoves<'c> {
        CornerMoves { classes: self, permutation, twist }
    }
}

/// The neighbours of the entries.
pub(super) struct CornerMoves<'c> {
    classes: &'c CornerClasses,
    permutation: &'c Digit,
    twist: &'c Digit,
}

impl Neighbours for CornerMoves<'_> {
    fn size(&self) -> usize {
        self.classes.representatives.len() * TWISTS
    }

    #[inline]
    fn each(&self, index: usize, mut found: impl FnMut(usize)) {
        let classes = self.classes;
        let (representative, twist) = (classes.representatives[index / TWISTS], (index % TWISTS) as u16);
        for mv in Move::ALL {
            let next = classes.entry(self.permutation.after(representative, mv), self.twist.after(twist, mv));
            found(next);
            let (class, twist) = (next / TWISTS, next % TWISTS);
            // The identity keeps every representative; its bit is the only one in most classes.
            let mut others = classes.keeping[class] & (classes.keeping[class] - 1);
            while others != 0 {
                let seen = classes.conjugates[ORDER * twist + others.trailing_zeros() as usize];
                found(class * TWISTS + usize::from(seen));
                others &= others - 1;
            }
        }
    }
}
