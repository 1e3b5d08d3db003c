//! Checks four arrays that should be a move, and corrects them.
//!
//! The tests come from the tutorial "Move tables explained" (permutations, cycles, sums of orientations, order,
//! inverse). In addition, every entry is compared with the move derived from geometry. The codes of a [`Finding`]:
//!
//! | code | meaning | needs |
//! | --- | --- | --- |
//! | `other_move` | the arrays belong to another move than the named one | a name |
//! | `other_convention` | in the other convention the arrays are the named move, here its inverse | a name |
//! | `not_a_move` | the arrays are no move, and no move is clearly nearest | no reference |
//! | `wrong_array_length` | not 8 or 12 entries | |
//! | `value_out_of_range` | an entry is no slot, twist or flip | |
//! | `duplicate_value`, `missing_value` | not a permutation | the right length |
//! | `inverse_fails` | applying the arrays and then their computed inverse does not restore the cube | the right length |
//! | `wrong_cycles` | other cycles than the move has: one 4-cycle for a quarter turn, two swaps for a half turn | a permutation |
//! | `wrong_direction` | the pieces of one kind turn the other way | the same, and a reference |
//! | `permutation_differs` | entries differ from the entries of the move in another way | the right length, and a reference |
//! | `orientation_sum` | deltas do not add up to a multiple of 3 or 2 | the right length |
//! | `orientation_differs` | deltas differ from the deltas of the move | the same, and a reference |
//! | `parity_differs` | one kind of pieces is permuted oddly, the other evenly | two permutations |
//! | `wrong_order` | repeating the arrays does not restore the cube as soon as the move does | four readable arrays |
//!
//! The reference is the named move or, without a name, the move that [`nearest`] finds.

mod compare;
mod finding;
mod read;
mod recognise;

use serde::Serialize;

use crate::four_arrays::cycles::{Cycles, described};
use crate::four_arrays::{ArrayName, Convention, FourArrays, Part};
pub use finding::{Difference, Finding, FindingCode};
use read::ArrayReading;
pub use read::Given;
pub use recognise::{Matches, Nearest, nearest};
use superflip_cube::moves::Move;

/// Reason for the choice of the reference move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// The caller names the move.
    Named,
    /// At most 8 of 40 entries differ from it, fewer than from any other move.
    Nearest,
}

impl Choice {
    /// Every reason.
    pub const ALL: [Self; 2] = [Self::Named, Self::Nearest];
}

/// Reference move: the one with which the arrays are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reference {
    /// Move.
    pub mv: Move,
    /// Reason for the choice.
    pub choice: Choice,
    /// Reason for the choice, in a sentence.
    pub reason: String,
    /// Number of entries, of 40, that differ from it; surplus and missing entries count.
    pub differing: usize,
}

impl Reference {
    /// Chooses the named move, else the nearest.
    fn choose(given: &Given<'_>, convention: Convention, named: Option<Move>) -> Option<Self> {
        if let Some(mv) = named {
            let (reason, differing) =
                (format!("The arrays are named {mv}."), recognise::distance(given, convention, mv));
            return Some(Self { mv, choice: Choice::Named, reason, differing });
        }
        let Nearest { mv, differing, runner_up: (next, more) } = nearest(given, convention)?;
        let reason = format!("{differing} of 40 entries differ from {mv}, from the next move, {next}, {more}.");
        Some(Self { mv, choice: Choice::Nearest, reason, differing })
    }
}

/// Result of the check in one convention.
#[derive(Clone, Debug)]
pub struct Report {
    /// Convention in which the arrays were read.
    pub convention: Convention,
    /// Whether the arrays describe the named move or, if none is named, any face move. If so, `findings` is empty.
    pub valid: bool,
    /// Face move that the arrays describe; null if there is none.
    pub is: Option<Move>,
    /// Face move that they describe in the other convention, the inverse of `is`; null if there is none.
    pub is_in_other_convention: Option<Move>,
    /// Result in one sentence.
    pub summary: String,
    /// All findings.
    pub findings: Vec<Finding>,
    /// Cycles of the corners; null if `corner_perm` is not a permutation.
    pub corner_cycles: Option<Vec<String>>,
    /// Cycles of the edges; null if `edge_perm` is not a permutation.
    pub edge_cycles: Option<Vec<String>>,
    /// Order of the arrays as a move; null if undefined.
    pub order: Option<u64>,
    /// Reference move; null if none is named and none is clearly nearest.
    pub reference: Option<Reference>,
    /// Arrays of the reference move in this convention; null if there are no findings.
    pub corrected: Option<FourArrays>,
}

/// Checks arrays that should be `named` or, without a name, any of the 18 moves.
pub fn check(given: &Given<'_>, convention: Convention, named: Option<Move>) -> Report {
    let reading = ArrayReading::new(given, convention);
    let is = Matches::new(given, convention).whole;
    let reference = Reference::choose(given, convention, named);
    let mv = reference.as_ref().map(|reference| reference.mv);
    let mut findings = compare::as_a_whole(given, convention, mv, is);
    findings.extend(ArrayName::ALL.into_iter().flat_map(|array| read::faults(given, array)));
    for part in Part::ALL {
        findings.extend(compare::permutation(given, &reading, part, mv));
        findings.extend(compare::orientation(given, &reading, part, mv));
    }
    findings.extend(compare::parity(&reading));
    findings.extend(compare::order(&reading, mv));
    let valid = findings.is_empty();
    let is_in_other_convention = is.map(Move::inverse);
    Report {
        convention,
        valid,
        is,
        is_in_other_convention,
        summary: summary(given, &reading, mv, &findings, is_in_other_convention),
        findings,
        corner_cycles: reading.corners.cycles().map(|cycles| cycles.written(Part::Corners.slots())),
        edge_cycles: reading.edges.cycles().map(|cycles| cycles.written(Part::Edges.slots())),
        order: reading.order(),
        reference,
        corrected: mv.filter(|_| !valid).map(|mv| FourArrays::of(mv, convention)),
    }
}

/// Summarises each kind of pieces in a few words, as `corners turn as F', edges are two swaps`.
fn summary(
    given: &Given<'_>,
    reading: &ArrayReading,
    mv: Option<Move>,
    findings: &[Finding],
    is_elsewhere: Option<Move>,
) -> String {
    let convention = reading.convention.name();
    let name = mv.map_or("a face move", Move::name);
    if findings.is_empty() {
        return format!("{name} in the {convention} convention.");
    }
    let parts = Part::ALL.map(|part| {
        let turning = match (reading.of(part).cycles(), recognise::permutes_as(given, reading.convention, part)) {
            (None, _) => format!("{}s are not a permutation", part.word()),
            (_, Some(mv)) => format!("{}s turn as {mv}", part.word()),
            (Some(Cycles(cycles)), _) if cycles.is_empty() => format!("{}s stay where they are", part.word()),
            (Some(cycles), _) => format!("{}s are {}", part.word(), described(&cycles.shape())),
        };
        let is_twisted = mv.is_some_and(|mv| !given.is(part.deltas(), &FourArrays::of(mv, reading.convention)));
        match mv.filter(|_| is_twisted) {
            Some(mv) => format!("{turning} (with orientations that are not those of {mv})"),
            None => turning,
        }
    });
    let elsewhere = is_elsewhere.map_or_else(String::new, |mv| {
        format!("; in the {} convention the arrays are {mv}", reading.convention.other().name())
    });
    format!("Not {name} in the {convention} convention: {}{elsewhere}.", parts.join(", "))
}
