//! The arrays to check, what they say, and the faults of single arrays: lengths, ranges, permutations.

use super::finding::{Finding, FindingCode};
use crate::four_arrays::cycles::{Cycles, lcm, order};
use crate::four_arrays::{ArrayName, Convention, FourArrays, Part};
use superflip_cube::forms::{listed, plural};

/// Four arrays to check: any length, any values.
#[derive(Clone, Copy, Debug)]
pub struct Given<'a> {
    /// Expected: a permutation of 0..8.
    pub corner_perm: &'a [i64],
    /// Expected: 8 numbers 0..3.
    pub corner_orient_delta: &'a [i64],
    /// Expected: a permutation of 0..12.
    pub edge_perm: &'a [i64],
    /// Expected: 12 numbers 0..2.
    pub edge_orient_delta: &'a [i64],
}

impl<'a> Given<'a> {
    /// Returns the entries of one array.
    pub const fn get(&self, array: ArrayName) -> &'a [i64] {
        match array {
            ArrayName::CornerPerm => self.corner_perm,
            ArrayName::CornerOrientDelta => self.corner_orient_delta,
            ArrayName::EdgePerm => self.edge_perm,
            ArrayName::EdgeOrientDelta => self.edge_orient_delta,
        }
    }

    /// Returns whether an array holds exactly these entries.
    pub(crate) fn is(&self, array: ArrayName, wanted: &FourArrays) -> bool {
        self.get(array).iter().copied().eq(wanted.get(array).iter().map(|&entry| i64::from(entry)))
    }
}

/// The motion and the deltas of one kind of pieces.
pub(crate) struct PartReading {
    /// Slot to which each piece goes, if the array is a permutation.
    pub(crate) motion: Option<Vec<usize>>,
    /// Deltas modulo 3 or 2, if their number is right.
    pub(crate) deltas: Option<Vec<u64>>,
}

impl PartReading {
    fn new(given: &Given<'_>, convention: Convention, part: Part) -> Self {
        let permutation = permutation(given.get(part.permutation()), part.slots().len());
        let deltas = given.get(part.deltas());
        let modulus = i64::from(part.orientations());
        Self {
            motion: permutation.map(|permutation| convention.motion(&permutation)),
            deltas: (deltas.len() == part.slots().len())
                .then(|| deltas.iter().map(|delta| delta.rem_euclid(modulus).unsigned_abs()).collect()),
        }
    }

    /// Returns the cycles of the pieces, in the direction of motion.
    pub(crate) fn cycles(&self) -> Option<Cycles> {
        self.motion.as_deref().map(Cycles::of)
    }
}

/// The motion that the arrays describe.
pub(crate) struct ArrayReading {
    pub(crate) convention: Convention,
    pub(crate) corners: PartReading,
    pub(crate) edges: PartReading,
}

impl ArrayReading {
    pub(crate) fn new(given: &Given<'_>, convention: Convention) -> Self {
        let [corners, edges] = Part::ALL.map(|part| PartReading::new(given, convention, part));
        Self { convention, corners, edges }
    }

    pub(crate) const fn of(&self, part: Part) -> &PartReading {
        match part {
            Part::Corners => &self.corners,
            Part::Edges => &self.edges,
        }
    }

    /// Returns the number of repetitions that restore the cube.
    pub(crate) fn order(&self) -> Option<u64> {
        Part::ALL.into_iter().try_fold(1, |whole, part| {
            let PartReading { motion, deltas } = self.of(part);
            Some(lcm(whole, order(motion.as_ref()?, deltas.as_ref()?, u64::from(part.orientations()))))
        })
    }
}

/// Returns the entries as a permutation of 0..`slots`, if they are one.
fn permutation(entries: &[i64], slots: usize) -> Option<Vec<usize>> {
    let entries: Option<Vec<usize>> = entries.iter().map(|&entry| slot(entry, slots)).collect();
    entries.filter(|entries| entries.len() == slots && (0..slots).all(|slot| entries.contains(&slot)))
}

fn slot(entry: i64, slots: usize) -> Option<usize> {
    usize::try_from(entry).ok().filter(|entry| *entry < slots)
}

/// Finds the faults of one array by itself.
pub(crate) fn faults(given: &Given<'_>, array: ArrayName) -> Vec<Finding> {
    let entries = given.get(array);
    let slots = array.part().slots();
    let mut found = Vec::new();
    let length = entries.len();
    if length != slots.len() {
        let message = format!(
            "`{}` has {length} entr{}, but there are {} slots: give one entry for each of {}.",
            array.name(),
            if length == 1 { "y" } else { "ies" },
            slots.len(),
            slots.join(" ")
        );
        found.push(Finding::new(FindingCode::WrongArrayLength, Some(array), message));
    }
    found.extend(out_of_range(array, entries));
    if array.is_permutation() && length == slots.len() {
        found.extend(repeated(array, entries));
        found.extend(inverse_fails(array, entries));
    }
    found
}

fn out_of_range(array: ArrayName, entries: &[i64]) -> Option<Finding> {
    let part = array.part();
    let range = i64::from(array.range());
    // Entries past the last slot belong to no slot; the wrong length is already reported.
    let wrong = entries.iter().zip(part.slots()).enumerate().filter(|(_, (entry, _))| !(0..range).contains(*entry));
    let (indices, descriptions): (Vec<_>, Vec<_>) = wrong
        .map(|(i, (entry, slot))| {
            let instead = match (array.is_permutation(), entry.rem_euclid(range)) {
                (true, _) => String::new(),
                (false, same) => format!(" (write {same})"),
            };
            (i, format!("entry {i} ({slot}) is {entry}{instead}"))
        })
        .unzip();
    let meaning = match (array.is_permutation(), part) {
        (true, _) => format!("{} slots are numbered 0 to {}", part.word(), range - 1),
        (false, Part::Corners) => "a twist is 0, 1 or 2 clockwise thirds".to_owned(),
        (false, Part::Edges) => "a flip is 0 or 1".to_owned(),
    };
    let message = format!("`{}`: {}; {meaning}.", array.name(), descriptions.join("; "));
    let finding = Finding::new(FindingCode::ValueOutOfRange, Some(array), message);
    (!indices.is_empty()).then(|| finding.at(indices))
}

/// Finds repeated and missing values.
fn repeated(array: ArrayName, entries: &[i64]) -> Vec<Finding> {
    let slots = array.part().slots();
    let places = |value: usize| -> Vec<usize> {
        entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| slot(**entry, slots.len()) == Some(value))
            .map(|(i, _)| i)
            .collect()
    };
    let mut doubled = Vec::new();
    let mut repeats = Vec::new();
    let mut missing = Vec::new();
    for (value, name) in slots.iter().enumerate() {
        let at = places(value);
        match at.len() {
            0 => missing.push(format!("{value} ({name})")),
            1 => {}
            _ => {
                let entries: Vec<_> = at.iter().map(ToString::to_string).collect();
                repeats.push(format!("{value} ({name}) appears at entries {}", listed(&entries)));
                doubled.extend(at);
            }
        }
    }
    let mut found = Vec::new();
    if !doubled.is_empty() {
        let message = format!(
            "`{}` is not a permutation: {}; each slot must appear exactly once.",
            array.name(),
            listed(&repeats)
        );
        found.push(Finding::new(FindingCode::DuplicateValue, Some(array), message).at(doubled));
    }
    if !missing.is_empty() {
        let message = format!(
            "`{}` is not a permutation: the value{} {} {} missing.",
            array.name(),
            plural(missing.len()),
            listed(&missing),
            if missing.len() == 1 { "is" } else { "are" }
        );
        found.push(Finding::new(FindingCode::MissingValue, Some(array), message));
    }
    found
}

/// Applies the permutation and its inverse, as a program would: `inverse[perm[i]] = i`, then `inverse[perm[i]]` must be
/// `i`.
fn inverse_fails(array: ArrayName, entries: &[i64]) -> Option<Finding> {
    let slots = array.part().slots();
    let mut inverse = vec![None; slots.len()];
    for (i, &entry) in entries.iter().enumerate() {
        if let Some(place) = slot(entry, slots.len()).and_then(|entry| inverse.get_mut(entry)) {
            *place = Some(i);
        }
    }
    let restored = |i: usize| slot(entries[i], slots.len()).and_then(|entry| inverse[entry]) == Some(i);
    let lost: Vec<usize> = (0..slots.len()).filter(|&i| !restored(i)).collect();
    let names: Vec<_> = lost.iter().map(|&i| format!("{i} ({})", slots[i])).collect();
    let message = format!(
        "`{}` followed by its inverse (`inverse[perm[i]] = i`) does not restore entr{} {}: its value is repeated or out of \
         range.",
        array.name(),
        if lost.len() == 1 { "y" } else { "ies" },
        listed(&names)
    );
    (!lost.is_empty()).then(|| Finding::new(FindingCode::InverseFails, Some(array), message).at(lost))
}
