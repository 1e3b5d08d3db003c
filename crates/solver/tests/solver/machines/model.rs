//! A machine and a cube of stickers in space, independent of the library: rotations of vectors, and the description as it is written.

use std::collections::HashMap;

use superflip_solver::search::machine::{ActionDescription, MachineDescription};

pub(super) type Vector = [i32; 3];

/// Faces in the order of facelets, each with its normal, the direction to the right and the direction down, as seen from outside.
pub(super) const FACES: [(char, Vector, Vector, Vector); 6] = [
    ('U', [0, 1, 0], [1, 0, 0], [0, 0, 1]),
    ('R', [1, 0, 0], [0, 0, -1], [0, -1, 0]),
    ('F', [0, 0, 1], [1, 0, 0], [0, -1, 0]),
    ('D', [0, -1, 0], [1, 0, 0], [0, 0, -1]),
    ('L', [-1, 0, 0], [0, 0, 1], [0, -1, 0]),
    ('B', [0, 0, -1], [-1, 0, 0], [0, -1, 0]),
];

pub(super) fn normal(face: char) -> Vector {
    FACES.iter().find(|(letter, ..)| *letter == face).unwrap().1
}

fn dot(a: Vector, b: Vector) -> i32 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

/// Rotates a vector by quarter turns around an axis, clockwise as seen against it.
pub(super) fn rotated(v: Vector, axis: Vector, quarters: usize) -> Vector {
    (0..quarters).fold(v, |v, _| {
        let along = dot(v, axis);
        // Clockwise as seen from outside: the cross product of the vector and the axis.
        let cross: Vector = std::array::from_fn(|i| {
            let j = (i + 1) % 3;
            let k = (i + 2) % 3;
            v[j] * axis[k] - v[k] * axis[j]
        });
        std::array::from_fn(|i| along * axis[i] + cross[i])
    })
}

/// One turn: face and clockwise quarter turns. A rotation is a turn of all layers.
pub(super) fn read(text: &str) -> Vec<(char, usize)> {
    text.split_whitespace()
        .map(|word| {
            (
                word.chars().next().unwrap(),
                if word.ends_with('2') {
                    2
                } else if word.ends_with('\'') {
                    3
                } else {
                    1
                },
            )
        })
        .collect()
}

/// Axis of a turn or a rotation.
fn axis_of(letter: char) -> Vector {
    normal(match letter {
        'x' => 'R',
        'y' => 'U',
        'z' => 'F',
        face => face,
    })
}

/// Stickers in space: the colour at each position and normal.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Stickers(HashMap<(Vector, Vector), char>);

impl Stickers {
    pub(super) fn new(facelets: &str) -> Self {
        let mut colours = facelets.chars();
        let mut stickers = HashMap::new();
        for (_, normal, right, down) in FACES {
            for (row, column) in (-1..2).flat_map(|row| (-1..2).map(move |column| (row, column))) {
                let position = std::array::from_fn(|i| normal[i] + column * right[i] + row * down[i]);
                stickers.insert((position, normal), colours.next().unwrap());
            }
        }
        Self(stickers)
    }

    /// Turns one layer, or all for `x`, `y` and `z`.
    pub(super) fn turn(&mut self, (letter, quarters): (char, usize)) {
        let axis = axis_of(letter);
        let moves = |position: Vector| letter.is_lowercase() || dot(position, axis) == 1;
        let turned = |(&(position, normal), &colour): (&(Vector, Vector), &char)| {
            let by = if moves(position) { quarters } else { 0 };
            ((rotated(position, axis, by), rotated(normal, axis, by)), colour)
        };
        self.0 = self.0.iter().map(turned).collect();
    }

    /// Returns whether each face has one colour.
    pub(super) fn is_solved(&self) -> bool {
        FACES.iter().all(|(_, normal, ..)| {
            let of_face: Vec<char> =
                self.0.iter().filter(|((_, n), _)| n == normal).map(|(_, colour)| *colour).collect();
            of_face.iter().all(|colour| *colour == of_face[0])
        })
    }

    /// Returns the colour of the centre of a face.
    pub(super) fn centre(&self, face: char) -> char {
        self.0[&(normal(face), normal(face))]
    }
}

/// Returns the names of the states in which an action is possible.
pub(super) fn starts(action: &ActionDescription, states: &[String]) -> Vec<String> {
    action.from.as_ref().map_or_else(|| states.to_vec(), |names| names.names().to_vec())
}

/// Where the faces of the cube are in the machine: by face, a normal.
type Places = [Vector; 6];

#[allow(clippy::cast_sign_loss)] // costs are positive
pub(super) fn millionths(cost: f64) -> u64 {
    (cost * 1e6).round() as u64
}

/// The turns that were made, the state, and the places of the faces.
type Node = (Vec<bool>, String, Places);

/// Finds the cheapest execution by relaxing every edge until nothing changes.
pub(super) fn brute_force(machine: &MachineDescription, maneuver: &str) -> Option<u64> {
    let moves = read(maneuver);
    let axis = |index: usize| normal(moves[index].0).map(i32::abs);
    let may = |done: &[bool], index: usize| {
        !done[index]
            && (0..index).filter(|&before| !done[before]).all(|before| {
                // A turn may overtake turns of the opposite face only.
                (before..index).all(|between| axis(between) == axis(index)) && moves[before].0 != moves[index].0
            })
    };
    let first: Node = (vec![false; moves.len()], machine.start.clone(), FACES.map(|(_, normal, ..)| normal));
    let mut costs: HashMap<Node, u64> = HashMap::from([(first, 0)]);
    loop {
        let mut next = costs.clone();
        for ((done, state, places), cost) in &costs {
            for action in machine.actions.iter().filter(|action| starts(action, &machine.states).contains(state)) {
                let mut done = done.clone();
                let turns = action.turn.as_deref().map(read).unwrap_or_default();
                let is_made = turns.iter().all(|&(face, quarters)| {
                    let turned = (0..6).find(|&cube_face| places[cube_face] == normal(face)).unwrap();
                    let found = (0..moves.len())
                        .find(|&index| may(&done, index) && moves[index] == (FACES[turned].0, quarters));
                    found.map(|index| done[index] = true).is_some()
                });
                if !is_made {
                    continue;
                }
                let rotation = action.rotates.as_deref().map(read).unwrap_or_default();
                let places = places
                    .map(|place| rotation.iter().fold(place, |v, &(by, quarters)| rotated(v, axis_of(by), quarters)));
                let node = (done, action.to.clone().unwrap_or_else(|| state.clone()), places);
                let total = cost + millionths(action.cost);
                let known = next.entry(node).or_insert(u64::MAX);
                *known = total.min(*known);
            }
        }
        if next == costs {
            let ends = costs.iter().filter(|((done, ..), _)| done.iter().all(|done| *done));
            return ends.map(|(_, cost)| *cost).min();
        }
        costs = next;
    }
}
