//! Finds the moves that a machine or a person made wrongly, from the cube before, the moves that were sent, and the stickers afterwards.
//!
//! A *slip* is one move whose face turned by another amount. There are three for each move:
//!
//! | sent | made | kind |
//! | --- | --- | --- |
//! | any | nothing | missed |
//! | quarter turn | its inverse | reversed |
//! | quarter turn | a half turn | doubled |
//! | half turn | a quarter turn, in either direction | half made |
//!
//! All cubes after up to [`MAX_SLIPS`] slips are compared with the stickers, some of which may be unknown.

use std::collections::HashMap;

use superflip_cube::{Cube, Move, Stickers};

use crate::repair::Costs;
use crate::repair::weights::Weights;

/// Greatest number of slips of an explanation.
pub const MAX_SLIPS: usize = 2;

/// Greatest number of ways listed for one cube.
pub const MAX_WAYS: usize = 10;

/// A move that was not made as it was sent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Slip {
    /// Index of the move, from 0.
    pub index: usize,
    /// Move that was sent.
    pub sent: Move,
    /// Move that was made instead; `None` if the face did not turn.
    pub made: Option<Move>,
}

/// Kind of a slip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlipKind {
    /// The face did not turn.
    Missed,
    /// A quarter turn was made in the other direction.
    Reversed,
    /// A quarter turn became a half turn.
    Doubled,
    /// A half turn became a quarter turn.
    HalfMade,
}

impl SlipKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Missed, Self::Reversed, Self::Doubled, Self::HalfMade];

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Missed => "missed",
            Self::Reversed => "reversed",
            Self::Doubled => "doubled",
            Self::HalfMade => "half_made",
        }
    }
}

impl Slip {
    /// Returns the three slips of the move at this index.
    fn of(index: usize, sent: Move) -> impl Iterator<Item = Self> {
        let other = move |quarters: &usize| *quarters != sent.quarters();
        (0..4).filter(other).map(move |quarters| Self { index, sent, made: Move::of(sent.face(), quarters) })
    }

    /// Returns the kind.
    pub fn kind(&self) -> SlipKind {
        match self.made {
            None => SlipKind::Missed,
            Some(_) if self.sent.quarters() == 2 => SlipKind::HalfMade,
            Some(made) if made.quarters() == 2 => SlipKind::Doubled,
            Some(_) => SlipKind::Reversed,
        }
    }
}

/// A cube that the slips may have led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The cube now.
    pub cube: Cube,
    /// Least number of slips that lead to it; 0 if all moves were made.
    pub slips: usize,
    /// Number of ways, each with this number of slips, that lead to this cube. There are several if moves repeat or commute.
    pub total: usize,
    /// The first ways, at most [`MAX_WAYS`], in the order of the moves.
    pub ways: Vec<Vec<Slip>>,
}

/// The explanations of the stickers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanations {
    /// Distinct cubes that have the known stickers: those after the fewest slips first, then in the order of the moves. Empty if
    /// at most [`MAX_SLIPS`] slips do not explain the stickers.
    pub found: Vec<Explanation>,
    /// Whether there are more than listed.
    pub truncated: bool,
}

/// Finds the slips after which the cube has the known stickers, and lists at most `limit` cubes. It counts every way to the listed cubes,
/// even if there are more cubes.
///
/// The time grows with the square of the number of moves: 200 moves take some tens of milliseconds.
///
/// # Examples
/// ```
/// use superflip_cube::{Cube, Move, Moves, Stickers};
/// use superflip_scan::slips::{SlipKind, explain_slips};
///
/// let (before, sent) = (Cube::from_scramble("F2 L D")?, "R U2 F' R".parse::<Moves>()?);
/// let now = Cube::from_scramble("F2 L D R U F' R")?;
/// let explanations = explain_slips(&before, &sent, &Stickers::parse(&now.to_string())?, 3);
/// let [explanation] = explanations.found.as_slice() else { return Err("several".into()) };
/// let slip = explanation.ways[0][0];
/// assert_eq!((slip.index, slip.made, slip.kind()), (1, Some(Move::U), SlipKind::HalfMade));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn explain_slips(before: &Cube, sent: &[Move], seen: &Stickers, limit: usize) -> Explanations {
    let mut search = Search::new(seen, limit);
    // The product of the moves from each one on.
    let mut rest = vec![Cube::SOLVED; sent.len() + 1];
    for (index, mv) in sent.iter().enumerate().rev() {
        rest[index] = mv.cube().then(&rest[index + 1]);
    }
    let made = |cube: &Cube, mv: Option<Move>| mv.map_or(*cube, |mv| cube.then(mv.cube()));
    let every_slip = || sent.iter().enumerate().flat_map(|(index, &mv)| Slip::of(index, mv));
    let mut reached = vec![*before];
    reached.extend(sent.iter().scan(*before, |cube, mv| {
        *cube = cube.then(mv.cube());
        Some(*cube)
    }));

    search.compare(reached[sent.len()], &[]);
    for slip in every_slip() {
        search.compare(made(&reached[slip.index], slip.made).then(&rest[slip.index + 1]), &[slip]);
    }
    // When the list is full, the ways to its cubes are still counted.
    for first in every_slip() {
        let mut cube = made(&reached[first.index], first.made);
        for (index, &mv) in sent.iter().enumerate().skip(first.index + 1) {
            for second in Slip::of(index, mv) {
                search.compare(made(&cube, second.made).then(&rest[index + 1]), &[first, second]);
            }
            cube = cube.then(mv.cube());
        }
    }
    Explanations { found: search.found, truncated: search.truncated }
}

struct Search {
    /// Whether a placement of a piece has the known stickers.
    possible: Weights<bool>,
    limit: usize,
    found: Vec<Explanation>,
    /// Index of each cube in `found`.
    indices: HashMap<Cube, usize>,
    truncated: bool,
}

impl Search {
    fn new(seen: &Stickers, limit: usize) -> Self {
        let possible = Costs::of_stickers(seen).0.map(|differing| differing.0 == 0);
        Self { possible, limit, found: Vec::new(), indices: HashMap::new(), truncated: false }
    }

    /// Adds a way to a cube, if the cube has the known stickers.
    fn compare(&mut self, cube: Cube, way: &[Slip]) {
        if !self.is_possible(&cube) {
            return;
        }
        if let Some(&index) = self.indices.get(&cube) {
            let explanation = &mut self.found[index];
            if explanation.slips == way.len() {
                explanation.total += 1;
                if explanation.ways.len() < MAX_WAYS {
                    explanation.ways.push(way.to_vec());
                }
            }
        } else if self.found.len() < self.limit {
            self.indices.insert(cube, self.found.len());
            self.found.push(Explanation { cube, slips: way.len(), total: 1, ways: vec![way.to_vec()] });
        } else {
            self.truncated = true;
        }
    }

    fn is_possible(&self, cube: &Cube) -> bool {
        let Weights { corners, edges } = &self.possible;
        let (twisted, flipped) = (cube.corners().iter().zip(cube.twists()), cube.edges().iter().zip(cube.flips()));
        twisted.zip(corners).all(|((piece, twist), slot)| slot[piece.index()][usize::from(*twist)])
            && flipped.zip(edges).all(|((piece, flip), slot)| slot[piece.index()][usize::from(*flip)])
    }
}
