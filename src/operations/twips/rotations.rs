//! Rotations of the whole cube between two holdings, as cubing.js writes them.

use std::collections::BTreeSet;
use std::fmt;

use superflip_cube::Face;
use superflip_cube::Holding;

/// A rotation by quarter turns: its name, the face it follows, the places whose centres it moves in a cycle, and the face moves
/// and the slice move that it equals.
struct Axis {
    name: &'static str,
    /// The centre of each place moves to the next one.
    cycle: [Face; 4],
    /// The first and last have the direction of the rotation; the slice and the last face are inverted where `true`.
    parts: [(&'static str, bool); 3],
}

/// `x`, `y` and `z`. The parts are those that cubing.js publishes in the tests of its 3x3x3: `x` is `R M' L'`.
const AXES: [Axis; 3] = [
    Axis { name: "x", cycle: [Face::F, Face::U, Face::B, Face::D], parts: [("R", false), ("M", true), ("L", true)] },
    Axis { name: "y", cycle: [Face::R, Face::F, Face::L, Face::B], parts: [("U", false), ("E", true), ("D", true)] },
    Axis { name: "z", cycle: [Face::U, Face::R, Face::D, Face::L], parts: [("F", false), ("S", false), ("B", true)] },
];

/// At most two rotations, as moves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Rotations(Vec<String>);

impl Rotations {
    /// Returns the number of moves.
    pub(super) fn moves(&self) -> u32 {
        u32::try_from(self.0.len()).unwrap_or(u32::MAX)
    }
}

impl fmt::Display for Rotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(" "))
    }
}

/// Returns the fewest rotations that lead from one holding to another, written with the permitted moves (default: all). A rotation
/// that is not permitted is written as moves of two faces and a slice. Returns `None` if the slice is not permitted either.
pub(super) fn between(from: Holding, to: Holding, permitted: Option<&BTreeSet<String>>) -> Option<Rotations> {
    let rotations = || AXES.iter().flat_map(|axis| (1..4).map(move |quarters| (axis, quarters)));
    let single = rotations().map(|rotation| vec![rotation]);
    let pairs = rotations().flat_map(|first| rotations().map(move |second| vec![first, second]));
    let all = std::iter::once(Vec::new()).chain(single).chain(pairs);
    let leading = all.filter(|path| path.iter().fold(from.centres(), turned) == to.centres());
    leading.map(|path| written(&path, permitted)).find_map(|rotations| rotations)
}

/// Returns the centre at each place after a rotation.
fn turned(mut centres: [Face; Face::COUNT], &(axis, quarters): &(&Axis, usize)) -> [Face; Face::COUNT] {
    let before = centres;
    for (at, place) in axis.cycle.iter().enumerate() {
        centres[axis.cycle[(at + quarters) % 4].index()] = before[place.index()];
    }
    centres
}

fn written(path: &[(&Axis, usize)], permitted: Option<&BTreeSet<String>>) -> Option<Rotations> {
    let is_permitted = |name: &str| permitted.is_none_or(|moves| moves.contains(name));
    let mut moves = Vec::new();
    for (axis, quarters) in path {
        let amount = |is_inverted: bool| match (quarters, is_inverted) {
            (2, _) => "2",
            (1, false) | (3, true) => "",
            _ => "'",
        };
        if is_permitted(axis.name) {
            moves.push(format!("{}{}", axis.name, amount(false)));
        } else if is_permitted(axis.parts[1].0) {
            moves.extend(axis.parts.iter().map(|(name, is_inverted)| format!("{name}{}", amount(*is_inverted))));
        } else {
            return None;
        }
    }
    Some(Rotations(moves))
}
