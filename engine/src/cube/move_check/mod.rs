//! What is wrong with four arrays that should be a move, and how they should read.
//!
//! The tests are those by which the tutorial "Move tables explained" verifies its arrays (permutations, cycles, sums of
//! orientations, order, inverse), and besides them every entry is compared with the move that geometry gives. The codes of a
//! [`Finding`]:
//!
//! | code | meaning | needs |
//! | --- | --- | --- |
//! | `other_move` | the arrays are those of another move than the named one | a name |
//! | `other_convention` | in the other convention the arrays are the named move, here its inverse | a name |
//! | `not_a_move` | the arrays are no move, and no move is clearly nearest | no reference |
//! | `wrong_array_length` | not 8 or 12 entries | |
//! | `value_out_of_range` | an entry is no slot, twist or flip | |
//! | `duplicate_value`, `missing_value` | not a permutation | the right length |
//! | `inverse_fails` | done, then undone by the inverse computed from them, the arrays do not restore the cube | the right length |
//! | `wrong_cycles` | other cycles than the move has: one 4-cycle for a quarter turn, two swaps for a half turn | a permutation |
//! | `wrong_direction` | the pieces of one kind turn the other way | the same, and a reference |
//! | `permutation_differs` | entries differ from those of the move in some further way | the right length, and a reference |
//! | `orientation_sum` | deltas do not add up to a multiple of 3 or 2 | the right length |
//! | `orientation_differs` | deltas differ from those of the move | the same, and a reference |
//! | `parity_differs` | one kind of pieces is permuted oddly, the other evenly | two permutations |
//! | `wrong_order` | repeated, the arrays do not restore the cube as soon as the move does | four arrays that can be read |
//!
//! The reference is the named move; without a name it is the one that [`nearest`] finds.

mod compare;
mod finding;
mod given;
mod read;
mod recognise;

use crate::cube::four_arrays::cycles::{Cycles, described};
use crate::cube::four_arrays::{ArrayName, Convention, FourArrays, Part};
use crate::cube::moves::Move;
pub use finding::{Difference, Finding, FindingCode};
pub use given::Given;
use read::ArrayReading;
pub use recognise::{Matches, Nearest, nearest};

/// How the move was chosen that the arrays are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The caller named it.
    Named,
    /// No move is named, and this is the nearest; with the second nearest and how many entries differ from that.
    Nearest(Move, usize),
}

/// The move that the arrays are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The move.
    pub turn: Move,
    /// How it was chosen.
    pub choice: Choice,
    /// How many of the 40 entries differ from it.
    pub differing: usize,
}

impl Reference {
    /// The named move; else the nearest.
    fn choose(given: &Given<'_>, convention: Convention, named: Option<Move>) -> Option<Self> {
        if let Some(turn) = named {
            return Some(Self { turn, choice: Choice::Named, differing: recognise::distance(given, convention, turn) });
        }
        nearest(given, convention).map(|Nearest { turn, differing, runner_up }| Self {
            turn,
            choice: Choice::Nearest(runner_up.0, runner_up.1),
            differing,
        })
    }
}

/// The verdict on four arrays in one convention.
#[derive(Clone, Debug)]
pub struct Report {
    /// The convention in which they were read.
    pub convention: Convention,
    /// The move that the arrays are, whether it was named or not.
    pub is: Option<Move>,
    /// Everything that is wrong; empty exactly when they are the named move, or without a name some move.
    pub findings: Vec<Finding>,
    /// All of it in one sentence.
    pub summary: String,
    /// The cycles of the corners in the direction of motion, or `None` without a permutation.
    pub corner_cycles: Option<Vec<String>>,
    /// The same for edges.
    pub edge_cycles: Option<Vec<String>>,
    /// How often they must be repeated to come to nothing, or `None` when that cannot be told.
    pub order: Option<u64>,
    /// What they were compared with.
    pub reference: Option<Reference>,
}

impl Report {
    /// Whether nothing is wrong.
    pub const fn is_valid(&self) -> bool {
        self.findings.is_empty()
    }

    /// The move that the arrays are in the other convention: the inverse of what they are in this one.
    pub fn is_elsewhere(&self) -> Option<Move> {
        self.is.map(Move::inverse)
    }

    /// How the arrays should read; `None` when nothing is wrong or no move is meant for certain.
    pub fn corrected(&self) -> Option<FourArrays> {
        let reference = self.reference.filter(|_| !self.is_valid())?;
        Some(FourArrays::of(reference.turn, self.convention))
    }
}

/// Checks arrays that should be `named`, or without a name any of the 18 face turns.
pub fn check(given: &Given<'_>, convention: Convention, named: Option<Move>) -> Report {
    let reading = ArrayReading::new(given, convention);
    let is = Matches::new(given, convention).whole;
    let reference = Reference::choose(given, convention, named);
    let turn = reference.map(|reference| reference.turn);
    let mut findings = compare::as_a_whole(given, convention, turn, is);
    findings.extend(ArrayName::ALL.into_iter().flat_map(|array| read::faults(given, array)));
    for part in Part::ALL {
        findings.extend(compare::permutation(given, &reading, part, turn));
        findings.extend(compare::orientation(given, &reading, part, turn));
    }
    findings.extend(compare::parity(&reading));
    findings.extend(compare::order(&reading, turn));
    Report {
        convention,
        is,
        summary: summary(given, &reading, turn, &findings, is.map(Move::inverse)),
        findings,
        corner_cycles: reading.corners.cycles().map(|cycles| cycles.written(Part::Corners.slots())),
        edge_cycles: reading.edges.cycles().map(|cycles| cycles.written(Part::Edges.slots())),
        order: reading.order(),
        reference,
    }
}

/// Each kind of pieces in a few words, as `corners turn as F', edges are two swaps`.
fn summary(
    given: &Given<'_>,
    reading: &ArrayReading,
    turn: Option<Move>,
    findings: &[Finding],
    is_elsewhere: Option<Move>,
) -> String {
    let convention = reading.convention.name();
    let name = turn.map_or("a face turn", Move::name);
    if findings.is_empty() {
        return format!("{name} in the {convention} convention.");
    }
    let parts = Part::ALL.map(|part| {
        let turning = match (reading.of(part).cycles(), recognise::permutes_as(given, reading.convention, part)) {
            (None, _) => format!("{}s are no permutation", part.word()),
            (_, Some(turn)) => format!("{}s turn as {turn}", part.word()),
            (Some(Cycles(cycles)), _) if cycles.is_empty() => format!("{}s stay where they are", part.word()),
            (Some(cycles), _) => format!("{}s are {}", part.word(), described(&cycles.shape())),
        };
        let is_twisted = turn.is_some_and(|turn| !given.is(part.deltas(), &FourArrays::of(turn, reading.convention)));
        match turn.filter(|_| is_twisted) {
            Some(turn) => format!("{turning} (with orientations that are not those of {turn})"),
            None => turning,
        }
    });
    let elsewhere = is_elsewhere.map_or_else(String::new, |turn| {
        format!("; in the {} convention the arrays are {turn}", reading.convention.other().name())
    });
    format!("Not {name} in the {convention} convention: {}{elsewhere}.", parts.join(", "))
}
