//! Sets of turns that a cube or a robot allows.

pub(crate) mod group;

use std::fmt;

use crate::face::Face;
use crate::metric::{Metric, runs};
use crate::moves::{Move, Moves};
use crate::symmetry::Symmetry;

/// The turns that are allowed, as a set of moves.
///
/// # Examples
/// ```
/// use superflip_cube::{Face, Move, TurnSet};
///
/// let turns = TurnSet::of_faces([Face::U, Face::R]);
/// assert!(turns.contains(Move::U2) && !turns.contains(Move::F));
/// assert_eq!(turns.to_string(), "U R");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TurnSet(u32);

impl TurnSet {
    /// No turn.
    pub const NONE: Self = Self(0);
    /// Every turn.
    pub const ALL: Self = Self((1 << Move::COUNT) - 1);

    /// Returns all turns of some faces.
    #[must_use]
    pub fn of_faces(faces: impl IntoIterator<Item = Face>) -> Self {
        faces.into_iter().flat_map(|face| (1..4).filter_map(move |quarters| Move::of(face, quarters))).collect()
    }

    /// Returns every turn but the turns of one face.
    #[must_use]
    pub const fn without(face: Face) -> Self {
        Self(Self::ALL.0 & !(0b111 << (3 * face.index())))
    }

    /// Returns whether a turn is allowed.
    #[inline]
    #[must_use]
    pub const fn contains(self, mv: Move) -> bool {
        self.0 >> mv.index() & 1 == 1
    }

    /// Iterates over the turns, in index order.
    pub fn moves(self) -> impl Iterator<Item = Move> {
        Move::ALL.into_iter().filter(move |&mv| self.contains(mv))
    }

    /// Returns whether every turn is allowed.
    #[must_use]
    pub const fn is_all(self) -> bool {
        self.0 == Self::ALL.0
    }

    /// Returns whether no turn is allowed.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the first turn whose inverse is not allowed.
    #[must_use]
    pub fn without_inverse(self) -> Option<Move> {
        self.moves().find(|mv| !self.contains(mv.inverse()))
    }

    /// Returns the turns seen through a symmetry.
    #[must_use]
    pub fn conjugate(self, symmetry: Symmetry) -> Self {
        self.moves().map(|mv| symmetry.conjugate_move(mv)).collect()
    }

    /// Returns the ways to make a move in allowed turns: the move, and a half turn as two quarter turns in either direction.
    fn ways(self, mv: Move) -> impl Iterator<Item = Vec<Move>> {
        let quarters = [1, 3].into_iter().filter(move |_| mv.quarters() == 2);
        let pairs = quarters.filter_map(move |quarters| Move::of(mv.face(), quarters)).map(|quarter| vec![quarter; 2]);
        std::iter::once(vec![mv]).chain(pairs).filter(move |turns| self.contains(turns[0]))
    }

    /// Writes a maneuver in allowed turns: each move as one or two turns. Where a half turn of a run is not allowed, the half turns of
    /// the run become quarter turns if the run is shorter in the metric, and those that are not allowed always do. `None` if the turns
    /// do not suffice.
    #[must_use]
    pub fn spell(self, moves: &[Move], metric: Metric) -> Option<Vec<Vec<Move>>> {
        let mut out = Vec::with_capacity(moves.len());
        for run in runs(moves) {
            if run.iter().all(|&mv| self.contains(mv)) {
                out.extend(run.iter().map(|&mv| vec![mv]));
                continue;
            }
            let mut ways = vec![Vec::with_capacity(run.len())];
            for &mv in run {
                let longer = |way: Vec<Vec<Move>>| {
                    self.ways(mv).map(move |turns| {
                        let mut way = way.clone();
                        way.push(turns);
                        way
                    })
                };
                ways = ways.into_iter().flat_map(longer).collect();
            }
            out.extend(ways.into_iter().min_by_key(|way| metric.length(&way.concat()))?);
        }
        Some(out)
    }
}

impl Default for TurnSet {
    fn default() -> Self {
        Self::ALL
    }
}

impl FromIterator<Move> for TurnSet {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().fold(0, |set, mv| set | 1 << mv.index()))
    }
}

/// Writes the faces if all their turns are allowed, otherwise the turns.
impl fmt::Display for TurnSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faces: Vec<Face> = Face::ALL.into_iter().filter(|&face| self.moves().any(|mv| mv.face() == face)).collect();
        if *self == Self::of_faces(faces.iter().copied()) {
            let letters: Vec<String> = faces.iter().map(|face| face.letter().to_string()).collect();
            formatter.write_str(&letters.join(" "))
        } else {
            self.moves().collect::<Moves>().fmt(formatter)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(turns: &str, moves: &str, metric: Metric) -> Option<String> {
        let turns: TurnSet = turns.parse::<Moves>().unwrap().iter().copied().collect();
        let ways = turns.spell(&moves.parse::<Moves>().unwrap(), metric)?;
        Some(ways.concat().into_iter().collect::<Moves>().to_string())
    }

    #[test]
    fn half_turns_become_quarter_turns_where_they_must() {
        let quarters = "U U' D D' R R'";
        assert_eq!(spelled(quarters, "U2 R U'", Metric::Htm).as_deref(), Some("U U R U'"));
        assert_eq!(spelled("U U2 U'", "U2", Metric::Htm).as_deref(), Some("U2"));
        // In STM, quarter turns in opposite directions turn slices.
        assert_eq!(spelled(quarters, "U2 D2", Metric::Stm).as_deref(), Some("U U D' D'"));
        // A half turn that is allowed may have to become quarter turns too.
        assert_eq!(spelled("U U2 U' D D'", "U2 D2", Metric::Stm).as_deref(), Some("U U D' D'"));
        assert_eq!(spelled("U U2 U' D D'", "U2 D2", Metric::Htm).as_deref(), Some("U2 D D"));
        assert_eq!(spelled("U2 R2", "U2 R", Metric::Htm), None);
        assert_eq!(spelled("U2 R2", "F2", Metric::Htm), None);
    }

    #[test]
    fn a_set_knows_its_faces_and_inverses() {
        let turns: TurnSet = [Move::U, Move::R2].into_iter().collect();
        assert_eq!((turns.without_inverse(), turns.to_string()), (Some(Move::U), "U R2".to_owned()));
        assert_eq!(TurnSet::of_faces(Face::ALL), TurnSet::ALL);
        let back = TurnSet::of_faces([Face::B]);
        let seen: Vec<TurnSet> = Symmetry::all().map(|symmetry| back.conjugate(symmetry)).collect();
        assert!(Face::ALL.iter().all(|&face| seen.contains(&TurnSet::of_faces([face]))));
    }
}
