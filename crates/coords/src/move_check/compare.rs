//! Compares the arrays with the reference move, and with properties that every move has.

use super::finding::{Difference, Finding, FindingCode};
use super::read::{ArrayReading, Given};
use super::recognise::{Matches, permutes_as};
use crate::four_arrays::cycles::{Cycles, described};
use crate::four_arrays::{ArrayName, Convention, FourArrays, Part, cycles_of, motion, order_of};
use superflip_cube::forms::listed;
use superflip_cube::moves::Move;

/// Finds whether the arrays as a whole are another move than the named one, or no move.
pub(crate) fn as_a_whole(
    given: &Given<'_>,
    convention: Convention,
    mv: Option<Move>,
    is: Option<Move>,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let here = convention.name();
    let there = convention.other().name();
    if let (Some(is), Some(mv)) = (is, mv)
        && is != mv
    {
        let is_inverse = is == mv.inverse();
        let inverse = if is_inverse { ", its inverse" } else { "" };
        let message = format!("As a whole the arrays are not {mv} but {is}{inverse}, in the {here} convention.");
        found.push(Finding::new(FindingCode::OtherMove, None, message));
        if is_inverse {
            let message = format!(
                "In the {there} convention the arrays are {mv}. If your program uses that convention, send \
                 `\"convention\": \"{there}\"`. Otherwise replace each permutation by its inverse and keep the deltas."
            );
            found.push(Finding::new(FindingCode::OtherConvention, None, message));
        }
    }
    if mv.is_none() {
        let parts = Matches::new(given, convention);
        let tell = |what: &str, moves: &[Move]| {
            let names: Vec<_> = moves.iter().map(|mv| mv.name()).collect();
            (!names.is_empty()).then(|| format!(" The {what} are those of {}.", listed(&names)))
        };
        let known =
            [tell("corners", &parts.corners), tell("edges", &parts.edges)].into_iter().flatten().collect::<String>();
        let message = format!(
            "The arrays are none of the 18 moves in the {here} convention, and no move is clearly nearest: name the move \
             to have them compared with it.{known}"
        );
        found.push(Finding::new(FindingCode::NotAMove, None, message));
    }
    found
}

/// Lists the entries that differ, among the first `min(given, wanted)` entries.
fn differences(given: &Given<'_>, array: ArrayName, wanted: &FourArrays) -> Vec<Difference> {
    let entries = given.get(array).iter().zip(wanted.get(array)).zip(array.part().slots()).enumerate();
    entries
        .filter(|(_, ((got, wanted), _))| **got != i64::from(**wanted))
        .map(|(index, ((&got, &expected), &slot))| Difference { index, slot, got, expected })
        .collect()
}

fn listing(differences: &[Difference]) -> String {
    let each: Vec<_> = differences
        .iter()
        .map(|Difference { index, slot, got, expected }| format!("entry {index} ({slot}) is {got}, not {expected}"))
        .collect();
    each.join("; ")
}

/// Compares the permutation of one kind of pieces with the move, or, without a reference, with what every move does.
pub(crate) fn permutation(given: &Given<'_>, reading: &ArrayReading, part: Part, mv: Option<Move>) -> Option<Finding> {
    let array = part.permutation();
    let name = array.name();
    let word = part.word();
    let cycles = reading.of(part).cycles();
    let Some(mv) = mv else {
        let cycles = cycles?;
        let is_known = matches!(cycles.shape().as_slice(), [4] | [2, 2]);
        let message = format!(
            "`{name}` is {}; a quarter turn moves its {word}s in one 4-cycle, a half turn in two swaps.",
            spelled(&cycles, part)
        );
        return (!is_known).then(|| Finding::new(FindingCode::WrongCycles, Some(array), message).at(cycles.moved()));
    };
    let differences = differences(given, array, &FourArrays::of(mv, reading.convention));
    if differences.is_empty() {
        return None;
    }
    let should = cycles_of(mv, part).join(", ");
    let (code, message) = match (cycles, permutes_as(given, reading.convention, part)) {
        (None, _) => {
            // In an array of the wrong length, the slots of the entries are unknown.
            if given.get(array).len() != part.slots().len() {
                return None;
            }
            (FindingCode::PermutationDiffers, format!("`{name}` differs from that of {mv}: {}.", listing(&differences)))
        }
        (Some(cycles), Some(is)) if is == mv.inverse() => (
            FindingCode::WrongDirection,
            format!(
                "`{name}` turns the {word}s the other way: {} is {is}; {mv} moves them {should}. It would be right in the {} \
                 convention.",
                cycles.written(part.slots()).join(", "),
                reading.convention.other().name()
            ),
        ),
        (Some(cycles), is) if cycles.shape() != Cycles::of(&motion(mv, part)).shape() => {
            let is = is.map_or_else(String::new, |is| format!(", which is {is}"));
            let kind = if mv.quarters() == 2 { "half turn is two swaps" } else { "quarter turn is one 4-cycle" };
            let message = format!("`{name}` is {}{is}; a {kind}: {mv} moves {should}.", spelled(&cycles, part));
            (FindingCode::WrongCycles, message)
        }
        (Some(cycles), is) => {
            let is = is.map_or_else(
                || format!("it moves {}", cycles.written(part.slots()).join(", ")),
                |is| format!("it is that of {is}"),
            );
            (FindingCode::PermutationDiffers, format!("`{name}` differs from that of {mv}: {is}; {mv} moves {should}."))
        }
    };
    Some(Finding::new(code, Some(array), message).differing(differences))
}

/// Writes the shape in words, then the cycles: `two swaps (UF <-> FL, DF <-> FR)`.
fn spelled(cycles: &Cycles, part: Part) -> String {
    let shape = described(&cycles.shape());
    let written = cycles.written(part.slots());
    if written.is_empty() { "the identity".to_owned() } else { format!("{shape} ({})", written.join(", ")) }
}

/// Compares the orientation deltas of one kind of pieces.
pub(crate) fn orientation(given: &Given<'_>, reading: &ArrayReading, part: Part, mv: Option<Move>) -> Vec<Finding> {
    let array = part.deltas();
    let name = array.name();
    let modulus = part.orientations();
    let Some(deltas) = &reading.of(part).deltas else { return Vec::new() };
    let mut found = Vec::new();
    if !deltas.iter().sum::<u64>().is_multiple_of(u64::from(modulus)) {
        let sum: i128 = given.get(array).iter().copied().map(i128::from).sum();
        let message = format!(
            "`{name}` adds up to {sum}, which is not a multiple of {modulus}: no move of a face can {} one {} alone.",
            if part == Part::Corners { "twist" } else { "flip" },
            part.word()
        );
        let indices = deltas.iter().enumerate().filter(|(_, delta)| **delta != 0).map(|(i, _)| i).collect();
        found.push(Finding::new(FindingCode::OrientationSum, Some(array), message).at(indices));
    }
    let Some(mv) = mv else { return found };
    let differences = differences(given, array, &FourArrays::of(mv, reading.convention));
    if !differences.is_empty() {
        let hint = if is_by_departure(given, part, mv) {
            " Each delta is at the slot that its piece leaves. Move it to the slot where the piece arrives."
        } else if is_other_reference(reading, part, mv) {
            " The sum around each cycle is right, so the deltas may be relative to other reference faces. Expected: the U or D face, \
             and for edges without one the F or B face."
        } else {
            ""
        };
        let message = format!("`{name}` differs from that of {mv}: {}.{hint}", listing(&differences));
        found.push(Finding::new(FindingCode::OrientationDiffers, Some(array), message).differing(differences));
    }
    found
}

/// Returns whether the deltas are the deltas of the move, but indexed by the slot that each piece leaves.
fn is_by_departure(given: &Given<'_>, part: Part, mv: Move) -> bool {
    let array = part.deltas();
    let arrays = FourArrays::of(mv, Convention::GoesTo);
    let moved = motion(mv, part).into_iter().map(|to| i64::from(arrays.get(array)[to]));
    given.get(array).iter().copied().eq(moved)
}

/// Returns whether the deltas are the deltas of the move for another choice of reference faces. That holds if pieces that
/// stay keep their orientation, and the deltas around each cycle of the right permutation cancel.
fn is_other_reference(reading: &ArrayReading, part: Part, mv: Move) -> bool {
    let part_reading = reading.of(part);
    let (Some(motion_given), Some(deltas)) = (&part_reading.motion, &part_reading.deltas) else { return false };
    let cycles = Cycles::of(motion_given);
    let around = |cycle: &Vec<usize>| cycle.iter().map(|&slot| deltas[slot]).sum::<u64>();
    let moved = cycles.moved();
    *motion_given == motion(mv, part)
        && cycles.0.iter().all(|cycle| around(cycle).is_multiple_of(u64::from(part.orientations())))
        && deltas.iter().enumerate().all(|(slot, delta)| *delta == 0 || moved.contains(&slot))
}

/// Finds whether one kind of pieces is permuted oddly and the other evenly.
pub(crate) fn parity(reading: &ArrayReading) -> Option<Finding> {
    let corners = reading.corners.cycles()?;
    let edges = reading.edges.cycles()?;
    let word = |cycles: &Cycles| if cycles.is_odd() { "odd" } else { "even" };
    let message = format!(
        "`corner_perm` is an {} permutation ({}), `edge_perm` an {} one ({}): a quarter turn is odd on both, a half turn even on \
         both.",
        word(&corners),
        described(&corners.shape()),
        word(&edges),
        described(&edges.shape())
    );
    (corners.is_odd() != edges.is_odd()).then(|| Finding::new(FindingCode::ParityDiffers, None, message))
}

/// Finds whether the arrays restore the cube after as many repetitions as the move does.
pub(crate) fn order(reading: &ArrayReading, mv: Option<Move>) -> Option<Finding> {
    let order = reading.order()?;
    let (is_right, should) = match mv {
        Some(mv) => (order == order_of(mv), format!("{mv} has order {}", order_of(mv))),
        None => (matches!(order, 2 | 4), "a quarter turn has order 4, a half turn order 2".to_owned()),
    };
    let message =
        format!("The order of the arrays (the repetitions that first restore the cube) is {order}; {should}.");
    (!is_right).then(|| Finding::new(FindingCode::WrongOrder, None, message))
}
