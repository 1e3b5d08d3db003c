//! Wide moves at the end of a scramble, which change how the cube is held.
//!
//! A wide move turns two layers. It is a move of the opposite face and a rotation of the whole cube: `Rw` is `L x`, `Uw` is `D y`
//! and `Fw` is `B z`. The first move decides which face is up, the second which side is in front.

use std::sync::LazyLock;

use superflip_cube::forms::Read;
use superflip_cube::{Face, Holding, Move};

/// The first wide move: the face it is named after, and its clockwise quarter turns.
const FIRST: [(Face, usize); 6] = [(Face::R, 0), (Face::R, 1), (Face::R, 2), (Face::R, 3), (Face::F, 1), (Face::F, 3)];

/// Up to two wide moves, one way for each [`Holding`]. Index 0..24; 0 is none.
///
/// # Examples
/// ```
/// use superflip_solver::search::scramble::WideMoves;
///
/// let [none, some] = [0, 5].map(|index| WideMoves::try_from_index(index).expect("an index below 24"));
/// assert_eq!((none.names().join(" "), some.names().join(" ")), (String::new(), "Rw Uw".to_owned()));
/// assert_eq!(some.holding().name(), "FR");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WideMoves(u8);

/// What wide moves do.
struct Effect {
    names: Vec<String>,
    moves: Vec<Move>,
    holding: Holding,
}

static EFFECTS: LazyLock<[Effect; Holding::COUNT]> = LazyLock::new(|| std::array::from_fn(effect));

fn effect(index: usize) -> Effect {
    let mut effect = Effect { names: Vec::new(), moves: Vec::new(), holding: Holding::HOME };
    for (face, quarters) in [FIRST[index / 4], (Face::U, index % 4)] {
        // The move is named by places; the centre there names it in the holding at the start.
        let centre = effect.holding.centres()[face.opposite().index()];
        let (Some(named), Some(moved)) = (Move::of(face, quarters), Move::of(centre, quarters)) else { continue };
        effect.names.push(format!("{face}w{}", &named.name()[1..]));
        effect.moves.push(moved);
        let held = Read::of_scramble(&effect.names.join(" ")).ok().and_then(|read| read.holding);
        effect.holding = held.unwrap_or_default();
    }
    effect
}

#[allow(clippy::cast_possible_truncation)] // there are 24
impl WideMoves {
    /// Iterates over every choice in index order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..Holding::COUNT as u8).map(Self)
    }

    /// Returns the index 0..24.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the wide moves with this index, or `None` from 24 on.
    pub const fn try_from_index(index: usize) -> Option<Self> {
        if index < Holding::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// Returns their names: one of none, `Rw`, `Rw2`, `Rw'`, `Fw`, `Fw'`, then one of none, `Uw`, `Uw2`, `Uw'`.
    pub fn names(self) -> &'static [String] {
        &EFFECTS[self.index()].names
    }

    /// Returns the face moves among them, named in the holding at the start: `Rw Uw` contains `L B`.
    pub fn moves(self) -> &'static [Move] {
        &EFFECTS[self.index()].moves
    }

    /// Returns the holding after them.
    pub fn holding(self) -> Holding {
        EFFECTS[self.index()].holding
    }
}
