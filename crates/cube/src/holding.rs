//! The 24 ways to hold a cube.

use std::fmt;
use std::sync::LazyLock;

use crate::cubie::Cube;
use crate::face::Face;
use crate::geometry::FACELETS;
use crate::moves::Move;
use crate::symmetry::Symmetry;

/// How a cube is held: which centre is on top and which is in front.
///
/// Centres are named by their places before any rotation of the whole cube: U on top and F in front is
/// [`Holding::HOME`]. The name is the letter of the centre on top, then that of the centre in front, as nissy writes it:
/// after `x` the holding is `FD`.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Face, Holding, Move};
///
/// // After `y`, the former right side is in front.
/// let held = Holding::new(Face::U, Face::R).expect("U and R are neighbours");
/// assert_eq!(held.name(), "UR");
/// // A move of the right side is then a move of the side that was behind before.
/// assert_eq!(held.to_home(Move::R.cube()), *Move::B.cube());
/// assert_eq!(held.from_home(Move::B.cube()), *Move::R.cube());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Holding {
    up: Face,
    front: Face,
}

/// For each face on top, in nissy's order U D R L F B: the four faces that can be in front, in nissy's order.
const FRONTS: [(Face, [Face; 4]); Face::COUNT] = [
    (Face::U, [Face::F, Face::R, Face::B, Face::L]),
    (Face::D, [Face::F, Face::R, Face::B, Face::L]),
    (Face::R, [Face::F, Face::D, Face::B, Face::U]),
    (Face::L, [Face::F, Face::D, Face::B, Face::U]),
    (Face::F, [Face::D, Face::R, Face::U, Face::L]),
    (Face::B, [Face::D, Face::R, Face::U, Face::L]),
];

impl Holding {
    /// Number of holdings.
    pub const COUNT: usize = 24;

    /// U on top and F in front.
    pub const HOME: Self = Self { up: Face::U, front: Face::F };

    /// Every holding in the order of nissy: UF UR UB UL DF DR DB DL RF RD RB RU LF LD LB LU FD FR FU FL BD BR BU BL.
    pub const ALL: [Self; Self::COUNT] = {
        let mut out = [Self::HOME; Self::COUNT];
        let mut i = 0;
        while i < Self::COUNT {
            let (up, fronts) = FRONTS[i / 4];
            out[i] = Self { up, front: fronts[i % 4] };
            i += 1;
        }
        out
    };

    /// Returns the holding with these centres on top and in front, or `None` if they are equal or opposite.
    pub fn new(up: Face, front: Face) -> Option<Self> {
        (up.axis() != front.axis()).then_some(Self { up, front })
    }

    /// Returns the holding with these centres at the places U R F D L B, or `None` if no rotation leads to them.
    pub fn from_centres(centres: [Face; Face::COUNT]) -> Option<Self> {
        let held = Self::new(centres[Face::U.index()], centres[Face::F.index()])?;
        (held.centres() == centres).then_some(held)
    }

    /// Returns the centre on top.
    pub const fn up(self) -> Face {
        self.up
    }

    /// Returns the centre in front.
    pub const fn front(self) -> Face {
        self.front
    }

    /// Returns the centre at each place, in the order U R F D L B.
    pub fn centres(self) -> [Face; Face::COUNT] {
        let up = self.up.normal();
        let front = self.front.normal();
        // The direction to the right is the cross product of those up and to the viewer.
        let right = Face::from_normal([1, 2, 0].map(|i| up[i] * front[(i + 1) % 3] - up[(i + 1) % 3] * front[i]));
        [self.up, right, self.front, self.up.opposite(), right.opposite(), self.front.opposite()]
    }

    /// Returns the place of each centre, in the order U R F D L B: the inverse of [`Holding::centres`].
    pub fn places(self) -> [Face; Face::COUNT] {
        let mut out = Face::ALL;
        for (place, centre) in Face::ALL.into_iter().zip(self.centres()) {
            out[centre.index()] = place;
        }
        out
    }

    /// Returns the stickers of a held cube in the order U R F D L B, each named by the centre of its colour.
    pub fn stickers(self, cube: &Cube) -> [Face; FACELETS] {
        let centres = self.centres();
        cube.to_facelet_permutation().map(|from| centres[usize::from(from) / 9])
    }

    /// Returns the index 0..24 in [`Holding::ALL`].
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|held| *held == self).unwrap_or(0)
    }

    /// Returns its name: the centre on top, then the centre in front.
    pub fn name(self) -> String {
        format!("{}{}", self.up, self.front)
    }

    /// Returns the holding with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|held| held.name() == name)
    }

    /// Returns the holding after a rotation, which is given as the holding that it makes of [`Holding::HOME`].
    ///
    /// # Examples
    /// ```
    /// use superflip_cube::forms::Read;
    /// use superflip_cube::{FormError, Holding};
    ///
    /// let after = |rotations| Read::of_scramble(rotations).map(|read| read.holding.unwrap_or_default());
    /// assert_eq!(after("x")?.then(after("y'")?), after("x y'")?);
    /// # Ok::<(), FormError>(())
    /// ```
    #[must_use]
    pub fn then(self, rotation: Self) -> Self {
        let (centres, sources) = (self.centres(), rotation.centres());
        let centre_at = |place: Face| centres[sources[place.index()].index()];
        Self { up: centre_at(Face::U), front: centre_at(Face::F) }
    }

    /// Converts a cube from this holding to [`Holding::HOME`]: the position is the same, but its places are named as in `HOME`.
    #[must_use]
    pub fn to_home(self, held: &Cube) -> Cube {
        self.symmetry().map_or(*held, |symmetry| symmetry.conjugate(held))
    }

    /// Converts a cube from [`Holding::HOME`] to this holding; the inverse of [`Holding::to_home`].
    #[must_use]
    pub fn from_home(self, home: &Cube) -> Cube {
        self.symmetry().map_or(*home, |symmetry| symmetry.inverse().conjugate(home))
    }

    /// Returns the rotation that moves each centre back to its place in [`Holding::HOME`], or `None` for `HOME`.
    fn symmetry(self) -> Option<Symmetry> {
        static SYMMETRIES: LazyLock<[Option<Symmetry>; Holding::COUNT]> = LazyLock::new(|| {
            Holding::ALL.map(|held| {
                let face_of = |symmetry: Symmetry, mv: Move| symmetry.conjugate_move(mv).face();
                let carries = |symmetry: &Symmetry| {
                    face_of(*symmetry, Move::U) == held.up && face_of(*symmetry, Move::F) == held.front
                };
                Symmetry::all().filter(|symmetry| !symmetry.is_reflection()).find(carries)
            })
        });
        if self == Self::HOME { None } else { SYMMETRIES[self.index()] }
    }
}

impl Default for Holding {
    fn default() -> Self {
        Self::HOME
    }
}

impl fmt::Display for Holding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.up, self.front)
    }
}

impl serde::Serialize for Holding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
