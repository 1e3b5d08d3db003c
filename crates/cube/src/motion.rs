//! Motions of a cube in a machine.

use std::fmt;
use std::sync::LazyLock;

use crate::cubie::Cube;
use crate::face::Face;
use crate::forms::Read;
use crate::holding::Holding;
use crate::moves::{Move, Moves};

/// What an action of a machine does to the cube: turns of faces, then a rotation of the whole cube. Faces are named by their places in the
/// machine before the motion.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, FormError, Holding, Motion, Move};
///
/// // A flip brings the front to the bottom. Then the machine turns it there.
/// let flip = Motion::new([], Holding::from_name("BU").unwrap_or_default());
/// let both = flip.then(&Motion::from(Move::D));
/// assert_eq!((flip.to_string(), both.to_string()), ("x'".to_owned(), "F x'".to_owned()));
/// assert_eq!(both.inverse().to_string(), "D' x");
/// assert_eq!(both.after(&Cube::SOLVED), *Move::D.cube());
/// # Ok::<(), FormError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Motion {
    /// No two turns of one face follow each other, and turns of opposite faces are in the order of the faces.
    turns: Vec<Move>,
    rotation: Holding,
}

/// The shortest rotations that lead to each holding.
static ROTATIONS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let single = ["", "x", "x'", "x2", "y", "y'", "y2", "z", "z'", "z2"];
    let several = single.iter().flat_map(|first| single.iter().map(move |second| format!("{first} {second}")));
    let all: Vec<String> = single.iter().map(|text| (*text).to_owned()).chain(several).collect();
    let leads = |text: &String, held: Holding| {
        Read::of_scramble(text).is_ok_and(|read| read.holding.unwrap_or_default() == held)
    };
    let shortest = |held: Holding| all.iter().find(|text| leads(text, held)).cloned().unwrap_or_default();
    Holding::ALL.into_iter().map(shortest).collect()
});

impl Motion {
    /// Creates a motion. The rotation is given as the holding that it makes of [`Holding::HOME`].
    pub fn new(turns: impl IntoIterator<Item = Move>, rotation: Holding) -> Self {
        let mut motion = Self { turns: Vec::new(), rotation };
        for mv in turns {
            motion.push(mv);
        }
        motion
    }

    /// Adds a turn. It is merged with a turn of its face that it can follow directly.
    fn push(&mut self, mv: Move) {
        let is_other_axis = |turn: &Move| turn.face().axis() != mv.face().axis();
        let start = self.turns.iter().rposition(is_other_axis).map_or(0, |last| last + 1);
        let Some(index) = (start..self.turns.len()).find(|&index| self.turns[index].face() == mv.face()) else {
            let before = self.turns[start..].iter().filter(|turn| turn.face() < mv.face()).count();
            self.turns.insert(start + before, mv);
            return;
        };
        match Move::of(mv.face(), (self.turns[index].quarters() + mv.quarters()) % 4) {
            Some(sum) => self.turns[index] = sum,
            None => drop(self.turns.remove(index)),
        }
    }

    /// Returns the turns.
    pub fn turns(&self) -> &[Move] {
        &self.turns
    }

    /// Returns the rotation, as the holding that it makes of [`Holding::HOME`].
    pub const fn rotation(&self) -> Holding {
        self.rotation
    }

    /// Returns whether nothing moves.
    pub fn is_none(&self) -> bool {
        self.turns.is_empty() && self.rotation == Holding::HOME
    }

    /// Returns the motion that makes both, first `self`.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let mut both = Self { turns: self.turns.clone(), rotation: self.rotation.then(next.rotation) };
        for mv in &next.turns {
            both.push(renamed(*mv, self.rotation.centres()));
        }
        both
    }

    /// Returns the motion that undoes it.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let places = self.rotation.places();
        let turns = self.turns.iter().rev().map(|mv| renamed(mv.inverse(), places));
        let back = Holding::from_centres(places).unwrap_or_default();
        Self::new(turns, back)
    }

    /// Returns the quarter turns in either direction if the motion is a half turn of one face or of the whole cube: each of them, made twice,
    /// is this motion. Returns none for other motions.
    pub fn halves(&self) -> Vec<Self> {
        match *self.turns {
            [mv] if self.rotation == Holding::HOME && mv.quarters() == 2 => {
                [1, 3].into_iter().filter_map(|quarters| Move::of(mv.face(), quarters)).map(Self::from).collect()
            }
            [] if self.rotation != Holding::HOME => {
                let half =
                    |by: &Holding| by.then(*by) == self.rotation && self.rotation.then(self.rotation) == Holding::HOME;
                Holding::ALL.into_iter().filter(half).map(|by| Self::new([], by)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the cube after the motion. Both cubes are named by places in the machine.
    pub fn after(&self, cube: &Cube) -> Cube {
        self.rotation.from_home(&cube.after(&self.turns))
    }
}

/// Returns the move of the face to which the table maps the face of a move.
fn renamed(mv: Move, table: [Face; Face::COUNT]) -> Move {
    // Of one to three quarter turns, there is a move.
    Move::of(table[mv.face().index()], mv.quarters()).unwrap_or(mv)
}

impl From<Move> for Motion {
    fn from(mv: Move) -> Self {
        Self { turns: vec![mv], rotation: Holding::HOME }
    }
}

/// Writes the turns, then the rotation: `U D' x2`. A motion of nothing is empty.
impl fmt::Display for Motion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let turns = Moves::from(&*self.turns).to_string();
        let rotation = &ROTATIONS[self.rotation.index()];
        let space = if turns.is_empty() || rotation.is_empty() { "" } else { " " };
        write!(f, "{turns}{space}{rotation}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holding(text: &str) -> Holding {
        Read::of_scramble(text).unwrap().holding.unwrap_or_default()
    }

    #[test]
    fn every_holding_has_a_rotation() {
        for held in Holding::ALL {
            let text = Motion::new([], held).to_string();
            assert_eq!((holding(&text), text.is_empty()), (held, held == Holding::HOME));
        }
    }

    #[test]
    fn motions_compose_as_they_act() {
        let pairs = ["", "R", "U D'", "F2"].map(|turns| turns.parse::<Moves>().unwrap());
        let all: Vec<Motion> =
            pairs.iter().flat_map(|turns| Holding::ALL.map(|by| Motion::new(turns.to_vec(), by))).collect();
        let cube = Cube::from_scramble("R2 U F' L D2 B").unwrap();
        for a in &all {
            assert!(a.then(&a.inverse()).is_none() && a.inverse().then(a).is_none(), "{a}");
            for b in &all {
                assert_eq!(a.then(b).after(&cube), b.after(&a.after(&cube)), "{a}, then {b}");
            }
        }
    }

    #[test]
    fn halves_make_the_motion_twice() {
        let written = |motion: Motion| motion.halves().iter().map(Motion::to_string).collect::<Vec<_>>();
        assert_eq!(written(Move::D2.into()), ["D", "D'"]);
        assert_eq!(written(Motion::new([], holding("y2"))), ["y", "y'"]);
        for text in ["x", "x y", "x2 y"] {
            assert!(written(Motion::new([], holding(text))).is_empty(), "{text}");
        }
        assert!(Motion::from(Move::R).halves().is_empty() && Motion::default().halves().is_empty());
    }
}
