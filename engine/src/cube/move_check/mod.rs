//! Checks four arrays that should be a move, and corrects them.
//!
//! The tests are those of the tutorial "Move tables explained" (permutations, cycles, sums of orientations, order,
//! inverse). In addition, every entry is compared with the move derived from geometry. The codes of a [`Finding`]:
//!
//! | code | meaning | needs |
//! | --- | --- | --- |
//! | `other_move` | the arrays are those of another move than the named one | a name |
//! | `other_convention` | in the other convention the arrays are the named move, here its inverse | a name |
//! | `not_a_move` | the arrays are no move, and no move is clearly nearest | no reference |
//! | `wrong_array_length` | not 8 or 12 entries | |
//! | `value_out_of_range` | an entry is no slot, twist or flip | |
//! | `duplicate_value`, `missing_value` | not a permutation | the right length |
//! | `inverse_fails` | applying the arrays and then their computed inverse does not restore the cube | the right length |
//! | `wrong_cycles` | other cycles than the move has: one 4-cycle for a quarter turn, two swaps for a half turn | a permutation |
//! | `wrong_direction` | the pieces of one kind turn the other way | the same, and a reference |
//! | `permutation_differs` | entries differ from those of the move in another way | the right length, and a reference |
//! | `orientation_sum` | deltas do not add up to a multiple of 3 or 2 | the right length |
//! | `orientation_differs` | deltas differ from those of the move | the same, and a reference |
//! | `parity_differs` | one kind of pieces is permuted oddly, the other evenly | two permutations |
//! | `wrong_order` | repeating the arrays does not restore the cube as soon as the move does | four readable arrays |
//!
//! The reference is the named move or, without a name, the move that [`nearest`] finds.

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

/// How the reference was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The caller named it.
    Named,
    /// The nearest move, as none is named; with the second nearest and its number of differing entries.
    Nearest(Move, usize),
}

/// The move that the arrays are compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The move.
    pub turn: Move,
    /// How it was chosen.
    pub choice: Choice,
    /// Number of the 40 entries that differ from it.
    pub differing: usize,
}

impl Reference {
    /// Chooses the named move, else the nearest.
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

/// The result of checking four arrays in one convention.
#[derive(Clone, Debug)]
pub struct Report {
    /// Convention of the arrays.
    pub convention: Convention,
    /// The move that the arrays are, named or not.
    pub is: Option<Move>,
    /// All faults. Empty if the arrays are the named move, or without a name any move.
    pub findings: Vec<Finding>,
    /// Summary in one sentence.
    pub summary: String,
    /// Cycles of the corners in the direction of motion; `None` without a permutation.
    pub corner_cycles: Option<Vec<String>>,
    /// Cycles of the edges.
    pub edge_cycles: Option<Vec<String>>,
    /// How often the arrays must be repeated to restore the cube; `None` if unknown.
    pub order: Option<u64>,
    /// Reference of the comparison.
    pub reference: Option<Reference>,
}

impl Report {
    /// Returns whether there are no findings.
    pub const fn is_valid(&self) -> bool {
        self.findings.is_empty()
    }

    /// Returns the move that the arrays are in the other convention: the inverse of the move in this one.
    pub fn is_elsewhere(&self) -> Option<Move> {
        self.is.map(Move::inverse)
    }

    /// Returns the corrected arrays; `None` if there are no faults or the intended move is uncertain.
    pub fn corrected(&self) -> Option<FourArrays> {
        let reference = self.reference.filter(|_| !self.is_valid())?;
        Some(FourArrays::of(reference.turn, self.convention))
    }
}

/// Checks arrays that should be `named` or, without a name, any of the 18 face turns.
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

/// Summarises each kind of pieces in a few words, as `corners turn as F', edges are two swaps`.
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
            (None, _) => format!("{}s are not a permutation", part.word()),
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
