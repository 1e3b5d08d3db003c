//! The 24 ways to hold a cube, as wide turns at the end of a scramble.
//!
//! A wide turn turns two layers. It is a turn of the opposite face and a rotation of the whole cube: `Rw` is `L x`, `Uw` is `D y`
//! and `Fw` is `B z`. The first turn decides which face is up, the second which side is in front.

use std::sync::LazyLock;

use crate::cube::{Axis, Cube, Face, Move, Symmetry};

/// The first wide turn: the face it is named after, and its clockwise quarter turns.
const FIRST: [(Face, usize); 6] = [(Face::R, 0), (Face::R, 1), (Face::R, 2), (Face::R, 3), (Face::F, 1), (Face::F, 3)];

/// One of the 24 holdings. Index 0..24; 0 is the holding at the start of a scramble, which has no wide turns.
///
/// # Examples
/// ```
/// use superflip_engine::search::scramble::Holding;
///
/// let suffixes: Vec<String> = Holding::all().map(|holding| holding.suffix().join(" ")).collect();
/// assert_eq!((suffixes.len(), suffixes[0].as_str(), suffixes[5].as_str()), (24, "", "Rw Uw"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Holding(u8);

/// What a holding does.
struct Effect {
    suffix: Vec<String>,
    turns: Vec<Move>,
    seen: Symmetry,
}

static EFFECTS: LazyLock<[Effect; Holding::COUNT]> = LazyLock::new(|| std::array::from_fn(effect));

/// Returns the symmetry by which a rotation of the whole cube relabels turns. `quarters` is counted clockwise as seen from U, R or F.
fn rotation(axis: Axis, quarters: usize) -> Symmetry {
    // The face that is seen from, and the faces around it in clockwise order.
    let (face, around) = match axis {
        Axis::Ud => (Face::U, [Face::F, Face::L, Face::B, Face::R]),
        Axis::Rl => (Face::R, [Face::U, Face::B, Face::D, Face::F]),
        Axis::Fb => (Face::F, [Face::U, Face::R, Face::D, Face::L]),
    };
    let image = |symmetry: Symmetry, from: Face| symmetry.conjugate_move(Move::ALL[3 * from.index()]).face();
    Symmetry::all()
        .filter(|symmetry| !symmetry.is_reflection())
        .find(|&symmetry| image(symmetry, face) == face && image(symmetry, around[0]) == around[quarters % 4])
        .unwrap_or(Symmetry::IDENTITY)
}

fn effect(index: usize) -> Effect {
    let mut effect = Effect { suffix: Vec::new(), turns: Vec::new(), seen: Symmetry::IDENTITY };
    for (face, quarters) in [FIRST[index / 4], (Face::U, index % 4)] {
        let (Some(named), Some(turned)) = (Move::of(face, quarters), Move::of(face.opposite(), quarters)) else {
            continue;
        };
        effect.suffix.push(format!("{face}w{}", &named.name()[1..]));
        // The turn is named by places; `seen` leads from the faces of the holding at the start to places.
        effect.turns.push(effect.seen.inverse().conjugate_move(turned));
        effect.seen = rotation(face.axis(), quarters).then(effect.seen);
    }
    effect
}

impl Holding {
    /// Number of holdings.
    pub const COUNT: usize = 24;

    /// Iterates over every holding in index order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Returns the index 0..24.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the holding with this index, or `None` from 24 on.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// Returns the wide turns that lead to it: one of none, `Rw`, `Rw2`, `Rw'`, `Fw`, `Fw'`, then one of none, `Uw`, `Uw2`, `Uw'`.
    pub fn suffix(self) -> &'static [String] {
        &EFFECTS[self.index()].suffix
    }

    /// Returns the face turns among them, named in the holding at the start: `Rw Uw` contains `L B`.
    pub fn turns(self) -> &'static [Move] {
        &EFFECTS[self.index()].turns
    }

    /// Returns a cube as seen in this holding: with pieces and turns named by the places where their faces are now.
    #[must_use]
    pub fn see(self, cube: &Cube) -> Cube {
        EFFECTS[self.index()].seen.conjugate(cube)
    }
}
